// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel of direct convolution of Q and U. CUDA files only.
#pragma once

#include "convolve/kernel/spin_kernel.h"
#include "convolve/pixels/direct_caps.cuh"

namespace armilla::direct {

// Like polarKernel, for any rings of the north and their mirrors: Q + iU with K2 e^{2 i chi}
// (spin_kernel.h), whose profile is G. A reflection changes the sign of U, of the sources and of
// the result.
__global__ void __launch_bounds__(kPolarThreads)
    spinKernel(Grid grid, ProfileView profile, int64_t firstRing, const double* q, const double* u,
               double* toQ, double* toU) {
    const int64_t r = firstRing + blockIdx.y, rings = 4 * grid.nside - 1;
    const HealpixRing target = grid.ring[r], mirror = grid.ring[rings + 1 - r];
    const int targets = eighthCount(target);
    if (static_cast<int>(blockIdx.x) * kPolarThreads >= targets) return;
    const int j = static_cast<int>(blockIdx.x) * kPolarThreads + static_cast<int>(threadIdx.x);
    double sumQ[kEighthImages], sumU[kEighthImages];
#pragma unroll
    for (int image = 0; image < kEighthImages; ++image) sumQ[image] = sumU[image] = 0.0;
    forSources(grid, profile.end, r, j, j < targets,
               [&](int64_t k, const HealpixRing& source, const RingPair& pair, const TapRun& run) {
                   const bool near = isNear(run);
                   const int64_t north = source.first, south = grid.ring[rings + 1 - k].first;
                   const double factor = grid.factor[k];
                   const SpinPair spin(grid.theta[r], grid.theta[k]);
                   forTaps(
                       source, run,
                       [&](int t) {
                           const double delta = run.delta + t * run.step;
                           const double w = factor * profile(distanceOf(pair, delta, near));
                           // Half the source's longitude minus half the target's.
                           const SpinTurn turn(spin, cos(-0.5 * delta), sin(-0.5 * delta));
                           return make_double2(w * turn.real, w * turn.imaginary);
                       },
                       [&](const double2& w, int turn, int direct, int mirrored) {
                           const auto add = [&](int image, int64_t p, double sign) {
                               const double fromQ = q[p], fromU = sign * u[p];
                               sumQ[image] += w.x * fromQ - w.y * fromU;
                               sumU[image] += w.y * fromQ + w.x * fromU;
                           };
                           add(turn, north + direct, 1.0);
                           add(4 + turn, north + mirrored, -1.0);
                           add(8 + turn, south + direct, -1.0);
                           add(12 + turn, south + mirrored, 1.0);
                       });
               });
    if (j >= targets) return;
#pragma unroll
    for (int image = 0; image < kEighthImages; ++image) {
        if (repeatsImage(target, 2 * r == rings + 1, image, j)) continue;
        const int64_t p = imagePixel(target, mirror, image, j);
        const bool reflected = ((image & 4) != 0) != ((image & 8) != 0);
        toQ[p] = sumQ[image];
        toU[p] = reflected ? -sumU[image] : sumU[image];
    }
}

}  // namespace armilla::direct
