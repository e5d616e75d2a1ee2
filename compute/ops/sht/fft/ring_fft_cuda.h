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
// A power of two that shared memory does not hold, p = k N, k = 2, 4, 8, is k transforms of length
// N and N of length k. A length p that is no power of two is a convolution with e^{i pi j^2 / p}
// (L. I. Bluestein, IEEE Trans. Audio 18 (1970) 451) of length L >= 2 p - 1, a power of two; where
// L is longer than shared memory holds, it is made of L / N convolutions of length N that are
// cyclic but for a twist e^{2 pi i rho / L}, the parts of the spectrum of frequency rho mod L / N.
//
// A pair's modes and samples take the same storage, so all of either is read before any of the
// other is written: the parts of the spectrum wait in rows of p numbers between, in shared memory
// where a whole pair finds room there, else in scratch memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sht/fft/ring_fft_way.h"
#include "sht/fft/ring_spectrum_cuda.h"

namespace armilla::cuda {

struct RingFft {
    RingSpectrum spectrum;
    const double2* weights = nullptr;  // of the samples of a pair, north and south; analysis only
    const double2* roots = nullptr;    // e^{-2 pi i t / 2^kLogRoots}, t < 2^(kLogRoots - 3)
    double2* scratch = nullptr;        // for the parts of pairs that are worked on, n numbers each
    int64_t scratchSize = 0;
    int multiprocessors = 0;
};

// Shared memory that a block may have on a device at most.
size_t ringFftSharedBytes(int device);
// Allows the kernels that much shared memory on the current device.
void allowRingFftSharedBytes(size_t bytes);
void fillRoots(double2* roots, cudaStream_t stream);

// F_m = 0 .. modeLimit to samples, and samples times weights to F_m.
void ringSynthesis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream);
void ringAnalysis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream);

// Rings of one length on their way to and from FFTs of rows (ring_rows_cuda.h): the spectra of
// rings `first` .. `first` + `count` - 1 of the grid, k = 0 .. length / 2 each, in `spectra`.
struct RingRowSpectra {
    RingSpectrum spectrum;
    const int* sides = nullptr;  // of each ring, its pair times two, plus one for the southern ring
    int first = 0, count = 0, length = 0;
    double2* spectra = nullptr;
};
void modesToRows(const RingRowSpectra& rows, cudaStream_t stream);
// Modes times weights.
void rowsToModes(const RingRowSpectra& rows, const double2* weights, cudaStream_t stream);

}  // namespace armilla::cuda
