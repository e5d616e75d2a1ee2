// SPDX-License-Identifier: GPL-3.0-or-later
// Maps in device memory, and their weighted sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda_array.h"
#include "convolve/live/gaussian_series.h"

namespace armilla::cuda {

inline constexpr unsigned kSeriesThreads = 256;

struct SeriesTerms {
    const float4* maps[kMostGaussianTerms];
    double weights[kMostGaussianTerms];
    int count;
};

static __global__ void roundMapKernel(const double2* from, float4* to, int64_t quarters) {
    const auto i = static_cast<int64_t>(blockIdx.x) * kSeriesThreads + threadIdx.x;
    if (i >= quarters) return;
    const double2 a = from[2 * i], b = from[2 * i + 1];
    to[i] = make_float4(static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(b.x),
                        static_cast<float>(b.y));
}

// Bound by memory: four bytes a pixel and term.
static __global__ void sumMapsKernel(SeriesTerms terms, double2* to, int64_t quarters) {
    const auto i = static_cast<int64_t>(blockIdx.x) * kSeriesThreads + threadIdx.x;
    if (i >= quarters) return;
    double2 a = make_double2(0.0, 0.0), b = a;
#pragma unroll 8
    for (int k = 0; k < terms.count; ++k) {
        const float4 value = __ldcs(terms.maps[k] + i);
        const double weight = terms.weights[k];
        a.x = fma(weight, static_cast<double>(value.x), a.x);
        a.y = fma(weight, static_cast<double>(value.y), a.y);
        b.x = fma(weight, static_cast<double>(value.z), b.x);
        b.y = fma(weight, static_cast<double>(value.w), b.y);
    }
    to[2 * i] = a;
    to[2 * i + 1] = b;
}

// Maps of one size, a multiple of four pixels, rounded to single precision.
class SeriesMaps {
public:
    SeriesMaps(int device, size_t pixels) : device_(device), pixels_(pixels) {
        ARMILLA_ASSERT(pixels % 4 == 0);
    }

    int count() const { return static_cast<int>(maps_.size()); }
    int64_t bytes() const { return static_cast<int64_t>(maps_.size()) * bytesOfOne(); }
    int64_t bytesOfOne() const { return static_cast<int64_t>(pixels_ * sizeof(float)); }

    // A buffer for one more map, not set. Throws OutOfMemory, DeviceError.
    DeviceBuffer<float> workspace() const { return {device_, pixels_}; }
    // Takes over the buffer `room` as the next map, which `stream` sets from `map`.
    void append(DeviceBuffer<float> workspace, const CudaArray& map, const Stream& stream) {
        ARMILLA_ASSERT(map.size() == pixels_ && count() < kMostGaussianTerms);
        roundMapKernel<<<blocks(), kSeriesThreads, 0, stream.get()>>>(
            reinterpret_cast<const double2*>(map.data()),
            reinterpret_cast<float4*>(workspace.data()), quarters());
        checkLaunch("rounding a map");
        maps_.push_back(std::move(workspace));
    }
    // Enqueues to = sum weights_k map_k on `stream`.
    void sum(std::span<const double> weights, CudaArray& to, const Stream& stream) const {
        ARMILLA_ASSERT(to.size() == pixels_ && weights.size() <= maps_.size());
        SeriesTerms terms{};
        terms.count = static_cast<int>(weights.size());
        for (size_t k = 0; k < weights.size(); ++k) {
            terms.maps[k] = reinterpret_cast<const float4*>(maps_[k].data());
            terms.weights[k] = weights[k];
        }
        sumMapsKernel<<<blocks(), kSeriesThreads, 0, stream.get()>>>(
            terms, reinterpret_cast<double2*>(to.data()), quarters());
        checkLaunch("adding maps");
    }

private:
    int64_t quarters() const { return static_cast<int64_t>(pixels_ / 4); }
    unsigned blocks() const {
        return static_cast<unsigned>((quarters() + kSeriesThreads - 1) / kSeriesThreads);
    }

    int device_;
    size_t pixels_;
    std::vector<DeviceBuffer<float>> maps_;
};

}  // namespace armilla::cuda
