// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces pair_counts_cuda.cu and device_points_cuda.cu in builds without CUDA.
#include "armilla/core/error.h"
#include "pairs/device_points.h"
#include "pairs/pair_counts_cuda.h"

namespace armilla {

struct CudaPairCounter::State {};

CudaPairCounter::CudaPairCounter(int, std::span<const CudaPoints>, std::span<const CudaPairTask>,
                                 std::span<const CudaEdge>, JobContext&) {
    throw Unsupported(
        "expected a build with CUDA to count pairs on a CUDA device, found one without");
}
CudaPairCounter::~CudaPairCounter() = default;
int64_t CudaPairCounter::tiles() const {
    return 0;
}
void CudaPairCounter::count(int64_t, int64_t, std::span<int64_t>, std::span<double>,
                            std::vector<CudaDoubt>&, JobContext&) {}
void CudaPairCounter::angles(bool, bool, std::span<double>, std::span<double>,
                             std::vector<CudaDoubt>&, JobContext&) {}

struct DevicePoints::Store {};

DevicePoints::DevicePoints(int, const PointColumns&, void*, const Refuse&, JobContext&) {
    throw Unsupported("expected a build with CUDA for points on a CUDA device, found one without");
}
DevicePoints::~DevicePoints() = default;
int DevicePoints::device() const {
    return -1;
}
bool DevicePoints::weighted() const {
    return false;
}
bool DevicePoints::isTurned() const {
    return false;
}
int64_t DevicePoints::skipped() const {
    return 0;
}
WeightSums DevicePoints::sums() const {
    return {};
}
CudaPoints DevicePoints::addresses() const {
    return {};
}
void DevicePoints::fetch(std::span<const uint32_t>, SkyPoints&) const {}
PatchTree DevicePoints::patches(int, JobContext&) const {
    return {};
}
std::vector<std::shared_ptr<const DevicePoints>> DevicePoints::split(const PatchTree&,
                                                                     JobContext&) const {
    return {};
}

}  // namespace armilla
