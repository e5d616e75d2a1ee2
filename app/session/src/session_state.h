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

#include "armilla/figure/figure.h"
#include "armilla/session/interop.h"
#include "armilla/session/mask_brush.h"
#include "armilla/session/notices.h"
#include "armilla/session/region_book.h"
#include "armilla/session/session.h"
#include "armilla/session/source_review.h"
#include "armilla/session/verdicts.h"
#include "autosave.h"
#include "command_chain.h"
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
// The readable content of a session file: the document, and the user's regions and verdicts.
struct ReadSession {
    QJsonObject document;
    ReadVerdicts verdicts;
    ReadRegions regions;
    std::map<int, double> thresholds;  // candidate thresholds, by layer
    QString thresholdsLeftOut;
    int reviewed = -1;  // the reviewed catalog layer
    // Lines that describe unreadable content.
    QStringList leftOut() const;
};
// Thread-safe. Throws InvalidArgument for content that is no session of this program.
ReadSession readSession(const QByteArray& content);

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
    // Ids of layers that were saved or exported.
    std::set<int> saved;

    // A session that is being restored.
    QString sessionFolder;  // folder of the session file that was read
    std::map<int, LayerValue> hidden;
    std::set<int> restoring;
    std::vector<int> restoreJobs;
    bool isRestoring = false;

    Frame viewFrame = Frame::Unknown;  // previous frame of the camera
    std::unique_ptr<Autosave> autosave;
    std::unique_ptr<LiveLoop<LiveFrame>> liveLoop;
    VerdictBook verdicts{*document.undoStack()};
    RegionBook regions{*document.undoStack()};
    std::unique_ptr<Interop> interop;
    JobRunner runner;  // its jobs end before other members are destroyed
    SourceReview review{document, verdicts, runner};
    MaskBrush maskBrush{document, runner};
    LiveSpectrum liveSpectrum{document, runner, [this] { return device; }};
    JobFollowers followers{runner};
    LayerPictures pictures{document, runner, followers, notices};

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

    // `written` is called after the file is written.
    void exportInJob(const QString& path, JobLane lane, std::function<void(JobContext&)> write,
                     std::function<void()> written = {});
    // HISTORY of an export: program; command line or description; device. `on`: the device that
    // made the result, if it is not the session's.
    std::vector<std::string> history(const QString& what, const QString& command) const;
    std::vector<std::string> history(const QString& what, const QString& command,
                                     const Device& on) const;
    // HISTORY of the last command of a chain, after the HISTORY that its file takes from its input.
    std::vector<std::string> history(const CommandChain& chain, const Device& on) const;
    QStringList recipeChain(int entry) const;
    std::optional<Frame> statedFrame(const OperationRequest& request) const;
    // The commands that make a file; none if there are no such commands.
    std::optional<CommandChain> chainOf(int id, const QString& outputPath) const;
    std::optional<CommandChain> chainOf(const OperationRequest& request,
                                        const QString& outputPath) const;
    // `verb`: project or render; `resolution` in radians per pixel.
    std::optional<CommandChain> viewChain(const QString& verb, const QString& outputPath, int width,
                                          int height, double resolution) const;
    std::optional<CommandChain> projectChain(const QString& outputPath, int width,
                                             int height) const;
    std::optional<CommandChain> spectrumChain(const SpectrumResult& spectrum,
                                              const QString& outputPath, SpectrumForm form) const;
    std::optional<CommandChain> figureChain(const FigureRequest& request,
                                            const QString& outputPath) const;
    // Add the command for a layer or a request; none if there is no such command. fileFor() returns
    // the file of a layer: its own, or one that the chain makes before.
    bool addStep(CommandChain& chain, int id, const QString& outputPath) const;
    bool addStep(CommandChain& chain, const OperationRequest& request,
                 const QString& outputPath) const;
    bool addSmooth(CommandChain& chain, const Recipe& recipe, int64_t nside,
                   const QString& outputPath) const;
    std::optional<QString> fileFor(CommandChain& chain, int layer, bool isAlone) const;
    // The name of a field for --field, as the file of the layer counts.
    QString fieldWord(int layer, int field) const;
    std::optional<QString> rodLengthWords() const;
    // The present view without its map. Throws InvalidArgument if nothing is shown.
    FigureRequest figureRequest(int width, int height, double dpi) const;

    // The present session, for a thread to write; none if there is nothing to save.
    QString lastSessionPath() const;
    Autosave::Writer sessionWriter(const QString& folder = {}) const;
    // Returns false, with a message and no change, for an unreadable document.
    bool restoreFrom(ReadSession read, const QString& name, const QString& folder);
    void advanceRestore();
    void locateFiles();
    // `layers`: results of one run of an operation, or one layer.
    void startRestoring(const std::vector<AwaitedLayer>& layers, std::vector<LayerValue> inputs);
    void takeRestored(const AwaitedLayer& layer, const LayerValue& value);
    // Computes the mark of an opened layer's file in a job, and compares it with the previous mark.
    void markFile(int id);
    LayerValue valueOf(int id) const;
    // True if the layer's file was received from another program and lies beside the autosave.
    bool goesWithSession(const Layer& layer) const;
};

// "armilla 0.1.0"
QString programVersion();

}  // namespace armilla
