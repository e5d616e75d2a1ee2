// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces live smoothing and smoothing of device arrays in builds without CUDA.
#include "armilla/core/error.h"
#include "armilla/ops/device_smooth.h"
#include "convolve/live/smooth_live.h"

namespace armilla {

namespace {

[[noreturn]] void refuse() {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace

struct LiveSmoothing::State {};
LiveSmoothing::LiveSmoothing(const Analysis& /*analysis*/, const std::vector<LiveField>& /*fields*/,
                             const Device& /*device*/, JobContext& /*job*/) {
    refuse();
}
LiveSmoothing::~LiveSmoothing() = default;
void LiveSmoothing::prepare(int /*band*/, JobContext& /*job*/) {
    refuse();
}
bool LiveSmoothing::isPrepared(int /*band*/) const {
    refuse();
}
void LiveSmoothing::enqueue(const Request& /*request*/, DevicePicture& /*picture*/) {
    refuse();
}
bool LiveSmoothing::growSeries(size_t /*field*/, int /*band*/, JobContext& /*job*/) {
    refuse();
}
int LiveSmoothing::seriesTerms(size_t /*field*/) const {
    refuse();
}
void LiveSmoothing::enqueueSum(size_t /*field*/, std::span<const double> /*weights*/,
                               DevicePicture& /*picture*/) {
    refuse();
}
int64_t LiveSmoothing::pictureNside() const {
    refuse();
}
int64_t LiveSmoothing::deviceBytes() const {
    refuse();
}

struct DeviceSmoothPlan::State {};
DeviceSmoothPlan::DeviceSmoothPlan(const SmoothParameters& /*parameters*/, int64_t /*nside*/,
                                   const Device& /*device*/, JobContext& /*job*/) {
    refuse();
}
DeviceSmoothPlan::~DeviceSmoothPlan() = default;
DeviceSmoothPlan::DeviceSmoothPlan(DeviceSmoothPlan&&) noexcept = default;
DeviceSmoothPlan& DeviceSmoothPlan::operator=(DeviceSmoothPlan&&) noexcept = default;
int DeviceSmoothPlan::device() const {
    refuse();
}
void DeviceSmoothPlan::execute(std::span<const DeviceValues> /*fields*/,
                               std::span<const DeviceValues> /*results*/, void* /*stream*/,
                               JobContext& /*job*/) {
    refuse();
}

}  // namespace armilla
