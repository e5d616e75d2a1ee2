// SPDX-License-Identifier: GPL-3.0-or-later
// Resampling of full RING maps whose samples stay in memory of the caller.
#pragma once

#include <vector>

#include "armilla/core/map_samples.h"
#include "armilla/ops/resample.h"

namespace armilla {

// A full map in RING order.
struct RingMapView {
    // nside, frame, names, units and types on disk; on no pixel
    const HealpixMap* outline = nullptr;
    std::vector<ConstMapSamples> samples;  // 12 nside^2 of each field, NaN where bad
};

// The functions of resample.h, with the same bits, in the memory of the result alone.
HealpixMap reordered(const RingMapView& map, Ordering ordering, JobContext& job);
HealpixMap udgraded(const RingMapView& map, int64_t nside, const UdgradeOptions& options,
                    JobContext& job);

}  // namespace armilla
