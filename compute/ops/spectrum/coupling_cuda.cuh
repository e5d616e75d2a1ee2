// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of coupling matrices. Angles lie side by side in all tables.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "sht/legendre/matrix_unit_cuda.cuh"
#include "spectrum/gauss_angles.h"
#include "spectrum/wigner_formulas.h"

namespace armilla::cuda {

// A recurrence of WignerRecurrence on the device; all arrays by l.
struct DeviceWigner {
    int m = 0, n = 0, first = 0, size = 0;
    const double *alpha = nullptr, *beta = nullptr, *scale = nullptr, *back = nullptr;
    const double* shift = nullptr;  // `size` values for each form in turn
};

// Calls visit(l, p_l) from the first function to that of l = last.
template <class Visit>
__device__ void visitFunctions(const DeviceWigner& wigner, const GaussAngle& angle, int last,
                               const Visit& visit) {
    const double* const shift = wigner.shift + static_cast<int>(angle.form) * wigner.size;
    double before = 0.0, now = firstWigner(wigner.m, wigner.n, angle.cosHalf, angle.sinHalf);
#pragma unroll 4
    for (int l = wigner.first; l < last; ++l) {
        visit(l, now);
        const double factor = fma(wigner.scale[l], angle.y, shift[l]);
        const double next = fma(factor, now, -wigner.back[l] * before);
        before = now;
        now = next;
    }
    visit(last, now);
}

constexpr int kAngleThreads = 64;

// xi(angle) = the weight of the angle times the sum of coefficients[l] p_l, l <= last.
__global__ void __launch_bounds__(kAngleThreads)
    correlationKernel(DeviceWigner kernel, const GaussAngle* angles, int count,
                      const double* coefficients, int last, double* xi) {
    const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= count) return;
    const GaussAngle angle = angles[at];
    double sum = 0.0;
    visitFunctions(kernel, angle, last,
                   [&](int l, double p) { sum = fma(coefficients[l], p, sum); });
    xi[at] = sum * angle.weight;
}

// Functions at `angles`, `stride` of them with zeros from `count` on. The row of a table is l.
struct FunctionTable {
    const GaussAngle* angles = nullptr;
    int count = 0, stride = 0;
    double* values = nullptr;
};
// Rows 0 to `last`.
__global__ void __launch_bounds__(kAngleThreads)
    functionsKernel(DeviceWigner wigner, FunctionTable table, int last) {
    const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= table.stride) return;
    double* const to = table.values + at;
    const int64_t stride = table.stride;
    const int zeros = at < table.count ? wigner.first : last + 1;
    for (int l = 0; l < zeros; ++l) to[l * stride] = 0.0;
    if (at < table.count)
        visitFunctions(wigner, table.angles[at], last,
                       [&](int l, double p) { to[l * stride] = p; });
}
// Two rows for each of `segments` starts: l = starts[i] and l + 1, times xi.
__global__ void __launch_bounds__(kAngleThreads)
    anchorsKernel(DeviceWigner wigner, FunctionTable table, const int* starts, int segments,
                  const double* xi) {
    const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= table.stride) return;
    double* const to = table.values + at;
    const int64_t stride = table.stride;
    if (at >= table.count) {
        for (int row = 0; row < 2 * segments; ++row) to[row * stride] = 0.0;
        return;
    }
    const double factor = xi[at];
    int segment = 0, start = starts[0];
    visitFunctions(wigner, table.angles[at], starts[segments - 1] + 1, [&](int l, double p) {
        if (l < start) return;
        to[(2 * segment + l - start) * stride] = factor * p;
        if (l > start && segment + 1 < segments) start = starts[++segment];
    });
}

// Products of matrices. A block of four warps makes a tile of kTile x kTile, a warp a quarter.
constexpr int kTile = 64;
constexpr int kDepth = 16;               // angles of a step
constexpr int kTileStride = kDepth + 4;  // rows of a tile start in different banks
constexpr int kProductThreads = 128;

// c = a b^T, or c += a b^T. `angles` is a multiple of kDepth.
struct ProductWork {
    const double *a = nullptr, *b = nullptr;
    double* c = nullptr;
    int rows = 0, columns = 0, angles = 0;
    bool adds = false;
};

// Copies kDepth angles of kTile rows. The last row is repeated beyond the end.
inline __device__ void copyTile(double (&to)[kTile][kTileStride], const double* from, int firstRow,
                                int rows, int angles, int firstAngle) {
    constexpr int kChunks = kDepth / 2;  // pieces of 16 bytes
    for (int i = static_cast<int>(threadIdx.x); i < kTile * kChunks; i += kProductThreads) {
        const int row = i / kChunks, angle = 2 * (i % kChunks);
        const int64_t source = min(firstRow + row, rows - 1);
        __pipeline_memcpy_async(&to[row][angle], from + source * angles + firstAngle + angle, 16);
    }
}

