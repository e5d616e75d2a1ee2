// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/fft/ring_fft_cuda.h"

#include <algorithm>

#include "armilla/device/cuda/check.h"
#include "sht/fft/ring_parts_cuda.cuh"

namespace armilla::cuda {

namespace {

constexpr int kMaxThreads = 512;

// e^{i m phi0}.
inline __device__ double2 turnOf(double2 phi0OverPi, int m) {
    const double high = m * phi0OverPi.x;
    const double low = __fma_rn(m, phi0OverPi.x, -high) + m * phi0OverPi.y;
    double s = 0.0, c = 0.0;
    sincospi((high - 2.0 * rint(0.5 * high)) + low, &s, &c);
    return make_double2(c, s);
}

// e^{i m phi0}: by steps on the ring's circle if phi0 is a multiple of them, else computed
// directly.
inline __device__ double2 phaseOf(const UnitCircle& circle, int steps, double2 phi0OverPi, int m) {
    if (steps < 0) return turnOf(phi0OverPi, m);
    const int64_t j = static_cast<int64_t>(m) * steps;
    return circle.at(j < 2 * circle.n ? static_cast<int>(j) : static_cast<int>(j % (2 * circle.n)));
}

// F at frequency t of a ring (or north + i south): modes m = t and -m = t, modulo the length.
struct ModeReader {
    const double2 *north, *south;          // m = 0 .. inRing - 1; south null: none
    const double2 *northTail, *southTail;  // m >= inRing
    int inRing, limit, length, turnSteps;
    double2 turn;
    UnitCircle circle;

