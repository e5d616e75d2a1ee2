// SPDX-License-Identifier: GPL-3.0-or-later
// Complex transforms of a power-of-two length in shared memory, by all threads of a block, in
// place. Forward goes from natural to digit-reversed order, and backward from digit-reversed to
// natural order, so a convolution needs no reordering. Radix 8, the last radix 4 or 2.
#pragma once

#include <cstdint>

#include "sht/fft/ring_fft_strategy.h"

namespace armilla::cuda {

inline __device__ double2 operator+(double2 a, double2 b) {
    return make_double2(a.x + b.x, a.y + b.y);
}
inline __device__ double2 operator-(double2 a, double2 b) {
    return make_double2(a.x - b.x, a.y - b.y);
}
inline __device__ double2 operator*(double2 a, double2 b) {
    return make_double2(fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x));
}
inline __device__ double2 operator*(double s, double2 a) {
    return make_double2(s * a.x, s * a.y);
}
inline __device__ double2 conjugate(double2 a) {
    return make_double2(a.x, -a.y);
}
// i a, or -i a.
template <int kSign>
inline __device__ double2 quarterTurn(double2 a) {
    return kSign > 0 ? make_double2(-a.y, a.x) : make_double2(a.y, -a.x);
}

// Transforms of 2, 4, 8 values in registers with e^{kSign 2 pi i ...}.
template <int kSign>
inline __device__ void transform2(double2* v) {
    const double2 a = v[0], b = v[1];
    v[0] = a + b;
    v[1] = a - b;
}
template <int kSign>
inline __device__ void transform4(double2& v0, double2& v1, double2& v2, double2& v3) {
    const double2 s = v0 + v2, d = v0 - v2, t = v1 + v3, e = quarterTurn<kSign>(v1 - v3);
    v0 = s + t;
    v1 = d + e;
    v2 = s - t;
    v3 = d - e;
}
template <int kSign>
inline __device__ void transform8(double2* v) {
    constexpr double kHalfRoot = 0.70710678118654752440;
    transform4<kSign>(v[0], v[2], v[4], v[6]);
    transform4<kSign>(v[1], v[3], v[5], v[7]);
    const double2 o1 = v[3], o3 = v[7];
    const double2 a = v[1];
    const double2 b = kHalfRoot * (o1 + quarterTurn<kSign>(o1));
    const double2 c = quarterTurn<kSign>(v[5]);
    const double2 d = kHalfRoot * (quarterTurn<kSign>(o3) - o3);
    const double2 e0 = v[0], e1 = v[2], e2 = v[4], e3 = v[6];
    v[0] = e0 + a;
    v[4] = e0 - a;
    v[1] = e1 + b;
    v[5] = e1 - b;
    v[2] = e2 + c;
    v[6] = e2 - c;
    v[3] = e3 + d;
    v[7] = e3 - d;
}
template <int kSign, int kRadix>
inline __device__ void transformSmall(double2* v) {
    if constexpr (kRadix == 8) transform8<kSign>(v);
    if constexpr (kRadix == 4) transform4<kSign>(v[0], v[1], v[2], v[3]);
    if constexpr (kRadix == 2) transform2<kSign>(v);
}
// Multiplies v[c] by w^c.
template <int kRadix>
inline __device__ void twiddle(double2* v, double2 w) {
    const double2 w2 = w * w;
    v[1] = v[1] * w;
    if constexpr (kRadix >= 4) {
        const double2 w3 = w2 * w;
        v[2] = v[2] * w2;
        v[3] = v[3] * w3;
        if constexpr (kRadix == 8) {
            const double2 w4 = w2 * w2;
            v[4] = v[4] * w4;
            v[5] = v[5] * (w4 * w);
            v[6] = v[6] * (w4 * w2);
            v[7] = v[7] * (w4 * w3);
        }
    }
}

// The position of element i: octal digits are folded into the lowest one, so that lanes whose
// elements are any power of two apart use different banks. Linear over exclusive or.
inline __device__ int swizzled(int i) {
    return i ^ ((i >> 3 ^ i >> 6 ^ i >> 9 ^ i >> 12) & 7);
}

