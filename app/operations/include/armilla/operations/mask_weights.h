// SPDX-License-Identifier: GPL-3.0-or-later
// Values of masks as weights of pixels.
#pragma once

#include <cstdint>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/new_vector.h"
#include "armilla/operations/operation.h"

namespace armilla {

// Throws InvalidArgument unless values from `least` to `most` are between 0 and 1, apart from
// rounding.
void requireMaskRange(double least, double most);
// Throws InvalidArgument unless the good values of a field are between 0 and 1, and one is above 0.
void requireMask(const HealpixMap& map, int field);
// Throws UsageError, naming the option of the input, for an image.
void requireHealpixMask(const Input& mask);

// The weight of one value: 0 for a bad one. Throws as requireMaskRange().
double maskWeight(double value);
// First field of a mask as pixel weights of a RING map, averaged or copied to its nside and rotated
// to its frame. Bad pixels have weight 0. Throws InvalidArgument for weights outside 0 to 1 and if
// one frame is unknown.
// `memory` is overwritten and returned if it has the size of the result.
UnsetVector<double> maskWeights(const HealpixMap& mask, int64_t nside, Frame frame, JobContext& job,
                                UnsetVector<double> memory = {});

}  // namespace armilla
