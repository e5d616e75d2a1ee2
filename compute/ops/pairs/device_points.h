// SPDX-License-Identifier: GPL-3.0-or-later
// Points of a catalog on one CUDA device, without a CUDA type. Two implementations:
// device_points_cuda.cu, and pair_counts_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/device/device_values.h"
#include "armilla/ops/pairs.h"
#include "pairs/pair_counts_cuda.h"
#include "pairs/patch_tree.h"
#include "pairs/rotation.h"

namespace armilla {

// Sums over the weights of points.
struct WeightSums {
    double sum, squares, sizes;  // sizes: of absolute values
};
// 1 each without weights.
WeightSums weightSums(const SkyPoints& points);
// Throws Unsupported if the points are on a device and `device` is another one, and InvalidArgument
// if their rotation is not the one of their copy there.
void requireCountable(const SkyPoints& points, const Device& device);

// Columns of a catalog; all weights are 1 if `weight` has no data. The units are radians per unit.
struct PointColumns {
    DeviceValues lon, lat, weight;
    double lonUnit = 1.0, latUnit = 1.0;
    double lonQuarter = 90.0, latQuarter = 90.0;  // units in 90 degrees, see SkyPoints
    std::optional<FineRotation> turn = {};        // rotation of the vectors
};

// Immutable, so that copies share the memory.
class DevicePoints {
public:
    // Throws, for a row that verdictOn() refuses.
    using Refuse = std::function<void(int64_t row, double lon, double lat, double weight)>;

    // Copies the rows that verdictOn() keeps, after the work that `stream`, a cudaStream_t, holds.
    // Throws OutOfMemory, DeviceError, Unsupported (build without CUDA), Cancelled.
    DevicePoints(int device, const PointColumns& columns, void* stream, const Refuse& refuse,
                 JobContext& job);
    ~DevicePoints();
    DevicePoints(const DevicePoints&) = delete;
    DevicePoints& operator=(const DevicePoints&) = delete;

    int device() const;
    int64_t size() const { return count_; }
    bool weighted() const;
    bool isTurned() const;
    int64_t skipped() const;
    WeightSums sums() const;
    // Addresses on the device.
    CudaPoints addresses() const;
    // Positions and weights of some points as stored.
    void fetch(std::span<const uint32_t> which, SkyPoints& to) const;
    // A tree of `count` patches with equal numbers of these points.
    PatchTree patches(int count, JobContext& job) const;
    // The points of each patch.
    std::vector<std::shared_ptr<const DevicePoints>> split(const PatchTree& tree,
                                                           JobContext& job) const;

private:
    struct Store;
    DevicePoints(std::shared_ptr<const Store> store, int64_t first, int64_t count);
    std::shared_ptr<const Store> store_;
    int64_t first_ = 0, count_ = 0;
};

}  // namespace armilla
