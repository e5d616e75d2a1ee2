// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms of the parts of a ring pair's spectrum, of any length p, by one block of threads
// (ring_fft_cuda.h defines the parts). No CUDA header is included, because the host runs this code,
// too (tests/support/device_threads.h).
#pragma once

#include <type_traits>

#include "sht/fft/block_fft_cuda.cuh"
#include "sht/fft/ring_fft_strategy.h"

namespace armilla::cuda {

// e^{i pi numerator / denominator}.
inline __device__ double2 halfTurns(int64_t numerator, int denominator) {
    double s = 0.0, c = 0.0;
    sincospi(static_cast<double>(numerator) / denominator, &s, &c);
    return make_double2(c, s);
}
// j^2 mod 2 p; integers keep angles exact.
inline __device__ int chirpStep(int j, int p) {
    const auto square = static_cast<uint64_t>(j) * static_cast<uint64_t>(j);
    const auto period = 2 * static_cast<uint64_t>(p);
    return static_cast<int>(square < (uint64_t{1} << 32)
                                ? static_cast<uint32_t>(square) % static_cast<uint32_t>(period)
                                : square % period);
}
// The dynamic shared memory of the launch.
inline __device__ double2* sharedRows() {
#if defined(__CUDACC__)
    extern __shared__ double2 workspace[];
    return workspace;
#else
    return reinterpret_cast<double2*>(test::DeviceThreads::here().shared());
#endif
}

// e^{i pi j / n} as products of two tabulated numbers, whose tables are at the start of shared
// memory.
struct UnitCircle {
    int logLow, n;

    __device__ void make() const {
        const int lows = 1 << logLow, highs = (n + lows - 1) >> logLow;
        for (int i = threadIdx.x; i < lows + highs; i += blockDim.x)
            sharedRows()[i] = halfTurns(i < lows ? i : (i - lows) << logLow, n);
        __syncthreads();
    }
    // 0 <= j < 2 n.
    __device__ double2 at(int j) const {
        const bool beyond = j >= n;
        if (beyond) j -= n;
        const double2 z =
            sharedRows()[j & ((1 << logLow) - 1)] * sharedRows()[(1 << logLow) + (j >> logLow)];
        return beyond ? make_double2(-z.x, -z.y) : z;
    }
};
// The part of a spectrum that a pass transforms: frequencies q u + w, u < p.
enum class Rows { Packed, North, South };
struct Pass {
    int w;
    Rows rows;
};
// Pass 0 has w = 0. For q > 1, pass 1 has the other part that is its own mirror. For q = 4, passes
// 2 and 3 have w = 1.
inline __device__ Pass passOf(int index, int q) {
    if (index < 2) return {index * q / 2, Rows::Packed};
    return {1, index == 2 ? Rows::North : Rows::South};
}

// put(u, read(u)) for the thread's part of u < count, four at a time, so that four reads overlap.
template <typename Read, typename Put>
inline __device__ void inFours(int count, const Read& read, const Put& put) {
    const int stride = static_cast<int>(blockDim.x);
    int u = static_cast<int>(threadIdx.x);
    for (; u + 3 * stride < count; u += 4 * stride) {
        const decltype(read(u)) values[4] = {read(u), read(u + stride), read(u + 2 * stride),
                                             read(u + 3 * stride)};
#pragma unroll
        for (int i = 0; i < 4; ++i) put(u + i * stride, values[i]);
    }
    for (; u < count; u += stride) put(u, read(u));
}

// One block's transforms of length p with e^{+2 pi i ...}.
struct BlockTransform {
    // Offsets in shared memory of the transformed numbers, and of the spectrum of the conjugate
    // chirp e^{i pi j^2 / p}. Pointers would lose the address space.
    int workAt, spectrumAt;
    int twistsAt, logLong;  // for twists, L = 2^logLong
    const double2* roots;
    UnitCircle circle;  // the ring's circle
    int p, logSize, twists, twist;
    RingFftKind kind;
    double2 chirps[kHeld];  // for convolutions: the thread's numbers, see fftFirstPass

