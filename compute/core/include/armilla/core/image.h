// SPDX-License-Identifier: GPL-3.0-or-later
// An image of the sky in memory: a plane or a cube of pixels with the world coordinates of its FITS
// header. Immutable once shared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "armilla/core/sky_vector.h"

namespace armilla {

// The name and third coordinate of one plane.
struct ImagePlane {
    std::string name;        // "WEIGHTS", "channel 12"; empty for a single plane
    double axisValue = 0.0;  // coordinate on the third axis, in `Image::axisUnit`
};

// A plane or cube of pixels with its world coordinates.
struct Image {
    int64_t width = 0, height = 0;
    std::vector<ImagePlane> planes;  // one at least
    std::string name, unit;          // OBJECT, BUNIT
    Frame frame = Frame::Unknown;    // frame of the celestial axes
    std::string axisName, axisUnit;  // CTYPE3 and CUNIT3 of a cube
    // The celestial world coordinates as header cards (80 columns each): the input of wcslib, and
    // the cards that output repeats.
    std::vector<std::string> wcsCards;
    std::vector<std::string> cards;  // header cards without a meaning here
    std::vector<std::string> history;
    // width * height * planes values in FITS order: bottom row first, plane after plane; NaN for no
    // value.
    std::variant<std::vector<float>, std::vector<double>> values;

    int64_t planeSize() const { return width * height; }
    double at(int64_t x, int64_t y, int64_t plane = 0) const;
    int64_t memoryBytes() const;
};

// Throws InvalidArgument unless sizes agree.
void checkImage(const Image& image);

}  // namespace armilla
