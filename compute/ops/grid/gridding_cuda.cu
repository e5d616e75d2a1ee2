// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding on a CUDA device: grid_cpu.cpp and sample_order.cpp with a block of threads for a cell.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cub/device/device_radix_sort.cuh>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/map_samples.h"
#include "core/new_vector.h"
#include "device/cuda/check.h"
#include "device/cuda/device_buffer.h"
#include "device/cuda/stream.h"
#include "device/cuda_array.h"
#include "device/host_copies.h"
#include "grid/grid_backend.h"
#include "grid/sample_order.h"

namespace armilla {

namespace {

using cuda::DeviceBuffer;

// What the ordering counts.
struct Counts {
    unsigned long long bad = 0, outside = 0, refused = 0;  // refused: first such row
};

// Samples as they came, in device memory.
struct RawSamples {
    const double *lon = nullptr, *lat = nullptr;
    const double* weights = nullptr;  // all 1 if null
    double lonUnit = 1.0, latUnit = 1.0;
    Mat3 turn;
    int64_t count = 0;
};
// Sorted ones. Those without a bin come last, in no ring.
struct Samples {
    BinnedSamples binned;
    const uint32_t* rows = nullptr;
    const double *x = nullptr, *y = nullptr, *z = nullptr, *weights = nullptr;
};

__device__ Vec3 sampleDirection(const RawSamples& raw, int64_t i) {
    return raw.turn * direction({raw.lon[i] * raw.lonUnit, raw.lat[i] * raw.latUnit});
}

// As binOf() of the CPU; `none` is the key of samples without a bin, above all others.
__global__ void keyKernel(RawSamples raw, SampleBins bins, uint32_t none, uint32_t* keys,
                          uint32_t* rows, Counts* counts) {
    unsigned bad = 0, outside = 0;
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < raw.count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        const double lon = raw.lon[i] * raw.lonUnit, lat = raw.lat[i] * raw.latUnit;
        const double weight = raw.weights == nullptr ? 1.0 : raw.weights[i];
        uint32_t key = none;
        if (!isfinite(lon) || !isfinite(lat) || !isfinite(weight)) {
            ++bad;
        } else if (positionOutOfRange(lon, lat) || weight < 0.0) {
            atomicMin(&counts->refused, static_cast<unsigned long long>(i));
        } else {
            const uint32_t bin = binKey(bins, sampleDirection(raw, i));
            if (bin == kNoKey)
                ++outside;
            else
                key = bin;
        }
        keys[i] = key;
        rows[i] = static_cast<uint32_t>(i);
    }
    bad = __reduce_add_sync(0xFFFFFFFFU, bad);
    outside = __reduce_add_sync(0xFFFFFFFFU, outside);
    if (threadIdx.x % 32 == 0) {
        if (bad != 0) atomicAdd(&counts->bad, static_cast<unsigned long long>(bad));
        if (outside != 0) atomicAdd(&counts->outside, static_cast<unsigned long long>(outside));
    }
}

__global__ void ringStartKernel(SampleBins bins, const uint32_t* keys, int64_t count, uint32_t none,
                                int64_t* ringStart) {
    const int64_t ring = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (ring > bins.rings()) return;
    const int64_t first =
        ring == bins.rings()
            ? static_cast<int64_t>(none)
            : detail::firstPixelOfRing(bins.nside, bins.firstRing + ring) - bins.firstPixel;
    ringStart[ring] = firstNotBelow(keys, 0, count, first);
}

__global__ void placeKernel(RawSamples raw, const uint32_t* rows, double* x, double* y, double* z,
                            double* weights) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < raw.count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        const uint32_t row = rows[i];
        const Vec3 v = sampleDirection(raw, row);
        x[i] = v.x;
        y[i] = v.y;
        z[i] = v.z;
        if (weights != nullptr) weights[i] = raw.weights[row];
    }
}
__global__ void sortValuesKernel(const double* values, const uint32_t* rows, int64_t count,
                                 double* sorted) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x)
        sorted[i] = values[rows[i]];
}

// --- Gathering
// ------------------------------------------------------------------------------------

constexpr int kMostThreads = 256;  // of a block
constexpr int kRings = 64;         // looked up at a time
constexpr int kLeastThreads = 64;  // at least as many as rings: a thread looks up a ring

