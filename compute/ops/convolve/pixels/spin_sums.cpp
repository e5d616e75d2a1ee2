// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/spin_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "convolve/kernel/spin_kernel.h"
#include "convolve/pixels/cap_images.h"
#include "convolve/pixels/direct_kernels.h"
#include "convolve/pixels/growing_buffer.h"
#include "convolve/pixels/ring_blocks.h"
#include "shared/workspace_pool.h"

namespace armilla {

namespace {

// Products of one tile: some milliseconds.
constexpr double kProductsOfTile = 1e7;

int64_t wrapped(int64_t index, int64_t count) {
    index %= count;
    return index < 0 ? index + count : index;
}

}  // namespace

struct SpinSums::Workspace {
    GrowingBuffer q, u, kernel, real, imaginary;
    struct Source {
        RingPair pair;
        int64_t ring = 0, begin = 0, end = 0;
        size_t at = 0;  // index of pixel `begin` in the buffers of q and u
    };
    std::vector<Source> sources;
    std::vector<WeightRow> rows;
    std::vector<size_t> sourceOf;
    std::vector<int64_t> firsts;  // first pixel of each row, from the index of the target
    std::vector<ImageRow> qr, qi, ur, ui;
};

SpinSums::SpinSums(int64_t nside, const ProfileTable& profile, std::span<const double> ringWeights)
    : nside_(nside),
      rings_(nside),
      view_(profile.view()),
      radius_(profile.radius()),
      factor_(ringFactors(rings_, ringWeights)),
      belt_(beltTargets(rings_, radius_, view_.end)) {}

size_t SpinSums::findSources(int64_t r, int64_t begin, int64_t end, Workspace& work) const {
    const RingSpan span = ringsAround(rings_.theta.data(), rings_.count, r, radius_);
    work.sources.clear();
    size_t pixels = 0;
    for (int64_t k = span.first; k <= span.last; ++k) {
        Workspace::Source s;
        s.pair = ringPair(ring(r), ring(k), view_.end);
        if (s.pair.reach < 0.0) continue;
        const TapRun one = tapRun(ring(r), begin, ring(k), s.pair);
        const TapRun other = tapRun(ring(r), end - 1, ring(k), s.pair);
        s.ring = k;
        s.begin = one.first;
        s.end = std::max(one.first, other.first + other.count);
        s.at = pixels * kImages;
        pixels += static_cast<size_t>(s.end - s.begin);
        work.sources.push_back(s);
    }
    return pixels;
}

void SpinSums::copySources(const Maps& maps, double* q, double* u, const Workspace& work) const {
    for (const Workspace::Source& s : work.sources) {
        const int64_t all = 4 * ring(s.ring).quarter;
        const auto twice = static_cast<int64_t>(2.0 * ring(s.ring).shift);
        const double factor = factor_[static_cast<size_t>(s.ring)];
        for (size_t image = 0; image < kImages; ++image) {
            const int64_t turned = static_cast<int64_t>(image & 3) * ring(s.ring).quarter;
            const bool mirrored = (image & 4) != 0, south = (image & 8) != 0;
            const int64_t first = ring(south ? rings_.count + 1 - s.ring : s.ring).first;
            const double sign = mirrored != south ? -factor : factor;
            const int64_t step = mirrored ? -1 : 1;
            int64_t at = wrapped(mirrored ? turned - s.begin - twice : turned + s.begin, all);
            for (size_t to = s.at + image;
                 to < s.at + static_cast<size_t>(s.end - s.begin) * kImages; to += kImages) {
                const auto from = static_cast<size_t>(first + at);
                q[to] = factor * maps.q[from];
                u[to] = sign * maps.u[from];
                at += step;
                if (at < 0) at += all;
                if (at >= all) at -= all;
            }
        }
    }
}

void SpinSums::computeWeights(int64_t r, int64_t j, Workspace& work) const {
    work.rows.clear();
    work.sourceOf.clear();
    work.firsts.clear();
    size_t weightsAt = 0;
    for (size_t i = 0; i < work.sources.size(); ++i) {
        const Workspace::Source& s = work.sources[i];
        const TapRun run = tapRun(ring(r), j, ring(s.ring), s.pair);
        if (run.count == 0) continue;
        work.rows.push_back({run.delta, run.step, s.pair.y0, s.pair.across, run.count, weightsAt});
        work.sourceOf.push_back(i);
        work.firsts.push_back(run.first - j);
        weightsAt += roundedUp(static_cast<size_t>(run.count), kWeightSlack);
    }
    const size_t size = weightsAt + 2 * kWeightSlack;
    double* const kernel = work.kernel.of(size);
    double* const real = work.real.of(size);
    double* const imaginary = work.imaginary.of(size);
    tapWeights(view_, work.rows.data(), work.rows.size(), kernel);
    for (size_t i = 0; i < work.rows.size(); ++i) {
        const WeightRow& row = work.rows[i];
        const int64_t k = work.sources[work.sourceOf[i]].ring;
        turnWeights(row, rings_.theta[static_cast<size_t>(r)], rings_.theta[static_cast<size_t>(k)],
                    kernel + row.at, real + row.at, imaginary + row.at);
    }
}

void SpinSums::sumTarget(const Maps& maps, int64_t r, int64_t j, const double* q, const double* u,
                         Workspace& work) const {
    for (auto* rows : {&work.qr, &work.qi, &work.ur, &work.ui}) rows->clear();
    for (size_t i = 0; i < work.rows.size(); ++i) {
        const Workspace::Source& s = work.sources[work.sourceOf[i]];
        const WeightRow& row = work.rows[i];
        const size_t at = s.at + static_cast<size_t>(work.firsts[i] + j - s.begin) * kImages;
        const double* const real = work.real.of(0) + row.at;
        const double* const imaginary = work.imaginary.of(0) + row.at;
        work.qr.push_back({q + at, real, row.count});
        work.qi.push_back({q + at, imaginary, row.count});
        work.ur.push_back({u + at, real, row.count});
        work.ui.push_back({u + at, imaginary, row.count});
    }
    std::array<double, kImages> qr{}, qi{}, ur{}, ui{};
    sumImages(work.qr.data(), work.qr.size(), qr.data());
    sumImages(work.qi.data(), work.qi.size(), qi.data());
    sumImages(work.ur.data(), work.ur.size(), ur.data());
    sumImages(work.ui.data(), work.ui.size(), ui.data());
    const HealpixRing& mirror = ring(rings_.count + 1 - r);
    for (size_t image = 0; image < kImages; ++image) {
        const int code = static_cast<int>(image), x = static_cast<int>(j);
        if (repeatsImage(ring(r), r == 2 * nside_, code, x)) continue;
        const auto p = static_cast<size_t>(imagePixel(ring(r), mirror, code, x));
        const bool negated = ((image & 4) != 0) != ((image & 8) != 0);
        maps.toQ[p] = qr[image] - ui[image];
        maps.toU[p] = negated ? -(qi[image] + ur[image]) : qi[image] + ur[image];
    }
}

void SpinSums::tile(const Maps& maps, int64_t r, int64_t begin, int64_t end,
                    Workspace& work) const {
    const size_t size = findSources(r, begin, end, work) * kImages + 1;
    double* const q = work.q.of(size);
    double* const u = work.u.of(size);
    copySources(maps, q, u, work);
    const bool shared = r >= belt_.first && r <= belt_.last;
    for (int64_t j = begin; j < end; ++j) {
        if (!shared || j == begin) computeWeights(r, j, work);
        sumTarget(maps, r, j, q, u, work);
    }
}

void SpinSums::execute(const Maps& maps, JobContext& job) const {
    struct Tile {
        int64_t ring, begin, end;
    };
    const double taps =
        std::max(1.0, std::min(1.0, 0.5 * view_.end) * static_cast<double>(12 * nside_ * nside_));
    const auto each = static_cast<int64_t>(
        std::clamp(kProductsOfTile / (taps * 4.0 * static_cast<double>(kImages)), 1.0, 128.0));
    std::vector<Tile> tiles;
    for (int64_t r = 1; r <= 2 * nside_; ++r) {
        const int64_t count = eighthCount(rings_.ring[static_cast<size_t>(r)]);
        for (int64_t begin = 0; begin < count; begin += each)
            tiles.push_back({r, begin, std::min(begin + each, count)});
    }
    WorkspacePool<Workspace> workspaces;
    parallelFor(
        job, static_cast<long long>(tiles.size()), 1,
        [&](long long begin, long long end) {
            const std::shared_ptr<Workspace> work = workspaces.take();
            for (long long i = begin; i < end; ++i) {
                const Tile& t = tiles[static_cast<size_t>(i)];
                tile(maps, t.ring, t.begin, t.end, *work);
            }
            workspaces.giveBack(work);
        },
        "convolution");
}

}  // namespace armilla
