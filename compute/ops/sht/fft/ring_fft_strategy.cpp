// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/fft/ring_fft_strategy.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "armilla/core/error.h"

namespace armilla::cuda {

namespace {

// A length with at least this number of pairs gets a separate launch. The remaining lengths, powers
// of two or not, are convolutions of few sizes.
constexpr int kPairsForDirect = 16;

}  // namespace

// Bytes of shared memory: the ring's circle, the transformed numbers, and a spectrum; also twists,
// of the longest possible part.
size_t RingFftStrategy::sharedBytes() const {
    const size_t size = size_t{1} << logSize;
    size_t numbers = (size_t{1} << logLow()) + kMostHighs;
    switch (kind) {
        case RingFftKind::Whole: numbers += static_cast<size_t>(longest); break;
        case RingFftKind::Direct:
        case RingFftKind::Apart: numbers += size; break;
        case RingFftKind::Convolution: numbers += size + size / 2 + 1; break;
        case RingFftKind::Twisted: {
            int logLong = logSize;
            while (int64_t{1} << logLong < 2 * int64_t{longest}) ++logLong;
            const int low = twistLow(logLong);
            numbers += 2 * size + (size_t{1} << low) + (size_t{1} << (logLong - low));
            break;
        }
    }
    return numbers * sizeof(std::complex<double>);
}

RingFftStrategy ringFftStrategy(const RingFftNeed& need) {
    const int64_t n = need.length, p = n / splitOf(n);
    const auto fits = [&](RingFftKind kind, int log) {
        return RingFftStrategy{kind, log, static_cast<int>(need.longest)}.sharedBytes() <=
               need.sharedBytes;
    };
    RingFftStrategy strategy{RingFftKind::Whole, 0, static_cast<int>(n)};
    if ((p & (p - 1)) == 0 && need.sharing >= kPairsForDirect) {
        while (int64_t{1} << strategy.logSize < p) ++strategy.logSize;
        const int logAll = strategy.logSize;
        if (logAll <= kLogRoots) {
            if (strategy.sharedBytes() <= need.sharedBytes) return strategy;
            strategy.kind = RingFftKind::Direct;
            if (fits(strategy.kind, strategy.logSize)) return strategy;
        }
        strategy.kind = RingFftKind::Apart;
        for (strategy.logSize = std::min(logAll - 1, kLogRoots);
             logAll - strategy.logSize <= kMostLogApart; --strategy.logSize)
            if (fits(strategy.kind, strategy.logSize)) return strategy;
    }
    strategy.kind = RingFftKind::Convolution;
    strategy.logSize = kLogLeastConvolution;
    while (int64_t{1} << strategy.logSize < 2 * p - 1) ++strategy.logSize;
    if (strategy.logSize <= kLogRoots && fits(strategy.kind, strategy.logSize)) return strategy;
    strategy.kind = RingFftKind::Twisted;
    strategy.logSize = kLogRoots - 1;
    while (strategy.logSize > kLogLeastConvolution && !fits(strategy.kind, strategy.logSize))
        --strategy.logSize;
    if (fits(strategy.kind, strategy.logSize)) return strategy;
    throw Unsupported("expected rings that a block of the device can transform, found one of " +
                      std::to_string(need.longest) + " samples");
}

// Cost of the q parts of length p: transforms of N numbers cost half a product for each number and
// step. If a convolution is too long for shared memory, each twist adds kTurn products for each
// number of input, output and chirp: chirp and twist, of two numbers each. Measured: the 30 ms of
// an H200 at nside 8192 are 6.3 times those at nside 4096, where there are no twists.
double ringFftCost(const RingFftNeed& need) {
    constexpr double kTurn = 4.0;
    const RingFftStrategy strategy = ringFftStrategy(need);
    const double q = splitOf(need.length), p = static_cast<double>(need.length) / q;
    const double transform =
        0.5 * strategy.logSize * static_cast<double>(int64_t{1} << strategy.logSize);
    // Each part forward and backward, and the chirp.
    const double convolution = (2.0 * q + 1.0) * transform;
    switch (strategy.kind) {
        case RingFftKind::Whole:
        case RingFftKind::Direct:
        case RingFftKind::Apart: return q * 0.5 * std::log2(p) * p;
        case RingFftKind::Convolution: return convolution;
        case RingFftKind::Twisted: break;
    }
    double twists = 1.0;
    while (twists * static_cast<double>(int64_t{1} << strategy.logSize) < 2.0 * p - 1.0)
        twists *= 2.0;
    return twists * (convolution + kTurn * (2.0 * q + 2.0) * p);
}

}  // namespace armilla::cuda