// The samples that a disc may touch in up to kRings rings, as one numbered list.
struct RunList {
    int64_t begin[2 * kRings];
    int64_t end[2 * kRings];  // number behind the last sample of a run
    int runs;
};

// Threads of the block together. Every thread must call.
__device__ void listRuns(const BinnedSamples& samples, const BinDisc& disc, int64_t firstRing,
                         RunList& list) {
    __shared__ SampleRun found[2 * kRings];
    __shared__ int counts[kRings];
    __syncthreads();
    const int t = static_cast<int>(threadIdx.x);
    if (t < kRings) {
        counts[t] = firstRing + t <= disc.lastRing
                        ? ringRuns(samples, disc, firstRing + t, found + 2 * t)
                        : 0;
    }
    __syncthreads();
    if (t == 0) {
        int64_t sum = 0;
        list.runs = 0;
        for (int r = 0; r < kRings; ++r)
            for (int k = 0; k < counts[r]; ++k) {
                const SampleRun run = found[2 * r + k];
                sum += run.end - run.begin;
                list.begin[list.runs] = run.begin;
                list.end[list.runs++] = sum;
            }
    }
    __syncthreads();
}
// A thread's way through a list: ascending numbers.
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

// Calls body(sample) for each sample that the cells may reach, in a fixed order for each thread.
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
// Weight of a sample by the kernel; false beyond the radius.
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

// Sum over the block in a fixed order; the result is thread 0's. Every thread must call.
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

// A disc that holds those of a block's cells that are on the sky; false if none is.
template <int kCells>
__device__ bool discOf(const SampleBins& bins, const Vec3 (&cells)[kCells], double radius,
                       BinDisc& disc) {
    Vec3 sum{0.0, 0.0, 0.0};
    int count = 0;
    for (int c = 0; c < kCells; ++c)
        if (cells[c].z == cells[c].z) {
            sum = sum + cells[c];
            ++count;
        }
    if (count == 0) return false;
    if (count == 1) {
        disc = binDisc(bins, sum, radius);
        return true;
    }
    // Cells all around the sphere may have their center in its middle.
    const double length = norm(sum);
    if (length < 0.5 * count)
        sum = {0.0, 0.0, 1.0};
    else
        sum = (1.0 / length) * sum;
    double farthest = 0.0;
    for (int c = 0; c < kCells; ++c)
        if (cells[c].z == cells[c].z) farthest = fmax(farthest, norm(cells[c] - sum));
    const double reach = radius + 2.0 * asin(fmin(1.0, 0.5 * farthest));
    if (reach < kHalfPi) {
        disc = binDisc(bins, sum, reach);
        return true;
    }
    // All rings, all around.
    disc = binDisc(bins, {0.0, 0.0, 1.0}, kHalfPi);
    disc.chord2 = 8.0;
    disc.firstRing = bins.firstRing;
    disc.lastRing = bins.lastRing;
    return true;
}

// One channel; a block for kCells cells next to each other, whose samples are read once.
template <bool kPlain, int kCells>
__global__ void __launch_bounds__(kMostThreads)
    gatherKernel(GridWeights kernel, double radius, Samples samples, const double* values,
                 CellRange range, Sums sums) {
    const int64_t first = range.first + blockIdx.x * static_cast<int64_t>(kCells);
    Vec3 centers[kCells];
    for (int c = 0; c < kCells; ++c)
        centers[c] = first + c < range.end
                         ? range.cells[first + c]
                         : Vec3{0.0, 0.0, std::numeric_limits<double>::quiet_NaN()};
    BinDisc disc;
    if (!discOf(samples.binned.bins, centers, radius, disc)) return;
    Cell cells[kCells];
    double valueSum[kCells] = {}, weightSum[kCells] = {};
    int count[kCells] = {};
    for (int c = 0; c < kCells; ++c) cells[c] = cellAt(centers[c]);
    forEachCandidate(samples.binned, disc, [&](int64_t i) {
        const Vec3 at{samples.x[i], samples.y[i], samples.z[i]};
        const double value = values[i];
        const double own = samples.weights == nullptr ? 1.0 : samples.weights[i];
        if (!isfinite(value)) return;
#pragma unroll
        for (int c = 0; c < kCells; ++c) {
            double weight = 0.0;
            if (!weightOf<kPlain>(kernel, cells[c], at, weight)) continue;
            weight *= own;
            weightSum[c] += weight;
            valueSum[c] = fma(weight, value, valueSum[c]);
            ++count[c];
        }
    });
    for (int c = 0; c < kCells; ++c) {
        const double v = blockSum(valueSum[c]), w = blockSum(weightSum[c]);
        // A thread's own count stays below 2^31: samples are below 2^32 and threads 64 or more.
        const double n = blockSum(static_cast<double>(count[c]));
        if (threadIdx.x == 0 && first + c < range.end) {
            sums.values[first + c] = v;
            sums.weights[first + c] = w;
            sums.counts[first + c] = n;
        }
    }
}

