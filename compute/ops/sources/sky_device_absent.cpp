// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces filtered skies on CUDA devices in builds without CUDA.
#include "armilla/core/error.h"
#include "sources/sky_device.h"

namespace armilla::sources {

namespace {
[[noreturn]] void refuse() {
    throw Unsupported("CUDA: expected a build with CUDA, found one without");
}
}  // namespace

struct SkyDevice::Owner {};

SkyDevice::SkyDevice(const Device& /*device*/, int64_t /*nside*/) {
    refuse();
}
SkyDevice::~SkyDevice() = default;
SkyDevice::SkyDevice(SkyDevice&&) noexcept = default;
SkyDevice& SkyDevice::operator=(SkyDevice&&) noexcept = default;
void SkyDevice::setValues(std::span<const double> /*ring*/, JobContext& /*job*/) {
    refuse();
}
void SkyDevice::setRms(std::span<const double> /*ring*/, JobContext& /*job*/) {
    refuse();
}
void SkyDevice::measureRms(double /*cellSize*/, JobContext& /*job*/) {
    refuse();
}
void SkyDevice::getValues(std::span<double> /*ring*/, JobContext& /*job*/) const {
    refuse();
}
void SkyDevice::getRms(std::span<double> /*ring*/, JobContext& /*job*/) const {
    refuse();
}
std::vector<int64_t> SkyDevice::maxima(double /*least*/, JobContext& /*job*/) {
    refuse();
}
double SkyDevice::deviceSeconds() const {
    refuse();
}
CudaArray& SkyDevice::values() {
    refuse();
}
HostCopies& SkyDevice::copies() {
    refuse();
}

}  // namespace armilla::sources
