// SPDX-License-Identifier: GPL-3.0-or-later
// Discs and convex polygons. A polygon is the intersection of hemispheres, each a disc of radius pi
// / 2 about the normal of a side. Thus both are intersections of discs.
#include <algorithm>
#include <array>
#include <cmath>

#include "armilla/core/pixel_queries.h"
#include "pixel_checks.h"

namespace armilla {

namespace {

class Disc {
public:
    Disc(Vec3 center, double radius) : axis_(normalized(center)), radius_(radius) {
        const double across = std::sqrt(axis_.x * axis_.x + axis_.y * axis_.y);
        theta_ = std::atan2(across, axis_.z);
        sinTheta_ = across;
        phi_ = lonLat(axis_).lon;
    }
    // The criterion for every pixel, in every search.
    bool contains(Vec3 direction) const { return distance(direction) <= radius_; }
    double distance(Vec3 direction) const { return angularDistance(axis_, direction); }
    double radius() const { return radius_; }
    double theta() const { return theta_; }

    // Half the longitude range of the disc on a ring; 0 if disjoint. From sin^2(dphi/2) sin(theta)
    // sin(theta_0) = sin^2(r/2) - sin^2((theta - theta_0)/2).
    double halfWidth(double z, double s) const {
        const double offset = std::atan2(s, z) - theta_;
        const double numerator =
            std::sin(0.5 * (radius_ - offset)) * std::sin(0.5 * (radius_ + offset));
        if (numerator <= 0.0) return 0.0;
        const double denominator = s * sinTheta_;
        if (numerator >= denominator) return kPi;
        return 2.0 * std::asin(std::sqrt(numerator / denominator));
    }
    double phi() const { return phi_; }

private:
    Vec3 axis_;
    double radius_, theta_ = 0.0, sinTheta_ = 0.0, phi_ = 0.0;
};

void append(std::vector<PixelRange>& ranges, int64_t begin, int64_t end) {
    if (begin >= end) return;
    if (!ranges.empty() && ranges.back().end == begin)
        ranges.back().end = end;
    else
        ranges.push_back({begin, end});
}

// Places of a ring, at most two runs of ascending order.
struct Places {
    std::array<PixelRange, 2> runs{};
    int count = 0;
    void add(int64_t begin, int64_t end) {
        if (begin < end) runs[static_cast<size_t>(count++)] = {begin, end};
    }
};

Places placesInDisc(int64_t nside, int64_t ring, const Disc& disc) {
    const int64_t count = 4 * detail::quarterLength(nside, ring);
    double z = 0.0, s = 0.0;
    ringHeight(nside, ring, z, s);
    const double half = disc.halfWidth(z, s), scale = static_cast<double>(count) / kTwoPi;
    const double shift = 0.5 * static_cast<double>(detail::ringShift(nside, ring));
    auto first = static_cast<int64_t>(std::ceil((disc.phi() - half) * scale - shift));
    auto last = static_cast<int64_t>(std::floor((disc.phi() + half) * scale - shift));
    last = std::min(last, first + count - 1);
    // The distance itself decides at the ends, because the half width is rounded.
    const auto inside = [&](int64_t place) {
        const int64_t wrapped = ((place % count) + count) % count;
        return disc.contains(directionFromRingPlace(nside, {ring, wrapped}));
    };
    if (first >
        last) {  // no center within reach; `last` is the nearest to the west, `first` to the east
        if (inside(last))
            first = last;
        else if (inside(first))
            last = first;
        else
            return {};
    }
    while (last - first + 1 < count && inside(first - 1)) --first;
    while (first <= last && !inside(first)) ++first;
    while (last - first + 1 < count && inside(last + 1)) ++last;
    while (first <= last && !inside(last)) --last;
    Places places;
    const int64_t length = last - first + 1;
    if (length <= 0) return {};
    if (length == count) {
        places.add(0, count);
        return places;
    }
    const int64_t begin = ((first % count) + count) % count, end = begin + length;
    places.add(0, end - count);
    places.add(begin, std::min(end, count));
    return places;
}

using Runs = std::vector<PixelRange>;

Runs intersection(const Runs& runs, const Places& places) {
    Runs result;
    for (const PixelRange& run : runs)
        for (int i = 0; i < places.count; ++i) {
            const PixelRange other = places.runs[static_cast<size_t>(i)];
            const PixelRange both{std::max(run.begin, other.begin), std::min(run.end, other.end)};
            if (both.begin < both.end) result.push_back(both);
        }
    std::sort(result.begin(), result.end(),
              [](PixelRange a, PixelRange b) { return a.begin < b.begin; });
    return result;
}

std::vector<PixelRange> ringQuery(int64_t nside, std::span<const Disc> discs) {
    int64_t from = 1, to = 4 * nside - 1;
    for (const Disc& disc : discs) {
        // One extra ring on either side, because the ends of the range are rounded.
        const double top = disc.theta() - disc.radius(), bottom = disc.theta() + disc.radius();
        if (top > 0.0) from = std::max(from, ringAtOrAbove(nside, top));
        if (bottom < kPi) to = std::min(to, ringAtOrAbove(nside, bottom) + 1);
    }
    std::vector<PixelRange> result;
    for (int64_t ring = from; ring <= to; ++ring) {
        Runs runs{{0, 4 * detail::quarterLength(nside, ring)}};
        for (const Disc& disc : discs) {
            runs = intersection(runs, placesInDisc(nside, ring, disc));
            if (runs.empty()) break;
        }
        const int64_t start = detail::firstPixelOfRing(nside, ring);
        for (const PixelRange& run : runs) append(result, start + run.begin, start + run.end);
    }
    return result;
}

// Descends the tree of nested pixels. A cell is accepted or rejected whole as soon as its bounding
// circle decides.
class NestedQuery {
public:
    NestedQuery(int64_t nside, std::span<const Disc> discs) : nside_(nside), discs_(discs) {
        // The bound is exact for one pixel; 1e-14 rad covers the rounding of distances.
        for (int64_t n = 1; n <= nside; n *= 2) reach_.push_back(maximumPixelRadius(n) + 1e-14);
    }
    std::vector<PixelRange> run() {
        for (int64_t face = 0; face < 12; ++face) visit(0, face);
        return std::move(result_);
    }

private:
    void visit(int order, int64_t pixel) {
        const int64_t n = int64_t{1} << order;
        const Vec3 center = directionFromNested(n, pixel);
        const bool leaf = n == nside_;
        const double reach = leaf ? 0.0 : reach_[static_cast<size_t>(order)];
        bool whole = true;
        for (const Disc& disc : discs_) {
            const double distance = disc.distance(center);
            if (distance > disc.radius() + reach) return;
            whole = whole && (leaf || distance + reach <= disc.radius());
        }
        if (whole) {
            const int shift = 2 * (orderOf(nside_) - order);
            append(result_, pixel << shift, (pixel + 1) << shift);
            return;
        }
        for (int64_t child = 4 * pixel; child < 4 * pixel + 4; ++child) visit(order + 1, child);
    }

