// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/region_shape.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"

namespace armilla {

namespace {

constexpr int kEdge = 144;  // points of a closed curve
constexpr double kArcStep = 0.5 * kDegree;
constexpr int kMostSteps = 720;

// Offsets from a center along great circles: x to the east, y to the north, as
// armilla/core/region.h.
class Around {
public:
    explicit Around(LonLat center) : center_(direction(center)) {
        east_ = {-std::sin(center.lon), std::cos(center.lon), 0.0};
        north_ = cross(center_, east_);
    }
    Vec3 at(double x, double y) const {
        const double r = std::hypot(x, y);
        if (r == 0.0) return center_;
        const double s = std::sin(r) / r;
        return std::cos(r) * center_ + (s * x) * east_ + (s * y) * north_;
    }
    std::pair<double, double> offset(Vec3 d) const {
        const double e = dot(d, east_), n = dot(d, north_), s = std::hypot(e, n);
        const double stretch = s > 0.0 ? std::atan2(s, dot(d, center_)) / s : 0.0;
        return {e * stretch, n * stretch};
    }

private:
    Vec3 center_, east_, north_;
};

void addArc(std::vector<Vec3>& line, Vec3 from, Vec3 to) {
    const double angle = angularDistance(from, to);
    const int steps = std::clamp(static_cast<int>(angle / kArcStep), 1, kMostSteps);
    const Vec3 normal = cross(from, to);
    const Vec3 across = norm(normal) > 0.0 ? normalized(cross(normal, from)) : from;
    for (int i = 0; i < steps; ++i) {
        const double t = angle * i / steps;
        line.push_back(std::cos(t) * from + std::sin(t) * across);
    }
}

// The axes of an ellipse or a box at a position angle: the first axis from the direction of
// longitude towards the south.
std::pair<double, double> turned(double u, double v, double angle) {
    return {u * std::cos(angle) + v * std::sin(angle), -u * std::sin(angle) + v * std::cos(angle)};
}

}  // namespace

std::vector<Vec3> circleAround(Vec3 center, double radius) {
    const Around around(lonLat(center));
    std::vector<Vec3> line;
    for (int i = 0; i <= kEdge; ++i) {
        const double t = kTwoPi * i / kEdge;
        line.push_back(around.at(radius * std::cos(t), radius * std::sin(t)));
    }
    return line;
}

std::vector<std::vector<Vec3>> outlineOf(const Region& region) {
    checkRegion(region);
    if (region.shape == RegionShape::Polygon) {
        std::vector<Vec3> line;
        for (size_t i = 0; i < region.points.size(); ++i)
            addArc(line, direction(region.points[i]),
                   direction(region.points[(i + 1) % region.points.size()]));
        line.push_back(line.front());
        return {line};
    }
    const Around around(region.points.front());
    const Vec3 center = direction(region.points.front());
    switch (region.shape) {
        case RegionShape::Circle: return {circleAround(center, region.first)};
        case RegionShape::Annulus:
            return {circleAround(center, region.first), circleAround(center, region.second)};
        case RegionShape::Ellipse: {
            std::vector<Vec3> line;
            for (int i = 0; i <= kEdge; ++i) {
                const double t = kTwoPi * i / kEdge;
                const auto [x, y] =
                    turned(region.first * std::cos(t), region.second * std::sin(t), region.angle);
                line.push_back(around.at(x, y));
            }
            return {line};
        }
        case RegionShape::Box:
        case RegionShape::Polygon: break;
    }
    std::vector<Vec3> line;
    constexpr double corners[][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
    for (int side = 0; side < 4; ++side)
        for (int i = 0; i < kEdge / 4; ++i) {
            const double t = 4.0 * i / kEdge;
            const auto [x, y] =
                turned(region.first * ((1.0 - t) * corners[side][0] + t * corners[side + 1][0]),
                       region.second * ((1.0 - t) * corners[side][1] + t * corners[side + 1][1]),
                       region.angle);
            line.push_back(around.at(x, y));
        }
    line.push_back(line.front());
    return {line};
}

std::vector<Vec3> handlesOf(const Region& region) {
    std::vector<Vec3> handles;
    if (region.shape == RegionShape::Polygon) {
        for (const LonLat& corner : region.points) handles.push_back(direction(corner));
        return handles;
    }
    if (region.points.empty()) return handles;
    const Around around(region.points.front());
    handles.push_back(direction(region.points.front()));
    if (region.shape == RegionShape::Circle) {
        handles.push_back(around.at(-region.first, 0.0));
    } else if (region.shape == RegionShape::Annulus) {
        handles.push_back(around.at(-region.first, 0.0));
        handles.push_back(around.at(-region.second, 0.0));
    } else {
        const auto [x, y] = turned(region.first, 0.0, region.angle);
        const auto [u, v] = turned(0.0, region.second, region.angle);
        handles.push_back(around.at(x, y));
        handles.push_back(around.at(u, v));
    }
    return handles;
}

Region movedRegion(const Region& region, Vec3 from, Vec3 to) {
    const Vec3 axis = cross(from, to);
    const double angle = angularDistance(from, to);
    if (angle == 0.0 || norm(axis) == 0.0) return region;
    const Vec3 n = normalized(axis);
    Region moved = region;
    for (LonLat& point : moved.points) {
        const Vec3 d = direction(point);
        point = lonLat(std::cos(angle) * d + std::sin(angle) * cross(n, d) +
                       ((1.0 - std::cos(angle)) * dot(n, d)) * n);
    }
    return moved;
}

Region withHandle(const Region& region, size_t handle, Vec3 to) {
    Region changed = region;
    if (region.shape == RegionShape::Polygon) {
        if (handle < changed.points.size()) changed.points[handle] = lonLat(to);
    } else if (handle == 0) {
        changed.points = {lonLat(to)};
    } else {
        const auto [x, y] = Around(region.points.front()).offset(to);
        const double r = std::hypot(x, y);
        if (region.shape == RegionShape::Circle) changed.first = r;
        if (region.shape == RegionShape::Annulus)
            (handle == 1 ? changed.first : changed.second) = r;
        if (region.shape == RegionShape::Ellipse || region.shape == RegionShape::Box) {
            (handle == 1 ? changed.first : changed.second) = r;
            if (r > 0.0) changed.angle = handle == 1 ? std::atan2(-y, x) : std::atan2(x, y);
        }
    }
    try {
        checkRegion(changed);
    } catch (const InvalidArgument&) {
        return region;
    }
    return changed;
}

Region inFrame(const Region& region, Frame frame) {
    if (region.frame == frame || region.frame == Frame::Unknown || frame == Frame::Unknown)
        return region;
    const Mat3 turn = frameRotation(frame, region.frame);
    Region changed = region;
    changed.frame = frame;
    for (LonLat& point : changed.points) point = lonLat(turn * direction(point));
    if (region.shape == RegionShape::Ellipse || region.shape == RegionShape::Box) {
        // The direction of the first axis: a small step along it, transformed to the new frame.
        constexpr double kStep = 1e-4;
        const auto [x, y] = turned(kStep, 0.0, region.angle);
        const Vec3 beside = turn * Around(region.points.front()).at(x, y);
        const auto [u, v] = Around(changed.points.front()).offset(beside);
        changed.angle = std::atan2(-v, u);
    }
    return changed;
}

const char* shapeWord(RegionShape shape) {
    switch (shape) {
        case RegionShape::Circle: return "disc";
        case RegionShape::Ellipse: return "ellipse";
        case RegionShape::Box: return "box";
        case RegionShape::Annulus: return "ring";
        case RegionShape::Polygon: return "polygon";
    }
    return "";
}

}  // namespace armilla
