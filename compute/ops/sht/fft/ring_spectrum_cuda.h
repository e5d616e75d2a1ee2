// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of the rings' Fourier coefficients on a CUDA device. They use the storage of the rings'
// own samples, which the ring transforms replace in place. Modes beyond the Nyquist limit of short
// rings do not fit there and are stored in separate tails.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace armilla::cuda {

// The samples of a ring pair, and its modes m = 0 .. modeLimit.
struct PairRings {
    int64_t north = 0, south = -1;  // first samples; -1: no southern ring
    int64_t tail = 0;               // start of the northern ring's tail; the southern tail follows
    int length = 0;
    int modeLimit = 0;
    int inRing = 0;      // modes m < inRing lie in the ring
    int turnSteps = -1;  // phi0 in steps of pi / length; -1: not an integer
    double2 turn;        // phi0 / pi, double-double

    __host__ __device__ int modesInTail() const {
        return modeLimit < inRing ? 0 : modeLimit + 1 - inRing;
    }
};

// Modes of one component. A ring's modes begin at its first sample with an even index, so that a
// complex number is one aligned read.
struct RingSpectrum {
    double* map = nullptr;
    double2* tails = nullptr;
    const PairRings* rings = nullptr;

    __host__ __device__ double2* inRing(const PairRings& pair, bool south) const {
        return reinterpret_cast<double2*>(map) + ((south ? pair.south : pair.north) + 1) / 2;
    }
    __host__ __device__ double2* inTail(const PairRings& pair, bool south) const {
        return tails + pair.tail + (south ? pair.modesInTail() : 0);
    }
    __host__ __device__ double2* mode(const PairRings& pair, bool south, int m) const {
        return m < pair.inRing ? inRing(pair, south) + m : inTail(pair, south) + (m - pair.inRing);
    }
};

}  // namespace armilla::cuda
