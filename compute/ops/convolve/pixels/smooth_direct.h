// SPDX-License-Identifier: GPL-3.0-or-later
// The smoothing methods on pixels: maps of any ordering and coverage to sums over discs, directly
// or ring by ring.
#pragma once

#include <span>
#include <vector>

#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"
#include "convolve/rows/row_sums.h"

namespace armilla {

// Fields of a full or partial map. `own`: the map itself, if the values of these fields may be used
// up; else null.
struct PixelInput {
    const HealpixMap& map;
    std::span<const int> fields;
    HealpixMap* own = nullptr;
};

// The fields smoothed by `kernel`, which is already truncated. For full and partial maps; for
// partial maps only the covered rings are in memory, and only the covered pixels are computed.
// `weights`: none or ring.
std::vector<Field> smoothDirect(const PixelInput& input, const Kernel& kernel, Weights weights,
                                Masked masked, JobContext& job);
// The same sums by the modes of complete rings: all of the sky is computed. `lastL`: the last l of
// the kernel's B_l. The results take the memory of values that may be used up.
std::vector<Field> smoothByRings(const PixelInput& input, const Kernel& kernel, int lastL,
                                 Weights weights, Masked masked, JobContext& job);
// The same sums with a kernel that need not be radial. Only weights and masks of `parameters` are
// used.
std::vector<Field> smoothOnRows(const HealpixMap& map, std::span<const int> fields,
                                const RowKernel& kernel, const SmoothParameters& parameters,
                                const Device& device, JobContext& job);

}  // namespace armilla
