// SPDX-License-Identifier: GPL-3.0-or-later
// Images whose rows lie on rings of an equidistant cylindrical grid.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "armilla/core/image.h"
#include "armilla/operations/operation.h"
#include "armilla/ops/smooth_rows.h"

namespace armilla {

// Whether the input of a map slot is an image.
inline bool isImage(const Input& input) {
    return std::holds_alternative<std::shared_ptr<const Image>>(input.data);
}

// Position of the pixels of an image among the samples of a grid from pole to pole. Its columns
// count from the first longitude eastward.
struct RingImage {
    RingRows rows;              // `columns` are those of complete rings
    int64_t width = 0;          // columns of the image
    double firstLongitude = 0;  // longitude of the westernmost column, in radians
    bool isSouthFirst = true;   // bottom row is the southernmost
    bool runsEast = false;      // longitude increases along a row
    bool isRounded = false;     // steps of the header were taken as fractions of a turn

    bool hasWholeRings() const { return width == rows.columns; }
    bool isWholeSky() const { return hasWholeRings() && rows.count == rows.rows; }
    // Row of the image of the i-th row from the north, and column of the i-th column from the west.
    int64_t rowFromNorth(int64_t i) const { return isSouthFirst ? rows.count - 1 - i : i; }
    int64_t columnFromWest(int64_t i) const { return runsEast ? i : width - 1 - i; }
};
// Checks that each row has one latitude and lies in even steps on a ring, with a whole number of
// them in a turn. The rows must belong to a grid from pole to pole, with a pole on a row or half a
// step beyond the last. Positions agree to 0.01 pixels. Steps that headers write with few digits
// are taken as fractions of a turn that agree to half of the last digit. Throws InvalidArgument
// with what was found, IoError for world coordinates that cannot be read.
RingImage partOfRings(const Image& image);
// Notes steps that were taken as fractions of a turn.
void noteSteps(const Context& context, const std::string& name, const RingImage& grid);
// Whether two images have the same pixels, to 0.01 of one.
bool areSameRings(const RingImage& a, const RingImage& b);

// Solid angles of the pixels of an image with these centers, in steradians: exact on rings, else
// of the quadrilateral of a pixel's corners (pixelAreas()). Throws as pixelAreas().
std::vector<double> solidAngles(const Image& image, const std::vector<Vec3>& centers,
                                JobContext& job);

}  // namespace armilla
