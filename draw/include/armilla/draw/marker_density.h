// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of pictures of the density of markers; marker_density.frag has the same.
#pragma once

#include <algorithm>
#include <cmath>

#include "armilla/draw/markers.h"

namespace armilla {

// Radius in image pixels of the disc over which a marker counts. Larger markers would hide what the
// density shows.
inline double densityRadius(const MarkerStyle& style, double pixelRatio) {
    constexpr double kMost = 1.5;  // logical pixels
    return std::min(0.5 * style.size, kMost) * pixelRatio;
}
// Pixels from the middle of a disc to the last pixel that it touches.
inline int densityReach(double radius) {
    return static_cast<int>(std::ceil(radius + 0.5));
}
// Share of a pixel at this distance that is in the disc.
inline double densityShare(double distance, double radius) {
    return std::clamp(0.5 + radius - distance, 0.0, 1.0);
}

// Opacity by density. The scale depends on two averages of the picture, so that it is steady while
// the view moves: over the covered pixels, and over the markers (sum of squares by sum).
struct DensityTone {
    double overPixels = 1.0, overMarkers = 1.0;

    static DensityTone of(double sum, double squares, double covered) {
        if (!(sum > 0.0)) return {};
        return {sum / covered, squares / sum};
    }
    double alpha(double density) const {
        constexpr double kLeast = 0.2, kPeak = 4.0;
        const double rise =
            std::asinh(density / overPixels) / std::asinh(kPeak * overMarkers / overPixels);
        return std::min(density, 1.0) * (kLeast + (1.0 - kLeast) * std::min(rise, 1.0));
    }
};

}  // namespace armilla
