// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of direct convolution in the caps. CUDA files only.
#pragma once

#include "convolve/pixels/cap_weights.cuh"
#include "convolve/pixels/warp_matrix.cuh"

namespace armilla::direct {

// Threads of a block; each thread computes one target pixel and its images.
constexpr int kPolarThreads = 32;
constexpr int kPolarRows = 64;  // source rings in a block at once
// A warp computes kCapTargets targets of a ring and their images. A block has kCapWarps rings,
// whose sources are nearly the same and come from the first-level cache.
constexpr int kCapTargets = 32;
constexpr int kCapWarps = 4, kCapBlocksAtOnce = 3;
constexpr int kCapRows = 32;  // source rings in a warp at once
constexpr int kCapTaps = 20;  // taps with weights in a warp at once
// Stride of a target's weights. Lanes write weights of adjacent targets, and read four weights of
// each of eight targets, target t from t further back: both without bank conflicts.
constexpr int kCapStride = kCapTaps + 1;
static_assert(kCapTaps % kWeighed == 0 && kCapStride % 8 == 5);
// Eight targets are a block of columns of a product; four source pixels are one step of it.
constexpr int kCapBlocks = kCapTargets / 8;
constexpr int kCapSteps = (kCapTaps + 7 + 3) / 4;
constexpr int kCapFours = kCapSteps + 2 * (kCapBlocks - 1);
constexpr int kCapAhead = 11;  // groups of four source pixels in flight while weights are computed
static_assert(kCapTargets == 32 && kEighthImages == 16);

__device__ inline bool isNear(const TapRun& run) {
    return fmax(fabs(run.delta), fabs(run.delta + (run.count - 1) * run.step)) <= 0.999;
}

__device__ inline int wrappedOnce(int index, int count) {
    if (index < 0) index += count;
    return index >= count ? index - count : index;
}

// Calls body(k, source, pair, run) for each source ring k that pixel j of the target's ring r
// reads. All threads of the block must take part, each with its j; threads without a target only
// help.
template <class Body>
__device__ __forceinline__ void forSources(const Grid& grid, double end, int64_t r, int j,
                                           bool counts, const Body& body) {
    __shared__ RingPair pairs[kPolarRows];
    const HealpixRing target = grid.ring[r];
    const RingSpan span = grid.around[r];
    for (int64_t chunk = span.first; chunk <= span.last; chunk += kPolarRows) {
        const int rows = static_cast<int>(
            min(static_cast<long long>(kPolarRows), static_cast<long long>(span.last - chunk + 1)));
        __syncthreads();
        for (int i = static_cast<int>(threadIdx.x); i < rows; i += kPolarThreads)
            pairs[i] = ringPair(target, grid.ring[chunk + i], end);
        __syncthreads();
        if (!counts) continue;
        for (int i = 0; i < rows; ++i) {
            const RingPair pair = pairs[i];
            if (pair.reach < 0.0) continue;
            const HealpixRing source = grid.ring[chunk + i];
            body(chunk + i, source, pair, tapRun(target, j, source, pair));
        }
    }
}
// Calls tap(begin(t), turn, direct, mirrored) for the taps of a run and the four quarter turns.
// `direct` and `mirrored` are the positions in their rings of the tap and its mirror image, phi ->
// -phi.
template <class Begin, class Tap>
__device__ __forceinline__ void forTaps(const HealpixRing& source, const TapRun& run,
                                        const Begin& begin, const Tap& tap) {
    const int q = static_cast<int>(source.quarter), all = 4 * q;
    const int shift = static_cast<int>(2.0 * source.shift);
    const auto addTaps = [&](auto place) {
        for (int t = 0; t < run.count; ++t) {
            const auto weight = begin(t);
            const int at = static_cast<int>(run.first) + t;
#pragma unroll
            for (int turn = 0; turn < 4; ++turn)
                // Quarter 0 backward is quarter 4.
                tap(weight, turn, place(turn * q + at),
                    place((turn == 0 ? all : turn * q) - at - shift));
        }
    };
    // Most runs are within the first quarter, and their images within one quarter each.
    if (run.first >= 1 && run.first + run.count <= q)
        addTaps([](int index) { return index; });
    else
        addTaps([all](int index) { return wrappedOnce(index, all); });
}

// Rings from `firstRing` on, one for each row of blocks, and their mirrors. Thread j computes
// target pixel j of the eighth from longitude 0 to pi / 4, and its images. For rings near the
// poles, whose sources may extend around the whole circle.
template <class Sample>
__global__ void __launch_bounds__(kPolarThreads)
    polarKernel(Grid grid, ProfileView profile, int64_t firstRing, const Sample* values,
                double* result) {
    const int64_t r = firstRing + blockIdx.y, rings = 4 * grid.nside - 1;
    const HealpixRing target = grid.ring[r], mirror = grid.ring[rings + 1 - r];
    const int targets = eighthCount(target);
    if (static_cast<int>(blockIdx.x) * kPolarThreads >= targets) return;
    const int j = static_cast<int>(blockIdx.x) * kPolarThreads + static_cast<int>(threadIdx.x);
    double sum[kEighthImages];
#pragma unroll
    for (double& s : sum) s = 0.0;
    forSources(grid, profile.end, r, j, j < targets,
               [&](int64_t k, const HealpixRing& source, const RingPair& pair, const TapRun& run) {
                   const bool near = isNear(run);
                   const Sample* const north = values + source.first;
                   const Sample* const south = values + grid.ring[rings + 1 - k].first;
                   const double factor = grid.factor[k];
                   // Images 0 .. 3: quarter turns; 4 .. 7: the same after the reflection phi ->
                   // -phi; from 8 on: the southern mirror.
                   forTaps(
                       source, run,
                       [&](int t) {
                           return factor *
                                  profile(distanceOf(pair, run.delta + t * run.step, near));
                       },
                       [&](double w, int turn, int direct, int mirrored) {
                           sum[turn] += w * static_cast<double>(north[direct]);
                           sum[4 + turn] += w * static_cast<double>(north[mirrored]);
                           sum[8 + turn] += w * static_cast<double>(south[direct]);
                           sum[12 + turn] += w * static_cast<double>(south[mirrored]);
                       });
               });
    if (j >= targets) return;
#pragma unroll
    for (int image = 0; image < kEighthImages; ++image)
        if (!repeatsImage(target, 2 * r == rings + 1, image, j))
            result[imagePixel(target, mirror, image, j)] = sum[image];
}

// Converts ring 1 + blockIdx.y of the north and its mirror to eighths of 16 images.
template <class Sample>
__global__ void eighthsKernel(Grid grid, const Sample* values, Sample* images) {
    __shared__ Sample staged[kEighthImages][33];
    const int64_t r = 1 + blockIdx.y;
    const HealpixRing ring = grid.ring[r], mirror = grid.ring[4 * grid.nside - r];
    const int count = eighthCount(ring), begin = static_cast<int>(blockIdx.x) * 32;
    const int x = begin + static_cast<int>(threadIdx.x);
    if (begin >= count) return;
    for (int image = static_cast<int>(threadIdx.y); image < kEighthImages;
         image += static_cast<int>(blockDim.y))
        if (x < count) staged[image][threadIdx.x] = values[imagePixel(ring, mirror, image, x)];
    __syncthreads();
    Sample* const to = images + (grid.eighths[r] + begin) * kEighthImages;
    const int all = min(32, count - begin) * kEighthImages;
    const int threads = static_cast<int>(blockDim.x * blockDim.y);
    for (int e = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); e < all; e += threads)
        to[e] = staged[e % kEighthImages][e / kEighthImages];
}

