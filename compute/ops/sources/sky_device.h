// SPDX-License-Identifier: GPL-3.0-or-later
// A filtered sky in the memory of a CUDA device: its local noise and its maxima, as localRms and
// localMaxima make them on the CPU. Two implementations: sky_device_cuda.cu, and
// sky_device_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/job_context.h"
#include "device/cuda_array.h"
#include "device/host_copies.h"
#include "ops/device.h"

namespace armilla::sources {

class SkyDevice {
public:
    // Room for two maps. Throws OutOfMemory, DeviceError, Unsupported (no CUDA in the build).
    SkyDevice(const Device& device, int64_t nside);
    ~SkyDevice();
    SkyDevice(SkyDevice&&) noexcept;
    SkyDevice& operator=(SkyDevice&&) noexcept;

    // RING, NaN where bad.
    void setValues(std::span<const double> ring, JobContext& job);
    void setRms(std::span<const double> ring, JobContext& job);
    // Local noise of the values, which takes the place of the rms: as localRms. Throws
    // InvalidArgument for a map without noise.
    void measureRms(double cellSize, JobContext& job);
    void getValues(std::span<double> ring, JobContext& job) const;
    void getRms(std::span<double> ring, JobContext& job) const;
    // As localMaxima.
    std::vector<int64_t> maxima(double least, JobContext& job);
    // On the device, of the last of these two.
    double deviceSeconds() const;
    // For what is computed there without a copy.
    CudaArray& values();
    HostCopies& copies();

private:
    struct Owner;
    std::unique_ptr<Owner> owner_;
};

}  // namespace armilla::sources
