// SPDX-License-Identifier: GPL-3.0-or-later
// Which method a smoothing takes, and how wrong those on pixels are expected to be.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "ops/convolve.h"
#include "ops/device.h"
#include "ops/smooth_rows.h"

namespace armilla {

// Below this nside nothing is gained: every method takes some milliseconds.
inline constexpr int64_t kLeastNsideOfChoice = 256;

// Samples that a sum takes: the l up to which they tell a sky, and how far they are apart.
struct SampleLattice {
    int band = 0;
    double spacing = 0.0;  // radians
    static SampleLattice healpix(int64_t nside);
};

// Whether |B_l| at the end of the band is more than 5e-3 of its largest value, as that of a
// Gaussian of a FWHM below 2.5 samples is, and as that of many kernels with edges: sums over
// samples then keep much of what these alias.
bool reachesBeyond(const Kernel& kernel, const SampleLattice& lattice, JobContext& job);
// Throws NarrowKernel for such a kernel if its FWHM is below 2.5 samples, too, with the expected
// error of the sums. `instead`: what serves it.
void refuseNarrow(const Kernel& kernel, const SampleLattice& lattice, std::string_view method,
                  std::string_view instead, JobContext& job);
inline constexpr std::string_view kHarmonicInstead = "use --method harmonic";
// The advice for elliptical beams, which have no other method.
inline constexpr std::string_view kFinerInstead =
    "use a wider beam, or a map of a larger nside (convert --nside)";

// The method for SmoothMethod::Auto: the cheapest of those that serve the kernel, by a model of
// seconds for each product on the device, harmonic where it is no slower. `radius`: where the
// methods on pixels would end the kernel.
SmoothMethod chosenMethod(const Kernel& kernel, double radius, int64_t nside, const Device& device,
                          int threads, JobContext& job);

// Seconds of the CPU's direct sums on a disc of the sky.
double directSecondsAround(double radiusOfKernel, double radiusOfDisc, int64_t nside, int threads);

// The same on rows of a grid of rings, for l up to `lmax`.
SmoothMethod chosenRowMethod(const RingRows& rows, double radius, int lmax, const Device& device);

// What samples make of a kernel beyond the band, whose B_l up to there are `bl`, relative to the
// sky's rms. A sum takes each sample's own value K(0) times its area, of which a part belongs to l
// up to the band: the rest is nearly all of it where the kernel is narrower than the samples are
// apart, and the sky comes out as many times too bright. And edges and corners have power at any l;
// the samples' lattice folds it back, as many modes as there are samples to one, with signs of its
// own: three times its rms. `area`: of a sample.
double beyondSamples(const Kernel& kernel, std::span<const double> bl, double area);

// Expected rms error of sums over pixels against the true convolution of a sky without power beyond
// l = 3 nside - 1, relative to the map's rms: that of the quadrature (smoothing_error.h), what
// pixels make of edges and of kernels narrower than they are, and, as a bound, what lies beyond
// `radius`. `kernel` is whole, and normalized as it is applied. The sky's spectrum is not known
// here: it is taken as 1 / (l (l+1)) and as much white noise as neighbors in the map differ by, of
// the roughest field, all about its mean. A bound for power laws in l (l+1) from -1 to 0, up to l =
// 3 nside - 1 (tst_direct_convolution); of a sky steeper than the model with noise, which neighbors
// do not tell from the model alone, it may be a third too low.
double errorOnPixels(const Kernel& kernel, double radius, const HealpixMap& map,
                     std::span<const int> fields, Weights weights, JobContext& job);

}  // namespace armilla
