// SPDX-License-Identifier: GPL-3.0-or-later
// Points of a catalog on a CUDA device: columns of a caller become unit vectors, with the bits of
// the host (compiled without contraction). Patches split the points at medians, level by level.
#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <bit>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/sky_place.h"
#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "pairs/device_points.h"
#include "pairs/point_vectors.h"

namespace armilla {

using cuda::check;
using cuda::checkLaunch;
using cuda::DeviceBuffer;

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kSumBlocks = 256;
constexpr unsigned kRangeBlocks = 64;  // blocks for the box around one range

unsigned blocksFor(int64_t count) {
    return static_cast<unsigned>(std::clamp<int64_t>((count + kThreads - 1) / kThreads, 1, 8192));
}

// Calls `body(i)` for each i below `count`; one grid.
template <class Body>
__device__ void forEach(int64_t count, const Body& body) {
    for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < count;
         i += int64_t{gridDim.x} * blockDim.x)
        body(i);
}

// A column of a caller.
struct Column {
    const void* data;
    bool isSingle;
    __device__ double at(int64_t i) const {
        return isSingle ? static_cast<double>(static_cast<const float*>(data)[i])
                        : static_cast<const double*>(data)[i];
    }
};
struct Columns {
    Column lon, lat, weight;  // no weight: null
    double lonUnit, latUnit, lonQuarter, latQuarter;
    bool isTurned;
    FineRotation turn;
    __device__ double weightAt(int64_t i) const {
        return weight.data == nullptr ? 1.0 : weight.at(i);
    }
};
// Values of points in device memory; no weights: null.
struct PointView {
    double *lon, *lat, *x, *y, *z, *weight;
    __device__ Vec3 vector(int64_t i) const { return {x[i], y[i], z[i]}; }
};

// Flags of the rows to keep, and the first refused row.
__global__ void verdictKernel(Columns columns, int64_t rows, uint8_t* kept,
                              unsigned long long* refused) {
    forEach(rows, [&](int64_t i) {
        const RowVerdict verdict = verdictOn(columns.lon.at(i), columns.lat.at(i),
                                             columns.weightAt(i), columns.lonUnit, columns.latUnit);
        kept[i] = verdict == RowVerdict::Kept ? 1 : 0;
        if (verdict == RowVerdict::Refused) atomicMin(refused, static_cast<unsigned long long>(i));
    });
}

__global__ void takeKernel(Columns columns, const uint32_t* rows, int64_t count, PointView to) {
    forEach(count, [&](int64_t i) {
        const int64_t row = rows[i];
        const double lon = columns.lon.at(row), lat = columns.lat.at(row);
        const Vec3 own = pointVector(lon, columns.lonQuarter, lat, columns.latQuarter);
        const Vec3 v = columns.isTurned ? turned(columns.turn, own) : own;
        to.lon[i] = lon;
        to.lat[i] = lat;
        to.x[i] = v.x;
        to.y[i] = v.y;
        to.z[i] = v.z;
        if (to.weight != nullptr) to.weight[i] = columns.weightAt(row);
    });
}

__global__ void gatherKernel(PointView from, const uint32_t* order, int64_t count, PointView to) {
    forEach(count, [&](int64_t i) {
        const int64_t source = order[i];
        to.lon[i] = from.lon[source];
        to.lat[i] = from.lat[source];
        to.x[i] = from.x[source];
        to.y[i] = from.y[source];
        to.z[i] = from.z[source];
        if (to.weight != nullptr) to.weight[i] = from.weight[source];
    });
}

// Positions and weights of some points, in three consecutive arrays.
__global__ void fetchKernel(PointView from, const uint32_t* which, int64_t count, double* to) {
    forEach(count, [&](int64_t i) {
        to[i] = from.lon[which[i]];
        to[count + i] = from.lat[which[i]];
        to[2 * count + i] = from.weight == nullptr ? 1.0 : from.weight[which[i]];
    });
}

