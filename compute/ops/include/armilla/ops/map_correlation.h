// SPDX-License-Identifier: GPL-3.0-or-later
// The angular correlation function of maps, w(theta), through spectra and by pairs of pixels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/table.h"
#include "armilla/ops/device.h"
#include "armilla/ops/pairs.h"

namespace armilla {

// A field on all pixels of a RING map. Pixels of weight 0 and values that are not finite take no
// part.
struct WeightedMap {
    std::vector<double> values;
    std::vector<double> weights;  // 0 or more; empty: all 1
};
// The quantity correlated: the values, the values minus their weighted mean, or that difference
// over the mean (the contrast of a density).
enum class MapFluctuations { Values, MinusMean, Contrast };
// Subtracts and divides by the mean as requested, and sets value and weight of pixels without a
// part to 0. Returns the weighted mean. Throws InvalidArgument for sizes other than 12 nside^2,
// weights below 0, a map without usable pixels, and a contrast of mean 0.
double prepareMap(WeightedMap& map, int64_t nside, MapFluctuations of);

// w of a bin: the sum of u_i d_i v_j e_j over the sum of u_i v_j, with fields d and e and their
// weights u and v. The sums run over the pairs of pixels i of the first and j of the second map
// whose angle is in the bin. In an autocorrelation a pixel is not paired with itself.
struct MapCorrelation {
    AngularBins bins;
    std::vector<double> w;       // NaN for bins without pairs
    std::vector<double> weight;  // sum of u_i v_j in the bin, over the sum for all pairs
    // exact numbers of pixel pairs; empty for a correlation through spectra
    std::vector<int64_t> pairs;

    // Columns THETA_MIN, THETA_MAX, THETA_MEAN (deg), W, WEIGHT, and NPAIRS if the pairs were
    // counted.
    Table table() const;
    // w as a curve over the bins' angles; `unit`: unit of w.
    Curve curve(const std::string& unit) const;
};

// Correlation by pairs of pixels, counted by their centers as in countPairs(). Both maps are
// prepared by prepareMap(); without `second`, `first` is correlated with itself. Throws as
// countPairs().
MapCorrelation correlatePixels(int64_t nside, const WeightedMap& first, const WeightedMap* second,
                               const AngularBins& bins, const Device& device, JobContext& job);

// The correlation from spectra, with C_l the cross spectrum of u d and v e, and W_l that of u and
// v:
//
//   w = sum (2l+1) C_l P_l / sum (2l+1) W_l P_l
//
// P_l is the mean of the Legendre polynomial over the bin, by area. For whole skies this is the
// Legendre series of C_l / 4 pi. With masks it is the method of I. Szapudi et al. (2001, ApJ 548,
// L115) and PolSpice.
//
// Fields without power beyond lmax give the sums over pixels. Pixels have some power there, of
// which bins much wider than a pixel keep little. A bin that begins at 0 includes the field's own
// variance, unlike pairs of pixels. NaN where the mask has less than 1e-6 of the pairs that the
// same weight spread over the whole sky would have.
MapCorrelation correlationOfSpectra(std::span<const double> data, std::span<const double> mask,
                                    const AngularBins& bins, JobContext& job);
// The same from maps, by transforms with ring weights up to lmax (-1: 2 nside). Throws as ShtPlan.
MapCorrelation correlateSpectra(int64_t nside, const WeightedMap& first, const WeightedMap* second,
                                const AngularBins& bins, int lmax, const Device& device,
                                JobContext& job);

}  // namespace armilla
