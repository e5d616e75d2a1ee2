// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of the threads of a warp together: products of small matrices, the smallest number.
// CUDA files only.
#pragma once

namespace armilla::direct {

__device__ __forceinline__ int leastOfWarp(int value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        value = min(value, __shfl_xor_sync(~0U, value, apart));
    return value;
#else
    return __reduce_min_sync(~0U, value);
#endif
}

// sum += A B of a warp: A of 16 rows and 4 columns, B of 4 rows and 8 columns. Lane l holds:
// - A: rows l / 4 (`upper`) and l / 4 + 8 (`lower`) in column l % 4,
// - B: row l % 4 in column l / 4,
// - the sum: row l / 4 (first two) and row l / 4 + 8 in columns 2 (l % 4) and the next one.
__device__ __forceinline__ void addProduct(double (&sum)[4], double upper, double lower, double b) {
#if !defined(__CUDACC__)
    const auto lanes = test::DeviceThreads::here().ofLanes({upper, lower, b});
    const auto lane = static_cast<size_t>(threadIdx.x);
    for (size_t k = 0; k < 4; ++k)
        for (size_t i = 0; i < 4; ++i)
            sum[i] += lanes[lane / 4 * 4 + k][i / 2] * lanes[4 * (2 * (lane % 4) + i % 2) + k][2];
#elif __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
        : "d"(upper), "d"(lower), "d"(b));
#elif __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(sum[0]), "+d"(sum[1])
        : "d"(upper), "d"(b));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(sum[2]), "+d"(sum[3])
        : "d"(lower), "d"(b));
#else
    const int lane = static_cast<int>(threadIdx.x) & 31, row = lane & ~3, column = 8 * (lane & 3);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const double above = __shfl_sync(~0U, upper, row + k);
        const double below = __shfl_sync(~0U, lower, row + k);
        const double left = __shfl_sync(~0U, b, column + k);
        const double right = __shfl_sync(~0U, b, column + 4 + k);
        sum[0] = fma(above, left, sum[0]);
        sum[1] = fma(above, right, sum[1]);
        sum[2] = fma(below, left, sum[2]);
        sum[3] = fma(below, right, sum[3]);
    }
#endif
}

}  // namespace armilla::direct