// Sums of each block, in an order that depends on the numbers of points and blocks alone.
__global__ void __launch_bounds__(kThreads)
    sumsKernel(const double* weights, int64_t count, WeightSums* sums) {
    __shared__ WeightSums part[kThreads];
    WeightSums own{};
    forEach(count, [&](int64_t i) {
        const double w = weights[i];
        own.sum += w;
        own.squares += w * w;
        own.sizes += fabs(w);
    });
    part[threadIdx.x] = own;
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x >= half) continue;
        part[threadIdx.x].sum += part[threadIdx.x + half].sum;
        part[threadIdx.x].squares += part[threadIdx.x + half].squares;
        part[threadIdx.x].sizes += part[threadIdx.x + half].sizes;
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

// Numbers in the order of coordinates, and back. Both zeros are one number.
__device__ unsigned long long keyOf(double value) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(value + 0.0));
    return bits >> 63 ? ~bits : bits | 1ULL << 63;
}
double valueOf(unsigned long long key) {
    const unsigned long long bits = key >> 63 ? key & ~(1ULL << 63) : ~key;
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

// The index of the range that contains a place.
__device__ int rangeOf(const int64_t* starts, int ranges, int64_t place) {
    int low = 0, high = ranges;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (starts[middle] <= place ? low : high) = middle;
    }
    return low;
}

struct Box {
    unsigned long long low[3], high[3];
};
// Boxes around the points of ranges; the y index of the block is the range.
__global__ void __launch_bounds__(kThreads)
    boxesKernel(PointView points, const uint32_t* order, const int64_t* starts, Box* boxes) {
    const int64_t begin = starts[blockIdx.y], end = starts[blockIdx.y + 1];
    if (blockIdx.x * int64_t{blockDim.x} >= end - begin) return;
    unsigned long long low[3] = {~0ULL, ~0ULL, ~0ULL}, high[3] = {0, 0, 0};
    forEach(end - begin, [&](int64_t i) {
        const Vec3 v = points.vector(order[begin + i]);
        for (int axis = 0; axis < 3; ++axis) {
            const unsigned long long key = keyOf(coordinate(v, axis));
            low[axis] = min(low[axis], key);
            high[axis] = max(high[axis], key);
        }
    });
    for (int axis = 0; axis < 3; ++axis) {
        atomicMin(&boxes[blockIdx.y].low[axis], low[axis]);
        atomicMax(&boxes[blockIdx.y].high[axis], high[axis]);
    }
}

// Keys of the points of all ranges, each by its longest axis, and their places.
__global__ void coordinatesKernel(PointView points, const uint32_t* order, const int64_t* starts,
                                  const int* axes, int ranges, int64_t count, uint64_t* keys,
                                  uint32_t* places) {
    forEach(count, [&](int64_t i) {
        const int range = rangeOf(starts, ranges, i);
        keys[i] = keyOf(coordinate(points.vector(order[i]), axes[range]));
        places[i] = static_cast<uint32_t>(i);
    });
}
// The ranges of places, and the points there.
__global__ void rangesKernel(const uint32_t* order, const uint32_t* places, const int64_t* starts,
                             int ranges, int64_t count, uint32_t* keys, uint32_t* sorted) {
    forEach(count, [&](int64_t i) {
        keys[i] = static_cast<uint32_t>(rangeOf(starts, ranges, places[i]));
        sorted[i] = order[places[i]];
    });
}
// The coordinate of the point at each of some places, NaN for a place below 0.
__global__ void bordersKernel(PointView points, const uint32_t* order, const int64_t* places,
                              const int* axes, int count, double* borders) {
    forEach(count, [&](int64_t i) {
        borders[i] = places[i] < 0 ? nan("") : coordinate(points.vector(order[places[i]]), axes[i]);
    });
}
__global__ void patchesKernel(PointView points, int64_t count, const PatchNode* nodes,
                              uint32_t* patches, uint32_t* order) {
    forEach(count, [&](int64_t i) {
        patches[i] = static_cast<uint32_t>(patchOf(nodes, points.vector(i)));
        order[i] = static_cast<uint32_t>(i);
    });
}
// The first place of each patch in the sorted list, and the end.
__global__ void startsKernel(const uint32_t* sorted, int64_t count, int patches, int64_t* starts) {
    forEach(int64_t{patches} + 1, [&](int64_t patch) {
        int64_t low = 0, high = count;
        while (low < high) {
            const int64_t middle = (low + high) / 2;
            if (static_cast<int64_t>(sorted[middle]) < patch)
                low = middle + 1;
            else
                high = middle;
        }
        starts[patch] = low;
    });
}
__global__ void countKernel(uint32_t* list, int64_t count) {
    forEach(count, [&](int64_t i) { list[i] = static_cast<uint32_t>(i); });
}

