// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of gridding on a CUDA device; used only by gridding_cuda.cu.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "grid/grid_weights.h"
#include "shared/grid_weight.h"
#include "shared/sample_bins.h"

namespace armilla::gridding {

// Squarings of plain kernels of the usual radius, 3 sigma, for which kernels are compiled.
constexpr int kSquaringsOfThreeSigma = 3;

// Counters of the ordering.
struct Counts {
    unsigned long long bad = 0, outside = 0, refused = 0;  // `refused`: first invalid row
};

// Samples in table order, in device memory.
struct RawSamples {
    const double *lon = nullptr, *lat = nullptr;
    const double* weights = nullptr;  // null: all 1
    double lonUnit = 1.0, latUnit = 1.0;
    Mat3 turn;
    int64_t count = 0;
};
// Direction and weight of a sample in one memory sector (32 bytes), which the sort reads at random.
struct alignas(32) PlacedSample {
    double x, y, z, weight;
};
// Sorted samples. Samples without a bin come last and belong to no ring.
struct Samples {
    BinnedSamples binned;
    const uint32_t* rows = nullptr;
    const double *x = nullptr, *y = nullptr, *z = nullptr, *weights = nullptr;
};

// Counters of a thread.
struct OwnCounts {
    unsigned bad = 0, outside = 0;
};
// A row of the table; angles in radians.
struct RawSample {
    double lon, lat, weight;
};
__device__ RawSample rawSample(const RawSamples& raw, int64_t i) {
    return {raw.lon[i] * raw.lonUnit, raw.lat[i] * raw.latUnit,
            raw.weights == nullptr ? 1.0 : raw.weights[i]};
}
// binOf() of the CPU: false if row i is bad or invalid, which is counted.
__device__ bool sampleAt(const RawSamples& raw, const RawSample& one, int64_t i, OwnCounts& own,
                         Counts* counts, Vec3& at) {
    if (!isfinite(one.lon) || !isfinite(one.lat) || !isfinite(one.weight)) {
        ++own.bad;
        return false;
    }
    if (positionOutOfRange(one.lon, one.lat) || one.weight < 0.0) {
        atomicMin(&counts->refused, static_cast<unsigned long long>(i));
        return false;
    }
    at = raw.turn * direction({one.lon, one.lat});
    return true;
}
// All lanes of a warp must call.
__device__ void addCounts(OwnCounts own, Counts* counts) {
    for (int step = 16; step > 0; step /= 2) {
        own.bad += __shfl_down_sync(0xFFFFFFFFU, own.bad, step);
        own.outside += __shfl_down_sync(0xFFFFFFFFU, own.outside, step);
    }
    if (threadIdx.x % 32 != 0) return;
    if (own.bad != 0) atomicAdd(&counts->bad, static_cast<unsigned long long>(own.bad));
    if (own.outside != 0) atomicAdd(&counts->outside, static_cast<unsigned long long>(own.outside));
}

// `none` is the key of samples without a bin, greater than all others.
__global__ void keyKernel(RawSamples raw, SampleBins bins, uint32_t none, uint32_t* keys,
                          uint32_t* rows, PlacedSample* placed, Counts* counts) {
    OwnCounts own;
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < raw.count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        uint32_t key = none;
        Vec3 at{0.0, 0.0, 0.0};
        const RawSample one = rawSample(raw, i);
        if (sampleAt(raw, one, i, own, counts, at)) {
            const uint32_t bin = binKey(bins, at);
            if (bin == kNoKey)
                ++own.outside;
            else
                key = bin;
        }
        keys[i] = key;
        rows[i] = static_cast<uint32_t>(i);
        placed[i] = {at.x, at.y, at.z, one.weight};
    }
    addCounts(own, counts);
}

__global__ void ringStartKernel(SampleBins bins, const uint32_t* keys, int64_t count, uint32_t none,
                                int64_t* ringStart) {
    const int64_t ring = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (ring > bins.rings()) return;
    const int64_t first = ring == bins.rings() ? static_cast<int64_t>(none) : ring * bins.stride;
    ringStart[ring] = firstNotBelow(keys, 0, count, first);
}

