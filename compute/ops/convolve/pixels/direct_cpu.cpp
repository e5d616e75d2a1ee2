// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/direct_cpu.h"

#include <algorithm>
#include <cmath>

#include "convolve/pixels/direct_sums.h"
#include "convolve/pixels/ring_blocks.h"

namespace armilla {

namespace {

// Products of one tile: some milliseconds.
constexpr double kProductsOfTile = 6e7;

}  // namespace

DirectSums::DirectSums(int64_t nside, const ProfileTable& profile,
                       std::span<const double> ringWeights, double integral)
    : nside_(nside),
      rings_(nside),
      view_(profile.view()),
      radius_(profile.radius()),
      integral_(integral),
      factor_(ringFactors(rings_, ringWeights)),
      belt_(beltTargets(rings_, radius_, view_.end)),
      series_(SeriesBasis::serving(
          view_, widestSpacing(rings_, std::min(belt_.first - 1, 2 * nside), radius_))) {
    const double share = std::min(1.0, 0.5 * view_.end);  // fraction of the sphere
    tapsPerPixel_ = std::max(1.0, share * static_cast<double>(12 * nside * nside));
}

template <typename Sample>
void DirectSums::execute(std::span<const DirectPlane<Sample>> planes, JobContext& job) const {
    const Sums<Sample> sums(*this, planes, {1, 4 * nside_ - 1});
    struct Tile {
        int64_t firstRing, lastRing, first, count;  // parts, or columns
        bool cap;
    };
    std::vector<Tile> tiles;
    const double pixels = kProductsOfTile / (tapsPerPixel_ * static_cast<double>(sums.layers));
    // Caps: some rings, and a part of their eighth such that 16 images have about `pixels` pixels.
    const auto capRings = static_cast<int64_t>(std::clamp(pixels / (16.0 * 64.0), 1.0, 24.0));
    for (int64_t r = 1; r < belt_.first && r <= 2 * nside_; r += capRings) {
        const int64_t last = std::min({r + capRings - 1, belt_.first - 1, 2 * nside_});
        const auto each = static_cast<int64_t>(
            std::clamp(pixels / (16.0 * static_cast<double>(capRings)), 1.0, 192.0));
        const int64_t eighth = rings_.ring[static_cast<size_t>(last)].quarter / 2 + 1;
        const int64_t parts = (eighth + each - 1) / each;
        for (int64_t p = 0; p < parts; ++p) tiles.push_back({r, last, p, parts, true});
    }
    // Belt: complete groups of rings of both shifts.
    constexpr auto kGroup = 2 * static_cast<int64_t>(kBeltRings);
    const int64_t all = 4 * nside_;
    const int64_t columns = std::min(
        all, static_cast<int64_t>(std::clamp(pixels / (8.0 * kGroup), 256.0, 2048.0)) / 32 * 32);
    const auto beltRings = kGroup * static_cast<int64_t>(std::clamp(
                                        pixels / static_cast<double>(columns * kGroup), 1.0, 8.0));
    for (int64_t r = belt_.first; r <= belt_.last; r += beltRings)
        for (int64_t c = 0; c < all; c += columns)
            tiles.push_back(
                {r, std::min(r + beltRings - 1, belt_.last), c, std::min(columns, all - c), false});
    parallelFor(
        job, static_cast<long long>(tiles.size()), 1,
        [&](long long begin, long long end) {
            thread_local Workspace work;
            for (long long i = begin; i < end; ++i) {
                const Tile& tile = tiles[static_cast<size_t>(i)];
                if (tile.cap)
                    sums.capTile(tile.firstRing, tile.lastRing, tile.first, tile.count, work);
                else
                    sums.beltTile(tile.firstRing, tile.lastRing, tile.first, tile.count, work);
            }
        },
        "convolution");
}

template <typename Sample>
void DirectSums::execute(std::span<const DirectPlane<Sample>> planes, RingSpan range,
                         std::span<const PixelRun> runs, JobContext& job) const {
    const Sums<Sample> sums(*this, planes, range);
    const auto each = static_cast<int64_t>(std::clamp(
        0.2 * kProductsOfTile / (tapsPerPixel_ * static_cast<double>(sums.layers)), 1.0, 256.0));
    std::vector<PixelRun> tiles;
    for (const PixelRun& run : runs)
        for (int64_t done = 0; done < run.count; done += each)
            tiles.push_back({run.ring, run.first + done, std::min(each, run.count - done)});
    parallelFor(
        job, static_cast<long long>(tiles.size()), 1,
        [&](long long begin, long long end) {
            thread_local Workspace work;
            for (long long i = begin; i < end; ++i)
                sums.runTile(tiles[static_cast<size_t>(i)], work);
        },
        "convolution");
}

template void DirectSums::execute(std::span<const DirectPlane<float>>, JobContext&) const;
template void DirectSums::execute(std::span<const DirectPlane<double>>, JobContext&) const;
template void DirectSums::execute(std::span<const DirectPlane<float>>, RingSpan,
                                  std::span<const PixelRun>, JobContext&) const;
template void DirectSums::execute(std::span<const DirectPlane<double>>, RingSpan,
                                  std::span<const PixelRun>, JobContext&) const;

}  // namespace armilla
