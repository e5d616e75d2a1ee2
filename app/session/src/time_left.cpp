// SPDX-License-Identifier: GPL-3.0-or-later
#include "time_left.h"

#include <algorithm>
#include <cmath>

namespace armilla {

namespace {
// Memory of the rate, seconds.
constexpr double kMemory = 3.0;
// No estimate before this time (seconds): early rates are noise, and short jobs need none.
constexpr double kSilence = 0.5;
// Progress reports closer than this (seconds) are merged, so that the rate is no quotient of tiny
// numbers.
constexpr double kMinInterval = 0.05;
}  // namespace

void TimeLeft::update(double seconds, double fraction) {
    const double elapsed = seconds - lastSeconds_;
    if (fraction <= lastFraction_ || elapsed < kMinInterval) return;
    const double rate = (fraction - lastFraction_) / elapsed;
    // The plain mean until `kMemory` has passed, the exponential mean from then on.
    const double weight = std::max(1.0 - std::exp(-elapsed / kMemory), elapsed / seconds);
    rate_ += weight * (rate - rate_);
    lastSeconds_ = seconds;
    lastFraction_ = fraction;
}

double TimeLeft::secondsLeft(double now) const {
    if (now < kSilence || rate_ <= 0.0) return -1.0;
    const double sinceReport = now - lastSeconds_;
    const double atReport = (1.0 - lastFraction_) / rate_;
    // An overdue job has not reported progress. The estimate then is the remaining fraction at the
    // last report, scaled by the elapsed time, instead of zero.
    const double overdue = lastFraction_ > 0.0 ? now * (1.0 - lastFraction_) / lastFraction_ : 0.0;
    return sinceReport < atReport ? atReport - sinceReport : overdue;
}

}  // namespace armilla
