// SPDX-License-Identifier: GPL-3.0-or-later
// Significance thresholds of reviewed catalogs, with undo.
#pragma once

#include <QObject>
#include <map>

#include "armilla/session/layer_id.h"

class QUndoStack;

namespace armilla {

// Each catalog has its own threshold, also while another catalog is reviewed. Used only in the
// window's thread.
class CandidateThresholds : public QObject {
    Q_OBJECT
public:
    // The stack must outlive this object.
    explicit CandidateThresholds(QUndoStack& undo, QObject* parent = nullptr);

    // The reviewed layer; `least` is its threshold until another one is set. Emits no signal.
    void setReviewed(LayerId layer, double least);
    LayerId reviewed() const { return reviewed_; }

    // The threshold of the reviewed layer.
    double value() const { return value_; }
    void set(double threshold) { setOf(reviewed_, threshold); }
    void setOf(LayerId layer, double threshold);
    // Sets the threshold as a history step; changes of one gesture merge until endGesture().
    void move(double threshold);
    void endGesture() { ++gesture_; }

    // The thresholds that were set, by layer.
    const std::map<LayerId, double>& all() const { return all_; }
    void restore(std::map<LayerId, double> thresholds);

signals:
    void changed();

private:
    QUndoStack& undo_;
    std::map<LayerId, double> all_;
    LayerId reviewed_;
    int gesture_ = 0;
    double least_ = 0.0, value_ = 0.0;
};

}  // namespace armilla
