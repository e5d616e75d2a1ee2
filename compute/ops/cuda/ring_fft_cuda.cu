// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuda/ring_fft_cuda.h"

#include <algorithm>

#include "cuda/block_fft_cuda.cuh"
#include "cuda/check.h"

namespace armilla::cuda {

namespace {

constexpr int kMaxThreads = 512;

// e^{i pi numerator / denominator}.
inline __device__ double2 halfTurns(int64_t numerator, int denominator) {
    double s = 0.0, c = 0.0;
    sincospi(static_cast<double>(numerator) / denominator, &s, &c);
    return make_double2(c, s);
}
// e^{i pi j^2 / p}; integers keep the angle exact.
inline __device__ double2 chirpAt(int j, int p) {
    const auto square = static_cast<uint64_t>(j) * static_cast<uint64_t>(j);
    const auto period = 2 * static_cast<uint64_t>(p);
    const uint64_t rest = square < (uint64_t{1} << 32)
                              ? static_cast<uint32_t>(square) % static_cast<uint32_t>(period)
                              : square % period;
    return halfTurns(static_cast<int64_t>(rest), p);
}
// e^{i m phi0}.
inline __device__ double2 turnOf(double2 phi0OverPi, int m) {
    const double high = m * phi0OverPi.x;
    const double low = __fma_rn(m, phi0OverPi.x, -high) + m * phi0OverPi.y;
    double s = 0.0, c = 0.0;
    sincospi((high - 2.0 * rint(0.5 * high)) + low, &s, &c);
    return make_double2(c, s);
}

// The part of a spectrum that a pass deals with: frequencies q u + w, u < p.
enum class Rows { Packed, North, South };
struct Pass {
    int w;
    Rows rows;
};
// Pass 0 has w = 0; pass 1 the other part that is its own mirror, if q > 1; passes 2 and 3, q = 4,
// have w = 1.
inline __device__ Pass passOf(int index, int q) {
    if (index < 2) return {index * q / 2, Rows::Packed};
    return {1, index == 2 ? Rows::North : Rows::South};
}

// One block's transforms of length p with e^{+2 pi i ...}, direct or as convolutions.
struct BlockTransform {
    double2 *work, *spectrum;  // of the conjugate chirp
    double2* chirp;            // e^{i pi j^2 / p}, j < p; null: made where it is needed
    double2* stash;            // two rows of p, for the caller; null: no room
    const double2* roots;
    int p, logSize, twists, twist;
    bool direct;

