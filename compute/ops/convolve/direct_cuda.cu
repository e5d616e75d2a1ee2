// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "convolve/direct_cuda.h"
#include "convolve/ring_pairs.h"
#include "convolve/ring_sums_cuda.h"
#include "convolve/tap_series.h"
#include "core/error.h"
#include "device/cuda/device_buffer.h"
#include "device/cuda/picture_access.h"
#include "device/cuda/stream.h"
#include "device/cuda_array.h"
#include "device/host_copies.h"
#include "ops/convolve.h"

namespace armilla {

namespace {

constexpr int kThreads = 128;
// Belt: each thread makes kColumns columns of kRings rings, and reads a source value once for all
// of them that it serves; kStage source rings come to shared memory at once.
constexpr int kColumns = 4, kRings = 8, kStage = 4;
constexpr int kBlockColumns = kThreads * kColumns;
constexpr int kWeightRoom = 1536;  // doubles of weights that a block holds at once
constexpr int kMostRows = 64;      // of source rings likewise
// Caps: doubles of coefficients that a block holds at once.
constexpr int kSeriesRoom = 3072;
// Caps: a target pixel and its images under quarter turns and the two reflections.
constexpr int kImages = 16;
// Tables of kernels on their way to the device, of requests that may be under way at once.
constexpr size_t kStages = 4;
constexpr size_t kTableDoubles = 1 << 18, kTableInts = 1 << 17;
// Products in a piece of work that the host waits for: some 10 ms.
constexpr double kProductsOfPiece = 5e10;
constexpr size_t kUploadPiece = 1 << 22;

struct Grid {
    int64_t nside;
    const HealpixRing* ring;
    const double* theta;
    const double* factor;  // of the samples of each ring
};

// y of a tap; `near`: |delta| < 1 for all of the run.
__device__ double distanceOf(const RingPair& pair, double delta, bool near) {
    const double half = 0.5 * delta;
    if (near) return pair.y0 + pair.across * sineSquareNear(half);
    const double s = sin(half);
    return pair.y0 + pair.across * (s * s);
}
__device__ bool isNear(const TapRun& run) {
    return fmax(fabs(run.delta), fabs(run.delta + (run.count - 1) * run.step)) <= 0.999;
}

__device__ int wrappedOnce(int index, int count) {
    if (index < 0) index += count;
    return index >= count ? index - count : index;
}

// Writes the images of pixel j of ring r.
__device__ void putImages(const Grid& grid, int64_t r, int j, const double (&sum)[kImages],
                          double* result) {
    const HealpixRing target = grid.ring[r];
    const int q = static_cast<int>(target.quarter), all = 4 * q;
    const int twice = static_cast<int>(2.0 * target.shift);
    double* const north = result + target.first;
    double* const south = result + grid.ring[4 * grid.nside - r].first;
#pragma unroll
    for (int turn = 0; turn < 4; ++turn) {
        const int direct = wrappedOnce(turn * q + j, all);
        const int mirrored = wrappedOnce(turn * q - j - twice, all);
        north[direct] = sum[turn];
        north[mirrored] = sum[4 + turn];
        south[direct] = sum[8 + turn];
        south[mirrored] = sum[12 + turn];
    }
}

// Rings `firstRing` and on, one a row of blocks, and their mirrors: thread j makes target pixel j
// of the eighth from longitude 0 to pi / 4, and its images.
template <class Sample>
__global__ void __launch_bounds__(kThreads)
    capKernel(Grid grid, ProfileView profile, double radius, int64_t firstRing,
              const Sample* values, double* result) {
    __shared__ RingPair pairs[kMostRows];
    const int64_t r = firstRing + blockIdx.y, rings = 4 * grid.nside - 1;
    const HealpixRing target = grid.ring[r];
    const int twice = static_cast<int>(2.0 * target.shift);
    const int targets = (static_cast<int>(target.quarter) - twice) / 2 + 1;
    if (static_cast<int>(blockIdx.x) * kThreads >= targets) return;
    const int j = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    const RingSpan span = ringsAround(grid.theta, rings, r, radius);
    double sum[kImages];
#pragma unroll
    for (double& s : sum) s = 0.0;
    for (int64_t chunk = span.first; chunk <= span.last; chunk += kMostRows) {
        const int rows = static_cast<int>(
            min(static_cast<long long>(kMostRows), static_cast<long long>(span.last - chunk + 1)));
        __syncthreads();
        for (int i = static_cast<int>(threadIdx.x); i < rows; i += kThreads)
            pairs[i] = ringPair(target, grid.ring[chunk + i], profile.end);
        __syncthreads();
        if (j >= targets) continue;
        for (int i = 0; i < rows; ++i) {
            const RingPair pair = pairs[i];
            if (pair.reach < 0.0) continue;
            const int64_t k = chunk + i;
            const HealpixRing source = grid.ring[k];
            const TapRun run = tapRun(target, j, source, pair);
            const bool near = isNear(run);
            const int q = static_cast<int>(source.quarter), all = 4 * q;
            const int shift = static_cast<int>(2.0 * source.shift);
            const Sample* const north = values + source.first;
            const Sample* const south = values + grid.ring[rings + 1 - k].first;
            const double factor = grid.factor[k];
            // Images 0 .. 3: quarter turns; 4 .. 7 of the reflection phi -> -phi; 8 and on of the
            // southern mirror.
            const auto addTaps = [&](auto place) {
                for (int t = 0; t < run.count; ++t) {
                    const double w =
                        factor * profile(distanceOf(pair, run.delta + t * run.step, near));
                    const int at = static_cast<int>(run.first) + t;
#pragma unroll
                    for (int turn = 0; turn < 4; ++turn) {
                        const int direct = place(turn * q + at);
                        // Quarter 0 backward is quarter 4.
                        const int mirrored = place((turn == 0 ? all : turn * q) - at - shift);
                        sum[turn] += w * static_cast<double>(north[direct]);
                        sum[4 + turn] += w * static_cast<double>(north[mirrored]);
                        sum[8 + turn] += w * static_cast<double>(south[direct]);
                        sum[12 + turn] += w * static_cast<double>(south[mirrored]);
                    }
                }
            };
            // Most runs lie within the first quarter, and so do their images in theirs.
            if (run.first >= 1 && run.first + run.count <= q)
                addTaps([](int index) { return index; });
            else
                addTaps([all](int index) { return wrappedOnce(index, all); });
        }
    }
    if (j >= targets) return;
    putImages(grid, r, j, sum, result);
}

// SeriesBasis as an argument of kernels.
struct DeviceBasis {
    double fractions[SeriesBasis::kMostTerms];
    double chebyshev[SeriesBasis::kMostTerms * SeriesBasis::kMostTerms];
    double powers[SeriesBasis::kMostTerms * SeriesBasis::kMostTerms];
};

// The coefficients of tap i, of E and then of O, by powers.
template <int kTerms>
__device__ void fitTap(const DeviceBasis& basis, const ProfileView& profile, const SeriesPair& pair,
                       int i, double* to) {
    const auto at = [&](double u) {
        const double half = sineSquareNear(0.5 * pair.unit * u);
        return profile(pair.y0 + pair.across * half);
    };
    double even[kTerms], odd[kTerms];
#pragma unroll
    for (int j = 0; j < kTerms; ++j) {
        const double f = basis.fractions[j];
        const double a = at(i - f), b = at(i + f);
        even[j] = 0.5 * (a + b);
        odd[j] = (a - b) * (0.5 / f);
    }
    const auto convert = [&](const double(&value)[kTerms], double* powers) {
        double chebyshev[kTerms];
#pragma unroll
        for (int k = 0; k < kTerms; ++k) {
            double sum = 0.0;
#pragma unroll
            for (int j = 0; j < kTerms; ++j)
                sum = fma(basis.chebyshev[k * kTerms + j], value[j], sum);
            chebyshev[k] = sum;
        }
#pragma unroll
        for (int d = 0; d < kTerms; ++d) {
            double sum = 0.0;
#pragma unroll
            for (int k = kTerms - 1; k >= d; --k)
                sum = fma(basis.powers[k * kTerms + d], chebyshev[k], sum);
            powers[d] = sum;
        }
    };
    convert(even, to);
    convert(odd, to + kTerms);
}

// As capKernel, for rings all of whose sources are near, with weights by series (tap_series.h).
template <class Sample, int kTerms>
__global__ void __launch_bounds__(kThreads)
    capSeriesKernel(Grid grid, ProfileView profile, double radius, int64_t firstRing,
                    DeviceBasis basis, const Sample* values, double* result) {
    __shared__ SeriesPair pairs[kMostRows];
    __shared__ double coefficients[kSeriesRoom];
    constexpr int kEach = 2 * kTerms;
    const int64_t r = firstRing + blockIdx.y, rings = 4 * grid.nside - 1;
    const HealpixRing target = grid.ring[r];
    const int twice = static_cast<int>(2.0 * target.shift);
    const int targets = (static_cast<int>(target.quarter) - twice) / 2 + 1;
    if (static_cast<int>(blockIdx.x) * kThreads >= targets) return;
    const int j = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    const RingSpan span = ringsAround(grid.theta, rings, r, radius);
    ProfileView smooth = profile;
    smooth.end = 8.0;
    double sum[kImages];
#pragma unroll
    for (double& s : sum) s = 0.0;
    for (int64_t chunk = span.first; chunk <= span.last; chunk += kMostRows) {
        const int rows = static_cast<int>(
            min(static_cast<long long>(kMostRows), static_cast<long long>(span.last - chunk + 1)));
        __syncthreads();
        for (int i = static_cast<int>(threadIdx.x); i < rows; i += kThreads) {
            const HealpixRing source = grid.ring[chunk + i];
            pairs[i] = SeriesPair(target, source, ringPair(target, source, profile.end));
        }
        __syncthreads();
        for (int begin = 0, end = 0; begin < rows; begin = end) {
            // As many rows as there is room for; each fits by itself.
            int taps = 0;
            for (end = begin; end < rows && (taps + pairs[end].taps()) * kEach <= kSeriesRoom;
                 ++end)
                taps += pairs[end].taps();
            __syncthreads();
            for (int e = static_cast<int>(threadIdx.x); e < taps; e += kThreads) {
                int row = begin, tap = e;
                while (tap >= pairs[row].taps()) tap -= pairs[row++].taps();
                fitTap<kTerms>(basis, smooth, pairs[row], tap, coefficients + e * kEach);
            }
            __syncthreads();
            const double* c = coefficients;
            for (int row = begin; row < end; ++row) {
                const SeriesPair pair = pairs[row];
                const double* const own = c;
                c += pair.taps() * kEach;
                if (pair.half < 0.0 || j >= targets) continue;
                const SeriesPlace place = seriesPlace(pair, j + target.shift, profile.end);
                const int64_t k = chunk + row;
                const HealpixRing source = grid.ring[k];
                const int q = static_cast<int>(source.quarter), all = 4 * q;
                const int shift = static_cast<int>(2.0 * source.shift);
                const Sample* const north = values + source.first;
                const Sample* const south = values + grid.ring[rings + 1 - k].first;
                const double factor = grid.factor[k];
                const double f = place.fraction, v = 4.0 * f * f;
                const int nearest = static_cast<int>(place.nearest);
                const auto addTaps = [&](auto wrap) {
                    const auto add = [&](int at, double w) {
#pragma unroll
                        for (int turn = 0; turn < 4; ++turn) {
                            const int direct = wrap(turn * q + at);
                            // Quarter 0 backward is quarter 4.
                            const int mirrored = wrap((turn == 0 ? all : turn * q) - at - shift);
                            sum[turn] += w * static_cast<double>(north[direct]);
                            sum[4 + turn] += w * static_cast<double>(north[mirrored]);
                            sum[8 + turn] += w * static_cast<double>(south[direct]);
                            sum[12 + turn] += w * static_cast<double>(south[mirrored]);
                        }
                    };
                    const int most = max(place.below, place.above);
                    for (int i = 0; i <= most; ++i) {
                        const double* const tap = own + i * kEach;
                        double even = tap[kTerms - 1], odd = tap[kEach - 1];
#pragma unroll
                        for (int t = kTerms - 2; t >= 0; --t) {
                            even = fma(even, v, tap[t]);
                            odd = fma(odd, v, tap[kTerms + t]);
                        }
                        if (place.has(i)) add(nearest + i, factor * fma(f, odd, even));
                        if (i > 0 && place.has(-i)) add(nearest - i, factor * fma(-f, odd, even));
                    }
                };
                // Most taps lie within the first quarter, and so do their images in theirs.
                if (nearest - place.below >= 1 && nearest + place.above < q)
                    addTaps([](int index) { return index; });
                else
                    addTaps([all](int index) { return wrappedOnce(index, all); });
            }
        }
    }
    if (j >= targets) return;
    putImages(grid, r, j, sum, result);
}

// kRings rings of the belt from `firstRing` on (up to `lastRing`) in each row of blocks. All rings
// have as many pixels and K is even, so the two source values at equal distances are added first,
// once for the targets of equal shift and once for the others, and half the products remain: values
// at c - i and c + i of a ring of the same shift, else at c - i and c + 1 + i, or c - 1 - i and c +
// i. `pairs`: the most i of a source ring, and a multiple of four `margin` that is larger.
template <class Sample>
__global__ void __launch_bounds__(kThreads)
    beltKernel(Grid grid, ProfileView profile, double radius, int64_t firstRing, int64_t lastRing,
               int pairs, int margin, const Sample* values, double* result) {
    extern __shared__ double room[];
    __shared__ int counts[kMostRows];
    // Source value x at (x % 4) stride + x / 4: threads side by side read numbers side by side.
    const int stride = kThreads + margin / 2 + 1;
    double* const weights = room + kStage * 4 * stride;
    const int64_t r0 = firstRing + kRings * static_cast<int64_t>(blockIdx.y);
    const int targets = static_cast<int>(
        min(static_cast<long long>(kRings), static_cast<long long>(lastRing - r0 + 1)));
    const int64_t rings = 4 * grid.nside - 1;
    const int64_t first = ringsAround(grid.theta, rings, r0, radius).first;
    const int64_t last = ringsAround(grid.theta, rings, r0 + targets - 1, radius).last;
    const int column = static_cast<int>(blockIdx.x) * kBlockColumns;
    const int all = static_cast<int>(4 * grid.nside);
    const int rowsAtOnce = max(1, min(kMostRows, kWeightRoom / (kRings * pairs)));
    const int thread = static_cast<int>(threadIdx.x);
    const double perPixel = kHalfPi / static_cast<double>(grid.nside);
    const double evenShift = grid.ring[r0].shift;
    double sum[kRings][kColumns];
#pragma unroll
    for (auto& row : sum)
#pragma unroll
        for (double& s : row) s = 0.0;
    for (int64_t chunk = first; chunk <= last; chunk += rowsAtOnce) {
        const int rows = static_cast<int>(
            min(static_cast<long long>(rowsAtOnce), static_cast<long long>(last - chunk + 1)));
        __syncthreads();
        for (int i = thread; i < rows; i += kThreads) counts[i] = 0;
        __syncthreads();
        for (int e = thread; e < rows * kRings; e += kThreads) {
            const int row = e / kRings, t = e % kRings;
            if (t >= targets) continue;
            const HealpixRing from = grid.ring[chunk + row], target = grid.ring[r0 + t];
            const RingPair pair = ringPair(target, from, profile.end);
            if (pair.reach < 0.0) continue;
            const double half = pair.reach / perPixel;
            const double apart = from.shift == target.shift ? 0.0 : 0.5;
            // A hair wider: weights end with the profile.
            const int count = static_cast<int>(floor(half - apart + 1e-6)) + 1;
            atomicMax(&counts[row], min(count, pairs));
        }
        for (int e = thread; e < rows * pairs * kRings; e += kThreads) {
            const int t = e % kRings, i = e / kRings % pairs, row = e / (kRings * pairs);
            double w = 0.0;
            if (t < targets) {
                const HealpixRing from = grid.ring[chunk + row], target = grid.ring[r0 + t];
                const double dz = target.z - from.z, ds = target.s - from.s;
                RingPair pair;
                pair.y0 = 0.5 * (dz * dz + ds * ds);
                pair.across = 2.0 * target.s * from.s;
                const double apart = from.shift == target.shift ? 0.0 : 0.5;
                const double delta = perPixel * (i + apart);
                w = grid.factor[chunk + row] * profile(distanceOf(pair, delta, delta <= 0.999));
            }
            weights[e] = w;
        }
        for (int stage = 0; stage < rows; stage += kStage) {
            __syncthreads();
#pragma unroll
            for (int s = 0; s < kStage; ++s) {
                if (stage + s >= rows) break;
                const Sample* const from = values + grid.ring[chunk + stage + s].first;
                double* const to = room + s * 4 * stride;
                int at = (column - margin) % all;
                if (at < 0) at += all;
                for (int x = thread; x < kBlockColumns + 2 * margin; x += kThreads) {
                    int place = at + x;
                    while (place >= all) place -= all;
                    to[(x & 3) * stride + (x >> 2)] = static_cast<double>(from[place]);
                }
            }
            __syncthreads();
            for (int s = 0; s < kStage && stage + s < rows; ++s) {
                const int count = counts[stage + s];
                const double* const source = room + s * 4 * stride + margin / 4 + thread;
                const double* w = weights + (stage + s) * pairs * kRings;
                const double shift = grid.ring[chunk + stage + s].shift;
                const bool evenAlike = shift == evenShift, upward = shift == 0.0;
                double left[kColumns], right[kColumns];
#pragma unroll
                for (int v = 0; v < kColumns; ++v) left[v] = right[v] = source[v * stride];
                for (int i = 0; i < count; ++i, w += kRings) {
                    // Those of the next i: one further at c - 1 - i, and at c + 3 + 1 + i.
                    const int below = -1 - i, beyond = kColumns + i;
                    const double low = source[(below & 3) * stride + (below >> 2)];
                    const double high = source[(beyond & 3) * stride + (beyond >> 2)];
                    double even[kColumns], odd[kColumns];
#pragma unroll
                    for (int v = 0; v < kColumns; ++v) {
                        const double nextLeft = v == 0 ? low : left[v == 0 ? 0 : v - 1];
                        const double nextRight =
                            v == kColumns - 1 ? high : right[v == kColumns - 1 ? v : v + 1];
                        const double alike = i == 0 ? left[v] : left[v] + right[v];
                        const double unlike = upward ? left[v] + nextRight : nextLeft + right[v];
                        even[v] = evenAlike ? alike : unlike;
                        odd[v] = evenAlike ? unlike : alike;
                    }
#pragma unroll
                    for (int v = kColumns - 1; v > 0; --v) left[v] = left[v - 1];
#pragma unroll
                    for (int v = 0; v + 1 < kColumns; ++v) right[v] = right[v + 1];
                    left[0] = low;
                    right[kColumns - 1] = high;
#pragma unroll
                    for (int t = 0; t < kRings; ++t) {
                        const double weight = w[t];
#pragma unroll
                        for (int v = 0; v < kColumns; ++v)
                            sum[t][v] = fma(weight, t % 2 == 0 ? even[v] : odd[v], sum[t][v]);
                    }
                }
            }
        }
    }
#pragma unroll
    for (int t = 0; t < kRings; ++t) {
        if (t >= targets) break;
        double* const to = result + grid.ring[r0 + t].first;
#pragma unroll
        for (int v = 0; v < kColumns; ++v) {
            const int c = column + kColumns * thread + v;
            if (c < all) to[c] = sum[t][v];
        }
    }
}

// result /= mask / unit, NaN where that is less than `least`; NaN where the field is bad.
template <class Sample>
__global__ void finishKernel(double* result, const double* mask, double unit, double least,
                             const Sample* good, int64_t count) {
    const int64_t p = blockIdx.x * static_cast<int64_t>(kThreads) + threadIdx.x;
    if (p >= count) return;
    double value = result[p];
    if (mask != nullptr) {
        const double share = mask[p] / unit;
        value = share >= least ? value / share : nan("");
    }
    result[p] = good[p] != Sample(0) ? value : nan("");
}

}  // namespace

struct DirectCuda::State {
    template <class Sample>
    struct Samples {
        cuda::DeviceBuffer<Sample> values, good;
    };
    struct Held {
        std::variant<Samples<float>, Samples<double>> samples;
        bool bad = false;
        bool single = true;
        std::optional<PictureCells> cells;
    };
    struct Stage {
        cuda::PinnedBuffer<double> hostDoubles;
        cuda::PinnedBuffer<int> hostInts;
        cuda::DeviceBuffer<double> doubles;
        cuda::DeviceBuffer<int> ints;
        cuda::Event used;
    };

