// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/ring_blocks.h"

#include <algorithm>
#include <cmath>

namespace armilla {

std::vector<RingBlock> ringBlocks(const HealpixRings& rings, double radius, double end, int lastL) {
    const int64_t nside = rings.nside, north = 2 * nside;
    const auto sine = [&](int64_t r) { return rings.ring[static_cast<size_t>(r)].s; };
    std::vector<RingBlock> blocks;
    for (int64_t r = 1; r <= north; r = blocks.back().targets.last + 1) {
        RingBlock block;
        // Near the pole rings differ much in their modes.
        block.targets = {r, std::min({r + kRingsOfBlock - 1, north, r < 8 ? r : 2 * r})};
        if (r < nside) block.targets.last = std::min(block.targets.last, nside - 1);
        const int64_t last = block.targets.last;
        block.sources = {ringsAround(rings.theta.data(), rings.count, r, radius).first,
                         ringsAround(rings.theta.data(), rings.count, last, radius).last};
        block.modes = lastMode(lastL, sine(last), sine(std::min(block.sources.last, north))) + 1;
        // The longest reach is between the shortest rings; rings behind the pole come first.
        const double narrow =
            sine(r) * std::min(sine(block.sources.first), sine(block.sources.last));
        const double square = 0.5 * end / narrow;
        const double reach = square < 1.0 ? 2.0 * std::asin(std::sqrt(square)) : kPi;
        block.folded = block.modes - 1 > north && r >= nside && block.sources.first >= nside &&
                       block.sources.last <= 3 * nside && reach <= 0.9 * kPi;
        if (block.folded) block.modes = static_cast<int>(north) + 1;
        // Number of samples for which k_m does not alias below its last mode.
        block.step = kPi / block.steps();
        block.terms = std::min(static_cast<int>(reach / block.step) + 2, block.steps() + 1);
        blocks.push_back(block);
    }
    return blocks;
}

std::vector<int> sourceModes(const HealpixRings& rings, std::span<const RingBlock> blocks) {
    std::vector<int> last(static_cast<size_t>(2 * rings.nside), -1);
    for (const RingBlock& block : blocks)
        for (int64_t r = block.sources.first; r <= block.sources.last; ++r) {
            int& modes = last[static_cast<size_t>(std::min(r, 4 * rings.nside - r)) - 1];
            modes = std::max(modes, block.modes - 1);
        }
    return last;
}

bool widenModes(std::vector<int>& held, std::span<const int> needed, int64_t nside) {
    bool less = false;
    for (size_t i = 0; i < held.size(); ++i) less = less || needed[i] > held[i];
    if (!less) return false;
    // If all modes up to the belt's Nyquist limit are needed, they are folded there, and narrower
    // kernels need no more. Below that limit a margin is added: near the caps, where nothing is
    // folded, successive rings exceed the limit, and each would need a separate widening.
    const auto folded = static_cast<int>(2 * nside);
    for (size_t i = 0; i < held.size(); ++i) {
        const int need = needed[i];
        held[i] = std::max(held[i], need == folded ? need : need + need / 4);
    }
    return true;
}

std::vector<double> ringFactors(const HealpixRings& rings, std::span<const double> ringWeights) {
    const int64_t nside = rings.nside;
    std::vector<double> factor(rings.ring.size(),
                               4.0 * kPi / static_cast<double>(12 * nside * nside));
    for (int64_t r = 1; r <= rings.count && !ringWeights.empty(); ++r)
        factor[static_cast<size_t>(r)] *=
            ringWeights[static_cast<size_t>(std::min(r, 4 * nside - r)) - 1];
    return factor;
}

std::vector<size_t> ringLengths(const HealpixRings& rings) {
    std::vector<size_t> lengths;
    for (int64_t r = 1; r <= 2 * rings.nside; ++r)
        lengths.push_back(static_cast<size_t>(4 * rings.ring[static_cast<size_t>(r)].quarter));
    return lengths;
}

}  // namespace armilla
