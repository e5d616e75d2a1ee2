// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the arguments of gridding and chooses the device.
#include "armilla/ops/grid.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_loop.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/seconds_since.h"
#include "armilla/device/cuda_array.h"
#include "grid/grid_backend.h"
#include "grid/sample_order.h"

namespace armilla {

namespace {

void checkSamples(const GridSamples& samples) {
    if (samples.lat.size() != samples.lon.size())
        throw InvalidArgument("expected as many latitudes as longitudes, " +
                              std::to_string(samples.lon.size()) + ", found " +
                              std::to_string(samples.lat.size()));
    if (!samples.weights.empty() && samples.weights.size() != samples.lon.size())
        throw InvalidArgument("expected as many weights as samples, " +
                              std::to_string(samples.lon.size()) + ", found " +
                              std::to_string(samples.weights.size()));
    if (samples.count() > std::numeric_limits<uint32_t>::max())
        throw InvalidArgument("expected fewer than 2^32 samples in a piece, found " +
                              std::to_string(samples.count()));
}

void checkTuning(const GridTuning& tuning) {
    const auto isOf = [](int value, std::initializer_list<int> choices) {
        return std::find(choices.begin(), choices.end(), value) != choices.end();
    };
    if (!isOf(tuning.threads, {0, 64, 128, 256}) || !isOf(tuning.cells, {0, 1, 4, 8, 16}))
        throw InvalidArgument(
            "expected 64, 128 or 256 threads of a block and 1, 4, 8 or 16 cells of a tile, found " +
            std::to_string(tuning.threads) + " and " + std::to_string(tuning.cells));
    constexpr int kMostParts = 64, kMostBins = 16;
    if (tuning.parts < 0 || tuning.parts > kMostParts || tuning.bins < 0 || tuning.bins > kMostBins)
        throw InvalidArgument(
            "expected up to 64 parts of a tile and up to 16 bins in the radius, "
            "found " +
            std::to_string(tuning.parts) + " and " + std::to_string(tuning.bins));
}

// The fewest samples of a device among several. One device grids a million samples in milliseconds;
// the start of another device takes a second.
constexpr int64_t kLeastRowsOfDevice = int64_t{1} << 20;

std::unique_ptr<GridBackend> makeGridOn(std::vector<Vec3> cells, const GridKernel& kernel,
                                        const Device& device, const GridTuning& tuning) {
    if (device.kind == DeviceKind::Cpu) return makeGridCpu(std::move(cells), kernel);
    if (device.others.empty()) return makeGridCuda(std::move(cells), kernel, device, tuning);
    const auto shared = std::make_shared<const std::vector<Vec3>>(std::move(cells));
    std::vector<int> devices{device.index};
    devices.insert(devices.end(), device.others.begin(), device.others.end());
    std::vector<MakeGrid> make;
    for (const int index : devices) {
        Device one = device;
        one.index = index;
        one.others.clear();
        make.emplace_back([=] { return makeGridCuda(*shared, kernel, one, tuning); });
    }
    return makeSharedGrid(std::move(make), kLeastRowsOfDevice);
}

void sortRanges(std::vector<PixelRange>& ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const PixelRange& a, const PixelRange& b) { return a.begin < b.begin; });
}
// The union of sorted ranges, in order and disjoint.
std::vector<PixelRange> merged(const std::vector<PixelRange>& a, const std::vector<PixelRange>& b) {
    std::vector<PixelRange> all;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
               [](const PixelRange& x, const PixelRange& y) { return x.begin < y.begin; });
    size_t count = 0;
    for (const PixelRange& range : all)
        if (count > 0 && range.begin <= all[count - 1].end)
            all[count - 1].end = std::max(all[count - 1].end, range.end);
        else
            all[count++] = range;
    all.resize(count);
    return all;
}
template <class Iterator>
void list(Iterator begin, Iterator end, std::vector<int64_t>& pixels) {
    for (; begin != end; ++begin)
        for (int64_t p = begin->begin; p < begin->end; ++p) pixels.push_back(p);
}

}  // namespace

struct GridPlan::State {
    int64_t samples = 0, cells = 0;
    bool nearest = false;
    std::unique_ptr<GridBackend> backend;
};

GridPlan::GridPlan(std::vector<Vec3> cells, const GridKernel& kernel, const Device& device,
                   const GridTuning& tuning)
    : state_(std::make_unique<State>()) {
    const GridKernel checked = checkedKernel(kernel);
    checkTuning(tuning);
    state_->cells = static_cast<int64_t>(cells.size());
    state_->nearest = kernel.kind == GridKernelKind::Nearest;
    state_->backend = makeGridOn(std::move(cells), checked, device, tuning);
}
GridPlan::~GridPlan() = default;
GridPlan::GridPlan(GridPlan&&) noexcept = default;
GridPlan& GridPlan::operator=(GridPlan&&) noexcept = default;

void GridPlan::order(const GridSamples& samples, JobContext& job) {
    checkSamples(samples);
    const auto start = std::chrono::steady_clock::now();
    state_->samples = 0;  // a failed ordering leaves no samples
    state_->backend->order(samples, job);
    state_->samples = samples.count();
    state_->backend->report.orderSeconds = secondsSince(start);
}

GridSums GridPlan::execute(std::span<const GridValues> values, JobContext& job) {
    int64_t channels = 0;
    for (const GridValues& column : values) {
        const size_t size = std::visit([](auto numbers) { return numbers.size(); }, column.values);
        if (column.width < 1 || size != static_cast<size_t>(state_->samples * column.width))
            throw InvalidArgument("expected " + std::to_string(state_->samples) + " rows of " +
                                  std::to_string(column.width) + " values, found " +
                                  std::to_string(size) + " values");
        channels += column.width;
    }
    if (channels == 0) throw InvalidArgument("expected values to grid, found none");
    const auto start = std::chrono::steady_clock::now();
    GridSums sums = emptySums(state_->cells, channels, state_->nearest, job);
    state_->backend->execute(values, sums, job);
    state_->backend->report.gatherSeconds = secondsSince(start);
    return sums;
}

