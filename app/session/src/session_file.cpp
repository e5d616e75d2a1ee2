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
constexpr int kVersion = 1;
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

QByteArray Session::State::sessionContent() const {
    if (document.entries().empty() && document.awaited().empty()) return {};
    const QJsonObject content{{"format", kFormat},
                              {"version", kVersion},
                              {"program", programVersion()},
                              {"document", document.toJson()}};
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

void Session::State::restoreFrom(const QByteArray& content, const QString& name) {
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
            document.restore(json);
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
        advanceRestore();
    });
}

MapPointer Session::State::mapOf(int id) const {
    if (const MapEntry* entry = document.entry(id)) return entry->map;
    const auto found = hidden.find(id);
    return found == hidden.end() ? nullptr : found->second;
}

void Session::State::advanceRestore() {
    if (!isRestoring) return;
    // A copy: giving up changes the list.
    const auto awaited = document.awaited();
    const auto isAwaited = [&](int id) {
        return std::any_of(awaited.begin(), awaited.end(),
                           [id](const AwaitedMap& map) { return map.id == id; });
    };
    for (const AwaitedMap& map : awaited) {
        if (restoring.contains(map.id)) continue;
        const MapPointer input = mapOf(map.recipe.input), other = mapOf(map.recipe.other);
        const bool lacksInput = map.recipe.input >= 0 && !input;
        const bool lacksOther = map.recipe.other >= 0 && !other;
        if ((lacksInput && isAwaited(map.recipe.input)) ||
            (lacksOther && isAwaited(map.recipe.other)))
            continue;
        if (lacksInput || lacksOther) {
            complain(tr("%1: expected the map it is made from, found that it could not be restored")
                         .arg(map.name));
            document.giveUpAwaited(map.id);
            return advanceRestore();
        }
        startRestoring(map, input, other);
    }
    if (!document.awaited().empty()) return;
    isRestoring = false;
    hidden.clear();
    emit session.sessionRestored();
}

void Session::State::startRestoring(const AwaitedMap& map, const MapPointer& input,
                                    const MapPointer& other) {
    restoring.insert(map.id);
    const bool isFile = map.recipe.kind == RecipeKind::Open;
    const int id = map.id;
    const auto giveUp = [this, id] {
        document.giveUpAwaited(id);
        advanceRestore();
    };
    const int job = runner.run<LoadedMap>(
        tr("Restore %1").arg(map.name), isFile ? JobLane::Io : JobLane::Compute, {}, &session,
        [recipe = map.recipe, input, other, on = device](JobContext& context) {
            return makeFromRecipe(recipe, input, other, on, context);
        },
        [this, id, isHidden = map.hidden](const LoadedMap& made) {
            if (!made.note.isEmpty()) say(made.note);
            if (isHidden) {
                hidden[id] = made.map;
                document.giveUpAwaited(id);
            } else {
                document.restoreMap(id, made.map);
            }
            advanceRestore();
        },
        [this, name = map.name, giveUp](const QString& line) {
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
    if (const auto content = state_->autosave->adopt())
        state_->restoreFrom(*content, tr("the session of the last time"));
}

void Session::discardCrashedSession() {
    state_->autosave->discardCrashed();
}

}  // namespace armilla
