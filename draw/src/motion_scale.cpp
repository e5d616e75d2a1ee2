// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/motion_scale.h"

namespace armilla {

namespace {

constexpr double kSteps[] = {1.0, 0.75, 0.5, 1.0 / 3.0, 0.25};
// Weight of a new measurement: a single slow frame must not make the next ones coarse.
constexpr double kNewShare = 0.3;
// A finer step must leave this fraction of the budget free; otherwise the scale would alternate
// between two steps.
constexpr double kHeadroom = 0.8;

}  // namespace

void MotionScale::drawn(double scale, double seconds) {
    if (!(scale > 0.0) || !(seconds > 0.0)) return;
    const double full = seconds / (scale * scale);
    fullFrame_ = fullFrame_ == 0.0 ? full : fullFrame_ + kNewShare * (full - fullFrame_);
    for (const double step : kSteps) {
        const double limit = step > scale_ ? kHeadroom * budget_ : budget_;
        scale_ = step;
        if (fullFrame_ * step * step <= limit) return;
    }
}

}  // namespace armilla
