// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

#include "armilla/core/sky_vector.h"

namespace armilla {

// e^{i m angle}, m = 0, 1, ...: a phase recurrence that restarts at every 64th m, so that errors do
// not grow.
class PhaseRecurrence {
public:
    explicit PhaseRecurrence(double angle) : angle_(angle), step_(std::polar(1.0, angle)) {}
    std::complex<double> next() {
        if (m_ % 64 == 0)
            now_ = std::polar(1.0, std::remainder(static_cast<double>(m_) * angle_, kTwoPi));
        const std::complex<double> value = now_;
        now_ = std::complex<double>(now_.real() * step_.real() - now_.imag() * step_.imag(),
                                    now_.real() * step_.imag() + now_.imag() * step_.real());
        ++m_;
        return value;
    }

private:
    double angle_;
    std::complex<double> step_, now_;
    int64_t m_ = 0;
};

}  // namespace armilla
