// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/sky_arcs.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/sky_vector.h"

namespace armilla {

std::vector<Polyline> projected(const ViewGeometry& view, const std::vector<Vec3>& points) {
    std::vector<Polyline> lines;
    bool open = false;
    ImagePoint last;
    for (const Vec3& point : points) {
        ImagePoint p;
        if (!imageFromSky(view, point, p.column, p.row)) {
            open = false;
            continue;
        }
        // A jump of more than a quarter of the picture in one step crosses the edge of the
        // projection.
        if (open && std::hypot(p.column - last.column, p.row - last.row) > 0.25 * view.width)
            open = false;
        if (!open) lines.emplace_back();
        lines.back().push_back(p);
        last = p;
        open = true;
    }
    return lines;
}

std::vector<Polyline> arcLines(const ViewGeometry& view, Vec3 from, Vec3 to) {
    const double angle = angularDistance(from, to);
    // Steps of half a degree appear smooth at every zoom at which the arc fits the view.
    const int steps = std::clamp(static_cast<int>(angle / (0.5 * kDegree)) + 1, 24, 720);
    const Vec3 normal = cross(from, to);
    // Equal or opposite directions do not define a great circle.
    if (norm(normal) == 0.0) return {};
    const Vec3 across = normalized(cross(normal, from));
    std::vector<Vec3> points;
    for (int i = 0; i <= steps; ++i) {
        const double t = angle * i / steps;
        points.push_back(std::cos(t) * from + std::sin(t) * across);
    }
    return projected(view, points);
}

double positionAngle(Vec3 from, Vec3 to) {
    const Vec3 east = cross(Vec3{0.0, 0.0, 1.0}, from);
    const Vec3 north = cross(from, east);
    const double angle = std::atan2(dot(to, east), dot(to, north));
    return angle < 0.0 ? angle + kTwoPi : angle;
}

}  // namespace armilla
