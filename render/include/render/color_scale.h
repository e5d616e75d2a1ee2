// SPDX-License-Identifier: GPL-3.0-or-later
// Colors of a picture: a color map, a mapping from value to place, colors of the exceptions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/color_mapping.h"

namespace armilla {

struct Rgba {
    uint8_t r = 0, g = 0, b = 0, a = 255;
};
inline bool operator==(Rgba x, Rgba y) {
    return x.r == y.r && x.g == y.g && x.b == y.b && x.a == y.a;
}

// A color map of 256 entries. Names: planck, viridis, cividis, magma, coolwarm, twilight (cyclic),
// gray; all made from control points in color_maps.cpp.
using ColorTable = std::array<Rgba, 256>;
std::vector<std::string> colorMapNames();
// Throws InvalidArgument with the names.
ColorTable colorTable(std::string_view name, bool reversed);

struct ColorScale {
    std::string colorMap = "planck";
    bool reversed = false;
    ColorMapping mapping;
    std::array<float, 256> cumulative{};  // Scale::Histogram: values at equal shares of the pixels
    Rgba bad{128, 128, 128, 255};
    Rgba outside{0, 0, 0, 0};  // off the sky
    bool ownBelow = false, ownAbove = false;
    Rgba below{}, above{};  // used if ownBelow / ownAbove
};

// The color of a value; also the color bar. CPU twin of what shaders and kernels do.
Rgba colorOf(const ColorScale& scale, const ColorTable& table, float value);
// The same for many values: what does not depend on the value is worked out once.
class ColorPicker {
public:
    // Both are referred to, not copied.
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

// The value whose place on the bar is `position` in [0, 1]: the inverse of colorPosition.
double valueAtPosition(const ColorScale& scale, double position);

// Places and labels of ticks of a color bar of this scale, about `count` of them, ascending. Values
// are round numbers; labels are UTF-8 with a true minus sign, "3×10⁻⁵" where that is shorter.
struct Tick {
    double position = 0.0;  // along the bar, 0..1
    double value = 0.0;
    std::string label;
};
std::vector<Tick> colorBarTicks(const ColorScale& scale, int count);

}  // namespace armilla
