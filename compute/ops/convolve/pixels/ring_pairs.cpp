// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/ring_pairs.h"

namespace armilla {

HealpixRings::HealpixRings(int64_t nsideOfMap) : nside(nsideOfMap), count(4 * nsideOfMap - 1) {
    ring.resize(static_cast<size_t>(count) + 1);
    theta.resize(ring.size());
    for (int64_t r = 1; r <= count; ++r) {
        const auto i = static_cast<size_t>(r);
        ring[i] = healpixRing(nside, r);
        theta[i] = colatitude(ring[i]);
    }
}

RingSpan beltTargets(const HealpixRings& rings, double radius, double end) {
    const int64_t nside = rings.nside;
    const auto inBelt = [&](int64_t r) {
        const RingSpan around = ringsAround(rings.theta.data(), rings.count, r, radius);
        if (around.first < nside || around.last > 3 * nside) return false;
        const HealpixRing& target = rings.ring[static_cast<size_t>(r)];
        for (int64_t k = around.first; k <= around.last; ++k)
            if (ringPair(target, rings.ring[static_cast<size_t>(k)], end).reach > 0.9 * kPi)
                return false;
        return true;
    };
    RingSpan belt{nside, 0};
    while (belt.first <= 2 * nside && !inBelt(belt.first)) ++belt.first;
    belt.last = 4 * nside - belt.first;
    return belt;
}

int lastMode(int lastL, double sine, double otherSine) {
    const double x = lastL * std::sqrt(sine * otherSine);
    return static_cast<int>(
        std::min(std::ceil(x + 16.0 + 6.0 * std::cbrt(x)), static_cast<double>(lastL) + 1.0));
}

}  // namespace armilla
