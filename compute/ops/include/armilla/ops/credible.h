// SPDX-License-Identifier: GPL-3.0-or-later
// Credible levels and regions of probability maps.
#pragma once

#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// The level of a cell is the probability of all cells whose probability per area is at least its
// own, the cell itself included. The region of a fraction holds the cells whose level is at most
// this fraction. A sum of probabilities that differs from 1 by more than 1e-3 is normalized; levels
// are 1 at most. Fields per steradian and multi-order maps hold densities, other fields
// probabilities or counts of whole pixels. Bad pixels are in no region. Negative values that hold
// at most 1e-6 of the sum, as smoothing leaves them, count as 0.

// Sums of a million probabilities differ by 1e-13 with the order of summation.
inline constexpr double kLevelMargin = 1e-12;
// Whether a cell of this level is in the region of a fraction.
inline bool isInRegion(double level, double share) {
    return level <= share * (1.0 + kLevelMargin);
}

struct CredibleRegion {
    double share = 0.0;
    // The smallest value inside the region, in the unit of the field: a cell is inside if its value
    // is at least this. Infinite if even the brightest cell has a level above the fraction.
    double threshold = 0.0;
    double area = 0.0;  // sr
};
// Returns one region for each of `shares` (above 0, at most 1). Time: two passes over the map for
// the first fraction, one pass for each further fraction. Memory: 25 MB, and 16 bytes for each cell
// within 0.2 % of a threshold. Throws InvalidArgument for a fraction out of range, for negative
// values of more than 1e-6 of the sum, and if no value is above 0. Test: tst_credible.
std::vector<CredibleRegion> credibleRegions(const HealpixMap& map, int field,
                                            const std::vector<double>& shares, JobContext& job);

// Probability of each element, 0 where it is bad or counts as 0; not normalized. Throws
// InvalidArgument as credibleRegions().
std::vector<double> cellProbabilities(const HealpixMap& map, int field, JobContext& job);
// Area of an element in sr.
double cellArea(const HealpixMap& map, int64_t element);

// Credible level of each element of a map.
struct CredibleLevels {
    std::vector<double> levels;  // for each element of the map; NaN where it is bad
    double sum = 0.0;            // total probability before a normalization
    bool isNormalized = false;   // the sum was off 1 by more than 1e-3
    double negativeShare = 0.0;  // negative values that count as 0, relative to the others
};
// Memory: 24 bytes an element. Throws InvalidArgument as credibleRegions(). Tests: tst_credible,
// tst_cli_catalogs.
CredibleLevels credibleLevels(const HealpixMap& map, int field, JobContext& job);

}  // namespace armilla
