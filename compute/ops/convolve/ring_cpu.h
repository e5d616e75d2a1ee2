// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution ring by ring on the CPU: Fourier modes along the rings, sums across them.
//
// F. Elsner & B. D. Wandelt 2011, doi:10.1051/0004-6361/201116963, section 4, for rings r and r':
//   F_m(r') = w_r' sum_j f_j e^{-i m phi_j},  S_m(r) = sum_r' k_m(r, r') F_m(r'),
//   result_j = sum_m S_m(r) e^{i m phi_j},    k_m = (1/2 pi) int K(y(delta)) e^{-i m delta} d
//   delta.
// A ring of n samples knows its F_m for all m: F_{m + q n} = e^{-i q n phi_0} F_m, and folds all
// S_m onto its samples. With m taken to where k_m vanishes, that is the sum over pixels itself, on
// every ring: nothing is left to ring. The paper stops at 2 nside, and in the caps at each ring's
// own limit.
//
// k_m are cosine sums over samples of K as many as k_m has modes, those within the kernel's radius
// (about 17 for a Gaussian, whatever its width); between rings of the belt, where k_m reaches
// beyond their Nyquist limit, over the pixels themselves, which gives the k_m folded
// (ring_blocks.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convolve/direct_cpu.h"
#include "convolve/profile_table.h"
#include "convolve/ring_blocks.h"
#include "core/job_context.h"
#include "sht/fft/row_fft.h"

namespace armilla {

// Of full maps. Holds the modes of the fields for the time of a call: 8 bytes a pixel and field of
// the rings that are read.
class RingSums {
public:
    // `lastL`: where the kernel's B_l vanish. Other arguments as those of DirectSums.
    RingSums(int64_t nside, const ProfileTable& profile, int lastL,
             std::span<const double> ringWeights, double integral, JobContext& job);

    template <typename Sample>
    void execute(std::span<const DirectPlane<Sample>> planes, JobContext& job) const;
    // The rings `wanted` only: planes hold those of `held`, which are all that are within reach of
    // them; the rest of the results is left alone.
    template <typename Sample>
    void execute(std::span<const DirectPlane<Sample>> planes, RingSpan held, RingSpan wanted,
                 JobContext& job) const;

private:
    struct Block;
    struct Workspace;
    template <typename Sample>
    class Run;

    int64_t nside_;
    HealpixRings rings_;
    ProfileView view_;
    double integral_;
    std::vector<RingBlock> blocks_;
    std::vector<double> factor_;
    RowFft rows_;
};

}  // namespace armilla
