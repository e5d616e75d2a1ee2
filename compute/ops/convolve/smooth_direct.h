// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of smoothing on pixels: maps of any ordering and coverage to sums over discs, as they
// are or ring by ring.
#pragma once

#include <span>
#include <vector>

#include "convolve/row_sums.h"
#include "ops/convolve.h"
#include "ops/device.h"

namespace armilla {

// The fields smoothed by `kernel`, which ends where it is to end. Full and partial maps; of the
// latter only the rings that it covers are held, and only its pixels computed. `weights`: none or
// of rings.
std::vector<Field> smoothDirect(const HealpixMap& map, std::span<const int> fields,
                                const Kernel& kernel, Weights weights, Masked masked,
                                JobContext& job);
// The same sums by the modes of whole rings: all of the sky is computed. `lastL`: where the B_l of
// the kernel end.
std::vector<Field> smoothByRings(const HealpixMap& map, std::span<const int> fields,
                                 const Kernel& kernel, int lastL, Weights weights, Masked masked,
                                 JobContext& job);
// The same sums with a kernel that need not be radial. Of `parameters` weights and masks count.
std::vector<Field> smoothOnRows(const HealpixMap& map, std::span<const int> fields,
                                const RowKernel& kernel, const SmoothParameters& parameters,
                                const Device& device, JobContext& job);

}  // namespace armilla
