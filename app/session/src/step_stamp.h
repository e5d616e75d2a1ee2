// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the history: changes of one kind within a time and a gesture merge into one step.
#pragma once

#include <QElapsedTimer>
#include <QUndoCommand>
#include <functional>
#include <utility>

namespace armilla {

// Ids of commands that merge.
inline constexpr int kViewCommand = 1;  // also steps that open a layer (layer_steps.cpp)
inline constexpr int kScaleCommand = 2;
inline constexpr int kStyleCommand = 3;
inline constexpr int kOverlayCommand = 4;
inline constexpr int kToolCommand = 5;

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

// A step of the history from one value to another, which takes over later steps of its kind.
template <typename Value>
class ValueStep : public QUndoCommand {
protected:
    ValueStep(const QString& text, Value from, Value to, int gesture)
        : QUndoCommand(text), from_(std::move(from)), to_(std::move(to)), stamp_(gesture) {}

    bool isJoinedBy(const ValueStep& later) const { return stamp_.joins(later.stamp_); }
    // A step that leads back to its own beginning goes.
    template <typename Same = std::equal_to<>>
    void take(const ValueStep& later, const Same& same = {}) {
        to_ = later.to_;
        stamp_ = later.stamp_;
        setObsolete(same(from_, to_));
    }

    Value from_, to_;

private:
    StepStamp stamp_;
};

}  // namespace armilla
