// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a field ordered in one pass: squares of the plane that touches the sphere in the
// middle of the target's cells, on which directions are projected at right angles. Host and device.
//
// Directions and cells are turned into axes x, y of that plane and z at right angles to it, so x
// and y of a direction are its place in the plane. A chord is never shorter than its projection: a
// square that is farther from a cell than the kernel's radius in the plane has no sample for it.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "core/job_context.h"
#include "core/sky_vector.h"

namespace armilla {

struct FieldBins {
    Mat3 frame;                          // turns directions into the axes of the field
    double startX = 0.0, startY = 0.0;   // of the first square
    double width = 1.0, perWidth = 1.0;  // of a square, and one over it
    double radius = 0.0;                 // chord of the kernel's radius, a share longer
    int across = 0, down = 0;
    int64_t cells = 0;  // on the sky

    ARMILLA_HD int count() const { return across * down; }
    // The square of a direction in the axes of the field; -1 for those in none.
    ARMILLA_HD int squareOf(Vec3 at) const {
        const double x = std::floor((at.x - startX) * perWidth);
        const double y = std::floor((at.y - startY) * perWidth);
        if (!(at.z > 0.0 && x >= 0.0 && x < across && y >= 0.0 && y < down)) return -1;
        return static_cast<int>(y) * across + static_cast<int>(x);
    }
    // The third axis of a place in the plane.
    ARMILLA_HD static double heightOf(double x, double y) { return std::sqrt(1.0 - x * x - y * y); }
};

// A block counts samples square by square in shared memory.
inline constexpr int kMostSquares = 4096;

// Squares for cells that gather from within `radius`; none for targets beyond a field: wider than
// 60 degrees around their middle, or of more squares than kMostSquares of twice the radius.
std::optional<FieldBins> fieldBins(std::span<const Vec3> cells, double radius, JobContext& job);

// Whether a device that grids by these squares is no slower than by tiles; in reach of a square are
// the cells that it may have samples for, `cellsInReach` of the fullest one.
bool squaresSuit(int64_t samples, int64_t squares, int64_t cellsInReach);

}  // namespace armilla
