// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/device_latitudes.h"

#include <algorithm>

#include "shared/band_interpolation.h"
#include "shared/legendre_recurrence.h"

namespace armilla {

namespace {

// Interpolation in latitude pays if it reduces the number of latitudes by this factor. Below this
// lmax a transform takes less than a millisecond.
constexpr double kBandGain = 1.25;
constexpr int kBandLmax = 512;

}  // namespace

bool interpolatesLatitudes(int lmax, const RingGrid& grid,
                           std::span<const std::pair<int, int>> pairs) {
    // Images of rings at the equator exist for complete pairs only.
    for (const auto& [north, south] : pairs)
        if (south < 0 && grid.rings[static_cast<size_t>(north)].z != 0.0) return false;
    return lmax >= kBandLmax && kBandGain * bandPairs(lmax + 1) < static_cast<double>(pairs.size());
}

bool mayInterpolateLatitudes(const RingGrid& grid, std::span<const std::pair<int, int>> pairs) {
    return interpolatesLatitudes(kBandLmax, grid, pairs);
}

int midpointsFor(int lmax) {
    return (bandPairs(lmax + 1) + kLatitudeGroup - 1) / kLatitudeGroup * kLatitudeGroup;
}

std::vector<int> orderLimits(std::span<const Ring> latitudes, int lmax, int mmax, int spin) {
    constexpr size_t kGroup = kLatitudeGroup;
    std::vector<int> limits((latitudes.size() + kGroup - 1) / kGroup * kGroup);
    int most = 0;
    for (size_t i = 0; i < latitudes.size(); ++i) {
        const Ring& ring = latitudes[i];
        // Goes down to the largest m that is not beyond the limit for that m.
        int m = mmax;
        while (true) {
            const double useful = usefulOrder(lmax, m, spin, ring.sinTheta, ring.z);
            if (useful >= m) break;
            m = static_cast<int>(useful);
        }
        most = std::max(most, m);
        limits[i] = most;
    }
    for (size_t group = 0; group < limits.size(); group += kGroup) {
        const size_t end = std::min(group + kGroup, latitudes.size());
        std::fill(limits.begin() + static_cast<std::ptrdiff_t>(group),
                  limits.begin() + static_cast<std::ptrdiff_t>(group + kGroup), limits[end - 1]);
    }
    return limits;
}

std::vector<int> firstThatSee(std::span<const int> limits, int mmax) {
    std::vector<int> first;
    for (int m = 0; m <= mmax; ++m)
        first.push_back(
            static_cast<int>(std::lower_bound(limits.begin(), limits.end(), m) - limits.begin()));
    return first;
}

}  // namespace armilla
