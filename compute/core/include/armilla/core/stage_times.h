// SPDX-License-Identifier: GPL-3.0-or-later
// Elapsed time by stage of a job.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "armilla/core/seconds_since.h"

namespace armilla {

// Seconds of the stages that a job reports, for benchmarks: each lasts until the next one begins.
class StageTimes {
public:
    // Begins a stage, or goes on with the present one. Empty: none.
    void enter(std::string_view stage) {
        if (stage == stage_) return;
        if (!stage_.empty()) seconds_[stage_] += secondsSince(start_);
        stage_ = stage;
        start_ = std::chrono::steady_clock::now();
    }
    // Complete stages.
    const std::map<std::string, double>& seconds() const { return seconds_; }

private:
    std::string stage_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::map<std::string, double> seconds_;
};

}  // namespace armilla
