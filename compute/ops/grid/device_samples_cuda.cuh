// SPDX-License-Identifier: GPL-3.0-or-later
// Samples and results of gridding in arrays of a caller; used only by gridding_cuda.cu.
#pragma once

#include <algorithm>
#include <cstdint>

#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/device_values.h"
#include "grid/gridding_kernels_cuda.cuh"
#include "grid/sample_order.h"

namespace armilla::gridding {

constexpr unsigned kThreads = 256;
inline unsigned blocksFor(int64_t count) {
    return static_cast<unsigned>(std::clamp<int64_t>((count + kThreads - 1) / kThreads, 1, 8192));
}

template <class T>
__global__ void takeKernel(const T* from, int64_t count, double* to) {
    for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < count;
         i += int64_t{gridDim.x} * blockDim.x)
        to[i] = static_cast<double>(from[i]);
}
// griddedValues() of one channel.
template <class T>
__global__ void quotientKernel(Sums sums, T* to) {
    for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < sums.cells;
         i += int64_t{gridDim.x} * blockDim.x)
        to[i] = sums.counts[i] > 0.0 && sums.weights[i] != 0.0
                    ? static_cast<T>(sums.values[i] / sums.weights[i])
                    : static_cast<T>(nan(""));
}

// Copies an array of a caller as doubles, in the order of the stream.
inline void takeValues(const DeviceValues& from, CudaArray& to, const cuda::Stream& stream) {
    const auto count = static_cast<int64_t>(from.count);
    if (from.isSingle)
        takeKernel<<<blocksFor(count), kThreads, 0, stream.get()>>>(
            static_cast<const float*>(from.data), count, to.data());
    else
        takeKernel<<<blocksFor(count), kThreads, 0, stream.get()>>>(
            static_cast<const double*>(from.data), count, to.data());
    cuda::checkLaunch("copying values on the device");
}
// Writes the gridded values of one channel to an array of a caller.
inline void divideSums(const Sums& sums, const DeviceValues& to, const cuda::Stream& stream) {
    if (to.isSingle)
        quotientKernel<<<blocksFor(sums.cells), kThreads, 0, stream.get()>>>(
            sums, static_cast<float*>(to.data));
    else
        quotientKernel<<<blocksFor(sums.cells), kThreads, 0, stream.get()>>>(
            sums, static_cast<double*>(to.data));
    cuda::checkLaunch("dividing the sums");
}
// refusePosition() of a sample that is on the device alone.
[[noreturn]] inline void refuseOnDevice(const RawSamples& raw, int64_t row,
                                        const cuda::Stream& stream) {
    double lon = 0.0, lat = 0.0, weight = 1.0;
    const auto fetchOne = [&](const double* from, double& to) {
        cuda::check(
            cudaMemcpyAsync(&to, from + row, sizeof(double), cudaMemcpyDeviceToHost, stream.get()),
            "reading a sample");
    };
    fetchOne(raw.lon, lon);
    fetchOne(raw.lat, lat);
    GridSamples one;
    if (raw.weights != nullptr) {
        fetchOne(raw.weights, weight);
        one.weights = {&weight, 1};
    }
    stream.synchronize();
    one.lon = {&lon, 1};
    one.lat = {&lat, 1};
    one.lonUnit = raw.lonUnit;
    one.latUnit = raw.latUnit;
    one.firstRow = row;
    refusePosition(one, 0);
}

}  // namespace armilla::gridding
