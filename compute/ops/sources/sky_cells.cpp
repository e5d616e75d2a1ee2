// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/sky_cells.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/order_statistics.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "sources/cell_grid.h"

namespace armilla::sources {

namespace {

// Relaxation sweeps on each level; the coarser levels provide the long waves.
constexpr int kSweeps = 12;
// Mean of the good ones among the four children of each pixel.
std::vector<double> parents(const std::vector<double>& values) {
    std::vector<double> result(values.size() / 4, kNan);
    for (size_t i = 0; i < result.size(); ++i) {
        double sum = 0.0;
        int good = 0;
        for (size_t j = 4 * i; j < 4 * i + 4; ++j)
            if (!std::isnan(values[j])) {
                sum += values[j];
                ++good;
            }
        if (good > 0) result[i] = sum / good;
    }
    return result;
}

double interpolated(const Interpolator& at, const std::vector<double>& values, Vec3 direction) {
    const Interpolation four = at(direction);
    double sum = 0.0;
    for (size_t i = 0; i < 4; ++i)
        sum += four.weights[i] * values[static_cast<size_t>(four.pixels[i])];
    return sum;
}

void relax(int64_t nside, const std::vector<int64_t>& holes, std::vector<double>& values,
           JobContext& job) {
    if (holes.empty()) return;
    // Neighbors are computed once. Results go to a separate array, so that the order of threads has
    // no effect.
    std::vector<std::array<int64_t, 8>> around(holes.size());
    parallelFor(job, static_cast<long long>(holes.size()), 1 << 13,
                [&](long long begin, long long end) {
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                        around[i] = neighbors(nside, Ordering::Nested, holes[i]);
                });
    std::vector<double> fresh(holes.size());
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        parallelFor(job, static_cast<long long>(holes.size()), kPixelGrain,
                    [&](long long begin, long long end) {
                        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end);
                             ++i) {
                            double sum = 0.0;
                            int count = 0;
                            for (const int64_t p : around[i])
                                if (p >= 0) {
                                    sum += values[static_cast<size_t>(p)];
                                    ++count;
                                }
                            fresh[i] = count > 0 ? sum / count : 0.0;
                        }
                    });
        for (size_t i = 0; i < holes.size(); ++i) values[static_cast<size_t>(holes[i])] = fresh[i];
    }
}

}  // namespace

int64_t coarseNside(double size, int64_t most) {
    // A pixel's width is the square root of its area.
    const double wanted = std::sqrt(kPi / 3.0) / size;
    int64_t nside = 1;
    while (2 * nside <= most && static_cast<double>(2 * nside) <= wanted) nside *= 2;
    return nside;
}

int64_t cellOf(int64_t nside, int64_t ringPixel, int64_t coarse) {
    if (nside % coarse != 0)
        return nestedFromDirection(coarse, directionFromRing(nside, ringPixel));
    FacePixel at = faceFromRing(nside, ringPixel);
    const int64_t perSide = nside / coarse;
    at.x /= perSide;
    at.y /= perSide;
    return nestedFromFace(coarse, at);
}

bool fillNested(int64_t nside, std::vector<double>& values, JobContext& job) {
    if (std::none_of(values.begin(), values.end(), [](double v) { return std::isnan(v); }))
        return true;
    std::vector<int64_t> holes;
    for (size_t i = 0; i < values.size(); ++i)
        if (std::isnan(values[i])) holes.push_back(static_cast<int64_t>(i));
    if (nside == 1) {
        double sum = 0.0;
        for (const double v : values)
            if (!std::isnan(v)) sum += v;
        if (holes.size() == values.size()) return false;
        for (const int64_t hole : holes)
            values[static_cast<size_t>(hole)] =
                sum / static_cast<double>(values.size() - holes.size());
    } else {
        std::vector<double> coarse = parents(values);
        if (!fillNested(nside / 2, coarse, job)) return false;
        const Interpolator at(nside / 2, Ordering::Nested);
        parallelFor(job, static_cast<long long>(holes.size()), 1 << 13,
                    [&](long long begin, long long end) {
                        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                            values[static_cast<size_t>(holes[i])] =
                                interpolated(at, coarse, directionFromNested(nside, holes[i]));
                    });
    }
    relax(nside, holes, values, job);
    return true;
}

void fillHoles(int64_t nside, double size, std::span<double> ring, JobContext& job) {
    std::vector<int64_t> holes;
    for (size_t p = 0; p < ring.size(); ++p) {
        if (p % (size_t{1} << 20) == 0) job.poll();
        if (std::isnan(ring[p])) holes.push_back(static_cast<int64_t>(p));
    }
    if (holes.empty()) return;
    const int64_t coarse = coarseNside(size, nside);
    const auto cells = static_cast<size_t>(pixelCount(coarse));
    std::vector<double> sum(cells, 0.0), count(cells, 0.0);
    for (size_t p = 0; p < ring.size(); ++p) {
        if (p % (size_t{1} << 18) == 0) job.poll();
        if (std::isnan(ring[p])) continue;
        const auto cell = static_cast<size_t>(cellOf(nside, static_cast<int64_t>(p), coarse));
        sum[cell] += ring[p];
        count[cell] += 1.0;
    }
    for (size_t c = 0; c < cells; ++c) sum[c] = count[c] > 0.0 ? sum[c] / count[c] : kNan;
    if (!fillNested(coarse, sum, job))
        throw InvalidArgument("expected good pixels in the map, found none");
    const Interpolator at(coarse, Ordering::Nested);
    parallelFor(job, static_cast<long long>(holes.size()), 1 << 13,
                [&](long long begin, long long end) {
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                        ring[static_cast<size_t>(holes[i])] =
                            interpolated(at, sum, directionFromRing(nside, holes[i]));
                });
}

