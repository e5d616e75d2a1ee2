// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernels of direct convolution share. CUDA files only.
#pragma once

#include "convolve/profile_table.h"
#include "convolve/ring_pairs.h"

namespace armilla::direct {

struct Grid {
    int64_t nside;
    const HealpixRing* ring;
    const double* theta;
    const double* factor;    // of the samples of each ring
    const int64_t* eighths;  // where the eighth of each ring 1 .. 2 nside begins (cap_images.h)
    const RingSpan* around;  // the rings within the kernel's radius of each
};

// y of a tap; `near`: |delta| < 1 for all of the run.
__device__ inline double distanceOf(const RingPair& pair, double delta, bool near) {
    const double half = 0.5 * delta;
    if (near) return pair.y0 + pair.across * sineSquareNear(half);
    const double s = sin(half);
    return pair.y0 + pair.across * (s * s);
}

// What the launch asked for.
__device__ inline double* dynamicRoom() {
#if defined(__CUDACC__)
    extern __shared__ __align__(16) double room[];
    return room;
#else
    return test::DeviceThreads::here().shared();  // tests/support/device_threads.h
#endif
}

// A kernel of its own in each file that takes it.
static __global__ void spansKernel(const double* theta, int64_t rings, double radius,
                                   RingSpan* around) {
    const int64_t r = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x + 1;
    if (r <= rings) around[r] = ringsAround(theta, rings, r, radius);
}

}  // namespace armilla::direct
