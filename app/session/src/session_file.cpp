// SPDX-License-Identifier: GPL-3.0-or-later
// Session files and crash recovery.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <algorithm>
#include <cstdlib>
#include <limits>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "document_writer.h"
#include "file_marks.h"
#include "json_fields.h"
#include "map_work.h"
#include "session_state.h"

namespace armilla {

namespace {

const QString kFormat = QStringLiteral("armilla-session");
// 1: only maps. 2: layers of four kinds. 3: stated frames.
constexpr int kVersion = 3;
// Above this number of verdicts the JSON is compact, which saves a third of the bytes; nobody reads
// that many by eye.
constexpr size_t kMostReadable = 1000;

QByteArray readSessionFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw IoError(path.toStdString() +
                      ": expected a session file, found: " + file.errorString().toStdString());
    // Reading one byte more than the limit distinguishes an endless file (a pipe, a device) from a
    // large one.
    QByteArray content = file.read(kLargestSession + 1);
    if (content.size() > kLargestSession)
        throw IoError(path.toStdString() + ": expected a session file of at most " +
                      std::to_string(kLargestSession >> 20) + " MiB, found more");
    return content;
}

QJsonObject objectOf(const QByteArray& content) {
    QJsonParseError problem{};
    const QJsonDocument json = QJsonDocument::fromJson(content, &problem);
    if (!json.isObject())
        throw InvalidArgument("expected the JSON of a session, found: " +
                              (problem.error == QJsonParseError::NoError
                                   ? std::string("something else than an object")
                                   : problem.errorString().toStdString() + " at byte " +
                                         std::to_string(problem.offset)));
    return json.object();
}

ReadSession readSessionOf(const QByteArray& content, const QString& name) {
    try {
        return readSession(content);
    } catch (Error& error) {
        error.addContext(name.toStdString());
        throw;
    }
}

// Only layers in the file are written: other ids may be reused.
QJsonArray thresholdsOf(const Document& document, const std::map<int, double>& thresholds) {
    QJsonArray array;
    const auto add = [&](int layer) {
        if (const auto own = thresholds.find(layer); own != thresholds.end())
            array.append(QJsonObject{{"layer", layer}, {"snr", own->second}});
    };
    for (const Layer& layer : document.entries()) add(layer.id);
    for (const AwaitedLayer& layer : document.awaited()) add(layer.id);
    for (const MissingLayer& each : document.missing()) add(each.layer.id);
    return array;
}

void readThresholds(const QJsonValue& json, ReadSession& read) {
    constexpr int kMaxId = 1 << 30;
    constexpr double kLargest = std::numeric_limits<float>::max();
    json::LeftOut leftOut;
    if (!json.isUndefined() && !json.isArray()) leftOut.add(Session::tr("expected a list"));
    const QJsonArray list = json.toArray();
    for (const QJsonValue value : list) try {
            const QJsonObject each = value.toObject();
            const auto layer = static_cast<int>(json::integer(each, "layer", 1, kMaxId));
            read.thresholds[layer] = json::number(each, "snr", -kLargest, kLargest);
        } catch (const Error& error) {
            leftOut.add(QString::fromUtf8(error.what()));
        }
    if (leftOut.count > 0)
        read.thresholdsLeftOut =
            Session::tr(
                "%n threshold(s) of candidates that cannot be read were skipped; the "
                "first: %1",
                nullptr, leftOut.count)
                .arg(leftOut.first);
}

}  // namespace

QStringList ReadSession::leftOut() const {
    QStringList lines{verdicts.leftOut, regions.leftOut, thresholdsLeftOut};
    lines.removeAll(QString());
    return lines;
}

ReadSession readSession(const QByteArray& content) {
    const QJsonObject object = objectOf(content);
    if (json::text(object, "format", 64) != kFormat)
        json::fail(QStringLiteral("format"), kFormat, object["format"]);
    const auto version = json::integer(object, "version", 1, 1000000);
    if (version > kVersion)
        throw InvalidArgument("expected a session of version " + std::to_string(kVersion) +
                              ", found version " + std::to_string(version) +
                              ", made by a newer program");
    ReadSession read{json::child(object, "document"),
                     verdictsFrom(object["verdicts"]),
                     regionsFrom(object["regions"]),
                     {},
                     {}};
    readThresholds(object["thresholds"], read);
    read.reviewed = object["reviewed"].toInt(-1);  // an id without a catalog never resumes
    return read;
}