double clippedRms(std::span<double> values, size_t least) {
    const auto end =
        std::partition(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    const auto count = static_cast<size_t>(end - values.begin());
    if (count < least) return kNan;
    double center = upperMedian(values.first(count));
    std::vector<double> distance(count);
    for (size_t i = 0; i < count; ++i) distance[i] = std::abs(values[i] - center);
    double rms = upperMedian(distance) / kMedianDistance;
    if (!(rms > 0.0)) {
        double sum = 0.0;
        for (const double d : distance) sum += d * d;
        return std::sqrt(sum / static_cast<double>(count));
    }
    for (int pass = 0; pass < kClipPasses; ++pass) {
        double sum = 0.0, squares = 0.0;
        size_t kept = 0;
        for (size_t i = 0; i < count; ++i)
            if (std::abs(values[i] - center) <= kClip * rms) {
                sum += values[i] - center;
                squares += (values[i] - center) * (values[i] - center);
                ++kept;
            }
        const double mean = sum / static_cast<double>(kept);
        const double fresh = std::sqrt(
            std::max(0.0, squares / static_cast<double>(kept) - mean * mean) / kClippedVariance);
        center += mean;
        const bool settled = std::abs(fresh - rms) < kClipSettled * rms;
        rms = fresh;
        if (settled || !(rms > 0.0)) break;
    }
    return rms;
}

int64_t noiseCells(int64_t nside, double size) {
    return coarseNside(size, std::max<int64_t>(1, nside / 4));
}

double rmsOfAll(int64_t nside, int64_t coarse, std::span<const double> ring) {
    std::vector<double> all;
    for (int64_t cell = 0; cell < pixelCount(coarse); ++cell) {
        const CellBox box = cellBox(nside, coarse, cell);
        for (int64_t i = 0; i < box.samples(); ++i)
            all.push_back(ring[static_cast<size_t>(ringFromFace(nside, box.sample(i)))]);
    }
    const double one = clippedRms(all, 2);
    if (!(one > 0.0)) throw InvalidArgument("expected a map with noise or background, found none");
    return one;
}

void localRms(int64_t nside, double size, std::span<const double> ring, std::span<double> rms,
              JobContext& job) {
    const int64_t coarse = noiseCells(nside, size);
    std::vector<double> ofCell(static_cast<size_t>(pixelCount(coarse)));
    parallelFor(job, pixelCount(coarse), 64, [&](long long begin, long long end) {
        std::vector<double> samples;
        for (long long cell = begin; cell < end; ++cell) {
            const CellBox box = cellBox(nside, coarse, cell);
            samples.resize(static_cast<size_t>(box.samples()));
            for (size_t i = 0; i < samples.size(); ++i)
                samples[i] = ring[static_cast<size_t>(
                    ringFromFace(nside, box.sample(static_cast<int64_t>(i))))];
            ofCell[static_cast<size_t>(cell)] = clippedRms(samples, kLeastSamples);
        }
    });
    // Without any cell that has enough samples: all samples together.
    if (!fillNested(coarse, ofCell, job))
        std::fill(ofCell.begin(), ofCell.end(), rmsOfAll(nside, coarse, ring));
    const std::vector<double> faces = facesWithEdges(coarse, ofCell);
    const CellGrid grid{nside, coarse, faces.data()};
    parallelFor(job, pixelCount(nside), kPixelGrain, [&](long long begin, long long end) {
        for (long long p = begin; p < end;) {
            const RingRun run = ringRun(nside, ringPlaceFromRing(nside, p));
            const long long length = std::min<long long>(run.length, end - p);
            interpolateRun(grid, run.first, length, rms.data() + p);
            p += length;
        }
    });
}

PlaceIndex::PlaceIndex(double radius)
    : nside_(coarseNside(std::max(radius, 1e-6), int64_t{1} << 20)) {}

void PlaceIndex::add(Vec3 direction, int64_t number) {
    cells_[nestedFromDirection(nside_, direction)].push_back({direction, number});
}

std::vector<int64_t> PlaceIndex::near(Vec3 direction, double radius) const {
    std::vector<int64_t> found;
    const double reach = std::min(kPi, radius + maximumPixelRadius(nside_));
    for (const PixelRange& range : queryDisc(nside_, Ordering::Nested, direction, reach))
        for (int64_t cell = range.begin; cell < range.end; ++cell) {
            const auto places = cells_.find(cell);
            if (places == cells_.end()) continue;
            for (const Place& place : places->second)
                if (angularDistance(place.direction, direction) <= radius)
                    found.push_back(place.number);
        }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace armilla::sources