// The first sample of each bin by binary search; one thread per bin.
__global__ void binStartKernel(const uint32_t* keys, int64_t count, int64_t bins,
                               uint32_t* binStart) {
    for (int64_t bin = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; bin <= bins;
         bin += static_cast<int64_t>(gridDim.x) * blockDim.x)
        binStart[bin] = static_cast<uint32_t>(firstNotBelow(keys, 0, count, bin));
}

__global__ void placeKernel(const PlacedSample* placed, const uint32_t* rows, int64_t count,
                            double* x, double* y, double* z, double* weights) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        const PlacedSample at = placed[rows[i]];
        x[i] = at.x;
        y[i] = at.y;
        z[i] = at.z;
        if (weights != nullptr) weights[i] = at.weight;
    }
}
__global__ void sortValuesKernel(const double* values, const uint32_t* rows, int64_t count,
                                 double* sorted) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x)
        sorted[i] = values[rows[i]];
}

constexpr int kMostThreads = 256;  // threads of a block
constexpr int kRings = 32;         // rings searched together by the lanes of a warp
constexpr int kLeastThreads = 64;

// The samples that a disc may touch in up to kRings rings, as one numbered list.
struct RunList {
    int64_t begin[2 * kRings];
    int64_t end[2 * kRings];  // number after the last sample of a run
    int runs;
};

// The threads of the block cooperate; all must call.
__device__ void listRuns(const BinnedSamples& samples, const BinDisc& disc, int64_t firstRing,
                         RunList& list) {
    __syncthreads();
    const int lane = static_cast<int>(threadIdx.x);
    if (lane < kRings) {
        SortedRun found[2];
        const int count = firstRing + lane <= disc.lastRing
                              ? ringRuns(samples, disc, firstRing + lane, found)
                              : 0;
        int64_t length = 0;
        for (int k = 0; k < count; ++k) length += found[k].end - found[k].begin;
        // Runs of this ring and the ones before.
        int runs = count;
        int64_t end = length;
        for (int step = 1; step < kRings; step *= 2) {
            const int64_t before = __shfl_up_sync(0xFFFFFFFFU, end, step);
            const int runsBefore = __shfl_up_sync(0xFFFFFFFFU, runs, step);
            if (lane >= step) {
                end += before;
                runs += runsBefore;
            }
        }
        int64_t at = end - length;
        for (int k = 0; k < count; ++k) {
            at += found[k].end - found[k].begin;
            list.begin[runs - count + k] = found[k].begin;
            list.end[runs - count + k] = at;
        }
        if (lane == kRings - 1) list.runs = runs;
    }
    __syncthreads();
}
// Iterates a list for one thread, with ascending numbers.
class RunWalk {
public:
    __device__ explicit RunWalk(const RunList& list) : list_(list) {}
    __device__ int64_t sample(int64_t number) {
        while (number >= list_.end[run_]) before_ = list_.end[run_++];
        return list_.begin[run_] + number - before_;
    }

private:
    const RunList& list_;
    int run_ = 0;
    int64_t before_ = 0;
};

// Calls body(sample) for each sample in reach of the cells, in a fixed order for each thread.
template <class Body>
__device__ void forEachCandidate(const BinnedSamples& samples, const BinDisc& disc,
                                 const Body& body) {
    __shared__ RunList list;
    for (int64_t ring = disc.firstRing; ring <= disc.lastRing; ring += kRings) {
        listRuns(samples, disc, ring, list);
        if (list.runs == 0) continue;
        const int64_t all = list.end[list.runs - 1];
        RunWalk walk(list);
        for (int64_t k = threadIdx.x; k < all; k += blockDim.x) body(walk.sample(k));
    }
}

struct Cell {
    Vec3 at, north, east;
};
__device__ Cell cellAt(Vec3 at) {
    const double s = sqrt(at.x * at.x + at.y * at.y);
    const double c = s > 0.0 ? at.x / s : 1.0, d = s > 0.0 ? at.y / s : 0.0;
    return {at, {-at.z * c, -at.z * d, s}, {-d, c, 0.0}};
}
// Kernel weight of a sample; false beyond the radius.
template <bool kPlain>
__device__ bool weightOf(const GridWeights& kernel, const Cell& cell, Vec3 sample, double& weight) {
    const Vec3 d = sample - cell.at;
    const double chord2 = fma(d.x, d.x, fma(d.y, d.y, d.z * d.z));
    if (!(chord2 <= kernel.chord2Max)) return false;
    double north = 0.0, east = 0.0;
    if (!kPlain && kernel.elliptical) {
        north = fma(d.x, cell.north.x, fma(d.y, cell.north.y, d.z * cell.north.z));
        east = fma(d.x, cell.east.x, d.y * cell.east.y);
    }
    weight = plain::gridWeight<kPlain, plain::ScalarMath>(kernel, chord2, north, east);
    return true;
}

