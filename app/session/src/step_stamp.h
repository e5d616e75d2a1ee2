// SPDX-License-Identifier: GPL-3.0-or-later
// Time and gesture of a step of the history: changes of one kind merge into one step.
#pragma once

#include <QElapsedTimer>

namespace armilla {

// Ids of commands that merge.
inline constexpr int kViewCommand = 1;  // also steps that open a layer (layer_steps.cpp)
inline constexpr int kScaleCommand = 2;
inline constexpr int kStyleCommand = 3;
inline constexpr int kOverlayCommand = 4;

// Stamp of the latest change of a step.
struct StepStamp {
    // Changes of one kind within this time and one gesture merge. View changes use many gestures,
    // but still merge.
    static constexpr qint64 kMergeMilliseconds = 2000;

    explicit StepStamp(int ofGesture) : gesture(ofGesture) { clock.start(); }
    bool isSoon(const StepStamp& later) const {
        return clock.msecsTo(later.clock) <= kMergeMilliseconds;
    }
    bool joins(const StepStamp& later) const { return gesture == later.gesture && isSoon(later); }
    int gesture;
    QElapsedTimer clock;
};

}  // namespace armilla
