// SPDX-License-Identifier: GPL-3.0-or-later
// Round steps of axes and scales.
#pragma once

#include <cmath>
#include <initializer_list>

namespace armilla {

// The smallest of 1, 2 and 5 times a power of ten that is at least `least`, up to rounding.
inline double roundStep(double least) {
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= least * (1.0 - 1e-9)) return factor * decade;
    return 10.0 * decade;
}

}  // namespace armilla
