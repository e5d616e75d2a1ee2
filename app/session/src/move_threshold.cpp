// SPDX-License-Identifier: GPL-3.0-or-later
#include "move_threshold.h"

#include "armilla/session/source_review.h"

namespace armilla {

namespace {

constexpr int kThresholdCommand = 0x5e62;

}  // namespace

MoveThreshold::MoveThreshold(SourceReview& review, int gesture, double to)
    : review_(review),
      layer_(review.layer()),
      gesture_(gesture),
      before_(review.threshold()),
      after_(to) {
    setText(SourceReview::tr("Threshold %1 σ").arg(after_, 0, 'g', 3));
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
    review_.setThresholdOf(layer_, to);
}

}  // namespace armilla
