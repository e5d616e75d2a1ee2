// SPDX-License-Identifier: GPL-3.0-or-later
// The interface between grid.cpp and a device.
#pragma once

#include <memory>

#include "armilla/ops/grid.h"
#include "grid/grid_weights.h"

namespace armilla {

class GridBackend {
public:
    virtual ~GridBackend() = default;
    // The caller has checked sizes, but not angles and weights.
    virtual void order(const GridSamples& samples, JobContext& job) = 0;
    // Values have as many elements as there are samples. Sums have the right sizes and begin at
    // zero (distances at infinity).
    virtual void execute(std::span<const GridValues> values, GridSums& sums, JobContext& job) = 0;

    GridReport report;
};

std::unique_ptr<GridBackend> makeGridCpu(std::vector<Vec3> cells, const GridKernel& kernel);
// In gridding_cuda.cu; gridding_absent.cpp for builds without CUDA.
std::unique_ptr<GridBackend> makeGridCuda(std::vector<Vec3> cells, const GridKernel& kernel,
                                          const Device& device, const GridTuning& tuning);

}  // namespace armilla
