// SPDX-License-Identifier: GPL-3.0-or-later
#include "nearest_direction.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/pixel_geometry.h"

namespace armilla {

namespace {

// A coordinate of a vector by its number.
double along(Vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace

NearestDirection::NearestDirection(std::vector<Vec3> directions)
    : directions_(std::move(directions)) {
    sort(0, directions_.size(), 0);
}

// The median of a range is its middle; smaller coordinates are before it.
void NearestDirection::sort(size_t begin, size_t end, int axis) {
    if (end - begin < 2) return;
    const size_t middle = begin + (end - begin) / 2;
    const auto at = [&](size_t i) { return directions_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end),
                     [axis](Vec3 a, Vec3 b) { return along(a, axis) < along(b, axis); });
    sort(begin, middle, (axis + 1) % 3);
    sort(middle + 1, end, (axis + 1) % 3);
}

void NearestDirection::search(size_t begin, size_t end, int axis, Vec3 at, double& best) const {
    if (begin >= end) return;
    const size_t middle = begin + (end - begin) / 2;
    const Vec3 apart = directions_[middle] - at;
    best = std::min(best, dot(apart, apart));
    const double beyond = along(at, axis) - along(directions_[middle], axis);
    const int next = (axis + 1) % 3;
    if (beyond < 0.0)
        search(begin, middle, next, at, best);
    else
        search(middle + 1, end, next, at, best);
    if (beyond * beyond > best) return;
    if (beyond < 0.0)
        search(middle + 1, end, next, at, best);
    else
        search(begin, middle, next, at, best);
}

double NearestDirection::angle(Vec3 at, double most) const {
    // Squared chords, with a margin for the rounding of a direction at `most` itself.
    const double chord = 2.0 * std::sin(0.5 * std::min(most, kPi));
    const double limit = chord * chord * (1.0 + 1e-12) + 1e-30;
    double best = limit;
    search(0, directions_.size(), 0, at, best);
    return best < limit ? 2.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(best))) : kPi;
}

bool NestedCells::contains(Vec3 at) const {
    constexpr int kDeepest = 29;
    const int64_t deepest = nestedFromDirection(int64_t{1} << kDeepest, at);
    for (int order = 0; order <= kDeepest; ++order) {
        const int64_t uniq = (int64_t{4} << (2 * order)) + (deepest >> (2 * (kDeepest - order)));
        if (std::binary_search(uniq_.begin(), uniq_.end(), uniq)) return true;
    }
    return false;
}

}  // namespace armilla
