// SPDX-License-Identifier: GPL-3.0-or-later
// Live pictures in the memory of the device that draws.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

#include "armilla/core/healpix_map.h"
#include "armilla/session/latency_marks.h"
#include "live_loop.h"
#include "smooth_plan_cache.h"

namespace armilla {

// Computes the latest request after the previous picture was presented, and reports when requests
// cease. Used in the window's thread, which needs an event loop.
class LiveFrames {
public:
    struct Request {
        // In the thread of the loop. The frame has a readout if the request needs one at once.
        std::function<LiveFrame(JobContext&)> make;
        Frame frame = Frame::Unknown;  // frame of the map
        std::function<void(const LiveFrame&)> taken;
        // Panel data of a frame without a readout, at most ten times a second.
        std::function<void(const std::shared_ptr<DrawableField>&)> readoutMade;
        std::function<void(std::exception_ptr)> failed;
    };
    // `rested`: the last picture has been on the screen for a while, without a newer request.
    explicit LiveFrames(std::function<void()> rested);

    // Replaces a request that has not begun.
    void request(Request next);
    // Drops the request and its frame.
    void drop();
    // A frame of the latest request goes to the screen; `requested`: the time of that
    // request.
    void show(const LiveFrame& frame, StopTime requested);
    // The window has presented the picture. Returns true if marks() is new.
    bool presented(const FrameLatencyMarks& frame);
    // Marks of the picture presented last.
    const LiveLatencyMarks& marks() const { return marks_; }

    // True between show() and `rested`.
    bool isToRest() const { return rest_.isActive(); }
    void stopRest() { rest_.stop(); }
    // True if the frame shown last is a sum of kept maps, not equal to a file's content.
    bool isSum() const { return isSum_; }

private:
    QTimer rest_;
    // Time since the last readout; used by the thread of the loop.
    std::shared_ptr<QElapsedTimer> sinceReadout_ = std::make_shared<QElapsedTimer>();
    std::optional<LiveLatencyMarks> coming_;  // marks of the picture to be presented
    LiveLatencyMarks marks_;
    bool isSum_ = false;
    std::unique_ptr<LiveLoop<LiveFrame>> loop_;  // made by the first request
};

}  // namespace armilla
