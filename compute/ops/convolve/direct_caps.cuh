// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of direct convolution in the caps. CUDA files only.
#pragma once

#include "convolve/cap_images.h"
#include "convolve/direct_grid.cuh"

namespace armilla::direct {

// Threads of a block that makes one target pixel and its images each.
constexpr int kPolarThreads = 32;
constexpr int kPolarRows = 64;  // source rings that a block holds at once
// A warp makes kCapTargets targets of a ring and their images: kCapWarps rings in a block, whose
// sources are much the same and come from the first cache.
constexpr int kCapWarps = 4;
constexpr int kCapRows = 32;  // source rings that a warp holds at once
constexpr int kCapTaps = 16;  // taps whose weights a warp holds at once
static_assert(kCapTargets == 16 && kEighthImages == 16);

__device__ inline bool isNear(const TapRun& run) {
    return fmax(fabs(run.delta), fabs(run.delta + (run.count - 1) * run.step)) <= 0.999;
}

__device__ inline int wrappedOnce(int index, int count) {
    if (index < 0) index += count;
    return index >= count ? index - count : index;
}

// body(k, source, pair, run) for each source ring k that pixel j of the target's ring r reads. All
// threads of a block are here, each with its j; those without a target only help.
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
// tap(begin(t), turn, direct, mirrored) for the taps of a run and the four quarter turns: where in
// their rings lie the tap and its mirror image, phi -> -phi.
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
    // Most runs lie within the first quarter, and so do their images in theirs.
    if (run.first >= 1 && run.first + run.count <= q)
        addTaps([](int index) { return index; });
    else
        addTaps([all](int index) { return wrappedOnce(index, all); });
}

// Rings `firstRing` and on, one a row of blocks, and their mirrors: thread j makes target pixel j
// of the eighth from longitude 0 to pi / 4, and its images. For rings near the poles, whose sources
// may go all around.
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
                   // Images 0 .. 3: quarter turns; 4 .. 7 of the reflection phi -> -phi; 8 and on
                   // of the southern mirror.
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

// Ring 1 + blockIdx.y of the north and its mirror as eighths of 16 images.
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

