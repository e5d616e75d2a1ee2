// SPDX-License-Identifier: GPL-3.0-or-later
// Small offsets around a place: east and north, radians of arc (zenithal equidistant).
#pragma once

#include <cmath>
#include <utility>

#include "armilla/core/tangent.h"

namespace armilla::sources {

class TangentPlane {
public:
    explicit TangentPlane(Vec3 center)
        : center_(normalized(center)), tangent_(tangentAt(center_)) {}
    Vec3 center() const { return center_; }
    std::pair<double, double> from(Vec3 direction) const {
        const double e = dot(direction, tangent_.east), n = dot(direction, tangent_.north);
        const double s = std::hypot(e, n);
        const double stretch = s > 0.0 ? std::atan2(s, dot(direction, center_)) / s : 1.0;
        return {e * stretch, n * stretch};
    }
    Vec3 direction(double x, double y) const {
        const double r = std::hypot(x, y);
        if (r == 0.0) return center_;
        const double s = std::sin(r) / r;
        return std::cos(r) * center_ + (s * x) * tangent_.east + (s * y) * tangent_.north;
    }

private:
    Vec3 center_;
    Tangent tangent_;
};

}  // namespace armilla::sources
