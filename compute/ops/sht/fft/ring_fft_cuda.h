// SPDX-License-Identifier: GPL-3.0-or-later
// The longitude part of spherical harmonic transforms on a CUDA device: Fourier coefficients of
// ring pairs to samples and back, in place, for rings of any length. One block of threads
// transforms a pair; all lengths of a class run in one launch.
//
// A ring of n = q p samples, q the largest of 4, 2, 1 that divides n, is split in frequency. The
// parts t = q u + w of its spectrum, w = 0 .. q - 1, are q transforms of length p. North and south
// of a pair are packed as one complex row if a part is its own mirror (w = 0, and w = q / 2). For q
// = 4 the parts w = 1 and w = 3 mirror each other, and w = 1 is transformed for north and for
// south. So q transforms serve the two rings, and each part is unpacked separately.
//
// A power of two that shared memory does not hold, p = k N, k = 2, 4, 8, is k transforms of length
// N and N of length k. A length p that is no power of two is a convolution with e^{i pi j^2 / p}
// (L. I. Bluestein, IEEE Trans. Audio 18 (1970) 451) of length L >= 2 p - 1, a power of two. If L
// exceeds shared memory, the convolution is built from L / N convolutions of length N that are
// cyclic but for a twist e^{2 pi i rho / L}. These are the parts of the spectrum of frequency rho
// mod L / N.
//
// A pair's modes and samples use the same storage, so all input is read before any output is
// written. Between, the parts of the spectrum are kept in rows of p numbers: in shared memory if a
// complete pair fits there, else in scratch memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sht/fft/ring_fft_strategy.h"
#include "sht/fft/ring_spectrum_cuda.h"

namespace armilla::cuda {

struct RingFft {
    RingSpectrum spectrum;
    // weights of a pair's samples, north and south; analysis only
    const double2* weights = nullptr;
    const double2* roots = nullptr;  // e^{-2 pi i t / 2^kLogRoots}, t < 2^(kLogRoots - 3)
    double2* scratch = nullptr;      // parts of the pairs in progress, n numbers each
    int64_t scratchSize = 0;
    int multiprocessors = 0;
};

// The largest shared memory of a block on a device, in bytes.
size_t ringFftSharedBytes(int device);
// Allows the kernels `bytes` of shared memory on the current device.
void allowRingFftSharedBytes(size_t bytes);
void fillRoots(double2* roots, cudaStream_t stream);

// F_m = 0 .. modeLimit to samples, and samples times weights to F_m.
void ringSynthesis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream);
void ringAnalysis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream);

// Rings of one length, converted to and from rows for batched FFTs (ring_rows_cuda.h). `spectra`
// holds k = 0 .. length / 2 of each of the rings `first` .. `first` + `count` - 1 of the grid.
struct RingRowSpectra {
    RingSpectrum spectrum;
    const int* sides = nullptr;  // for each ring: twice its pair, plus one for the southern ring
    int first = 0, count = 0, length = 0;
    double2* spectra = nullptr;
};
void modesToRows(const RingRowSpectra& rows, cudaStream_t stream);
// Spectra to modes, times weights.
void rowsToModes(const RingRowSpectra& rows, const double2* weights, cudaStream_t stream);

}  // namespace armilla::cuda
