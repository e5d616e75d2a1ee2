// SPDX-License-Identifier: GPL-3.0-or-later
// Products of coefficients in device memory with a function of l.
#pragma once

#include <algorithm>
#include <cstdint>

#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda_array.h"

namespace armilla::cuda {

inline constexpr unsigned kAlmWindowThreads = 128;

// Index of a_lm among coefficients to lmax, in the layout of Alm.
inline __device__ int64_t almIndex(int lmax, int l, int m) {
    return static_cast<int64_t>(m) * (2 * static_cast<int64_t>(lmax) + 1 - m) / 2 + l;
}

// A row of blocks per m, in a stride loop if there are more m than a grid has rows.
static __global__ void almWindowKernel(const double2* from, int fromLmax, const double* window,
                                       int last, double2* to, int toLmax) {
    for (auto m = static_cast<int>(blockIdx.y); m <= toLmax; m += static_cast<int>(gridDim.y)) {
        const int l = m + static_cast<int>(blockIdx.x * kAlmWindowThreads + threadIdx.x);
        if (l > toLmax) return;
        double2 value = make_double2(0.0, 0.0);
        if (l <= last) {
            const double2 a = from[almIndex(fromLmax, l, m)];
            value = make_double2(window[l] * a.x, window[l] * a.y);
        }
        to[almIndex(toLmax, l, m)] = value;
    }
}

// to(l, m) = window(l) from(l, m) up to `last`, zero beyond; queued in `stream`. Coefficients have
// mmax = lmax; `window` is in device memory.
inline void applyAlmWindow(const CudaArray& from, int fromLmax, const double* window, int last,
                           CudaArray& to, int toLmax, const Stream& stream) {
    constexpr unsigned kMostRows = 65535;
    const dim3 grid((static_cast<unsigned>(toLmax) + kAlmWindowThreads) / kAlmWindowThreads,
                    std::min(static_cast<unsigned>(toLmax) + 1, kMostRows));
    almWindowKernel<<<grid, kAlmWindowThreads, 0, stream.get()>>>(
        reinterpret_cast<const double2*>(from.data()), fromLmax, window, last,
        reinterpret_cast<double2*>(to.data()), toLmax);
    checkLaunch("multiplying coefficients by a window");
}

}  // namespace armilla::cuda
