// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/cuda_array.h"

#include <algorithm>

#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"

namespace armilla {

namespace {

__global__ void subtractKernel(double* values, const double* other, size_t count) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * blockDim.x)
        values[i] = other[i] - values[i];
}
__global__ void multiplyKernel(double* values, const double* other, size_t count) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * blockDim.x)
        values[i] *= other[i];
}
__global__ void fillKernel(double* values, double value, size_t count) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * blockDim.x)
        values[i] = value;
}
unsigned blocksFor(size_t count) {
    return static_cast<unsigned>(std::clamp<size_t>((count + 255) / 256, 1, 4096));
}

}  // namespace

struct CudaArray::Owner {
    cuda::DeviceBuffer<double> buffer;
    cuda::Stream stream;
};

CudaArray::CudaArray(int device, size_t count)
    : owner_(new Owner{cuda::DeviceBuffer<double>(device, count),
                       cuda::Stream(device, cuda::Priority::Low)}),
      data_(owner_->buffer.data()),
      size_(count) {}
CudaArray::~CudaArray() = default;
CudaArray::CudaArray(CudaArray&&) noexcept = default;
CudaArray& CudaArray::operator=(CudaArray&&) noexcept = default;

int64_t CudaArray::freeBytes(int device) {
    const cuda::DeviceScope scope(device);
    size_t free = 0, total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "asking for free memory");
    return static_cast<int64_t>(free);
}
void CudaArray::upload(std::span<const double> values) {
    ARMILLA_ASSERT(values.size() == size_);
    const cuda::DeviceScope scope(owner_->stream.device());
    cuda::check(cudaMemcpyAsync(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice,
                                owner_->stream.get()),
                "copying to the device");
    owner_->stream.synchronize();
}
void CudaArray::upload(const Alm& alm) {
    upload({reinterpret_cast<const double*>(alm.values().data()), 2 * alm.values().size()});
}
void CudaArray::download(std::span<double> values) const {
    ARMILLA_ASSERT(values.size() == size_);
    const cuda::DeviceScope scope(owner_->stream.device());
    cuda::check(cudaMemcpyAsync(values.data(), data_, values.size_bytes(), cudaMemcpyDeviceToHost,
                                owner_->stream.get()),
                "copying from the device");
    owner_->stream.synchronize();
}
void CudaArray::download(Alm& alm) const {
    download({reinterpret_cast<double*>(alm.values().data()), 2 * alm.values().size()});
}
void CudaArray::fill(double value) {
    const cuda::DeviceScope scope(owner_->stream.device());
    fillKernel<<<blocksFor(size_), 256, 0, owner_->stream.get()>>>(data_, value, size_);
    cuda::checkLaunch("filling an array");
    owner_->stream.synchronize();
}
void CudaArray::subtractFrom(const CudaArray& other) {
    ARMILLA_ASSERT(other.size_ == size_);
    const cuda::DeviceScope scope(owner_->stream.device());
    subtractKernel<<<blocksFor(size_), 256, 0, owner_->stream.get()>>>(data_, other.data_, size_);
    cuda::checkLaunch("subtracting maps");
    owner_->stream.synchronize();
}
void CudaArray::multiply(const CudaArray& other) {
    ARMILLA_ASSERT(other.size_ == size_);
    const cuda::DeviceScope scope(owner_->stream.device());
    multiplyKernel<<<blocksFor(size_), 256, 0, owner_->stream.get()>>>(data_, other.data_, size_);
    cuda::checkLaunch("multiplying maps");
    owner_->stream.synchronize();
}
void CudaArray::copyFrom(const CudaArray& other) {
    ARMILLA_ASSERT(other.size_ == size_);
    const cuda::DeviceScope scope(owner_->stream.device());
    cuda::check(cudaMemcpyAsync(data_, other.data_, size_ * sizeof(double),
                                cudaMemcpyDeviceToDevice, owner_->stream.get()),
                "copying on the device");
    owner_->stream.synchronize();
}

}  // namespace armilla
