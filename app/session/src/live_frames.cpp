// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_frames.h"

#include <QMetaObject>
#include <utility>

namespace armilla {

namespace {

// After this rest the map is copied to the host, for read-outs and derived results.
constexpr int kRestMilliseconds = 250;
// Update interval of panels while a slider moves.
constexpr qint64 kReadoutMilliseconds = 100;

}  // namespace

LiveFrames::LiveFrames(std::function<void()> rested) {
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMilliseconds);
    QObject::connect(&rest_, &QTimer::timeout, &rest_, std::move(rested));
}

void LiveFrames::request(Request next) {
    rest_.stop();
    if (!loop_)
        loop_ = std::make_unique<LiveLoop<LiveFrame>>([this](std::function<void()> act) {
            QMetaObject::invokeMethod(&rest_, std::move(act), Qt::QueuedConnection);
        });
    LiveLoop<LiveFrame>::Request frame;
    frame.make = std::move(next.make);
    frame.done = std::move(next.taken);
    frame.failed = std::move(next.failed);
    frame.after = [of = next.frame, readoutMade = std::move(next.readoutMade),
                   since = sinceReadout_](const LiveFrame& made,
                                          JobContext& job) -> std::function<void()> {
        if (since->isValid() && since->elapsed() < kReadoutMilliseconds) return {};
        since->start();
        if (made.readout) return {};
        return [readoutMade, readout = readoutOf(*made.picture, of, job)] { readoutMade(readout); };
    };
    loop_->request(std::move(frame));
}

void LiveFrames::drop() {
    if (loop_) loop_->drop();
    rest_.stop();
}

void LiveFrames::show(const LiveFrame& frame, StopTime requested) {
    coming_ = frame.marks;
    coming_->asked = requested;
    coming_->taken = std::chrono::steady_clock::now();
    isSum_ = !frame.isWhole;
    rest_.start();
}

bool LiveFrames::presented(const FrameLatencyMarks& frame) {
    if (!loop_) return false;
    loop_->presented();
    if (!coming_) return false;
    marks_ = *std::exchange(coming_, std::nullopt);
    marks_.frame = frame;
    return true;
}

}  // namespace armilla
