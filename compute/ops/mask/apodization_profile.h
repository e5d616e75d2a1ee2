// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "armilla/ops/mask.h"

namespace armilla::mask {

// The apodization function of the sine of half the angle from the nearest bad pixel.
class ApodizationProfile {
public:
    ApodizationProfile(Apodization kind, double angle)
        : kind_(kind), angle_(angle), halfChord_(std::sin(0.5 * angle)) {}

    double at(double halfChord) const {
        if (kind_ == Apodization::Gaussian) {
            const double x = 6.0 * std::asin(halfChord) / angle_;
            return 1.0 - std::exp(-0.5 * x * x);
        }
        const double x = halfChord / halfChord_;
        if (x >= 1.0) return 1.0;
        return kind_ == Apodization::C1 ? x - std::sin(kTwoPi * x) / kTwoPi
                                        : 0.5 * (1.0 - std::cos(kPi * x));
    }
    // Beyond this angle the function is 1. At three times the angle, the Gaussian differs from 1 by
    // 3e-18 of its square.
    double limit() const {
        return kind_ == Apodization::Gaussian ? std::fmin(kPi, 3.0 * angle_) : angle_;
    }

private:
    Apodization kind_;
    double angle_, halfChord_;
};

}  // namespace armilla::mask
