// SPDX-License-Identifier: GPL-3.0-or-later
#include "quick_mollweide.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "armilla/core/pixel_geometry.h"

namespace armilla {

namespace {

constexpr double kRoot2 = 1.41421356237309504880;
// 1.6 % of the sky lies nearer to the poles.
constexpr double kLeast = 1.0 / 64.0;
constexpr int kCells = 1024;
constexpr double kWidth = (1.0 - kLeast) / kCells;

// Factor of the longitude in x and |y| at u, with their derivatives times the width of a cell.
struct Node {
    double x, y, dx, dy;
};
Node nodeAt(double u) {
    const double half = 0.5 * mollweidePolarAngle(u), s = std::sin(half), c = std::cos(half);
    // From t - sin(t) = pi u with t = 2 half.
    const double rate = kWidth * kPi / (4.0 * s * s);
    const double stretch = 2.0 * kRoot2 / kPi;
    return {stretch * s, kRoot2 * c, stretch * c * rate, -kRoot2 * s * rate};
}

// Coefficients of the cubic on [0, 1] with these values and derivatives at the ends.
void fit(double from, double to, double fromRate, double toRate, double (&cubic)[4]) {
    const double rise = to - from;
    cubic[0] = from;
    cubic[1] = fromRate;
    cubic[2] = 3.0 * rise - 2.0 * fromRate - toRate;
    cubic[3] = fromRate + toRate - 2.0 * rise;
}

double valueOf(const double (&cubic)[4], double at) {
    return cubic[0] + at * (cubic[1] + at * (cubic[2] + at * cubic[3]));
}

}  // namespace

QuickMollweide::QuickMollweide() : cells_(kCells) {
    Node from = nodeAt(kLeast);
    for (int i = 0; i < kCells; ++i) {
        const Node to = nodeAt(kLeast + kWidth * (i + 1));
        Cell& cell = cells_[static_cast<size_t>(i)];
        fit(from.x, to.x, from.dx, to.dx, cell.x);
        fit(from.y, to.y, from.dy, to.dy, cell.y);
        from = to;
    }
}

bool QuickMollweide::point(bool flip, Vec3 direction, PlanePoint& point) const {
    const double across2 = direction.x * direction.x + direction.y * direction.y;
    const double u = across2 / (1.0 + std::fabs(direction.z));
    if (!(u >= kLeast)) return false;
    const double place = (std::fmin(u, 1.0) - kLeast) / kWidth;
    const int cell = std::min(static_cast<int>(place), kCells - 1);
    const Cell& cubics = cells_[static_cast<size_t>(cell)];
    const double at = place - cell;
    const double turns = detail::quarterTurns(std::fabs(direction.y), std::fabs(direction.x));
    const double lon =
        std::copysign(kHalfPi * (direction.x < 0.0 ? 2.0 - turns : turns), direction.y);
    point.x = (flip ? lon : -lon) * valueOf(cubics.x, at);
    point.y = std::copysign(valueOf(cubics.y, at), direction.z);
    return true;
}

}  // namespace armilla
