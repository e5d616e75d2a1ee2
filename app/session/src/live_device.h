// SPDX-License-Identifier: GPL-3.0-or-later
// The device that computes live previews.
#pragma once

#include <QDeadlineTimer>
#include <functional>
#include <optional>
#include <utility>

#include "armilla/ops/device.h"

namespace armilla {

// After a failure the CPU replaces the device for some seconds. Used in the window's thread.
class LiveDevice {
public:
    // `chosen` returns the device of the session.
    explicit LiveDevice(std::function<Device()> chosen) : chosen_(std::move(chosen)) {}

    Device chosen() const { return chosen_(); }
    // The chosen device, or the CPU while the device rests.
    Device now() const { return rests_.hasExpired() ? chosen_() : Device::cpu(); }
    // Sets the CUDA device whose memory the window draws from. Returns false if nothing changes.
    bool setDrawing(std::optional<int> index) { return std::exchange(drawing_, index) != index; }
    // True if the chosen device can be used now, and the window draws from its memory.
    bool draws() const {
        const Device device = chosen_();
        return device.kind == DeviceKind::Cuda && drawing_ == device.index && rests_.hasExpired();
    }
    // The device has failed. Returns true if the user is not yet notified of failures since the
    // last success: one message serves all steps of a slider.
    bool rest(int milliseconds = kRestMilliseconds) {
        rests_.setRemainingTime(milliseconds);
        return !std::exchange(isFailureReported_, true);
    }
    void succeeded() { isFailureReported_ = false; }

private:
    // Long enough for another program to end its work, short enough to notice.
    static constexpr int kRestMilliseconds = 5000;

    std::function<Device()> chosen_;
    std::optional<int> drawing_;
    QDeadlineTimer rests_{0};
    bool isFailureReported_ = false;
};

}  // namespace armilla
