// SPDX-License-Identifier: GPL-3.0-or-later
// A sample of a field's values, for color ranges and histograms.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// Maximum number of values in a sample.
inline constexpr int64_t kSampleSize = int64_t{1} << 18;

// At most kSampleSize values, evenly strided over the pixels of the sky, so that a large cell of a
// multi-order map counts as many pixels; finite values only, ascending. Sufficient for a percentile
// to a quarter of a percent and a histogram of a thousand bins.
std::vector<float> sortedSample(const HealpixMap& map, int field, JobContext& job);

// Sorts finite values in ascending order like std::sort, in three passes for any values.
void sortByDigits(std::vector<float>& values);

}  // namespace armilla
