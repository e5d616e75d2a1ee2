// SPDX-License-Identifier: GPL-3.0-or-later
// Latency marks of a live picture between the slider and the screen.
#pragma once

#include <chrono>

namespace armilla {

using StopTime = std::chrono::steady_clock::time_point;

// Latency marks of a frame, reported by the canvas that drew it.
struct FrameLatencyMarks {
    StopTime painted;  // drawing begins
    StopTime drawn;    // the driver has the commands
    StopTime swapped;  // the window is composed and swapped
    StopTime shown;    // the device has passed the fence after the swap
};

// In chronological order.
struct LiveLatencyMarks {
    StopTime asked;     // the session holds the request
    StopTime begun;     // the loop's thread starts the request
    StopTime prepared;  // all inputs are on the device
    StopTime enqueued;  // the work is enqueued in the device's stream
    StopTime made;      // the device has finished
    StopTime taken;     // the window's thread has the picture
    FrameLatencyMarks frame;

    // Latency from the request to the screen.
    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(frame.shown - asked).count();
    }
};

}  // namespace armilla
