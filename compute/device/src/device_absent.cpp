// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces compute/device in builds without CUDA: no device is listed, and every function that
// needs one throws Unsupported.
#include "armilla/core/error.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/device/device_group.h"
#include "armilla/device/device_picture.h"
#include "armilla/device/device_values.h"
#include "armilla/device/host_copies.h"
#include "armilla/device/squared_norm.h"

namespace armilla {

std::vector<Device> cudaDevices(CudaListing /*listing*/) {
    return {};
}

std::vector<std::string> cudaProblems() {
    return {"CUDA: this build has no CUDA code"};
}

namespace {

[[noreturn]] void refuse() {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace

struct CudaArray::Owner {};
CudaArray::CudaArray(int /*device*/, size_t /*count*/) {
    refuse();
}
CudaArray::~CudaArray() = default;
CudaArray::CudaArray(CudaArray&&) noexcept = default;
CudaArray& CudaArray::operator=(CudaArray&&) noexcept = default;
int64_t CudaArray::freeBytes(int /*device*/) {
    refuse();
}
void CudaArray::upload(std::span<const double> /*values*/) {
    refuse();
}
void CudaArray::upload(const Alm& /*alm*/) {
    refuse();
}
void CudaArray::download(std::span<double> /*values*/) const {
    refuse();
}
void CudaArray::download(Alm& /*alm*/) const {
    refuse();
}
void CudaArray::fill(double /*value*/) {
    refuse();
}
void CudaArray::subtractFrom(const CudaArray& /*other*/) {
    refuse();
}
void CudaArray::multiply(const CudaArray& /*other*/) {
    refuse();
}
void CudaArray::copyFrom(const CudaArray& /*other*/) {
    refuse();
}
double squaredNorm(const CudaArray& /*array*/, int /*device*/) {
    refuse();
}

struct HostCopies::Slots {};
HostCopies::HostCopies(int /*device*/) {
    refuse();
}
HostCopies::~HostCopies() = default;
void HostCopies::prepare(int /*threads*/) {
    refuse();
}
HostCopies::HostCopies(HostCopies&&) noexcept = default;
HostCopies& HostCopies::operator=(HostCopies&&) noexcept = default;
void HostCopies::upload(const ConstMapSamples& /*from*/, CudaArray& /*to*/, JobContext& /*job*/,
                        size_t /*at*/) {
    refuse();
}
void HostCopies::uploadGood(const ConstMapSamples& /*from*/, CudaArray& /*to*/,
                            JobContext& /*job*/) {
    refuse();
}
void HostCopies::upload(std::span<const Upload> /*all*/, JobContext& /*job*/) {
    refuse();
}
void HostCopies::upload(const Alm& /*from*/, CudaArray& /*to*/, JobContext& /*job*/) {
    refuse();
}
void HostCopies::download(const CudaArray& /*from*/, const MapSamples& /*to*/, JobContext& /*job*/,
                          size_t /*at*/) {
    refuse();
}
void HostCopies::download(const CudaArray& /*from*/, Alm& /*to*/, JobContext& /*job*/) {
    refuse();
}
void HostCopies::download(std::span<const Download> /*all*/, JobContext& /*job*/) {
    refuse();
}
void HostCopies::addTo(Alm& /*to*/, const CudaArray& /*from*/, JobContext& /*job*/) {
    refuse();
}

struct DeviceGroup::Parts {};
std::string DeviceGroup::missing() {
    return "this build has no CUDA code";
}
DeviceGroup::Id DeviceGroup::newId() {
    refuse();
}
DeviceGroup::DeviceName DeviceGroup::nameOf(int /*device*/) {
    refuse();
}
DeviceGroup::DeviceGroup(int /*device*/, const Id& /*id*/, int /*rank*/, int /*size*/) {
    refuse();
}
DeviceGroup::~DeviceGroup() = default;
void DeviceGroup::exchange(std::span<const Array> /*sends*/, std::span<const Array> /*receives*/,
                           const cuda::Stream& /*stream*/) {
    refuse();
}
void DeviceGroup::check() const {
    refuse();
}
void DeviceGroup::abandon() noexcept {}

int deviceOfMemory(const void* /*data*/) {
    refuse();
}
struct DeviceStream::Owner {};
DeviceStream::DeviceStream(int /*device*/) {
    refuse();
}
DeviceStream::~DeviceStream() = default;
DeviceStream::DeviceStream(DeviceStream&&) noexcept = default;
DeviceStream& DeviceStream::operator=(DeviceStream&&) noexcept = default;
int DeviceStream::device() const {
    refuse();
}
void* DeviceStream::handle() const {
    refuse();
}
void DeviceStream::waitFor(void* /*other*/) {
    refuse();
}

struct DevicePicture::Owner {};
DevicePicture::DevicePicture(int /*device*/, int64_t /*nside*/) {
    refuse();
}
DevicePicture::~DevicePicture() = default;
int DevicePicture::device() const {
    refuse();
}
int64_t DevicePicture::nside() const {
    refuse();
}
int DevicePicture::levels() const {
    refuse();
}
int64_t DevicePicture::bytesFor(int64_t /*nside*/) {
    refuse();
}
bool DevicePicture::isReady() const {
    refuse();
}
void DevicePicture::wait() const {
    refuse();
}
std::vector<float> DevicePicture::download(int /*level*/) const {
    refuse();
}
std::vector<float> DevicePicture::sample(size_t /*count*/) const {
    refuse();
}
DevicePictures::DevicePictures(int /*device*/, int64_t /*nside*/) {
    refuse();
}
std::shared_ptr<DevicePicture> DevicePictures::next() {
    refuse();
}
struct PictureCells::Owner {};
PictureCells::PictureCells(int /*device*/, int64_t /*mapNside*/,
                           std::span<const uint32_t> /*bad*/) {
    refuse();
}
PictureCells::~PictureCells() = default;
PictureCells::PictureCells(PictureCells&&) noexcept = default;
PictureCells& PictureCells::operator=(PictureCells&&) noexcept = default;
int64_t PictureCells::pictureNside() const {
    refuse();
}

}  // namespace armilla
