// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "shared/dense.h"
#include "spectrum/coupling_on_device.h"

namespace armilla {

namespace {

// The position of each bin's first row among the rows of all bins, and the number of all.
std::vector<size_t> offsetsOf(std::span<const MultipoleBin> bins) {
    std::vector<size_t> offsets{0};
    for (const MultipoleBin& bin : bins)
        offsets.push_back(offsets.back() + static_cast<size_t>(bin.last - bin.first + 1));
    return offsets;
}

}  // namespace

CouplingMatrix::CouplingMatrix(int lmax, std::vector<double> values)
    : lmax_(lmax), values_(std::move(values)) {}

CouplingMatrix::CouplingMatrix(int lmax, std::shared_ptr<const CouplingOnDevice> values)
    : lmax_(lmax), onDevice_(std::move(values)) {}

std::vector<double> CouplingMatrix::rowSums(std::span<const MultipoleBin> bins,
                                            std::span<const double> factors,
                                            JobContext& job) const {
    const std::vector<size_t> offsets = offsetsOf(bins);
    ARMILLA_ASSERT(factors.size() == offsets.back());
    job.poll();
    if (onDevice_) return onDevice_->rowSums(bins, factors);
    const int64_t size = int64_t{lmax_} + 1;
    auto sums = newVector<double>(static_cast<int64_t>(bins.size()) * size, job);
    parallelFor(job, static_cast<long long>(bins.size()), 1, [&](long long begin, long long end) {
        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
            addRows(sums.data() + static_cast<int64_t>(p) * size, factors.data() + offsets[p],
                    values_.data() + bins[p].first * size, size,
                    static_cast<int64_t>(offsets[p + 1] - offsets[p]), size);
    });
    return sums;
}

std::vector<double> CouplingMatrix::binSums(std::span<const MultipoleBin> bins,
                                            std::span<const double> left,
                                            std::span<const double> right, JobContext& job) const {
    const std::vector<size_t> offsets = offsetsOf(bins);
    ARMILLA_ASSERT(left.size() == offsets.back() && right.size() == offsets.back());
    job.poll();
    if (onDevice_) return onDevice_->binSums(bins, left, right);
    const auto count = static_cast<int64_t>(bins.size()), size = int64_t{lmax_} + 1;
    auto sums = newVector<double>(count * count, job);
    parallelFor(job, count, 1, [&](long long begin, long long end) {
        std::vector<double> row(static_cast<size_t>(size));
        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
            std::fill(row.begin(), row.end(), 0.0);
            addRows(row.data(), left.data() + offsets[p], values_.data() + bins[p].first * size,
                    size, static_cast<int64_t>(offsets[p + 1] - offsets[p]), size);
            for (size_t q = 0; q < bins.size(); ++q)
                sums[p * bins.size() + q] =
                    std::inner_product(row.begin() + bins[q].first, row.begin() + bins[q].last + 1,
                                       right.begin() + static_cast<int64_t>(offsets[q]), 0.0);
        }
    });
    return sums;
}

std::vector<double> CouplingMatrix::columnSums(std::span<const double> rows,
                                               std::span<const MultipoleBin> bins,
                                               std::span<const double> right, JobContext& job) {
    const std::vector<size_t> offsets = offsetsOf(bins);
    ARMILLA_ASSERT(right.size() == offsets.back());
    const size_t count = bins.size(), size = rows.size() / std::max<size_t>(count, 1);
    std::vector<double> sums(count * count);
    parallelFor(job, static_cast<long long>(count), 4, [&](long long begin, long long end) {
        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
            const double* const row = rows.data() + p * size;
            for (size_t q = 0; q < count; ++q)
                sums[p * count + q] =
                    std::inner_product(row + bins[q].first, row + bins[q].last + 1,
                                       right.begin() + static_cast<int64_t>(offsets[q]), 0.0);
        }
    });
    return sums;
}

std::vector<double> CouplingMatrix::product(std::span<const double> right, JobContext& job) const {
    const int64_t size = int64_t{lmax_} + 1;
    ARMILLA_ASSERT(static_cast<int64_t>(right.size()) == size);
    job.poll();
    if (onDevice_) return onDevice_->product(right);
    std::vector<double> sums(right.size());
    parallelFor(job, size, 32, [&](long long begin, long long end) {
        for (int64_t l = begin; l < end; ++l)
            sums[static_cast<size_t>(l)] =
                std::inner_product(right.begin(), right.end(), values_.begin() + l * size, 0.0);
    });
    return sums;
}

std::vector<double> CouplingMatrix::values(JobContext& job) const {
    return onDevice_ ? onDevice_->values(job) : values_;
}

}  // namespace armilla
