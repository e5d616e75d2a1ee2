// SPDX-License-Identifier: GPL-3.0-or-later
#include "move_threshold.h"

#include "armilla/session/candidate_thresholds.h"

namespace armilla {

namespace {

constexpr int kThresholdCommand = 0x5e62;

}  // namespace

MoveThreshold::MoveThreshold(CandidateThresholds& thresholds, int gesture, double to)
    : thresholds_(thresholds),
      layer_(thresholds.reviewed()),
      gesture_(gesture),
      before_(thresholds.value()),
      after_(to) {
    setText(CandidateThresholds::tr("Threshold %1 σ").arg(after_, 0, 'g', 3));
}

int MoveThreshold::id() const {
    return kThresholdCommand;
}

bool MoveThreshold::mergeWith(const QUndoCommand* other) {
    const auto* next = static_cast<const MoveThreshold*>(other);
    if (next->layer_ != layer_ || next->gesture_ != gesture_) return false;
    after_ = next->after_;
    setText(next->text());
    return true;
}

void MoveThreshold::apply(double to) const {
    thresholds_.setOf(layer_, to);
}

}  // namespace armilla
