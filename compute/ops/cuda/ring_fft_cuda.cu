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
// j^2 mod 2 p; integers keep angles exact.
inline __device__ int chirpStep(int j, int p) {
    const auto square = static_cast<uint64_t>(j) * static_cast<uint64_t>(j);
    const auto period = 2 * static_cast<uint64_t>(p);
    return static_cast<int>(square < (uint64_t{1} << 32)
                                ? static_cast<uint32_t>(square) % static_cast<uint32_t>(period)
                                : square % period);
}
extern __shared__ double2 sharedRows[];

// e^{i pi j / n} as products of two of few, which are first in shared memory.
struct UnitCircle {
    int logLow, n;

    __device__ void make() const {
        const int lows = 1 << logLow, highs = (n + lows - 1) >> logLow;
        for (int i = threadIdx.x; i < lows + highs; i += blockDim.x)
            sharedRows[i] = halfTurns(i < lows ? i : (i - lows) << logLow, n);
        __syncthreads();
    }
    // 0 <= j < 2 n.
    __device__ double2 at(int j) const {
        const bool beyond = j >= n;
        if (beyond) j -= n;
        const double2 z =
            sharedRows[j & ((1 << logLow) - 1)] * sharedRows[(1 << logLow) + (j >> logLow)];
        return beyond ? make_double2(-z.x, -z.y) : z;
    }
};
// e^{i m phi0}.
inline __device__ double2 turnOf(double2 phi0OverPi, int m) {
    const double high = m * phi0OverPi.x;
    const double low = __fma_rn(m, phi0OverPi.x, -high) + m * phi0OverPi.y;
    double s = 0.0, c = 0.0;
    sincospi((high - 2.0 * rint(0.5 * high)) + low, &s, &c);
    return make_double2(c, s);
}

// e^{i m phi0}: by steps on the ring's circle, or as it is.
inline __device__ double2 phaseOf(const UnitCircle& circle, int steps, double2 phi0OverPi, int m) {
    if (steps < 0) return turnOf(phi0OverPi, m);
    const int64_t j = static_cast<int64_t>(m) * steps;
    return circle.at(j < 2 * circle.n ? static_cast<int>(j) : static_cast<int>(j % (2 * circle.n)));
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

// put(u, read(u)) for the block's share of u < count, four at a time, so that their reads are under
// way together.
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

// One block's transforms of length p with e^{+2 pi i ...}, direct or as convolutions.
struct BlockTransform {
    // Places in shared memory: of what is transformed, of the spectrum of the conjugate chirp, of
    // the chirp e^{i pi j^2 / p}, j < p (0: made where it is needed), and of two rows of p for the
    // caller (0: no room). Not pointers, which would forget what memory they point to.
    int workAt, spectrumAt, chirpAt, stashAt;
    const double2* roots;
    UnitCircle circle;  // of the ring
    int p, logSize, twists, twist;
    bool direct;

    __device__ int size() const { return 1 << logSize; }
    __device__ double2* work() const { return sharedRows + workAt; }
    __device__ double2* spectrum() const { return sharedRows + spectrumAt; }
    __device__ double2 madeChirp(int j) const { return circle.at(circle.n / p * chirpStep(j, p)); }
    __device__ double2 chirpOf(int j) const {
        return chirpAt != 0 ? sharedRows[chirpAt + j] : madeChirp(j);
    }
    // e^{2 pi i j twist / L}.
    __device__ double2 twistAt(int j) const {
        return halfTurns(2 * static_cast<int64_t>(j) * twist, twists << logSize);
    }
    __device__ void makeChirp() {
        if (chirpAt == 0) return;
        for (int j = threadIdx.x; j < p; j += blockDim.x) sharedRows[chirpAt + j] = madeChirp(j);
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
            spectrum()[swizzled(i)] = sum;
        }
        __syncthreads();
        fftForward(spectrum(), logSize, roots);
        // With the factor of the convolutions.
        const double scale = 1.0 / static_cast<double>(length);
        for (int i = threadIdx.x; i < size(); i += blockDim.x)
            spectrum()[i] = scale * spectrum()[i];
    }
    // Takes input(u, read(u)), u < p, which transform() transforms.
    template <typename Read, typename Input>
    __device__ void load(const Read& read, const Input& input) const {
        if (direct) {
            inFours(size(), read, [&](int u, const auto& raw) {
                work()[swizzled(reversedPlace(u, logSize))] = input(u, raw);
            });
        } else if (twists == 1) {
            inFours(p, read, [&](int u, const auto& raw) {
                work()[swizzled(u)] = input(u, raw) * chirpOf(u);
            });
            for (int i = p + static_cast<int>(threadIdx.x); i < size(); i += blockDim.x)
                work()[swizzled(i)] = make_double2(0.0, 0.0);
        } else {
            for (int i = threadIdx.x; i < size(); i += blockDim.x) {
                double2 sum = make_double2(0.0, 0.0);
                for (int u = i; u < p; u += size())
                    sum = sum + input(u, read(u)) * chirpOf(u) * conjugate(twistAt(u));
                work()[swizzled(i)] = sum;
            }
        }
    }
    __device__ void transform() const {
        __syncthreads();
        if (!direct) {
            fftForward(work(), logSize, roots);
            for (int i = threadIdx.x; i < size(); i += blockDim.x)
                work()[i] = work()[i] * spectrum()[i];
            __syncthreads();
        }
        fftBackward(work(), logSize, roots);
    }
    // This twist's part of the result.
    __device__ double2 at(int a) const {
        const double2 value = work()[swizzled(a & (size() - 1))];
        if (direct) return value;
        return twist == 0 ? value * chirpOf(a) : value * chirpOf(a) * twistAt(a);
    }
};

