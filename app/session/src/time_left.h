// SPDX-License-Identifier: GPL-3.0-or-later
// Remaining time of a job, from its progress.
#pragma once

namespace armilla {

// Call update() with the seconds since the start and the completed fraction. The rate is an
// exponential mean over the last few seconds, so that one slow or fast stage does not make the
// result jump.
class TimeLeft {
public:
    void update(double seconds, double fraction);
    // Negative while unknown: in the first moments, and before the first progress.
    double secondsLeft(double now) const;

private:
    double lastSeconds_ = 0.0, lastFraction_ = 0.0, rate_ = 0.0;
};

}  // namespace armilla