// Bits that hold the numbers below `values`.
int bitsFor(int64_t values) {
    return std::max(1, static_cast<int>(std::bit_width(static_cast<uint64_t>(values - 1))));
}

// One stream of a device and copies in its order.
class Work {
public:
    explicit Work(int device) : device_(device), stream_(device, cuda::Priority::Low) {}

    cudaStream_t get() const { return stream_.get(); }
    void synchronize() const { stream_.synchronize(); }
    template <class T>
    DeviceBuffer<T> make(int64_t count) const {
        return {device_, static_cast<size_t>(count)};
    }
    template <class T>
    DeviceBuffer<T> upload(std::span<const T> values) const {
        DeviceBuffer<T> buffer = make<T>(static_cast<int64_t>(values.size()));
        check(cudaMemcpyAsync(buffer.data(), values.data(), values.size_bytes(),
                              cudaMemcpyHostToDevice, get()),
              "copying to the device");
        return buffer;
    }
    // Waits for the copy.
    template <class T>
    std::vector<T> download(const T* from, int64_t count) const {
        std::vector<T> values(static_cast<size_t>(count));
        check(cudaMemcpyAsync(values.data(), from, values.size() * sizeof(T),
                              cudaMemcpyDeviceToHost, get()),
              "copying from the device");
        synchronize();
        return values;
    }
    // Waits for the work that `stream` holds now, unless the job is cancelled.
    void waitAfter(void* stream, const JobContext& job) const {
        cuda::Event given(device_);
        check(cudaEventRecord(given.get(), static_cast<cudaStream_t>(stream)),
              "recording an event");
        for (;;) {
            const cudaError_t status = cudaEventQuery(given.get());
            if (status != cudaErrorNotReady) {
                check(status, "the work on columns");
                return;
            }
            job.poll();
            std::this_thread::yield();
        }
    }
    // Sorts `count` keys of `bits` and their values; both results are in the second halves.
    template <class Key>
    void sort(Key* keys, uint32_t* values, int64_t count, int bits) {
        size_t bytes = 0;
        const auto run = [&](void* scratch) {
            check(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, keys + count, values,
                                                  values + count, count, 0, bits, get()),
                  "sorting points");
        };
        run(nullptr);
        if (bytes > scratch_.size()) scratch_ = make<char>(static_cast<int64_t>(bytes));
        run(scratch_.data());
    }

private:
    int device_;
    DeviceBuffer<char> scratch_;
    cuda::Stream stream_;  // declared last: its work ends before the buffers are freed
};

}  // namespace

struct DevicePoints::Store {
    Store(int device, int64_t count, bool weighted)
        : device(device),
          count(count),
          values(device, static_cast<size_t>(count * (weighted ? 6 : 5))),
          view{values.data(),
               values.data() + count,
               values.data() + 2 * count,
               values.data() + 3 * count,
               values.data() + 4 * count,
               weighted ? values.data() + 5 * count : nullptr} {}
    // The values from a place on.
    PointView from(int64_t first) const {
        PointView part = view;
        for (double** each : {&part.lon, &part.lat, &part.x, &part.y, &part.z, &part.weight})
            if (*each != nullptr) *each += first;
        return part;
    }
    int device;
    bool isTurned = false;
    int64_t count, skipped = 0;
    DeviceBuffer<double> values;
    PointView view;
};