    __device__ int size() const { return 1 << logSize; }
    __device__ double2 chirpOf(int j) const { return chirp != nullptr ? chirp[j] : chirpAt(j, p); }
    // e^{2 pi i j twist / L}.
    __device__ double2 twistAt(int j) const {
        return halfTurns(2 * static_cast<int64_t>(j) * twist, twists << logSize);
    }
    __device__ void makeChirp() {
        if (chirp == nullptr) return;
        for (int j = threadIdx.x; j < p; j += blockDim.x) chirp[j] = chirpAt(j, p);
        __syncthreads();
    }
    // Makes the spectrum of the conjugate chirp for one twist.
    __device__ void setTwist(int rho) {
        twist = rho;
        if (direct) return;
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
            spectrum[swizzled(i)] = sum;
        }
        __syncthreads();
        fftForward(spectrum, logSize, roots);
        // With the factor of the convolutions.
        const double scale = 1.0 / static_cast<double>(length);
        for (int i = threadIdx.x; i < size(); i += blockDim.x) spectrum[i] = scale * spectrum[i];
    }
    // Transforms input(u), u < p.
    template <typename Input>
    __device__ void run(const Input& input) {
        __syncthreads();  // the last result has been read
        if (direct) {
#pragma unroll 4
            for (int u = threadIdx.x; u < size(); u += blockDim.x)
                work[swizzled(reversedPlace(u, logSize))] = input(u);
            __syncthreads();
            fftBackward(work, logSize, roots);
            return;
        }
        if (twists == 1) {
#pragma unroll 4
            for (int u = threadIdx.x; u < p; u += blockDim.x)
                work[swizzled(u)] = input(u) * chirpOf(u);
            for (int i = p + static_cast<int>(threadIdx.x); i < size(); i += blockDim.x)
                work[swizzled(i)] = make_double2(0.0, 0.0);
        } else {
            for (int i = threadIdx.x; i < size(); i += blockDim.x) {
                double2 sum = make_double2(0.0, 0.0);
                for (int u = i; u < p; u += size())
                    sum = sum + input(u) * chirpOf(u) * conjugate(twistAt(u));
                work[swizzled(i)] = sum;
            }
        }
        __syncthreads();
        fftForward(work, logSize, roots);
        for (int i = threadIdx.x; i < size(); i += blockDim.x) work[i] = work[i] * spectrum[i];
        __syncthreads();
        fftBackward(work, logSize, roots);
    }
    // This twist's part of the result.
    __device__ double2 at(int a) const {
        const double2 value = work[swizzled(a & (size() - 1))];
        if (direct) return value;
        return twist == 0 ? value * chirpOf(a) : value * chirpOf(a) * twistAt(a);
    }
};

extern __shared__ double2 sharedRows[];

// `stashes`: whether results of passes are to be kept in shared memory.
inline __device__ BlockTransform makeTransform(const RingFftBatch& batch, const RingFft& fft, int p,
                                               bool stashes) {
    BlockTransform t{};
    const int size = 1 << batch.logSize;
    t.work = sharedRows;
    t.roots = fft.roots;
    t.p = p;
    t.logSize = batch.logSize;
    t.direct = batch.direct;
    t.twists = 1;
    double2* next = sharedRows + size;
    if (!batch.direct) {
        t.spectrum = next;
        next += size;
        while (t.twists << t.logSize < 2 * p - 1) t.twists *= 2;
    }
    if (t.twists > 1 || !batch.roomy) return t;
    if (!batch.direct) {
        t.chirp = next;
        next += size / 2;
    }
    if (stashes) t.stash = next;
    t.makeChirp();
    return t;
}

inline __device__ int splitOf(int length) {
    return length % 4 == 0 ? 4 : length % 2 == 0 ? 2 : 1;
}
inline __device__ int passesOf(int q, bool south) {
    return q == 4 && !south ? 3 : q;
}

// F at frequency t of a ring (or north + i south): modes m = t and -m = t, modulo the length.
struct ModeReader {
    const double2 *north, *south;          // m = 0 .. inRing - 1; south null: none
    const double2 *northTail, *southTail;  // and those beyond
    int inRing, limit, length;
    double2 turn;