// One pass over blocks of length 2^logBlock. w is used only if the block is longer than the radix,
// and then the radix is 8.
template <int kRadix, bool kForward>
inline __device__ void fftPass(double2* data, int logSize, int logBlock, const double2* roots) {
    constexpr int kLogRadix = kRadix == 8 ? 3 : kRadix == 4 ? 2 : 1;
    const int logStep = logBlock - kLogRadix;
    // Offsets of the radix's elements from the first one. Swizzling preserves their exclusive or.
    int apart[kRadix] = {};
#pragma unroll
    for (int c = 1; c < kRadix; ++c)
        apart[c] = (c & (c - 1)) == 0 ? swizzled(c << logStep) : apart[c & (c - 1)] ^ apart[c & -c];
    for (int id = threadIdx.x; id < 1 << (logSize - kLogRadix); id += blockDim.x) {
        const int j = id & ((1 << logStep) - 1);
        const int first = swizzled((id >> logStep << logBlock) + j);
        // Loaded first, because its latency is long.
        const double2 root =
            logStep > 0 ? roots[j << (kLogRoots - logBlock)] : make_double2(1.0, 0.0);
        double2 v[kRadix];
#pragma unroll
        for (int c = 0; c < kRadix; ++c) v[c] = data[first ^ apart[c]];
        if constexpr (kForward) {
            transformSmall<-1, kRadix>(v);
            if (logStep > 0) twiddle<kRadix>(v, root);
        } else {
            if (logStep > 0) twiddle<kRadix>(v, conjugate(root));
            transformSmall<1, kRadix>(v);
        }
#pragma unroll
        for (int c = 0; c < kRadix; ++c) data[first ^ apart[c]] = v[c];
    }
    __syncthreads();
}
// All passes of fftForward but the first and the last, and the corresponding passes of fftBackward.
inline __device__ void fftForwardMiddle(double2* data, int logSize, const double2* roots) {
    for (int logBlock = logSize - 3; logBlock > 3; logBlock -= 3)
        fftPass<8, true>(data, logSize, logBlock, roots);
}
inline __device__ void fftBackwardMiddle(double2* data, int logSize, const double2* roots) {
    for (int logBlock = (logSize - 1) % 3 + 4; logBlock < logSize; logBlock += 3)
        fftPass<8, false>(data, logSize, logBlock, roots);
}
// sum_j x_j e^{-2 pi i j k / N}. The block's threads must be synchronized before the call, and are
// synchronized after it.
inline __device__ void fftForward(double2* data, int logSize, const double2* roots) {
    int logBlock = logSize;
    for (; logBlock >= 3; logBlock -= 3) fftPass<8, true>(data, logSize, logBlock, roots);
    if (logBlock == 2) fftPass<4, true>(data, logSize, 2, roots);
    if (logBlock == 1) fftPass<2, true>(data, logSize, 1, roots);
}
// sum_k X_k e^{2 pi i j k / N}, from the order of fftForward's result, for 2^logRows contiguous
// rows.
inline __device__ void fftBackward(double2* data, int logSize, const double2* roots,
                                   int logRows = 0) {
    int logBlock = logSize % 3;
    const int logAll = logSize + logRows;
    if (logBlock == 1) fftPass<2, false>(data, logAll, 1, roots);
    if (logBlock == 2) fftPass<4, false>(data, logAll, 2, roots);
    for (logBlock += 3; logBlock <= logSize; logBlock += 3)
        fftPass<8, false>(data, logAll, logBlock, roots);
}
// The position of frequency k in fftForward's result, before swizzling.
inline __device__ int reversedPlace(int k, int logSize) {
    int place = 0;
    while (logSize > 0) {
        const int log = logSize >= 3 ? 3 : logSize;
        logSize -= log;
        place += (k & ((1 << log) - 1)) << logSize;
        k >>= log;
    }
    return place;
}

