// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the kernels of direct convolution. CUDA files only.
#pragma once

#include "convolve/kernel/profile_table.h"
#include "convolve/pixels/ring_pairs.h"

namespace armilla::direct {

struct Grid {
    int64_t nside;
    const HealpixRing* ring;
    const double* theta;
    const double* factor;  // factor of each ring's samples
    // index of the first pixel of each eighth, rings 1 .. 2 nside (cap_images.h)
    const int64_t* eighths;
    const RingSpan* around;  // for each ring, the rings within the kernel's radius
};

// y of a tap; `near`: |delta| < 1 for the complete run.
__device__ inline double distanceOf(const RingPair& pair, double delta, bool near) {
    const double half = 0.5 * delta;
    if (near) return pair.y0 + pair.across * sineSquareNear(half);
    const double s = sin(half);
    return pair.y0 + pair.across * (s * s);
}

// The dynamic shared memory of the launch.
__device__ inline double* dynamicBytes() {
#if defined(__CUDACC__)
    extern __shared__ __align__(16) double workspace[];
    return workspace;
#else
    return test::DeviceThreads::here().shared();  // tests/support/device_threads.h
#endif
}

// Static: each file that includes this header has its own kernel.
static __global__ void spansKernel(const double* theta, int64_t rings, double radius,
                                   RingSpan* around) {
    const int64_t r = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x + 1;
    if (r <= rings) around[r] = ringsAround(theta, rings, r, radius);
}

}  // namespace armilla::direct