// A lane's source pixels of one ring: x0 + 4 n, for two adjacent images.
template <class Sample>
struct CapSources {
    struct alignas(2 * sizeof(Sample)) Two {
        Sample upper, lower;
    };
    const Sample* from;  // values of the ring
    int x0, image, quarter, twice;
    bool within;  // whether all pixels that the warp loads are within the eighth

    __device__ Two operator()(int four) const {
        const int x = x0 + 4 * four;
        if (within) return *reinterpret_cast<const Two*>(from + x * kEighthImages + image);
        const EighthPlace upper = inEighth(x, image, quarter, twice),
                          lower = inEighth(x, image + 1, quarter, twice);
        return {from[upper.x * kEighthImages + upper.image],
                from[lower.x * kEighthImages + lower.image]};
    }
    // Loads all groups of four that are needed first, with one check of their position.
    __device__ __forceinline__ void load(Two (&ahead)[kCapAhead]) const {
        if (within) {
#pragma unroll
            for (int n = 0; n < kCapAhead; ++n)
                ahead[n] = *reinterpret_cast<const Two*>(from + x0 * kEighthImages + image +
                                                         4 * kEighthImages * n);
        } else {
#pragma unroll
            for (int n = 0; n < kCapAhead; ++n) ahead[n] = (*this)(n);
        }
    }
};