Autosave::Writer Session::State::sessionWriter(const QString& folder) const {
    if (document.entries().empty() && document.awaited().empty() && document.missing().empty())
        return {};
    QJsonObject content{{"format", kFormat}, {"version", kVersion}, {"program", programVersion()}};
    if (const QJsonArray moved = thresholdsOf(document, review.thresholds()); !moved.isEmpty())
        content["thresholds"] = moved;
    // While the file of the reviewed layer is being read or is missing, the awaited layer counts.
    const int reviewed = review.layer() >= 0 ? review.layer() : review.awaited();
    if (reviewed >= 0) content["reviewed"] = reviewed;
    // Runs in a thread: a million verdicts take seconds to write. The snapshot copies only changed
    // parts.
    return [content, written = jsonWriter(document, folder), drawn = regions.all(),
            decided = verdicts.snapshot(), count = verdicts.all().size()]() mutable {
        content["document"] = written();
        if (!drawn.empty()) content["regions"] = toJson(drawn);
        if (count > 0) content["verdicts"] = toJson(decided);
        const QByteArray bytes = QJsonDocument(content).toJson(
            count > kMostReadable ? QJsonDocument::Compact : QJsonDocument::Indented);
        if (bytes.size() > kLargestSession)
            throw InvalidArgument("expected a session of at most " +
                                  std::to_string(kLargestSession >> 20) + " MiB, found " +
                                  std::to_string((bytes.size() >> 20) + 1) +
                                  "; fewer verdicts and shorter notes make it smaller");
        return bytes;
    };
}

void Session::saveSession(const QString& path) {
    Autosave::Writer writer = state_->sessionWriter(QFileInfo(path).absolutePath());
    if (!writer)
        return state_->notices.complain(
            tr("expected an open map to save a session of, found none"));
    std::vector<int> ids;
    QStringList received;
    for (const Layer& layer : document().entries())
        if (state_->goesWithSession(layer))
            received << layer.name;
        else
            ids.push_back(layer.id);
    state_->exportInJob(
        path, JobLane::Io,
        [writer, path](JobContext&) {
            writeFileAtomically(QFile::encodeName(path).toStdString(), writer().toStdString(),
                                true);
        },
        [this, ids, received] {
            state_->saved.insert(ids.begin(), ids.end());
            if (!received.isEmpty())
                state_->notices.say(
                    tr("%1: received from another program, and in no file but that of the "
                       "running session; export it to keep it")
                        .arg(received.join(QStringLiteral(", "))));
        });
}

void Session::loadSession(const QString& path) {
    state_->runner.run<std::shared_ptr<ReadSession>>(
        tr("Read %1").arg(QFileInfo(path).fileName()), JobLane::Io, QStringLiteral("session"), this,
        [path](JobContext&) {
            return std::make_shared<ReadSession>(readSessionOf(readSessionFile(path), path));
        },
        [this, path](const std::shared_ptr<ReadSession>& read) {
            state_->restoreFrom(std::move(*read), path, QFileInfo(path).absolutePath());
        },
        [this](const QString& line) { state_->notices.complain(line); });
}

bool Session::State::restoreFrom(ReadSession read, const QString& name, const QString& folder) {
    bool isRead = false;
    notices.guarded([&] {
        try {
            // The user's regions and verdicts are restored last, so that a rejected document
            // changes nothing.
            document.restore(read.document);
        } catch (Error& error) {
            error.addContext(name.toStdString());
            throw;
        }
        for (const QString& line : read.leftOut())
            notices.complain(name + QStringLiteral(": ") + line);
        verdicts.restore(std::move(read.verdicts));
        regions.restore(std::move(read.regions.all));
        review.restoreThresholds(std::move(read.thresholds));
        review.resume(read.reviewed);
        // Jobs of the previous session belong to maps that are gone.
        for (const int job : std::exchange(restoreJobs, {})) {
            followers.forgetCancel(job);
            runner.cancel(job);
        }
        session.stopPreview();
        hidden.clear();
        restoring.clear();
        saved.clear();
        isRestoring = true;
        isRead = true;
        sessionFolder = folder;
        locateFiles();
        advanceRestore();
    });
    return isRead;
}

