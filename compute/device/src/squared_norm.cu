// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/squared_norm.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"

namespace armilla {

namespace {

constexpr unsigned kThreads = 256, kMostBlocks = 1024;

// One sum per block; the order of additions depends on the sizes alone.
__global__ void squaredNormKernel(const double* values, size_t count, double* sums) {
    __shared__ double parts[kThreads];
    double sum = 0.0;
    for (size_t i = blockIdx.x * static_cast<size_t>(kThreads) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * kThreads)
        sum += values[i] * values[i];
    parts[threadIdx.x] = sum;
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}

}  // namespace

double squaredNorm(const CudaArray& array, int device) {
    const auto blocks = static_cast<unsigned>(
        std::clamp<size_t>((array.size() + kThreads - 1) / kThreads, 1, kMostBlocks));
    const cuda::DeviceScope scope(device);
    const cuda::Stream stream(device, cuda::Priority::Low);
    const cuda::DeviceBuffer<double> d_sums(device, blocks);
    std::vector<double> sums(blocks);
    squaredNormKernel<<<blocks, kThreads, 0, stream.get()>>>(array.data(), array.size(),
                                                             d_sums.data());
    cuda::checkLaunch("adding squares");
    cuda::check(cudaMemcpyAsync(sums.data(), d_sums.data(), blocks * sizeof(double),
                                cudaMemcpyDeviceToHost, stream.get()),
                "copying from the device");
    stream.synchronize();
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace armilla