DevicePoints::DevicePoints(int device, const PointColumns& columns, void* stream,
                           const Refuse& refuse, JobContext& job) {
    const cuda::DeviceScope scope(device);
    const auto rows = static_cast<int64_t>(columns.lon.count);
    if (rows > std::numeric_limits<int32_t>::max())
        throw InvalidArgument("expected at most " +
                              std::to_string(std::numeric_limits<int32_t>::max()) +
                              " points, found " + std::to_string(rows));
    const auto columnOf = [](const DeviceValues& values) {
        return Column{values.data, values.isSingle};
    };
    const Columns from{
        columnOf(columns.lon), columnOf(columns.lat),    columnOf(columns.weight),
        columns.lonUnit,       columns.latUnit,          columns.lonQuarter,
        columns.latQuarter,    columns.turn.has_value(), columns.turn.value_or(FineRotation{})};
    Work work(device);
    work.waitAfter(stream, job);
    const DeviceBuffer<uint8_t> kept = work.make<uint8_t>(rows);
    const DeviceBuffer<unsigned long long> refused = work.make<unsigned long long>(1);
    check(cudaMemsetAsync(refused.data(), 0xFF, sizeof(unsigned long long), work.get()),
          "clearing a number");
    verdictKernel<<<blocksFor(rows), kThreads, 0, work.get()>>>(from, rows, kept.data(),
                                                                refused.data());
    checkLaunch("checking positions");
    const DeviceBuffer<uint32_t> order = work.make<uint32_t>(rows);
    const DeviceBuffer<int64_t> selected = work.make<int64_t>(1);
    size_t bytes = 0;
    DeviceBuffer<char> scratch;
    for (int pass = 0; pass < 2; ++pass) {
        check(cub::DeviceSelect::Flagged(scratch.data(), bytes,
                                         thrust::counting_iterator<uint32_t>(0), kept.data(),
                                         order.data(), selected.data(), rows, work.get()),
              "choosing points");
        if (pass == 0) scratch = work.make<char>(static_cast<int64_t>(std::max<size_t>(bytes, 1)));
    }
    const unsigned long long row = work.download(refused.data(), 1).front();
    if (row != std::numeric_limits<unsigned long long>::max()) {
        const auto numberAt = [&](const DeviceValues& values) {
            if (values.data == nullptr) return 1.0;
            if (values.isSingle)
                return static_cast<double>(
                    work.download(static_cast<const float*>(values.data) + row, 1).front());
            return work.download(static_cast<const double*>(values.data) + row, 1).front();
        };
        refuse(static_cast<int64_t>(row), numberAt(columns.lon), numberAt(columns.lat),
               numberAt(columns.weight));
    }
    count_ = work.download(selected.data(), 1).front();
    auto store = std::make_shared<Store>(device, count_, columns.weight.data != nullptr);
    store->skipped = rows - count_;
    store->isTurned = from.isTurned;
    takeKernel<<<blocksFor(count_), kThreads, 0, work.get()>>>(from, order.data(), count_,
                                                               store->view);
    checkLaunch("copying points");
    work.synchronize();
    store_ = std::move(store);
}
DevicePoints::DevicePoints(std::shared_ptr<const Store> store, int64_t first, int64_t count)
    : store_(std::move(store)), first_(first), count_(count) {}
DevicePoints::~DevicePoints() = default;

int DevicePoints::device() const {
    return store_->device;
}
bool DevicePoints::weighted() const {
    return store_->view.weight != nullptr;
}
bool DevicePoints::isTurned() const {
    return store_->isTurned;
}
int64_t DevicePoints::skipped() const {
    return store_->skipped;
}