    __device__ ModeReader(const RingSpectrum& spectrum, const PairRings& rings)
        : north(spectrum.inRing(rings, false)),
          south(rings.south < 0 ? nullptr : spectrum.inRing(rings, true)),
          northTail(spectrum.inTail(rings, false)),
          southTail(spectrum.inTail(rings, true)),
          inRing(rings.inRing),
          limit(rings.modeLimit),
          length(rings.length),
          turn(rings.turn) {}
    // Copies the modes to `place`, north's and then south's, and reads them there from now on.
    __device__ void moveTo(double2* place, int modes) {
        for (int m = threadIdx.x; m <= limit; m += blockDim.x) {
            place[m] = *of(m, false);
            if (south != nullptr) place[modes + m] = *of(m, true);
        }
        __syncthreads();
        north = place;
        if (south != nullptr) south = place + modes;
        inRing = limit + 1;
    }
    __device__ const double2* of(int m, bool inSouth) const {
        if (inSouth) return m < inRing ? south + m : southTail + (m - inRing);
        return m < inRing ? north + m : northTail + (m - inRing);
    }
    __device__ double2 part(int m, Rows which, bool mirror) const {
        const double2 phase = turn.x != 0.0 ? turnOf(turn, m) : make_double2(1.0, 0.0);
        const auto one = [&](bool inSouth) {
            double2 value = *of(m, inSouth);
            if (turn.x != 0.0) value = value * phase;
            return mirror ? conjugate(value) : value;
        };
        if (which == Rows::North || south == nullptr) return one(false);
        if (which == Rows::South) return one(true);
        return one(false) + quarterTurn<1>(one(true));
    }
    __device__ double2 at(int t, Rows which) const {
        double2 sum = make_double2(0.0, 0.0);
        if (2 * limit <= length) {
            // One mode at most, or that of the Nyquist frequency, which is its own mirror. No
            // branch before the load, so that several are under way.
            const int m = min(t, length - t);
            const double2 value = part(min(m, limit), which, t > m);
            if (m > limit) return sum;
            return 2 * m == length ? value + part(m, which, true) : value;
        }
        for (int m = t; m <= limit; m += length) sum = sum + part(m, which, false);
        for (int m = length - t; m <= limit; m += length) sum = sum + part(m, which, true);
        return sum;
    }
};

// Takes the results of the passes, part by part of the frequencies, to samples of north and south:
// sample a + v p is the sum over parts of e^{2 pi i w v / q} times value a of the part.
struct SampleWriter {
    double *north, *south;
    double2* stash;
    int n, p, q;

    __device__ void put(int a, Pass pass, double2 z, bool first) const {
        if (pass.w > 0) z = z * halfTurns(2 * static_cast<int64_t>(a) * pass.w, n);
        if (stash == nullptr)
            add(a, pass, z, first);
        else if (pass.rows == Rows::Packed)
            packed(a, pass, z);
        else if (pass.rows == Rows::North)
            odd(north + a, stash[a].x, stash[p + a].x, z);
        else
            odd(south + a, stash[a].y, stash[p + a].y, z);
    }

private:
    __device__ void pair(int sample, double2 z) const {
        north[sample] = z.x;
        if (south != nullptr) south[sample] = z.y;
    }
    __device__ void packed(int a, Pass pass, double2 z) const {
        if (pass.w == 0) {
            stash[a] = z;
            if (q == 1) pair(a, z);
            return;
        }
        const double2 before = stash[a];
        stash[a] = before + z;
        stash[p + a] = before - z;
        if (q == 4) return;
        pair(a, before + z);
        pair(a + p, before - z);
    }
    // w = 1 and w = 3 together, on top of the sums of the other parts at even and odd v.
    __device__ void odd(double* out, double even, double oddSum, double2 z) const {
        out[0] = even + 2.0 * z.x;
        out[p] = oddSum - 2.0 * z.y;
        out[2 * p] = even - 2.0 * z.x;
        out[3 * p] = oddSum + 2.0 * z.y;
    }
    // Without room for a stash the samples themselves hold the sums.
    __device__ void add(int a, Pass pass, double2 z, bool first) const {
        if (pass.rows == Rows::Packed) {
            for (int v = 0; v < q; ++v) {
                const double sign = pass.w > 0 && (v & 1) != 0 ? -1.0 : 1.0;
                double2 sum = sign * z;
                if (!first) {
                    sum.x += north[a + v * p];
                    if (south != nullptr) sum.y += south[a + v * p];
                }
                pair(a + v * p, sum);
            }
            return;
        }
        double* const out = (pass.rows == Rows::North ? north : south) + a;
        const double before[4] = {out[0], out[p], out[2 * p], out[3 * p]};
        out[0] = before[0] + 2.0 * z.x;
        out[p] = before[1] - 2.0 * z.y;
        out[2 * p] = before[2] - 2.0 * z.x;
        out[3 * p] = before[3] + 2.0 * z.y;
    }
};

__global__ void __launch_bounds__(kMaxThreads)
    ringSynthesisKernel(RingFftBatch batch, RingFft fft) {
    for (int i = static_cast<int>(blockIdx.x); i < batch.count; i += static_cast<int>(gridDim.x)) {
        const PairRings rings = fft.spectrum.rings[batch.pairs[i]];
        const int n = rings.length, q = splitOf(n), p = n / q;
        ModeReader reader(fft.spectrum, rings);
        BlockTransform t = makeTransform(batch, fft, p, true);
        // With a stash the samples of a ring are written when all its modes have been read.
        if (t.stash == nullptr)
            reader.moveTo(fft.scratch + int64_t{2} * blockIdx.x * fft.scratchModes,
                          fft.scratchModes);
        double* const map = fft.spectrum.map;
        const SampleWriter writer{
            map + rings.north, rings.south < 0 ? nullptr : map + rings.south, t.stash, n, p, q};
        for (int twist = 0; twist < t.twists; ++twist) {
            t.setTwist(twist);
            for (int index = 0; index < passesOf(q, rings.south >= 0); ++index) {
                const Pass pass = passOf(index, q);
                t.run([&](int u) { return reader.at(q * u + pass.w, pass.rows); });
                const bool first = twist == 0 && index == 0;
#pragma unroll 2
                for (int a = threadIdx.x; a < p; a += blockDim.x)
                    writer.put(a, pass, t.at(a), first);
            }
        }
        __syncthreads();
    }
}

// Samples of a pass, weighted: conjugate, since the transform has the other sign.
struct SampleReader {
    const double *north, *south;
    double2 weight;
    int n, p, q;