// Adds `some` taps of each target. `weights`: of the lane's target and source pixel of the first
// block of columns in the first step; `tap`: the index of this tap.
template <class Sample>
__device__ __forceinline__ void addTaps(const CapSources<Sample>& sources,
                                        const typename CapSources<Sample>::Two (&ahead)[kCapAhead],
                                        const double* weights, int tap, int some,
                                        double (&sum)[kCapBlocks][4]) {
    double upper[kCapFours], lower[kCapFours];
    const auto take = [&](int four) {
        const auto two = four < kCapAhead ? ahead[four] : sources(four);
        upper[four] = static_cast<double>(two.upper);
        lower[four] = static_cast<double>(two.lower);
    };
#pragma unroll
    for (int four = 0; four < 2 * (kCapBlocks - 1); ++four) take(four);
    const int steps = (some + 7 + 3) / 4;
#pragma unroll
    for (int step = 0; step < kCapSteps; ++step) {
        if (step >= steps) break;
        take(step + 2 * (kCapBlocks - 1));
        const int i = tap + 4 * step;
        const bool has = 0 <= i && i < some;
        double w[kCapBlocks];
#pragma unroll
        for (int n = 0; n < kCapBlocks; ++n)
            w[n] = has ? weights[8 * n * kCapStride + 4 * step] : 0.0;
#pragma unroll
        for (int n = 0; n < kCapBlocks; ++n)
            addProduct(sum[n], upper[step + 2 * n], lower[step + 2 * n], w[n]);
    }
}

// Adds a source ring to the sums of targets from `begin` on (`counts`: whether the lane has a
// target).
template <class Sample>
__device__ __forceinline__ void addSource(const ProfileView& profile, const CapRow& row,
                                          const Sample* images, const HealpixRing& target,
                                          int begin, bool counts, double* weights,
                                          double (&sum)[kCapBlocks][4]) {
    const int lane = static_cast<int>(threadIdx.x), column = lane & 3, group = lane >> 2;
    const CapSource& source = row.source;
    const double q = static_cast<double>(target.quarter);
    const double numerator = source.numerator(static_cast<double>(begin + lane) + target.shift);
    const CapTaps taps = counts ? capTaps(source, numerator, q, 1.0 / q, profile.end) : CapTaps();
    // Target t reads source pixels base + t .. base + t + length - 1; pixels out of reach have
    // weight 0.
    const int base = leastOfWarp(counts ? taps.first - lane : 1 << 30);
    const int length = -leastOfWarp(counts ? lane - taps.last : 1 << 30) - base + 1;
    const CapWeigher weigher{profile, numerator, q, taps};
    // The loop counts down the remaining pixels. With a constant bound (first < length), ptxas 13.0
    // recomputes the bound at the end of the loop only. The first iteration would then use the
    // length of the previous source ring.
    for (int left = length, x0 = base; left > 0; left -= kCapTaps, x0 += kCapTaps) {
        const int some = min(kCapTaps, left);
        const int last = (source.quarter - source.twice) / 2;
        const CapSources<Sample> sources{
            images + row.images, x0 + column,  (2 * group) ^ row.flip,
            source.quarter,      source.twice, x0 >= 0 && x0 + 4 * kCapFours - 1 <= last};
        typename CapSources<Sample>::Two ahead[kCapAhead];
        sources.load(ahead);
        __syncwarp();
        weigher(row, x0 + lane, some, weights + lane * kCapStride);
        __syncwarp();
        addTaps<Sample>(sources, ahead, weights + group * kCapStride + column - group,
                        column - group, some, sum);
    }
}

