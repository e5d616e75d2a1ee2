// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of map fields for smoothing, and of its results.
#pragma once

#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "convolve/harmonic/smooth_harmonic.h"
#include "convolve/live/smooth_live.h"
#include "convolve/sky_values.h"

namespace armilla {

// Splits values with NaN for bad into zeros and a mask.
void addField(SkyFields& sky, std::vector<double> values, JobContext& job);
// The same for sums over coarse pixels, with the fraction of good pixels as the mask.
void addCoarseField(SkyFields& sky, const CoarseSums& sums, JobContext& job);
// In single precision, unless it cannot hold the values.
Field previewField(const Field& like, std::vector<double> values);
// Bits of the pixels that are bad, in RING order; none if all are good.
LiveField liveField(const HealpixMap& map, int field, JobContext& job);

}  // namespace armilla
