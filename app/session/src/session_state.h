// SPDX-License-Identifier: GPL-3.0-or-later
// Internal state of a session, shared by its commands.
#pragma once

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <map>
#include <optional>
#include <set>

#include "armilla/session/exporter.h"
#include "armilla/session/interop.h"
#include "armilla/session/mask_brush.h"
#include "armilla/session/notices.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/region_book.h"
#include "armilla/session/session.h"
#include "armilla/session/source_review.h"
#include "armilla/session/verdicts.h"
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
inline const QString kSpectrumSlot = QStringLiteral("spectrum");

struct SmoothPicture {
    SmoothPlanCache::Result result;
    std::shared_ptr<DrawableField> drawable;
    int field = 0;
    Quantity quantity = Quantity::Field;
    bool isWhole = true;  // equal to the requested result except for its resolution
};
QString nameOf(const SmoothRequest& request);
Recipe recipeOf(const SmoothRequest& request);

struct Session::State {
    State(Session& owner, const SessionPaths& paths);
    ~State();

    Session& session;
    QSettings settings;
    Document document;
    Device device;
    Notices notices{document};

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
    // The viewed region is computed first: live_region.cpp.
    std::shared_ptr<SmoothPlanCache> regionPlanCache = std::make_shared<SmoothPlanCache>();
    std::function<std::optional<LookedAt>()> looksAt;
    LiveRegion liveRegion;
    void setLiveRegion(const LiveRegion& region);
    // Live pictures on the device that draws: live_command.cpp.
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
    // Postpones `act` if the layer is a preview that is still being refined, with a message.
    bool waitsForPreview(int layer, const QString& path, std::function<void()> act);
    // Cancels the postponed exports, with a message.
    void giveUpWaiting();
    // Drops plans of maps that are no longer open.
    void releasePlans();

    Frame viewFrame = Frame::Unknown;  // previous frame of the camera
    std::unique_ptr<LiveLoop<LiveFrame>> liveLoop;
    VerdictBook verdicts{*document.undoStack()};
    RegionBook regions{*document.undoStack()};
    std::unique_ptr<ProjectKeeper> project;  // made after the parts below, destroyed after them
    std::unique_ptr<Interop> interop;
    JobRunner runner;  // its jobs end before other members are destroyed
    SourceReview review{document, verdicts, runner};
    MaskBrush maskBrush{document, runner};
    LiveSpectrum liveSpectrum{document, runner, [this] { return device; }};
    JobFollowers followers{runner};
    LayerPictures pictures{document, runner, followers, notices};
    Exporter exporter{document,
                      runner,
                      notices,
                      regions,
                      review,
                      [this] { return device; },
                      [this](int layer, const QString& path, std::function<void()> act) {
                          return waitsForPreview(layer, path, std::move(act));
                      }};

    void stateFrame(int id, Frame frame, const std::function<void()>& then);
    // Reacts to another frame of the view: Q and U rotate.
    void followFrame();
    // Adds a layer that was read from a file.
    int addOpened(const LayerValue& value, const QString& name, const Recipe& recipe,
                  const LayerPicture& picture, bool isReceived);
    // Files opened together. Layers are added in order, regardless of which file is ready first;
    // failures are reported at once.
    struct Opening {
        struct File {
            QString path;
            bool ended = false;
            std::function<int()> add;  // none if the job failed or was cancelled
            QString name = {};         // empty: name of the file
            // Callback with the outcome of a received file.
            std::function<void(int layer, const QString& failure)> done = {};
            QString failure = {};
            StatedFile facts = {};
        };
        std::vector<File> files;
        size_t next = 0;  // index of the first layer not added yet
        int first = -1, last = -1;
        QStringList failedNames, failures;
    };
    void openLayers(const QStringList& paths);
    void openLayers(std::vector<Opening::File> files);
    void openLayer(const std::shared_ptr<Opening>& opening, size_t index);
    void endFile(Opening& opening, size_t index, std::function<int()> add);
    void failFile(Opening& opening, size_t index, const QString& line);
    void noteRecent(const QString& path);

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
    // Runs in a job and does not access the session.
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
