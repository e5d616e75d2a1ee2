// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs on a CUDA device. All sets are ordered along a Hilbert curve on each base face of HEALPix.
// The curve is divided into leaves of a warp's 32 points and groups of 32 leaves, with caps around
// both.
// - For each pair of groups (a tile) of each task, a thread finds the edges that its pairs may
//   straddle.
// - A block per remaining tile does the same for pairs of leaves, one lane each.
// - A warp counts the pairs of the remaining leaves by single-precision dot products far enough
//   from the edge, otherwise by double-precision chords.
// - Pairs that double precision leaves in doubt go to the host.
// Blocks process at most 2^20 pairs, which takes a fraction of a millisecond.
#include <algorithm>
#include <cmath>
#include <cub/device/device_radix_sort.cuh>
#include <string>
#include <vector>

#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "pairs/pair_angles_cuda.cuh"
#include "pairs/pair_counts_cuda.h"
#include "pairs/pair_kernels_cuda.cuh"

namespace armilla {

using cuda::check;
using cuda::checkLaunch;
using cuda::DeviceBuffer;

namespace {

using namespace pairing;

unsigned blocksFor(int64_t count, int perBlock) {
    return static_cast<unsigned>((count + perBlock - 1) / perBlock);
}

// Consecutive parts of one device allocation: one driver call instead of twenty.
class Arena {
public:
    template <class T>
    void want(int64_t count) {
        bytes_ += (static_cast<size_t>(count) * sizeof(T) + kAlign - 1) / kAlign * kAlign;
    }
    void make(int device) {
        buffer_ = DeviceBuffer<char>(device, bytes_);
        next_ = buffer_.data();
    }
    template <class T>
    T* take(int64_t count) {
        T* const part = reinterpret_cast<T*>(next_);
        next_ += (static_cast<size_t>(count) * sizeof(T) + kAlign - 1) / kAlign * kAlign;
        return part;
    }

private:
    static constexpr size_t kAlign = 256;
    size_t bytes_ = 0;
    DeviceBuffer<char> buffer_;
    char* next_ = nullptr;
};

}  // namespace

struct CudaPairCounter::State {
    State(int chosen) : device(chosen), stream(chosen, cuda::Priority::Low) {}

    int device;
    cuda::Stream stream;
    Arena cells, work;
    View view{};
    std::vector<SetView> sets;
    std::vector<TaskView> tasks;
    std::vector<int64_t> tileStart;
    Tile* tiles = nullptr;
    unsigned* tileCount = nullptr;
    // counters of a slice: at an edge, then from an edge on
    unsigned long long* counters = nullptr;
    unsigned long long* totals = nullptr;
    int64_t counterCount = 0;
    bool weighted = false;
    WeightSums weightCounters{}, weightTotals{};  // for the counters above, in the same order
    unsigned long long* doubtCount = nullptr;
    DeviceBuffer<CudaDoubt> doubts;
    // The next slice's size: halved if doubts do not fit.
    int64_t slice = kSlice;
    int tileEdges = kTileEdges;

