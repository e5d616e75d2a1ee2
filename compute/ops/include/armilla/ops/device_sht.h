// SPDX-License-Identifier: GPL-3.0-or-later
// Spherical harmonic transforms of maps and coefficients in the memory of a CUDA device. Two
// implementations: device_sht_cuda.cu, and ring_transform_absent.cpp for builds without CUDA.
#pragma once

#include <memory>
#include <span>

#include "armilla/core/job_context.h"
#include "armilla/device/device_values.h"
#include "armilla/ops/sht.h"

namespace armilla {

// ShtPlan (armilla/ops/sht.h) with maps and coefficients that stay on the device: the same
// parameters, orders of values, conventions and accuracy.
//
// A call begins after the work that `stream`, a cudaStream_t, holds, and returns when its own work
// is complete. All arrays are in the memory of the plan's device. Maps and coefficients may be in
// single precision; sums are in double precision. Bad samples (not finite, or UNSEEN) count as zero
// in an analysis, and imaginary parts at m = 0 in a synthesis. Input arrays are not changed.
//
// Device memory beside the tables: the maps of an analysis, of 1 to 4 maps at once, and as many
// maps for iterations. Arrays in single precision, or not at multiples of 16 bytes, have copies
// there. Not thread-safe while executing.
class DeviceShtPlan {
public:
    // Throws InvalidArgument, OutOfMemory and DeviceError as ShtPlan. Unsupported: no CUDA device,
    // or a tolerance above 0.
    DeviceShtPlan(const ShtParameters& parameters, const Device& device);
    ~DeviceShtPlan();
    DeviceShtPlan(DeviceShtPlan&&) noexcept;
    DeviceShtPlan& operator=(DeviceShtPlan&&) noexcept;

    const ShtParameters& parameters() const;  // with the defaults filled in
    int device() const;
    // Times of the last call, on the device.
    ShtSteps steps() const;

    // Batches of fields of spin 0 .. kMaxSpin, as in ShtPlan. InvalidArgument also for arrays of
    // another device.
    void synthesis(int spin, std::span<const DeviceValues> alm, std::span<const DeviceValues> maps,
                   void* stream, JobContext& job);
    void analysis(int spin, std::span<const DeviceValues> maps, std::span<const DeviceValues> alm,
                  void* stream, JobContext& job);
    // T, E, B to T, Q, U and back.
    void synthesisPolarized(std::span<const DeviceValues, 3> teb,
                            std::span<const DeviceValues, 3> tqu, void* stream, JobContext& job);
    void analysisPolarized(std::span<const DeviceValues, 3> tqu,
                           std::span<const DeviceValues, 3> teb, void* stream, JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
