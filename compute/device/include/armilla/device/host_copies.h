// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of maps and coefficients between host memory and a CUDA device. Two implementations:
// host_copies.cu, and device_absent.cpp for builds without CUDA.
//
// Copies from and to pageable host memory reach a third of the bus bandwidth. Therefore pieces go
// through pinned buffers, and several threads fill or empty some while others are transferred.
// Single precision crosses the bus as such, and is converted on the device.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"
#include "armilla/device/cuda_array.h"

namespace armilla {

// Not thread-safe. The functions wait for the copy; Cancelled is thrown between pieces. The first
// copy, or prepare, allocates up to 64 MiB of pinned memory, which later objects take over; 256 MiB
// stay allocated between them. All functions may throw
// OutOfMemory and DeviceError.
class HostCopies {
public:
    explicit HostCopies(int device);
    ~HostCopies();
    HostCopies(HostCopies&&) noexcept;
    HostCopies& operator=(HostCopies&&) noexcept;

    // Allocates the pinned memory for long copies by `threads` threads.
    void prepare(int threads);
    // Copies all host values to or from the array, beginning at element `at` of the array.
    void upload(const ConstMapSamples& from, CudaArray& to, JobContext& job, size_t at = 0);
    // The same with 0 in place of bad samples (isBadSample), without a pass over them of its own.
    void uploadGood(const ConstMapSamples& from, CudaArray& to, JobContext& job);
    // Several copies without a pause between them; single copies leave the bus idle at both ends of
    // a copy.
    struct Upload {
        ConstMapSamples from;
        CudaArray* to = nullptr;
        size_t at = 0;
        // One for each sample, or none: the copy is weightedSample() of each, in double precision.
        // The products need no memory on the host.
        std::span<const double> weights = {};
    };
    void upload(std::span<const Upload> all, JobContext& job);
    struct Download {
        const CudaArray* from = nullptr;
        MapSamples to;
        size_t at = 0;
    };
    void download(std::span<const Download> all, JobContext& job);
    void upload(const Alm& from, CudaArray& to, JobContext& job);
    void download(const CudaArray& from, const MapSamples& to, JobContext& job, size_t at = 0);
    void download(const CudaArray& from, Alm& to, JobContext& job);
    // to += from.
    void addTo(Alm& to, const CudaArray& from, JobContext& job);

private:
    struct Slots;
    std::unique_ptr<Slots> slots_;
};

}  // namespace armilla
