// SPDX-License-Identifier: GPL-3.0-or-later
// Internal state of live previews.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/session/job_runner.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/notices.h"
#include "job_followers.h"
#include "layer_pictures.h"
#include "live_device.h"
#include "live_frames.h"
#include "live_plans.h"
#include "live_stage.h"
#include "smooth_picture.h"

namespace armilla {

// Slots of the job runner.
inline const QString kSmoothSlot = QStringLiteral("smooth");
inline const QString kRefineSlot = QStringLiteral("refine");
inline const QString kPrepareSlot = QStringLiteral("prepare");

QString nameOf(const LiveRequest& request);
// True if the host must rotate Q and U, smoothed together, to the frame of the view.
bool rotatesOnHost(const Document& document, const LiveRequest& request);

// The parts that live previews use.
struct LivePreview::Uses {
    LivePreview& preview;
    Document& document;
    JobRunner& runner;
    JobFollowers& followers;
    LayerPictures& pictures;
    Notices& notices;
};

// A coarse picture in progress finishes before the latest request starts, so that a moving slider
// always shows results. Refinements are dropped.
struct LivePreview::State : Uses {
    State(const Uses& uses, std::function<Device()> chosen)
        : Uses(uses), device(std::move(chosen)), frames([this] { copyLive(); }) {}

    LivePlans plans;
    LiveDevice device;
    LiveFrames frames;
    std::optional<LiveRequest> wanted;  // the latest request
    LiveStage stage = LiveStage::None;
    bool keepWhenDone = false;
    int previewJob = -1;
    LayerId liveLayer;  // the live map shown last; none while it is made or replaced
    SmoothReport report;
    QString beamLine;  // change of values per beam by the latest live smoothing
    std::function<std::optional<LookedAt>()> looksAt;
    LiveRegion liveRegion;
    std::vector<std::function<void()>> whenFull;  // exports that wait for the complete live map
    Frame viewFrame = Frame::Unknown;             // previous frame of the camera

    // Emits previewBusyChanged() if necessary.
    void setStage(LiveStage next);
    // The layer of the latest request; nullptr if it is closed or has another value now.
    const Layer* wantedSource() const;
    LayerId showLive(const LiveRequest& request, const MapPointer& map);
    void followClosedLive();
    // Reacts to another frame of the view: Q and U rotate.
    void followFrame();
    // Cancels the postponed exports, with a message.
    void giveUpWaiting();

    // Starts a preview on the device that draws if possible; else calls startPreview().
    void beginPreview();
    // Starts the first picture of the latest request: of the viewed region if that is quick, else a
    // coarse one.
    void startPreview();
    void startCoarse();
    void startRefined(int64_t nside);
    void takePicture(const LiveRequest& request, const SmoothPicture& picture, int64_t nside);
    void failPreview(const QString& line);
    void endCancelled(int job);

    // The viewed region: live_preview_region.cpp.
    void setLiveRegion(const LiveRegion& region);
    bool startRegion();
    void takeRegion(const SmoothRequest& request, const std::optional<RegionPicture>& region,
                    StopTime begun);

    // Live pictures on the device that draws: live_preview_device.cpp.
    //
    // True if the latest request can be shown on the device that computes it.
    bool drawsOnDevice() const;
    // `quick`: with sums of kept maps, if accurate enough.
    void requestFrame(bool quick = true);
    void growSums(const LiveRequest& request);
    void takeFrame(const LiveRequest& request, const LiveFrame& frame, StopTime asked);
    void showReadout(const LiveRequest& request, const std::shared_ptr<DrawableField>& readout);
    void copyLive();
    void failFrame(const std::exception_ptr& failure);
    void restDevice(const QString& line);
    // Continues through host memory.
    void leaveDevice(const QString& line);
};

}  // namespace armilla
