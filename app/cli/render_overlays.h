// SPDX-License-Identifier: GPL-3.0-or-later
// Contours, mask and interpolated colors in figures of `armilla render`: options and their effect.
#pragma once

#include <string>
#include <vector>

#include "armilla/draw/image_renderer.h"
#include "armilla/figure/figure_overlays.h"
#include "armilla/operations/figure_content.h"
#include "armilla/operations/parameter.h"
#include "cli/run.h"

namespace armilla::cli {

struct RenderOverlays {
    PixelInterpolation interpolation = PixelInterpolation::Nearest;
    std::string mask;
};
void describe(Description& d, RenderOverlays& p);
// Overlays for that field, with contours at the levels of these words; the result lists the levels.
// Throws InvalidArgument for shares of a field that is neither of probabilities nor of counts, and
// UsageError for words that are no levels.
FigureOverlays overlaysOf(Run& run, const RenderOverlays& p,
                          const std::vector<std::string>& contours, const HealpixMap& map,
                          int field, JobContext& job);
// Throws UsageError for words that are no levels.
std::vector<ContourLevel> levelsOf(const std::vector<std::string>& contours);

}  // namespace armilla::cli
