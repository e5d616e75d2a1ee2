// SPDX-License-Identifier: GPL-3.0-or-later
// Contours, mask and colors between pixels in the figures of `armilla render`: options, and what
// they ask for.
#pragma once

#include <string>
#include <vector>

#include "cli/run.h"
#include "figure/figure_overlays.h"
#include "operations/parameter.h"
#include "render/image_renderer.h"

namespace armilla::cli {

struct RenderOverlays {
    PixelInterpolation interpolation = PixelInterpolation::Nearest;
    std::vector<std::string> contours;  // values, shares as "50%", or "credible"
    std::string mask;
};
void describe(Description& d, RenderOverlays& p);
// Throws UsageError.
void checkOverlays(const RenderOverlays& p);
// What they ask for over that field; the levels go into the result. Throws InvalidArgument for
// shares of a field that is none of probabilities or counts.
FigureOverlays overlaysOf(Run& run, const RenderOverlays& p, const HealpixMap& map, int field,
                          JobContext& job);

}  // namespace armilla::cli
