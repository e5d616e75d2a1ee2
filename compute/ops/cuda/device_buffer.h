// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of device memory and of pinned host memory.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "cuda/check.h"

namespace armilla::cuda {

// What kernels receive: a trivially copyable view.
template <class T>
struct DeviceSpan {
    T* data = nullptr;
    size_t size = 0;
};

template <class T>
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    // `count` values, not set, on `device`. Throws OutOfMemory or DeviceError.
    DeviceBuffer(int device, size_t count) : device_(device), size_(count) {
        const DeviceScope scope(device);
        if (count > 0)
            check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)),
                  std::to_string(count * sizeof(T)) + " bytes on the device");
    }
    ~DeviceBuffer() { reset(); }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : device_(other.device_),
          size_(std::exchange(other.size_, 0)),
          data_(std::exchange(other.data_, nullptr)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        if (this != &other) {
            reset();
            device_ = other.device_;
            size_ = std::exchange(other.size_, 0);
            data_ = std::exchange(other.data_, nullptr);
        }
        return *this;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    T* data() const { return data_; }
    size_t size() const { return size_; }
    int device() const { return device_; }
    DeviceSpan<T> span() const { return {data_, size_}; }

private:
    void reset() noexcept {
        if (data_ != nullptr)
            onDevice(device_, "freeing device memory", [&] { return cudaFree(data_); });
        data_ = nullptr;
        size_ = 0;
    }
    int device_ = 0;
    size_t size_ = 0;
    T* data_ = nullptr;
};

// Host memory that the device copies from and to at full speed and without waiting.
template <class T>
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    PinnedBuffer(int device, size_t count) : device_(device), size_(count) {
        const DeviceScope scope(device);
        if (count > 0)
            check(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(T)),
                  std::to_string(count * sizeof(T)) + " bytes of pinned memory");
    }
    ~PinnedBuffer() { reset(); }
    PinnedBuffer(PinnedBuffer&& other) noexcept
        : device_(other.device_),
          size_(std::exchange(other.size_, 0)),
          data_(std::exchange(other.data_, nullptr)) {}
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
        if (this != &other) {
            reset();
            device_ = other.device_;
            size_ = std::exchange(other.size_, 0);
            data_ = std::exchange(other.data_, nullptr);
        }
        return *this;
    }
    PinnedBuffer(const PinnedBuffer&) = delete;
    PinnedBuffer& operator=(const PinnedBuffer&) = delete;

    T* data() const { return data_; }
    size_t size() const { return size_; }

private:
    void reset() noexcept {
        if (data_ != nullptr)
            onDevice(device_, "freeing pinned memory", [&] { return cudaFreeHost(data_); });
        data_ = nullptr;
        size_ = 0;
    }
    int device_ = 0;
    size_t size_ = 0;
    T* data_ = nullptr;
};

}  // namespace armilla::cuda