    __device__ ModeReader(const RingSpectrum& spectrum, const PairRings& rings,
                          const UnitCircle& unit)
        : north(spectrum.inRing(rings, false)),
          south(rings.south < 0 ? nullptr : spectrum.inRing(rings, true)),
          northTail(spectrum.inTail(rings, false)),
          southTail(spectrum.inTail(rings, true)),
          inRing(rings.inRing),
          limit(rings.modeLimit),
          length(rings.length),
          turnSteps(rings.turnSteps),
          turn(rings.turn),
          circle(unit) {}
    __device__ const double2* of(int m, bool inSouth) const {
        if (inSouth) return m < inRing ? south + m : southTail + (m - inRing);
        return m < inRing ? north + m : northTail + (m - inRing);
    }
    __device__ double2 part(int m, Rows which, bool mirror) const {
        double2 value = *of(m, which == Rows::South && south != nullptr);
        const bool both = which == Rows::Packed && south != nullptr;
        double2 other = both ? *of(m, true) : make_double2(0.0, 0.0);
        if (turnSteps != 0) {
            const double2 phase = phaseOf(circle, turnSteps, turn, m);
            value = value * phase;
            other = other * phase;
        }
        if (mirror) {
            value.y = -value.y;
            other.y = -other.y;
        }
        return value + quarterTurn<1>(other);
    }
    __device__ bool folds() const { return 2 * limit > length; }
    // The value at frequency q u + w of a part; for u >= p any finite value.
    __device__ double2 at(int u, int q, Pass pass) const {
        const int t = q * u + pass.w;
        if (folds()) return t < length ? foldedAt(*this, t, pass.rows) : make_double2(0.0, 0.0);
        // At most one mode contributes, except at the Nyquist frequency, which is its own mirror.
        // There is no branch before the load, so that several loads overlap.
        const int m = min(t, abs(length - t));
        const double2 value = part(min(m, limit), pass.rows, t > m);
        if (m > limit) return make_double2(0.0, 0.0);
        return 2 * m == length ? value + part(m, pass.rows, true) : value;
    }
    // Short rings have many modes at a frequency. This is a separate function with arguments by
    // value, so that its loops and registers do not slow down rings without folded modes.
    static __device__ __noinline__ double2 foldedAt(ModeReader reader, int t, Rows which) {
        double2 sum = make_double2(0.0, 0.0);
#pragma unroll 4
        for (int m = t; m <= reader.limit; m += reader.length)
            sum = sum + reader.part(m, which, false);
#pragma unroll 4
        for (int m = reader.length - t; m <= reader.limit; m += reader.length)
            sum = sum + reader.part(m, which, true);
        return sum;
    }
    // Stores all parts. Each mode of a ring without folded modes is read once.
    template <typename Put>
    __device__ void fill(int q, int p, const Put& put) const {
        if (q < 4 || folds()) {
            for (int row = 0; row < q; ++row) {
                const Pass pass = passOf(row, q);
                inFours(
                    p, [&](int u) { return at(u, q, pass); },
                    [&](int u, double2 value) { put(row, u, value); });
            }
            return;
        }
        struct Both {
            double2 north, south;
        };
        inFours(
            length / 2 + 1,
            [&](int m) {
                const int near = min(m, limit);
                return Both{*of(near, false), *of(near, south != nullptr)};
            },
            [&](int m, const Both& both) { putMode(m, p, both.north, both.south, put); });
    }

private:
    template <typename Put>
    __device__ void putMode(int m, int p, double2 n, double2 s, const Put& put) const {
        if (m > limit) n = s = make_double2(0.0, 0.0);
        if (south == nullptr) s = make_double2(0.0, 0.0);
        if (turnSteps != 0) {
            const double2 phase = phaseOf(circle, turnSteps, turn, m);
            n = n * phase;
            s = s * phase;
        }
        if (m % 4 == 1) {
            put(2, m / 4, n);
            put(3, m / 4, s);
        } else if (m % 4 == 3) {
            put(2, p - 1 - m / 4, conjugate(n));
            put(3, p - 1 - m / 4, conjugate(s));
        } else {
            const int row = m % 4 / 2;
            const double2 here = n + quarterTurn<1>(s);
            const double2 mirror = conjugate(n) + quarterTurn<1>(conjugate(s));
            const int u = m / 4, image = row == 1 ? p - 1 - u : p - u;
            if (m == 0) {
                put(0, 0, here);
            } else if (2 * m == length) {
                put(row, u, here + mirror);
            } else {
                put(row, u, here);
                put(row, image, mirror);
            }
        }
    }
};

// Parts of a spectrum to samples of north and south: sample a + v p is the sum over parts of
// e^{2 pi i w v / q} times value a of the part.
inline __device__ void putSamples(const PartRows& rows, const UnitCircle& circle, int q,
                                  double* north, double* south) {
    const int p = rows.p;
    const auto put = [&](int sample, double n, double s) {
        north[sample] = n;
        if (south != nullptr) south[sample] = s;
    };
#pragma unroll 2
    for (int a = threadIdx.x; a < p; a += blockDim.x) {
        const double2 first = rows.at(0, a);
        if (q == 1) {
            put(a, first.x, first.y);
            continue;
        }
        const double2 second = rows.at(1, a) * circle.at(q * a);
        const double2 even = first + second, odd = first - second;
        if (q == 2) {
            put(a, even.x, even.y);
            put(a + p, odd.x, odd.y);
            continue;
        }
        // w = 1 and w = 3 together.
        const double2 turn = circle.at(2 * a);
        const double2 n = 2.0 * (rows.at(2, a) * turn), s = 2.0 * (rows.at(3, a) * turn);
        put(a, even.x + n.x, even.y + s.x);
        put(a + p, odd.x - n.y, odd.y - s.y);
        put(a + 2 * p, even.x - n.x, even.y - s.x);
        put(a + 3 * p, odd.x + n.y, odd.y + s.y);
    }
}

template <bool kApart>
__global__ void __launch_bounds__(kMaxThreads)
    ringSynthesisKernel(RingFftBatch batch, RingFft fft) {
    double2* const scratch = fft.scratch + int64_t{batch.longest} * blockIdx.x;
    for (int i = static_cast<int>(blockIdx.x); i < batch.count; i += static_cast<int>(gridDim.x)) {
        const PairRings rings = fft.spectrum.rings[batch.pairs[i]];
        const int n = rings.length, q = splitOf(n), p = n / q;
        BlockTransform t = makeTransform<kApart>(batch, fft.roots, n, p);
        const ModeReader reader(fft.spectrum, rings, t.circle);
        const PartRows rows = transformParts<false, kApart>(
            t, q, scratch, [&](const auto& put) { reader.fill(q, p, put); },
            [&](int u, Pass pass, auto) { return reader.at(u, q, pass); });
        double* const map = fft.spectrum.map;
        putSamples(rows, t.circle, q, map + rings.north,
                   rings.south < 0 ? nullptr : map + rings.south);
        __syncthreads();
    }
}

// Weighted samples of a pair, conjugated, because the transform has the opposite sign.
struct SampleReader {
    // without a southern ring: the northern ring twice, the second time with weight 0
    const double *north, *south;
    double2 weight;
    UnitCircle circle;
    int p, q;

