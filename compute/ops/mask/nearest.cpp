// SPDX-License-Identifier: GPL-3.0-or-later
#include "mask/nearest.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla::mask {

namespace {

// Ranges this small are searched one by one.
constexpr size_t kLeaf = 8;

double along(Vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace

NearestDirection::NearestDirection(std::vector<Vec3> directions) : points_(std::move(directions)) {
    order(0, points_.size(), 0);
}

void NearestDirection::order(size_t begin, size_t end, int axis) {
    if (end - begin <= kLeaf) return;
    const size_t middle = begin + (end - begin) / 2;
    const auto at = [&](size_t i) { return points_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end),
                     [axis](Vec3 a, Vec3 b) { return along(a, axis) < along(b, axis); });
    order(begin, middle, (axis + 1) % 3);
    order(middle + 1, end, (axis + 1) % 3);
}

void NearestDirection::search(size_t begin, size_t end, int axis, Vec3 from, double& least) const {
    const auto test = [&](size_t i) {
        const Vec3 d = points_[i] - from;
        least = std::min(least, dot(d, d));
    };
    if (end - begin <= kLeaf) {
        for (size_t i = begin; i < end; ++i) test(i);
        return;
    }
    const size_t middle = begin + (end - begin) / 2;
    const double side = along(from, axis) - along(points_[middle], axis);
    test(middle);
    const int next = (axis + 1) % 3;
    const bool low = side < 0.0;
    search(low ? begin : middle + 1, low ? middle : end, next, from, least);
    if (side * side <= least)
        search(low ? middle + 1 : begin, low ? end : middle, next, from, least);
}

double NearestDirection::distance(Vec3 direction) const {
    if (points_.empty()) return kPi;
    double least = 5.0;
    search(0, points_.size(), 0, direction, least);
    return 2.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(least)));
}

}  // namespace armilla::mask
