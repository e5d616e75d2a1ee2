// SPDX-License-Identifier: GPL-3.0-or-later
// What grid.cpp asks of a device.
#pragma once

#include <memory>

#include "grid/grid_weights.h"
#include "ops/grid.h"

namespace armilla {

class GridBackend {
public:
    virtual ~GridBackend() = default;
    // Sizes are checked; angles and weights are not.
    virtual void order(const GridSamples& samples, JobContext& job) = 0;
    // The values are as many as the samples, sums of the right sizes and zero (infinite:
    // distances).
    virtual void execute(std::span<const GridValues> values, GridSums& sums, JobContext& job) = 0;

    GridReport report;
};

std::unique_ptr<GridBackend> makeGridCpu(std::vector<Vec3> cells, const GridKernel& kernel);
// In gridding_cuda.cu, and gridding_absent.cpp for builds without CUDA.
std::unique_ptr<GridBackend> makeGridCuda(std::vector<Vec3> cells, const GridKernel& kernel,
                                          const Device& device, const GridTuning& tuning);

}  // namespace armilla
