// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "convolve/direct_cuda.h"
#include "convolve/ring_pairs.h"
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
// of them that it serves.
constexpr int kColumns = 4, kRings = 4;
constexpr int kBlockColumns = kThreads * kColumns;
constexpr int kWeightRoom = 2304;  // doubles of weights that a block holds at once
constexpr int kMostRows = 64;      // of source rings likewise
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
    const int q = static_cast<int>(target.quarter), all = 4 * q;
    double* const north = result + target.first;
    double* const south = result + grid.ring[rings + 1 - r].first;
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

// kRings rings of the belt from `firstRing` on (up to `lastRing`) in each row of blocks. The taps
// of a source ring are those of all these rings together, `taps` of them at most, a multiple of
// four; those of one ring only weigh nothing in the others.
template <class Sample>
__global__ void __launch_bounds__(kThreads)
    beltKernel(Grid grid, ProfileView profile, double radius, int64_t firstRing, int64_t lastRing,
               int taps, const Sample* values, double* result) {
    extern __shared__ double room[];
    __shared__ int begins[kMostRows], counts[kMostRows];
    // Source value i at (i % 4) stride + i / 4: threads side by side read numbers side by side.
    const int stride = kThreads + taps / 4 + 1;
    double* const source = room;
    double* const weights = room + 4 * stride;
    const int64_t r0 = firstRing + kRings * static_cast<int64_t>(blockIdx.y);
    const int targets = static_cast<int>(
        min(static_cast<long long>(kRings), static_cast<long long>(lastRing - r0 + 1)));
    const int64_t rings = 4 * grid.nside - 1;
    const int64_t first = ringsAround(grid.theta, rings, r0, radius).first;
    const int64_t last = ringsAround(grid.theta, rings, r0 + targets - 1, radius).last;
    const int column = static_cast<int>(blockIdx.x) * kBlockColumns;
    const int all = static_cast<int>(4 * grid.nside);
    const int rowsAtOnce = max(1, min(kMostRows, kWeightRoom / (kRings * taps)));
    const int thread = static_cast<int>(threadIdx.x);
    double sum[kRings][kColumns];
#pragma unroll
    for (auto& row : sum)
#pragma unroll
        for (double& s : row) s = 0.0;
    for (int64_t chunk = first; chunk <= last; chunk += rowsAtOnce) {
        const int rows = static_cast<int>(
            min(static_cast<long long>(rowsAtOnce), static_cast<long long>(last - chunk + 1)));
        __syncthreads();
        for (int i = thread; i < rows; i += kThreads) {
            const HealpixRing from = grid.ring[chunk + i];
            int begin = 0, end = 0;
            for (int t = 0; t < targets; ++t) {
                const RingPair pair = ringPair(grid.ring[r0 + t], from, profile.end);
                if (pair.reach < 0.0) continue;
                const TapRun run = tapRun(grid.ring[r0 + t], 0, from, pair);
                if (run.count == 0) continue;
                const int low = static_cast<int>(run.first), high = low + run.count;
                begin = end > begin ? min(begin, low) : low;
                end = end > begin ? max(end, high) : high;
            }
            begins[i] = begin;
            counts[i] = min(end - begin, taps);
        }
        __syncthreads();
        const double q = static_cast<double>(grid.nside);
        for (int e = thread; e < rows * taps * kRings; e += kThreads) {
            const int t = e % kRings, tap = e / kRings % taps, row = e / (kRings * taps);
            double w = 0.0;
            if (tap < counts[row] && t < targets) {
                const HealpixRing from = grid.ring[chunk + row], target = grid.ring[r0 + t];
                const double dz = target.z - from.z, ds = target.s - from.s;
                RingPair pair;
                pair.y0 = 0.5 * (dz * dz + ds * ds);
                pair.across = 2.0 * target.s * from.s;
                const double place = begins[row] + tap + from.shift - target.shift;
                const double delta = kHalfPi * place / q;
                w = grid.factor[chunk + row] *
                    profile(distanceOf(pair, delta, fabs(delta) <= 0.999));
            }
            weights[e] = w;
        }
        for (int row = 0; row < rows; ++row) {
            const int count = (counts[row] + 3) / 4 * 4;
            if (count == 0) continue;
            __syncthreads();
            const Sample* const from = values + grid.ring[chunk + row].first;
            int at = (column + begins[row]) % all;
            if (at < 0) at += all;
            for (int i = thread; i < kBlockColumns + count; i += kThreads) {
                const int place = (at + i) % all;
                source[(i & 3) * stride + (i >> 2)] = static_cast<double>(from[place]);
            }
            __syncthreads();
            double window[2 * kColumns];
#pragma unroll
            for (int v = 0; v < kColumns; ++v) window[v] = source[v * stride + thread];
            const double* w = weights + static_cast<size_t>(row) * taps * kRings;
            for (int tap = 0; tap < count; tap += 4) {
#pragma unroll
                for (int v = 0; v < kColumns; ++v)
                    window[kColumns + v] = source[v * stride + thread + tap / 4 + 1];
#pragma unroll
                for (int i = 0; i < 4; ++i)
#pragma unroll
                    for (int t = 0; t < kRings; ++t) {
                        const double weight = w[(tap + i) * kRings + t];
#pragma unroll
                        for (int v = 0; v < kColumns; ++v)
                            sum[t][v] = fma(weight, window[i + v], sum[t][v]);
                    }
#pragma unroll
                for (int v = 0; v < kColumns; ++v) window[v] = window[kColumns + v];
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
          copies(on) {}

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
    // The most taps of a belt target in one source ring, of four targets together, to a multiple of
    // four: those of the first, where rings are the shortest, and one at each end for the others.
    int tapsOf(const RingSpan& belt, double radius, double end) const {
        if (belt.first > belt.last) return 0;
        int most = 0;
        const HealpixRing& target = rings.ring[static_cast<size_t>(belt.first)];
        const RingSpan span = ringsAround(rings.theta.data(), rings.count, belt.first, radius);
        for (int64_t k = span.first; k <= span.last; ++k) {
            const HealpixRing& from = rings.ring[static_cast<size_t>(k)];
            const RingPair pair = ringPair(target, from, end);
            if (pair.reach < 0.0) continue;
            // Of the shortest source ring, whatever target it has.
            most = std::max(most, tapRun(target, 0, from, pair).count);
        }
        return (most + 4 + 3) / 4 * 4;
    }

    // Sums of `values` (or of the mask) to `to`. With a job: in pieces that are waited for.
    template <class Sample>
    void sums(const ProfileTable& profile, const ProfileView& view, const Sample* values,
              CudaArray& to, const cuda::Stream& on, JobContext* job) {
        const int64_t nside = rings.nside;
        const RingSpan belt = beltTargets(rings, profile.radius(), view.end);
        const int taps = tapsOf(belt, profile.radius(), view.end);
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
        for (int64_t r = 1; r <= capLast;) {
            const int64_t count = std::min(capLast - r + 1, job ? ringsOfPiece : 32768);
            const int64_t longest = rings.ring[static_cast<size_t>(r + count - 1)].quarter / 2 + 1;
            const dim3 blocks(static_cast<unsigned>((longest + kThreads - 1) / kThreads),
                              static_cast<unsigned>(count));
            capKernel<<<blocks, kThreads, 0, on.get()>>>(grid(), view, profile.radius(), r, values,
                                                         to.data());
            cuda::checkLaunch("convolving caps");
            wait();
            r += count;
        }
        const size_t bytes =
            sizeof(double) * (4 * static_cast<size_t>(kThreads + taps / 4 + 1) +
                              static_cast<size_t>(std::max(kWeightRoom, kRings * taps)));
        if (belt.first <= belt.last && bytes > 48 * 1024)
            cuda::check(cudaFuncSetAttribute(beltKernel<Sample>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(bytes)),
                        "shared memory for a kernel this wide");
        for (int64_t r = belt.first; r <= belt.last;) {
            const int64_t fours = job ? (ringsOfPiece + kRings - 1) / kRings : int64_t{32768};
            const int64_t last = std::min(belt.last, r + kRings * fours - 1);
            const dim3 blocks(
                static_cast<unsigned>((4 * nside + kBlockColumns - 1) / kBlockColumns),
                static_cast<unsigned>((last - r + kRings) / kRings));
            beltKernel<<<blocks, kThreads, bytes, on.get()>>>(grid(), view, profile.radius(), r,
                                                              last, taps, values, to.data());
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
                sums(*request.profile, view, samples.values.data(), *result, on, job);
                if (request.normalize && held.bad)
                    sums(*request.profile, view, samples.good.data(), *mask, on, job);
            },
            held.samples);
    }

    int device;
    HealpixRings rings;
    cuda::DeviceBuffer<HealpixRing> ring;
    cuda::DeviceBuffer<double> theta, factor;
    cuda::Stream stream, live;
    cuda::Event done;  // of the last request: the next one takes its arrays
    HostCopies copies;
    std::vector<Held> fields;
    std::optional<CudaArray> result, mask;
    std::vector<Stage> stages;
    size_t nextStage = 0;
};

DirectCuda::DirectCuda(int device, int64_t nside, std::span<const double> ringWeights)
    : state_(std::make_unique<State>(device, nside)) {
    State& s = *state_;
    std::vector<double> factor(s.rings.ring.size(),
                               4.0 * kPi / static_cast<double>(pixelCount(nside)));
    for (int64_t r = 1; r <= s.rings.count && !ringWeights.empty(); ++r)
        factor[static_cast<size_t>(r)] *=
            ringWeights[static_cast<size_t>(std::min(r, 4 * nside - r)) - 1];
    s.ring = s.resident(s.rings.ring);
    s.theta = s.resident(s.rings.theta);
    s.factor = s.resident(factor);
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
    int64_t bytes = 8 * static_cast<int64_t>(s.result->size() + (s.mask ? s.mask->size() : 0));
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