    __device__ double2 turned(int a, double2 value) const { return value * circle.at(2 * a); }
    // The part of w = 1, for north or south.
    __device__ double2 single(int a, bool inSouth) const {
        const double* const x = (inSouth ? south : north) + a;
        const double f = inSouth ? weight.y : weight.x;
        return turned(a, f * make_double2(x[0] - x[2 * p], x[p] - x[3 * p]));
    }
    // The parts of w = 0 and w = q / 2: sums over even and over odd numbers of p samples, and their
    // difference.
    __device__ double2 sums(int a, double sign) const {
        const int b = q > 1 ? a + p : a, c = q > 2 ? a + 2 * p : a, d = q > 2 ? b + 2 * p : b;
        const double n[4] = {north[a], north[b], north[c], north[d]};
        const double s[4] = {south[a], south[b], south[c], south[d]};
        return combined(n, s, sign);
    }
    __device__ double2 combined(const double (&n)[4], const double (&s)[4], double sign) const {
        double2 even = make_double2(n[0], s[0]), odd = make_double2(n[1], s[1]);
        if (q == 1) odd = make_double2(0.0, 0.0);
        if (q == 4) {
            even = make_double2(n[0] + n[2], s[0] + s[2]);
            odd = make_double2(n[1] + n[3], s[1] + s[3]);
        }
        return make_double2(weight.x * (even.x + sign * odd.x),
                            -weight.y * (even.y + sign * odd.y));
    }
    // For a >= p any value of the part.
    template <bool kPacked>
    __device__ double2 at(int a, Pass pass) const {
        a = min(a, p - 1);
        if constexpr (!kPacked) return single(a, pass.rows == Rows::South);
        if (pass.w == 0) return sums(a, 1.0);
        return sums(a, -1.0) * circle.at(q * a);
    }
    template <typename Put>
    __device__ void fill(const Put& put) const {
        if (q < 4) {
            for (int a = threadIdx.x; a < p; a += blockDim.x)
                for (int row = 0; row < q; ++row) put(row, a, at<true>(a, passOf(row, q)));
            return;
        }
#pragma unroll 2
        for (int a = threadIdx.x; a < p; a += blockDim.x) {
            const double n[4] = {north[a], north[a + p], north[a + 2 * p], north[a + 3 * p]};
            const double s[4] = {south[a], south[a + p], south[a + 2 * p], south[a + 3 * p]};
            put(0, a, combined(n, s, 1.0));
            put(1, a, combined(n, s, -1.0) * circle.at(4 * a));
            put(2, a, turned(a, weight.x * make_double2(n[0] - n[2], n[1] - n[3])));
            put(3, a, turned(a, weight.y * make_double2(s[0] - s[2], s[1] - s[3])));
        }
    }
};

// Converts parts of a spectrum to modes. The result of the transforms is the conjugate of the
// spectrum. For packed rows Y, N_t = (Y_t + conj Y_{n-t}) / 2, S_t = (Y_t - conj Y_{n-t}) / (2 i).
inline __device__ void putModes(const PartRows& rows, const UnitCircle& circle, int q,
                                const RingSpectrum& spectrum, const PairRings& rings) {
    const int n = rings.length, p = rows.p;
    const bool paired = rings.south >= 0;
#pragma unroll 2
    for (int m = threadIdx.x; m <= rings.modeLimit; m += blockDim.x) {
        const int frequency = m < n ? m : m % n, w = frequency & (q - 1);
        double2 north, south;
        if (2 * w % q == 0) {
            const int u = frequency >> (q >> 1), row = w > 0 ? 1 : 0;
            const double2 y = conjugate(rows.at(row, u));
            const double2 o = rows.at(row, w > 0 ? p - 1 - u : u == 0 ? 0 : p - u);
            north = 0.5 * (y + o);
            south = 0.5 * quarterTurn<-1>(y - o);
        } else {
            const int u = ((w == 3 ? n - frequency : frequency) - 1) / 4;
            north = rows.at(2, u);
            south = rows.at(3, u);
            if (w == 1) {
                north = conjugate(north);
                south = conjugate(south);
            }
        }
        if (rings.turnSteps != 0) {
            const double2 phase = conjugate(phaseOf(circle, rings.turnSteps, rings.turn, m));
            north = north * phase;
            south = south * phase;
        }
        *spectrum.mode(rings, false, m) = north;
        if (paired) *spectrum.mode(rings, true, m) = south;
    }
}

template <bool kApart>
__global__ void __launch_bounds__(kMaxThreads) ringAnalysisKernel(RingFftBatch batch, RingFft fft) {
    double2* const scratch = fft.scratch + int64_t{batch.longest} * blockIdx.x;
    for (int i = static_cast<int>(blockIdx.x); i < batch.count; i += static_cast<int>(gridDim.x)) {
        const int pair = batch.pairs[i];
        const PairRings rings = fft.spectrum.rings[pair];
        const int n = rings.length, q = splitOf(n), p = n / q;
        BlockTransform t = makeTransform<kApart>(batch, fft.roots, n, p);
        const double* const map = fft.spectrum.map;
        const SampleReader reader{map + rings.north,
                                  map + (rings.south < 0 ? rings.north : rings.south),
                                  fft.weights[pair],
                                  t.circle,
                                  p,
                                  q};
        const PartRows rows = transformParts<true, kApart>(
            t, q, scratch, [&](const auto& put) { reader.fill(put); },
            [&](int a, Pass pass, auto isPacked) { return reader.at<isPacked.value>(a, pass); });
        putModes(rows, t.circle, q, fft.spectrum, rings);
        __syncthreads();
    }
}

// One block for each ring. Modes with equal m mod n are summed, as in ModeReader for transforms of
// all n frequencies.
__global__ void modesToRowsKernel(RingRowSpectra rows, UnitCircle circle) {
    const int side = rows.sides[rows.first + static_cast<int>(blockIdx.x)];
    const PairRings rings = rows.spectrum.rings[side / 2];
    if (rings.turnSteps > 0) circle.make();
    const ModeReader reader(rows.spectrum, rings, circle);
    const Pass pass{0, side % 2 == 0 ? Rows::North : Rows::South};
    const int modes = rows.length / 2 + 1;
    double2* const out = rows.spectra + int64_t{modes} * blockIdx.x;
    inFours(
        modes, [&](int t) { return reader.at(t, 1, pass); },
        [&](int t, double2 value) { out[t] = value; });
}

__global__ void rowsToModesKernel(RingRowSpectra rows, const double2* weights, UnitCircle circle) {
    const int side = rows.sides[rows.first + static_cast<int>(blockIdx.x)];
    const bool south = side % 2 != 0;
    const PairRings rings = rows.spectrum.rings[side / 2];
    if (rings.turnSteps > 0) circle.make();
    const double weight = south ? weights[side / 2].y : weights[side / 2].x;
    const int n = rows.length;
    const double2* const in = rows.spectra + int64_t{n / 2 + 1} * blockIdx.x;
    for (int m = static_cast<int>(threadIdx.x); m <= rings.modeLimit;
         m += static_cast<int>(blockDim.x)) {
        const int t = m < n ? m : m % n;
        double2 value = 2 * t <= n ? in[t] : conjugate(in[n - t]);
        if (rings.turnSteps != 0)
            value = value * conjugate(phaseOf(circle, rings.turnSteps, rings.turn, m));
        *rows.spectrum.mode(rings, south, m) = weight * value;
    }
}

// The circle that both kernels use, and its shared memory in bytes.
UnitCircle circleOf(const RingRowSpectra& rows, size_t& bytes) {
    RingFftBatch batch;
    batch.longest = rows.length;
    bytes = ((size_t{1} << batch.logLow()) + RingFftBatch::kMostHighs) * sizeof(double2);
    return {batch.logLow(), rows.length};
}
constexpr int kRowThreads = 256;

__global__ void rootsKernel(double2* roots) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    roots[i] = conjugate(halfTurns(2 * i, 1 << kLogRoots));
}

bool isApart(const RingFftBatch& batch) {
    return batch.kind == RingFftKind::Apart;
}

int threadsFor(const RingFftBatch& batch) {
    const int numbers = batch.kind == RingFftKind::Whole         ? batch.longest / 16
                        : batch.kind == RingFftKind::Convolution ? 1 << batch.logSize >> 4
                                                                 : 1 << batch.logSize >> 3;
    return std::clamp(numbers, 32, kMaxThreads);
}

// Blocks that partition the pairs of a batch: as many as run at once, limited by the scratch
// memory.
template <typename Kernel>
void launch(Kernel kernel, const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream) {
    if (batch.count == 0) return;
    const size_t bytes = batch.sharedBytes();
    const int threads = threadsFor(batch);
    int blocks = batch.count;
    if (batch.kind != RingFftKind::Whole) {
        int resident = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, bytes),
              "querying how many blocks run at once");
        blocks = static_cast<int>(std::min({int64_t{batch.count}, fft.scratchSize / batch.longest,
                                            int64_t{std::max(1, resident)} * fft.multiprocessors}));
    }
    kernel<<<blocks, threads, bytes, stream>>>(batch, fft);
}

}  // namespace

