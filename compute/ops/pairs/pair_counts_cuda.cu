// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs on a CUDA device. All sets are put in the order of a Hilbert curve on each base face of
// HEALPix, and cut into leaves of a warp's 32 points and groups of 32 leaves, with caps around
// both. A thread decides for each pair of groups (a tile) of each task which edges its pairs may
// lie on both sides of; a block for each tile left decides the same for pairs of leaves, a lane
// each, and a warp counts the pairs of those left: by dot products of single precision while they
// lie far enough from the edge, else by chords of double precision, and what these leave in doubt
// goes to the host. Blocks take at most 2^20 pairs, a fraction of a millisecond.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <string>
#include <vector>

#include "core/pixel_geometry.h"
#include "device/cuda/check.h"
#include "device/cuda/device_buffer.h"
#include "device/cuda/stream.h"
#include "pairs/caps.h"
#include "pairs/pair_counts_cuda.h"

namespace armilla {

using cuda::check;
using cuda::checkLaunch;
using cuda::DeviceBuffer;

namespace {

constexpr int kWarp = 32;
constexpr int kLeafPoints = kWarp;
constexpr int kGroupLeaves = kWarp;
constexpr int kGroupSize = kLeafPoints * kGroupLeaves;
constexpr int kWarps = 8;
constexpr int kBlock = kWarps * kWarp;
constexpr unsigned kAll = 0xFFFFFFFFU;
// Edges that one tile handles; more make several tiles.
constexpr int kTileEdges = 512;
// From so many edges on, the pairs of two leaves are sorted into bins one by one.
constexpr int kManyEdges = 12;
// Tiles looked at in one launch: ten milliseconds or so where all have pairs to be counted.
constexpr int64_t kSlice = int64_t{1} << 16;
// Bound on |computed - true| of dot - t with three fused steps from -t: 2 roundoffs of coordinates,
// one of t, 2 for each of two partial sums of up to 2, and less than one of the last.
constexpr float kSingleBand = 8.0F * 0x1p-24F;
// A warp's 1024 pairs are spread over a range 2 (r_a + r_b) sin(edge) of dot products, with radii r
// of about twice the sines of their halves. Single precision is worthwhile if fewer than one in ten
// warps meets its band.
constexpr double kSingleWorthwhile = 10.0 * kLeafPoints * kLeafPoints * 2.0 * kSingleBand / 2.0;
// Keys: 4 bits of base face and 40 of the curve below the number of the set.
constexpr int kCurveOrder = 20;
constexpr int kKeyBits = 2 * kCurveOrder + 4;

struct SetView {
    int64_t firstPoint;  // of all points as they came
    int64_t count;
    int firstGroup, groups;
};
struct TaskView {
    int firstA, groupsA, firstB, groupsB;  // groups
    bool same;
};
struct Tile {
    int task, a, b;   // groups
    int first, last;  // edges
};
struct View {
    const double *x, *y, *z;  // in the order of leaves
    const float4* single;     // NaN after a set's last point
    const uint32_t* index;    // in its set
    const Cap* leafCaps;
    const Cap* groupCaps;
    const int* leafCounts;
    const int* groupCounts;
    const CudaEdge* edges;
    int edgeCount;
    const TaskView* tasks;
    const int64_t* tileStart;  // of each task, and of their end
    int taskCount;
};

// The last element of an ascending list that is at most `value`.
template <class T>
__device__ int lastAtMost(const T* list, int count, T value) {
    int low = 0, high = count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (list[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Place of (x, y) on the Hilbert curve of `order`.
__device__ uint64_t hilbert(uint64_t x, uint64_t y, int order) {
    uint64_t place = 0;
    for (int bit = order - 1; bit >= 0; --bit) {
        const uint64_t rx = (x >> bit) & 1, ry = (y >> bit) & 1;
        place = place << 2 | ((3 * rx) ^ ry);
        if (ry == 0) {
            const uint64_t mask = (uint64_t{1} << bit) - 1;
            if (rx == 1) {
                x = ~x & mask;
                y = ~y & mask;
            }
            const uint64_t swapped = x;
            x = y;
            y = swapped;
        }
    }
    return place;
}

__global__ void keysKernel(const double* x, const double* y, const double* z, int64_t points,
                           const int64_t* setStart, int sets, uint64_t* keys, uint32_t* order) {
    const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= points) return;
    const FacePixel pixel = faceFromDirection(int64_t{1} << kCurveOrder, {x[i], y[i], z[i]});
    const auto set = static_cast<uint64_t>(lastAtMost(setStart, sets, i));
    keys[i] = set << kKeyBits | static_cast<uint64_t>(pixel.face) << 2 * kCurveOrder |
              hilbert(static_cast<uint64_t>(pixel.x), static_cast<uint64_t>(pixel.y), kCurveOrder);
    order[i] = static_cast<uint32_t>(i);
}

// A block for each group: points to their places, then caps of leaves and of the group.
struct Unsorted {
    const double *x, *y, *z;
    const uint32_t* order;
    const SetView* sets;
    const int* groupStart;  // the first group of each set
    int setCount;
};
struct Cells {
    double *x, *y, *z;
    float4* single;
    uint32_t* index;
    Cap *leafCaps, *groupCaps;
    int *leafCounts, *groupCounts;
};

__device__ double warpSum(double value) {
    for (int step = kWarp / 2; step > 0; step /= 2) value += __shfl_xor_sync(kAll, value, step);
    return value;
}
__device__ double warpMax(double value) {
    for (int step = kWarp / 2; step > 0; step /= 2)
        value = fmax(value, __shfl_xor_sync(kAll, value, step));
    return value;
}
__device__ void normalize(double& x, double& y, double& z) {
    const double length = sqrt(x * x + y * y + z * z);
    if (length > 1e-3) {
        x /= length;
        y /= length;
        z /= length;
    } else {
        x = y = 0.0;
        z = 1.0;
    }
}
__device__ double squaredChord(double ax, double ay, double az, double bx, double by, double bz) {
    const double dx = ax - bx, dy = ay - by, dz = az - bz;
    return dx * dx + dy * dy + dz * dz;
}

__global__ void __launch_bounds__(kBlock) cellsKernel(Unsorted from, Cells to) {
    __shared__ double partX[kWarps], partY[kWarps], partZ[kWarps];
    const int group = static_cast<int>(blockIdx.x), lane = threadIdx.x % kWarp,
              warp = threadIdx.x / kWarp;
    const SetView set = from.sets[lastAtMost(from.groupStart, from.setCount, group)];
    const int64_t inSet = int64_t{group - set.firstGroup} * kGroupSize;
    const int count = static_cast<int>(min(int64_t{kGroupSize}, set.count - inSet));
    constexpr int kTurns = kGroupLeaves / kWarps;
    double px[kTurns], py[kTurns], pz[kTurns];
    double groupX = 0.0, groupY = 0.0, groupZ = 0.0;
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
        const int leaf = turn * kWarps + warp, point = leaf * kLeafPoints + lane;
        const int64_t place = int64_t{group} * kGroupSize + point;
        const int here = min(kLeafPoints, max(0, count - leaf * kLeafPoints));
        double x = nan(""), y = x, z = x;
        uint32_t index = 0;
        if (lane < here) {
            const uint32_t source = from.order[set.firstPoint + inSet + point];
            x = from.x[source];
            y = from.y[source];
            z = from.z[source];
            index = static_cast<uint32_t>(source - set.firstPoint);
        }
        to.x[place] = x;
        to.y[place] = y;
        to.z[place] = z;
        to.single[place] = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 0};
        to.index[place] = index;
        const bool there = lane < here;
        double cx = warpSum(there ? x : 0.0), cy = warpSum(there ? y : 0.0),
               cz = warpSum(there ? z : 0.0);
        groupX += cx;
        groupY += cy;
        groupZ += cz;
        normalize(cx, cy, cz);
        const double farthest = warpMax(there ? squaredChord(x, y, z, cx, cy, cz) : 0.0);
        if (lane == 0) {
            to.leafCaps[group * kGroupLeaves + leaf] = capWithin(cx, cy, cz, farthest);
            to.leafCounts[group * kGroupLeaves + leaf] = here;
        }
        px[turn] = x;
        py[turn] = y;
        pz[turn] = z;
    }
    if (lane == 0) {
        partX[warp] = groupX;
        partY[warp] = groupY;
        partZ[warp] = groupZ;
    }
    __syncthreads();
    double cx = 0.0, cy = 0.0, cz = 0.0;
    for (int w = 0; w < kWarps; ++w) {
        cx += partX[w];
        cy += partY[w];
        cz += partZ[w];
    }
    normalize(cx, cy, cz);
    double farthest = 0.0;
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
        const double chord = squaredChord(px[turn], py[turn], pz[turn], cx, cy, cz);
        farthest = fmax(farthest, chord);  // of a number and NaN the number
    }
    farthest = warpMax(farthest);
    __syncthreads();
    if (lane == 0) partX[warp] = farthest;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 0; w < kWarps; ++w) farthest = fmax(farthest, partX[w]);
        to.groupCaps[group] = capWithin(cx, cy, cz, farthest);
        to.groupCounts[group] = count;
    }
}

