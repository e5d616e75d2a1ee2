// SPDX-License-Identifier: GPL-3.0-or-later
// The angular correlation function of maps, w(theta), through spectra and by pairs of pixels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/curve.h"
#include "core/harmonics.h"
#include "core/job_context.h"
#include "core/table.h"
#include "ops/device.h"
#include "ops/pairs.h"

namespace armilla {

// A field on all pixels of a RING map. Pixels of weight 0 take no part, nor do values that are not
// finite.
struct WeightedMap {
    std::vector<double> values;
    std::vector<double> weights;  // 0 or more; empty: all 1
};
// What of a field is correlated: its values, what is left without their weighted mean, or that over
// the mean (the contrast of a density).
enum class MapFluctuations { Values, MinusMean, Contrast };
// Takes the mean, where that is asked for, and makes pixels that take no part 0 in value and
// weight. Returns the mean. Throws InvalidArgument for sizes other than 12 nside^2, weights below
// 0, no pixel that takes part, a mean of 0 where it is divided by.
double prepareMap(WeightedMap& map, int64_t nside, MapFluctuations of);

// w of a bin: the sum of u_i d_i v_j e_j over the sum of u_i v_j, with d and e the two fields, u
// and v their weights, over the pairs of pixels i of the first and j of the second map whose angle
// is in the bin. Of one map with itself a pixel is no pair with itself.
struct MapCorrelation {
    AngularBins bins;
    std::vector<double> w;       // NaN where no pair is
    std::vector<double> weight;  // the sum below, over that of all pairs
    std::vector<int64_t> pairs;  // of pixels, exactly; empty where spectra were taken

    // THETA_MIN, THETA_MAX, THETA_MEAN (deg), W, WEIGHT, and NPAIRS where it is known.
    Table table() const;
    Curve curve(const std::string& unit) const;
};

// By pairs of pixels, counted by their centers as countPairs does. `second` none: `first` with
// itself. Both prepared. Throws what countPairs throws.
MapCorrelation correlatePixels(int64_t nside, const WeightedMap& first, const WeightedMap* second,
                               const AngularBins& bins, const Device& device, JobContext& job);

// The same by spectra: with C_l that of u d and v e, and W_l that of u and v,
//   w = sum (2l+1) C_l P_l / sum (2l+1) W_l P_l
// where P_l is the mean of the Legendre polynomial over the bin, by area: for whole skies the
// Legendre series of C_l / 4 pi, with masks what I. Szapudi et al. (2001, ApJ 548, L115) and
// PolSpice do. Fields without power beyond lmax give the pixels' sums; pixels have some, which bins
// much wider than them leave little of. A bin that begins at 0 has the field's own variance in it,
// which pairs of pixels have not. NaN where the mask leaves less than 1e-6 of the pairs that as
// much weight all over the sky would have.
MapCorrelation correlationOfSpectra(std::span<const double> data, std::span<const double> mask,
                                    const AngularBins& bins, JobContext& job);
// From maps to that, by transforms with ring weights up to lmax (-1: 2 nside).
MapCorrelation correlateSpectra(int64_t nside, const WeightedMap& first, const WeightedMap* second,
                                const AngularBins& bins, int lmax, const Device& device,
                                JobContext& job);

}  // namespace armilla
