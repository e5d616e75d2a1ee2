// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of one field: finite fraction, extremes, moments, percentiles, histogram.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// Statistics over the finite pixels of the whole sky. `finite` is their fraction of all 12 nside^2
// pixels. A cell of a multi-order map counts as the pixels of the map's nside that the cell covers.
// The standard deviation describes the pixels themselves (divided by n). NaN without finite pixels.
struct FieldStatistics {
    double finite = 0.0;
    double min = 0.0, max = 0.0, mean = 0.0, standardDeviation = 0.0;
    int64_t finiteCount = 0;
};
// Two passes (mean, then squared deviations) with pairwise sums. The error is a few epsilon of the
// mean absolute value, and of the deviation. Bit-identical for any number of threads. Throws
// InvalidArgument if the field does not exist. Test: tst_map_statistics.
FieldStatistics fieldStatistics(const HealpixMap& map, int field, JobContext& job);
// The same of plain values, on one thread; `finite` is the fraction of `values`, 0 if there are
// none. Values near the largest double do not overflow.
FieldStatistics valueStatistics(std::span<const double> values);
// The exponent e of a unit 2^e near `largest`. Numbers up to `largest` in this unit have squares
// that neither overflow nor underflow.
int scalingExponent(double largest);

// Counts of finite pixels in `counts.size()` equal bins of [low, high], the last bin closed; bin i
// begins at low + i (high - low) / bins. Throws InvalidArgument unless low <= high and bins >= 1.
struct Histogram {
    double low = 0.0, high = 0.0;
    std::vector<int64_t> counts;
    int64_t below = 0, above = 0;
};
// Cells of a multi-order map count as the pixels of the map's nside that they cover.
Histogram histogram(const HealpixMap& map, int field, double low, double high, int bins,
                    JobContext& job);

// Percentiles (0..100, any order) of the finite pixels: exact, linear between neighbors like
// numpy's default; NaN without finite pixels. At most `sampleLimit` evenly strided elements are
// used (0: all). Two passes over a field in single precision, four in double; values are not
// copied. Throws InvalidArgument for percentiles outside 0..100.
std::vector<double> percentiles(const HealpixMap& map, int field,
                                const std::vector<double>& percents, int64_t sampleLimit,
                                JobContext& job);

}  // namespace armilla