    __device__ int size() const { return 1 << logSize; }
    __device__ double2* work() const { return sharedRows() + workAt; }
    __device__ double2* spectrum() const { return sharedRows() + spectrumAt; }
    __device__ double2 chirpOf(int j) const { return circle.at(circle.n / p * chirpStep(j, p)); }
    static __device__ int heldAt(int i) {
        return static_cast<int>(threadIdx.x) + i * static_cast<int>(blockDim.x);
    }
    // The chirp and its spectrum, with the factor of the convolution. The spectrum is even, so half
    // of it is stored.
    __device__ void makeConvolution() {
#pragma unroll
        for (int i = 0; i < kHeld; ++i) {
            const int j = heldAt(i);
            chirps[i] = j < p ? chirpOf(j) : make_double2(0.0, 0.0);
            work()[swizzled(j)] = conjugate(chirps[i]);
            if (j > 0) work()[swizzled(size() - j)] = conjugate(chirps[i]);
        }
        if (threadIdx.x == 0) work()[swizzled(size() / 2)] = make_double2(0.0, 0.0);
        __syncthreads();
        fftPass<8, true>(work(), logSize, logSize, roots);
        fftForwardMiddle(work(), logSize, roots);
        const double scale = 1.0 / size();
        fftCenter<false>(work(), logSize, [&](int k, double2 value) {
            if (2 * k <= size()) spectrum()[k] = scale * value;
        });
    }
    // put(u, value of u), u < p, of the transform of input(u).
    template <typename Input, typename Put>
    __device__ void convolve(const Input& input, const Put& put) const {
        // Beyond p the chirp is 0, so any input is correct.
        fftFirstPass(work(), logSize, roots, [&](int i) { return input(heldAt(i)) * chirps[i]; });
        fftForwardMiddle(work(), logSize, roots);
        fftCenter<true>(work(), logSize, [&](int k, double2& value) {
            value = value * spectrum()[min(k, size() - k)];
        });
        fftBackwardMiddle(work(), logSize, roots);
        fftLastPass(work(), logSize, roots, [&](int i, double2 value) {
            if (heldAt(i) < p) put(heldAt(i), value * chirps[i]);
        });
        __syncthreads();
    }
    // Transform of `count` = N numbers.
    template <typename Input, typename Put>
    __device__ void direct(int count, const Input& input, const Put& put) const {
        inFours(size(), input,
                [&](int u, double2 value) { work()[swizzled(reversedPlace(u, logSize))] = value; });
        __syncthreads();
        fftBackward(work(), logSize, roots);
        for (int u = threadIdx.x; u < count; u += blockDim.x) put(u, work()[swizzled(u)]);
        __syncthreads();
    }
    // Writes to[u], u < p = k N: transforms of the numbers u mod k = 0 .. k - 1, then of the k
    // results at each place. In the second step a thread reads only results that it has written.
    template <typename Input>
    __device__ void apart(const Input& input, double2* to) const {
        const int count = p >> logSize;
        for (int i = 0; i < count; ++i)
            direct(
                size(), [&](int u) { return input(count * u + i); },
                [&](int u, double2 value) { to[i * size() + u] = value; });
        if (count == 2) putTogether<2>(to);
        if (count == 4) putTogether<4>(to);
        if (count == 8) putTogether<8>(to);
    }
    template <int kCount>
    __device__ void putTogether(double2* to) const {
        for (int u = threadIdx.x; u < size(); u += blockDim.x) {
            double2 v[kCount];
#pragma unroll
            for (int i = 0; i < kCount; ++i) v[i] = to[i * size() + u];
            twiddle<kCount>(v, circle.at(2 * (circle.n / p) * u));
            transformSmall<1, kCount>(v);
#pragma unroll
            for (int i = 0; i < kCount; ++i) to[i * size() + u] = v[i];
        }
        __syncthreads();
    }
    __device__ void makeTwists() const {
        const int low = RingFftStrategy::twistLow(logLong), lows = 1 << low;
        for (int i = threadIdx.x; i < lows + (1 << (logLong - low)); i += blockDim.x)
            sharedRows()[twistsAt + i] =
                halfTurns(2 * (i < lows ? i : (i - lows) << low), 1 << logLong);
        __syncthreads();
    }
    // e^{2 pi i j twist / L}.
    __device__ double2 twistAt(int j) const {
        const int low = RingFftStrategy::twistLow(logLong), lows = 1 << low;
        const unsigned k =
            static_cast<unsigned>(j) * static_cast<unsigned>(twist) & ((1U << logLong) - 1);
        return sharedRows()[twistsAt + static_cast<int>(k & static_cast<unsigned>(lows - 1))] *
               sharedRows()[twistsAt + lows + static_cast<int>(k >> low)];
    }
    // Computes the spectrum of the conjugate chirp for one twist.
    __device__ void setTwist(int rho) {
        twist = rho;
        const int length = twists << logSize;
        for (int i = threadIdx.x; i < size(); i += blockDim.x) {
            double2 sum = make_double2(0.0, 0.0);
            for (int j = i; j < length; j += size()) {
                const int distance = min(j, length - j);
                if (distance >= p) continue;
                double2 value = conjugate(chirpOf(distance));
                if (twist > 0) value = value * conjugate(twistAt(j));
                sum = sum + value;
            }
            spectrum()[swizzled(i)] = sum;
        }
        __syncthreads();
        fftForward(spectrum(), logSize, roots);
        const double scale = 1.0 / static_cast<double>(length);
        for (int i = threadIdx.x; i < size(); i += blockDim.x)
            spectrum()[i] = scale * spectrum()[i];
        __syncthreads();
    }
    // put(u, this twist's part of the value of u).
    template <typename Input, typename Put>
    __device__ void twisted(const Input& input, const Put& put) const {
        for (int i = threadIdx.x; i < size(); i += blockDim.x) {
            double2 sum = make_double2(0.0, 0.0);
            for (int u = i; u < p; u += size())
                sum = sum + input(u) * chirpOf(u) * conjugate(twistAt(u));
            work()[swizzled(i)] = sum;
        }
        __syncthreads();
        fftForward(work(), logSize, roots);
        for (int i = threadIdx.x; i < size(); i += blockDim.x)
            work()[i] = work()[i] * spectrum()[i];
        __syncthreads();
        fftBackward(work(), logSize, roots);
        for (int u = threadIdx.x; u < p; u += blockDim.x)
            put(u, work()[swizzled(u & (size() - 1))] * chirpOf(u) * twistAt(u));
        __syncthreads();
    }
};

// kApart: for the kind Apart alone, whose kernel then needs fewer registers.
template <bool kApart>
inline __device__ BlockTransform makeTransform(const RingFftBatch& batch, const double2* roots,
                                               int length, int p) {
    BlockTransform t{};
    t.circle = {batch.logLow(), length};
    t.workAt = (1 << t.circle.logLow) + RingFftBatch::kMostHighs;
    t.spectrumAt = t.workAt + (1 << batch.logSize);
    t.roots = roots;
    t.p = p;
    t.logSize = batch.logSize;
    t.kind = kApart ? RingFftKind::Apart : batch.kind;
    t.twists = 1;
    t.circle.make();
    if constexpr (kApart) return t;
    if (t.kind == RingFftKind::Convolution) t.makeConvolution();
    if (t.kind == RingFftKind::Twisted) {
        t.logLong = t.logSize;
        while (1 << t.logLong < 2 * p - 1) ++t.logLong;
        t.twists = 1 << (t.logLong - t.logSize);
        t.twistsAt = t.spectrumAt + t.size();
        t.makeTwists();
    }
    return t;
}

// The parts of a pair's spectrum, in rows, between the pair's modes and its samples.
struct PartRows {
    double2* scratch;  // null: in shared memory, at the place of the transforms
    int workAt, p;

