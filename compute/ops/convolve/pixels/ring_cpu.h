// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution ring by ring on the CPU: Fourier modes along the rings, sums across them.
//
// F. Elsner & B. D. Wandelt 2011, doi:10.1051/0004-6361/201116963, section 4, for rings r and r':
//   F_m(r') = w_r' sum_j f_j e^{-i m phi_j},  S_m(r) = sum_r' k_m(r, r') F_m(r'),
//   result_j = sum_m S_m(r) e^{i m phi_j},
//   k_m = (1/2 pi) int K(y(delta)) e^{-i m delta} d delta.
// The samples of a ring of n samples determine F_m for all m: F_{m + q n} = e^{-i q n phi_0} F_m,
// and all S_m are folded onto its samples. If m extends to where k_m vanishes, the result is the
// sum over pixels itself, on every ring, without ringing. The paper stops at 2 nside, and in the
// caps at each ring's own limit.
//
// k_m are cosine sums over as many samples of K as k_m has modes, those within the kernel's radius
// (about 17 for a Gaussian, whatever its width). Between rings of the belt, if k_m reaches beyond
// their Nyquist limit, the sums are over the pixels themselves, which gives folded k_m
// (ring_blocks.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "convolve/kernel/profile_table.h"
#include "convolve/pixels/direct_cpu.h"
#include "convolve/pixels/ring_blocks.h"
#include "sht/fft/row_fft.h"

namespace armilla {

// For full maps. Holds the modes of the rings around those that are being summed: 8 bytes a sample
// of these rings and a field. More threads sum more rings at once. A plane's result may be its
// values.
class RingSums {
public:
    // `lastL`: the l where the kernel's B_l vanish. Other arguments: see DirectSums.
    RingSums(int64_t nside, const ProfileTable& profile, int lastL,
             std::span<const double> ringWeights, double integral, JobContext& job);

    template <typename Sample>
    void execute(std::span<const DirectPlane<Sample>> planes, JobContext& job) const;
    // Only the rings `wanted`: planes hold the rings `held`, which must include all rings within
    // reach; all other results stay unchanged.
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
