// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays in the memory of a CUDA device, without a CUDA type. Two implementations: cuda_array.cu,
// and device_absent.cpp for builds without CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "armilla/core/harmonics.h"

namespace armilla {

// Doubles in device memory: map samples, or coefficients as (real, imaginary) pairs in the order of
// Alm.
class CudaArray {
public:
    // `count` uninitialized values. Throws OutOfMemory, DeviceError, Unsupported (build without
    // CUDA).
    CudaArray(int device, size_t count);
    ~CudaArray();
    CudaArray(CudaArray&&) noexcept;
    CudaArray& operator=(CudaArray&&) noexcept;

    // Free memory of a device, bytes. Throws DeviceError.
    static int64_t freeBytes(int device);

    double* data() const { return data_; }
    size_t size() const { return size_; }
    // `values` must have size() elements; waits for the copy.
    void upload(std::span<const double> values);
    void upload(const Alm& alm);
    void download(std::span<double> values) const;
    void download(Alm& alm) const;
    void fill(double value);
    // this = other - this.
    void subtractFrom(const CudaArray& other);
    // this *= other, value by value.
    void multiply(const CudaArray& other);
    void copyFrom(const CudaArray& other);

private:
    struct Owner;
    std::unique_ptr<Owner> owner_;
    double* data_ = nullptr;
    size_t size_ = 0;
};

}  // namespace armilla