// Sum over the block in a fixed order, returned to thread 0. All threads must call.
template <class T>
__device__ T blockSum(T value) {
    __shared__ T parts[kMostThreads / 32];
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xFFFFFFFFU, value, step);
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned w = 1; w < blockDim.x / 32; ++w) value += parts[w];
    return value;
}
__device__ double blockLeast(double value) {
    __shared__ double parts[kMostThreads / 32];
    for (int step = 16; step > 0; step /= 2)
        value = fmin(value, __shfl_down_sync(0xFFFFFFFFU, value, step));
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    double least = parts[0];
    for (unsigned w = 1; w < blockDim.x / 32; ++w) least = fmin(least, parts[w]);
    __syncthreads();
    return least;
}

struct Sums {
    double *values = nullptr, *weights = nullptr, *counts = nullptr, *nearest = nullptr;
    int64_t cells = 0;
};
struct CellRange {
    const Vec3* cells = nullptr;
    int64_t first = 0, end = 0;
};

// One channel; one block per cell.
template <bool kPlain>
__global__ void __launch_bounds__(kMostThreads)
    gatherKernel(GridWeights kernel, double radius, Samples samples, const double* values,
                 CellRange range, Sums sums) {
    const int64_t place = range.first + blockIdx.x;
    const Vec3 center = range.cells[place];
    if (center.z != center.z) return;
    const BinDisc disc = binDisc(samples.binned.bins, center, radius);
    const Cell cell = cellAt(center);
    double valueSum = 0.0, weightSum = 0.0;
    int count = 0;
    forEachCandidate(samples.binned, disc, [&](int64_t i) {
        const Vec3 at{samples.x[i], samples.y[i], samples.z[i]};
        const double value = values[i];
        const double own = samples.weights == nullptr ? 1.0 : samples.weights[i];
        double weight = 0.0;
        if (!isfinite(value) || !weightOf<kPlain>(kernel, cell, at, weight)) return;
        weight *= own;
        weightSum += weight;
        valueSum = fma(weight, value, valueSum);
        ++count;
    });
    const double v = blockSum(valueSum), w = blockSum(weightSum);
    // A thread's own count stays below 2^31: there are fewer than 2^32 samples and at least 64
    // threads.
    const double n = blockSum(static_cast<double>(count));
    if (threadIdx.x == 0) {
        sums.values[place] = v;
        sums.weights[place] = w;
        sums.counts[place] = n;
    }
}