// Of the edges [first, last) the number whose half chord is at most (or less than) a value, as an
// edge.
__device__ int edgesAtMost(const CudaEdge* edges, int first, int last, double value) {
    while (first < last) {
        const int middle = (first + last) / 2;
        if (edges[middle].halfChord <= value)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}
__device__ int edgesLess(const CudaEdge* edges, int first, int last, double value) {
    while (first < last) {
        const int middle = (first + last) / 2;
        if (edges[middle].halfChord < value)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

__device__ void add(unsigned long long* to, int64_t value) {
    atomicAdd(to, static_cast<unsigned long long>(value));
}

// `from`: pairs below an edge and all after it, tasks x (edges + 1).
__global__ void tilesKernel(View view, int64_t begin, int64_t end, Tile* tiles, unsigned* count,
                            unsigned long long* from) {
    const int64_t i = begin + int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= end) return;
    const int task = lastAtMost(view.tileStart, view.taskCount, i);
    const TaskView t = view.tasks[task];
    const int64_t inTask = i - view.tileStart[task];
    const int a = static_cast<int>(inTask / t.groupsB), b = static_cast<int>(inTask % t.groupsB);
    if (t.same && b < a) return;
    const bool own = t.same && a == b;
    const int groupA = t.firstA + a, groupB = t.firstB + b;
    const int64_t countA = view.groupCounts[groupA], countB = view.groupCounts[groupB];
    const ChordRange range = chordRange(view.groupCaps[groupA], view.groupCaps[groupB]);
    const int first = edgesAtMost(view.edges, 0, view.edgeCount, range.least);
    const int last = edgesLess(view.edges, first, view.edgeCount, range.greatest);
    add(from + int64_t{task} * (view.edgeCount + 1) + last,
        own ? countA * (countA - 1) / 2 : countA * countB);
    for (int edge = first; edge < last; edge += kTileEdges)
        tiles[atomicAdd(count, 1U)] = {task, groupA, groupB, edge, min(last, edge + kTileEdges)};
}

struct Doubts {
    CudaDoubt* list;
    unsigned long long* count;  // may exceed what the list holds
    unsigned long long room;
};
__device__ void doubt(const Doubts& doubts, const CudaDoubt& one) {
    const unsigned long long place = atomicAdd(doubts.count, 1ULL);
    if (place < doubts.room) doubts.list[place] = one;
}

// The two leaves of a warp at work.
struct LeafPair {
    int64_t a, b;  // first points
    int countA, countB;
    int first, last;  // edges
    bool own;         // pairs of one leaf: each once
};

// Pairs below one edge by double precision, the lane's share; `possible` counts those in doubt too.
__device__ int fineCount(const View& view, const LeafPair& pair, int task, int k,
                         const Doubts& doubts, int& possible) {
    const int lane = threadIdx.x % kWarp;
    const CudaEdge edge = view.edges[k];
    int certain = 0;
    possible = 0;
    if (lane < pair.countA) {
        const double x = view.x[pair.a + lane], y = view.y[pair.a + lane],
                     z = view.z[pair.a + lane];
        for (int q = 0; q < pair.countB; ++q) {
            const double chord =
                squaredChord(x, y, z, view.x[pair.b + q], view.y[pair.b + q], view.z[pair.b + q]);
            if (chord >= edge.chordPossible) continue;
            ++possible;
            if (chord < edge.chordCertain)
                ++certain;
            else
                doubt(doubts, {task, k, k + 1, view.index[pair.a + lane], view.index[pair.b + q]});
        }
    }
    return certain;
}

// Pairs one by one into the bins between the edges of the pair of leaves. `from` begins with the
// tile's first edge.
__device__ void binPairs(const View& view, const LeafPair& pair, int task, int tileFirst,
                         int tileLast, const Doubts& doubts, unsigned* from) {
    const int lane = threadIdx.x % kWarp;
    if (lane >= pair.countA) return;
    const double x = view.x[pair.a + lane], y = view.y[pair.a + lane], z = view.z[pair.a + lane];
    for (int q = pair.own ? lane + 1 : 0; q < pair.countB; ++q) {
        const double chord =
            squaredChord(x, y, z, view.x[pair.b + q], view.y[pair.b + q], view.z[pair.b + q]);
        int low = pair.first, high = pair.last;  // the first edge that the pair is surely below
        while (low < high) {
            const int middle = (low + high) / 2;
            if (chord >= view.edges[middle].chordCertain)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < pair.last) {
            atomicAdd(from + (low - tileFirst), 1U);
            if (pair.last < tileLast) atomicSub(from + (pair.last - tileFirst), 1U);
        }
        if (low > pair.first && chord < view.edges[low - 1].chordPossible)
            doubt(doubts,
                  {task, pair.first, low, view.index[pair.a + lane], view.index[pair.b + q]});
    }
}

__global__ void __launch_bounds__(kBlock, 4)
    pairsKernel(View view, const Tile* tiles, unsigned long long* at, Doubts doubts) {
    __shared__ float4 points[kGroupSize];  // of the second group
    // Of this tile: 2^20 pairs at most, so 32 bits do; sums that pass below 0 come back.
    __shared__ unsigned atEdge[kTileEdges], fromEdge[kTileEdges];
    const Tile tile = tiles[blockIdx.x];
    const TaskView task = view.tasks[tile.task];
    const bool diagonal = task.same && tile.a == tile.b;
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    for (int i = threadIdx.x; i < tile.last - tile.first; i += kBlock) atEdge[i] = fromEdge[i] = 0;
    for (int i = threadIdx.x; i < kGroupSize; i += kBlock)
        points[i] = view.single[int64_t{tile.b} * kGroupSize + i];
    __syncthreads();

    const int leafB = tile.b * kGroupLeaves + lane;
    const Cap capB = view.leafCaps[leafB];
    const int countB = view.leafCounts[leafB];
    for (int leaf = warp; leaf < kGroupLeaves; leaf += kWarps) {
        const int leafA = tile.a * kGroupLeaves + leaf;
        LeafPair pair{};
        pair.countA = view.leafCounts[leafA];
        if (pair.countA == 0) break;
        pair.a = int64_t{leafA} * kLeafPoints;
        const Cap capA = view.leafCaps[leafA];
        const float4 p = view.single[pair.a + lane];
        const bool own = diagonal && lane == leaf;
        const bool active = countB > 0 && (!diagonal || lane >= leaf);
        int first = tile.last, last = tile.last;
        if (active) {
            const ChordRange range = chordRange(capA, capB);
            first = edgesAtMost(view.edges, tile.first, tile.last, range.least);
            last = edgesLess(view.edges, first, tile.last, range.greatest);
            if (last < tile.last)
                atomicAdd(
                    fromEdge + (last - tile.first),
                    static_cast<unsigned>(own ? countB * (countB - 1) / 2 : pair.countA * countB));
        }
        for (unsigned todo = __ballot_sync(kAll, first < last); todo != 0; todo &= todo - 1) {
            const int other = __ffs(static_cast<int>(todo)) - 1;
            pair.b = int64_t{tile.b * kGroupLeaves + other} * kLeafPoints;
            pair.countB = __shfl_sync(kAll, countB, other);
            pair.first = __shfl_sync(kAll, first, other);
            pair.last = __shfl_sync(kAll, last, other);
            pair.own = diagonal && other == leaf;
            if (pair.own || pair.last - pair.first > kManyEdges) {
                binPairs(view, pair, tile.task, tile.first, tile.last, doubts, fromEdge);
                continue;
            }
            const double radii = capA.sinHalf + __shfl_sync(kAll, capB.sinHalf, other);
            const float4* const others = points + other * kLeafPoints;
            for (int k = pair.last - 1; k >= pair.first; --k) {
                int certain = 0, possible = 0;
                bool decided = false;
                if (2.0 * radii * view.edges[k].sine > kSingleWorthwhile) {
                    const float t = view.edges[k].dot;
                    unsigned above = 0;  // sign bits: pairs at or above the edge; NaN has none
                    float nearest = 1.0F;
#pragma unroll 8
                    for (int q = 0; q < kLeafPoints; ++q) {
                        const float4 o = others[q];
                        const float d = fmaf(p.x, o.x, fmaf(p.y, o.y, fmaf(p.z, o.z, -t)));
                        above += __float_as_uint(d) >> 31;
                        nearest = fminf(nearest, fabsf(d));
                    }
                    decided = !__any_sync(kAll, nearest <= kSingleBand);
                    possible = certain =
                        lane < pair.countA ? pair.countB - static_cast<int>(above) : 0;
                }
                if (!decided) certain = fineCount(view, pair, tile.task, k, doubts, possible);
                certain = __reduce_add_sync(kAll, certain);
                if (lane == 0 && certain > 0)
                    atomicAdd(atEdge + (k - tile.first), static_cast<unsigned>(certain));
                if (!__any_sync(kAll, possible > 0)) break;
            }
        }
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned before = 0;
    for (int k = tile.first; k < tile.last; ++k) {
        before += fromEdge[k - tile.first];
        const unsigned sum = before + atEdge[k - tile.first];
        if (sum != 0) add(at + int64_t{tile.task} * view.edgeCount + k, sum);
    }
}

__global__ void addKernel(unsigned long long* sum, const unsigned long long* part, int64_t count) {
    const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) sum[i] += part[i];
}

unsigned blocksFor(int64_t count, int perBlock) {
    return static_cast<unsigned>((count + perBlock - 1) / perBlock);
}

// Successive parts of one piece of device memory: one call to the driver instead of twenty.
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
    unsigned long long* counters = nullptr;  // of a slice: at, then from
    unsigned long long* totals = nullptr;
    int64_t counterCount = 0;
    unsigned long long* doubtCount = nullptr;
    DeviceBuffer<CudaDoubt> doubts;
    // The next slice's size: halved where doubts do not fit.
    int64_t slice = kSlice;

    template <class T>
    void upload(T* to, const T* from, int64_t count) {
        check(cudaMemcpyAsync(to, from, static_cast<size_t>(count) * sizeof(T),
                              cudaMemcpyHostToDevice, stream.get()),
              "copying to the device");
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
    void addTotals(std::span<int64_t> below);
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

    cells.want<double>(3 * places);
    cells.want<float4>(places);
    cells.want<uint32_t>(places);
    cells.want<Cap>(groups * kGroupLeaves);
    cells.want<Cap>(groups);
    cells.want<int>(groups * kGroupLeaves);
    cells.want<int>(groups);
    cells.want<CudaEdge>(edgeCount);
    cells.make(device);
    double* const fine = cells.take<double>(3 * places);
    const Cells to{fine,
                   fine + places,
                   fine + 2 * places,
                   cells.take<float4>(places),
                   cells.take<uint32_t>(places),
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
    sorting.want<double>(3 * all);
    sorting.want<uint64_t>(2 * all);
    sorting.want<uint32_t>(2 * all);
    sorting.want<SetView>(setCount);
    sorting.want<int64_t>(setCount);
    sorting.want<int>(setCount);
    sorting.want<char>(static_cast<int64_t>(sortBytes));
    sorting.make(device);
    double* const raw = sorting.take<double>(3 * all);
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
        upload(raw + first, set.x, set.count);
        upload(raw + all + first, set.y, set.count);
        upload(raw + 2 * all + first, set.z, set.count);
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
        {raw, raw + all, raw + 2 * all, order + all, setViews, groupStarts,
         static_cast<int>(setCount)},
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
    // One pair of groups makes so many tiles at most.
    const int64_t pieces = (s.view.edgeCount + kTileEdges - 1) / kTileEdges;
    s.slice = std::clamp<int64_t>(tiles, 1, kSlice / std::max<int64_t>(1, pieces));
    s.counterCount = taskCount * (2 * int64_t{s.view.edgeCount} + 1);
    s.work.want<TaskView>(taskCount);
    s.work.want<int64_t>(taskCount + 1);
    s.work.want<Tile>(s.slice * pieces);
    s.work.want<unsigned>(1);
    s.work.want<unsigned long long>(s.counterCount);
    s.work.want<unsigned long long>(s.counterCount);
    s.work.want<unsigned long long>(1);
    s.work.make(device);
    auto* const taskViews = s.work.take<TaskView>(taskCount);
    auto* const starts = s.work.take<int64_t>(taskCount + 1);
    s.tiles = s.work.take<Tile>(s.slice * pieces);
    s.tileCount = s.work.take<unsigned>(1);
    s.counters = s.work.take<unsigned long long>(s.counterCount);
    s.totals = s.work.take<unsigned long long>(s.counterCount);
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

int64_t CudaPairCounter::tiles() const {
    return state_->tileStart.back();
}

bool CudaPairCounter::State::countSlice(int64_t begin, int64_t end, std::vector<CudaDoubt>& found) {
    check(cudaMemsetAsync(counters, 0, static_cast<size_t>(counterCount) * sizeof(*counters),
                          stream.get()),
          "clearing counts");
    check(cudaMemsetAsync(tileCount, 0, sizeof(*tileCount), stream.get()), "clearing counts");
    check(cudaMemsetAsync(doubtCount, 0, sizeof(*doubtCount), stream.get()), "clearing counts");
    unsigned long long* const from = counters + int64_t{view.taskCount} * view.edgeCount;
    tilesKernel<<<blocksFor(end - begin, kBlock), kBlock, 0, stream.get()>>>(
        view, begin, end, tiles, tileCount, from);
    checkLaunch("choosing cells");
    unsigned listed = 0;
    download(&listed, tileCount, 1);
    stream.synchronize();
    if (listed > 0) {
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
    const size_t before = found.size();
    found.resize(before + static_cast<size_t>(doubtful));
    if (doubtful > 0)
        download(found.data() + before, doubts.data(), static_cast<int64_t>(doubtful));
    stream.synchronize();
    return true;
}

void CudaPairCounter::State::addTotals(std::span<int64_t> below) {
    std::vector<unsigned long long> counts(static_cast<size_t>(counterCount));
    download(counts.data(), totals, counterCount);
    stream.synchronize();
    const auto edgeCount = static_cast<size_t>(view.edgeCount);
    const size_t tasksAndEdges = static_cast<size_t>(view.taskCount) * edgeCount;
    for (size_t t = 0; t < static_cast<size_t>(view.taskCount); ++t) {
        int64_t whole = 0;
        for (size_t k = 0; k < edgeCount; ++k) {
            whole += static_cast<int64_t>(counts[tasksAndEdges + t * (edgeCount + 1) + k]);
            below[t * edgeCount + k] += whole + static_cast<int64_t>(counts[t * edgeCount + k]);
        }
    }
}

void CudaPairCounter::count(int64_t begin, int64_t end, std::span<int64_t> below,
                            std::vector<CudaDoubt>& doubts, JobContext& job) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    if (s.view.edgeCount == 0 || s.view.taskCount == 0) return;
    check(cudaMemsetAsync(s.totals, 0, static_cast<size_t>(s.counterCount) * sizeof(*s.totals),
                          s.stream.get()),
          "clearing counts");
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
            // Points on edges by the million: fewer tiles at a time.
            size = (next - at + 1) / 2;
        } else {
            s.doubts = DeviceBuffer<CudaDoubt>(s.device, 4 * s.doubts.size());
        }
    }
    s.addTotals(below);
}

}  // namespace armilla