// Many channels: weights of a batch of samples are found once, by a thread each, and used by all
// threads for their channels. `values` are in the order of the table, `width` in a row.
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
        int filled = 0;  // the same in all threads
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

// --- Host
// -----------------------------------------------------------------------------------------

constexpr unsigned kThreads = 256;
unsigned blocksFor(int64_t count) {
    return static_cast<unsigned>(std::clamp<int64_t>((count + kThreads - 1) / kThreads, 1, 8192));
}
// Keeps what is large enough.
template <class T>
void makeRoom(std::unique_ptr<DeviceBuffer<T>>& buffer, int device, int64_t count) {
    const auto size = static_cast<size_t>(std::max<int64_t>(1, count));
    if (buffer && buffer->size() >= size) return;
    buffer.reset();
    buffer = std::make_unique<DeviceBuffer<T>>(device, size);
}
void makeRoom(std::unique_ptr<CudaArray>& array, int device, int64_t count) {
    const auto size = static_cast<size_t>(std::max<int64_t>(1, count));
    if (array && array->size() >= size) return;
    array.reset();
    array = std::make_unique<CudaArray>(device, size);
}

class GridCuda final : public GridBackend {
public:
    GridCuda(std::vector<Vec3> cells, const GridKernel& kernel, const Device& device)
        : device_(device.index),
          cells_(std::move(cells)),
          kernel_(kernel),
          weights_(gridWeights(kernel)),
          stream_(device_, cuda::Priority::Low),
          copies_(device_) {}

    void order(const GridSamples& samples, JobContext& job) override {
        const cuda::DeviceScope scope(device_);
        // What was ordered before may still be in use.
        stream_.synchronize();
        count_ = samples.count();
        const SampleBins bins = sampleBins(cells_, kernel_.radius, job);
        report.binNside = bins.nside;
        sky_ = bins.rings() > 0;
        if (!sky_ || count_ == 0) {
            report.used = report.bad = 0;
            report.outside = count_;
            return;
        }
        const int64_t last = detail::firstPixelOfRing(bins.nside, bins.lastRing) +
                             4 * detail::quarterLength(bins.nside, bins.lastRing) - bins.firstPixel;
        const auto none = static_cast<uint32_t>(last);
        const bool weighted = !samples.weights.empty();
        makeOrderRoom(bins, weighted);
        uploadCells();
        copies_.upload(ConstMapSamples(samples.lon), *lon_, job);
        copies_.upload(ConstMapSamples(samples.lat), *lat_, job);
        if (weighted) copies_.upload(ConstMapSamples(samples.weights), *rawWeights_, job);
        const RawSamples raw{
            lon_->data(),    lat_->data(),    weighted ? rawWeights_->data() : nullptr,
            samples.lonUnit, samples.latUnit, samples.targetFromSamples,
            count_};
        const Counts counts = bin(raw, bins, none);
        if (counts.refused < static_cast<unsigned long long>(count_)) {
            sky_ = false;
            refusePosition(samples, static_cast<int64_t>(counts.refused));
        }
        report.bad = static_cast<int64_t>(counts.bad);
        report.outside = static_cast<int64_t>(counts.outside);
        report.used = count_ - report.bad - report.outside;
        // These go on while values are being copied.
        sort(bins, none);
        place(raw, weighted);
    }

