// SPDX-License-Identifier: GPL-3.0-or-later
// The state of one window: a document, its jobs, and the user's commands. No widgets, so tests can
// call every command.
#pragma once

#include <QList>
#include <QObject>
#include <QPair>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "armilla/core/harmonics.h"
#include "armilla/ops/device.h"
#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/latency_marks.h"
#include "armilla/session/live_region.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/operation_run.h"

namespace armilla {

class Exporter;
class Interop;
class MaskBrush;
class Notices;
class ProjectKeeper;
class RegionBook;
class SourceReview;
class VerdictBook;

// Memory use by owner, in bytes.
struct MemoryLedger {
    // Memory of one layer.
    struct Row {
        int layer = -1;
        QString name;
        int64_t values = 0;   // values of the layer, on the host
        int64_t picture = 0;  // prepared for drawing: pyramids, markers, a mesh; on the host
        int64_t device = 0;   // textures, as the window reports
    };
    std::vector<Row> rows;
    int64_t plans = 0;  // plans of live smoothing, on the host
    UndoMemory undo;
    // Total of host and of device memory.
    int64_t host() const;
    int64_t device() const;
    // One display line per owner.
    QStringList lines() const;
};

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

    // Commands return at once; the work runs as a job. A failure becomes a message and changes
    // nothing else.
    //
    // Opens maps, catalogs, images, curves and session files (.armilla).
    void openFiles(const QStringList& paths);
    // Opens a file with facts that it does not name: the answer to fileFactNeeded().
    void openStated(const QString& path, const StatedFile& facts);
    // Opens a file that another program has sent, under the given name. Unlike openFiles(), the
    // list of recent files does not change. `done` receives the layer, or -1 and one line with the
    // reason.
    void openReceived(const QString& path, const QString& name,
                      std::function<void(int layer, const QString& failure)> done);
    // Adds a simulated map as a layer.
    void openSampleSky(int64_t nside = 512);
    // States the frame of a map or catalog that does not name its own (Unknown: withdraws the
    // frame). The frame also applies to its inputs, to further inputs of common results, and to its
    // results. One step of the history.
    void stateFrame(int layer, Frame frame);
    // As stateFrame(), for the layer of the last Notices::frameNeeded(); the command that failed
    // runs again.
    void answerFrame(int layer, Frame frame);
    // Starts live smoothing of the shown map: a coarse picture first, then refined; the latest
    // request wins. On the CPU a close view first shows the exact result in the viewed region if
    // that is quick. `profilePath`: the file of the beam or kernel, for the recipe.
    void previewSmooth(const SmoothParameters& parameters, const QString& profilePath = {});
    // Prepares the data that every preview of the shown map needs, so that the first preview is as
    // fast as later ones.
    void prepareSmooth(const SmoothParameters& parameters);
    // Sets the CUDA device whose memory the window draws from, if any. Live smoothing then computes
    // pictures there if that is also the session's device. The window calls notePresented() after
    // presenting each picture of Document::livePicture.
    void setPictureDevice(std::optional<int> device);
    void notePresented(const FrameLatencyMarks& frame);
    // Sets a callback for the viewed disc, called when a preview begins; none if the view shows
    // more than a part of the sky.
    void setLookedAt(std::function<std::optional<LookedAt>()> asked);
    const LiveRegion& liveRegion() const;
    // The window calls this function if it cannot draw a live picture from device memory. Pictures
    // then pass through the host; device memory is retried after some seconds.
    void notePictureFailed(const QString& line);
    // Latency marks of the picture that livePresented reported last.
    const LiveLatencyMarks& liveMarks() const;
    // Starts live filtering of a map for sources (a request of the operation `filter`). The preview
    // uses the sky statistics of the previous filter; when the slider rests, the result of Run
    // replaces it. Live filtering replaces live smoothing and shares its keep, stop and signals.
    void previewFilter(const OperationRequest& request);
    // The reason why a request has no live filter; empty if it has one.
    QString liveFilterProblem(const OperationRequest& request) const;
    // True if the live layer is the result of a filter.
    bool isFilterPreviewed() const;
    // Drops the live result.
    void stopPreview();
    // True while a preview or its refinement is computed.
    bool isPreviewBusy() const;
    // Report of the latest live smoothing.
    SmoothReport smoothReport() const;
    // Keeps the live map: at once if it is at full resolution, else when it reaches that.
    void keepSmooth();
    // Adds and shows the difference a - b as a new map. Computed at the coarser of the two
    // resolutions, in the ordering and frame of a; the name states this.
    void showDifference(const Shown& a, const Shown& b);
    // Smooths the shown map with both values of Masked, and shows normalize - ignore as a new map.
    void showMaskedDifference(const SmoothParameters& parameters);
    // Runs any operation on layers as a job; its results become layers in one step. Returns the id
    // of the job, -1 if the job could not start.
    int runOperation(const OperationRequest& request);
    // Adds the accepted rows of the review as a layer. Returns its id, -1 if no row is accepted.
    int addAccepted();
    // Makes a mask with a disc of this many beams around each accepted source.
    void maskAccepted(double beams);
    // Adds the searched map without the accepted sources as a new layer. Sources are subtracted, or
    // discs of this many beams are inpainted from their surroundings.
    void removeAccepted(bool inpaint, double beams);
    // `deviceBytes`: texture memory that the window holds for each layer.
    MemoryLedger memoryLedger(const std::map<int, int64_t>& deviceBytes = {}) const;
    // Recently opened files, the latest first.
    QStringList recentFiles() const;

signals:
    // A file was not opened because it does not name this fact.
    void fileFactNeeded(const armilla::FileQuestion& question);
    // An opened file holds more data than was read. Each of `others` is a path to open
    // ("x.fits[2]") and a description.
    void moreFound(const QString& path, const QList<QPair<QString, QString>>& others);
    // An operation has added these layers.
    void operationFinished(const QString& operation, const std::vector<int>& layers);
    void smoothReportChanged();
    void previewBusyChanged(bool busy);
    // The live result exists in the viewed region while the rest is being computed; or exists
    // everywhere; or exists nowhere.
    void liveRegionChanged(const armilla::LiveRegion& region);
    // A live picture is in progress; a frame follows within milliseconds. Other pending view
    // changes can join that frame.
    void livePictureAsked();
    // A live picture is on the screen; `milliseconds` is the latency since its request.
    void livePresented(double milliseconds);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
