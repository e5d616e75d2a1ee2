// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/dense.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "armilla/core/error.h"

namespace armilla {

namespace {

constexpr int64_t kDepth = 64;  // rows that are added at a time: with kWidth in the second cache
constexpr int64_t kWidth = 512;
constexpr int64_t kSlice = 64;  // columns of an inverse that one thread solves for

int64_t pivotOf(const DenseMatrix& a, int64_t column) {
    int64_t best = column;
    for (int64_t i = column + 1; i < a.rows; ++i)
        if (std::abs(a.row(i)[column]) > std::abs(a.row(best)[column])) best = i;
    return best;
}

// Columns begin .. end - 1 of L and U, for all rows from `begin` on; whole rows are exchanged.
void factorPanel(DenseMatrix& a, std::vector<int64_t>& order, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
        const int64_t pivot = pivotOf(a, k);
        if (pivot != k) {
            std::swap_ranges(a.row(k), a.row(k) + a.columns, a.row(pivot));
            std::swap(order[static_cast<size_t>(k)], order[static_cast<size_t>(pivot)]);
        }
        const double* const from = a.row(k);
        for (int64_t i = k + 1; i < a.rows; ++i) {
            double* const to = a.row(i);
            const double factor = to[k] /= from[k];
            for (int64_t j = k + 1; j < end; ++j) to[j] -= factor * from[j];
        }
    }
}

// L and U in one matrix, and the order of the rows.
std::vector<int64_t> factor(DenseMatrix& a, JobContext& job) {
    const int64_t n = a.rows;
    std::vector<int64_t> order(static_cast<size_t>(n));
    std::iota(order.begin(), order.end(), int64_t{0});
    for (int64_t begin = 0; begin < n; begin += kDepth) {
        const int64_t end = std::min(n, begin + kDepth);
        job.report(static_cast<double>(begin) / static_cast<double>(n), "factors");
        factorPanel(a, order, begin, end);
        std::vector<double> minus(static_cast<size_t>(kDepth));
        for (int64_t i = begin + 1; i < end; ++i) {
            std::transform(a.row(i) + begin, a.row(i) + i, minus.begin(), std::negate<>());
            addRows(a.row(i) + end, minus.data(), a.row(begin) + end, n, i - begin, n - end);
        }
        parallelFor(job, n - end, 16, [&](long long first, long long last) {
            std::vector<double> factors(static_cast<size_t>(kDepth));
            for (int64_t left = end; left < n; left += kWidth)
                for (int64_t i = end + first; i < end + last; ++i) {
                    std::transform(a.row(i) + begin, a.row(i) + end, factors.begin(),
                                   std::negate<>());
                    addRows(a.row(i) + left, factors.data(), a.row(begin) + left, n, end - begin,
                            std::min(kWidth, n - left));
                }
        });
    }
    return order;
}

// Columns of the inverse by L, then U, in an array of their own.
void solveSlice(const DenseMatrix& lu, const std::vector<int64_t>& order, int64_t first,
                int64_t width, DenseMatrix& result) {
    const int64_t n = lu.rows;
    DenseMatrix x(n, width);
    for (int64_t i = 0; i < n; ++i) {
        const int64_t column = order[static_cast<size_t>(i)] - first;
        if (column >= 0 && column < width) x.row(i)[column] = 1.0;
    }
    std::vector<double> minus(static_cast<size_t>(n));
    for (int64_t i = 1; i < n; ++i) {
        std::transform(lu.row(i), lu.row(i) + i, minus.begin(), std::negate<>());
        addRows(x.row(i), minus.data(), x.row(0), width, i, width);
    }
    for (int64_t i = n - 1; i >= 0; --i) {
        std::transform(lu.row(i) + i + 1, lu.row(i) + n, minus.begin(), std::negate<>());
        if (i + 1 < n) addRows(x.row(i), minus.data(), x.row(i + 1), width, n - i - 1, width);
        const double diagonal = lu.row(i)[i];
        for (int64_t j = 0; j < width; ++j) x.row(i)[j] /= diagonal;
        std::copy(x.row(i), x.row(i) + width, result.row(i) + first);
    }
}

}  // namespace

DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b, JobContext& job) {
    ARMILLA_ASSERT(a.columns == b.rows);
    DenseMatrix c(a.rows, b.columns);
    constexpr int64_t kRows = 32;
    const int64_t bands = (a.rows + kRows - 1) / kRows, runs = (b.columns + kWidth - 1) / kWidth;
    parallelFor(job, bands * runs, 1, [&](long long part, long long /*end*/) {
        const int64_t first = part % bands * kRows, last = std::min(a.rows, first + kRows),
                      j = part / bands * kWidth;
        for (int64_t k = 0; k < a.columns; k += kDepth)
            for (int64_t i = first; i < last; ++i)
                addRows(c.row(i) + j, a.row(i) + k, b.row(k) + j, b.columns,
                        std::min(kDepth, a.columns - k), std::min(kWidth, b.columns - j));
    });
    return c;
}

DenseMatrix transposed(const DenseMatrix& a) {
    DenseMatrix t(a.columns, a.rows);
    for (int64_t i = 0; i < a.rows; ++i)
        for (int64_t j = 0; j < a.columns; ++j) t.row(j)[i] = a.row(i)[j];
    return t;
}

double oneNorm(const DenseMatrix& a) {
    std::vector<double> sums(static_cast<size_t>(a.columns), 0.0);
    for (int64_t i = 0; i < a.rows; ++i)
        for (int64_t j = 0; j < a.columns; ++j)
            sums[static_cast<size_t>(j)] += std::abs(a.row(i)[j]);
    double largest = 0.0;
    for (const double sum : sums)
        if (!(sum <= largest)) largest = sum;  // NaN too
    return largest;
}

DenseMatrix inverse(DenseMatrix a, JobContext& job) {
    ARMILLA_ASSERT(a.rows == a.columns);
    const std::vector<int64_t> order = factor(a, job);
    DenseMatrix result(a.rows, a.rows);
    parallelFor(job, (a.rows + kSlice - 1) / kSlice, 1, [&](long long first, long long last) {
        for (long long slice = first; slice < last; ++slice)
            solveSlice(a, order, slice * kSlice, std::min<int64_t>(kSlice, a.rows - slice * kSlice),
                       result);
    });
    return result;
}

}  // namespace armilla
