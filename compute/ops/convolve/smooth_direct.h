// SPDX-License-Identifier: GPL-3.0-or-later
// The direct method of smoothing: maps of any ordering and coverage to sums over discs.
#pragma once

#include <span>
#include <vector>

#include "ops/convolve.h"

namespace armilla {

// The fields smoothed by `kernel`, which ends where it is to end. Full and partial maps; of the
// latter only the rings that it covers are held, and only its pixels computed. `weights`: none or
// of rings.
std::vector<Field> smoothDirect(const HealpixMap& map, std::span<const int> fields,
                                const Kernel& kernel, Weights weights, Masked masked,
                                JobContext& job);

}  // namespace armilla
