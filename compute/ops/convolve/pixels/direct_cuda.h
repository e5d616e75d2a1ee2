// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution on pixels on a CUDA device, direct and by rings. Two implementations: direct_cuda.cu,
// and direct_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"
#include "armilla/device/device_picture.h"
#include "convolve/kernel/profile_table.h"
#include "convolve/live/smooth_live.h"

namespace armilla {

// The sums of DirectSums and RingSums (convolve/pixels/direct_cpu.h, ring_cpu.h), for full maps
// that stay on the device in their own precision. Agrees with the CPU to 1e-12
// (tests/compute/tst_direct_convolution_cuda.cpp). A new width needs no allocation, and its data
// are computed only by the kernels that use them. Not thread-safe.
class DirectCuda {
public:
    // `ringWeights`: see DirectSums. Throws OutOfMemory, DeviceError, Unsupported (no CUDA in the
    // build).
    DirectCuda(int device, int64_t nside, std::span<const double> ringWeights);
    ~DirectCuda();

    // Copies a field, its samples in RING order, to the device. `pictured`: the data for pictures
    // of the field, or null for no pictures. `mean`: see DirectPlane. Also throws Cancelled.
    void add(const ConstMapSamples& samples, const LiveField* pictured, JobContext& job,
             double mean = 0.0);
    size_t fieldCount() const;
    // Whether a field has bad pixels.
    bool hasBad(size_t field) const;

    struct Request {
        const ProfileTable* profile = nullptr;
        double integral = 1.0;  // integral of the kernel
        bool normalize = false;
        size_t field = 0;
        // For sums by rings: the last l of the kernel's B_l (RingSums). 0: direct sums.
        int lastL = 0;
    };
    // Allocates the device memory of sums by rings, so that later requests of kernels that are not
    // narrower allocate nothing.
    void prepare(const Request& request);
    // The sums, divided by the mask's sums with `normalize`, NaN where the field is bad, in RING
    // order. The work is split into pieces of some milliseconds; cancellation takes effect between
    // them.
    void execute(const Request& request, const MapSamples& result, JobContext& job);
    // Only enqueues work on a stream of high priority; the picture's buffer has pictureNside().
    void enqueue(const Request& request, DevicePicture& picture);
    // Device time in milliseconds of the sums of a request, without copies.
    double measure(const Request& request, int runs);
    // The time of each part of direct sums, one after another; empty for sums by rings.
    std::vector<std::pair<std::string, double>> parts(const Request& request, int runs);
    int64_t pictureNside() const;
    int64_t deviceBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