const GridReport& GridPlan::report() const {
    return state_->backend->report;
}

void addSums(GridSums& to, const GridSums& from) {
    JobContext alone({}, {}, 1);
    addSums(to, from, alone);
}

void addSums(GridSums& to, const GridSums& from, JobContext& job) {
    if (to.cells != from.cells || to.channels != from.channels ||
        to.nearest.size() != from.nearest.size())
        throw InvalidArgument(
            "expected sums of equal numbers of cells and channels, found different numbers");
    forPixels(to.values.size(), job, [&](size_t i) {
        to.counts[i] += from.counts[i];
        if (!to.nearest.empty()) {
            const double here = to.nearest[i], there = from.nearest[i];
            if (there > here * (1.0 + kNearestTie)) return;
            to.nearest[i] = std::min(here, there);
            if (here > there * (1.0 + kNearestTie)) to.values[i] = to.weights[i] = 0.0;
        }
        to.values[i] += from.values[i];
        to.weights[i] += from.weights[i];
    });
}

std::vector<double> griddedValues(const GridSums& sums) {
    std::vector<double> result(sums.values.size());
    for (size_t i = 0; i < result.size(); ++i)
        result[i] =
            sums.counts[i] > 0 && sums.weights[i] != 0.0 ? sums.values[i] / sums.weights[i] : kNan;
    return result;
}

int64_t rowsOfPiece(const Device& device, const GridLoad& load) {
    const bool cpu = device.kind == DeviceKind::Cpu;
    const int64_t available = cpu ? availableMemory() : CudaArray::freeBytes(device.index);
    const int64_t each = cpu ? 60 : 112 + 8 * load.widest;
    constexpr int64_t kLeast = int64_t{1} << 20, kMost = int64_t{1} << 31;
    const int64_t rows = std::clamp(available / 2 / each, kLeast, kMost);
    // Each of several devices takes its part of a piece.
    if (!cpu) return std::min(kMost, rows * (1 + static_cast<int64_t>(device.others.size())));
    constexpr int64_t kSmallest = int64_t{1} << 18;
    // The search of a cell costs as much as some tens of samples, and each piece needs sums of its
    // own.
    constexpr int64_t kSamplesOfCell = 32;
    const int64_t worth = load.cells > kMost / kSamplesOfCell / std::max<int64_t>(1, load.channels)
                              ? kMost
                              : kSamplesOfCell * load.cells * load.channels;
    return std::clamp(worth, kSmallest, rows);
}

std::vector<int64_t> pixelsNear(const GridSamples& samples, int64_t nside, double radius,
                                JobContext& job) {
    checkSamples(samples);
    checkNside(nside, Ordering::Ring);
    // Coarse pixels of a third of the radius or more are tested for samples first. Smaller ones fit
    // the discs better, but there must be few enough to test all.
    constexpr int64_t kFinest = 2048, kFew = 256, kMostHolding = int64_t{1} << 20;
    int64_t coarse =
        std::clamp<int64_t>(std::llround(3.0 / radius), 1, std::min<int64_t>(nside, kFinest));
    std::vector<std::atomic<uint8_t>> holds;
    for (;; coarse /= 2) {
        holds = std::vector<std::atomic<uint8_t>>(static_cast<size_t>(pixelCount(coarse)));
        std::atomic<int64_t> holding{0};
        parallelFor(job, samples.count(), kPixelGrain, [&](long long begin, long long end) {
            int64_t found = 0;
            for (long long i = begin; i < end; ++i) {
                const Vec3 v = sampleDirection(samples, i);
                if (std::isfinite(v.x) && std::isfinite(v.z))
                    found += holds[static_cast<size_t>(ringFromDirection(coarse, v))].exchange(
                                 1, std::memory_order_relaxed) == 0
                                 ? 1
                                 : 0;
            }
            holding += found;
        });
        if (coarse <= kFew || holding <= kMostHolding) break;
    }
    // Ring after ring of coarse pixels from the north. Their overlapping discs are merged
    // incrementally, and pixels north of all later discs are emitted; memory holds only a few
    // rings.
    const double reach = std::min(kPi, radius + maximumPixelRadius(coarse) + 1e-9);
    std::vector<PixelRange> pending;
    std::vector<int64_t> pixels;
    for (int64_t ring = 1; ring < 4 * coarse; ++ring) {
        std::vector<PixelRange> ranges;
        const int64_t first = detail::firstPixelOfRing(coarse, ring);
        const int64_t end = first + 4 * detail::quarterLength(coarse, ring);
        for (int64_t p = first; p < end; ++p) {
            if (holds[static_cast<size_t>(p)].load(std::memory_order_relaxed) == 0) continue;
            const auto disc = queryDisc(nside, Ordering::Ring, directionFromRing(coarse, p), reach);
            ranges.insert(ranges.end(), disc.begin(), disc.end());
            job.poll();
        }
        if (ranges.empty()) continue;
        sortRanges(ranges);
        const int64_t top =
            detail::firstPixelOfRing(nside, ringPlaceFromRing(nside, ranges.front().begin).ring);
        pending = merged(pending, ranges);
        const auto rest = std::find_if(pending.begin(), pending.end(),
                                       [&](const PixelRange& range) { return range.end > top; });
        list(pending.begin(), rest, pixels);
        pending.erase(pending.begin(), rest);
    }
    list(pending.begin(), pending.end(), pixels);
    return pixels;
}

}  // namespace armilla