__global__ void __launch_bounds__(kProductThreads, 3) productKernel(ProductWork work) {
    __shared__ __align__(16) double a[2][kTile][kTileStride], b[2][kTile][kTileStride];
    constexpr int kRowTiles = 2, kColumnTiles = 4;  // parts of 16 x 8 of a quarter
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int firstRow = static_cast<int>(blockIdx.y) * kTile,
              firstColumn = static_cast<int>(blockIdx.x) * kTile;
    const int ownRow = warp / 2 * (kTile / 2), ownColumn = warp % 2 * (kTile / 2);
    double sums[kRowTiles][kColumnTiles][4] = {};
    const int steps = work.angles / kDepth;
    const auto copy = [&](int step) {
        copyTile(a[step % 2], work.a, firstRow, work.rows, work.angles, step * kDepth);
        copyTile(b[step % 2], work.b, firstColumn, work.columns, work.angles, step * kDepth);
        __pipeline_commit();
    };
    copy(0);
    for (int step = 0; step < steps; ++step) {
        __pipeline_wait_prior(0);
        // The copies of all threads are complete, and all have left the other half.
        __syncthreads();
        if (step + 1 < steps) copy(step + 1);
        double2 left[kRowTiles][4];
#pragma unroll
        for (int i = 0; i < kRowTiles; ++i)
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int row = ownRow + 16 * i + lane / 4, angle = 4 * k + lane % 4;
                left[i][k] = make_double2(a[step % 2][row][angle], a[step % 2][row + 8][angle]);
            }
#pragma unroll
        for (int j = 0; j < kColumnTiles; ++j) {
            double right[4];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                right[k] = b[step % 2][ownColumn + 8 * j + lane / 4][4 * k + lane % 4];
#pragma unroll
            for (int i = 0; i < kRowTiles; ++i) multiplyAdd(sums[i][j], left[i], right);
        }
    }
#pragma unroll
    for (int i = 0; i < kRowTiles; ++i)
#pragma unroll
        for (int j = 0; j < kColumnTiles; ++j)
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int row = firstRow + ownRow + 16 * i + lane / 4 + k / 2 * 8,
                          column = firstColumn + ownColumn + 8 * j + lane % 4 * 2 + k % 2;
                if (row >= work.rows || column >= work.columns) continue;
                double& to = work.c[static_cast<int64_t>(row) * work.columns + column];
                to = work.adds ? to + sums[i][j][k] : sums[i][j][k];
            }
}

// Makes all rows of the integral from pairs of integrated rows. A row of a segment needs one more
// column to each side of the row before.
constexpr int kSegmentRows = 64;
constexpr int kHalo = kSegmentRows - 2;
constexpr int kColumnThreads = 512;
constexpr int kOwnColumns = kColumnThreads - 2 * kHalo;

struct RowsWork {
    DeviceWigner rows, columns;
    const int* starts = nullptr;      // first rows of segments
    const double* anchors = nullptr;  // two rows a segment
    int anchorColumns = 0;            // lmax + 1 + kHalo at least
    int lmax = 0, matrices = 1;
    const double* factors[2] = {nullptr, nullptr};  // by l
    double* to[2] = {nullptr, nullptr};
    bool adds = false;
};
// blockIdx.x counts runs of columns, blockIdx.y segments; a thread has one column.
__global__ void __launch_bounds__(kColumnThreads, 2) rowsKernel(RowsWork work) {
    __shared__ double values[2][kColumnThreads + 2];
    const int thread = static_cast<int>(threadIdx.x), segment = static_cast<int>(blockIdx.y);
    const int k = static_cast<int>(blockIdx.x) * kOwnColumns - kHalo + thread;
    const bool exists = k >= 0 && k < work.anchorColumns;
    const bool isOwn =
        thread >= kHalo && thread < kColumnThreads - kHalo && k >= 0 && k <= work.lmax;
    const int64_t size = work.lmax + 1;
    const int start = work.starts[segment];
    const int end =
        segment + 1 < static_cast<int>(gridDim.y) ? work.starts[segment + 1] : work.lmax + 1;
    const double norm = exists ? 1.0 / sqrt(2.0 * k + 1.0) : 0.0;
    const auto write = [&](int l, double value) {
        if (!isOwn) return;
        const double x = value * norm / sqrt(2.0 * l + 1.0);
        for (int i = 0; i < work.matrices; ++i) {
            double& to = work.to[i][l * size + k];
            to = work.adds ? fma(work.factors[i][l], x, to) : work.factors[i][l] * x;
        }
    };
    WignerColumn column;
    double before = 0.0, now = 0.0;
    if (exists) {
        column = {work.columns.alpha[k], work.columns.alpha[k + 1], work.columns.beta[k]};
        const double* const from =
            work.anchors + static_cast<int64_t>(2 * segment) * work.anchorColumns + k;
        before = from[0];
        now = from[work.anchorColumns];
    }
    if (thread < 2) values[thread][0] = values[thread][kColumnThreads + 1] = 0.0;
    write(start, before);
    for (int l = start + 1; l < end; ++l) {
        write(l, now);
        double(&row)[kColumnThreads + 2] = values[l % 2];
        row[thread + 1] = now;
        __syncthreads();
        const WignerRowStep step{work.rows.scale[l], work.rows.back[l], work.rows.beta[l]};
        const double next =
            exists ? nextInColumn(step, column, row[thread], now, row[thread + 2], before) : 0.0;
        before = now;
        now = next;
    }
}

}  // namespace armilla::cuda