LayerValue Session::State::valueOf(int id) const {
    if (const Layer* entry = document.entry(id)) return *entry;
    const auto found = hidden.find(id);
    return found == hidden.end() ? LayerValue() : found->second;
}

namespace {

// True if two results have the same record, and so come from one run.
bool isOfOneRun(const AwaitedLayer& a, const AwaitedLayer& b) {
    return a.recipe.kind == RecipeKind::Operation && b.recipe.kind == RecipeKind::Operation &&
           a.recipe.record == b.recipe.record;
}

}  // namespace

// The relative path finds a folder that was moved as a whole; the absolute path finds a session
// file moved alone. If both lead to a file, the size decides.
void Session::State::locateFiles() {
    const QDir folder(sessionFolder);
    for (const AwaitedLayer& layer : std::vector<AwaitedLayer>(document.awaited())) {
        if (layer.recipe.kind != RecipeKind::Open || layer.relativePath.isEmpty() ||
            sessionFolder.isEmpty())
            continue;
        const QString absolute = layer.recipe.path;
        const QString relative = QDir::cleanPath(folder.absoluteFilePath(layer.relativePath));
        if (relative == absolute) continue;
        const QFileInfo near(fileOf(relative)), far(fileOf(absolute));
        const bool sameSize = layer.mark.bytes < 0 || near.size() == layer.mark.bytes;
        if (near.exists() && (sameSize || !far.exists()))
            document.relocateAwaited(layer.id, relative);
    }
}

void Session::State::advanceRestore() {
    if (!isRestoring) return;
    // A copy, because giving up a layer changes the list.
    const auto awaited = document.awaited();
    const auto isAwaited = [&](int id) {
        return std::any_of(awaited.begin(), awaited.end(),
                           [id](const AwaitedLayer& layer) { return layer.id == id; });
    };
    for (const AwaitedLayer& layer : awaited) {
        if (restoring.contains(layer.id)) continue;
        std::vector<LayerValue> inputs;
        bool mustWait = false, lacksInput = false;
        for (const int input : layer.recipe.inputs()) {
            inputs.push_back(valueOf(input));
            if (inputs.back()) continue;
            lacksInput = true;
            mustWait = mustWait || isAwaited(input);
        }
        if (mustWait) continue;
        if (lacksInput) {
            const QString line =
                tr("%1: expected the layer it is made from, found that it could not be restored")
                    .arg(layer.name);
            document.setMissing(layer.id, line);
            notices.complainOf(layer.id, line);
            return advanceRestore();
        }
        std::vector<AwaitedLayer> together{layer};
        for (const AwaitedLayer& other : awaited)
            if (other.id != layer.id && !restoring.contains(other.id) && isOfOneRun(layer, other))
                together.push_back(other);
        startRestoring(together, std::move(inputs));
    }
    if (!document.awaited().empty()) return;
    isRestoring = false;
    hidden.clear();
    emit session.sessionRestored();
}

void Session::State::takeRestored(const AwaitedLayer& layer, const LayerValue& value) {
    restoring.erase(layer.id);
    if (layer.hidden) {
        hidden[layer.id] = value;
        document.giveUpAwaited(layer.id);
        return;
    }
    document.restoreLayer(layer.id, value);
    if (layer.recipe.kind == RecipeKind::Open) markFile(layer.id);
}

