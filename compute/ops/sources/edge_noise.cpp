// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/edge_noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "convolve/sky_values.h"
#include "sources/sky_cells.h"

namespace armilla::sources {

namespace {

// Twenty beams of fifteen pixels give an rms to a sixth.
constexpr size_t kLeastSamples = 300;
// Larger maps are sampled evenly with at most this many pixels.
constexpr size_t kLooked = 4000000;

}  // namespace

EdgeNoise::EdgeNoise(std::span<const double> filtered, std::span<const double> rms,
                     std::span<const float> share) {
    factors_.fill(1.0);
    std::array<std::vector<double>, kBins> samples;
    const size_t stride = share.size() / kLooked + 1;
    for (size_t p = 0; p < share.size(); p += stride) {
        const double missed = 1.0 - static_cast<double>(share[p]);
        if (!(missed > kLeast) || !std::isfinite(filtered[p])) continue;
        const int octave = std::ilogb(missed / kLeast);
        samples[std::min(static_cast<size_t>(octave), kBins - 1)].push_back(filtered[p] / rms[p]);
    }
    for (size_t i = 0; i < kBins; ++i) {
        const double rise = clippedRms(samples[i], kLeastSamples);
        // With too few samples, the factor of the next smaller missing fraction applies.
        if (std::isfinite(rise))
            factors_[i] = std::max(1.0, rise);
        else if (i > 0)
            factors_[i] = factors_[i - 1];
    }
}

double EdgeNoise::factor(float share) const {
    const double missed = 1.0 - static_cast<double>(share);
    if (!(missed > kLeast)) return 1.0;
    // Interpolates between the middles of the octaves, beginning at 1.
    const double at = std::log2(missed / kLeast) - 0.5;
    if (at < 0.0) return 1.0 + (factors_[0] - 1.0) * (2.0 * at + 1.0);
    const auto low = std::min(static_cast<size_t>(at), kBins - 1);
    const size_t high = std::min(low + 1, kBins - 1);
    const double part = std::min(at - static_cast<double>(low), 1.0);
    return factors_[low] + part * (factors_[high] - factors_[low]);
}

void EdgeNoise::raise(std::span<const float> share, std::span<double> rms, JobContext& job) const {
    if (std::all_of(factors_.begin(), factors_.end(), [](double f) { return f == 1.0; })) return;
    parallelFor(job, static_cast<long long>(share.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                        rms[p] *= factor(share[p]);
                });
}

}  // namespace armilla::sources
