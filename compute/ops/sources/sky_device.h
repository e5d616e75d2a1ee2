// SPDX-License-Identifier: GPL-3.0-or-later
// A filtered sky in the memory of a CUDA device, with its local noise and maxima computed as
// localRms and localMaxima do on the CPU. Two implementations: sky_device_cuda.cu, and
// sky_device_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/host_copies.h"
#include "armilla/ops/device.h"

namespace armilla::sources {

class SkyDevice {
public:
    // Allocates two maps. Throws OutOfMemory, DeviceError, Unsupported (build without CUDA).
    SkyDevice(const Device& device, int64_t nside);
    ~SkyDevice();
    SkyDevice(SkyDevice&&) noexcept;
    SkyDevice& operator=(SkyDevice&&) noexcept;

    // Values in RING order, NaN where bad.
    void setValues(std::span<const double> ring, JobContext& job);
    void setRms(std::span<const double> ring, JobContext& job);
    // Computes the local noise of the values as localRms does, and replaces the rms. Throws
    // InvalidArgument for a map without noise.
    void measureRms(double cellSize, JobContext& job);
    void getValues(std::span<double> ring, JobContext& job) const;
    void getRms(std::span<double> ring, JobContext& job) const;
    // The result of localMaxima.
    std::vector<int64_t> maxima(double least, JobContext& job);
    // Time on the device of the last call of measureRms or maxima, seconds.
    double deviceSeconds() const;
    // The values in device memory, for computations without a copy.
    CudaArray& values();
    HostCopies& copies();

private:
    struct Owner;
    std::unique_ptr<Owner> owner_;
};

}  // namespace armilla::sources