size_t ringFftSharedBytes(int device) {
    int shared = 0;
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "querying shared memory");
    return static_cast<size_t>(shared);
}

void allowRingFftSharedBytes(size_t bytes) {
    for (const auto kernel : {ringSynthesisKernel<false>, ringSynthesisKernel<true>,
                              ringAnalysisKernel<false>, ringAnalysisKernel<true>})
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "giving shared memory to the ring transforms");
}

void fillRoots(double2* roots, cudaStream_t stream) {
    constexpr int kCount = 1 << (kLogRoots - 3), kThreads = 128;
    rootsKernel<<<kCount / kThreads, kThreads, 0, stream>>>(roots);
    checkLaunch("roots of unity");
}

void ringSynthesis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream) {
    launch(isApart(batch) ? ringSynthesisKernel<true> : ringSynthesisKernel<false>, batch, fft,
           stream);
    checkLaunch("ring transforms");
}

void modesToRows(const RingRowSpectra& rows, cudaStream_t stream) {
    size_t bytes = 0;
    const UnitCircle circle = circleOf(rows, bytes);
    modesToRowsKernel<<<static_cast<unsigned>(rows.count), kRowThreads, bytes, stream>>>(rows,
                                                                                         circle);
    checkLaunch("modes of rows");
}

void rowsToModes(const RingRowSpectra& rows, const double2* weights, cudaStream_t stream) {
    size_t bytes = 0;
    const UnitCircle circle = circleOf(rows, bytes);
    rowsToModesKernel<<<static_cast<unsigned>(rows.count), kRowThreads, bytes, stream>>>(
        rows, weights, circle);
    checkLaunch("modes of rows");
}

void ringAnalysis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream) {
    launch(isApart(batch) ? ringAnalysisKernel<true> : ringAnalysisKernel<false>, batch, fft,
           stream);
    checkLaunch("transposed ring transforms");
}

}  // namespace armilla::cuda
