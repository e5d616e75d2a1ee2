// SPDX-License-Identifier: GPL-3.0-or-later
// Direct convolution on the CPU: sums over the pixels within the kernel's radius.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/convolve.h"
#include "convolve/kernel/profile_table.h"
#include "convolve/pixels/ring_pairs.h"
#include "convolve/pixels/tap_series.h"

namespace armilla {

// A part of a ring that does not cross the ring's end.
struct PixelRun {
    int64_t ring = 0, first = 0, count = 0;
};

// One field: RING values of complete rings; a pixel that the map does not cover holds NaN, as a bad
// pixel does. Pixel p of the RING order is at [p - first pixel of the first ring].
template <typename Sample>
struct DirectPlane {
    const Sample* values = nullptr;
    Sample* result = nullptr;
    bool normalize = false;  // divided by the sum over good pixels, times the kernel's integral
    // The mean of a field without bad pixels: subtracted before the sums, and added back times the
    // kernel's integral, because sums over pixels are not exact for a constant. 0: nothing is
    // subtracted.
    double mean = 0.0;
};

// result_p = sum_q w_q (4 pi / Npix) K(p.q) f_q over the good pixels q within the kernel's radius,
// in double precision; bad pixels stay bad. The kernel's values are computed once for all pixels of
// a belt ring, and in the caps once for 16 pixels: quarter turns about the axis and the two
// reflections map HEALPix onto itself. In the caps the values of Gaussians are polynomials
// (tap_series.h).
class DirectSums {
public:
    // `ringWeights`: weights, about 1, of rings 1 .. 2 nside, or empty. `integral`: integral of the
    // kernel.
    DirectSums(int64_t nside, const ProfileTable& profile, std::span<const double> ringWeights,
               double integral);

    // All pixels of full maps.
    template <typename Sample>
    void execute(std::span<const DirectPlane<Sample>> planes, JobContext& job) const;
    // Only the pixels of `runs`, which are in `range`; all other results stay unchanged.
    template <typename Sample>
    void execute(std::span<const DirectPlane<Sample>> planes, RingSpan range,
                 std::span<const PixelRun> runs, JobContext& job) const;

private:
    struct Workspace;
    template <typename Sample>
    struct Sums;

    int64_t nside_;
    HealpixRings rings_;
    ProfileView view_;
    double radius_, integral_;
    std::vector<double> factor_;  // factor of each ring's samples
    RingSpan belt_;
    SeriesBasis series_;
    double tapsPerPixel_ = 0.0;  // average for a full map
};

}  // namespace armilla