    State(int on, int64_t nside)
        : device(on),
          rings(nside),
          stream(on, cuda::Priority::Low),
          live(on, cuda::Priority::High),
          done(on),
          copies(on) {
        int bytes = 0;
        cuda::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, on),
                    "asking for the shared memory of a device");
        sharedBytes = static_cast<size_t>(bytes);
    }

    template <class T>
    cuda::DeviceBuffer<T> resident(const std::vector<T>& from) const {
        cuda::DeviceBuffer<T> to(device, from.size());
        const cuda::DeviceScope scope(device);
        cuda::check(
            cudaMemcpy(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
            "copying a table to the device");
        return to;
    }
    Grid grid() const { return {rings.nside, ring.data(), theta.data(), factor.data()}; }

    // The profile with its tables where the device finds them once `on` gets there.
    ProfileView viewOf(const ProfileTable& profile, const cuda::Stream& on) {
        ProfileView view = profile.view();
        if (view.rate > 0.0) return view;
        if (profile.segments().size() > kTableDoubles || profile.buckets().size() > kTableInts)
            throw Unsupported("method direct: expected a kernel of up to " +
                              std::to_string(kTableDoubles) + " numbers in its table, found " +
                              std::to_string(profile.segments().size()));
        if (stages.empty())
            for (size_t i = 0; i < kStages; ++i)
                stages.push_back({cuda::PinnedBuffer<double>(device, kTableDoubles),
                                  cuda::PinnedBuffer<int>(device, kTableInts),
                                  cuda::DeviceBuffer<double>(device, kTableDoubles),
                                  cuda::DeviceBuffer<int>(device, kTableInts),
                                  cuda::Event(device)});
        Stage& stage = stages[nextStage++ % kStages];
        stage.used.synchronize();  // four requests ago
        std::copy(profile.segments().begin(), profile.segments().end(), stage.hostDoubles.data());
        std::copy(profile.buckets().begin(), profile.buckets().end(), stage.hostInts.data());
        cuda::check(cudaMemcpyAsync(stage.doubles.data(), stage.hostDoubles.data(),
                                    profile.segments().size() * sizeof(double),
                                    cudaMemcpyHostToDevice, on.get()),
                    "copying a kernel to the device");
        cuda::check(cudaMemcpyAsync(stage.ints.data(), stage.hostInts.data(),
                                    profile.buckets().size() * sizeof(int), cudaMemcpyHostToDevice,
                                    on.get()),
                    "copying a kernel to the device");
        stage.used.record(on);
        view.segments = stage.doubles.data();
        view.firstOfBucket = stage.ints.data();
        return view;
    }
    // Room that a belt of targets takes in a block: sums of two values for each source ring at
    // most, and the bytes of shared memory. The longest reach is that of the shortest source ring.
    struct BeltRoom {
        int pairs = 0, margin = 0;
        size_t bytes = 0;
    };
    BeltRoom beltRoom(const RingSpan& belt, double radius, double end) const {
        const RingSpan span = ringsAround(rings.theta.data(), rings.count, belt.first, radius);
        const double s = rings.ring[static_cast<size_t>(span.first)].s;
        const double reach = 2.0 * std::asin(std::min(1.0, std::sqrt(0.5 * end) / s));
        BeltRoom room;
        room.pairs = static_cast<int>(reach / kHalfPi * static_cast<double>(rings.nside)) + 2;
        room.margin = (room.pairs + 3) / 4 * 4;
        const auto stride = static_cast<size_t>(kThreads + room.margin / 2 + 1);
        room.bytes =
            sizeof(double) *
            (4 * kStage * stride + static_cast<size_t>(std::max(kWeightRoom, kRings * room.pairs)));
        return room;
    }
    // The first of the rings up to `last` from which on all have sources that series serve.
    int64_t firstBySeries(int64_t last, const SeriesBasis& basis, double radius, double end) const {
        if (basis.terms() == 0) return last + 1;
        int64_t r = last + 1;
        for (; r > 1; --r) {
            const RingSpan span = ringsAround(rings.theta.data(), rings.count, r - 1, radius);
            const double s = rings.ring[static_cast<size_t>(r - 1)].s *
                             rings.ring[static_cast<size_t>(span.first)].s;
            const double square = 0.5 * end / s;
            if (span.first == 1 || square > 0.2) break;  // sin(0.99 / 2)^2 = 0.225
            const double reach = 2.0 * std::asin(std::sqrt(square)) / kHalfPi *
                                 static_cast<double>(std::min(span.last, rings.nside));
            if ((reach + 3.0) * 2.0 * basis.terms() > kSeriesRoom) break;
        }
        return r;
    }

    // Sums of the caps' rings `first` .. `last` and of their mirrors.
    template <class Sample>
    void capSums(const SeriesBasis* series, double radius, const ProfileView& view, int64_t first,
                 int64_t last, const Sample* values, CudaArray& to, const cuda::Stream& on) {
        const int64_t longest = rings.ring[static_cast<size_t>(last)].quarter / 2 + 1;
        const dim3 blocks(static_cast<unsigned>((longest + kThreads - 1) / kThreads),
                          static_cast<unsigned>(last - first + 1));
        if (series == nullptr) {
            capKernel<<<blocks, kThreads, 0, on.get()>>>(grid(), view, radius, first, values,
                                                         to.data());
        } else {
            DeviceBasis basis{};
            std::copy(series->fractions().begin(), series->fractions().end(), basis.fractions);
            std::copy(series->chebyshev().begin(), series->chebyshev().end(), basis.chebyshev);
            std::copy(series->powers().begin(), series->powers().end(), basis.powers);
            const auto launch = [&](auto terms) {
                capSeriesKernel<Sample, terms.value><<<blocks, kThreads, 0, on.get()>>>(
                    grid(), view, radius, first, basis, values, to.data());
            };
            switch (series->terms()) {
                case 6: launch(std::integral_constant<int, 6>()); break;
                case 9: launch(std::integral_constant<int, 9>()); break;
                default: launch(std::integral_constant<int, 12>()); break;
            }
        }
        cuda::checkLaunch("convolving caps");
    }

    // Sums of `values` (or of the mask) to `to`. With a job: in pieces that are waited for.
    template <class Sample>
    void sums(const ProfileTable& profile, const ProfileView& view, const Sample* values,
              CudaArray& to, const cuda::Stream& on, JobContext* job) {
        const int64_t nside = rings.nside;
        const double radius = profile.radius();
        RingSpan belt = beltTargets(rings, radius, view.end);
        BeltRoom room;
        if (belt.first <= belt.last) {
            room = beltRoom(belt, radius, view.end);
            // Kernels this wide are summed as in the caps.
            if (room.bytes > sharedBytes) belt = {2 * nside + 1, 2 * nside};
        }
        const double products = 0.5 * view.end * static_cast<double>(pixelCount(nside));
        const auto ringsOfPiece = static_cast<int64_t>(std::clamp(
            kProductsOfPiece / (std::max(1.0, products) * 4.0 * static_cast<double>(nside)), 1.0,
            32768.0));
        const auto wait = [&] {
            if (job == nullptr) return;
            on.synchronize();
            job->poll();
        };
        const int64_t capLast = std::min(belt.first - 1, 2 * nside);
        SeriesBasis basis =
            SeriesBasis::serving(view, widestSpacing(rings, capLast, radius), kSeriesRoom / 24);
        if (basis.terms() > 0) basis = SeriesBasis((basis.terms() + 2) / 3 * 3);
        if (basis.terms() == 3) basis = SeriesBasis(6);
        const int64_t series = firstBySeries(capLast, basis, radius, view.end);
        for (int64_t r = 1; r <= capLast;) {
            const int64_t end = r < series ? series - 1 : capLast;
            const int64_t last = std::min(end, r + (job ? ringsOfPiece : 32768) - 1);
            capSums(r < series ? nullptr : &basis, radius, view, r, last, values, to, on);
            wait();
            r = last + 1;
        }
        if (belt.first <= belt.last && room.bytes > 48 * 1024)
            cuda::check(cudaFuncSetAttribute(beltKernel<Sample>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(room.bytes)),
                        "shared memory for a kernel this wide");
        for (int64_t r = belt.first; r <= belt.last;) {
            const int64_t groups = job ? (ringsOfPiece + kRings - 1) / kRings : int64_t{32768};
            const int64_t last = std::min(belt.last, r + kRings * groups - 1);
            const dim3 blocks(
                static_cast<unsigned>((4 * nside + kBlockColumns - 1) / kBlockColumns),
                static_cast<unsigned>((last - r + kRings) / kRings));
            beltKernel<<<blocks, kThreads, room.bytes, on.get()>>>(
                grid(), view, radius, r, last, room.pairs, room.margin, values, to.data());
            cuda::checkLaunch("convolving the belt");
            wait();
            r = last + 1;
        }
    }
    // The field's sums, and those of its mask if they are asked for.
    void both(const Request& request, const cuda::Stream& on, JobContext* job) {
        const ProfileView view = viewOf(*request.profile, on);
        const Held& held = fields[request.field];
        std::visit(
            [&](const auto& samples) {
                const auto make = [&](const auto* values, CudaArray& to) {
                    if (request.lastL > 0)
                        ringSums().execute({view, request.profile->radius(), request.lastL}, values,
                                           to, on, job);
                    else
                        sums(*request.profile, view, values, to, on, job);
                };
                make(samples.values.data(), *result);
                if (request.normalize && held.bad) make(samples.good.data(), *mask);
            },
            held.samples);
    }
    RingSumsCuda& ringSums() {
        if (!byRings) byRings.emplace(device, rings, factors, stream);
        return *byRings;
    }

    int device;
    size_t sharedBytes = 0;
    HealpixRings rings;
    cuda::DeviceBuffer<HealpixRing> ring;
    cuda::DeviceBuffer<double> theta, factor;
    cuda::Stream stream, live;
    cuda::Event done;  // of the last request: the next one takes its arrays
    HostCopies copies;
    std::vector<Held> fields;
    std::optional<CudaArray> result, mask;
    std::vector<double> factors;  // of the samples of each ring
    std::optional<RingSumsCuda> byRings;
    std::vector<Stage> stages;
    size_t nextStage = 0;
};

