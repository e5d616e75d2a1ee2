// SPDX-License-Identifier: GPL-3.0-or-later
// The time a job still needs, from its progress so far.
#pragma once

namespace armilla {

// Feed with (seconds since the start, share done); ask at any time. The rate is an exponential mean
// over the last few seconds, so that one slow or fast stage does not make the figure jump.
class TimeLeft {
public:
    void update(double seconds, double fraction);
    // Negative while not known: in the first moments, and before anything is done.
    double secondsLeft(double now) const;

private:
    double lastSeconds_ = 0.0, lastFraction_ = 0.0, rate_ = 0.0;
};

}  // namespace armilla
