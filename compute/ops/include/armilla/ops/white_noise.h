// SPDX-License-Identifier: GPL-3.0-or-later
// Random noise of map pixels.
#pragma once

#include <cstdint>

#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"

namespace armilla {

// Adds independent normal deviates of the standard deviations `rms` to the samples, in RING order.
// The deviate of a pixel depends on seed, pixel and `field` only (Philox 4x32-10, as in
// armilla/ops/spectrum.h), and is independent of the coefficients that randomAlm draws from the
// same seed. A sample is bad (NaN) where rms is. Throws InvalidArgument for negative rms.
void addWhiteNoise(MapSamples samples, ConstMapSamples rms, uint64_t seed, uint32_t field,
                   JobContext& job);

}  // namespace armilla