    __device__ double2 at(int row, int u) const {
        return scratch != nullptr ? scratch[row * p + u]
                                  : sharedRows()[workAt + swizzled(row * p + u)];
    }
};
// Transforms all parts of a pair. In shared memory the input comes from fill(put) by put(row, u,
// value), otherwise from input(u, pass, kind), part by part. `kind` is a type: with kSeparate it
// defines whether the part is packed. All threads are synchronized on return.
template <bool kSeparate, bool kApart, typename Fill, typename Input>
inline __device__ PartRows transformParts(BlockTransform& t, int q, double2* scratch,
                                          const Fill& fill, const Input& input) {
    const PartRows rows{t.kind == RingFftKind::Whole ? nullptr : scratch, t.workAt, t.p};
    if (!kApart && t.kind == RingFftKind::Whole) {
        fill([&](int row, int u, double2 value) {
            t.work()[swizzled(row * t.p + reversedPlace(u, t.logSize))] = value;
        });
        __syncthreads();
        fftBackward(t.work(), t.logSize, t.roots, q >> 1);
        return rows;
    }
    const auto transform = [&](int row, int twist, auto isPacked) {
        const Pass pass = passOf(row, q);
        double2* const to = scratch + row * t.p;
        const auto from = [&](int u) { return input(u, pass, isPacked); };
        if constexpr (kApart)
            t.apart(from, to);
        else if (t.kind == RingFftKind::Convolution)
            t.convolve(from, [&](int u, double2 value) { to[u] = value; });
        else if (t.kind == RingFftKind::Direct)
            t.direct(t.p, from, [&](int u, double2 value) { to[u] = value; });
        else
            t.twisted(from,
                      [&](int u, double2 value) { to[u] = twist == 0 ? value : to[u] + value; });
    };
    for (int twist = 0; twist < t.twists; ++twist) {
        if (!kApart && t.kind == RingFftKind::Twisted) t.setTwist(twist);
        const int packed = kSeparate ? min(q, 2) : q;
        for (int row = 0; row < packed; ++row) transform(row, twist, std::true_type());
        if constexpr (kSeparate)
            for (int row = packed; row < q; ++row) transform(row, twist, std::false_type());
    }
    return rows;
}

}  // namespace armilla::cuda