WeightSums DevicePoints::sums() const {
    const auto count = static_cast<double>(count_);
    if (!weighted()) return {count, count, count};
    const cuda::DeviceScope scope(store_->device);
    const Work work(store_->device);
    const DeviceBuffer<WeightSums> parts = work.make<WeightSums>(kSumBlocks);
    sumsKernel<<<kSumBlocks, kThreads, 0, work.get()>>>(store_->from(first_).weight, count_,
                                                        parts.data());
    checkLaunch("adding weights");
    WeightSums total{};
    for (const WeightSums& part : work.download(parts.data(), kSumBlocks)) {
        total.sum += part.sum;
        total.squares += part.squares;
        total.sizes += part.sizes;
    }
    return total;
}

CudaPoints DevicePoints::addresses() const {
    const PointView view = store_->from(first_);
    return {view.x, view.y, view.z, count_, view.weight, 0.0};
}

void DevicePoints::fetch(std::span<const uint32_t> which, SkyPoints& to) const {
    to.lon.clear();
    to.lat.clear();
    to.weight.clear();
    if (which.empty()) return;
    const cuda::DeviceScope scope(store_->device);
    const Work work(store_->device);
    const auto count = static_cast<int64_t>(which.size());
    const DeviceBuffer<uint32_t> list = work.upload(which);
    const DeviceBuffer<double> values = work.make<double>(3 * count);
    fetchKernel<<<blocksFor(count), kThreads, 0, work.get()>>>(store_->from(first_), list.data(),
                                                               count, values.data());
    checkLaunch("choosing points");
    const std::vector<double> all = work.download(values.data(), 3 * count);
    const auto part = [&](int64_t k) { return all.begin() + k * count; };
    to.lon.assign(part(0), part(1));
    to.lat.assign(part(1), part(2));
    if (weighted()) to.weight.assign(part(2), part(3));
}

PatchTree DevicePoints::patches(int count, JobContext& job) const {
    const cuda::DeviceScope scope(store_->device);
    Work work(store_->device);
    const PointView points = store_->from(first_);
    DeviceBuffer<uint32_t> order = work.make<uint32_t>(count_);
    const DeviceBuffer<uint64_t> keys = work.make<uint64_t>(2 * count_);
    const DeviceBuffer<uint32_t> rangeKeys = work.make<uint32_t>(2 * count_),
                                 places = work.make<uint32_t>(2 * count_);
    countKernel<<<blocksFor(count_), kThreads, 0, work.get()>>>(order.data(), count_);
    checkLaunch("numbering points");

    PatchTree tree{count, {{}}};
    std::vector<PatchRange> level{{0, count_, 0, count, 0}};
    while (std::any_of(level.begin(), level.end(),
                       [](const PatchRange& range) { return range.patches > 1; })) {
        job.poll();
        const auto ranges = static_cast<int>(level.size());
        std::vector<int64_t> starts;
        for (const PatchRange& range : level) starts.push_back(range.begin);
        starts.push_back(count_);
        const Box none{{~0ULL, ~0ULL, ~0ULL}, {0, 0, 0}};
        const std::vector<Box> empty(level.size(), none);
        const DeviceBuffer<int64_t> startsThere = work.upload(std::span<const int64_t>(starts));
        const DeviceBuffer<Box> boxes = work.upload(std::span<const Box>(empty));
        boxesKernel<<<dim3(kRangeBlocks, static_cast<unsigned>(ranges)), kThreads, 0, work.get()>>>(
            points, order.data(), startsThere.data(), boxes.data());
        checkLaunch("finding the extent of points");
        std::vector<int> axes;
        for (const Box& box : work.download(boxes.data(), ranges))
            axes.push_back(
                longestSide({valueOf(box.low[0]), valueOf(box.low[1]), valueOf(box.low[2])},
                            {valueOf(box.high[0]), valueOf(box.high[1]), valueOf(box.high[2])}));
        // Sorts by the coordinate, then by the range, which keeps the order of the coordinates.
        const DeviceBuffer<int> axesThere = work.upload(std::span<const int>(axes));
        coordinatesKernel<<<blocksFor(count_), kThreads, 0, work.get()>>>(
            points, order.data(), startsThere.data(), axesThere.data(), ranges, count_, keys.data(),
            places.data());
        checkLaunch("sorting points");
        work.sort(keys.data(), places.data(), count_, 64);
        rangesKernel<<<blocksFor(count_), kThreads, 0, work.get()>>>(
            order.data(), places.data() + count_, startsThere.data(), ranges, count_,
            rangeKeys.data(), places.data());
        checkLaunch("sorting points");
        work.sort(rangeKeys.data(), places.data(), count_, bitsFor(ranges));
        check(cudaMemcpyAsync(order.data(), places.data() + count_,
                              static_cast<size_t>(count_) * sizeof(uint32_t),
                              cudaMemcpyDeviceToDevice, work.get()),
              "sorting points");

        std::vector<PatchRange> next;
        std::vector<int64_t> middles;
        for (const PatchRange& range : level) {
            tree.nodes[static_cast<size_t>(range.node)].patch = range.firstPatch;
            middles.push_back(-1);
            if (range.patches == 1) {
                next.push_back(range);
                continue;
            }
            PatchRange left, right;
            splitRange(range, tree, left, right);
            middles.back() = left.end;
            next.push_back(left);
            next.push_back(right);
        }
        const DeviceBuffer<int64_t> middlesThere = work.upload(std::span<const int64_t>(middles));
        const DeviceBuffer<double> borders = work.make<double>(ranges);
        bordersKernel<<<blocksFor(ranges), kThreads, 0, work.get()>>>(
            points, order.data(), middlesThere.data(), axesThere.data(), ranges, borders.data());
        checkLaunch("finding the borders of patches");
        const std::vector<double> found = work.download(borders.data(), ranges);
        for (size_t i = 0; i < level.size(); ++i) {
            PatchNode& node = tree.nodes[static_cast<size_t>(level[i].node)];
            if (middles[i] < 0) continue;
            node.axis = axes[i];
            node.border = found[i];
        }
        level = std::move(next);
    }
    for (const PatchRange& range : level)
        tree.nodes[static_cast<size_t>(range.node)].patch = range.firstPatch;
    return tree;
}

