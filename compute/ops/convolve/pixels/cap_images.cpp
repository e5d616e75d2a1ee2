// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/cap_images.h"

#include <algorithm>
#include <cmath>

namespace armilla {

namespace {

bool servedByImages(const HealpixRings& rings, int64_t r, double radius, double end) {
    const RingSpan span = ringsAround(rings.theta.data(), rings.count, r, radius);
    const HealpixRing& target = rings.ring[static_cast<size_t>(r)];
    for (int64_t k = span.first; k <= span.last; ++k) {
        const HealpixRing& source = rings.ring[static_cast<size_t>(k)];
        const RingPair pair = ringPair(target, source, end);
        if (pair.reach < 0.0) continue;
        const auto p = static_cast<double>(source.quarter);
        // A warp of targets is at least half filled. Rings with fewer targets and as many taps are
        // faster with single threads.
        constexpr double kLeastTargets = 16.0;
        if (pair.reach / kHalfPi * p + 2.0 + kLeastTargets > 0.5 * p) return false;
    }
    return true;
}

}  // namespace

int64_t firstByImages(const HealpixRings& rings, int64_t last, double radius, double end) {
    // If a ring can use images, so can all rings farther from the pole.
    int64_t low = 1, high = last + 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (servedByImages(rings, middle, radius, end))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

std::vector<int64_t> eighthOffsets(const HealpixRings& rings) {
    std::vector<int64_t> offsets(static_cast<size_t>(2 * rings.nside) + 2, 0);
    for (int64_t r = 1; r <= 2 * rings.nside; ++r)
        offsets[static_cast<size_t>(r) + 1] =
            offsets[static_cast<size_t>(r)] + eighthCount(rings.ring[static_cast<size_t>(r)]);
    return offsets;
}

}  // namespace armilla
