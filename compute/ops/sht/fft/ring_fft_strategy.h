// SPDX-License-Identifier: GPL-3.0-or-later
// How a CUDA device transforms a ring of some length (see ring_fft_cuda.h). The host uses it, too,
// to partition rings by their cost.
#pragma once

#include <cstddef>
#include <cstdint>

#include "armilla/core/hd.h"

namespace armilla::cuda {

// Methods for transforms of length p.
// - Whole: directly, p = N, all parts of a pair in shared memory.
// - Direct: directly, p = N, one part at a time.
// - Apart: as several transforms of length N, p up to 2^kMostLogApart N.
// - Convolution: as convolutions of length N.
// - Twisted: as parts of length N of longer convolutions.
enum class RingFftKind { Whole, Direct, Apart, Convolution, Twisted };

inline constexpr int kLogRoots = 13;  // the longest N
inline constexpr int kMostLogApart = 3;
// The shortest N of a convolution.
inline constexpr int kLogLeastConvolution = 10;

struct RingFftStrategy {
    RingFftKind kind = RingFftKind::Direct;
    int logSize = 0;  // log2 of N
    int longest = 0;  // longest ring, samples

    // e^{i pi j / n} of a ring of n samples is the product of one of 2^logLow and one of kMostHighs
    // numbers.
    static constexpr int kMostHighs = 128;
    ARMILLA_HD int logLow() const {
        int log = 6;
        while (kMostHighs << log < longest) ++log;
        return log;
    }
    // e^{2 pi i k / 2^logLong} of twists is the product of one of 2^twistLow(logLong) numbers and
    // one of 2^(logLong - twistLow(logLong)).
    ARMILLA_HD static int twistLow(int logLong) { return (logLong + 1) / 2; }
    // Bytes of shared memory.
    size_t sharedBytes() const;
};

// Pairs of one launch.
struct RingFftBatch : RingFftStrategy {
    const int* pairs = nullptr;
    int count = 0;
};

// Number of parts of a ring's spectrum; each has a separate transform.
ARMILLA_HD inline int splitOf(int64_t length) {
    return length % 4 == 0 ? 4 : length % 2 == 0 ? 2 : 1;
}

// A ring of `length` samples in a grid with `sharing` pairs of that length and rings of up to
// `longest` samples.
struct RingFftNeed {
    int64_t length = 0, longest = 0, sharing = 0;
    size_t sharedBytes = 0;  // shared memory of a block
};
// Throws Unsupported if the circle of the longest ring leaves too little shared memory.
RingFftStrategy ringFftStrategy(const RingFftNeed& need);
// Arithmetic of a pair of such rings, in complex multiply-adds.
double ringFftCost(const RingFftNeed& need);

}  // namespace armilla::cuda
