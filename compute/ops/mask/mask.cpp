// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/mask.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/one_field.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "mask/apodization_profile.h"
#include "mask/edge_distance.h"

namespace armilla {

namespace {

// Pixels per range in loops that compute directions: about 1 ms on one CPU core.
constexpr int64_t kDirectionGrain = int64_t{1} << 13;

template <class T>
HealpixMap maskFrom(const MaskGrid& grid, std::vector<T> values) {
    Field field;
    field.name = "MASK";
    field.diskType = sizeof(T) == sizeof(double) ? DiskType::Float64 : DiskType::Float32;
    field.values = std::move(values);
    return {grid.nside, grid.ordering, grid.frame, oneField(std::move(field))};
}

MaskGrid gridOf(const HealpixMap& map) {
    return {map.nside(), map.ordering(), map.frame()};
}

void check(const MaskGrid& grid) {
    checkNside(grid.nside, grid.ordering);
}

// Calls use(values of the mask's field) with float or double.
template <class Use>
auto withValues(const HealpixMap& mask, const Use& use) {
    if (mask.coverage() != Coverage::Full || mask.fieldCount() < 1)
        throw InvalidArgument("expected a mask of the whole sky, found another map");
    return std::visit(use, mask.field(0).values);
}

// A map of value(pixel's direction, pixel).
template <class T = float, class Value>
HealpixMap everywhere(const MaskGrid& grid, JobContext& job, const Value& value) {
    check(grid);
    std::vector<T> values = newVector<T>(pixelCount(grid.nside), job);
    parallelFor(
        job, pixelCount(grid.nside), kDirectionGrain,
        [&](long long begin, long long end) {
            for (long long p = begin; p < end; ++p)
                values[static_cast<size_t>(p)] = static_cast<T>(value(p));
        },
        "mask");
    return maskFrom(grid, std::move(values));
}

// A map of value(pixel, old value), of type T.
template <class T, class Value>
HealpixMap changedTo(const HealpixMap& mask, JobContext& job, const Value& value) {
    return withValues(mask, [&](const auto& before) {
        std::vector<T> values = newVector<T>(mask.pixelCount(), job);
        parallelFor(job, mask.pixelCount(), kPixelGrain, [&](long long begin, long long end) {
            for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                values[p] = static_cast<T>(value(p, before[p]));
        });
        return maskFrom(gridOf(mask), std::move(values));
    });
}

// changed() with the mask's own type.
template <class Value>
HealpixMap changed(const HealpixMap& mask, JobContext& job, const Value& value) {
    return withValues(mask, [&]<class T>(const std::vector<T>& /*before*/) {
        return changedTo<T>(mask, job, value);
    });
}

void fillDisc(const MaskGrid& grid, std::vector<float>& values, Vec3 center, double radius) {
    for (const PixelRange& range : queryDisc(grid.nside, grid.ordering, center, radius))
        std::fill(values.begin() + range.begin, values.begin() + range.end, 1.0F);
}

// Visits good pixels with a bad one within the limit, or the reverse.
void visitNear(const HealpixMap& mask, bool toBad, const mask::NearRequest& request,
               JobContext& job, const mask::NearVisit& body) {
    constexpr int64_t kBits = 64;
    const int64_t pixels = mask.pixelCount(), words = (pixels + kBits - 1) / kBits;
    std::vector<uint64_t> targets = newVector<uint64_t>(words, job);
    withValues(mask, [&]<class T>(const std::vector<T>& values) {
        parallelFor(job, words, kPixelGrain / kBits, [&](long long begin, long long end) {
            for (long long word = begin; word < end; ++word) {
                const int64_t first = word * kBits, count = std::min(kBits, pixels - first);
                uint64_t bits = 0;
                // NaN is bad.
                for (int64_t k = 0; k < count; ++k)
                    bits |= uint64_t{(values[static_cast<size_t>(first + k)] > T(0.5)) != toBad}
                            << k;
                targets[static_cast<size_t>(word)] = bits;
            }
        });
    });
    mask::NearTargets(mask.nside(), mask.ordering(), targets, job).visit(request, job, body);
}

std::vector<double> distances(const HealpixMap& mask, bool toBad, double limit, JobContext& job) {
    std::vector<double> result = newVector<double>(mask.pixelCount(), job, kPi);
    withValues(mask, [&]<class T>(const std::vector<T>& values) {
        parallelFor(job, mask.pixelCount(), kPixelGrain, [&](long long begin, long long end) {
            for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                if ((values[p] > T(0.5)) != toBad) result[p] = 0.0;
        });
    });
    visitNear(mask, toBad, {.limit = limit}, job, [&](const mask::NearPixels& near) {
        for (size_t i = 0; i < near.pixels.size(); ++i)
            result[static_cast<size_t>(near.pixels[i])] = 2.0 * std::asin(near.halfChords[i]);
    });
    return result;
}

void checkAngle(double angle) {
    if (!(angle >= 0.0 && angle <= kPi))
        throw InvalidArgument("expected an angle from 0 to 180 degrees, found " +
                              std::to_string(angle / kDegree));
}

}  // namespace

HealpixMap wholeMask(const MaskGrid& grid, float value, JobContext& job, DiskType type) {
    check(grid);
    const int64_t pixels = pixelCount(grid.nside);
    return type == DiskType::Float64
               ? maskFrom(grid, newVector<double>(pixels, job, static_cast<double>(value)))
               : maskFrom(grid, newVector<float>(pixels, job, value));
}

HealpixMap maskOfValues(const HealpixMap& map, int field, std::optional<double> least,
                        std::optional<double> most, JobContext& job) {
    if (map.coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected a map of one order, found cells of several");
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field of the map, found number " +
                              std::to_string(field + 1));
    return everywhere(gridOf(map), job, [&](int64_t p) {
        const double v = map.value(field, p);
        return std::isfinite(v) && (!least || v >= *least) && (!most || v <= *most) ? 1.0 : 0.0;
    });
}

HealpixMap maskOfRegions(const MaskGrid& grid, std::span<const Region> regions, JobContext& job) {
    check(grid);
    std::vector<float> values = newVector<float>(pixelCount(grid.nside), job);
    for (const Region& region : regions) {
        const RegionTest test(region, grid.frame);
        const float value = region.exclude ? 0.0F : 1.0F;
        // The margin covers rounding at the border.
        const double radius = std::min(kPi, test.radius() * (1.0 + 1e-12) + 1e-14);
        // Pieces of about 1 ms on one CPU core, shorter for polygons with more corners.
        const int64_t length = std::max<int64_t>(
            64, kDirectionGrain / static_cast<int64_t>(1 + region.points.size() / 8));
        std::vector<PixelRange> pieces;
        for (const PixelRange& range : queryDisc(grid.nside, grid.ordering, test.center(), radius))
            for (int64_t p = range.begin; p < range.end; p += length)
                pieces.push_back({p, std::min(p + length, range.end)});
        parallelFor(job, static_cast<long long>(pieces.size()), 1,
                    [&](long long begin, long long end) {
                        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                            for (int64_t p = pieces[i].begin; p < pieces[i].end; ++p)
                                if (test.contains(directionFromPixel(grid.nside, grid.ordering, p)))
                                    values[static_cast<size_t>(p)] = value;
                    });
    }
    return maskFrom(grid, std::move(values));
}

HealpixMap maskOfCatalog(const MaskGrid& grid, const Catalog& catalog, double radius,
                         JobContext& job) {
    check(grid);
    checkAngle(radius);
    const Mat3 turn = frameRotation(grid.frame, catalog.frame());
    std::vector<float> values = newVector<float>(pixelCount(grid.nside), job);
    for (int64_t row = 0; row < catalog.rows(); ++row) {
        job.poll();
        const LonLat at = catalog.at(row);
        if (std::isfinite(at.lon) && std::isfinite(at.lat))
            fillDisc(grid, values, turn * direction(at), radius);
    }
    return maskFrom(grid, std::move(values));
}

HealpixMap withoutLatitudes(HealpixMap mask, Frame frame, double latitude, JobContext& job) {
    if (!(latitude >= 0.0 && latitude <= 0.5 * kPi))
        throw InvalidArgument("expected a latitude from 0 to 90 degrees, found " +
                              std::to_string(latitude / kDegree));
    if (mask.coverage() != Coverage::Full || mask.fieldCount() < 1)
        throw InvalidArgument("expected a mask of the whole sky, found another map");
    const MaskGrid grid = gridOf(mask);
    const Mat3 turn = frameRotation(frame, grid.frame);
    const auto isInBelt = [&](int64_t p) {
        const Vec3 d = turn * directionFromPixel(grid.nside, grid.ordering, p);
        return std::abs(lonLat(d).lat) < latitude;
    };
    std::visit(
        [&](auto& values) {
            if (grid.ordering == Ordering::Ring && frame == grid.frame) {
                constexpr long long kRings = 16;  // at most 0.5 MB at nside 2048
                parallelFor(job, 4 * grid.nside - 1, kRings, [&](long long begin, long long end) {
                    for (int64_t ring = begin + 1; ring <= end; ++ring) {
                        const int64_t first = detail::firstPixelOfRing(grid.nside, ring);
                        if (isInBelt(first))
                            std::fill(
                                values.begin() + first,
                                values.begin() + detail::firstPixelOfRing(grid.nside, ring + 1), 0);
                    }
                });
                return;
            }
            parallelFor(job, pixelCount(grid.nside), kDirectionGrain,
                        [&](long long begin, long long end) {
                            for (long long p = begin; p < end; ++p)
                                if (isInBelt(p)) values[static_cast<size_t>(p)] = 0;
                        });
        },
        mask.field(0).values);
    return mask;
}

HealpixMap maskOfCells(const MaskGrid& grid, Frame cellFrame, std::span<const int64_t> uniq,
                       JobContext& job) {
    check(grid);
    struct Cell {
        int order;
        int64_t pixel;
    };
    std::vector<Cell> cells;
    int deepest = 0;
    for (const int64_t number : uniq) {
        int order = -1;
        for (int64_t rest = number; rest >= 4; rest /= 4) ++order;
        const int64_t pixel = order < 0 ? -1 : number - (int64_t{4} << (2 * order));
        if (order < 0 || order > 29 || pixel < 0 || pixel >= pixelCount(int64_t{1} << order))
            throw InvalidArgument("expected NUNIQ numbers of orders 0 to 29, found " +
                                  std::to_string(number));
        cells.push_back({order, pixel});
        deepest = std::max(deepest, order);
    }
    // Cells as runs of the deepest order present.
    std::vector<PixelRange> runs;
    for (const Cell& cell : cells) {
        const int shift = 2 * (deepest - cell.order);
        runs.push_back({cell.pixel << shift, (cell.pixel + 1) << shift});
    }
    std::sort(runs.begin(), runs.end(),
              [](const PixelRange& a, const PixelRange& b) { return a.begin < b.begin; });
    // Merges overlapping cells, which a list may contain but a MOC may not.
    size_t last = 0;
    for (size_t i = 1; i < runs.size(); ++i) {
        if (runs[i].begin <= runs[last].end)
            runs[last].end = std::max(runs[last].end, runs[i].end);
        else
            runs[++last] = runs[i];
    }
    if (!runs.empty()) runs.resize(last + 1);
    const int64_t nside = int64_t{1} << deepest;
    const Mat3 turn = frameRotation(cellFrame, grid.frame);
    HealpixMap result = everywhere(grid, job, [&](int64_t p) {
        const int64_t at =
            nestedFromDirection(nside, turn * directionFromPixel(grid.nside, grid.ordering, p));
        const auto after = std::upper_bound(
            runs.begin(), runs.end(), at,
            [](int64_t pixel, const PixelRange& run) { return pixel < run.begin; });
        return after != runs.begin() && at < std::prev(after)->end ? 1.0 : 0.0;
    });
    // Cells smaller than pixels may lie between the pixel centers.
    auto& values = std::get<std::vector<float>>(result.field(0).values);
    const Mat3 back = transposed(turn);
    for (const Cell& cell : cells) {
        const int64_t own = int64_t{1} << cell.order;
        if (own <= grid.nside) continue;
        const int64_t pixel = pixelFromDirection(grid.nside, grid.ordering,
                                                 back * directionFromNested(own, cell.pixel));
        values[static_cast<size_t>(pixel)] = 1.0F;
    }
    return result;
}

HealpixMap maskOfWeights(const HealpixMap& map, int field, JobContext& job, DiskType type) {
    if (map.coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected a map of pixels of one order, found several");
    const auto weight = [](auto v) { return std::isfinite(v) && v > 0 ? v : decltype(v){0}; };
    const auto made = [&]<class T>(T) {
        if (map.coverage() == Coverage::Partial)
            return everywhere<T>(gridOf(map), job,
                                 [&](int64_t p) { return weight(map.value(field, p)); });
        return std::visit(
            [&](const auto& values) {
                return everywhere<T>(gridOf(map), job, [&](int64_t p) {
                    return weight(values[static_cast<size_t>(p)]);
                });
            },
            map.field(field).values);
    };
    return type == DiskType::Float64 ? made(0.0) : made(0.0F);
}

HealpixMap joined(const HealpixMap& a, const HealpixMap& b, MaskJoin join, JobContext& job) {
    if (b.fieldCount() < 1) throw InvalidArgument("expected a mask with a field, found none");
    const Mat3 turn = frameRotation(b.frame(), a.frame());
    const bool same = b.coverage() != Coverage::MultiOrder && a.nside() == b.nside() &&
                      a.ordering() == b.ordering() && a.frame() == b.frame();
    const auto combined = [join](double own, double other) {
        // NaN and uncovered pixels are bad.
        const double good = std::isfinite(other) ? other : 0.0;
        return join == MaskJoin::And ? std::min(own, good) : std::max(own, good);
    };
    return withValues(a, [&]<class T>(const std::vector<T>& values) {
        if (same && b.coverage() == Coverage::Full)
            return withValues(b, [&](const auto& others) {
                return changedTo<T>(a, job, [&](size_t p, T own) {
                    return combined(own, static_cast<double>(others[p]));
                });
            });
        return everywhere<T>(gridOf(a), job, [&](int64_t p) {
            return combined(values[static_cast<size_t>(p)],
                            b.value(0, same ? p
                                            : b.pixelAt(turn * directionFromPixel(
                                                                   a.nside(), a.ordering(), p))));
        });
    });
}

HealpixMap invertedMask(const HealpixMap& mask, JobContext& job) {
    return changed(mask, job,
                   []<class T>(size_t, T v) { return std::isfinite(v) ? T(1) - v : T(1); });
}

std::vector<double> distanceToBad(const HealpixMap& mask, JobContext& job, double limit) {
    return distances(mask, true, limit, job);
}

std::vector<double> distanceToGood(const HealpixMap& mask, JobContext& job, double limit) {
    return distances(mask, false, limit, job);
}

HealpixMap grownMask(const HealpixMap& mask, double angle, JobContext& job) {
    checkAngle(angle);
    HealpixMap result =
        changed(mask, job, []<class T>(size_t /*pixel*/, T v) { return v > T(0.5) ? v : T(0); });
    std::visit(
        [&](auto& values) {
            visitNear(mask, true, {.limit = angle, .detail = mask::NearDetail::WithinLimit}, job,
                      [&](const mask::NearPixels& near) {
                          for (const int64_t p : near.pixels) values[static_cast<size_t>(p)] = 0;
                      });
        },
        result.field(0).values);
    return result;
}

HealpixMap shrunkMask(const HealpixMap& mask, double angle, JobContext& job) {
    checkAngle(angle);
    HealpixMap result = changed(mask, job, [](size_t /*pixel*/, auto v) { return v; });
    std::visit(
        [&]<class T>(std::vector<T>& values) {
            visitNear(mask, false, {.limit = angle, .detail = mask::NearDetail::WithinLimit}, job,
                      [&](const mask::NearPixels& near) {
                          for (const int64_t p : near.pixels)
                              if (T& value = values[static_cast<size_t>(p)]; value <= T(0.5))
                                  value = T(1);
                      });
        },
        result.field(0).values);
    return result;
}

double apodizationAt(Apodization kind, double theta, double angle) {
    return mask::ApodizationProfile(kind, angle).at(std::sin(0.5 * theta));
}

namespace {

template <class T>
HealpixMap apodized(const HealpixMap& mask, double angle, Apodization kind, JobContext& job) {
    if (angle == 0.0) return changedTo<T>(mask, job, [](size_t, auto v) { return v; });
    // Pixels without a bad one within the limit count as pi from it.
    const mask::ApodizationProfile profile(kind, angle);
    const T beyond = static_cast<T>(profile.at(1.0));
    HealpixMap result = changedTo<T>(mask, job, [&]<class V>(size_t /*pixel*/, V v) {
        return v > V(0.5) ? static_cast<T>(v) * beyond : T(0);
    });
    auto& values = std::get<std::vector<T>>(result.field(0).values);
    withValues(mask, [&](const auto& before) {
        visitNear(mask, true, {.limit = profile.limit()}, job, [&](const mask::NearPixels& near) {
            for (size_t i = 0; i < near.pixels.size(); ++i) {
                const auto at = static_cast<size_t>(near.pixels[i]);
                values[at] =
                    static_cast<T>(before[at]) * static_cast<T>(profile.at(near.halfChords[i]));
            }
        });
    });
    return result;
}

}  // namespace

HealpixMap apodizedMask(const HealpixMap& mask, double angle, Apodization kind, JobContext& job,
                        DiskType type) {
    checkAngle(angle);
    return type == DiskType::Float64 ? apodized<double>(mask, angle, kind, job)
                                     : apodized<float>(mask, angle, kind, job);
}

HealpixMap maskWithEdges(const HealpixMap& mask, const MaskEdges& edges, JobContext& job,
                         DiskType type) {
    HealpixMap made;
    const HealpixMap* last = &mask;
    const auto take = [&](HealpixMap next) {
        made = std::move(next);
        last = &made;
    };
    if (edges.shrink) take(shrunkMask(*last, *edges.shrink, job));
    if (edges.grow) take(grownMask(*last, *edges.grow, job));
    if (edges.apodize) take(apodizedMask(*last, *edges.apodize, edges.apodization, job, type));
    return last == &mask ? mask : std::move(made);
}

double goodShare(const HealpixMap& mask, JobContext& job) {
    if (mask.fieldCount() < 1) throw InvalidArgument("expected a mask with a field, found none");
    // Sums of ranges are added in order, so that the bits do not depend on the number of threads.
    const int64_t count = mask.field(0).size();
    std::vector<double> sums(static_cast<size_t>((count + kPixelGrain - 1) / kPixelGrain));
    std::visit(
        [&](const auto& values) {
            parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
                double sum = 0.0;
                for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                    if (std::isfinite(values[p])) sum += static_cast<double>(values[p]);
                sums[static_cast<size_t>(begin / kPixelGrain)] = sum;
            });
        },
        mask.field(0).values);
    return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(mask.pixelCount());
}

}  // namespace armilla
