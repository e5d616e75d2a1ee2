// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/live_tool.h"

#include <QElapsedTimer>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/operations/usage_error.h"
#include "armilla/session/session.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/stand_in.h"
#include "armilla/session/window_words.h"
#include "live_forms.h"
#include "live_stage.h"
#include "operation_values.h"

namespace armilla {

namespace {

// A finer pass begins after this time without a new request.
constexpr int kRestMilliseconds = 150;
constexpr double kLongestPass = 180e3;  // milliseconds, estimated from the previous pass

}  // namespace

struct LiveTool::Pending {
    OperationRequest request;
    std::vector<LayerValue> values;
    QStringList names;
    int channel = 0;
};

LiveTool::LiveTool(Session& session, QObject* parent)
    : QObject(parent), session_(session), mask_(std::make_shared<KeptMask>()) {
    static int count = 0;
    slot_ = QStringLiteral("live-%1").arg(++count);
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMilliseconds);
    connect(&rest_, &QTimer::timeout, this, [this] { start(next_); });
    // Cancelled by the user: the last result stays.
    connect(&session.jobs(), &JobRunner::jobCancelled, this, [this](int job) {
        if (job == keepingJob_) keepingJob_ = -1;
        if (job == job_) stop();
    });
}

LiveTool::~LiveTool() = default;

void LiveTool::ask(const OperationRequest& request, int channel) {
    if (!problemOf(request).isEmpty()) return stop();
    auto pending = std::make_shared<Pending>();
    pending->request = request;
    // Only Run computes optional results.
    pending->request.wanted.clear();
    pending->channel = channel;
    for (const OperationRequest::Given& given : request.inputs) {
        if (!given.layer.isValid()) continue;
        const Layer* layer = session_.document().entry(given.layer);
        if (!layer || layer->live) return stop();
        if (const QString problem = sampleProblem(*layer); !problem.isEmpty()) {
            stop();
            emit failed(problem);
            return;
        }
        pending->values.push_back(*layer);
        pending->names << layer->name;
    }
    request_ = std::move(pending);
    rest_.stop();
    if (isCoarse(stage_))
        stage_ = LiveStage::CoarseOutdated;
    else
        start(0);
}

void LiveTool::stop() {
    request_.reset();
    rest_.stop();
    ++generation_;
    job_ = -1;
    session_.jobs().cancelSlot(slot_);
    setStage(LiveStage::None);
}

void LiveTool::start(int pass) {
    if (!request_) return;
    setStage(pass == 0 ? LiveStage::Coarse : LiveStage::Refined);
    const int generation = ++generation_;
    const Device device = session_.device();
    LiveSurroundings around{std::nullopt, mask_};
    if (pass == 0 && looksAt_) around.seen = looksAt_();
    if (pass == 0) keepMask();
    // A waiting finer pass is withdrawn by this class, not by the user.
    job_ = -1;
    job_ = session_.jobs().run<std::shared_ptr<LivePass>>(
        tr("Preview of %1").arg(shownText(request_->request.operation->title)),
        pass == 0 ? JobLane::Preview : JobLane::Compute, slot_, this,
        [pending = request_, pass, device, around](JobContext& job) -> std::shared_ptr<LivePass> {
            QElapsedTimer since;
            since.start();
            try {
                auto made = livePass(pending->request, pending->values, pending->names,
                                     pending->channel, pass, device, job, around);
                if (!made) return nullptr;
                made->milliseconds = 1e-6 * static_cast<double>(since.nsecsElapsed());
                return std::make_shared<LivePass>(*std::move(made));
            } catch (const UsageError& error) {
                throw InvalidArgument(withLabels(error.what(), pending->request).toStdString());
            } catch (const Error& error) {
                throw Error(error.code(), withLabels(error.what(), pending->request).toStdString(),
                            error.where());
            }
        },
        [this, pass, generation](const std::shared_ptr<LivePass>& made) {
            if (generation == generation_) take(pass, made);
        },
        [this, generation](const QString& line) {
            if (generation != generation_) return;
            if (afterCoarse(stage_) == LiveStage::Outdated) return start(0);
            setStage(LiveStage::None);
            emit failed(inWindowWords(line));
        });
}

// A close view shows its own pixels only from the mask that the moving slider leaves as it is. This
// mask is computed beside the passes, because a slider may move on before the exact pass begins.
void LiveTool::keepMask() {
    if (keepingJob_ >= 0 || !hasMaskEdges(request_->request) || !looksAt_ || !looksAt_() ||
        mask_->find(request_->request, request_->values))
        return;
    keepingJob_ = session_.jobs().run<bool>(
        tr("Preview of %1").arg(shownText(request_->request.operation->title)), JobLane::Compute,
        slot_ + QStringLiteral("-kept"), this,
        [pending = request_, device = session_.device(), mask = mask_](JobContext& job) {
            mask->get(pending->request, pending->values, pending->names, device, job);
            return true;
        },
        [this](bool) { keepingJob_ = -1; },
        // A pass of the same request shows this error.
        [this](const QString&) { keepingJob_ = -1; });
}

void LiveTool::take(int index, const std::shared_ptr<LivePass>& pass) {
    stage_ = afterCoarse(stage_);
    if (pass) emit passMade(*pass);
    // A receiver of the signal may have made a new request.
    if (!request_ || isCoarse(stage_)) return;
    if (stage_ == LiveStage::Outdated) return start(0);
    if (pass && pass->isWhole) return setStage(LiveStage::Whole);
    if (!pass || pass->growth * pass->milliseconds > kLongestPass) return setStage(LiveStage::None);
    next_ = index + 1;
    rest_.start();
}

bool LiveTool::isBusy() const {
    return armilla::isBusy(stage_);
}

void LiveTool::setStage(LiveStage next) {
    const bool wasBusy = isBusy();
    stage_ = next;
    if (isBusy() != wasBusy) emit busyChanged(!wasBusy);
}

}  // namespace armilla