// `stashes`: whether results of passes are to be kept in shared memory.
inline __device__ BlockTransform makeTransform(const RingFftBatch& batch, const RingFft& fft,
                                               int length, int p, bool stashes) {
    BlockTransform t{};
    const int size = 1 << batch.logSize;
    t.circle = {batch.logLow, length};
    t.workAt = (1 << batch.logLow) + kMostHighs;
    t.roots = fft.roots;
    t.p = p;
    t.logSize = batch.logSize;
    t.direct = batch.direct;
    t.twists = 1;
    t.circle.make();
    int next = t.workAt + size;
    if (!batch.direct) {
        t.spectrumAt = next;
        next += size;
        while (t.twists << t.logSize < 2 * p - 1) t.twists *= 2;
    }
    if (t.twists > 1 || !batch.roomy) return t;
    if (!batch.direct) {
        t.chirpAt = next;
        next += size / 2;
    }
    if (stashes) t.stashAt = next;
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
    int stashAt;  // 0: no room
    UnitCircle circle;
    int p, q;

    __device__ void put(int a, Pass pass, double2 z, bool first) const {
        if (pass.w > 0) z = z * circle.at(2 * a * pass.w);
        const double2* const stash = sharedRows + stashAt;
        if (stashAt == 0)
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
        double2* const stash = sharedRows + stashAt;
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
        BlockTransform t = makeTransform(batch, fft, n, p, true);
        ModeReader reader(fft.spectrum, rings, t.circle);
        // With a stash the samples of a ring are written when all its modes have been read.
        if (t.stashAt == 0)
            reader.moveTo(fft.scratch + int64_t{2} * blockIdx.x * fft.scratchModes,
                          fft.scratchModes);
        double* const map = fft.spectrum.map;
        const SampleWriter writer{map + rings.north,
                                  rings.south < 0 ? nullptr : map + rings.south,
                                  t.stashAt,
                                  t.circle,
                                  p,
                                  q};
        for (int twist = 0; twist < t.twists; ++twist) {
            t.setTwist(twist);
            for (int index = 0; index < passesOf(q, rings.south >= 0); ++index) {
                const Pass pass = passOf(index, q);
                __syncthreads();  // the last result has been read
                t.load([&](int u) { return reader.at(q * u + pass.w, pass.rows); },
                       [](int, double2 value) { return value; });
                t.transform();
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
    UnitCircle circle;
    int p, q;

    // Reading comes first and by itself, without a branch, so that many reads are under way.
    template <int kCount>
    struct Raw {
        double values[kCount];
    };
    __device__ Raw<8> readPaired(int a) const {
        const double *const n = north + a, *const s = south + a;
        return {{n[0], n[p], n[2 * p], n[3 * p], s[0], s[p], s[2 * p], s[3 * p]}};
    }
    __device__ Raw<4> readOdd(int a, bool inSouth) const {
        const double* const in = (inSouth ? south : north) + a;
        return {{in[0], in[p], in[2 * p], in[3 * p]}};
    }
    __device__ double2 turned(int a, int w, double2 value) const {
        return w == 0 ? value : value * circle.at(2 * a * w);
    }
    __device__ double2 packed(int a, int w) const {
        double2 value = make_double2(0.0, 0.0);
        for (int v = 0; v < q; ++v) {
            const double sign = w > 0 && (v & 1) != 0 ? -1.0 : 1.0;
            value.x += sign * north[a + v * p];
            if (south != nullptr) value.y -= sign * south[a + v * p];
        }
        return turned(a, w, make_double2(weight.x * value.x, weight.y * value.y));
    }
    __device__ void load(const BlockTransform& t, Pass pass) const {
        const double sign = pass.w > 0 ? -1.0 : 1.0;
        if (pass.rows != Rows::Packed) {
            const bool inSouth = pass.rows == Rows::South;
            t.load([&](int a) { return readOdd(a, inSouth); },
                   [&](int a, const Raw<4>& in) {
                       const double* const x = in.values;
                       return turned(a, pass.w,
                                     (inSouth ? weight.y : weight.x) *
                                         make_double2(x[0] - x[2], x[1] - x[3]));
                   });
        } else if (q == 4 && south != nullptr) {
            t.load([&](int a) { return readPaired(a); },
                   [&](int a, const Raw<8>& in) {
                       const double* const x = in.values;
                       const double n = (x[0] + x[2]) + sign * (x[1] + x[3]);
                       const double s = (x[4] + x[6]) + sign * (x[5] + x[7]);
                       return turned(a, pass.w, make_double2(weight.x * n, -weight.y * s));
                   });
        } else {
            t.load([&](int a) { return packed(a, pass.w); },
                   [](int, double2 value) { return value; });
        }
    }
};

// Modes of a pair, from block-wise memory to where they belong.
inline __device__ void putModes(const RingSpectrum& spectrum, const PairRings& rings,
                                const double2* modes, int southAt) {
    __syncthreads();
    const auto copy = [&](double2* to, const double2* from, int end) {
        inFours(
            end, [&](int m) { return from[m]; }, [&](int m, double2 value) { to[m] = value; });
    };
    const int inRing = min(rings.inRing, rings.modeLimit + 1);
    for (int side = 0; side < (rings.south < 0 ? 1 : 2); ++side) {
        const double2* const from = modes + side * southAt;
        copy(spectrum.inRing(rings, side > 0), from, inRing);
        copy(spectrum.inTail(rings, side > 0), from + rings.inRing, rings.modesInTail());
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
        const bool paired = rings.south >= 0;
        BlockTransform t = makeTransform(batch, fft, n, p, false);
        const SampleReader reader{map + rings.north,
                                  paired ? map + rings.south : nullptr,
                                  fft.weights[pair],
                                  t.circle,
                                  p,
                                  q};
        for (int twist = 0; twist < t.twists; ++twist) {
            t.setTwist(twist);
            const auto put = [&](double2& at, double2 value, int m) {
                if (rings.turnSteps != 0)
                    value = value * conjugate(phaseOf(t.circle, rings.turnSteps, rings.turn, m));
                at = twist == 0 ? value : at + value;
            };
            for (int index = 0; index < passesOf(q, paired); ++index) {
                const Pass pass = passOf(index, q);
                __syncthreads();  // the last result has been read
                reader.load(t, pass);
                t.transform();
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
// The ring's circle, work and the chirp's spectrum; where there is room the chirp, half as long,
// and two rows of results to stash.
size_t sharedBytesOf(const RingFftBatch& batch, bool stashes) {
    size_t halves = batch.direct ? 2 : 4;
    if (batch.roomy && !batch.direct) halves += 1;
    if (batch.roomy && stashes) halves += batch.direct ? 4 : 2;
    const size_t circle = (size_t{1} << batch.logLow) + kMostHighs;
    return ((halves << batch.logSize) / 2 + circle) * sizeof(double2);
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

size_t ringFftSharedBytes(const RingFftBatch& batch) {
    return sharedBytesOf(batch, true);
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
    const size_t bytes = sharedBytesOf(batch, true);
    const int blocks =
        batch.roomy ? batch.count : blocksWithScratch(ringSynthesisKernel, batch, fft, bytes);
    ringSynthesisKernel<<<blocks, threadsFor(batch), bytes, stream>>>(batch, fft);
    checkLaunch("ring transforms");
}

void ringAnalysis(const RingFftBatch& batch, const RingFft& fft, cudaStream_t stream) {
    if (batch.count == 0) return;
    const size_t bytes = sharedBytesOf(batch, false);
    const int blocks = blocksWithScratch(ringAnalysisKernel, batch, fft, bytes);
    ringAnalysisKernel<<<blocks, threadsFor(batch), bytes, stream>>>(batch, fft);
    checkLaunch("transposed ring transforms");
}

}  // namespace armilla::cuda
