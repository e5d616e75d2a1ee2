// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/markers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"

namespace armilla {

namespace {

// Mean number of rows per cell: few enough that a pick tests some hundred rows, enough that the
// list of cells stays small.
constexpr int64_t kRowsPerCell = 16;
constexpr int64_t kMostNside = 1024;
// A picture that extends farther than this from its middle counts as the whole sky.
constexpr double kFarReach = 1.0;
constexpr int kBorderSteps = 8;

int64_t cellNside(int64_t rows) {
    int64_t nside = 1;
    while (nside < kMostNside && 12 * nside * nside * kRowsPerCell < rows) nside *= 2;
    return nside;
}

// Angle from the middle of the picture to the farthest point of its border; none if part of the
// border is off the sky.
std::optional<double> reachOf(const ViewGeometry& view, Vec3 middle, double margin) {
    double farthest = 0.0;
    const auto look = [&](double column, double row) {
        Vec3 at;
        if (!skyFromImage(view, column, row, at)) return false;
        farthest = std::max(farthest, angularDistance(middle, at));
        return true;
    };
    const double left = -margin, right = view.width + margin;
    const double top = -margin, bottom = view.height + margin;
    for (int i = 0; i <= kBorderSteps; ++i) {
        const double share = static_cast<double>(i) / kBorderSteps;
        const double column = left + share * (right - left), row = top + share * (bottom - top);
        if (!look(column, top) || !look(column, bottom) || !look(left, row) || !look(right, row))
            return std::nullopt;
    }
    // Between two of the sampled positions, the border is farther by less than their distance.
    return farthest * (1.0 + 1.0 / kBorderSteps);
}

}  // namespace

std::shared_ptr<const MarkerSet> MarkerSet::build(const Catalog& catalog, JobContext& job) {
    return built(
        catalog, catalog.rows(), [](size_t i) { return static_cast<int64_t>(i); }, job);
}

std::shared_ptr<const MarkerSet> MarkerSet::build(const Catalog& catalog,
                                                  std::span<const int64_t> chosen,
                                                  JobContext& job) {
    return built(
        catalog, static_cast<int64_t>(chosen.size()), [chosen](size_t i) { return chosen[i]; },
        job);
}

// `rowAt`: the row of the catalog by its place among the chosen ones.
template <typename RowAt>
std::shared_ptr<const MarkerSet> MarkerSet::built(const Catalog& catalog, int64_t count,
                                                  const RowAt& rowAt, JobContext& job) {
    if (catalog.rows() > int64_t{std::numeric_limits<uint32_t>::max()})
        throw InvalidArgument("expected fewer than 2^32 rows to draw, found " +
                              std::to_string(catalog.rows()));
    auto set = std::make_shared<MarkerSet>();
    set->frame_ = catalog.frame();
    set->nside_ = cellNside(count);
    const int64_t nside = set->nside_;
    // Directions are computed twice, because they would take 24 bytes a row.
    std::vector<int32_t> cells(static_cast<size_t>(count), -1);
    const auto directionOf = [&](size_t i) -> std::optional<Vec3> {
        const LonLat at = catalog.at(rowAt(i));
        if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) return std::nullopt;
        return armilla::direction(at);
    };
    parallelFor(
        job, count, kPixelGrain / 16,
        [&](long long begin, long long end) {
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                if (const auto at = directionOf(i))
                    cells[i] =
                        static_cast<int32_t>(pixelFromDirection(nside, Ordering::Nested, *at));
        },
        "placing rows");
    // Counting sort; rows of a cell keep their order.
    set->starts_.assign(static_cast<size_t>(12 * nside * nside) + 1, 0);
    for (const int32_t cell : cells)
        if (cell >= 0) ++set->starts_[static_cast<size_t>(cell) + 1];
    for (size_t i = 1; i < set->starts_.size(); ++i) set->starts_[i] += set->starts_[i - 1];
    const auto placed = static_cast<size_t>(set->starts_.back());
    set->rows_.resize(placed);
    set->coordinates_.resize(6 * placed);
    std::vector<int64_t> next(set->starts_.begin(), set->starts_.end() - 1);
    for (size_t i = 0; i < cells.size(); ++i) {
        if (i % static_cast<size_t>(kPixelGrain) == 0) job.poll();
        if (cells[i] < 0) continue;
        const auto place = static_cast<size_t>(next[static_cast<size_t>(cells[i])]++);
        set->rows_[place] = static_cast<uint32_t>(i);
    }
    parallelFor(
        job, static_cast<long long>(placed), kPixelGrain / 16,
        [&](long long begin, long long end) {
            for (auto place = static_cast<size_t>(begin); place < static_cast<size_t>(end);
                 ++place) {
                const size_t i = set->rows_[place];
                const Vec3 at = directionOf(i).value_or(Vec3{});
                set->rows_[place] = static_cast<uint32_t>(rowAt(i));
                const double parts[] = {at.x, at.y, at.z};
                for (size_t axis = 0; axis < 3; ++axis) {
                    const auto single = static_cast<float>(parts[axis]);
                    set->coordinates_[6 * place + axis] = single;
                    set->coordinates_[6 * place + 3 + axis] =
                        static_cast<float>(parts[axis] - static_cast<double>(single));
                }
            }
        },
        "sorting rows");
    return set;
}

