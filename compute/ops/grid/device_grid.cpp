// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the arrays of gridding in device memory.
#include "armilla/ops/device_grid.h"

#include <limits>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "grid/grid_backend.h"

namespace armilla {

void GridBackend::gridOnDevice(const DeviceGridSamples& /*samples*/,
                               std::span<const DeviceValues> /*values*/,
                               std::span<const DeviceValues> /*results*/, void* /*stream*/,
                               JobContext& /*job*/) {
    throw Unsupported("expected one CUDA device for samples in device memory, found another");
}

struct DeviceGridPlan::State {
    size_t cells = 0;
    std::unique_ptr<GridBackend> backend;
};

DeviceGridPlan::DeviceGridPlan(std::vector<Vec3> cells, const GridKernel& kernel,
                               const Device& device)
    : state_(std::make_unique<State>()) {
    if (device.kind != DeviceKind::Cuda || !device.others.empty())
        throw Unsupported("expected one CUDA device for samples in device memory, found " +
                          device.label());
    state_->cells = cells.size();
    state_->backend = makeGridCuda(std::move(cells), checkedKernel(kernel), device, {});
}
DeviceGridPlan::~DeviceGridPlan() = default;
DeviceGridPlan::DeviceGridPlan(DeviceGridPlan&&) noexcept = default;
DeviceGridPlan& DeviceGridPlan::operator=(DeviceGridPlan&&) noexcept = default;

void DeviceGridPlan::execute(const DeviceGridSamples& samples, std::span<const DeviceValues> values,
                             std::span<const DeviceValues> results, void* stream, JobContext& job) {
    const auto require = [](const DeviceValues& array, size_t count, const char* what) {
        if (array.count != count)
            throw InvalidArgument("expected " + std::to_string(count) + " " + what + ", found " +
                                  std::to_string(array.count));
    };
    const size_t count = samples.lon.count;
    if (count > std::numeric_limits<uint32_t>::max())
        throw InvalidArgument("expected fewer than 2^32 samples, found " + std::to_string(count));
    require(samples.lat, count, "latitudes");
    if (samples.weights.data != nullptr) require(samples.weights, count, "weights");
    for (const DeviceValues& column : values) require(column, count, "values");
    if (values.empty() || values.size() != results.size())
        throw InvalidArgument("expected a result for each of at least one array of values, found " +
                              std::to_string(values.size()) + " and " +
                              std::to_string(results.size()));
    for (const DeviceValues& result : results) require(result, state_->cells, "cells");
    state_->backend->gridOnDevice(samples, values, results, stream, job);
}

const GridReport& DeviceGridPlan::report() const {
    return state_->backend->report;
}

}  // namespace armilla
