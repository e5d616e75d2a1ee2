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

#include "convolve/profile_table.h"
#include "convolve/smooth_live.h"
#include "core/job_context.h"
#include "core/map_samples.h"
#include "device/device_picture.h"

namespace armilla {

// The sums of DirectSums and RingSums (convolve/direct_cpu.h, ring_cpu.h), for full maps that stay
// on the device in the precision they have: agrees with them to 1e-12
// (tests/compute/tst_direct_convolution_cuda.cpp). Nothing is allocated for a new width, and
// nothing made that belongs to it but by the kernels that use it. Not thread-safe.
class DirectCuda {
public:
    // `ringWeights` as DirectSums takes them. Throws OutOfMemory, DeviceError, Unsupported (no CUDA
    // in the build).
    DirectCuda(int device, int64_t nside, std::span<const double> ringWeights);
    ~DirectCuda();

    // Copies a field, its samples in RING order, to the device. `pictured`: what a picture of it
    // takes, or null if there will be none. `mean`: as that of DirectPlane. Throws also Cancelled.
    void add(const ConstMapSamples& samples, const LiveField* pictured, JobContext& job,
             double mean = 0.0);
    size_t fieldCount() const;
    // Whether a field has bad pixels.
    bool hasBad(size_t field) const;

    struct Request {
        const ProfileTable* profile = nullptr;
        double integral = 1.0;  // of the kernel
        bool normalize = false;
        size_t field = 0;
        // By rings: where the kernel's B_l end (RingSums). 0: direct sums.
        int lastL = 0;
    };
    // What sums by rings take on the device is allocated, so that requests of no narrower kernels
    // only work.
    void prepare(const Request& request);
    // The sums, divided by those of the mask where `normalize` asks for it, NaN where the field is
    // bad, in RING order: in pieces of some milliseconds, between which a stopped job is noticed.
    void execute(const Request& request, const MapSamples& result, JobContext& job);
    // Only puts work into a stream of high priority; the picture has room for pictureNside().
    void enqueue(const Request& request, DevicePicture& picture);
    // Milliseconds that the device needs for the sums of a request, without copies.
    double measure(const Request& request, int runs);
    // Of each part of direct sums, one after another; none by rings.
    std::vector<std::pair<std::string, double>> parts(const Request& request, int runs);
    int64_t pictureNside() const;
    int64_t deviceBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
