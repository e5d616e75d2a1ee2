// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

namespace armilla {

class CandidateThresholds;

// A history step: a new threshold of a review. Steps of one gesture merge. Belongs to one catalog,
// also while another one is reviewed.
class MoveThreshold : public QUndoCommand {
public:
    // `thresholds` must outlive this object.
    MoveThreshold(CandidateThresholds& thresholds, int gesture, double to);
    int id() const override;
    bool mergeWith(const QUndoCommand* other) override;
    void undo() override { apply(before_); }
    void redo() override { apply(after_); }

private:
    void apply(double to) const;

    CandidateThresholds& thresholds_;
    LayerId layer_;
    int gesture_;
    double before_, after_;
};

}  // namespace armilla
