// SPDX-License-Identifier: GPL-3.0-or-later
// Which rings are convolved together by their modes, and with what modes: the same on every device.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "convolve/ring_pairs.h"

namespace armilla {

// Target rings of the north that share their sources and the samples of K whose cosine sums are
// its modes k_m. Devices agree to rounding if they take the same modes of the same samples,
// wherever the kernel ends: with fewer or others they differ by as much as it has at its end.
struct RingBlock {
    RingSpan targets, sources;
    // Between rings of the belt whose k_m reach beyond the Nyquist limit, m = 2 nside: samples at
    // the pixels themselves, which give k_m folded there. Between a ring and one of the other shift
    // they are half a step further.
    bool folded = false;
    int modes = 0;  // m = 0 .. modes - 1
    int terms = 0;  // samples: at t step, or (t + 1/2) step, t = 0 .. terms - 1
    double step = 0.0;

    // In pi.
    int steps() const { return folded ? modes - 1 : modes; }
};

// Of the rings 1 .. 2 nside, in order; no block crosses the border of the caps. The kernel ends at
// `radius`, y = `end`, its B_l at `lastL`.
inline constexpr int64_t kRingsOfBlock = 8;
std::vector<RingBlock> ringBlocks(const HealpixRings& rings, double radius, double end, int lastL);

// The last mode that blocks take of their sources, of each pair of rings 1 .. 2 nside; -1: none.
std::vector<int> sourceModes(const HealpixRings& rings, std::span<const RingBlock> blocks);
// Brings `held`, of maps that are kept as modes, to what is needed where that is more, and returns
// whether it was. Then there are some more everywhere: with each next width some ring comes within
// reach of another, or needs a mode more.
bool widenModes(std::vector<int>& held, std::span<const int> needed, int64_t nside);

// Where F_m of a ring of n samples is among those up to n / 2: F_{m + q n} = e^{-i q n phi_0} F_m,
// and beyond half the length the conjugate of what lies on the other side.
struct ModePlace {
    size_t at = 0;
    bool back = false;
    double sign = 1.0;  // of the phase, where the ring is turned by half a step
};
inline ModePlace placeOfMode(size_t m, size_t n, bool turned) {
    size_t q = m / n, k = m % n;
    const bool back = k > n / 2;
    if (back) {
        k = n - k;
        ++q;
    }
    return {k, back, turned && q % 2 == 1 ? -1.0 : 1.0};
}

// What the samples of each ring are multiplied by: 4 pi over the pixels, times its weight, of rings
// 1 .. 2 nside about 1, or none.
std::vector<double> ringFactors(const HealpixRings& rings, std::span<const double> ringWeights);
// Pixels of the rings 1 .. 2 nside.
std::vector<size_t> ringLengths(const HealpixRings& rings);

}  // namespace armilla
