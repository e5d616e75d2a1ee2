// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of maps and coefficients between host memory and a CUDA device. Two implementations:
// host_copies.cu, and device_absent.cpp for builds without CUDA.
//
// Copies from and to ordinary host memory reach a third of the speed of the bus. So pieces go
// through pinned buffers, which several threads fill or empty while others are on the bus. Single
// precision crosses the bus as such, and is converted on the device.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/harmonics.h"
#include "core/job_context.h"
#include "core/map_samples.h"
#include "device/cuda_array.h"

namespace armilla {

// Not thread-safe. The functions wait for the copy; Cancelled is thrown between pieces. Pinned
// memory, up to 64 MiB, is taken with the first copy, or by prepare, and kept. Throw OutOfMemory,
// DeviceError.
class HostCopies {
public:
    explicit HostCopies(int device);
    ~HostCopies();
    HostCopies(HostCopies&&) noexcept;
    HostCopies& operator=(HostCopies&&) noexcept;

    // Takes the pinned memory for long copies by so many threads.
    void prepare(int threads);
    // All values on the host, to and from place `at` on of the array.
    void upload(const ConstMapSamples& from, CudaArray& to, JobContext& job, size_t at = 0);
    // Several, without a pause between them: a copy alone leaves the bus idle at its ends.
    struct Upload {
        ConstMapSamples from;
        CudaArray* to = nullptr;
        size_t at = 0;
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
