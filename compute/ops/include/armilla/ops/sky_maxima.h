// SPDX-License-Identifier: GPL-3.0-or-later
// Local noise and maxima of a filtered map, in the memory of the device that computes them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/device.h"

namespace armilla {

namespace sources {
class SkyDevice;
}

// On the CPU the maps stay in the caller's memory and must outlive this object; on a CUDA device
// they are copied to it once. Arrays are RING, 12 nside^2, NaN where bad. Both devices find the
// same maxima; their noise differs by rounding. Not thread-safe. Tests: tst_sources,
// tst_sources_cuda.
class SkyMaxima {
public:
    // Throws InvalidArgument for an nside that does not exist, OutOfMemory, DeviceError,
    // Unsupported.
    SkyMaxima(const Device& device, int64_t nside);
    ~SkyMaxima();
    SkyMaxima(SkyMaxima&&) noexcept;
    SkyMaxima& operator=(SkyMaxima&&) noexcept;

    // Set the filtered map, and its local noise. Both throw InvalidArgument for arrays of another
    // size.
    void setValues(std::span<const double> ring, JobContext& job);
    void setRms(std::span<const double> ring, JobContext& job);
    // Measures the rms of the values in cells of `cellSize` radians, clipped at 3 sigma and
    // interpolated between cell centers. Throws InvalidArgument for a map without noise.
    void measureRms(double cellSize, JobContext& job);
    std::vector<double> rms(JobContext& job) const;
    // Pixels, in ascending order, whose value is at least `least` times the rms and not below that
    // of any neighbor. The first of equal neighbors counts.
    std::vector<int64_t> maxima(double least, JobContext& job);
    // Device time of the last call of measureRms() or maxima(), without copies; 0 on the CPU.
    double deviceSeconds() const;

private:
    void require(std::span<const double> ring) const;

    int64_t nside_ = 0;
    std::unique_ptr<sources::SkyDevice> device_;
    std::span<const double> values_, rms_;
    std::vector<double> own_;
};

}  // namespace armilla