// Many channels: each thread computes the weight of one sample of a batch, and all threads use
// these weights for their channels. `values` are in the order of the table, `width` in a row.
constexpr int kChannelThreads = 256, kChannelsOfThread = 4;
constexpr int kBatch = 1024;
__global__ void __launch_bounds__(kChannelThreads)
    gatherChannelsKernel(GridWeights kernel, double radius, Samples samples, const double* values,
                         int64_t width, int64_t firstChannel, CellRange range, Sums sums) {
    __shared__ double batchWeight[kBatch];
    __shared__ uint32_t batchRow[kBatch];
    __shared__ int warpCount[kChannelThreads / 32];
    __shared__ RunList list;
    const int64_t cell = range.first + blockIdx.x;
    const Vec3 center = range.cells[cell];
    if (center.z != center.z) return;
    const Cell frame = cellAt(center);
    const BinDisc disc = binDisc(samples.binned.bins, center, radius);
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
    for (int64_t base = 0; base < width; base += kChannelThreads * kChannelsOfThread) {
        double valueSum[kChannelsOfThread] = {}, weightSum[kChannelsOfThread] = {};
        int count[kChannelsOfThread] = {};
        int filled = 0;  // equal in all threads
        const auto flush = [&] {
            __syncthreads();
            for (int i = 0; i < filled; ++i) {
                const double weight = batchWeight[i];
                const double* const row = values + batchRow[i] * width;
#pragma unroll
                for (int k = 0; k < kChannelsOfThread; ++k) {
                    const int64_t channel = base + k * kChannelThreads + t;
                    if (channel >= width) continue;
                    const double value = row[channel];
                    if (!isfinite(value)) continue;
                    valueSum[k] = fma(weight, value, valueSum[k]);
                    weightSum[k] += weight;
                    ++count[k];
                }
            }
            __syncthreads();
            filled = 0;
        };
        for (int64_t ring = disc.firstRing; ring <= disc.lastRing; ring += kRings) {
            listRuns(samples.binned, disc, ring, list);
            const int64_t all = list.runs == 0 ? 0 : list.end[list.runs - 1];
            RunWalk walk(list);
            for (int64_t start = 0; start < all; start += kChannelThreads) {
                double weight = 0.0;
                int64_t i = 0;
                bool near = false;
                if (start + t < all) {
                    i = walk.sample(start + t);
                    near = weightOf<false>(kernel, frame,
                                           {samples.x[i], samples.y[i], samples.z[i]}, weight);
                    if (near && samples.weights != nullptr) weight *= samples.weights[i];
                }
                const unsigned mask = __ballot_sync(0xFFFFFFFFU, near);
                if (lane == 0) warpCount[warp] = __popc(mask);
                __syncthreads();
                int before = filled, sum = filled;
                for (int w = 0; w < kChannelThreads / 32; ++w) {
                    if (w == warp) before = sum;
                    sum += warpCount[w];
                }
                if (near) {
                    const int place = before + __popc(mask & ((1U << lane) - 1U));
                    batchWeight[place] = weight;
                    batchRow[place] = samples.rows[i];
                }
                __syncthreads();
                filled = sum;
                if (filled > kBatch - kChannelThreads) flush();
            }
        }
        flush();
        for (int k = 0; k < kChannelsOfThread; ++k) {
            const int64_t channel = base + k * kChannelThreads + t;
            if (channel >= width) continue;
            const int64_t at = (firstChannel + channel) * sums.cells + cell;
            sums.values[at] = valueSum[k];
            sums.weights[at] = weightSum[k];
            sums.counts[at] = count[k];
        }
    }
}

__global__ void __launch_bounds__(kMostThreads)
    nearestKernel(double chord2Max, double radius, Samples samples, const double* values,
                  int64_t width, int64_t firstChannel, CellRange range, Sums sums) {
    const int64_t cell = range.first + blockIdx.x;
    const Vec3 center = range.cells[cell];
    if (center.z != center.z) return;
    const BinDisc disc = binDisc(samples.binned.bins, center, radius);
    for (int64_t channel = 0; channel < width; ++channel) {
        const auto chord2Of = [&](int64_t i) {
            const Vec3 d = Vec3{samples.x[i], samples.y[i], samples.z[i]} - center;
            return fma(d.x, d.x, fma(d.y, d.y, d.z * d.z));
        };
        const auto valueOf = [&](int64_t i) { return values[samples.rows[i] * width + channel]; };
        double least = std::numeric_limits<double>::infinity();
        int count = 0;
        forEachCandidate(samples.binned, disc, [&](int64_t i) {
            const double chord2 = chord2Of(i);
            if (chord2 > chord2Max || !isfinite(valueOf(i))) return;
            least = fmin(least, chord2);
            ++count;
        });
        least = blockLeast(least);
        double valueSum = 0.0, weightSum = 0.0;
        forEachCandidate(samples.binned, disc, [&](int64_t i) {
            const double chord2 = chord2Of(i), value = valueOf(i);
            if (chord2 > chord2Max || chord2 > least * (1.0 + kNearestTie) || !isfinite(value))
                return;
            const double weight = samples.weights == nullptr ? 1.0 : samples.weights[i];
            valueSum = fma(weight, value, valueSum);
            weightSum += weight;
        });
        const double v = blockSum(valueSum), w = blockSum(weightSum);
        const double n = blockSum(static_cast<double>(count));
        if (threadIdx.x == 0) {
            const int64_t at = (firstChannel + channel) * sums.cells + cell;
            sums.values[at] = v;
            sums.weights[at] = w;
            sums.counts[at] = n;
            sums.nearest[at] = least;
        }
    }
}

}  // namespace armilla::gridding
