// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of device memory and of pinned host memory.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "armilla/device/cuda/check.h"

namespace armilla::cuda {

// Kernel argument: a trivially copyable view of device memory.
template <class T>
struct DeviceSpan {
    T* data = nullptr;
    size_t size = 0;
};

// Allocators for OwnedBuffer.
struct DeviceMemory {
    static constexpr const char* kWhere = " bytes on the device";
    static cudaError_t allocate(void** data, size_t bytes) { return cudaMalloc(data, bytes); }
    static cudaError_t release(void* data) { return cudaFree(data); }
};
// Page-locked host memory.
struct PinnedMemory {
    static constexpr const char* kWhere = " bytes of pinned memory";
    static cudaError_t allocate(void** data, size_t bytes) { return cudaMallocHost(data, bytes); }
    static cudaError_t release(void* data) { return cudaFreeHost(data); }
};

// Owner of an array. Movable, not copyable.
template <class T, class Memory>
class OwnedBuffer {
public:
    OwnedBuffer() = default;
    // `count` uninitialized values on `device`. Throws OutOfMemory or DeviceError.
    OwnedBuffer(int device, size_t count) : device_(device), size_(count) {
        const DeviceScope scope(device);
        if (count > 0)
            check(Memory::allocate(reinterpret_cast<void**>(&data_), count * sizeof(T)),
                  std::to_string(count * sizeof(T)) + Memory::kWhere);
    }
    ~OwnedBuffer() { reset(); }
    OwnedBuffer(OwnedBuffer&& other) noexcept
        : device_(other.device_),
          size_(std::exchange(other.size_, 0)),
          data_(std::exchange(other.data_, nullptr)) {}
    OwnedBuffer& operator=(OwnedBuffer&& other) noexcept {
        if (this != &other) {
            reset();
            device_ = other.device_;
            size_ = std::exchange(other.size_, 0);
            data_ = std::exchange(other.data_, nullptr);
        }
        return *this;
    }
    OwnedBuffer(const OwnedBuffer&) = delete;
    OwnedBuffer& operator=(const OwnedBuffer&) = delete;

    T* data() const { return data_; }
    size_t size() const { return size_; }
    int device() const { return device_; }
    DeviceSpan<T> span() const { return {data_, size_}; }

private:
    void reset() noexcept {
        if (data_ != nullptr)
            onDevice(device_, "freeing memory", [&] { return Memory::release(data_); });
        data_ = nullptr;
        size_ = 0;
    }
    int device_ = 0;
    size_t size_ = 0;
    T* data_ = nullptr;
};

// An array in device memory.
template <class T>
using DeviceBuffer = OwnedBuffer<T, DeviceMemory>;
// An array in pinned host memory: the device copies at full bus speed and asynchronously.
template <class T>
using PinnedBuffer = OwnedBuffer<T, PinnedMemory>;

}  // namespace armilla::cuda
