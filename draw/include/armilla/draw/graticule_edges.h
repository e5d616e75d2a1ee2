// SPDX-License-Identifier: GPL-3.0-or-later
// Points where graticule lines leave the picture, for labels outside of the picture.
#pragma once

#include <string>
#include <vector>

#include "armilla/draw/graticule.h"

namespace armilla {

// The sides of a picture.
enum class PictureSide { Left, Bottom, Right, Top };
// A label where a line leaves the picture.
struct EdgeLabel {
    ImagePoint at;  // on the border of the picture, or on the edge of the sky
    std::string text;
    PictureSide side = PictureSide::Left;  // the text lies beyond `at` on this side
    bool isLatitude = false;
};

// Labels for graticule lines that meet the border, at most one per line. `step` and `longitudeStep`
// describe the drawn graticule.
// - Parallels: at the left side, otherwise the right one, otherwise top or bottom.
// - Meridians: at the bottom, otherwise the top, otherwise either side (about a pole, where all may
//   leave by the sides).
// - With the edge of the sky in view, parallels are labeled at its left half. Meridians are not
//   labeled, because all meet the edge at its poles.
std::vector<EdgeLabel> graticuleEdges(const ViewGeometry& view, double step, double longitudeStep,
                                      LongitudeUnit unit);
// True if the edge of the sky carries the labels: part of the picture lies off the sky.
bool edgeIsInView(const ViewGeometry& view);

}  // namespace armilla
