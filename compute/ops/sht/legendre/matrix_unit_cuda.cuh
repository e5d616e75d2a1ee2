// SPDX-License-Identifier: GPL-3.0-or-later
// Products of small matrices on the FP64 matrix units, if the device has them.
#pragma once

#include <cuda_runtime.h>

namespace armilla::cuda {

// c += a b, 16 x 4 times 4 x 8. Lane l holds:
// - a: rows l / 4 and l / 4 + 8 of column l % 4,
// - b: row l % 4 of column l / 4,
// - c: columns 2 (l % 4) and 2 (l % 4) + 1 of row l / 4, then of row l / 4 + 8.
inline __device__ void multiplyAdd(double (&c)[4], double2 a, double b) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a.x), "d"(a.y), "d"(b));
#elif __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a.x), "d"(b));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[2]), "+d"(c[3])
        : "d"(a.y), "d"(b));
#else
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const double a0 = __shfl_sync(0xffffffffU, a.x, (lane & ~3) + k);
        const double a1 = __shfl_sync(0xffffffffU, a.y, (lane & ~3) + k);
        const double b0 = __shfl_sync(0xffffffffU, b, lane % 4 * 8 + k);
        const double b1 = __shfl_sync(0xffffffffU, b, lane % 4 * 8 + 4 + k);
        c[0] = fma(a0, b0, c[0]);
        c[1] = fma(a0, b1, c[1]);
        c[2] = fma(a1, b0, c[2]);
        c[3] = fma(a1, b1, c[3]);
    }
#endif
}

// The same for two groups of four columns of a and four rows of b.
inline __device__ void multiplyAdd(double (&c)[4], const double2 (&a)[2], const double (&b)[2]) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0].x), "d"(a[0].y), "d"(a[1].x), "d"(a[1].y), "d"(b[0]), "d"(b[1]));
#else
    multiplyAdd(c, a[0], b[0]);
    multiplyAdd(c, a[1], b[1]);
#endif
}
// The same for four such groups.
inline __device__ void multiplyAdd(double (&c)[4], const double2 (&a)[4], const double (&b)[4]) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
        "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0].x), "d"(a[0].y), "d"(a[1].x), "d"(a[1].y), "d"(a[2].x), "d"(a[2].y), "d"(a[3].x),
          "d"(a[3].y), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#else
    for (int i = 0; i < 4; ++i) multiplyAdd(c, a[i], b[i]);
#endif
}

}  // namespace armilla::cuda