Vec3 MarkerSet::direction(int64_t place) const {
    const float* c = &coordinates_[6 * static_cast<size_t>(place)];
    const auto sum = [c](int axis) {
        return static_cast<double>(c[axis]) + static_cast<double>(c[axis + 3]);
    };
    return {sum(0), sum(1), sum(2)};
}

int64_t MarkerSet::memoryBytes() const {
    return static_cast<int64_t>(coordinates_.size() * sizeof(float) +
                                rows_.size() * sizeof(uint32_t) + starts_.size() * sizeof(int64_t));
}

std::vector<MarkerSet::Run> MarkerSet::runsIn(const ViewGeometry& view, double margin) const {
    std::vector<Run> all{{0, size()}};
    if (size() == 0) return {};
    Vec3 middle;
    if (!skyFromImage(view, 0.5 * view.width, 0.5 * view.height, middle)) return all;
    const auto reach = reachOf(view, middle, margin);
    if (!reach || *reach > kFarReach) return all;
    return runsWithin(middle, *reach);
}

std::vector<MarkerSet::Run> MarkerSet::runsWithin(Vec3 middle, double radius) const {
    std::vector<Run> runs;
    if (size() == 0) return runs;
    const double reach = std::min(kPi, radius + maximumPixelRadius(nside_));
    for (const PixelRange& cells : queryDisc(nside_, Ordering::Nested, middle, reach)) {
        const Run run{starts_[static_cast<size_t>(cells.begin)],
                      starts_[static_cast<size_t>(cells.end)]};
        if (run.begin < run.end) runs.push_back(run);
    }
    return runs;
}

std::optional<int64_t> MarkerSet::nearest(Vec3 towards, double radius) const {
    if (size() == 0 || !(radius >= 0.0)) return std::nullopt;
    double least = radius;
    std::optional<int64_t> found;
    for (const Run& run : runsWithin(towards, radius))
        for (int64_t place = run.begin; place < run.end; ++place) {
            const double distance = angularDistance(towards, direction(place));
            // Among several at one position, the last one is drawn on top.
            if (distance > least) continue;
            least = distance;
            found = row(place);
        }
    return found;
}

std::optional<int64_t> pickMarker(const MarkerSet& set, const ViewGeometry& view, double column,
                                  double row, double reach) {
    Vec3 at;
    if (!skyFromImage(view, column, row, at)) return std::nullopt;
    // The angle of the reach at this point, where the projection stretches angles most. Apart from
    // that factor, the nearest on the sky is the nearest in the picture.
    const PlanePoint point = planeFromImage(view, column, row);
    const PlaneRow plane = planeRow(view.projection, point.y);
    const Vec3 inView = transposed(view.skyFromView) * at;
    const double scale = footprintScale(view.projection, plane, point.x, inView);
    return set.nearest(at, std::min(0.5, reach * view.radiansPerPixel * std::min(scale, 4.0)));
}

}  // namespace armilla
