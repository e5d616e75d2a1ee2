// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces filtering on CUDA devices in builds without CUDA.
#include "armilla/core/error.h"
#include "sources/filter_device.h"

namespace armilla::sources {

namespace {
[[noreturn]] void refuse() {
    throw Unsupported("CUDA: expected a build with CUDA, found one without");
}
}  // namespace

struct FilterDevice::Owner {};

FilterDevice::FilterDevice(const Device& /*device*/, int64_t /*nside*/, int /*lmax*/) {
    refuse();
}
FilterDevice::~FilterDevice() = default;
FilterDevice::FilterDevice(FilterDevice&&) noexcept = default;
FilterDevice& FilterDevice::operator=(FilterDevice&&) noexcept = default;
int64_t FilterDevice::bytesFor(int64_t /*nside*/, int /*lmax*/, bool /*holes*/) {
    refuse();
}
void FilterDevice::setSky(const Alm& /*alm*/, JobContext& /*job*/) {
    refuse();
}
void FilterDevice::setHoles(const Alm& /*maskAlm*/, std::span<const double> /*good*/,
                            JobContext& /*job*/) {
    refuse();
}
void FilterDevice::filter(std::span<const double> /*fl*/, JobContext& /*job*/) {
    refuse();
}
int64_t FilterDevice::refuseUnseen(std::span<const double> /*window*/, double /*least*/,
                                   JobContext& /*job*/) {
    refuse();
}
void FilterDevice::getShare(std::span<float> /*share*/, JobContext& /*job*/) {
    refuse();
}
void FilterDevice::setPictureSky(const Alm& /*alm*/, const std::vector<double>* /*good*/,
                                 JobContext& /*job*/) {
    refuse();
}
void FilterDevice::draw(std::span<const double> /*fl*/, bool /*single*/, DevicePicture& /*picture*/,
                        JobContext& /*job*/) {
    refuse();
}
SkyDevice& FilterDevice::sky() {
    refuse();
}

}  // namespace armilla::sources