    void execute(std::span<const GridValues> values, GridSums& sums, JobContext& job) override {
        if (!sky_ || count_ == 0) return;
        const cuda::DeviceScope scope(device_);
        const int64_t size = sums.cells * sums.channels;
        const bool nearest = kernel_.kind == GridKernelKind::Nearest;
        for (auto* array : {&sumValues_, &sumWeights_, &sumCounts_})
            makeRoom(*array, device_, size);
        if (nearest) makeRoom(sumNearest_, device_, size);
        clear(*sumValues_);
        clear(*sumWeights_);
        clear(*sumCounts_);
        if (nearest) sumNearest_->fill(std::numeric_limits<double>::infinity());
        const Sums to{sumValues_->data(), sumWeights_->data(), sumCounts_->data(),
                      nearest ? sumNearest_->data() : nullptr, sums.cells};
        int64_t channel = 0;
        for (const GridValues& column : values) {
            // The buffer may still be read by the kernels of the column before.
            if (channel > 0) stream_.synchronize();
            makeRoom(values_, device_, count_ * column.width);
            std::visit([&](auto from) { copies_.upload(ConstMapSamples(from), *values_, job); },
                       column.values);
            if (nearest)
                launchNearest(column.width, channel, to, job);
            else if (column.width == 1)
                launchOne(channel, to, job);
            else
                launchChannels(column.width, channel, to, job);
            channel += column.width;
        }
        cuda::check(cudaEventRecord(done_.get(), stream_.get()), "recording an event");
        waitFor(done_, job);
        fetch(*sumValues_, sums.values, job);
        fetch(*sumWeights_, sums.weights, job);
        if (nearest) fetch(*sumNearest_, sums.nearest, job);
        std::vector<double> counts = newVector<double>(size, job);
        fetch(*sumCounts_, counts, job);
        std::copy(counts.begin(), counts.end(), sums.counts.begin());
        report.deviceBytes = deviceBytes();
    }

private:
    void makeOrderRoom(const SampleBins& bins, bool weighted) {
        for (auto* array : {&lon_, &lat_, &x_, &y_, &z_}) makeRoom(*array, device_, count_);
        if (weighted)
            for (auto* array : {&rawWeights_, &sortedWeights_}) makeRoom(*array, device_, count_);
        for (auto* buffer : {&keys_[0], &keys_[1], &rows_[0], &rows_[1]})
            makeRoom(*buffer, device_, count_);
        makeRoom(ringStart_, device_, bins.rings() + 1);
        makeRoom(counts_, device_, 1);
    }
    void uploadCells() {
        if (d_cells_) return;
        makeRoom(d_cells_, device_, static_cast<int64_t>(cells_.size()));
        cuda::check(cudaMemcpyAsync(d_cells_->data(), cells_.data(), cells_.size() * sizeof(Vec3),
                                    cudaMemcpyHostToDevice, stream_.get()),
                    "copying cells to the device");
    }

