// SPDX-License-Identifier: GPL-3.0-or-later
// One window's worth of work: a document, the jobs on it, and the user's commands. No widgets:
// every command can be driven from a test.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>

#include "core/harmonics.h"
#include "ops/device.h"
#include "session/document.h"
#include "session/job_runner.h"

namespace armilla {

// C_l of a map for the Spectrum dock.
struct SpectrumResult {
    Shown of;
    std::vector<double> cl;
    double skyShare = 1.0;  // of good pixels; cl is divided by it
    QString unit;           // of C_l
};

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    Document& document();
    JobRunner& jobs();
    Device device() const;
    void setDevice(const Device& device);

    // Commands. Each returns at once; work runs as a job; failures arrive as messageRaised.
    void openFiles(const QStringList& paths);
    void openSampleSky(int64_t nside = 512);
    // Live smoothing of what is shown: a coarse picture first, then refined, latest request wins.
    void previewSmooth(const SmoothParameters& parameters);
    void stopPreview();
    SmoothReport smoothReport() const;
    void keepSmooth();
    // Spectrum of what is shown (or of the live result) outside the bad pixels of `maskEntry` too.
    void computeSpectrum(const Shown& shown, int lmax, int maskEntry = -1);
    void showDifference(const Shown& a, const Shown& b);
    // Smooths what is shown in both ways of Masked and shows normalize - ignore as a map of its own.
    void showMaskedDifference(const SmoothParameters& parameters);
    // Exports; each carries its recipe.
    void exportMap(int entry, const QString& path, bool overwrite);
    void exportView(const QString& path, int width, int height, bool overwrite);
    void exportFigure(const QString& path, int width, int height, double dpi, bool overwrite);
    void exportSpectrum(const SpectrumResult& spectrum, const QString& path, bool overwrite);
    // The `armilla` command line that makes the entry; empty, with a message, if there is none.
    QString commandFor(int entry);

    // Session files and crash recovery.
    void saveSession(const QString& path);
    void loadSession(const QString& path);
    bool hasCrashedSession() const;  // an autosave left behind by a dead process
    void recoverCrashedSession();
    void discardCrashedSession();
    QStringList recentFiles() const;

signals:
    void messageRaised(const QString& line, bool isError);
    void spectrumReady(const armilla::SpectrumResult& result);
    void smoothReportChanged();
    void previewBusyChanged(bool busy);
    void recentFilesChanged();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
