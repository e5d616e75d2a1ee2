// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <utility>

#include "armilla/core/table_text.h"
#include "armilla/session/failure.h"
#include "session_state.h"

namespace armilla {

namespace {

constexpr int kMostRecentFiles = 12;
const QString kRecentKey = QStringLiteral("session/recentFiles");

}  // namespace

SessionPaths SessionPaths::ofUser() {
    // Qt 6.4 lacks the XDG state folder.
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (state.isEmpty()) state = QDir::homePath() + QStringLiteral("/.local/state");
    return {QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
                QStringLiteral("/armilla/armilla.conf"),
            state + QStringLiteral("/armilla")};
}

Session::State::State(Session& owner, const SessionPaths& paths)
    : session(owner),
      settings(paths.settingsFile, QSettings::IniFormat),
      device(Device::fromText("auto", kShtSupport)) {
    setTableTranslation([](const std::string& text) {
        return QCoreApplication::translate(kTableContext, text.c_str()).toStdString();
    });
    QObject::connect(&document, &Document::entriesChanged, &session, [this] { releasePlans(); });
    QObject::connect(&document, &Document::entriesChanged, &session,
                     [this] { followClosedLive(); });
    QObject::connect(&document, &Document::cameraChanged, &session, [this] { followFrame(); });
    project = std::make_unique<ProjectKeeper>(
        document, runner, followers, notices, regions, verdicts, review, [this] { return device; },
        paths.stateFolder);
    QObject::connect(project.get(), &ProjectKeeper::documentReplaced, &session,
                     [this] { session.stopPreview(); });
    QObject::connect(&exporter, &Exporter::exported, project.get(), &ProjectKeeper::noteExported);
    QObject::connect(&liveSpectrum, &LiveSpectrum::noted, &session,
                     [this](const QString& line) { notices.say(line); });
    QObject::connect(
        &liveSpectrum, &LiveSpectrum::failed, &session,
        [this](int job, const QString& line, const Shown& shown, const SpectrumSettings& asked) {
            if (job < 0) return notices.complain(line);
            // The message replaces the job's line.
            const auto again = [=, this] { liveSpectrum.request(shown, asked); };
            if (notices.complainOrAskFrame(line, {asked.mask, shown.entry}, again))
                followers.reportedElsewhere(job);
        });
    const auto onRefused = [this](const QString& line) { notices.complain(line); };
    QObject::connect(&verdicts, &VerdictBook::refused, &session, onRefused);
    QObject::connect(&review, &SourceReview::refused, &session, onRefused);
}

Session::State::~State() {
    // Later signals must not reach the destroyed session.
    for (QObject* receiver :
         {static_cast<QObject*>(&session), static_cast<QObject*>(project.get())}) {
        document.disconnect(receiver);
        verdicts.disconnect(receiver);
        regions.disconnect(receiver);
        review.disconnect(receiver);
        liveSpectrum.disconnect(receiver);
    }
}

void Session::State::followFrame() {
    if (std::exchange(viewFrame, document.camera().frame) == document.camera().frame) return;
    if (wanted) wanted->view = viewFrame;
    // The device holds the picture in the frame of the map.
    if (wanted && document.livePicture() && turnsLive()) startCoarse();
    pictures.drawSoon();
}

int Session::State::addOpened(const LayerValue& value, const QString& name, const Recipe& recipe,
                              const LayerPicture& picture, bool isReceived) {
    const int id = pictures.add(value, name, recipe, -1, picture);
    if (!isReceived) noteRecent(recipe.path);
    project->markFile(id);
    return id;
}

void Session::State::openLayers(const QStringList& paths) {
    std::vector<Opening::File> files;
    for (const QString& path : paths) files.push_back({path, false, {}});
    openLayers(std::move(files));
}

void Session::State::openLayers(std::vector<Opening::File> files) {
    auto opening = std::make_shared<Opening>();
    opening->files = std::move(files);
    for (size_t i = 0; i < opening->files.size(); ++i) openLayer(opening, i);
}

void Session::State::openLayer(const std::shared_ptr<Opening>& opening, size_t index) {
    const Opening::File& file = opening->files[index];
    const QString path = file.path;
    const StatedFile facts = file.facts;
    const QString name = file.name.isEmpty() ? QFileInfo(path).fileName() : file.name;
    const bool isReceived = static_cast<bool>(file.done);
    const auto failed = [this, opening, index](const QString& line) {
        failFile(*opening, index, line);
    };
    const auto note = [this, opening, index](int job) {
        followers.reportedElsewhere(job);
        followers.onCancel(job, [this, opening, index] { endFile(*opening, index, {}); });
    };
    note(runner.run<LoadedLayer>(
        tr("Open %1").arg(name), JobLane::Io, {}, &session,
        [path, facts](JobContext& job) { return loadOrAsk(path, job, facts); },
        [this, path, facts, name, opening, index, failed, note,
         isReceived](const LoadedLayer& loaded) {
            if (loaded.question) {
                opening->files[index].failure =
                    tr("expected a file that names all facts about its data, found one for which "
                       "the user must state them");
                emit session.fileFactNeeded(*loaded.question);
                return endFile(*opening, index, {});
            }
            if (!loaded.note.isEmpty()) notices.say(loaded.note);
            if (!loaded.others.isEmpty()) emit session.moreFound(path, loaded.others);
            Recipe recipe;
            recipe.path = path;
            recipe.fields = loaded.fields;
            recipe.statedFile = facts;
            const bool isNamed = !opening->files[index].name.isEmpty() || loaded.name.isEmpty();
            const QString shown = isNamed ? name : loaded.name;
            note(pictures.prepare(
                loaded.value, shown,
                [this, opening, index, value = loaded.value, name = shown, recipe,
                 isReceived](const LayerPicture& picture) {
                    endFile(*opening, index, [this, value, name, recipe, picture, isReceived] {
                        return addOpened(value, name, recipe, picture, isReceived);
                    });
                },
                failed));
        },
        failed));
}

void Session::State::failFile(Opening& opening, size_t index, const QString& line) {
    opening.failedNames += QFileInfo(opening.files[index].path).fileName();
    opening.failures += line;
    opening.files[index].failure = line;
    endFile(opening, index, {});
}

// The list keeps the order of the file names. The first layer is shown at the end unless another
// map was chosen meanwhile.
void Session::State::endFile(Opening& opening, size_t index, std::function<int()> add) {
    opening.files[index].ended = true;
    opening.files[index].add = std::move(add);
    while (opening.next < opening.files.size() && opening.files[opening.next].ended) {
        Opening::File& file = opening.files[opening.next++];
        const auto ready = std::exchange(file.add, {});
        int made = -1;
        if (ready) try {
                made = opening.last = ready();
            } catch (...) {
                file.failure = failureLine(std::current_exception()).value_or(QString());
                if (!file.failure.isEmpty()) notices.complain(file.failure);
            }
        if (opening.first < 0) opening.first = opening.last;
        if (const auto done = std::exchange(file.done, {}))
            done(made, made >= 0 || !file.failure.isEmpty() ? file.failure
                                                            : tr("stopped before it was open"));
    }
    if (opening.next < opening.files.size()) return;
    const Layer* first = document.entry(opening.first);
    if (document.shown().entry == opening.last && first && first->map)
        document.setShown({opening.first, 0, Quantity::Field});
    if (opening.failures.size() == 1) notices.complain(opening.failures.front());
    if (opening.failures.size() > 1)
        notices.complain(tr("%n file(s) could not be opened: %1", nullptr,
                            static_cast<int>(opening.failures.size()))
                             .arg(opening.failedNames.join(QStringLiteral(", "))) +
                         QLatin1Char('\n') + opening.failures.join(QLatin1Char('\n')));
}

void Session::State::noteRecent(const QString& path) {
    QStringList recent = settings.value(kRecentKey).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    settings.setValue(kRecentKey, recent.mid(0, kMostRecentFiles));
}

Session::Session(QObject* parent) : Session(SessionPaths::ofUser(), parent) {}

Session::Session(const SessionPaths& paths, QObject* parent)
    : QObject(parent), state_(std::make_unique<State>(*this, paths)) {
    state_->interop = std::make_unique<Interop>(*this);
    connect(state_->interop.get(), &Interop::messageRaised, &state_->notices,
            &Notices::messageRaised);
}

Session::~Session() = default;

Document& Session::document() {
    return state_->document;
}
SourceReview& Session::review() {
    return state_->review;
}
RegionBook& Session::regions() {
    return state_->regions;
}
MaskBrush& Session::maskBrush() {
    return state_->maskBrush;
}
LiveSpectrum& Session::spectrum() {
    return state_->liveSpectrum;
}
Interop& Session::interop() {
    return *state_->interop;
}
VerdictBook& Session::verdicts() {
    return state_->verdicts;
}
JobRunner& Session::jobs() {
    return state_->runner;
}
Notices& Session::notices() {
    return state_->notices;
}
Exporter& Session::exporter() {
    return state_->exporter;
}
ProjectKeeper& Session::project() {
    return *state_->project;
}
Device Session::device() const {
    return state_->device;
}
void Session::setDevice(const Device& device) {
    state_->device = device;
}
QSettings& Session::settings() {
    return state_->settings;
}

void Session::openFiles(const QStringList& paths) {
    QStringList maps;
    for (const QString& path : paths) {
        // An "[HDU]" suffix of the path stays.
        const QString absolute = QDir::cleanPath(QDir::current().absoluteFilePath(path));
        if (absolute.endsWith(QStringLiteral(".armilla"), Qt::CaseInsensitive))
            state_->project->loadSession(absolute);
        else
            maps += absolute;
    }
    if (!maps.isEmpty()) state_->openLayers(maps);
}

void Session::openStated(const QString& path, const StatedFile& facts) {
    state_->openLayers({{path, false, {}, {}, {}, {}, facts}});
}

void Session::openReceived(const QString& path, const QString& name,
                           std::function<void(int, const QString&)> done) {
    state_->openLayers({{path, false, {}, name, std::move(done), {}, {}}});
}

void Session::openSampleSky(int64_t nside) {
    Recipe recipe;
    recipe.kind = RecipeKind::SampleSky;
    recipe.sampleNside = nside;
    state_->runner.run<LoadedLayer>(
        tr("Make the sample sky"), JobLane::Compute, {}, this,
        [recipe](JobContext& job) { return makeFromRecipe(recipe, {}, Device::cpu(), job); },
        [this, recipe](const LoadedLayer& made) {
            state_->pictures.addDrawn(made.value, tr("sample sky"), recipe, -1);
        },
        [this](const QString& line) { state_->notices.complain(line); });
}

void Session::showDifference(const Shown& a, const Shown& b) {
    const Layer* left = document().entry(a.entry);
    const Layer* right = document().entry(b.entry);
    if (!left || !left->map || !right || !right->map)
        return state_->notices.complain(tr("expected two open maps to subtract, found fewer"));
    Recipe recipe;
    recipe.kind = RecipeKind::Difference;
    recipe.input = a.entry;
    recipe.field = a.field;
    recipe.quantity = a.quantity;
    recipe.other = b.entry;
    recipe.otherField = b.field;
    recipe.otherQuantity = b.quantity;
    const QString name = left->name + QStringLiteral(" − ") + right->name;
    state_->runner.run<std::shared_ptr<MapDifference>>(
        tr("Subtract %1").arg(name), JobLane::Compute, {}, this,
        [a, b, first = left->map, second = right->map](JobContext& job) {
            return std::make_shared<MapDifference>(mapDifference(*first, a, *second, b, job));
        },
        [this, recipe, name](const std::shared_ptr<MapDifference>& made) {
            const QString detail =
                made->changes.isEmpty()
                    ? QString()
                    : QStringLiteral(" (%1)").arg(made->changes.join(QStringLiteral(", ")));
            state_->pictures.addDrawn(std::make_shared<const HealpixMap>(std::move(made->map)),
                                      name + detail, recipe, recipe.input);
        },
        [this](const QString& line) { state_->notices.complain(line); });
}

void Session::showMaskedDifference(const SmoothParameters& parameters) {
    Shown of = document().shown();
    const Layer* entry = document().entry(of.entry);
    if (entry && entry->live && state_->wanted) of = state_->wanted->of;
    entry = document().entry(of.entry);
    if (!entry || !entry->map || entry->live)
        return state_->notices.complain(
            tr("expected a map that is shown, to smooth it, found none"));
    Recipe recipe;
    recipe.kind = RecipeKind::MaskedDifference;
    recipe.input = of.entry;
    recipe.field = of.field;
    recipe.smooth = parameters;
    state_->runner.run<LoadedLayer>(
        tr("Compare ways of masking · %1").arg(entry->name), JobLane::Compute, {}, this,
        [recipe, map = entry->map, on = device()](JobContext& job) {
            return makeFromRecipe(recipe, {map}, on, job);
        },
        [this, recipe, name = entry->name](const LoadedLayer& made) {
            if (!made.note.isEmpty()) state_->notices.say(made.note);
            state_->pictures.addDrawn(made.value, tr("%1, normalized − ignored").arg(name), recipe,
                                      recipe.input);
        },
        [this](const QString& line) { state_->notices.complain(line); });
}

QStringList Session::recentFiles() const {
    return state_->settings.value(kRecentKey).toStringList();
}

}  // namespace armilla

#include "armilla/session/moc_session.cpp"
