// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of maps in the memory of a CUDA device. Two implementations: device_smooth_cuda.cu, and
// smooth_live_absent.cpp for builds without CUDA.
#pragma once

#include <memory>
#include <span>

#include "armilla/core/job_context.h"
#include "armilla/device/device_values.h"
#include "armilla/ops/convolve.h"

namespace armilla {

// The harmonic method of SmoothPlan (armilla/ops/convolve.h) for full maps in RING order that stay
// on the device. Results are those of SmoothPlan within rounding, and bad (NaN) at the same pixels.
// Values beyond 1e100, or all below 1e-100, are not rescaled. Not thread-safe while executing.
class DeviceSmoothPlan {
public:
    // `parameters` for maps of `nside`; Auto is the harmonic method. Throws as SmoothPlan::execute;
    // Unsupported also for the methods on pixels and without a CUDA device.
    DeviceSmoothPlan(const SmoothParameters& parameters, int64_t nside, const Device& device,
                     JobContext& job);
    ~DeviceSmoothPlan();
    DeviceSmoothPlan(DeviceSmoothPlan&&) noexcept;
    DeviceSmoothPlan& operator=(DeviceSmoothPlan&&) noexcept;

    int device() const;
    // The smoothed fields: any number, or T, Q, U with polarization. Begins after the work that
    // `stream`, a cudaStream_t, holds, and returns when its own work is complete. A map may be its
    // own result. Throws InvalidArgument, OutOfMemory, DeviceError.
    void execute(std::span<const DeviceValues> fields, std::span<const DeviceValues> results,
                 void* stream, JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