    template <class T>
    void upload(T* to, const T* from, int64_t count) {
        check(cudaMemcpyAsync(to, from, static_cast<size_t>(count) * sizeof(T),
                              cudaMemcpyHostToDevice, stream.get()),
              "copying to the device");
    }
    // From host memory, or from that of the device.
    template <class T>
    void take(T* to, const T* from, int64_t count) {
        check(cudaMemcpyAsync(to, from, static_cast<size_t>(count) * sizeof(T), cudaMemcpyDefault,
                              stream.get()),
              "copying points");
    }
    template <class T>
    void download(T* to, const T* from, int64_t count) {
        check(cudaMemcpyAsync(to, from, static_cast<size_t>(count) * sizeof(T),
                              cudaMemcpyDeviceToHost, stream.get()),
              "copying from the device");
    }
    void makeCells(std::span<const CudaPoints> points, std::span<const CudaEdge> edges,
                   JobContext& job);
    // False if the doubts did not fit; then nothing is added.
    bool countSlice(int64_t begin, int64_t end, std::vector<CudaDoubt>& found);
    void addTotals(std::span<int64_t> below, std::span<double> weightBelow);
    void findExponents(std::span<const CudaPoints> points, std::span<const CudaPairTask> asked);
    WeightSums fromOf(const WeightSums& sums) const {
        const int64_t at = int64_t{view.taskCount} * view.edgeCount;
        return {sums.low + at, sums.high + at, sums.exponents};
    }
    std::vector<int> exponents;
};

void CudaPairCounter::State::makeCells(std::span<const CudaPoints> points,
                                       std::span<const CudaEdge> edges, JobContext& job) {
    const auto setCount = static_cast<int64_t>(points.size());
    std::vector<int64_t> setStart;
    std::vector<int> groupStart;
    int64_t all = 0, groups = 0;
    for (const CudaPoints& set : points) {
        const int64_t own = (set.count + kGroupSize - 1) / kGroupSize;
        sets.push_back({all, set.count, static_cast<int>(groups), static_cast<int>(own)});
        setStart.push_back(all);
        groupStart.push_back(static_cast<int>(groups));
        all += set.count;
        groups += own;
    }
    if (all > int64_t{0xFFFFFFFF} || groups * kGroupLeaves > int64_t{0x7FFFFFFF})
        throw InvalidArgument("expected fewer than 2^32 points on one device, found " +
                              std::to_string(all));
    const int64_t places = groups * kGroupSize;
    const int64_t edgeCount = std::max<int64_t>(1, static_cast<int64_t>(edges.size()));

    const int64_t weightPlaces = weighted ? places : 0, weightGroups = weighted ? groups : 0;
    cells.want<double>(3 * places);
    cells.want<double>(weightPlaces);
    cells.want<CellWeight>(weightGroups * (kGroupLeaves + 1));
    cells.want<float4>(places);
    cells.want<uint32_t>(places);
    cells.want<Cap>(groups * kGroupLeaves);
    cells.want<Cap>(groups);
    cells.want<int>(groups * kGroupLeaves);
    cells.want<int>(groups);
    cells.want<CudaEdge>(edgeCount);
    cells.make(device);
    double* const fine = cells.take<double>(3 * places);
    double* const weights = cells.take<double>(weightPlaces);
    CellWeight* const cellWeights = cells.take<CellWeight>(weightGroups * (kGroupLeaves + 1));
    const Cells to{fine,
                   fine + places,
                   fine + 2 * places,
                   weights,
                   cells.take<float4>(places),
                   cells.take<uint32_t>(places),
                   cellWeights,
                   cellWeights + weightGroups * kGroupLeaves,
                   cells.take<Cap>(groups * kGroupLeaves),
                   cells.take<Cap>(groups),
                   cells.take<int>(groups * kGroupLeaves),
                   cells.take<int>(groups)};
    CudaEdge* const edgeList = cells.take<CudaEdge>(edgeCount);
    upload(edgeList, edges.data(), static_cast<int64_t>(edges.size()));
    view.x = to.x;
    view.y = to.y;
    view.z = to.z;
    view.single = to.single;
    view.index = to.index;
    if (weighted) {
        view.weights = to.weights;
        view.leafWeights = to.leafWeights;
        view.groupWeights = to.groupWeights;
    }
    view.leafCaps = to.leafCaps;
    view.groupCaps = to.groupCaps;
    view.leafCounts = to.leafCounts;
    view.groupCounts = to.groupCounts;
    view.edges = edgeList;
    view.edgeCount = static_cast<int>(edges.size());
    if (all == 0) {
        stream.synchronize();
        return;
    }

    int setBits = 0;
    while ((setCount - 1) >> setBits > 0) ++setBits;
    if (kKeyBits + setBits > 64)
        throw InvalidArgument("expected at most 2^20 sets of points on one device, found " +
                              std::to_string(setCount));
    size_t sortBytes = 0;
    check(cub::DeviceRadixSort::SortPairs(
              nullptr, sortBytes, static_cast<uint64_t*>(nullptr), static_cast<uint64_t*>(nullptr),
              static_cast<uint32_t*>(nullptr), static_cast<uint32_t*>(nullptr), all, 0,
              kKeyBits + setBits, stream.get()),
          "planning a sort");
    Arena sorting;
    const int64_t rawWeights = weighted ? all : 0;
    sorting.want<double>(3 * all);
    sorting.want<double>(rawWeights);
    sorting.want<uint64_t>(2 * all);
    sorting.want<uint32_t>(2 * all);
    sorting.want<SetView>(setCount);
    sorting.want<int64_t>(setCount);
    sorting.want<int>(setCount);
    sorting.want<char>(static_cast<int64_t>(sortBytes));
    sorting.make(device);
    double* const raw = sorting.take<double>(3 * all);
    double* const weight = sorting.take<double>(rawWeights);
    uint64_t* const keys = sorting.take<uint64_t>(2 * all);
    uint32_t* const order = sorting.take<uint32_t>(2 * all);
    SetView* const setViews = sorting.take<SetView>(setCount);
    int64_t* const starts = sorting.take<int64_t>(setCount);
    int* const groupStarts = sorting.take<int>(setCount);
    char* const scratch = sorting.take<char>(static_cast<int64_t>(sortBytes));
    for (int64_t s = 0; s < setCount; ++s) {
        job.poll();
        const CudaPoints& set = points[static_cast<size_t>(s)];
        const int64_t first = setStart[static_cast<size_t>(s)];
        take(raw + first, set.x, set.count);
        take(raw + all + first, set.y, set.count);
        take(raw + 2 * all + first, set.z, set.count);
        if (weighted) take(weight + first, set.weights, set.count);
    }
    upload(setViews, sets.data(), setCount);
    upload(starts, setStart.data(), setCount);
    upload(groupStarts, groupStart.data(), setCount);
    keysKernel<<<blocksFor(all, kBlock), kBlock, 0, stream.get()>>>(
        raw, raw + all, raw + 2 * all, all, starts, static_cast<int>(setCount), keys, order);
    checkLaunch("finding the cells of points");
    check(cub::DeviceRadixSort::SortPairs(scratch, sortBytes, keys, keys + all, order, order + all,
                                          all, 0, kKeyBits + setBits, stream.get()),
          "sorting points");
    cellsKernel<<<static_cast<unsigned>(groups), kBlock, 0, stream.get()>>>(
        {raw, raw + all, raw + 2 * all, weighted ? weight : nullptr, order + all, setViews,
         groupStarts, static_cast<int>(setCount)},
        to);
    checkLaunch("making cells");
    stream.synchronize();
}

CudaPairCounter::CudaPairCounter(int device, std::span<const CudaPoints> sets,
                                 std::span<const CudaPairTask> tasks,
                                 std::span<const CudaEdge> edges, JobContext& job)
    : state_(std::make_unique<State>(device)) {
    const cuda::DeviceScope scope(device);
    State& s = *state_;
    s.weighted = !sets.empty() && sets.front().weights != nullptr;
    s.tileEdges = s.weighted ? kWeightedTileEdges : kTileEdges;
    s.makeCells(sets, edges, job);
    int64_t tiles = 0;
    for (const CudaPairTask& task : tasks) {
        const SetView &a = s.sets[static_cast<size_t>(task.first)],
                      &b = s.sets[static_cast<size_t>(task.second)];
        s.tasks.push_back(
            {a.firstGroup, a.groups, b.firstGroup, b.groups, task.first == task.second});
        s.tileStart.push_back(tiles);
        tiles += int64_t{a.groups} * b.groups;
    }
    s.tileStart.push_back(tiles);
    const auto taskCount = static_cast<int64_t>(tasks.size());
    // Upper bound of the number of tiles from one pair of groups.
    const int64_t pieces = std::max<int64_t>(1, (s.view.edgeCount + s.tileEdges - 1) / s.tileEdges);
    s.slice = std::clamp<int64_t>(tiles, 1, kSlice / pieces);
    s.counterCount = taskCount * (2 * int64_t{s.view.edgeCount} + 1);
    s.work.want<TaskView>(taskCount);
    s.work.want<int64_t>(taskCount + 1);
    s.work.want<Tile>(s.slice * pieces);
    s.work.want<unsigned>(1);
    s.work.want<unsigned long long>(s.counterCount);
    s.work.want<unsigned long long>(s.counterCount);
    const int64_t weightCount = s.weighted ? s.counterCount : 0;
    s.work.want<unsigned long long>(4 * weightCount);
    s.work.want<int>(taskCount);
    s.work.want<unsigned long long>(1);
    s.work.make(device);
    auto* const taskViews = s.work.take<TaskView>(taskCount);
    auto* const starts = s.work.take<int64_t>(taskCount + 1);
    s.tiles = s.work.take<Tile>(s.slice * pieces);
    s.tileCount = s.work.take<unsigned>(1);
    s.counters = s.work.take<unsigned long long>(s.counterCount);
    s.totals = s.work.take<unsigned long long>(s.counterCount);
    auto* const weightSums = s.work.take<unsigned long long>(4 * weightCount);
    int* const exponents = s.work.take<int>(taskCount);
    if (s.weighted) {
        s.findExponents(sets, tasks);
        s.upload(exponents, s.exponents.data(), taskCount);
        s.weightCounters = {weightSums, weightSums + weightCount, exponents};
        s.weightTotals = {weightSums + 2 * weightCount, weightSums + 3 * weightCount, exponents};
    }
    s.doubtCount = s.work.take<unsigned long long>(1);
    s.doubts = DeviceBuffer<CudaDoubt>(device, size_t{1} << 18);
    s.upload(taskViews, s.tasks.data(), taskCount);
    s.upload(starts, s.tileStart.data(), taskCount + 1);
    s.view.tasks = taskViews;
    s.view.tileStart = starts;
    s.view.taskCount = static_cast<int>(taskCount);
    s.stream.synchronize();
}

CudaPairCounter::~CudaPairCounter() = default;

// The largest powers of two whose product with any sum stays below 2^125.
void CudaPairCounter::State::findExponents(std::span<const CudaPoints> points,
                                           std::span<const CudaPairTask> asked) {
    for (const CudaPairTask& task : asked) {
        const double most = points[static_cast<size_t>(task.first)].weightSizes *
                            points[static_cast<size_t>(task.second)].weightSizes;
        int exponent = 0;
        std::frexp(most, &exponent);
        exponents.push_back(most > 0.0 && std::isfinite(most) ? 125 - exponent : 0);
    }
}

int64_t CudaPairCounter::tiles() const {
    return state_->tileStart.back();
}

bool CudaPairCounter::State::countSlice(int64_t begin, int64_t end, std::vector<CudaDoubt>& found) {
    check(cudaMemsetAsync(counters, 0, static_cast<size_t>(counterCount) * sizeof(*counters),
                          stream.get()),
          "clearing counts");
    if (weighted)
        check(cudaMemsetAsync(weightCounters.low, 0,
                              static_cast<size_t>(2 * counterCount) * sizeof(*counters),
                              stream.get()),
              "clearing sums of weights");
    check(cudaMemsetAsync(tileCount, 0, sizeof(*tileCount), stream.get()), "clearing counts");
    check(cudaMemsetAsync(doubtCount, 0, sizeof(*doubtCount), stream.get()), "clearing counts");
    unsigned long long* const from = counters + int64_t{view.taskCount} * view.edgeCount;
    tilesKernel<<<blocksFor(end - begin, kBlock), kBlock, 0, stream.get()>>>(
        view, begin, end, tileEdges, tiles, tileCount, from,
        weighted ? fromOf(weightCounters) : WeightSums{});
    checkLaunch("choosing cells");
    unsigned listed = 0;
    download(&listed, tileCount, 1);
    stream.synchronize();
    if (listed > 0 && weighted) {
        weightedPairsKernel<<<listed, kBlock, 0, stream.get()>>>(
            view, tiles, counters, weightCounters, {doubts.data(), doubtCount, doubts.size()});
        checkLaunch("counting pairs with weights");
    } else if (listed > 0) {
        pairsKernel<<<listed, kBlock, 0, stream.get()>>>(
            view, tiles, counters, {doubts.data(), doubtCount, doubts.size()});
        checkLaunch("counting pairs");
    }
    unsigned long long doubtful = 0;
    download(&doubtful, doubtCount, 1);
    stream.synchronize();
    if (doubtful > doubts.size()) return false;
    addKernel<<<blocksFor(counterCount, kBlock), kBlock, 0, stream.get()>>>(totals, counters,
                                                                            counterCount);
    checkLaunch("adding counts");
    if (weighted) {
        addWeightsKernel<<<blocksFor(counterCount, kBlock), kBlock, 0, stream.get()>>>(
            weightTotals, weightCounters, counterCount);
        checkLaunch("adding sums of weights");
    }
    const size_t before = found.size();
    found.resize(before + static_cast<size_t>(doubtful));
    if (doubtful > 0)
        download(found.data() + before, doubts.data(), static_cast<int64_t>(doubtful));
    stream.synchronize();
    return true;
}

void CudaPairCounter::State::addTotals(std::span<int64_t> below, std::span<double> weightBelow) {
    const auto all = static_cast<size_t>(counterCount);
    std::vector<unsigned long long> counts(all), low(weighted ? all : 0), high(low.size());
    download(counts.data(), totals, counterCount);
    if (weighted) {
        download(low.data(), weightTotals.low, counterCount);
        download(high.data(), weightTotals.high, counterCount);
    }
    stream.synchronize();
    const auto edgeCount = static_cast<size_t>(view.edgeCount);
    const size_t tasksAndEdges = static_cast<size_t>(view.taskCount) * edgeCount;
    __extension__ typedef __int128 Wide;
    const auto wide = [&](size_t i) {
        return static_cast<Wide>(static_cast<long long>(high[i])) * (Wide{1} << 64) +
               static_cast<Wide>(low[i]);
    };
    for (size_t t = 0; t < static_cast<size_t>(view.taskCount); ++t) {
        int64_t whole = 0;
        Wide wholeWeight = 0;
        for (size_t k = 0; k < edgeCount; ++k) {
            const size_t at = t * edgeCount + k, from = tasksAndEdges + t * (edgeCount + 1) + k;
            whole += static_cast<int64_t>(counts[from]);
            below[at] += whole + static_cast<int64_t>(counts[at]);
            if (!weighted) continue;
            wholeWeight += wide(from);
            weightBelow[at] +=
                std::ldexp(static_cast<double>(wholeWeight + wide(at)), -exponents[t]);
        }
    }
}

void CudaPairCounter::count(int64_t begin, int64_t end, std::span<int64_t> below,
                            std::span<double> weightBelow, std::vector<CudaDoubt>& doubts,
                            JobContext& job) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    if (s.view.edgeCount == 0 || s.view.taskCount == 0) return;
    check(cudaMemsetAsync(s.totals, 0, static_cast<size_t>(s.counterCount) * sizeof(*s.totals),
                          s.stream.get()),
          "clearing counts");
    if (s.weighted)
        check(cudaMemsetAsync(s.weightTotals.low, 0,
                              static_cast<size_t>(2 * s.counterCount) * sizeof(*s.totals),
                              s.stream.get()),
              "clearing sums of weights");
    const int64_t all = end - begin;
    int64_t size = s.slice;
    for (int64_t at = begin; at < end;) {
        job.poll();
        const int64_t next = std::min(end, at + size);
        if (s.countSlice(at, next, doubts)) {
            at = next;
            job.report(static_cast<double>(at - begin) / static_cast<double>(all),
                       "counting pairs");
        } else if (next - at > 1) {
            // Millions of points lie on edges: process fewer tiles at a time.
            size = (next - at + 1) / 2;
        } else {
            s.doubts = DeviceBuffer<CudaDoubt>(s.device, 4 * s.doubts.size());
        }
    }
    s.addTotals(below, weightBelow);
}

