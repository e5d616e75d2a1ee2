// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/candidate_thresholds.h"

#include <QUndoStack>
#include <cmath>
#include <utility>

#include "move_threshold.h"

namespace armilla {

CandidateThresholds::CandidateThresholds(QUndoStack& undo, QObject* parent)
    : QObject(parent), undo_(undo) {}

void CandidateThresholds::setReviewed(LayerId layer, double least) {
    reviewed_ = layer;
    least_ = least;
    const auto own = all_.find(layer);
    value_ = own == all_.end() ? least_ : own->second;
}

void CandidateThresholds::setOf(LayerId layer, double threshold) {
    if (!layer.isValid() || !std::isfinite(threshold)) return;
    const bool isReviewed = layer == reviewed_;
    if (isReviewed && threshold == value_) return;
    all_[layer] = threshold;
    if (isReviewed) value_ = threshold;
    emit changed();
}

void CandidateThresholds::move(double threshold) {
    if (threshold == value_ || !std::isfinite(threshold)) return;
    undo_.push(new MoveThreshold(*this, gesture_, threshold));
}

void CandidateThresholds::restore(std::map<LayerId, double> thresholds) {
    all_ = std::move(thresholds);
    setReviewed(reviewed_, least_);
    emit changed();
}

}  // namespace armilla

#include "armilla/session/moc_candidate_thresholds.cpp"