    __device__ double2 at(int a, Pass pass) const {
        double2 value = make_double2(0.0, 0.0);
        if (pass.rows == Rows::Packed) {
#pragma unroll
            for (int v = 0; v < 4; ++v) {
                if (v >= q) break;
                const double sign = pass.w > 0 && (v & 1) != 0 ? -1.0 : 1.0;
                value.x += sign * north[a + v * p];
                if (south != nullptr) value.y -= sign * south[a + v * p];
            }
            value = make_double2(weight.x * value.x, weight.y * value.y);
        } else {
            const double* const in = (pass.rows == Rows::North ? north : south) + a;
            value = (pass.rows == Rows::North ? weight.x : weight.y) *
                    make_double2(in[0] - in[2 * p], in[p] - in[3 * p]);
        }
        return pass.w == 0 ? value : value * halfTurns(2 * static_cast<int64_t>(a) * pass.w, n);
    }
};

// Modes of a pair, from block-wise memory to where they belong.
inline __device__ void putModes(const RingSpectrum& spectrum, const PairRings& rings,
                                const double2* modes, int southAt) {
    __syncthreads();
    for (int m = threadIdx.x; m <= rings.modeLimit; m += blockDim.x) {
        *spectrum.mode(rings, false, m) = modes[m];
        if (rings.south >= 0) *spectrum.mode(rings, true, m) = modes[southAt + m];
    }
    __syncthreads();
}

__global__ void __launch_bounds__(kMaxThreads) ringAnalysisKernel(RingFftBatch batch, RingFft fft) {
    double2* const north = fft.scratch + int64_t{2} * blockIdx.x * fft.scratchModes;
    double2* const south = north + fft.scratchModes;
    for (int i = static_cast<int>(blockIdx.x); i < batch.count; i += static_cast<int>(gridDim.x)) {
        const int pair = batch.pairs[i];
        const PairRings rings = fft.spectrum.rings[pair];
        const int n = rings.length, q = splitOf(n), p = n / q;
        const double* const map = fft.spectrum.map;
        const SampleReader reader{map + rings.north,
                                  rings.south < 0 ? nullptr : map + rings.south,
                                  fft.weights[pair],
                                  n,
                                  p,
                                  q};
        const bool paired = rings.south >= 0;
        BlockTransform t = makeTransform(batch, fft, p, false);
        for (int twist = 0; twist < t.twists; ++twist) {
            t.setTwist(twist);
            const auto put = [&](double2& at, double2 value, int m) {
                if (rings.turn.x != 0.0) value = value * conjugate(turnOf(rings.turn, m));
                at = twist == 0 ? value : at + value;
            };
            for (int index = 0; index < passesOf(q, paired); ++index) {
                const Pass pass = passOf(index, q);
                t.run([&](int a) { return reader.at(a, pass); });
                // The result is the conjugate of the spectrum. N_t = (Y_t + conj Y_{n-t}) / 2, S_t
                // = (Y_t - conj Y_{n-t}) / (2 i) of packed rows.
                const int stride = pass.rows == Rows::Packed ? q : 2;
                for (int m = pass.w + stride * static_cast<int>(threadIdx.x); m <= rings.modeLimit;
                     m += stride * static_cast<int>(blockDim.x)) {
                    const int frequency = m % n;
                    if (pass.rows == Rows::Packed) {
                        const int u = (frequency - pass.w) / q;
                        const int mirror = pass.w > 0 ? p - 1 - u : u == 0 ? 0 : p - u;
                        const double2 y = conjugate(t.at(u)), o = t.at(mirror);
                        put(north[m], 0.5 * (y + o), m);
                        if (paired) put(south[m], 0.5 * quarterTurn<-1>(y - o), m);
                        continue;
                    }
                    const bool mirrored = frequency % 4 == 3;
                    const double2 g = t.at(((mirrored ? n - frequency : frequency) - 1) / 4);
                    put((pass.rows == Rows::North ? north : south)[m], mirrored ? g : conjugate(g),
                        m);
                }
            }
        }
        putModes(fft.spectrum, rings, north, fft.scratchModes);
    }
}

__global__ void rootsKernel(double2* roots) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    roots[i] = conjugate(halfTurns(2 * i, 1 << kLogRoots));
}

