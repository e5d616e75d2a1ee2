// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum/coupling_matrix_cuda.h"

#include <mutex>
#include <utility>

#include "armilla/core/new_vector.h"
#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda/uploaded.h"
#include "armilla/device/host_copies.h"

namespace armilla {

namespace cuda {

constexpr int kColumnsOfBlock = 128, kThreadsOfSum = 256;

// The rows of a bin, and the position of the first one's factor.
struct BinRows {
    int first, end, factor;
};

// blockIdx.x counts runs of columns, blockIdx.y bins; a thread has one column.
__global__ void rowSumsKernel(const double* x, int64_t size, const BinRows* bins,
                              const double* factors, double* to) {
    const int64_t column = int64_t{blockIdx.x} * kColumnsOfBlock + threadIdx.x;
    if (column >= size) return;
    const BinRows bin = bins[blockIdx.y];
    const double* const factor = factors + bin.factor - bin.first;
    double sum = 0.0;
#pragma unroll 8
    for (int l = bin.first; l < bin.end; ++l) sum = fma(factor[l], x[l * size + column], sum);
    to[blockIdx.y * size + column] = sum;
}

// A thread sums the columns of one bin, in the row of sums of another.
__global__ void columnSumsKernel(const double* rows, int64_t size, const BinRows* bins, int count,
                                 const double* factors, double* to) {
    const int64_t at = int64_t{blockIdx.x} * kThreadsOfSum + threadIdx.x;
    if (at >= int64_t{count} * count) return;
    const BinRows bin = bins[at % count];
    const double* const row = rows + at / count * size;
    const double* const factor = factors + bin.factor - bin.first;
    double sum = 0.0;
    for (int l = bin.first; l < bin.end; ++l) sum = fma(factor[l], row[l], sum);
    to[at] = sum;
}

// A block sums one row.
__global__ void rowProductsKernel(const double* x, int64_t size, const double* right, double* to) {
    __shared__ double parts[kThreadsOfSum];
    const double* const row = x + blockIdx.x * size;
    const int thread = static_cast<int>(threadIdx.x);
    double sum = 0.0;
    for (int64_t k = thread; k < size; k += kThreadsOfSum) sum = fma(row[k], right[k], sum);
    parts[thread] = sum;
    for (int half = kThreadsOfSum / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half) parts[thread] += parts[thread + half];
    }
    if (thread == 0) to[blockIdx.x] = parts[0];
}

}  // namespace cuda

namespace {

unsigned blocksFor(int64_t count, int each) {
    return static_cast<unsigned>((count + each - 1) / each);
}

class CudaCouplings : public CouplingOnDevice {
public:
    CudaCouplings(int device, int lmax, CudaArray values)
        : device_(device),
          size_(int64_t{lmax} + 1),
          values_(std::move(values)),
          stream_(device, cuda::Priority::Low) {}

    std::vector<double> rowSums(std::span<const MultipoleBin> bins,
                                std::span<const double> factors) const override {
        const std::lock_guard lock(inUse_);
        const cuda::DeviceScope scope(device_);
        sumRows(bins, factors);
        return downloaded(sums_, static_cast<int64_t>(bins.size()) * size_);
    }
    std::vector<double> binSums(std::span<const MultipoleBin> bins, std::span<const double> left,
                                std::span<const double> right) const override {
        const std::lock_guard lock(inUse_);
        const cuda::DeviceScope scope(device_);
        sumRows(bins, left);
        const auto count = static_cast<int>(bins.size());
        const int64_t all = int64_t{count} * count;
        hold(right_, right.size());
        hold(binned_, static_cast<size_t>(all));
        cuda::upload(right, right_, stream_);
        cuda::columnSumsKernel<<<blocksFor(all, cuda::kThreadsOfSum), cuda::kThreadsOfSum, 0,
                                 stream_.get()>>>(sums_.data(), size_, bins_.data(), count,
                                                  right_.data(), binned_.data());
        cuda::checkLaunch("sums of a coupling matrix over bins");
        return downloaded(binned_, all);
    }
    std::vector<double> product(std::span<const double> right) const override {
        const std::lock_guard lock(inUse_);
        const cuda::DeviceScope scope(device_);
        hold(right_, right.size());
        hold(sums_, right.size());
        cuda::upload(right, right_, stream_);
        cuda::rowProductsKernel<<<static_cast<unsigned>(size_), cuda::kThreadsOfSum, 0,
                                  stream_.get()>>>(values_.data(), size_, right_.data(),
                                                   sums_.data());
        cuda::checkLaunch("the product of a coupling matrix and a spectrum");
        return downloaded(sums_, size_);
    }
    std::vector<double> values(JobContext& job) const override {
        auto all = newVector<double>(size_ * size_, job);
        HostCopies(device_).download(values_, std::span<double>(all), job);
        return all;
    }

private:
    // Keeps a buffer that is large enough: memory of a device takes as long to allocate as a sum.
    template <class T>
    void hold(cuda::DeviceBuffer<T>& buffer, size_t size) const {
        if (buffer.size() < size) buffer = cuda::DeviceBuffer<T>(device_, size);
    }
    void sumRows(std::span<const MultipoleBin> bins, std::span<const double> factors) const {
        std::vector<cuda::BinRows> rows;
        int factor = 0;
        for (const MultipoleBin& bin : bins) {
            rows.push_back({bin.first, bin.last + 1, factor});
            factor += bin.last - bin.first + 1;
        }
        hold(bins_, rows.size());
        hold(left_, factors.size());
        hold(sums_, rows.size() * static_cast<size_t>(size_));
        cuda::upload(std::span<const cuda::BinRows>(rows), bins_, stream_);
        cuda::upload(factors, left_, stream_);
        cuda::rowSumsKernel<<<dim3(blocksFor(size_, cuda::kColumnsOfBlock),
                                   static_cast<unsigned>(rows.size())),
                              cuda::kColumnsOfBlock, 0, stream_.get()>>>(
            values_.data(), size_, bins_.data(), left_.data(), sums_.data());
        cuda::checkLaunch("sums of rows of a coupling matrix");
        stream_.synchronize();
    }
    std::vector<double> downloaded(const cuda::DeviceBuffer<double>& from, int64_t count) const {
        std::vector<double> to(static_cast<size_t>(count));
        cuda::check(cudaMemcpyAsync(to.data(), from.data(), to.size() * sizeof(double),
                                    cudaMemcpyDeviceToHost, stream_.get()),
                    "copying sums from the device");
        stream_.synchronize();
        return to;
    }

    int device_;
    int64_t size_;
    CudaArray values_;
    mutable std::mutex inUse_;
    cuda::Stream stream_;
    mutable cuda::DeviceBuffer<cuda::BinRows> bins_;
    mutable cuda::DeviceBuffer<double> left_, right_, sums_, binned_;
};

}  // namespace

std::shared_ptr<const CouplingOnDevice> couplingOnDevice(int device, int lmax, CudaArray values) {
    return std::make_shared<CudaCouplings>(device, lmax, std::move(values));
}

}  // namespace armilla