DirectCuda::DirectCuda(int device, int64_t nside, std::span<const double> ringWeights)
    : state_(std::make_unique<State>(device, nside)) {
    State& s = *state_;
    s.factors.assign(s.rings.ring.size(), 4.0 * kPi / static_cast<double>(pixelCount(nside)));
    for (int64_t r = 1; r <= s.rings.count && !ringWeights.empty(); ++r)
        s.factors[static_cast<size_t>(r)] *=
            ringWeights[static_cast<size_t>(std::min(r, 4 * nside - r)) - 1];
    s.ring = s.resident(s.rings.ring);
    s.theta = s.resident(s.rings.theta);
    s.factor = s.resident(s.factors);
    s.result.emplace(device, static_cast<size_t>(pixelCount(nside)));
}

DirectCuda::~DirectCuda() {
    // Nothing may be at work on what is freed now.
    if (state_)
        cuda::onDevice(state_->device, "ending direct convolution",
                       [this] { return cudaEventSynchronize(state_->done.get()); });
}

void DirectCuda::add(const ConstMapSamples& samples, const LiveField* pictured, JobContext& job) {
    State& s = *state_;
    State::Held held;
    const auto pixels = static_cast<size_t>(pixelCount(s.rings.nside));
    ARMILLA_ASSERT(sizeOf(samples) == pixels);
    const cuda::DeviceScope scope(s.device);
    std::visit(
        [&](const auto& values) {
            using Sample =
                std::remove_const_t<typename std::decay_t<decltype(values)>::element_type>;
            State::Samples<Sample> made{cuda::DeviceBuffer<Sample>(s.device, pixels), {}};
            constexpr Sample kLargest = std::numeric_limits<Sample>::max();
            const auto bring = [&](cuda::DeviceBuffer<Sample>& to, const auto& of) {
                cuda::PinnedBuffer<Sample> piece(s.device, std::min(pixels, kUploadPiece));
                for (size_t at = 0; at < pixels; at += kUploadPiece) {
                    job.poll();
                    const size_t count = std::min(kUploadPiece, pixels - at);
                    for (size_t i = 0; i < count; ++i) piece.data()[i] = of(values[at + i]);
                    cuda::check(
                        cudaMemcpyAsync(to.data() + at, piece.data(), count * sizeof(Sample),
                                        cudaMemcpyHostToDevice, s.stream.get()),
                        "copying a map to the device");
                    s.stream.synchronize();
                }
            };
            bring(made.values, [&](Sample v) {
                const bool good = std::abs(v) <= kLargest;
                held.bad = held.bad || !good;
                return good ? v : Sample(0);
            });
            if (held.bad) {
                made.good = cuda::DeviceBuffer<Sample>(s.device, pixels);
                bring(made.good,
                      [&](Sample v) { return std::abs(v) <= kLargest ? Sample(1) : Sample(0); });
                if (!s.mask) s.mask.emplace(s.device, pixels);
            }
            held.single = std::is_same_v<Sample, float>;
            held.samples = std::move(made);
        },
        samples);
    if (pictured != nullptr) held.cells.emplace(s.device, s.rings.nside, pictured->bad);
    s.fields.push_back(std::move(held));
}

