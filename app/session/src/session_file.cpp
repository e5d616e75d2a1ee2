// SPDX-License-Identifier: GPL-3.0-or-later
// Session files and crash recovery.
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

#include "core/error.h"
#include "io/atomic_file.h"
#include "json_fields.h"
#include "session_state.h"

namespace armilla {

namespace {

const QString kFormat = QStringLiteral("armilla-session");
// 1: maps alone. 2: layers of four kinds.
constexpr int kVersion = 2;
// Far above any honest session: a thousand maps with a kernel of a thousand values each.
constexpr qint64 kLargest = 64 << 20;

QByteArray readSessionFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw IoError(path.toStdString() +
                      ": expected a session file, found: " + file.errorString().toStdString());
    // Reading one more than allowed tells an endless file (a pipe, a device) from a large one.
    QByteArray content = file.read(kLargest + 1);
    if (content.size() > kLargest)
        throw IoError(path.toStdString() +
                      ": expected a session file of at most 64 MiB, found more");
    return content;
}

}  // namespace

QJsonObject documentOfSession(const QByteArray& content) {
    QJsonParseError problem{};
    const QJsonDocument json = QJsonDocument::fromJson(content, &problem);
    if (!json.isObject())
        throw InvalidArgument("expected the JSON of a session, found: " +
                              (problem.error == QJsonParseError::NoError
                                   ? std::string("something else than an object")
                                   : problem.errorString().toStdString() + " at byte " +
                                         std::to_string(problem.offset)));
    const QJsonObject object = json.object();
    if (json::text(object, "format", 64) != kFormat)
        json::fail(QStringLiteral("format"), kFormat, object["format"]);
    if (json::integer(object, "version", 1, 1000000) > kVersion)
        throw InvalidArgument("expected a session of version " + std::to_string(kVersion) +
                              ", found version " +
                              std::to_string(json::integer(object, "version", 1, 1000000)) +
                              ", made by a newer program");
    return json::child(object, "document");
}

QJsonArray verdictsOfSession(const QByteArray& content) {
    const QJsonValue verdicts = QJsonDocument::fromJson(content).object()["verdicts"];
    if (!verdicts.isUndefined() && !verdicts.isArray())
        json::fail(QStringLiteral("verdicts"), QStringLiteral("a list"), verdicts);
    return verdicts.toArray();
}

QByteArray Session::State::sessionContent() const {
    if (document.entries().empty() && document.awaited().empty()) return {};
    QJsonObject content{{"format", kFormat},
                        {"version", kVersion},
                        {"program", programVersion()},
                        {"document", document.toJson()}};
    if (!verdicts.all().empty()) content["verdicts"] = verdicts.toJson();
    return QJsonDocument(content).toJson();
}

void Session::saveSession(const QString& path) {
    QByteArray content = state_->sessionContent();
    if (content.isEmpty())
        return state_->complain(tr("expected an open map to save a session of, found none"));
    state_->exportInJob(path, JobLane::Io, [content, path](JobContext&) {
        writeFileAtomically(QFile::encodeName(path).toStdString(), content.toStdString(), true);
    });
}

void Session::loadSession(const QString& path) {
    state_->runner.run<QByteArray>(
        tr("Read %1").arg(QFileInfo(path).fileName()), JobLane::Io, QStringLiteral("session"), this,
        [path](JobContext&) { return readSessionFile(path); },
        [this, path](const QByteArray& content) { state_->restoreFrom(content, path); },
        [this](const QString& line) { state_->complain(line); });
}

bool Session::State::restoreFrom(const QByteArray& content, const QString& name) {
    bool isRead = false;
    guarded([&] {
        const QJsonObject json = [&] {
            try {
                return documentOfSession(content);
            } catch (Error& error) {
                error.addContext(name.toStdString());
                throw;
            }
        }();
        try {
            // The session's own are read first: a document that is refused changes nothing.
            VerdictBook book(*document.undoStack());
            const QJsonArray decided = verdictsOfSession(content);
            book.restore(decided);
            document.restore(json);
            verdicts.restore(decided);
        } catch (Error& error) {
            error.addContext(name.toStdString());
            throw;
        }
        // The old session's work is for maps that are gone.
        for (const int job : std::exchange(restoreJobs, {})) {
            onCancel.erase(job);
            runner.cancel(job);
        }
        session.stopPreview();
        hidden.clear();
        restoring.clear();
        isRestoring = true;
        isRead = true;
        advanceRestore();
    });
    return isRead;
}

LayerValue Session::State::valueOf(int id) const {
    if (const Layer* entry = document.entry(id)) return *entry;
    const auto found = hidden.find(id);
    return found == hidden.end() ? LayerValue() : found->second;
}

void Session::State::advanceRestore() {
    if (!isRestoring) return;
    // A copy: giving up changes the list.
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
            complain(
                tr("%1: expected the layer it is made from, found that it could not be restored")
                    .arg(layer.name));
            document.giveUpAwaited(layer.id);
            return advanceRestore();
        }
        startRestoring(layer, std::move(inputs));
    }
    if (!document.awaited().empty()) return;
    isRestoring = false;
    hidden.clear();
    emit session.sessionRestored();
}

void Session::State::startRestoring(const AwaitedLayer& layer, std::vector<LayerValue> inputs) {
    restoring.insert(layer.id);
    const bool isFile = layer.recipe.kind == RecipeKind::Open;
    const int id = layer.id;
    const auto giveUp = [this, id] {
        document.giveUpAwaited(id);
        advanceRestore();
    };
    const int job = runner.run<LoadedLayer>(
        tr("Restore %1").arg(layer.name), isFile ? JobLane::Io : JobLane::Compute, {}, &session,
        [recipe = layer.recipe, inputs = std::move(inputs), on = device](JobContext& context) {
            return makeFromRecipe(recipe, inputs, on, context);
        },
        [this, id, isHidden = layer.hidden](const LoadedLayer& made) {
            if (!made.note.isEmpty()) say(made.note);
            if (isHidden) {
                hidden[id] = made.value;
                document.giveUpAwaited(id);
            } else {
                document.restoreLayer(id, made.value);
            }
            advanceRestore();
        },
        [this, name = layer.name, giveUp](const QString& line) {
            complain(tr("%1 was not restored: %2").arg(name, line));
            giveUp();
        });
    onCancel[job] = giveUp;
    restoreJobs.push_back(job);
}

bool Session::hasCrashedSession() const {
    return !state_->autosave->crashed().isEmpty();
}

bool Session::wasEndedFromOutside() const {
    return state_->autosave->isLatestKept();
}

void Session::keepForNextStart() {
    state_->autosave->keep();
}

void Session::recoverCrashedSession() {
    const auto content = state_->autosave->adopt();
    if (!content || state_->restoreFrom(*content, tr("the session of the last time"))) return;
    // The autosave belongs to the present one now, and is written over with its next change.
    const QString kept = state_->autosave->keepAside(*content);
    if (kept.isEmpty())
        state_->complain(tr("the session of the last time could not be kept aside either"));
    else
        state_->say(tr("What could not be read was kept as %1").arg(kept));
}

void Session::discardCrashedSession() {
    state_->autosave->discardCrashed();
}

}  // namespace armilla
