// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding of samples in the memory of a CUDA device. Builds without CUDA throw Unsupported.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/device/device_values.h"
#include "armilla/ops/grid.h"

namespace armilla {

// The samples of GridSamples as arrays on a device.
struct DeviceGridSamples {
    DeviceValues lon, lat;
    DeviceValues weights;                 // without data: all 1
    double lonUnit = 1.0, latUnit = 1.0;  // radians per unit of `lon` and of `lat`
    Mat3 targetFromSamples{};
};

// GridPlan (armilla/ops/grid.h) for samples and results that stay on the device. Results are those
// of GridPlan on the same device within rounding. Memory: as for GridPlan. Not thread-safe.
class DeviceGridPlan {
public:
    // The parameters are those of GridPlan. Throws Unsupported unless `device` is one CUDA device.
    DeviceGridPlan(std::vector<Vec3> cells, const GridKernel& kernel, const Device& device);
    ~DeviceGridPlan();
    DeviceGridPlan(DeviceGridPlan&&) noexcept;
    DeviceGridPlan& operator=(DeviceGridPlan&&) noexcept;

    // Grids each array of `values` to the array of `results` at its place: sum of values over sum
    // of weights, NaN without samples. Begins after the work that `stream`, a cudaStream_t, holds,
    // and returns when its own work is complete. Throws InvalidArgument as GridPlan::order and for
    // sizes that differ; OutOfMemory, Cancelled, DeviceError.
    void execute(const DeviceGridSamples& samples, std::span<const DeviceValues> values,
                 std::span<const DeviceValues> results, void* stream, JobContext& job);
    // Counts of samples in the last call.
    const GridReport& report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
