// SPDX-License-Identifier: GPL-3.0-or-later
// Live smoothing and live filtering of a map, from a request to pictures.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>

#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"
#include "armilla/session/latency_marks.h"
#include "armilla/session/live_region.h"
#include "armilla/session/shown.h"

namespace armilla {

class Document;
class JobFollowers;
class JobRunner;
class LayerPictures;
class Notices;
struct OperationRequest;

// Used in the window's thread. Requests return at once; a failure becomes a message.
class LivePreview : public QObject {
    Q_OBJECT
public:
    // The references must outlive this object. `device` returns the device that computes.
    LivePreview(Document& document, JobRunner& runner, JobFollowers& followers,
                LayerPictures& pictures, Notices& notices, std::function<Device()> device);
    ~LivePreview() override;

    // Starts live smoothing of the shown map: a coarse picture first, then refined; the latest
    // request wins. On the CPU a close view first shows the exact result in the viewed region if
    // that is quick. `profilePath`: the file of the beam or kernel, for the recipe.
    void previewSmooth(const SmoothParameters& parameters, const QString& profilePath = {});
    // Prepares the data that every preview of the shown map needs, so that the first preview is as
    // fast as later ones.
    void prepareSmooth(const SmoothParameters& parameters);
    // Starts live filtering of a map for sources (a request of the operation `filter`). The preview
    // uses the sky statistics of the previous filter; when the slider rests, the result of Run
    // replaces it. Live filtering replaces live smoothing and shares its keep, stop and signals.
    void previewFilter(const OperationRequest& request);
    // The reason why a request has no live filter; empty if it has one.
    QString liveFilterProblem(const OperationRequest& request) const;
    // True if the live layer is the result of a filter.
    bool isFilterPreviewed() const;
    // The map of the latest request; none without one.
    std::optional<Shown> source() const;
    // Drops the live result.
    void stopPreview();
    // True while a preview or its refinement is computed.
    bool isPreviewBusy() const;
    // Report of the latest live smoothing.
    SmoothReport smoothReport() const;
    // Keeps the live map: at once if it is at full resolution, else when it reaches that.
    void keepSmooth();
    // Postpones `act` if the layer is a preview that is still being refined, with a message that
    // names the file of `path`; returns false for any other layer. Throws InvalidArgument if the
    // preview was stopped.
    bool postpone(LayerId layer, const QString& path, std::function<void()> act);

    // Sets the CUDA device whose memory the window draws from, if any. Live smoothing then computes
    // pictures there if that is also the session's device. The window calls notePresented() after
    // presenting each picture of LiveLayer::picture.
    void setPictureDevice(std::optional<int> device);
    void notePresented(const FrameLatencyMarks& frame);
    // The window calls this function if it cannot draw a live picture from device memory. Pictures
    // then pass through the host; device memory is retried after some seconds.
    void notePictureFailed(const QString& line);
    // Sets a callback for the viewed disc, called when a preview begins; none if the view shows
    // more than a part of the sky.
    void setLookedAt(std::function<std::optional<LookedAt>()> asked);
    const LiveRegion& liveRegion() const;
    // Latency marks of the picture that livePresented reported last.
    const LiveLatencyMarks& liveMarks() const;
    // Host memory of the plans, bytes.
    int64_t planBytes() const;

signals:
    void smoothReportChanged();
    void previewBusyChanged(bool busy);
    // The live result exists in the viewed region while the rest is being computed; or exists
    // everywhere; or exists nowhere.
    void liveRegionChanged(const armilla::LiveRegion& region);
    // A live picture is on the screen; `milliseconds` is the latency since its request.
    void livePresented(double milliseconds);

private:
    friend class LivePreviewProbe;  // reads the stage, in tests
    struct Uses;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
