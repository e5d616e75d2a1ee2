// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum/coupling_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda/uploaded.h"
#include "armilla/device/cuda_array.h"
#include "spectrum/coupling_cuda.cuh"
#include "spectrum/coupling_matrix_cuda.h"
#include "spectrum/wigner_steps.h"

namespace armilla {

namespace {

constexpr int64_t kMostTableBytes = int64_t{2} << 30;

unsigned blocksFor(int count, int each) {
    return static_cast<unsigned>((count + each - 1) / each);
}

// The first rows of segments of at most kSegmentRows rows. A recurrence over a segment loses digits
// as a power of the ratio of its last row to its first, which is 2 at most from l = 4 on.
std::vector<int> segmentStarts(int first, int lmax) {
    std::vector<int> starts{first};
    for (int l = std::max(4, 2 * first); l <= lmax; l += std::min(l, cuda::kSegmentRows))
        starts.push_back(l);
    return starts;
}

// A recurrence in device memory.
class UploadedWigner {
public:
    UploadedWigner(int device, const WignerOrders& orders, int last, const cuda::Stream& stream) {
        const WignerRecurrence host(orders, last);
        const size_t size = host.alpha.size();
        std::vector<double> all;
        for (const auto* each : {&host.alpha, &host.beta, &host.scale, &host.back, &host.shift[0],
                                 &host.shift[1], &host.shift[2]})
            all.insert(all.end(), each->begin(), each->end());
        values_ = cuda::uploaded(device, all, stream);
        const double* const at = values_.data();
        view_ = {orders.m,  orders.n,      host.first,    static_cast<int>(size), at,
                 at + size, at + 2 * size, at + 3 * size, at + 4 * size};
    }
    const cuda::DeviceWigner& view() const { return view_; }

private:
    cuda::DeviceBuffer<double> values_;
    cuda::DeviceWigner view_;
};

class DeviceCouplings {
public:
    // `maskLast`: the last multipole of all weights.
    DeviceCouplings(int device, int lmax, int maskLast, int64_t tableBytes, JobContext& job)
        : device_(device),
          lmax_(lmax),
          maskLast_(maskLast),
          columns_(lmax + 1 + cuda::kHalo),
          job_(job),
          stream_(device, cuda::Priority::Low) {
        const int64_t degree = int64_t{lmax} + 1 + columns_ - 1 + maskLast;
        const std::vector<GaussAngle> angles = gaussAngles(degree, job);
        count_ = static_cast<int>(angles.size());
        angles_ = cuda::uploaded(device, angles, stream_);
        xi_ = cuda::DeviceBuffer<double>(device, angles.size());
        coefficients_ = cuda::DeviceBuffer<double>(device, static_cast<size_t>(maskLast) + 1);
        const int anchors = 2 * static_cast<int>(segmentStarts(0, lmax).size());
        products_ = cuda::DeviceBuffer<double>(device, numbers(anchors, columns_));
        if (tableBytes <= 0)
            tableBytes = std::min(kMostTableBytes, CudaArray::freeBytes(device) / 2);
        const int64_t ofAngle = int64_t{8} * (columns_ + anchors);
        stride_ = static_cast<int>(
            std::clamp<int64_t>(tableBytes / ofAngle, cuda::kDepth, count_ + cuda::kDepth - 1));
        stride_ -= stride_ % cuda::kDepth;
        anchorTable_ = cuda::DeviceBuffer<double>(device, numbers(anchors, stride_));
        columnTable_ = cuda::DeviceBuffer<double>(device, numbers(columns_, stride_));
        for (auto& factors : factors_)
            factors = cuda::DeviceBuffer<double>(device, static_cast<size_t>(lmax) + 1);
    }