void Session::State::startRestoring(const std::vector<AwaitedLayer>& layers,
                                    std::vector<LayerValue> inputs) {
    const AwaitedLayer& first = layers.front();
    std::vector<int> outputs;
    std::vector<Frame> stated;
    for (const AwaitedLayer& layer : layers) {
        restoring.insert(layer.id);
        outputs.push_back(layer.recipe.output);
        stated.push_back(layer.recipe.statedFrame);
    }
    struct Restored {
        std::vector<LayerValue> values;
        QString note, path;  // path of the file, if found elsewhere
    };
    const bool isFile = first.recipe.kind == RecipeKind::Open;
    const QStringList folders{QFileInfo(first.recipe.path).absolutePath(), sessionFolder};
    const auto giveUp = [this, layers](const QString& reason, const QString& line) {
        for (const AwaitedLayer& layer : layers) {
            restoring.erase(layer.id);
            document.setMissing(layer.id, reason);
        }
        if (!line.isEmpty()) notices.complainOf(layers.front().id, line);
        advanceRestore();
    };
    const int job = runner.run<Restored>(
        tr("Restore %1").arg(first.name), isFile ? JobLane::Io : JobLane::Compute, {}, &session,
        [recipe = first.recipe, mark = first.mark, folders, outputs, stated,
         inputs = std::move(inputs), on = device](JobContext& context) mutable {
            Restored restored;
            if (recipe.kind == RecipeKind::Open && !QFile::exists(fileOf(recipe.path))) {
                JobContext looking = context.part(0.0, 0.1);
                restored.path = foundByMark(recipe.path, mark, folders, looking);
                if (!restored.path.isEmpty()) recipe.path = restored.path;
            }
            if (recipe.kind == RecipeKind::Operation) {
                restored.values =
                    remadeByOperation(recipe, outputs, inputs, on, context, restored.note);
            } else {
                LoadedLayer made = makeFromRecipe(recipe, inputs, on, context);
                restored.values = {made.value};
                restored.note = made.note;
            }
            for (size_t i = 0; i < restored.values.size(); ++i)
                restored.values[i] = inStatedFrame(restored.values[i], stated[i]);
            return restored;
        },
        [this, layers](const Restored& restored) {
            if (!restored.note.isEmpty()) notices.say(restored.note);
            if (!restored.path.isEmpty()) {
                notices.say(tr("%1 was not there any more; the same file was found as %2")
                                .arg(layers.front().recipe.path, restored.path));
                document.relocateAwaited(layers.front().id, restored.path);
            }
            for (size_t i = 0; i < layers.size(); ++i) takeRestored(layers[i], restored.values[i]);
            advanceRestore();
        },
        [name = first.name, giveUp](const QString& line) {
            giveUp(line, tr("%1 was not restored: %2").arg(name, line));
        });
    followers.onCancel(job, [giveUp] { giveUp(tr("stopped before it was restored"), {}); });
    restoreJobs.push_back(job);
}

