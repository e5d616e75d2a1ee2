// SPDX-License-Identifier: GPL-3.0-or-later
// Argument checks that the host's pixel functions have in common.
#pragma once

#include <string>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"

namespace armilla {

inline void checkPixel(int64_t nside, Ordering ordering, int64_t pixel) {
    checkNside(nside, ordering);
    if (pixel < 0 || pixel >= pixelCount(nside))
        throw InvalidArgument("expected a pixel from 0 to " +
                              std::to_string(pixelCount(nside) - 1) + ", found " +
                              std::to_string(pixel));
}

// The last ring with centers at colatitude `theta` or above; 0 above the first ring.
inline int64_t ringAtOrAbove(int64_t nside, double theta) {
    const double n = static_cast<double>(nside), z = std::cos(theta);
    double rings = n * (2.0 - 1.5 * z);
    if (z > 2.0 / 3.0) {
        rings = n * std::sqrt(6.0) * std::sin(0.5 * theta);  // sqrt(3 (1 - z))
    } else if (z < -2.0 / 3.0) {
        rings = n * (4.0 - std::sqrt(6.0) * std::sin(0.5 * (kPi - theta)));
    }
    const auto ring = static_cast<int64_t>(rings);
    return ring < 0 ? 0 : detail::atMost(ring, 4 * nside - 1);
}

}  // namespace armilla