    int64_t nside_;
    std::span<const Disc> discs_;
    std::vector<double> reach_;
    std::vector<PixelRange> result_;
};

std::vector<PixelRange> query(int64_t nside, Ordering ordering, std::span<const Disc> discs) {
    if (ordering == Ordering::Ring) return ringQuery(nside, discs);
    return NestedQuery(nside, discs).run();
}

bool isUsable(Vec3 v) {
    const double length = norm(v);
    return std::isfinite(length) && length > 0.0;
}

}  // namespace

std::vector<PixelRange> queryDisc(int64_t nside, Ordering ordering, Vec3 center, double radius) {
    checkNside(nside, ordering);
    if (!isUsable(center)) throw InvalidArgument("expected a direction as center of a disc");
    if (!(radius >= 0.0))
        throw InvalidArgument("expected a radius of 0 or more, found " + std::to_string(radius));
    if (radius >= kPi) return {{0, pixelCount(nside)}};
    return query(nside, ordering, std::array{Disc(center, radius)});
}

std::vector<PixelRange> queryPolygon(int64_t nside, Ordering ordering,
                                     std::span<const Vec3> corners) {
    checkNside(nside, ordering);
    if (corners.size() < 3)
        throw InvalidArgument("expected a polygon of at least 3 corners, found " +
                              std::to_string(corners.size()));
    std::vector<Vec3> points;
    for (const Vec3& corner : corners) {
        if (!isUsable(corner)) throw InvalidArgument("expected directions as corners of a polygon");
        points.push_back(normalized(corner));
    }
    // Corners within this angle (radians) count as one point, or as lying on one great circle: a
    // margin over the rounding of unit vectors.
    constexpr double kTiny = 1e-14;
    std::vector<Disc> halfSpheres;
    double sense = 0.0;
    for (size_t i = 0; i < points.size(); ++i) {
        const Vec3 normal = cross(points[i], points[(i + 1) % points.size()]);
        if (norm(normal) < kTiny)
            throw InvalidArgument(
                "expected a polygon whose neighboring corners differ and are not opposite");
        // The rounding of a corner turns a short edge about its other corner.
        const double turn = kTiny / norm(normal);
        double left = 0.0, right = 0.0;  // the farthest corners on either side of this edge
        for (const Vec3& point : points) {
            const double height = dot(normal, point) / norm(normal);
            left = std::max(left, height);
            right = std::min(right, height);
        }
        if (left < turn && right > -turn)
            throw InvalidArgument("expected a polygon with an area, found one great circle");
        const double side = left > -right ? 1.0 : -1.0;
        const double wrong = side > 0.0 ? -right : left;
        if (wrong > turn || sense * side < 0.0)
            throw InvalidArgument("expected a convex polygon, found a corner outside edge " +
                                  std::to_string(i + 1));
        sense = side;
        halfSpheres.emplace_back(side * normal, kHalfPi);
    }
    return query(nside, ordering, halfSpheres);
}

}  // namespace armilla
