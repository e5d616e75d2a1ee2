// SPDX-License-Identifier: GPL-3.0-or-later
// Small offsets around a place: east and north, radians of arc (zenithal equidistant).
#pragma once

#include <cmath>
#include <utility>

#include "armilla/core/sky_vector.h"

namespace armilla::sources {

class TangentPlane {
public:
    explicit TangentPlane(Vec3 center) : center_(normalized(center)) {
        // At a pole, east is the direction for longitude 0.
        const double across = std::hypot(center_.x, center_.y);
        east_ =
            across > 0.0 ? Vec3{-center_.y / across, center_.x / across, 0.0} : Vec3{0.0, 1.0, 0.0};
        north_ = cross(center_, east_);
    }
    Vec3 center() const { return center_; }
    std::pair<double, double> from(Vec3 direction) const {
        const double e = dot(direction, east_), n = dot(direction, north_);
        const double s = std::hypot(e, n);
        const double stretch = s > 0.0 ? std::atan2(s, dot(direction, center_)) / s : 1.0;
        return {e * stretch, n * stretch};
    }
    Vec3 direction(double x, double y) const {
        const double r = std::hypot(x, y);
        if (r == 0.0) return center_;
        const double s = std::sin(r) / r;
        return std::cos(r) * center_ + (s * x) * east_ + (s * y) * north_;
    }

private:
    Vec3 center_, east_, north_;
};

}  // namespace armilla::sources