size_t DirectCuda::fieldCount() const {
    return state_->fields.size();
}
bool DirectCuda::hasBad(size_t field) const {
    return state_->fields.at(field).bad;
}

void DirectCuda::execute(const Request& request, const MapSamples& result, JobContext& job) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    const State::Held& held = s.fields.at(request.field);
    s.done.holdBack(s.stream);
    s.both(request, s.stream, &job);
    if (held.bad) {
        const int64_t pixels = pixelCount(s.rings.nside);
        std::visit(
            [&](const auto& samples) {
                finishKernel<<<static_cast<unsigned>((pixels + kThreads - 1) / kThreads), kThreads,
                               0, s.stream.get()>>>(
                    s.result->data(), request.normalize ? s.mask->data() : nullptr,
                    request.integral, kLeastKernelShare, samples.good.data(), pixels);
                cuda::checkLaunch("finishing a convolution");
            },
            held.samples);
    }
    s.stream.synchronize();
    s.copies.download(*s.result, result, job);
    s.done.record(s.stream);
}

void DirectCuda::prepare(const Request& request) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    if (request.lastL > 0)
        s.ringSums().reserve({request.profile->view(), request.profile->radius(), request.lastL});
}

void DirectCuda::enqueue(const Request& request, DevicePicture& picture) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    const State::Held& held = s.fields.at(request.field);
    ARMILLA_ASSERT(held.cells.has_value());
    s.done.holdBack(s.live);
    s.both(request, s.live, nullptr);
    cuda::PictureSource source;
    source.values = s.result->data();
    source.single = held.single;
    if (request.normalize && held.bad) {
        source.mask = s.mask->data();
        source.maskUnit = request.integral;
        source.leastShare = kLeastKernelShare;
    }
    cuda::fillPicture(source, *held.cells, picture, s.live);
    s.done.record(s.live);
}

double DirectCuda::measure(const Request& request, int runs) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    cuda::Event begin(s.device, cuda::Event::Timing::On), end(s.device, cuda::Event::Timing::On);
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
        s.done.holdBack(s.stream);
        begin.record(s.stream);
        s.both(request, s.stream, nullptr);
        end.record(s.stream);
        s.done.record(s.stream);
        end.synchronize();
        float milliseconds = 0.0F;
        cuda::check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()),
                    "measuring a convolution");
        times.push_back(milliseconds);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

int64_t DirectCuda::pictureNside() const {
    return PictureCells::pictureNside(state_->rings.nside);
}

int64_t DirectCuda::deviceBytes() const {
    const State& s = *state_;
    int64_t bytes = 8 * static_cast<int64_t>(s.result->size() + (s.mask ? s.mask->size() : 0)) +
                    (s.byRings ? s.byRings->deviceBytes() : 0);
    for (const auto& held : s.fields)
        std::visit(
            [&](const auto& samples) {
                bytes += static_cast<int64_t>((samples.values.size() + samples.good.size()) *
                                              sizeof(*samples.values.data()));
            },
            held.samples);
    return bytes;
}

}  // namespace armilla
