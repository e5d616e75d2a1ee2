// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/project_keeper.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <utility>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "armilla/operations/known_operations.h"
#include "armilla/session/document_json.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/layer_links.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/notices.h"
#include "armilla/session/region_book.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/source_review.h"
#include "armilla/session/verdicts.h"
#include "autosave.h"
#include "export_parts.h"
#include "file_marks.h"
#include "job_followers.h"
#include "map_work.h"
#include "session_content.h"

namespace armilla {

ProjectKeeper::ProjectKeeper(Document& document, JobRunner& runner, JobFollowers& followers,
                             Notices& notices, RegionBook& regions, VerdictBook& verdicts,
                             SourceReview& review, LiveSpectrum& spectrum,
                             std::function<Device()> device, const QString& stateFolder)
    : document_(document),
      runner_(runner),
      followers_(followers),
      notices_(notices),
      regions_(regions),
      verdicts_(verdicts),
      review_(review),
      spectrum_(spectrum),
      device_(std::move(device)),
      autosave_(std::make_unique<Autosave>(
          stateFolder, [this] { return writer({}); },
          [this](const QString& line) { notices_.complain(line); })) {
    // Queued until the requesting history step has finished.
    connect(
        &document.recovery(), &LayerRecovery::layersAwaited, this,
        [this] {
            isRestoring_ = true;
            advanceRestore();
        },
        Qt::QueuedConnection);
    const auto onChange = [this] { autosave_->noteChange(); };
    connect(&document, &Document::entriesChanged, this, onChange);
    connect(&document.view(), &DocumentView::shownChanged, this, onChange);
    connect(&document, &Document::activeChanged, this, onChange);
    connect(&document.drawings(), &LayerDrawings::styleChanged, this, onChange);
    connect(&document.view(), &DocumentView::cameraChanged, this, onChange);
    connect(&document.drawings(), &LayerDrawings::colorScaleChanged, this, onChange);
    connect(&document.view(), &DocumentView::comparisonChanged, this, onChange);
    connect(&document.overlays(), &Overlays::changed, this, onChange);
    connect(&document.recovery(), &LayerRecovery::missingChanged, this, onChange);
    connect(&verdicts, &VerdictBook::changed, this, onChange);
    connect(&regions, &RegionBook::changed, this, onChange);
    connect(&review.thresholds(), &CandidateThresholds::changed, this, onChange);
    connect(&review, &SourceReview::layerChanged, this, onChange);
    connect(&spectrum, &LiveSpectrum::choicesChanged, this, onChange);
}

ProjectKeeper::~ProjectKeeper() = default;

Autosave::Writer ProjectKeeper::writer(const QString& folder) const {
    return sessionWriter(document_, regions_, verdicts_, review_, spectrum_.choices(), folder);
}

void ProjectKeeper::noteExported(LayerId layer) {
    saved_.insert(layer);
}

void ProjectKeeper::saveSession(const QString& path) {
    const Autosave::Writer content = writer(QFileInfo(path).absolutePath());
    if (!content)
        return notices_.complain(tr("expected an open map to save a session of, found none"));
    std::vector<LayerId> ids;
    QStringList received;
    for (const Layer& layer : document_.entries())
        if (goesWithSession(layer))
            received << layer.name;
        else
            ids.push_back(layer.id);
    saveInJob(
        runner_, notices_, this, path, JobLane::Io,
        [content, path](JobContext&) {
            writeFileAtomically(QFile::encodeName(path).toStdString(), content().toStdString(),
                                true);
        },
        [this, ids, received] {
            saved_.insert(ids.begin(), ids.end());
            if (!received.isEmpty())
                notices_.say(tr("%1: received from another program, and in no file but that of the "
                                "running session; export it to keep it")
                                 .arg(received.join(QStringLiteral(", "))));
        },
        {[this](const QString& other) { saveSession(other); }});
}

void ProjectKeeper::loadSession(const QString& path) {
    runner_.run<std::shared_ptr<ReadSession>>(
        tr("Read %1").arg(QFileInfo(path).fileName()), JobLane::Io, QStringLiteral("session"), this,
        [path](JobContext&) {
            return std::make_shared<ReadSession>(readSessionOf(readSessionFile(path), path));
        },
        [this, path](const std::shared_ptr<ReadSession>& read) {
            restoreFrom(std::move(*read), path, QFileInfo(path).absolutePath());
        },
        [this](const QString& line) { notices_.complain(line); });
}

bool ProjectKeeper::restoreFrom(ReadSession read, const QString& name, const QString& folder) {
    bool isRead = false;
    notices_.guarded([&] {
        try {
            // The user's regions and verdicts are restored last, so that a rejected document
            // changes nothing.
            restoreDocument(document_, read.document);
        } catch (Error& error) {
            error.addContext(name.toStdString());
            throw;
        }
        for (const QString& line : read.leftOut())
            notices_.complain(name + QStringLiteral(": ") + line);
        verdicts_.restore(std::move(read.verdicts));
        regions_.restore(std::move(read.regions.all));
        review_.thresholds().restore(std::move(read.thresholds));
        spectrum_.restoreChoices(read.spectrum);
        review_.resume(read.reviewed);
        // Jobs of the previous session belong to maps that are gone.
        for (const int job : std::exchange(restoreJobs_, {})) {
            followers_.forgetCancel(job);
            runner_.cancel(job);
        }
        emit documentReplaced();
        hidden_.clear();
        restoring_.clear();
        saved_.clear();
        isRestoring_ = true;
        isRead = true;
        sessionFolder_ = folder;
        locateFiles();
        advanceRestore();
    });
    return isRead;
}

LayerValue ProjectKeeper::valueOf(LayerId id) const {
    if (const Layer* entry = document_.entry(id)) return *entry;
    const auto found = hidden_.find(id);
    return found == hidden_.end() ? LayerValue() : found->second;
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
void ProjectKeeper::locateFiles() {
    const QDir folder(sessionFolder_);
    for (const AwaitedLayer& layer : std::vector<AwaitedLayer>(document_.recovery().awaited())) {
        if (layer.recipe.kind != RecipeKind::Open || layer.relativePath.isEmpty() ||
            sessionFolder_.isEmpty())
            continue;
        const QString absolute = layer.recipe.path;
        const QString relative = QDir::cleanPath(folder.absoluteFilePath(layer.relativePath));
        if (relative == absolute) continue;
        const QFileInfo near(fileOf(relative)), far(fileOf(absolute));
        const bool sameSize = layer.mark.bytes < 0 || near.size() == layer.mark.bytes;
        if (near.exists() && (sameSize || !far.exists()))
            document_.recovery().relocate(layer.id, relative);
    }
}

void ProjectKeeper::advanceRestore() {
    if (!isRestoring_) return;
    // A copy, because giving up a layer changes the list.
    const auto awaited = document_.recovery().awaited();
    const auto isAwaited = [&](LayerId id) {
        return std::any_of(awaited.begin(), awaited.end(),
                           [id](const AwaitedLayer& layer) { return layer.id == id; });
    };
    for (const AwaitedLayer& layer : awaited) {
        if (restoring_.contains(layer.id)) continue;
        std::vector<LayerValue> inputs;
        bool mustWait = false, lacksInput = false;
        for (const LayerId input : layer.recipe.inputs()) {
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
            document_.recovery().setMissing(layer.id, line);
            notices_.complainOf(layer.id, line);
            return advanceRestore();
        }
        std::vector<AwaitedLayer> together{layer};
        for (const AwaitedLayer& other : awaited)
            if (other.id != layer.id && !restoring_.contains(other.id) && isOfOneRun(layer, other))
                together.push_back(other);
        startRestoring(together, std::move(inputs));
    }
    if (!document_.recovery().awaited().empty()) return;
    isRestoring_ = false;
    hidden_.clear();
}

void ProjectKeeper::takeRestored(const AwaitedLayer& layer, const LayerValue& value) {
    restoring_.erase(layer.id);
    if (layer.hidden) {
        hidden_[layer.id] = value;
        document_.recovery().giveUp(layer.id);
        return;
    }
    document_.recovery().restore(layer.id, value);
    if (layer.recipe.kind == RecipeKind::Open) markFile(layer.id);
}

void ProjectKeeper::offerFile(const AwaitedLayer& layer, const QString& line) {
    if (layer.recipe.kind != RecipeKind::Open || QFile::exists(fileOf(layer.recipe.path))) return;
    notices_.offer(
        line, true,
        {{tr("Locate…"), Remedy::Asks::FileToOpen, tr("Find the file of %1").arg(layer.name),
          QFileInfo(layer.recipe.path).fileName(),
          [this, id = layer.id](const QString& found) { retryMissing(id, found); }}});
}

void ProjectKeeper::startRestoring(const std::vector<AwaitedLayer>& layers,
                                   std::vector<LayerValue> inputs) {
    const AwaitedLayer& first = layers.front();
    std::vector<int> outputs;
    std::vector<Frame> stated;
    for (const AwaitedLayer& layer : layers) {
        restoring_.insert(layer.id);
        outputs.push_back(layer.recipe.output);
        stated.push_back(layer.recipe.statedFrame);
    }
    struct Restored {
        std::vector<LayerValue> values;
        QString note, path;  // path of the file, if found elsewhere
    };
    const bool isFile = first.recipe.kind == RecipeKind::Open;
    const QStringList folders{QFileInfo(first.recipe.path).absolutePath(), sessionFolder_};
    const auto giveUp = [this, layers](const QString& reason, const QString& line) {
        for (const AwaitedLayer& layer : layers) {
            restoring_.erase(layer.id);
            document_.recovery().setMissing(layer.id, reason);
        }
        if (!line.isEmpty()) notices_.complainOf(layers.front().id, line);
        if (!line.isEmpty()) offerFile(layers.front(), line);
        advanceRestore();
    };
    const int job = runner_.run<Restored>(
        tr("Restore %1").arg(first.name), isFile ? JobLane::Io : JobLane::Compute, {}, this,
        [recipe = first.recipe, mark = first.mark, folders, outputs, stated,
         inputs = std::move(inputs), on = device_()](JobContext& context) mutable {
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
            if (!restored.note.isEmpty()) notices_.say(restored.note);
            if (!restored.path.isEmpty()) {
                notices_.say(tr("%1 was not there any more; the same file was found as %2")
                                 .arg(layers.front().recipe.path, restored.path));
                document_.recovery().relocate(layers.front().id, restored.path);
            }
            for (size_t i = 0; i < layers.size(); ++i) takeRestored(layers[i], restored.values[i]);
            advanceRestore();
        },
        [name = first.name, giveUp](const QString& line) {
            giveUp(line, tr("%1 was not restored: %2").arg(name, line));
        });
    followers_.onCancel(job, [giveUp] { giveUp(tr("stopped before it was restored"), {}); });
    restoreJobs_.push_back(job);
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

void ProjectKeeper::markFile(LayerId id) {
    const auto recipe = recipeOf(document_, id);
    if (!recipe || recipe->kind != RecipeKind::Open) return;
    const FileMark before = document_.recovery().fileMark(id);
    const QString path = recipe->path, name = QFileInfo(fileOf(path)).fileName();
    runner_.run<FileMark>(
        tr("Checksum of %1").arg(name), JobLane::Io, {}, this,
        [path](JobContext& job) {
            const FileMark mark = markOf(path, job);
            giveBackFreeMemory(mark.bytes);
            return mark;
        },
        [this, id, before, name](const FileMark& now) {
            document_.recovery().setFileMark(id, now);
            if (before.bytes >= 0 && !(before == now))
                notices_.say(tr("%1 is not the file it was when the session was saved").arg(name));
            autosave_->noteChange();
        },
        // A file that disappeared meanwhile has no mark; reading it again reports the error.
        [](const QString&) {});
}

void ProjectKeeper::retryMissing(LayerId id, const QString& path) {
    const std::vector<MissingLayer> missing = document_.recovery().missing();
    const auto found = std::find_if(missing.begin(), missing.end(),
                                    [id](const auto& each) { return each.layer.id == id; });
    if (found == missing.end() || path.isEmpty()) return document_.recovery().retry(id);
    // The folder of one found file may contain other missing files, and the file other HDUs.
    const QString was = fileOf(found->layer.recipe.path);
    const QDir folder = QFileInfo(path).absoluteDir();
    for (const MissingLayer& each : missing) {
        const QString& old = each.layer.recipe.path;
        if (each.layer.recipe.kind != RecipeKind::Open) continue;
        const QString now =
            fileOf(old) == was ? path : folder.filePath(QFileInfo(fileOf(old)).fileName());
        if (QFile::exists(fileOf(now)))
            document_.recovery().retry(
                each.layer.id, fileOf(now) == now ? now + old.mid(fileOf(old).size()) : now);
    }
    document_.recovery().retry(id, path);  // the failure to find the file is reported
}

// A simulated sky is no work of the user.
static bool isSample(const Layer& layer) {
    const Recipe& recipe = layer.recipe;
    return recipe.kind == RecipeKind::SampleSky ||
           (recipe.kind == RecipeKind::Operation &&
            recipe.record[QLatin1String("operation")] == textOf(operations::sample().id));
}

std::vector<LayerId> ProjectKeeper::unsavedResults() const {
    std::vector<LayerId> ids;
    for (const Layer& layer : document_.entries()) {
        const bool isMade = layer.recipe.kind != RecipeKind::Open && !isSample(layer);
        if (!layer.live && (isMade || goesWithSession(layer)) && !saved_.contains(layer.id))
            ids.push_back(layer.id);
    }
    return ids;
}

bool ProjectKeeper::goesWithSession(const Layer& layer) const {
    return layer.recipe.kind == RecipeKind::Open && autosave_->hasFile(layer.recipe.path);
}

QString ProjectKeeper::exchangeFolder() {
    return autosave_->filesFolder();
}

bool ProjectKeeper::hasCrashedSession() const {
    return !autosave_->crashed().isEmpty();
}

LeftBehind ProjectKeeper::leftBehind() const {
    return autosave_->latestReason();
}

void ProjectKeeper::keepForNextStart(LeftBehind why) {
    autosave_->keep(why);
}

QString ProjectKeeper::lastSessionPath() const {
    return QFileInfo(autosave_->path()).absolutePath() + QStringLiteral("/last-session.armilla");
}

void ProjectKeeper::saveAsLast() {
    const auto& entries = document_.entries();
    const bool hasWork = !document_.recovery().missing().empty() ||
                         std::any_of(entries.begin(), entries.end(), [](const Layer& layer) {
                             return !layer.live && !isSample(layer);
                         });
    const Autosave::Writer content = hasWork ? writer({}) : Autosave::Writer();
    if (!content) return;
    notices_.guarded([&] {
        const QString path = lastSessionPath();
        QDir().mkpath(QFileInfo(path).absolutePath());
        writeFileAtomically(QFile::encodeName(path).toStdString(), content().toStdString(), true);
    });
}

bool ProjectKeeper::hasLastSession() const {
    return QFile::exists(lastSessionPath());
}

void ProjectKeeper::reopenLastSession() {
    loadSession(lastSessionPath());
}

void ProjectKeeper::recoverCrashedSession() {
    const auto content = autosave_->adopt();
    if (!content) return;
    // After it is read, the autosave belongs to the present session and its next change overwrites
    // the file.
    const auto keepAside = [this, content = *content] {
        const QString kept = autosave_->keepAside(content);
        if (kept.isEmpty())
            notices_.complain(tr("the session of the last time could not be kept aside either"));
        else
            notices_.say(tr("What could not be read was kept as %1").arg(kept));
    };
    const QString name = tr("the session of the last time");
    const int job = runner_.run<std::shared_ptr<ReadSession>>(
        tr("Read %1").arg(name), JobLane::Io, QStringLiteral("session"), this,
        [content = *content, name](JobContext&) {
            return std::make_shared<ReadSession>(readSessionOf(content, name));
        },
        [this, name, keepAside](const std::shared_ptr<ReadSession>& read) {
            if (!autosave_->isHeld()) return;  // released for the next start meanwhile
            const bool isWhole = read->leftOut().isEmpty();
            if (!restoreFrom(std::move(*read), name, {}) || !isWhole) keepAside();
            autosave_->release();
        },
        [this, keepAside](const QString& line) {
            notices_.complain(line);
            if (!autosave_->isHeld()) return;
            keepAside();
            autosave_->release();
        });
    // If restoring was cancelled by the user or by closing the window, the autosave is offered
    // again.
    followers_.onCancel(job, [this, name] {
        autosave_->giveBack();
        notices_.say(tr("%1 was not read; the next start offers it again").arg(name));
    });
}

void ProjectKeeper::discardCrashedSession() {
    autosave_->discardCrashed();
}

}  // namespace armilla

#include "armilla/session/moc_project_keeper.cpp"
