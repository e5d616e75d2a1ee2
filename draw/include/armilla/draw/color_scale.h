// SPDX-License-Identifier: GPL-3.0-or-later
// Colors of a picture: a color map, a mapping from value to position, and colors of exceptions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/color_mapping.h"

namespace armilla {

// A color, 8 bits per channel.
struct Rgba {
    uint8_t r = 0, g = 0, b = 0, a = 255;
};
inline bool operator==(Rgba x, Rgba y) {
    return x.r == y.r && x.g == y.g && x.b == y.b && x.a == y.a;
}

// A color map of 256 entries. Names: planck, viridis, cividis, magma, coolwarm, twilight (cyclic),
// gray, and more in color_maps.cpp, which computes all from control points or formulas.
using ColorTable = std::array<Rgba, 256>;
// The names of all built-in color maps.
std::vector<std::string> colorMapNames();
// The table of a color map. Throws InvalidArgument with the list of names.
ColorTable colorTable(std::string_view name, bool reversed);

// A mapping with the colors of values outside its range and of bad pixels.
struct ColorScale {
    std::string colorMap = "planck";
    bool reversed = false;
    ColorMapping mapping;
    // Scale::Histogram: values at equal fractions of the pixels
    std::array<float, 256> cumulative{};
    Rgba bad{128, 128, 128, 255};
    Rgba outside{0, 0, 0, 0};  // off the sky
    bool ownBelow = false, ownAbove = false;
    Rgba below{}, above{};  // apply if ownBelow / ownAbove
};

// The color of a value, also for the color bar. CPU twin of the shaders and kernels.
Rgba colorOf(const ColorScale& scale, const ColorTable& table, float value);
// colorOf() for many values, with everything precomputed that does not depend on the value.
class ColorPicker {
public:
    // Keeps references to both arguments.
    ColorPicker(const ColorScale& scale, const ColorTable& table)
        : scale_(scale), table_(table), mapping_(prepareMapping(scale.mapping)) {}
    Rgba operator()(float value) const {
        const float position = colorPosition(mapping_, scale_.cumulative.data(), value);
        if (position != position) return scale_.bad;
        if (position < 0.0F && scale_.ownBelow) return scale_.below;
        if (position > 1.0F && scale_.ownAbove) return scale_.above;
        return table_[static_cast<size_t>(colorIndex(position))];
    }

private:
    const ColorScale& scale_;
    const ColorTable& table_;
    PreparedMapping mapping_;
};

// The value at `position` in [0, 1] on the bar: the inverse of colorPosition.
double valueAtPosition(const ColorScale& scale, double position);

// Positions and labels of about `count` ticks of a color bar, ascending. Values are round numbers;
// labels are UTF-8 with a true minus sign, or "3×10⁻⁵" if shorter.
struct Tick {
    double position = 0.0;  // along the bar, 0..1
    double value = 0.0;
    std::string label;
};
std::vector<Tick> colorBarTicks(const ColorScale& scale, int count);

}  // namespace armilla
