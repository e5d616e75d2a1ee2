// SPDX-License-Identifier: GPL-3.0-or-later
// How a CUDA device transforms a ring of some length (ring_fft_cuda.h says what that means): told
// on the host, too, to those who deal rings out by what they cost.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hd.h"

namespace armilla::cuda {

// How transforms of length p are done: directly, p = N, all parts of a pair in shared memory, or
// one at a time; as some of length N, p up to 2^kMostLogApart N; as convolutions of length N; as N
// long parts of longer ones.
enum class RingFftKind { Whole, Direct, Apart, Convolution, Twisted };

inline constexpr int kLogRoots = 13;  // the longest N
inline constexpr int kMostLogApart = 3;
// The shortest N of a convolution.
inline constexpr int kLogLeastConvolution = 10;

struct RingFftWay {
    RingFftKind kind = RingFftKind::Direct;
    int logSize = 0;  // of N
    int longest = 0;  // ring

    // e^{i pi j / n} of a ring of n samples is made of 2^logLow numbers times kMostHighs others.
    static constexpr int kMostHighs = 128;
    ARMILLA_HD int logLow() const {
        int log = 6;
        while (kMostHighs << log < longest) ++log;
        return log;
    }
    // e^{2 pi i k / 2^logLong} of twists is made of 2^twistLow(logLong) numbers times as many
    // others as it takes.
    ARMILLA_HD static int twistLow(int logLong) { return (logLong + 1) / 2; }
    // Of shared memory.
    size_t sharedBytes() const;
};

// Pairs done in one launch.
struct RingFftBatch : RingFftWay {
    const int* pairs = nullptr;
    int count = 0;
};

// Parts of the spectrum of a ring, each of a transform of its own.
ARMILLA_HD inline int splitOf(int64_t length) {
    return length % 4 == 0 ? 4 : length % 2 == 0 ? 2 : 1;
}

// A ring of `length` samples, as there are `sharing` pairs of, beside rings of `longest` samples.
struct RingFftNeed {
    int64_t length = 0, longest = 0, sharing = 0;
    size_t sharedBytes = 0;  // of a block
};
// Throws Unsupported if the circle of the longest ring leaves too little room.
RingFftWay ringFftWay(const RingFftNeed& need);
// Arithmetic of a pair of such rings, in multiply-adds of complex numbers.
double ringFftCost(const RingFftNeed& need);

}  // namespace armilla::cuda
