// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution as sums over the samples of any grid of rings, with kernels that need not be radial.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/ring_grid.h"
#include "convolve/pixels/direct_cpu.h"
#include "convolve/rows/row_taps.h"

namespace armilla {

// The sums' form of a kernel; its tables must exist as long as the sums.
struct RowKernel {
    TapKernel taps;
    const ProfileTable* table = nullptr;  // owner of taps.profile
    double radius = 0.0;                  // upper limit of the kernel's end, radians
    double integral = 1.0;                // norm of the weights of good samples
};

std::vector<TapRing> tapRings(const RingGrid& grid);

// For the rings of a plane: samples times weights, zero where bad; and the weights of the good
// samples.
template <typename Sample>
std::vector<double> weightedSamples(const DirectPlane<Sample>& plane,
                                    std::span<const TapRing> rings, JobContext& job);
template <typename Sample>
std::vector<double> weightedShares(const DirectPlane<Sample>& plane, std::span<const TapRing> rings,
                                   JobContext& job);
// The result from sums over weightedSamples(); `shares` null: not normalized.
template <typename Sample>
void finishPlane(const DirectPlane<Sample>& plane, std::span<const double> sums,
                 const double* shares, double integral, JobContext& job);

// result_p = sum_q w_q K(p, q) f_q over the good samples q, in double precision; bad samples stay
// bad. A normalized plane is divided by the sum over good samples, times the integral.
class RowSums {
public:
    RowSums(const RingGrid& grid, const RowKernel& kernel);
    // Planes hold the rings `first` .. `last`; all other rings have no good sample.
    template <typename Sample>
    void execute(std::span<const DirectPlane<Sample>> planes, int64_t first, int64_t last,
                 JobContext& job) const;

private:
    struct Workspace;
    template <typename Sample>
    struct Sums;

    std::vector<TapRing> rings_;
    RowKernel kernel_;
};

// The same for rings of equal lengths that begin at one longitude, through their Fourier modes. The
// samples of K along a ring are one period of a cyclic sum, so nothing is dropped and nothing
// aliases. Throws InvalidArgument for other rings.
class RowModeSums {
public:
    RowModeSums(const RingGrid& grid, const RowKernel& kernel);
    void execute(std::span<const DirectPlane<double>> planes, int64_t first, int64_t last,
                 JobContext& job) const;

private:
    std::vector<TapRing> rings_;
    RowKernel kernel_;
};

}  // namespace armilla
