// SPDX-License-Identifier: GPL-3.0-or-later
// Where the lines of a graticule leave the picture: for labels outside of it.
#pragma once

#include <string>
#include <vector>

#include "render/graticule.h"

namespace armilla {

enum class PictureSide { Left, Bottom, Right, Top };
struct EdgeLabel {
    ImagePoint at;  // on the border of the picture, or on the rim of the sky
    std::string text;
    PictureSide side = PictureSide::Left;  // the text lies beyond `at` on this side
    bool isLatitude = false;
};

// Every line of the graticule gets one label at most, and none is left without that meets the
// border: parallels at the left side, else at the right one; meridians at the bottom, else at the
// top, else (about a pole, where all of them may leave by the sides) at either side; parallels that
// meet top and bottom only are labelled there. Where the rim of the sky is in view, parallels are
// labelled at its left half and meridians not at all: they meet the rim at its poles. `step` and
// `longitudeStep` are those of the graticule drawn.
std::vector<EdgeLabel> graticuleEdges(const ViewGeometry& view, double step, double longitudeStep);
// Whether border or rim carries the labels: some of the picture lies off the sky.
bool rimIsInView(const ViewGeometry& view);

}  // namespace armilla
