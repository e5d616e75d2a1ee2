// SPDX-License-Identifier: GPL-3.0-or-later
// cuFFT, loaded at run time: a library of some 280 MB that the program neither links nor ships.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"

namespace armilla::cuda {

// Empty if a supported version of cuFFT loads, otherwise the reason in one line. The search runs
// once.
std::string cufftMissing();

// Owner of a plan for `count` rows of one length, and of its work area. Complex rows are
// transformed in place; spectra of real rows have length / 2 + 1 values.
class CufftPlan {
public:
    enum class Values { Complex, ToSpectra, FromSpectra };
    struct Rows {
        int64_t length, count, stride, distance;
    };
    CufftPlan() = default;
    // Spectra are contiguous. Throws Unsupported without cuFFT, OutOfMemory, DeviceError.
    CufftPlan(int device, const Rows& rows, Values values, const Stream& stream);
    ~CufftPlan();
    CufftPlan(CufftPlan&& other) noexcept;
    CufftPlan& operator=(CufftPlan&& other) noexcept;

    // Transforms are queued in the plan's stream.
    void forward(double2* data) const;
    void backward(double2* data) const;
    void toSpectra(const double* samples, double2* spectra) const;
    // Overwrites `spectra`.
    void fromSpectra(double2* spectra, double* samples) const;
    size_t bytes() const { return work_.size(); }

private:
    int device_ = 0;
    int plan_ = -1;  // a cufftHandle
    DeviceBuffer<char> work_;
};

}  // namespace armilla::cuda
