// SPDX-License-Identifier: GPL-3.0-or-later
// Dense matrices in row order: products and inverses. Rows and columns are shared among threads in
// fixed parts, so that the bits do not depend on their number.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla {

struct DenseMatrix {
    int64_t rows = 0, columns = 0;
    std::vector<double> values;

    DenseMatrix() = default;
    DenseMatrix(int64_t rowCount, int64_t columnCount)
        : rows(rowCount),
          columns(columnCount),
          values(static_cast<size_t>(rowCount) * static_cast<size_t>(columnCount), 0.0) {}
    double* row(int64_t i) { return values.data() + i * columns; }
    const double* row(int64_t i) const { return values.data() + i * columns; }
};

// to[j] += sum_k factors[k] rows[k * stride + j]
void addRows(double* to, const double* factors, const double* rows, int64_t stride, int64_t count,
             int64_t length);
DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b, JobContext& job);
DenseMatrix transposed(const DenseMatrix& a);
// The largest sum of magnitudes in a column.
double oneNorm(const DenseMatrix& a);
// By LU factors with partial pivoting. A matrix without an inverse gives infinities or NaN.
DenseMatrix inverse(DenseMatrix a, JobContext& job);

}  // namespace armilla