std::vector<std::shared_ptr<const DevicePoints>> DevicePoints::split(const PatchTree& tree,
                                                                     JobContext& job) const {
    job.poll();
    const cuda::DeviceScope scope(store_->device);
    Work work(store_->device);
    const PointView points = store_->from(first_);
    const DeviceBuffer<PatchNode> nodes = work.upload(std::span<const PatchNode>(tree.nodes));
    const DeviceBuffer<uint32_t> patches = work.make<uint32_t>(2 * count_),
                                 order = work.make<uint32_t>(2 * count_);
    const DeviceBuffer<int64_t> starts = work.make<int64_t>(tree.count + 1);
    patchesKernel<<<blocksFor(count_), kThreads, 0, work.get()>>>(points, count_, nodes.data(),
                                                                  patches.data(), order.data());
    checkLaunch("choosing patches");
    work.sort(patches.data(), order.data(), count_, bitsFor(tree.count));
    startsKernel<<<blocksFor(tree.count + 1), kThreads, 0, work.get()>>>(
        patches.data() + count_, count_, tree.count, starts.data());
    checkLaunch("counting the points of patches");
    auto store = std::make_shared<Store>(store_->device, count_, weighted());
    store->isTurned = store_->isTurned;
    gatherKernel<<<blocksFor(count_), kThreads, 0, work.get()>>>(points, order.data() + count_,
                                                                 count_, store->view);
    checkLaunch("sorting points");
    const std::vector<int64_t> at = work.download(starts.data(), tree.count + 1);
    std::vector<std::shared_ptr<const DevicePoints>> parts;
    for (size_t p = 0; p + 1 < at.size(); ++p)
        parts.push_back(
            std::shared_ptr<const DevicePoints>(new DevicePoints(store, at[p], at[p + 1] - at[p])));
    return parts;
}

}  // namespace armilla