// The transforms of a convolution, by N / 16 threads: its input ends with N / 2 zeros, and only the
// first half of its result is used. Each thread holds the kHeld numbers threadIdx + i N / 16 of the
// input and of the result in registers. The first pass reads them and the last pass writes them. In
// the middle, the last forward pass, the product with a spectrum and the first backward pass work
// on the same numbers.
inline constexpr int kHeld = 8;

// The first pass of fftForward; held(i) returns the thread's i-th number.
template <typename Held>
inline __device__ void fftFirstPass(double2* data, int logSize, const double2* roots,
                                    const Held& held) {
    constexpr double kHalfRoot = 0.70710678118654752440;
    const int logStep = logSize - 3;
#pragma unroll
    for (int b = 0; b < 2; ++b) {
        const int j = static_cast<int>(threadIdx.x + b * blockDim.x);
        const double2 root = roots[j << (kLogRoots - logSize)];
        double2 even[4] = {held(b), held(b + 2), held(b + 4), held(b + 6)};
        const double2 a = even[1], c = even[3];
        double2 odd[4] = {even[0], kHalfRoot * (a + quarterTurn<-1>(a)), quarterTurn<-1>(even[2]),
                          kHalfRoot * (quarterTurn<-1>(c) - c)};
        transform4<-1>(even[0], even[1], even[2], even[3]);
        transform4<-1>(odd[0], odd[1], odd[2], odd[3]);
        double2 v[8] = {even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]};
        twiddle<8>(v, root);
        const int first = swizzled(j);
#pragma unroll
        for (int i = 0; i < 8; ++i) data[first ^ swizzled(i << logStep)] = v[i];
    }
    __syncthreads();
}
// The last pass of fftBackward; calls give(i, value) for the thread's i-th number.
template <typename Give>
inline __device__ void fftLastPass(const double2* data, int logSize, const double2* roots,
                                   const Give& give) {
    const int logStep = logSize - 3;
#pragma unroll
    for (int b = 0; b < 2; ++b) {
        const int j = static_cast<int>(threadIdx.x + b * blockDim.x);
        const double2 root = roots[j << (kLogRoots - logSize)];
        const int first = swizzled(j);
        double2 v[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) v[i] = data[first ^ swizzled(i << logStep)];
        twiddle<8>(v, conjugate(root));
        transform8<1>(v);
#pragma unroll
        for (int i = 0; i < 4; ++i) give(b + 2 * i, v[i]);
    }
}
// The last pass of fftForward, then use(k, value) for each frequency k. With kBack it also does the
// first pass of fftBackward on the values that `use` has changed.
template <int kRadix, bool kBack, typename Use>
inline __device__ void fftCenterPass(double2* data, int logSize, const Use& use) {
    constexpr int kLogRadix = kRadix == 8 ? 3 : kRadix == 4 ? 2 : 1;
    const int apart = 1 << (logSize - kLogRadix);
    for (int k = threadIdx.x; k < apart; k += blockDim.x) {
        const int first = swizzled(reversedPlace(k, logSize));
        double2 v[kRadix];
#pragma unroll
        for (int c = 0; c < kRadix; ++c) v[c] = data[first ^ c];
        transformSmall<-1, kRadix>(v);
#pragma unroll
        for (int c = 0; c < kRadix; ++c) use(k + c * apart, v[c]);
        if (!kBack) continue;
        transformSmall<1, kRadix>(v);
#pragma unroll
        for (int c = 0; c < kRadix; ++c) data[first ^ c] = v[c];
    }
    __syncthreads();
}
template <bool kBack, typename Use>
inline __device__ void fftCenter(double2* data, int logSize, const Use& use) {
    const int left = logSize % 3;
    if (left == 0) fftCenterPass<8, kBack>(data, logSize, use);
    if (left == 1) fftCenterPass<2, kBack>(data, logSize, use);
    if (left == 2) fftCenterPass<4, kBack>(data, logSize, use);
}

}  // namespace armilla::cuda
