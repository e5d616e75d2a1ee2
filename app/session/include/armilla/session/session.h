// SPDX-License-Identifier: GPL-3.0-or-later
// The state of one window: a document, its jobs, and parts with the user's commands. No widgets, so
// tests can call every command.
#pragma once

#include <QObject>
#include <QSettings>
#include <QString>
#include <cstdint>
#include <map>
#include <memory>

#include "armilla/ops/device.h"
#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/memory_ledger.h"

namespace armilla {

class Exporter;
class FileOpener;
class Interop;
class LivePreview;
class MaskBrush;
class Notices;
class OperationRunner;
class ProjectKeeper;
class RegionBook;
class SourceReview;
class VerdictBook;

// Locations of settings and autosaves. Default: the user's XDG config and XDG state folders.
struct SessionPaths {
    QString settingsFile, stateFolder;
    static SessionPaths ofUser();
};

// Owns the document and its jobs. Used only in the window's thread.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    explicit Session(const SessionPaths& paths, QObject* parent = nullptr);
    ~Session() override;

    // The parts of the session.
    Document& document();
    JobRunner& jobs();
    Notices& notices();
    // Opens files as layers.
    FileOpener& files();
    // Runs operations on layers.
    OperationRunner& operations();
    // Live smoothing and live filtering.
    LivePreview& preview();
    // Files and command lines of layers, views and results.
    Exporter& exporter();
    // Session files, the layers that they restore, and the autosave.
    ProjectKeeper& project();
    // Visual review of source candidates, and the verdicts.
    SourceReview& review();
    VerdictBook& verdicts();
    // Drawn regions, and the brush that paints masks.
    RegionBook& regions();
    MaskBrush& maskBrush();
    // The spectrum that follows its settings.
    LiveSpectrum& spectrum();
    // Exchange with other programs by SAMP.
    Interop& interop();
    // The device that computes.
    Device device() const;
    void setDevice(const Device& device);
    // The user's settings, shared with the window; the group "session" is reserved for this class.
    QSettings& settings();

    // `deviceBytes`: texture memory that the window holds for each layer.
    MemoryLedger memoryLedger(const std::map<LayerId, int64_t>& deviceBytes = {}) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
