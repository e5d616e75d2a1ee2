// SPDX-License-Identifier: GPL-3.0-or-later
// Internal state of live previews.
#pragma once

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/session/job_runner.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/notices.h"
#include "filter_work.h"
#include "job_followers.h"
#include "layer_pictures.h"
#include "live_loop.h"
#include "map_work.h"

namespace armilla {

// Slots of the job runner.
inline const QString kSmoothSlot = QStringLiteral("smooth");
inline const QString kRefineSlot = QStringLiteral("refine");
inline const QString kPrepareSlot = QStringLiteral("prepare");

struct SmoothPicture {
    SmoothPlanCache::Result result;
    std::shared_ptr<DrawableField> drawable;
    int field = 0;
    Quantity quantity = Quantity::Field;
    bool isWhole = true;  // equal to the requested result except for its resolution
};

QString nameOf(const SmoothRequest& request);

// The parts that live previews use.
struct LivePreview::Uses {
    LivePreview& preview;
    Document& document;
    JobRunner& runner;
    JobFollowers& followers;
    LayerPictures& pictures;
    Notices& notices;
    std::function<Device()> device;
};

struct LivePreview::State : Uses {
    explicit State(const Uses& uses) : Uses(uses) {}

    // Live smoothing; `wanted` is the latest request. A coarse picture in progress finishes before
    // the latest request starts, so that a moving slider always shows results. Refinements are
    // dropped. Coarse and fine work have separate plans, so that neither waits for the other.
    std::shared_ptr<SmoothPlanCache> coarsePlanCache = std::make_shared<SmoothPlanCache>();
    std::shared_ptr<SmoothPlanCache> planCache = std::make_shared<SmoothPlanCache>();
    std::shared_ptr<FilterPlanCache> filterShop = std::make_shared<FilterPlanCache>();
    std::optional<SmoothRequest> wanted;
    bool wantedIsNewer = false, coarseRuns = false, previewBusy = false, keepWhenDone = false;
    bool liveIsFull = false;
    int previewJob = -1;
    int liveLayer = -1;  // the live map shown last; none while it is made or replaced
    int showLive(const SmoothRequest& request, const MapPointer& map);
    void followClosedLive();
    SmoothReport report;
    QString beamLine;  // change of values per beam by the latest live smoothing
    // The viewed region is computed first: live_preview_region.cpp.
    std::shared_ptr<SmoothPlanCache> regionPlanCache = std::make_shared<SmoothPlanCache>();
    std::function<std::optional<LookedAt>()> looksAt;
    LiveRegion liveRegion;
    void setLiveRegion(const LiveRegion& region);
    // Live pictures on the device that draws: live_preview_device.cpp.
    std::optional<int> pictureDevice;
    QDeadlineTimer deviceRests{0};  // until then the CPU replaces the device
    bool deviceFailureTold = false;
    QTimer liveRest;
    bool liveIsSum = false, isResting = false;
    // Time since the last update of panels; used by the live loop.
    std::shared_ptr<QElapsedTimer> sinceTold = std::make_shared<QElapsedTimer>();
    std::optional<LiveLatencyMarks> frameMarks;  // marks of the picture to be presented
    LiveLatencyMarks lastMarks;                  // marks of the last presented picture

    // Exports that wait for the complete live map.
    std::vector<std::function<void()>> whenFull;
    // Cancels the postponed exports, with a message.
    void giveUpWaiting();
    // Drops plans of maps that are no longer open.
    void releasePlans();

    Frame viewFrame = Frame::Unknown;  // previous frame of the camera
    std::unique_ptr<LiveLoop<LiveFrame>> liveLoop;

    // Reacts to another frame of the view: Q and U rotate.
    void followFrame();
    // Starts a preview on the device that draws if possible; else calls startPreview().
    void beginPreview();
    // Starts the first picture of the latest request: of the viewed region if that is quick, else a
    // coarse one.
    void startPreview();
    bool startRegion();
    void takeRegion(const SmoothRequest& request, const std::optional<RegionPicture>& region,
                    StopTime begun);
    void startCoarse();
    void startRefined(int64_t nside);
    // Runs in a job and accesses no state.
    static std::shared_ptr<SmoothPicture> smoothPicture(const MapPointer& map,
                                                        SmoothPlanCache& shop,
                                                        const SmoothRequest& request, int64_t nside,
                                                        int64_t maxDrawNside, const Device& device,
                                                        JobContext& job);
    // Same as smoothPicture(), for a filter; `whole`: compute the result of the operation.
    static std::shared_ptr<SmoothPicture> filterPicture(const SmoothRequest& request,
                                                        FilterPlanCache& shop, int64_t nside,
                                                        bool whole, int64_t maxDrawNside,
                                                        const Device& device, JobContext& job);
    void takePicture(const SmoothRequest& request, const SmoothPicture& picture, int64_t nside);
    void failPreview(const QString& line);
    // True if the latest request can be shown on the device that computes it.
    bool asksDevice() const;
    bool turnsLive() const;
    bool scalesLive() const;
    // `quick`: with sums of kept maps, if accurate enough.
    void askDevice(bool quick = true);
    void growSums(const SmoothRequest& request);
    void takeFrame(const SmoothRequest& request, const LiveFrame& frame, StopTime asked);
    void tellFrame(const SmoothRequest& request, const std::shared_ptr<DrawableField>& told);
    void copyLive();
    void failFrame(const std::exception_ptr& failure);
    Device deviceNow() const;
    void restDevice(const QString& line);
    // Continues through host memory.
    void leaveDevice(const QString& line);
    void endCancelled(int job);
    void setPreviewBusy(bool busy);
};

}  // namespace armilla
