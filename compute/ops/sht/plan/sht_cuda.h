// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the backends for CUDA devices: complete maps on a device, and parts of a map on
// one or several devices.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <vector>

#include "armilla/core/seconds_since.h"
#include "armilla/device/cuda_array.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/plan/sht_backend.h"
#include "sht/several/ring_shares.h"

namespace armilla {

inline int64_t bytesOf(std::initializer_list<const std::vector<CudaArray>*> all) {
    int64_t bytes = 0;
    for (const auto* arrays : all)
        for (const CudaArray& array : *arrays)
            bytes += static_cast<int64_t>(array.size() * sizeof(double));
    return bytes;
}
// The steps of a call, summed up.
struct CudaTimes {
    ShtSteps steps;

    // Adds the steps of the last transform; `bytes` are held on the device.
    void note(const CudaRingTransform& transform, int64_t bytes) {
        steps.legendre += transform.steps().legendre;
        steps.fft += transform.steps().fft;
        steps.deviceBytes = std::max(steps.deviceBytes, bytes);
    }
    template <typename Copy>
    void copying(const Copy& copy) {
        const auto start = std::chrono::steady_clock::now();
        copy();
        steps.transfer += secondsSince(start);
    }
};
// Times of a call whose copies and transforms may overlap.
struct CudaCallTimes {
    CudaTimes transforms, uploads, downloads;
    double allocating = 0.0;

    ShtSteps steps() const {
        ShtSteps all = transforms.steps;
        all += uploads.steps;
        all += downloads.steps;
        all.copyIn = uploads.steps.transfer;
        all.copyOut = downloads.steps.transfer;
        all.allocate = allocating;
        return all;
    }
    // Waits for the memory of `results`, which is brought in concurrently with the work.
    void await(const std::function<void()>& results) {
        if (!results) return;
        const auto start = std::chrono::steady_clock::now();
        results();
        allocating += secondsSince(start);
    }
};

CudaTransformShape cudaShapeOf(const ShtTuning& tuning);
// Throws Unsupported if there is no such device.
void requireCudaDevice(int device);

struct CudaWindowSize {
    int64_t samples = 0;
    int lmax = 0, mmax = 0;
    double share = 1.0;  // fraction of the coefficients
};
// The number of windows of rings with which a transform takes at most `bytes` on the device. The
// transform has `components` components, with `sets` maps and sets of coefficients for each. 1: the
// complete map fits; 0: the coefficients alone do not fit.
int cudaWindowsFor(int64_t bytes, size_t components, int64_t sets, const CudaWindowSize& size);

// Bytes that a plan may take of a device's free memory.
int64_t cudaBytesFor(int device);

// A participating device.
struct CudaPlace {
    int device = 0;
    double speed = 1.0;  // relative to the other devices
    int64_t bytes = 0;   // limit of its memory; 0: cudaBytesFor
    CudaTransformShape shape;
};
// One map, or field, at a time on all devices, by orders and rings (order_shares_cuda.h). The
// copies of one field overlap with the transform of another.
std::unique_ptr<ShtBackend> makeCudaOrdersBackend(const ShtParameters& parameters,
                                                  const RingGrid& grid,
                                                  const std::vector<CudaPlace>& places);
// One map at a time on one or several devices in windows of rings, if memory does not suffice for
// that.
std::unique_ptr<ShtBackend> makeCudaSharesBackend(const ShtParameters& parameters,
                                                  const RingGrid& grid,
                                                  const std::vector<CudaPlace>& places);

}  // namespace armilla