// Rings `firstRing` .. `lastRing`, which can use images (firstByImages), and their mirrors. Warp w
// of a block computes targets from 32 blockIdx.x on of ring firstRing + kCapWarps blockIdx.y + w.
// For each source ring each lane computes the weights of one target. Then the sums are products of
// matrices: 16 images by four source pixels, times four source pixels by eight targets. Most source
// pixels of a target are also sources of its neighbors.
template <class Sample>
__global__ void __launch_bounds__(32 * kCapWarps, kCapBlocksAtOnce)
    capKernel(Grid grid, ProfileView profile, int64_t firstRing, int64_t lastRing,
              const Sample* images, double* result) {
    __shared__ CapRow rowsOfWarp[kCapWarps][kCapRows];
    __shared__ __align__(16) double weightsOfWarp[kCapWarps][kCapTargets * kCapStride];
    const int warp = static_cast<int>(threadIdx.y), lane = static_cast<int>(threadIdx.x);
    const int64_t r = firstRing + kCapWarps * static_cast<int64_t>(blockIdx.y) + warp;
    if (r > lastRing) return;
    const HealpixRing target = grid.ring[r];
    const int targets = eighthCount(target), begin = static_cast<int>(blockIdx.x) * kCapTargets;
    if (begin >= targets) return;
    CapRow* const rows = rowsOfWarp[warp];
    double* const weights = weightsOfWarp[warp];
    const bool counts = begin + lane < targets;
    const RingSpan span = grid.around[r];
    double sum[kCapBlocks][4];
#pragma unroll
    for (auto& block : sum)
#pragma unroll
        for (double& s : block) s = 0.0;
    for (int64_t chunk = span.first; chunk <= span.last; chunk += kCapRows) {
        const int count = static_cast<int>(
            min(static_cast<long long>(kCapRows), static_cast<long long>(span.last - chunk + 1)));
        __syncwarp();
        if (lane < count) rows[lane] = CapRow(grid, profile, target, chunk + lane);
        __syncwarp();
        for (int row = 0; row < count; ++row)
            if (rows[row].source.half >= 0.0)
                addSource(profile, rows[row], images, target, begin, counts, weights, sum);
    }
    // Through shared memory, so that adjacent pixels are written together.
    const int column = lane & 3, group = lane >> 2;
    __syncwarp();
#pragma unroll
    for (int n = 0; n < kCapBlocks; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i)
            weights[(2 * group + i / 2) * kCapTargets + 8 * n + 2 * column + i % 2] = sum[n][i];
    __syncwarp();
    const int64_t rings = 4 * grid.nside - 1;
    const HealpixRing mirror = grid.ring[rings + 1 - r];
    const int j = begin + lane;
    for (int image = 0; counts && image < kEighthImages; ++image)
        if (!repeatsImage(target, 2 * r == rings + 1, image, j))
            result[imagePixel(target, mirror, image, j)] = weights[image * kCapTargets + lane];
}

}  // namespace armilla::direct
