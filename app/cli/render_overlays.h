// SPDX-License-Identifier: GPL-3.0-or-later
// Contours, mask and interpolated colors in figures of `armilla render`: options and their effect.
#pragma once

#include <string>
#include <vector>

#include "armilla/draw/image_renderer.h"
#include "armilla/figure/figure_overlays.h"
#include "armilla/operations/parameter.h"
#include "cli/run.h"

namespace armilla::cli {

struct RenderOverlays {
    PixelInterpolation interpolation = PixelInterpolation::Nearest;
    std::vector<std::string> contours;  // values, shares such as "50%", or "credible"
    std::string mask;
};
void describe(Description& d, RenderOverlays& p);
// Throws UsageError.
void checkOverlays(const RenderOverlays& p);
// Overlays for that field; the result lists the levels. Throws InvalidArgument for shares of a
// field that is neither of probabilities nor of counts.
FigureOverlays overlaysOf(Run& run, const RenderOverlays& p, const HealpixMap& map, int field,
                          JobContext& job);

}  // namespace armilla::cli
