// SPDX-License-Identifier: GPL-3.0-or-later
// The look of a figure, which options and presets state and painters follow.
#pragma once

#include <string>

namespace armilla {

enum class BarPlace { Below, Right, None };
enum class FigureBackground { Light, Dark, Transparent };
enum class FigureCorner { TopRight, TopLeft, BottomRight, BottomLeft };

inline constexpr double kFigureTextPoints = 9.5;

struct FigureLook {
    BarPlace bar = BarPlace::Below;
    FigureBackground background = FigureBackground::Light;  // transparent: with dark text
    std::string family;                     // font; empty: the first installed one of a fixed list
    double textPoints = kFigureTextPoints;  // title and labels of the sky in proportion
    bool cropped = false;  // margins of 2 points instead of 12, and a height that fits the content
};

}  // namespace armilla