    // Adds the term to the matrices, or overwrites them with it.
    void add(const CouplingTerm& term, std::span<CudaArray* const> to, bool adds) {
        const int kernelFirst = std::max(std::abs(term.kernel.m), std::abs(term.kernel.n));
        const cuda::DeviceWigner rows = wigner(term.rows), columns = wigner(term.columns),
                                 kernel = wigner(term.kernel);
        const bool isZero = rows.first > lmax_ || columns.first > lmax_ ||
                            static_cast<int>(term.weights.size()) <= kernelFirst;
        if (!adds) clear(to, isZero ? lmax_ + 1 : rows.first);
        if (isZero) {
            stream_.synchronize();
            return;
        }
        makeXi(kernel, term.weights);
        const std::vector<int> starts = segmentStarts(rows.first, lmax_);
        const cuda::DeviceBuffer<int> segments = cuda::uploaded(device_, starts, stream_);
        for (int first = 0; first < count_; first += stride_) {
            job_.poll();
            makeProducts(rows, columns, segments, first);
            stream_.synchronize();
        }
        makeRows(term, rows, columns, segments, to, adds);
        stream_.synchronize();
    }

private:
    static size_t numbers(int rows, int columns) {
        return static_cast<size_t>(rows) * static_cast<size_t>(columns);
    }
    const cuda::DeviceWigner& wigner(const WignerOrders& orders) {
        const auto [m, n] = orders;
        auto found = wigners_.find({m, n});
        if (found == wigners_.end())
            found =
                wigners_
                    .try_emplace({m, n}, device_, orders, std::max(columns_, maskLast_), stream_)
                    .first;
        return found->second.view();
    }
    void clear(std::span<CudaArray* const> to, int rows) const {
        for (CudaArray* each : to)
            cuda::check(cudaMemsetAsync(each->data(), 0, numbers(rows, lmax_ + 1) * sizeof(double),
                                        stream_.get()),
                        "clearing rows of a matrix");
    }
    void makeXi(const cuda::DeviceWigner& kernel, const std::vector<double>& weights) {
        std::vector<double> scaled(weights);
        for (size_t l = 0; l < scaled.size(); ++l)
            scaled[l] *= std::sqrt(2.0 / (2.0 * static_cast<double>(l) + 1.0));
        cuda::upload(std::span<const double>(scaled), coefficients_, stream_);
        cuda::correlationKernel<<<blocksFor(count_, cuda::kAngleThreads), cuda::kAngleThreads, 0,
                                  stream_.get()>>>(kernel, angles_.data(), count_,
                                                   coefficients_.data(),
                                                   static_cast<int>(scaled.size()) - 1, xi_.data());
        cuda::checkLaunch("the correlation function of a mask");
        stream_.synchronize();
    }
    // The products of some angles.
    void makeProducts(const cuda::DeviceWigner& rows, const cuda::DeviceWigner& columns,
                      const cuda::DeviceBuffer<int>& segments, int first) {
        const int count = std::min(stride_, count_ - first);
        const int padded = (count + cuda::kDepth - 1) / cuda::kDepth * cuda::kDepth;
        const auto starts = static_cast<int>(segments.size());
        const unsigned blocks = blocksFor(padded, cuda::kAngleThreads);
        cuda::FunctionTable table{angles_.data() + first, count, padded, anchorTable_.data()};
        cuda::anchorsKernel<<<blocks, cuda::kAngleThreads, 0, stream_.get()>>>(
            rows, table, segments.data(), starts, xi_.data() + first);
        table.values = columnTable_.data();
        cuda::functionsKernel<<<blocks, cuda::kAngleThreads, 0, stream_.get()>>>(columns, table,
                                                                                 columns_ - 1);
        const cuda::ProductWork work{anchorTable_.data(),
                                     columnTable_.data(),
                                     products_.data(),
                                     2 * starts,
                                     columns_,
                                     padded,
                                     first > 0};
        cuda::productKernel<<<dim3(blocksFor(work.columns, cuda::kTile),
                                   blocksFor(work.rows, cuda::kTile)),
                              cuda::kProductThreads, 0, stream_.get()>>>(work);
        cuda::checkLaunch("integrals of Wigner's functions");
    }
    void makeRows(const CouplingTerm& term, const cuda::DeviceWigner& rows,
                  const cuda::DeviceWigner& columns, const cuda::DeviceBuffer<int>& segments,
                  std::span<CudaArray* const> to, bool adds) {
        cuda::RowsWork work;
        work.rows = rows;
        work.columns = columns;
        work.starts = segments.data();
        work.anchors = products_.data();
        work.anchorColumns = columns_;
        work.lmax = lmax_;
        work.matrices = static_cast<int>(to.size());
        work.adds = adds;
        for (size_t i = 0; i < to.size(); ++i) {
            cuda::upload(std::span<const double>(term.factors[i]), factors_[i], stream_);
            work.factors[i] = factors_[i].data();
            work.to[i] = to[i]->data();
        }
        cuda::rowsKernel<<<dim3(blocksFor(lmax_ + 1, cuda::kOwnColumns),
                                static_cast<unsigned>(segments.size())),
                           cuda::kColumnThreads, 0, stream_.get()>>>(work);
        cuda::checkLaunch("rows of a coupling matrix");
    }

    int device_, lmax_, maskLast_;
    int columns_;                 // columns of integrated rows: lmax + 1, and a halo
    int count_ = 0, stride_ = 0;  // angles; angles of a table
    JobContext& job_;
    cuda::Stream stream_;
    cuda::DeviceBuffer<GaussAngle> angles_;
    cuda::DeviceBuffer<double> xi_, coefficients_, products_, anchorTable_, columnTable_;
    cuda::DeviceBuffer<double> factors_[2];
    std::map<std::pair<int, int>, UploadedWigner> wigners_;
};

}  // namespace

void couplingSumsOnDevice(std::span<const CouplingSum> sums, int lmax, int device, JobContext& job,
                          int64_t tableBytes) {
    constexpr const char* kStage = "coupling matrices";
    const cuda::DeviceScope scope(device);
    size_t maskSize = 1, terms = 0, done = 0;
    for (const CouplingSum& sum : sums) {
        terms += sum.terms.size();
        for (const CouplingTerm& term : sum.terms)
            maskSize = std::max(maskSize, term.weights.size());
    }
    const auto size = static_cast<size_t>(lmax) + 1;
    DeviceCouplings couplings(device, lmax, static_cast<int>(maskSize) - 1, tableBytes, job);
    for (const CouplingSum& sum : sums) {
        std::vector<CudaArray> made;
        std::vector<CudaArray*> to;
        for (size_t i = 0; i < sum.to.size(); ++i) made.emplace_back(device, size * size);
        for (CudaArray& each : made) to.push_back(&each);
        for (size_t i = 0; i < sum.terms.size(); ++i) {
            job.report(static_cast<double>(done++) / static_cast<double>(terms), kStage);
            couplings.add(sum.terms[i], to, i > 0);
        }
        for (size_t i = 0; i < made.size(); ++i)
            *sum.to[i] = CouplingMatrix(lmax, couplingOnDevice(device, lmax, std::move(made[i])));
    }
}

}  // namespace armilla
