// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/region.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// Limit of the gnomonic plane of a polygon, short of its singularity at 90 degrees.
constexpr double kPolygonReach = 89.0 * kDegree;

Vec3 middleOf(const Region& region) {
    Vec3 sum;
    for (const LonLat& point : region.points) sum = sum + direction(point);
    return sum;
}

}  // namespace

void checkRegion(const Region& region) {
    const bool polygon = region.shape == RegionShape::Polygon;
    if (polygon ? region.points.size() < 3 : region.points.size() != 1)
        throw InvalidArgument(polygon ? "expected a polygon of three corners or more, found " +
                                            std::to_string(region.points.size())
                                      : "expected one center of a region, found " +
                                            std::to_string(region.points.size()));
    for (const LonLat& p : region.points)
        if (!std::isfinite(p.lon) || !(std::abs(p.lat) <= 0.5 * kPi * (1.0 + 1e-12)))
            throw InvalidArgument("expected latitudes from -90 to 90 degrees in a region, found " +
                                  std::to_string(p.lat / kDegree));
    if (polygon) {
        const Vec3 middle = middleOf(region);
        for (const LonLat& p : region.points)
            if (!(norm(middle) > 0.0) || angularDistance(middle, direction(p)) > kPolygonReach)
                throw InvalidArgument(
                    "expected a polygon that stays within 89 degrees of its middle, found a larger "
                    "one");
        return;
    }
    if (!(region.first >= 0.0 && region.second >= 0.0 && std::isfinite(region.first) &&
          std::isfinite(region.second) && std::isfinite(region.angle)))
        throw InvalidArgument(
            "expected finite sizes of 0 or more in a region, found a negative or infinite size");
    if (region.shape == RegionShape::Annulus && region.second < region.first)
        throw InvalidArgument("expected an outer radius beyond the inner one, found " +
                              std::to_string(region.second / kDegree) + " within " +
                              std::to_string(region.first / kDegree) + " degrees");
}

RegionTest::RegionTest(const Region& region, Frame frame)
    : shape_(region.shape), first_(region.first), second_(region.second) {
    checkRegion(region);
    const Mat3 turn = frameRotation(frame, region.frame);
    if (shape_ == RegionShape::Polygon) {
        center_ = normalized(turn * middleOf(region));
        // The axes are arbitrary here.
        along_ = normalized(
            cross(center_, std::abs(center_.z) < 0.7 ? Vec3{0.0, 0.0, 1.0} : Vec3{1.0, 0.0, 0.0}));
        across_ = cross(center_, along_);
        for (const LonLat& point : region.points) {
            const Vec3 corner = turn * direction(point);
            const double depth = dot(corner, center_);
            x_.push_back(dot(corner, along_) / depth);
            y_.push_back(dot(corner, across_) / depth);
            radius_ = std::max(radius_, angularDistance(corner, center_));
        }
        return;
    }
    const LonLat at = region.points.front();
    const Vec3 own = direction(at);
    const Vec3 east{-std::sin(at.lon), std::cos(at.lon), 0.0}, north = cross(own, east);
    center_ = turn * own;
    // With east to the left, counterclockwise runs west, north, east, south: from east towards
    // south.
    along_ = turn * (std::cos(region.angle) * east - std::sin(region.angle) * north);
    across_ = turn * (std::sin(region.angle) * east + std::cos(region.angle) * north);
    switch (shape_) {
        case RegionShape::Circle: radius_ = first_; break;
        case RegionShape::Annulus: radius_ = second_; break;
        case RegionShape::Ellipse: radius_ = std::max(first_, second_); break;
        default: radius_ = std::hypot(first_, second_);
    }
    radius_ = std::min(radius_, kPi);
}

bool RegionTest::contains(Vec3 d) const {
    if (shape_ == RegionShape::Polygon) {
        const double depth = dot(d, center_);
        if (!(depth > 0.0)) return false;
        const double x = dot(d, along_) / depth, y = dot(d, across_) / depth;
        bool inside = false;
        for (size_t i = 0, j = x_.size() - 1; i < x_.size(); j = i++) {
            const double dx = x_[j] - x_[i], dy = y_[j] - y_[i];
            const double side = dx * (y - y_[i]) - dy * (x - x_[i]);
            const double along = dx * (x - x_[i]) + dy * (y - y_[i]), length = dx * dx + dy * dy;
            if (side == 0.0 && along >= 0.0 && along <= length) return true;
            if ((y_[i] > y) != (y_[j] > y) && x < dx * (y - y_[i]) / dy + x_[i]) inside = !inside;
        }
        return inside;
    }
    const double distance = angularDistance(d, center_);
    if (shape_ == RegionShape::Circle) return distance <= first_;
    if (shape_ == RegionShape::Annulus) return distance >= first_ && distance <= second_;
    if (distance > radius_) return false;
    const double u = dot(d, along_), v = dot(d, across_), s = std::hypot(u, v);
    const double stretch = s > 0.0 ? distance / s : 0.0;
    const double x = u * stretch, y = v * stretch;
    if (shape_ == RegionShape::Box) return std::abs(x) <= first_ && std::abs(y) <= second_;
    const double a = first_, b = second_;
    return x * x * b * b + y * y * a * a <= a * a * b * b;
}

}  // namespace armilla
