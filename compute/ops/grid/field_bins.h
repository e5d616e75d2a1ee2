// SPDX-License-Identifier: GPL-3.0-or-later
// Squares that order the samples of a field in one pass. The squares lie in the plane that touches
// the sphere in the middle of the target's cells; directions are projected orthogonally onto the
// plane. Host and device.
//
// Directions and cells are rotated to axes x, y of that plane and z orthogonal to it. The x and y
// of a direction are then its position in the plane. A chord is never shorter than its projection.
// Therefore a square farther from a cell than the kernel's radius in the plane has no sample for
// that cell.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

struct FieldBins {
    Mat3 frame;                          // rotates directions to the axes of the field
    double startX = 0.0, startY = 0.0;   // corner of the first square
    double width = 1.0, perWidth = 1.0;  // width of a square, and its inverse
    double radius = 0.0;                 // chord of the kernel's radius plus a margin for rounding
    int across = 0, down = 0;
    int64_t cells = 0;  // on the sky

    ARMILLA_HD int count() const { return across * down; }
    // The square of a direction in the axes of the field; -1 outside all squares.
    ARMILLA_HD int squareOf(Vec3 at) const {
        const double x = std::floor((at.x - startX) * perWidth);
        const double y = std::floor((at.y - startY) * perWidth);
        if (!(at.z > 0.0 && x >= 0.0 && x < across && y >= 0.0 && y < down)) return -1;
        return static_cast<int>(y) * across + static_cast<int>(x);
    }
    // The third coordinate of a position in the plane.
    ARMILLA_HD static double heightOf(double x, double y) { return std::sqrt(1.0 - x * x - y * y); }
};

// Limit of a block that counts samples by square in shared memory.
inline constexpr int kMostSquares = 4096;

// Squares for cells with kernel radius `radius`. None for targets that are not a field: wider than
// 60 degrees around their middle, or with more than kMostSquares squares of twice the radius.
std::optional<FieldBins> fieldBins(std::span<const Vec3> cells, double radius, JobContext& job);

// True if gridding by these squares is at least as fast as by tiles on a device. `cellsInReach`:
// number of cells that the fullest square may have samples for.
bool squaresSuit(int64_t samples, int64_t squares, int64_t cellsInReach);

}  // namespace armilla