// Rings `firstRing` .. `lastRing`, served by images (firstByImages), and their mirrors. Warp w of a
// block makes targets 16 blockIdx.x and on of ring firstRing + kCapWarps blockIdx.y + w. First its
// lanes make the weights of each target (their number modulo 16), then sums of one image each
// (likewise): those below 16 of the first eight targets, the others of the rest. Source pixels go
// through registers, so that one serves eight targets.
template <class Sample>
__global__ void __launch_bounds__(32 * kCapWarps, 5)
    capKernel(Grid grid, ProfileView profile, int64_t firstRing, int64_t lastRing,
              const Sample* images, double* result) {
    struct Row {
        CapSource source;
        double factor;
        const Sample* images;
        int flip;
    };
    __shared__ Row rowsOfWarp[kCapWarps][kCapRows];
    __shared__ __align__(16) double weightsOfWarp[kCapWarps][kCapTaps * kCapTargets];
    const int warp = static_cast<int>(threadIdx.y), lane = static_cast<int>(threadIdx.x);
    const int64_t r = firstRing + kCapWarps * static_cast<int64_t>(blockIdx.y) + warp;
    if (r > lastRing) return;
    const int64_t rings = 4 * grid.nside - 1;
    const HealpixRing target = grid.ring[r];
    const int targets = eighthCount(target), begin = static_cast<int>(blockIdx.x) * kCapTargets;
    if (begin >= targets) return;
    Row* const rows = rowsOfWarp[warp];
    double* const weights = weightsOfWarp[warp];
    const int t = lane & 15, upper = lane >> 4, image = t;
    const bool counts = begin + t < targets;
    const double q = static_cast<double>(target.quarter), inverseQ = 1.0 / q;
    const double place = static_cast<double>(begin + t) + target.shift;
    const RingSpan span = grid.around[r];
    double sum[8];
#pragma unroll
    for (double& s : sum) s = 0.0;
    for (int64_t chunk = span.first; chunk <= span.last; chunk += kCapRows) {
        const int count = static_cast<int>(
            min(static_cast<long long>(kCapRows), static_cast<long long>(span.last - chunk + 1)));
        __syncwarp();
        if (lane < count) {
            const int64_t k = chunk + lane;
            const bool south = 2 * k > rings + 1;
            rows[lane].source = CapSource(target, grid.ring[k], profile.end);
            rows[lane].factor = grid.factor[k];
            rows[lane].images = images + grid.eighths[south ? rings + 1 - k : k] * kEighthImages;
            rows[lane].flip = south ? 8 : 0;
        }
        __syncwarp();
        for (int row = 0; row < count; ++row) {
            const CapSource source = rows[row].source;
            if (source.half < 0.0) continue;
            const double numerator = source.numerator(place);
            const CapTaps taps = capTaps(source, numerator, inverseQ);
            // Target t reads source pixels base + t .. base + t + length - 1; those that are not
            // within reach of it weigh nothing.
            const int base = __reduce_min_sync(~0U, counts ? taps.first - t : 1 << 30);
            const int length =
                __reduce_max_sync(~0U, counts ? taps.last - t : -(1 << 30)) - base + 1;
            const Sample* const from = rows[row].images;
            const double factor = rows[row].factor;
            const int flip = rows[row].flip;
            const auto add = [&](const auto& sourceAt) {
                for (int first = 0; first < length; first += kCapTaps) {
                    const int some = min(kCapTaps, length - first);
                    // Pixel x0 + n of those that the half's targets read is in through[n % 8]: on
                    // their way while weights are made.
                    const int x0 = base + first + 8 * upper;
                    double through[8];
#pragma unroll
                    for (int v = 0; v < 8; ++v) through[v] = sourceAt(x0 + v);
                    __syncwarp();
                    const auto weigh = [&](const auto& kernelAt) {
#pragma unroll 2
                        for (int i = upper; i < some; i += 2)
                            weights[i * kCapTargets + t] = kernelAt(base + t + first + i);
                    };
                    // Without branches, so that two are under way at once.
                    const auto gaussian = [&](double y) {
                        const double k = factor * profile.gaussianAt(fmin(y, profile.end));
                        return counts && y <= profile.end ? k : 0.0;
                    };
                    if (profile.rate > 0.0 && source.isClose())
                        weigh(
                            [&](int x) { return gaussian(source.closeDistance(numerator, x, q)); });
                    else if (profile.rate > 0.0)
                        weigh([&](int x) { return gaussian(source.distance(numerator, x, q)); });
                    else
                        weigh([&](int x) {
                            return counts ? factor * profile(source.distance(numerator, x, q))
                                          : 0.0;
                        });
                    __syncwarp();
                    const double2* w = reinterpret_cast<const double2*>(weights + 8 * upper);
                    for (int i = 0; i < some; i += 8) {
#pragma unroll
                        for (int u = 0; u < 8; ++u) {
                            if (i + u >= some) break;
                            const double next = sourceAt(x0 + i + u + 8);
#pragma unroll
                            for (int v = 0; v < 8; v += 2) {
                                const double2 two = w[(i + u) * (kCapTargets / 2) + v / 2];
                                sum[v] = fma(two.x, through[(v + u) & 7], sum[v]);
                                sum[v + 1] = fma(two.y, through[(v + 1 + u) & 7], sum[v + 1]);
                            }
                            through[u] = next;
                        }
                    }
                }
            };
            // Most sources lie within the eighth. The last one that is loaded is 24 behind the last
            // that counts at most.
            const int own = image ^ flip;
            if (base >= 0 && base + length + 24 <= (source.quarter - source.twice) / 2)
                add([&](int x) { return static_cast<double>(from[x * kEighthImages + own]); });
            else
                add([&](int x) {
                    const EighthPlace at = inEighth(x, own, source.quarter, source.twice);
                    return static_cast<double>(from[at.x * kEighthImages + at.image]);
                });
        }
    }
    // Through shared memory, so that pixels side by side are written together.
    __syncwarp();
#pragma unroll
    for (int v = 0; v < 8; ++v) weights[image * kCapTargets + 8 * upper + v] = sum[v];
    __syncwarp();
    const HealpixRing mirror = grid.ring[rings + 1 - r];
    for (int e = lane; e < kEighthImages * kCapTargets; e += 32) {
        const int of = e / kCapTargets, j = begin + e % kCapTargets;
        if (j < targets && !repeatsImage(target, 2 * r == rings + 1, of, j))
            result[imagePixel(target, mirror, of, j)] = weights[e];
    }
}

}  // namespace armilla::direct
