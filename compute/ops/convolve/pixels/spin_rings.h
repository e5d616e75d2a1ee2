// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution of Q and U ring by ring on the CPU.
//
// With P = Q + iU and kappa(delta) = K2 e^{2 i chi} between two rings (spin_kernel.h), delta the
// longitude of the source minus that of the target,
//   F_m = w sum_j P_j e^{-i m phi_j},  S_m(r) = sum_r' c_m(r, r') F_m(r'),
//   c_m = (1/2 pi) int kappa e^{i m delta} d delta = a_m - b_m,  c_-m = a_m + b_m.
// Here a_m are the cosine sums of the real part, which is even, and b_m the sine sums of the
// imaginary part, which is odd. All are real, and c_m and c_-m differ. Between the mirrors of two
// rings c_m and c_-m change places. Blocks, folding and samples: see ring_cpu.h.
#pragma once

#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "convolve/kernel/profile_table.h"
#include "convolve/pixels/ring_blocks.h"
#include "convolve/pixels/spin_sums.h"
#include "sht/fft/row_fft.h"

namespace armilla {

class SpinRings {
public:
    // `profile`: G. `lastL`: the last l of the B_l of E and B. `ringWeights`: weights, about 1, of
    // rings 1 .. 2 nside, or empty.
    SpinRings(int64_t nside, const ProfileTable& profile, int lastL,
              std::span<const double> ringWeights, JobContext& job);
    // The sums of SpinSums.
    void execute(const SpinSums::Maps& maps, JobContext& job) const;

private:
    struct Block;
    struct Workspace;
    class Run;

    int64_t nside_;
    HealpixRings rings_;
    ProfileView view_;
    std::vector<RingBlock> blocks_;
    std::vector<double> factor_;  // factor of each ring's samples
    RowFft rows_;
};

}  // namespace armilla
