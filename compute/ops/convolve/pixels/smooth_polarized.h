// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution of T, Q, U on pixels.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/device.h"
#include "armilla/ops/kernel.h"
#include "armilla/ops/sht.h"

namespace armilla {

struct PolarizedKernel {
    Kernel applied;          // for T, and for the mask of Q and U: truncated at its radius
    std::vector<double> bl;  // B_l of E and B, which are equal, up to its end
    std::optional<double> gaussianWidth;
    double scale = 1.0;
    std::optional<int> lastL;  // for ring sums: the last l of bl
};
// Fields T, Q, U. Q and U take part only where both are good, and are normalized by the mask
// smoothed with T's kernel, as in the harmonic method.
std::vector<Field> smoothPolarized(const HealpixMap& map, std::span<const int> fields,
                                   const PolarizedKernel& kernel, Weights weights, bool normalize,
                                   const Device& device, JobContext& job);

}  // namespace armilla
