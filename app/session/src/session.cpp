// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <utility>

#include "armilla/core/table_text.h"
#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/interop.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/mask_brush.h"
#include "armilla/session/notices.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/region_book.h"
#include "armilla/session/source_review.h"
#include "armilla/session/verdicts.h"
#include "job_followers.h"
#include "layer_pictures.h"

namespace armilla {

namespace {

// The cause of messages on the spectrum: they go with the next spectrum.
const QString kSpectrumCause = QStringLiteral("spectrum");

}  // namespace

SessionPaths SessionPaths::ofUser() {
    // Qt 6.4 lacks the XDG state folder.
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (state.isEmpty()) state = QDir::homePath() + QStringLiteral("/.local/state");
    return {QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
                QStringLiteral("/armilla/armilla.conf"),
            state + QStringLiteral("/armilla")};
}

struct Session::State {
    explicit State(const SessionPaths& paths);

    QSettings settings;
    Document document;
    Device device;
    std::function<Device()> currentDevice = [this] { return device; };
    Notices notices{document};
    VerdictBook verdicts{*document.history().stack()};
    RegionBook regions{*document.history().stack()};
    // Made after the parts below, and destroyed after them: jobs use its folder.
    std::unique_ptr<ProjectKeeper> project;
    std::unique_ptr<Interop> interop;
    JobRunner runner;  // its jobs end before the members above are destroyed
    SourceReview review{document, verdicts, runner};
    MaskBrush maskBrush{document, runner};
    LiveSpectrum liveSpectrum{document, runner, currentDevice};
    JobFollowers followers{runner};
    LayerPictures pictures{document, runner, followers, notices};
    LivePreview preview{document, runner, followers, pictures, notices, currentDevice};
    OperationRunner operations{document, runner, followers, pictures,
                               preview,  review, notices,   currentDevice};
    Exporter exporter{document,
                      runner,
                      notices,
                      regions,
                      review,
                      currentDevice,
                      [this](LayerId layer, const QString& path, std::function<void()> act) {
                          return preview.postpone(layer, path, std::move(act));
                      }};
    std::unique_ptr<FileOpener> files;
};

Session::State::State(const SessionPaths& paths)
    : settings(paths.settingsFile, QSettings::IniFormat),
      device(Device::fromText("auto", kShtSupport)) {
    setTableTranslation([](const std::string& text) {
        return QCoreApplication::translate(kTableContext, text.c_str()).toStdString();
    });
    project =
        std::make_unique<ProjectKeeper>(document, runner, followers, notices, regions, verdicts,
                                        review, liveSpectrum, currentDevice, paths.stateFolder);
    files = std::make_unique<FileOpener>(document, runner, followers, pictures, *project, notices,
                                         settings);
    QObject::connect(project.get(), &ProjectKeeper::documentReplaced, &preview,
                     &LivePreview::stopPreview);
    QObject::connect(&exporter, &Exporter::exported, project.get(), &ProjectKeeper::noteExported);
    QObject::connect(&verdicts, &VerdictBook::refused, &notices, &Notices::complain);
    QObject::connect(&review, &SourceReview::refused, &notices, &Notices::complain);
    QObject::connect(&liveSpectrum, &LiveSpectrum::noted, &notices, &Notices::say);
    QObject::connect(
        &liveSpectrum, &LiveSpectrum::failed, &notices,
        [this](int job, const QString& line, const Shown& shown, const SpectrumSettings& asked) {
            if (job < 0) return notices.complainWhile(kSpectrumCause, line);
            // The message replaces the job's line.
            const auto again = [=, this] { liveSpectrum.request(shown, asked); };
            if (notices.complainOrAskFrame(line, {asked.mask, shown.entry}, again, kSpectrumCause))
                followers.reportedElsewhere(job);
        });
    QObject::connect(&liveSpectrum, &LiveSpectrum::ready, &notices,
                     [this] { notices.settle(kSpectrumCause); });
}

Session::Session(QObject* parent) : Session(SessionPaths::ofUser(), parent) {}

Session::Session(const SessionPaths& paths, QObject* parent)
    : QObject(parent), state_(std::make_unique<State>(paths)) {
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
FileOpener& Session::files() {
    return *state_->files;
}
OperationRunner& Session::operations() {
    return state_->operations;
}
LivePreview& Session::preview() {
    return state_->preview;
}
MemoryLedger Session::memoryLedger(const std::map<LayerId, int64_t>& deviceBytes) const {
    return armilla::memoryLedger(state_->document, state_->preview.planBytes(), deviceBytes);
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

}  // namespace armilla

#include "armilla/session/moc_session.cpp"
