// SPDX-License-Identifier: GPL-3.0-or-later
// Direct convolution of Q and U on the CPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "convolve/kernel/profile_table.h"
#include "convolve/pixels/ring_pairs.h"

namespace armilla {

// (Q + iU)(p) = sum_q w_q (4 pi / Npix) K2 e^{2 i chi} (Q + iU)(q) over the pixels within the
// radius (spin_kernel.h), with Q and U in the convention of HEALPix (COSMO). Weights are computed
// for one of 16 images of a pixel, as in DirectSums; reflections change the sign of U. In the belt
// they are computed once for a ring.
class SpinSums {
public:
    // `profile`: G. `ringWeights`: weights, about 1, of rings 1 .. 2 nside, or empty.
    SpinSums(int64_t nside, const ProfileTable& profile, std::span<const double> ringWeights);

    struct Maps {
        std::span<const double> q, u;  // full maps in RING order, zero where bad
        std::span<double> toQ, toU;
    };
    void execute(const Maps& maps, JobContext& job) const;

private:
    struct Workspace;
    const HealpixRing& ring(int64_t r) const { return rings_.ring[static_cast<size_t>(r)]; }
    // Pixels `begin` .. `end` - 1 of the eighth of ring r, and their images.
    void tile(const Maps& maps, int64_t r, int64_t begin, int64_t end, Workspace& work) const;
    // The runs of pixels within the radius of a tile. Returns their number for one image.
    size_t findSources(int64_t r, int64_t begin, int64_t end, Workspace& work) const;
    // Copies the samples of these runs and of their images, side by side.
    void copySources(const Maps& maps, double* q, double* u, const Workspace& work) const;
    // Weights of the pixels around pixel j of ring r.
    void computeWeights(int64_t r, int64_t j, Workspace& work) const;
    // The sums of pixel j of ring r and of its images.
    void sumTarget(const Maps& maps, int64_t r, int64_t j, const double* q, const double* u,
                   Workspace& work) const;

    int64_t nside_;
    HealpixRings rings_;
    ProfileView view_;
    double radius_;
    std::vector<double> factor_;  // factor of each ring's samples
    RingSpan belt_;
};

}  // namespace armilla
