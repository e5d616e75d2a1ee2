// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution of T, Q, U on pixels.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "ops/device.h"
#include "ops/kernel.h"
#include "ops/sht.h"

namespace armilla {

struct PolarizedKernel {
    Kernel applied;          // to T, and to the mask of Q and U: cut at its radius
    std::vector<double> bl;  // of E and B, which are alike, to where it ends
    std::optional<double> gaussianWidth;
    double scale = 1.0;
    std::optional<int> lastL;  // by rings: where they end
};
// Fields T, Q, U. As by harmonics, Q and U take part only where both are good, and are weighted up
// by the mask that T's kernel smooths.
std::vector<Field> smoothPolarized(const HealpixMap& map, std::span<const int> fields,
                                   const PolarizedKernel& kernel, Weights weights, bool normalize,
                                   const Device& device, JobContext& job);

}  // namespace armilla
