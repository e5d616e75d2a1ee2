// SPDX-License-Identifier: GPL-3.0-or-later
// The longitude part of spherical harmonic transforms on a CUDA device: Fourier coefficients of
// ring pairs to samples and back, in place, for rings of any length; a block of threads for each
// pair, all lengths of a class in one launch.
//
// A ring of n = q p samples, q the largest of 4, 2, 1 that divides n, is split in frequency: the
// parts t = q u + w of its spectrum, w = 0 .. q - 1, are q transforms of length p. North and south
// of a pair are packed as one complex row where a part is its own mirror (w = 0, and w = q / 2);
// of w = 1 and w = 3, q = 4, which mirror each other, the first is done for north and for south.
// So q transforms serve the two rings, and each part is unpacked by itself.
//
// A length p that is no power of two is a convolution with e^{i pi j^2 / p} (L. I. Bluestein, IEEE
// Trans. Audio 18 (1970) 451) of length L >= 2 p - 1, a power of two; where L is longer than
// shared memory holds, it is made of L / N convolutions of length N that are cyclic but for a
// twist e^{2 pi i rho / L}, the parts of the spectrum of frequency rho mod L / N.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cuda/ring_spectrum_cuda.h"

namespace armilla::cuda {

// Pairs done in one launch: `logSize` is that of N.
struct RingFftBatch {
    int logSize = 0;
    bool direct = false;  // p = N
    bool roomy = false;   // shared memory holds intermediate results too; else scratch does
    int logLow = 0;       // that of the longest ring
    const int* pairs = nullptr;
    int count = 0;
};

struct RingFft {
    RingSpectrum spectrum;
    const double2* weights = nullptr;  // of the samples of a pair, north and south; analysis only
    const double2* roots = nullptr;    // e^{-2 pi i t / 2^kLogRoots}, t < 2^(kLogRoots - 3)
    // For the modes of a pair that is being worked on, where the rings' storage cannot be both
    // input and output at once: blocks of scratchModes north and as many south.
    double2* scratch = nullptr;
    int scratchModes = 0, scratchBlocks = 0;
    int multiprocessors = 0;
};

inline constexpr int kLogRoots = 13;  // the longest N
// e^{i pi j / n} of a ring of n samples is made of 2^logLow numbers times kMostHighs others.
inline constexpr int kMostHighs = 128;
inline int ringFftLogLow(int64_t length) {
    int log = 6;
    while (int64_t{kMostHighs} << log < length) ++log;
    return log;
}
// Bytes of shared memory that a batch takes; analysis takes no more than synthesis.
size_t ringFftSharedBytes(const RingFftBatch& batch);
// Allows the kernels that much shared memory on the current device.
void allowRingFftSharedBytes(size_t bytes);
void fillRoots(double2* roots, cudaStream_t stream);

// F_m = 0 .. modeLimit to samples, and samples times weights to F_m.
void ringSynthesis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream);
void ringAnalysis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream);

}  // namespace armilla::cuda