void CudaPairCounter::angles(bool startsAtZero, bool endsAtPi, std::span<double> angles,
                             std::span<double> weights, std::vector<CudaDoubt>& doubts,
                             JobContext& job) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    const auto count = static_cast<int64_t>(angles.size());
    if (count == 0) return;
    // Counters of a slice, then the totals.
    const DeviceBuffer<unsigned long long> workspace(s.device, static_cast<size_t>(8 * count));
    std::vector<int> exponents = s.exponents;
    if (!s.weighted) exponents.assign(s.tasks.size(), kAngleExponent + kAngleBits);
    const DeviceBuffer<int> ofTasks(s.device, exponents.size());
    s.upload(ofTasks.data(), exponents.data(), static_cast<int64_t>(exponents.size()));
    const auto part = [&](int64_t which) {
        unsigned long long* const first = workspace.data() + which * 4 * count;
        return AngleSums{first, first + count, first + 2 * count, first + 3 * count,
                         ofTasks.data()};
    };
    const auto clear = [&](auto* from, int64_t elements) {
        check(
            cudaMemsetAsync(from, 0, static_cast<size_t>(elements) * sizeof(*from), s.stream.get()),
            "clearing sums of angles");
    };
    clear(part(1).low, 4 * count);
    const int64_t all = s.tileStart.back(), most = std::min(kAngleSlice, s.slice);
    int64_t size = most;
    for (int64_t at = 0; at < all;) {
        job.poll();
        const int64_t next = std::min(all, at + size);
        clear(part(0).low, 4 * count);
        clear(s.tileCount, 1);
        clear(s.doubtCount, 1);
        angleTilesKernel<<<blocksFor(next - at, kBlock), kBlock, 0, s.stream.get()>>>(
            s.view, at, next, startsAtZero, endsAtPi, s.tiles, s.tileCount);
        checkLaunch("choosing cells");
        unsigned listed = 0;
        s.download(&listed, s.tileCount, 1);
        s.stream.synchronize();
        if (listed > 0) {
            const auto kernel = s.weighted ? anglesKernel<true> : anglesKernel<false>;
            kernel<<<dim3(listed, kAngleShares), kBlock, 0, s.stream.get()>>>(
                s.view, s.tiles, part(0), {s.doubts.data(), s.doubtCount, s.doubts.size()});
            checkLaunch("adding angles");
        }
        unsigned long long doubtful = 0;
        s.download(&doubtful, s.doubtCount, 1);
        s.stream.synchronize();
        if (doubtful > s.doubts.size()) {
            // A tile has at most 2^20 pairs, but all tiles may have more than the device can hold.
            if (next - at > 1)
                size = (next - at + 1) / 2;
            else
                s.doubts = DeviceBuffer<CudaDoubt>(s.device, static_cast<size_t>(2 * doubtful));
            continue;
        }
        size = std::min(most, 2 * size);
        addAnglesKernel<<<blocksFor(count, kBlock), kBlock, 0, s.stream.get()>>>(part(1), part(0),
                                                                                 count);
        checkLaunch("adding sums of angles");
        const size_t before = doubts.size();
        doubts.resize(before + static_cast<size_t>(doubtful));
        if (doubtful > 0)
            s.download(doubts.data() + before, s.doubts.data(), static_cast<int64_t>(doubtful));
        s.stream.synchronize();
        at = next;
        job.report(static_cast<double>(at) / static_cast<double>(all), "mean angles");
    }
    std::vector<unsigned long long> sums(static_cast<size_t>(4 * count));
    s.download(sums.data(), part(1).low, 4 * count);
    s.stream.synchronize();
    const size_t values = angles.size(), bins = values / exponents.size();
    for (size_t i = 0; i < values; ++i) {
        const int exponent = exponents[i / bins] - kAngleBits;
        const auto sumOf = [&](size_t low) {
            const double high = static_cast<double>(static_cast<long long>(sums[low + values]));
            return std::ldexp(high, 64 - exponent) +
                   std::ldexp(static_cast<double>(sums[low]), -exponent);
        };
        angles[i] += sumOf(i);
        weights[i] += sumOf(2 * values + i);
    }
}

}  // namespace armilla