namespace {

// Returns freed memory of reading and drawing to the system, which the allocator would keep: tens
// of megabytes after a large file. Runs in a worker thread. It blocks all allocations, so small
// files (there may be a thousand) skip it.
void giveBackFreeMemory(int64_t read) {
    constexpr int64_t kLarge = int64_t{64} << 20;
    if (read < kLarge) return;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace

void Session::State::markFile(int id) {
    const auto recipe = document.recipeOf(id);
    if (!recipe || recipe->kind != RecipeKind::Open) return;
    const FileMark before = document.fileMark(id);
    const QString path = recipe->path, name = QFileInfo(fileOf(path)).fileName();
    runner.run<FileMark>(
        tr("Checksum of %1").arg(name), JobLane::Io, {}, &session,
        [path](JobContext& job) {
            const FileMark mark = markOf(path, job);
            giveBackFreeMemory(mark.bytes);
            return mark;
        },
        [this, id, before, name](const FileMark& now) {
            document.setFileMark(id, now);
            if (before.bytes >= 0 && !(before == now))
                notices.say(tr("%1 is not the file it was when the session was saved").arg(name));
            autosave->noteChange();
        },
        // A file that disappeared meanwhile has no mark; reading it again reports the error.
        [](const QString&) {});
}

void Session::retryMissing(int id, const QString& path) {
    const std::vector<MissingLayer> missing = document().missing();
    const auto found = std::find_if(missing.begin(), missing.end(),
                                    [id](const auto& each) { return each.layer.id == id; });
    if (found == missing.end() || path.isEmpty()) return document().awaitMissing(id);
    // The folder of one found file may contain other missing files, and the file other HDUs.
    const QString was = fileOf(found->layer.recipe.path);
    const QDir folder = QFileInfo(path).absoluteDir();
    for (const MissingLayer& each : missing) {
        const QString& old = each.layer.recipe.path;
        if (each.layer.recipe.kind != RecipeKind::Open) continue;
        const QString now =
            fileOf(old) == was ? path : folder.filePath(QFileInfo(fileOf(old)).fileName());
        if (QFile::exists(fileOf(now)))
            document().awaitMissing(each.layer.id,
                                    fileOf(now) == now ? now + old.mid(fileOf(old).size()) : now);
    }
    document().awaitMissing(id, path);  // the failure to find the file is reported
}

std::vector<int> Session::unsavedResults() const {
    std::vector<int> ids;
    for (const Layer& layer : state_->document.entries()) {
        const RecipeKind kind = layer.recipe.kind;
        const bool isMade = kind != RecipeKind::Open && kind != RecipeKind::SampleSky;
        if (!layer.live && (isMade || state_->goesWithSession(layer)) &&
            !state_->saved.contains(layer.id))
            ids.push_back(layer.id);
    }
    return ids;
}

bool Session::State::goesWithSession(const Layer& layer) const {
    return layer.recipe.kind == RecipeKind::Open && autosave->hasFile(layer.recipe.path);
}

QString Session::exchangeFolder() {
    return state_->autosave->filesFolder();
}

bool Session::hasCrashedSession() const {
    return !state_->autosave->crashed().isEmpty();
}

LeftBehind Session::leftBehind() const {
    return state_->autosave->latestReason();
}

void Session::keepForNextStart(LeftBehind why) {
    state_->autosave->keep(why);
}

QString Session::State::lastSessionPath() const {
    return QFileInfo(autosave->path()).absolutePath() + QStringLiteral("/last-session.armilla");
}

void Session::saveAsLast() {
    const auto& entries = document().entries();
    const bool hasWork = !document().missing().empty() ||
                         std::any_of(entries.begin(), entries.end(), [](const Layer& layer) {
                             return !layer.live && layer.recipe.kind != RecipeKind::SampleSky;
                         });
    Autosave::Writer writer = hasWork ? state_->sessionWriter({}) : Autosave::Writer();
    if (!writer) return;
    state_->notices.guarded([&] {
        const QString path = state_->lastSessionPath();
        QDir().mkpath(QFileInfo(path).absolutePath());
        writeFileAtomically(QFile::encodeName(path).toStdString(), writer().toStdString(), true);
    });
}

bool Session::hasLastSession() const {
    return QFile::exists(state_->lastSessionPath());
}

void Session::reopenLastSession() {
    loadSession(state_->lastSessionPath());
}

void Session::recoverCrashedSession() {
    const auto content = state_->autosave->adopt();
    if (!content) return;
    // After it is read, the autosave belongs to the present session and its next change overwrites
    // the file.
    const auto keepAside = [this, content = *content] {
        const QString kept = state_->autosave->keepAside(content);
        if (kept.isEmpty())
            state_->notices.complain(
                tr("the session of the last time could not be kept aside either"));
        else
            state_->notices.say(tr("What could not be read was kept as %1").arg(kept));
    };
    const QString name = tr("the session of the last time");
    const int job = state_->runner.run<std::shared_ptr<ReadSession>>(
        tr("Read %1").arg(name), JobLane::Io, QStringLiteral("session"), this,
        [content = *content, name](JobContext&) {
            return std::make_shared<ReadSession>(readSessionOf(content, name));
        },
        [this, name, keepAside](const std::shared_ptr<ReadSession>& read) {
            if (!state_->autosave->isHeld()) return;  // released for the next start meanwhile
            const bool isWhole = read->leftOut().isEmpty();
            if (!state_->restoreFrom(std::move(*read), name, {}) || !isWhole) keepAside();
            state_->autosave->release();
        },
        [this, keepAside](const QString& line) {
            state_->notices.complain(line);
            if (!state_->autosave->isHeld()) return;
            keepAside();
            state_->autosave->release();
        });
    // If restoring was cancelled by the user or by closing the window, the autosave is offered
    // again.
    state_->followers.onCancel(job, [this, name] {
        state_->autosave->giveBack();
        state_->notices.say(tr("%1 was not read; the next start offers it again").arg(name));
    });
}

void Session::discardCrashedSession() {
    state_->autosave->discardCrashed();
}

}  // namespace armilla