    // Waits for the counts.
    Counts bin(const RawSamples& raw, const SampleBins& bins, uint32_t none) {
        Counts counts{0, 0, ~0ULL};
        cuda::check(cudaMemcpyAsync(counts_->data(), &counts, sizeof counts, cudaMemcpyHostToDevice,
                                    stream_.get()),
                    "starting the counts of samples");
        keyKernel<<<blocksFor(count_), kThreads, 0, stream_.get()>>>(
            raw, bins, none, keys_[0]->data(), rows_[0]->data(), counts_->data());
        cuda::checkLaunch("binning samples");
        cuda::check(cudaMemcpyAsync(&counts, counts_->data(), sizeof counts, cudaMemcpyDeviceToHost,
                                    stream_.get()),
                    "reading the counts of samples");
        stream_.synchronize();
        return counts;
    }
    void sort(const SampleBins& bins, uint32_t none) {
        cub::DoubleBuffer<uint32_t> keys(keys_[0]->data(), keys_[1]->data());
        cub::DoubleBuffer<uint32_t> rows(rows_[0]->data(), rows_[1]->data());
        const int bits = static_cast<int>(std::bit_width(none));
        size_t bytes = 0;
        cuda::check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, rows, count_, 0, bits,
                                                    stream_.get()),
                    "asking for the room of a sort");
        makeRoom(sortRoom_, device_, static_cast<int64_t>(bytes));
        cuda::check(cub::DeviceRadixSort::SortPairs(sortRoom_->data(), bytes, keys, rows, count_, 0,
                                                    bits, stream_.get()),
                    "sorting samples");
        ringStartKernel<<<static_cast<unsigned>(bins.rings() / kThreads + 1), kThreads, 0,
                          stream_.get()>>>(bins, keys.Current(), count_, none, ringStart_->data());
        cuda::checkLaunch("finding rings");
        samples_ = {{bins, keys.Current(), ringStart_->data()},
                    rows.Current(),
                    x_->data(),
                    y_->data(),
                    z_->data(),
                    nullptr};
    }
    void place(const RawSamples& raw, bool weighted) {
        double* const weights = weighted ? sortedWeights_->data() : nullptr;
        samples_.weights = weights;
        placeKernel<<<blocksFor(count_), kThreads, 0, stream_.get()>>>(
            raw, samples_.rows, x_->data(), y_->data(), z_->data(), weights);
        cuda::checkLaunch("placing samples");
    }

    // Threads for a cell: enough in all to fill a large device twice, few enough that the rows of
    // samples feed them.
    int threadsOfBlock(int64_t blocks) const {
        constexpr int64_t kThreadsOfDevice = int64_t{1} << 19;
        int threads = kLeastThreads;
        while (threads < kMostThreads && threads * blocks < kThreadsOfDevice) threads *= 2;
        return threads;
    }
    // Cells for a block, by the work on a sample: reading it, and weighing it for each cell of the
    // wider disc that all of them need. One read costs about as much as one weight.
    int cellsOfBlock() const {
        const size_t pairs = std::min<size_t>(cells_.size(), 4096);
        std::vector<double> steps;
        for (size_t i = 1; i < pairs; ++i) {
            const double step = norm(cells_[i] - cells_[i - 1]);
            if (std::isfinite(step)) steps.push_back(step);
        }
        if (steps.size() < 64) return 1;
        std::nth_element(steps.begin(), steps.begin() + static_cast<ptrdiff_t>(steps.size() / 2),
                         steps.end());
        const double step = steps[steps.size() / 2] / kernel_.radius;
        int best = 1;
        double least = std::numeric_limits<double>::infinity();
        for (const int cells : {1, 2, 4}) {
            const double wider = 1.0 + 0.5 * (cells - 1) * step;
            const double cost = wider * wider * (1.0 + cells) / cells;
            if (cost < least) {
                least = cost;
                best = cells;
            }
        }
        return best;
    }

    // Launches in slices, at most two ahead of the device, so that a job stops soon.
    template <class Launch>
    void inSlices(int64_t cellsOfSlice, JobContext& job, const Launch& launch) {
        const auto all = static_cast<int64_t>(cells_.size());
        int slice = 0;
        for (int64_t first = 0; first < all; first += cellsOfSlice, ++slice) {
            cuda::Event& event = slices_[slice % 2];
            if (slice >= 2) waitFor(event, job);
            launch(CellRange{d_cells_->data(), first, std::min(all, first + cellsOfSlice)});
            cuda::checkLaunch("gathering");
            cuda::check(cudaEventRecord(event.get(), stream_.get()), "recording an event");
            job.report(static_cast<double>(first) / static_cast<double>(all), "gathering");
        }
    }
    template <bool kPlain, int kCells>
    void launchGather(const Sums& to, JobContext& job) {
        constexpr int64_t kSlice = int64_t{1} << 15;
        const auto blocks = std::min<int64_t>(kSlice, static_cast<int64_t>(cells_.size())) / kCells;
        const int threads = threadsOfBlock(blocks);
        inSlices(kSlice, job, [&](const CellRange& range) {
            gatherKernel<kPlain, kCells>
                <<<static_cast<unsigned>((range.end - range.first + kCells - 1) / kCells), threads,
                   0, stream_.get()>>>(weights_, kernel_.radius, samples_, sorted_->data(), range,
                                       to);
        });
    }
    void launchOne(int64_t channel, Sums to, JobContext& job) {
        makeRoom(sorted_, device_, count_);
        sortValuesKernel<<<blocksFor(count_), kThreads, 0, stream_.get()>>>(
            values_->data(), samples_.rows, count_, sorted_->data());
        cuda::checkLaunch("sorting values");
        const int64_t offset = channel * to.cells;
        to.values += offset;
        to.weights += offset;
        to.counts += offset;
        const bool round = !weights_.elliptical && !weights_.wide && weights_.degree < 0;
        if (!round) {
            launchGather<false, 1>(to, job);
            return;
        }
        switch (cellsOfBlock()) {
            case 4: launchGather<true, 4>(to, job); break;
            case 2: launchGather<true, 2>(to, job); break;
            default: launchGather<true, 1>(to, job); break;
        }
    }
    void launchChannels(int64_t width, int64_t channel, const Sums& to, JobContext& job) {
        inSlices(
            std::max<int64_t>(256, (int64_t{1} << 21) / width), job, [&](const CellRange& range) {
                gatherChannelsKernel<<<static_cast<unsigned>(range.end - range.first),
                                       kChannelThreads, 0, stream_.get()>>>(
                    weights_, kernel_.radius, samples_, values_->data(), width, channel, range, to);
            });
    }
    void launchNearest(int64_t width, int64_t channel, const Sums& to, JobContext& job) {
        inSlices(
            std::max<int64_t>(256, (int64_t{1} << 15) / width), job, [&](const CellRange& range) {
                nearestKernel<<<static_cast<unsigned>(range.end - range.first), kLeastThreads, 0,
                                stream_.get()>>>(weights_.chord2Max, kernel_.radius, samples_,
                                                 values_->data(), width, channel, range, to);
            });
    }

    void waitFor(const cuda::Event& event, const JobContext& job) const {
        for (;;) {
            const cudaError_t status = cudaEventQuery(event.get());
            if (status != cudaErrorNotReady) {
                cuda::check(status, "gridding");
                return;
            }
            if (job.stopRequested()) {
                stream_.synchronize();
                throw Cancelled();
            }
            std::this_thread::yield();
        }
    }
    void clear(CudaArray& array) const {
        cuda::check(cudaMemsetAsync(array.data(), 0, array.size() * sizeof(double), stream_.get()),
                    "clearing sums");
    }
    void fetch(const CudaArray& from, std::vector<double>& to, JobContext& job) {
        copies_.download(from, MapSamples(std::span<double>(to)), job);
    }
    int64_t deviceBytes() const {
        int64_t values = 0;
        for (const auto* array :
             {&lon_, &lat_, &rawWeights_, &x_, &y_, &z_, &sortedWeights_, &values_, &sorted_,
              &sumValues_, &sumWeights_, &sumCounts_, &sumNearest_})
            if (*array) values += static_cast<int64_t>((*array)->size());
        int64_t bytes = 8 * values;
        for (const auto* buffer : {&keys_[0], &keys_[1], &rows_[0], &rows_[1]})
            if (*buffer) bytes += static_cast<int64_t>(4 * (*buffer)->size());
        if (sortRoom_) bytes += static_cast<int64_t>(sortRoom_->size());
        return bytes + static_cast<int64_t>(cells_.size() * sizeof(Vec3));
    }

    int device_;
    std::vector<Vec3> cells_;
    GridKernel kernel_;
    GridWeights weights_;
    int64_t count_ = 0;
    bool sky_ = false;
    std::unique_ptr<CudaArray> lon_, lat_, rawWeights_, x_, y_, z_, sortedWeights_, values_,
        sorted_;
    std::unique_ptr<CudaArray> sumValues_, sumWeights_, sumCounts_, sumNearest_;
    std::unique_ptr<DeviceBuffer<uint32_t>> keys_[2], rows_[2];
    std::unique_ptr<DeviceBuffer<unsigned char>> sortRoom_;
    std::unique_ptr<DeviceBuffer<int64_t>> ringStart_;
    std::unique_ptr<DeviceBuffer<Counts>> counts_;
    std::unique_ptr<DeviceBuffer<Vec3>> d_cells_;
    Samples samples_;
    // Behind the buffers: work on them ends before they go.
    cuda::Stream stream_;
    cuda::Event done_{device_}, slices_[2]{cuda::Event(device_), cuda::Event(device_)};
    HostCopies copies_;
};

}  // namespace

std::unique_ptr<GridBackend> makeGridCuda(std::vector<Vec3> cells, const GridKernel& kernel,
                                          const Device& device) {
    return std::make_unique<GridCuda>(std::move(cells), kernel, device);
}

}  // namespace armilla
