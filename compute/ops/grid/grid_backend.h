// SPDX-License-Identifier: GPL-3.0-or-later
// The interface between grid.cpp and a device.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "armilla/ops/device_grid.h"
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
    // Both steps for arrays in device memory, whose sizes the caller has checked. Throws
    // Unsupported if the backend has no such memory.
    virtual void gridOnDevice(const DeviceGridSamples& samples,
                              std::span<const DeviceValues> values,
                              std::span<const DeviceValues> results, void* stream, JobContext& job);

    GridReport report;
};

// Zero sums of (channels, cells).
GridSums emptySums(int64_t cells, int64_t channels, bool nearest, const JobContext& job);

// Backends for the same cells share the samples, `leastRows` each at least. All but the first are
// made when they receive samples: the first use of a device takes a second.
using MakeGrid = std::function<std::unique_ptr<GridBackend>()>;
std::unique_ptr<GridBackend> makeSharedGrid(std::vector<MakeGrid> make, int64_t leastRows);
std::unique_ptr<GridBackend> makeGridCpu(std::vector<Vec3> cells, const GridKernel& kernel);
// In gridding_cuda.cu; gridding_absent.cpp for builds without CUDA.
std::unique_ptr<GridBackend> makeGridCuda(std::vector<Vec3> cells, const GridKernel& kernel,
                                          const Device& device, const GridTuning& tuning);

}  // namespace armilla
