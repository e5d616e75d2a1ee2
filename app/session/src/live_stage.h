// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a live preview, of smoothing, a filter or a tool.
#pragma once

namespace armilla {

enum class LiveStage {
    None,            // no request, or the last one failed, was stopped or is left to Run
    Coarse,          // a job computes the first result: the viewed region, or a coarse one of all
    CoarseOutdated,  // the same, while a newer request waits for its end
    Outdated,        // that job has ended, and the newer request starts next
    Refined,         // a job computes finer results, or the whole one, or starts after a rest
    OnDevice,        // the device that draws computes pictures
    OnDeviceAtRest,  // the same for the last width of a resting slider, without sums of kept maps
    Whole,           // the live result is complete
};

constexpr bool isBusy(LiveStage stage) {
    return stage != LiveStage::None && stage != LiveStage::Whole;
}

// The first picture of a request is in progress.
constexpr bool isCoarse(LiveStage stage) {
    return stage == LiveStage::Coarse || stage == LiveStage::CoarseOutdated;
}

// The stage after the job of the first picture.
constexpr LiveStage afterCoarse(LiveStage stage) {
    return stage == LiveStage::CoarseOutdated ? LiveStage::Outdated
           : stage == LiveStage::Coarse       ? LiveStage::Refined
                                              : stage;
}

}  // namespace armilla
