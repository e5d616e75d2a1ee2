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
// gray; all made from formulas or control points in color_scale.cpp.
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

// Places and labels of ticks of a color bar of this scale, about `count` of them.
struct Tick {
    double position = 0.0;  // along the bar, 0..1
    double value = 0.0;
    std::string label;
};
std::vector<Tick> colorBarTicks(const ColorScale& scale, int count);

}  // namespace armilla
