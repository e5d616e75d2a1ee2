// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of the smoothing method, and the expected error of the methods on pixels.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"
#include "armilla/ops/smooth_rows.h"

namespace armilla {

// Below this nside a choice gains nothing: every method takes some milliseconds.
inline constexpr int64_t kLeastNsideOfChoice = 256;

// The samples of a sum: the largest l that they resolve, and their distance.
struct SampleLattice {
    int band = 0;
    double spacing = 0.0;  // radians
    static SampleLattice healpix(int64_t nside);
};

// Whether |B_l| at the end of the band is more than 5e-3 of its largest value. This holds for a
// Gaussian of a FWHM below 2.5 samples, and for many kernels with edges. Sums over samples then
// keep much of the aliased power.
bool reachesBeyond(const Kernel& kernel, const SampleLattice& lattice, JobContext& job);
// Throws NarrowKernel for such a kernel, if also its FWHM is below 2.5 samples, with the expected
// error of the sums. `instead`: the advice for another method.
void refuseNarrow(const Kernel& kernel, const SampleLattice& lattice, std::string_view method,
                  std::string_view instead, JobContext& job);
inline constexpr std::string_view kHarmonicInstead = "use --method harmonic";
// The advice for elliptical beams, which have no other method.
inline constexpr std::string_view kFinerInstead =
    "use a wider beam, or a map of a larger nside (convert --nside)";

// The method for SmoothMethod::Auto: the cheapest method that supports the kernel, by a model of
// seconds for each product on the device; harmonic if it is no slower. `radius`: where the methods
// on pixels would end the kernel (radians).
SmoothMethod chosenMethod(const Kernel& kernel, double radius, int64_t nside, const Device& device,
                          int threads, JobContext& job);

// Expected seconds of the CPU's direct sums on a disc of the sky. Radii in radians.
double directSecondsAround(double radiusOfKernel, double radiusOfDisc, int64_t nside, int threads);

// The method for rows of a grid of rings, for l up to `lmax`.
SmoothMethod chosenRowMethod(const RingRows& rows, double radius, int lmax, const Device& device);

// The error by the kernel's power beyond the band, relative to the sky's rms; `bl`: its B_l within
// the band. `area`: solid angle of a sample. There are two parts.
// - A sum takes each sample's own value K(0) times its area. Only a part of this number belongs to
//   l within the band. For a kernel narrower than the samples' distance nearly all of it lies
//   beyond, and the sky becomes that many times too bright.
// - Edges and corners have power at any l. The samples' lattice folds it back with varying signs,
//   as many modes as there are samples to one: three times its rms.
double beyondSamples(const Kernel& kernel, std::span<const double> bl, double area);

// Expected rms error of sums over pixels against the true convolution of a sky without power beyond
// l = 3 nside - 1, relative to the map's rms. It combines the error of the quadrature
// (smoothing_error.h), the pixels' error for edges and for kernels narrower than a pixel, and a
// bound for the kernel beyond `radius`. `kernel` is not truncated, and normalized as applied.
//
// The sky's spectrum is not known here. The model is 1 / (l (l+1)) plus as much white noise as
// neighbors in the map differ by, for the roughest field, all about its mean. The result is a bound
// for power laws in l (l+1) from -1 to 0, up to l = 3 nside - 1 (tst_direct_convolution). For a sky
// steeper than the model and with noise, which neighbors do not distinguish from the model alone,
// it may be a third too low.
double errorOnPixels(const Kernel& kernel, double radius, const HealpixMap& map,
                     std::span<const int> fields, Weights weights, JobContext& job);

}  // namespace armilla
