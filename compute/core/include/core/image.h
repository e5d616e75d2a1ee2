// SPDX-License-Identifier: GPL-3.0-or-later
// An image of the sky in memory: a plane or a cube of pixels with the world coordinates of its FITS
// header. Immutable once shared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/sky_vector.h"

namespace armilla {

struct ImagePlane {
    std::string name;        // "WEIGHTS", "channel 12", empty for a single plane
    double axisValue = 0.0;  // of the third axis, in `Image::axisUnit`
};

struct Image {
    int64_t width = 0, height = 0;
    std::vector<ImagePlane> planes;  // one at least
    std::string name, unit;          // OBJECT, BUNIT
    Frame frame = Frame::Unknown;    // of the celestial axes
    std::string axisName, axisUnit;  // CTYPE3, CUNIT3 of a cube
    // The celestial world coordinates as header cards (80 columns each): what wcslib needs to place
    // pixels, and what is written back.
    std::vector<std::string> wcsCards;
    std::vector<std::string> cards;  // unknown cards of the file
    std::vector<std::string> history;
    // width * height * planes values, as in FITS: bottom row first, plane after plane; NaN where
    // there is none.
    std::variant<std::vector<float>, std::vector<double>> values;

    int64_t planeSize() const { return width * height; }
    double at(int64_t x, int64_t y, int64_t plane = 0) const;
    int64_t memoryBytes() const;
};

// Throws InvalidArgument unless sizes agree.
void checkImage(const Image& image);

}  // namespace armilla