int threadsFor(const RingFftBatch& batch) {
    return std::clamp(1 << batch.logSize >> 3, 32, kMaxThreads);
}
// Work and the chirp's spectrum; where there is room the chirp, half as long, and two rows of
// results to stash.
size_t sharedBytesOf(int logSize, bool direct, bool roomy, bool stashes) {
    size_t halves = direct ? 2 : 4;
    if (roomy && !direct) halves += 1;
    if (roomy && stashes) halves += direct ? 4 : 2;
    return (halves * sizeof(double2) << logSize) / 2;
}

// Blocks that share out the pairs of a batch: as many as run at once, if there is scratch memory
// for them.
template <typename Kernel>
int blocksWithScratch(Kernel kernel, const RingFftBatch& batch, const RingFft& fft, size_t bytes) {
    int resident = 0;
    check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threadsFor(batch), bytes),
        "asking how many blocks run at once");
    return std::min({batch.count, fft.scratchBlocks, std::max(1, resident * fft.multiprocessors)});
}

}  // namespace

size_t ringFftSharedBytes(int logSize, bool direct, bool roomy) {
    return sharedBytesOf(logSize, direct, roomy, true);
}

void allowRingFftSharedBytes(size_t bytes) {
    for (const auto kernel : {reinterpret_cast<const void*>(&ringSynthesisKernel),
                              reinterpret_cast<const void*>(&ringAnalysisKernel)})
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
    if (batch.count == 0) return;
    const size_t bytes = sharedBytesOf(batch.logSize, batch.direct, batch.roomy, true);
    const int blocks =
        batch.roomy ? batch.count : blocksWithScratch(ringSynthesisKernel, batch, fft, bytes);
    ringSynthesisKernel<<<blocks, threadsFor(batch), bytes, stream>>>(batch, fft);
    checkLaunch("ring transforms");
}

void ringAnalysis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream) {
    if (batch.count == 0) return;
    const size_t bytes = sharedBytesOf(batch.logSize, batch.direct, batch.roomy, false);
    const int blocks = blocksWithScratch(ringAnalysisKernel, batch, fft, bytes);
    ringAnalysisKernel<<<blocks, threadsFor(batch), bytes, stream>>>(batch, fft);
    checkLaunch("transposed ring transforms");
}

}  // namespace armilla::cuda
