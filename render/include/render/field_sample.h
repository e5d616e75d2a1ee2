// SPDX-License-Identifier: GPL-3.0-or-later
// A sample of the values of a field: for ranges of colors and histograms.
#pragma once

#include <cstdint>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// Values of a sample, at most.
inline constexpr int64_t kSampleSize = int64_t{1} << 18;

// At most kSampleSize values, evenly strided over the pixels of the sky, so that a large cell of a
// multi-order map counts as many; finite ones alone, ascending. Enough for a percentile to a
// quarter of a percent and a histogram of a thousand bins.
std::vector<float> sortedSample(const HealpixMap& map, int field, JobContext& job);

// Ascending, as std::sort, in three passes whatever the values. Finite values only.
void sortByDigits(std::vector<float>& values);

}  // namespace armilla
