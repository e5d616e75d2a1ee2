// SPDX-License-Identifier: GPL-3.0-or-later
// When a live picture passed the stops on its way from the slider to the screen.
#pragma once

#include <chrono>

namespace armilla {

using StopTime = std::chrono::steady_clock::time_point;

// Those of its frame, told by the canvas that drew it.
struct FrameStops {
    StopTime painted;  // drawing begins
    StopTime drawn;    // its commands are with the driver
    StopTime swapped;  // the window has been composed and swapped
    StopTime shown;    // the device has passed the fence behind the swap
};

// In the order of the way.
struct LiveStops {
    StopTime asked;     // the session holds the request
    StopTime begun;     // the loop's thread makes it
    StopTime prepared;  // all that it takes is on the device
    StopTime enqueued;  // its work is in the device's stream
    StopTime made;      // the device is done
    StopTime taken;     // the window's thread has the picture
    FrameStops frame;

    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(frame.shown - asked).count();
    }
};

}  // namespace armilla
