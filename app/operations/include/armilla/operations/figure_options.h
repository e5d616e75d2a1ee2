// SPDX-License-Identifier: GPL-3.0-or-later
// Size and look of a figure: options that figures of any content share, and that presets store.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/figure_look.h"
#include "armilla/operations/parameter.h"

namespace armilla {

inline constexpr double kMillimetersPerInch = 25.4;

inline constexpr std::array<Choice<FigureCorner>, 4> kFigureCorners{
    {{"top-right", FigureCorner::TopRight},
     {"top-left", FigureCorner::TopLeft},
     {"bottom-right", FigureCorner::BottomRight},
     {"bottom-left", FigureCorner::BottomLeft}}};

struct FigureOptions {
    FigureLook look;
    // Millimeters; a width without a height is a page as tall as its content.
    std::optional<double> width, height;
    double dpi = 150.0;
    double graticule = 0.0;  // radians; 0: none
    // Values, shares such as "50%", or "credible", as contourLevels() reads them.
    std::vector<std::string> contours;
    std::string legend;  // name of the markers; empty: no legend
    int columns = 0;     // panels side by side; 0: by the shape of the page
};
void describe(Description& d, FigureOptions& p);

// Pixels of a length on paper.
int pixelsOf(double millimeters, double dpi);
// Columns of panels on a page of this width that is as tall as its content: as many as are legible.
int legibleColumns(double millimeters, int panels);

// A preset is a JSON object: names of options and their texts, as on a command line.
std::string presetText(const FigureOptions& options);
// Options of a preset. Throws InvalidArgument for text that is no preset.
FigureOptions presetFrom(std::string_view text);

}  // namespace armilla
