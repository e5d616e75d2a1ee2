// SPDX-License-Identifier: GPL-3.0-or-later
// Partition of rings into blocks that are convolved together by their modes, and the blocks' modes:
// the same on every device.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "convolve/pixels/ring_pairs.h"

namespace armilla {

// Target rings of the north with common sources and common samples of K. The modes k_m of K are
// cosine sums of these samples. Devices agree to rounding if they take the same modes of the same
// samples, wherever the kernel ends. With fewer or other modes they differ by the kernel's value at
// its end.
struct RingBlock {
    RingSpan targets, sources;
    // Between rings of the belt whose k_m reach beyond the Nyquist limit, m = 2 nside: the samples
    // are at the pixels themselves, which gives folded k_m. Between rings of different shift the
    // samples are half a step further.
    bool folded = false;
    int modes = 0;  // m = 0 .. modes - 1
    int terms = 0;  // samples: at t step, or (t + 1/2) step, t = 0 .. terms - 1
    double step = 0.0;

    // Number of steps in pi.
    int steps() const { return folded ? modes - 1 : modes; }
};

// The blocks of the rings 1 .. 2 nside, in order; no block crosses the border of the caps. The
// kernel ends at `radius`, y = `end`, its B_l at `lastL`.
inline constexpr int64_t kRingsOfBlock = 8;
std::vector<RingBlock> ringBlocks(const HealpixRings& rings, double radius, double end, int lastL);

// For each pair of rings 1 .. 2 nside, the last mode that blocks use of it as a source; -1: none.
std::vector<int> sourceModes(const HealpixRings& rings, std::span<const RingBlock> blocks);
// Raises `held`, the last modes of maps stored as modes, to `needed` where that is more, and
// returns whether anything changed. Then a margin is added everywhere, because each further width
// brings some ring within reach of another or needs one mode more.
bool widenModes(std::vector<int>& held, std::span<const int> needed, int64_t nside);

// The position of mode m of a ring of n samples among the modes up to n / 2: F_{m + q n} = e^{-i q
// n phi_0} F_m, and beyond half the length the conjugate of the mirrored mode.
struct ModePlace {
    size_t at = 0;
    bool back = false;
    double sign = 1.0;  // sign of the phase, for a ring shifted by half a step
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

// The factors of each ring's samples: 4 pi over the number of pixels, times the ring weight (about
// 1, for rings 1 .. 2 nside, or none).
std::vector<double> ringFactors(const HealpixRings& rings, std::span<const double> ringWeights);
// Numbers of pixels of the rings 1 .. 2 nside.
std::vector<size_t> ringLengths(const HealpixRings& rings);

}  // namespace armilla
