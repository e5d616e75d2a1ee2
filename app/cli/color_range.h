// SPDX-License-Identifier: GPL-3.0-or-later
// Color scale of a field from --scale, --min, --max and --percentile.
#pragma once

#include <optional>
#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/draw/color_scale.h"

namespace armilla::cli {

struct Percentiles {
    double low = 1.0, high = 99.0;
};
struct ColorRange {
    std::string colorMap;  // empty: opening colors
    std::optional<Scale> scale;
    std::optional<double> least, most;
    std::optional<Percentiles> percentiles;
};
// Changes the colors that a field opens with (armilla/draw/opening_colors.h) to the requested
// ones. `least` or `most` alone leave the other end, in linear colors. With a scale or percentiles,
// missing ends are percentiles of the good pixels (of the positive ones for Scale::Log). Throws
// InvalidArgument if no range remains: no good pixel, or none above 0 for Scale::Log.
ColorScale colorScaleFor(const HealpixMap& map, int field, const ColorScale& opening,
                         const ColorRange& range, JobContext& job);
// Colors that a field of a map opens with.
ColorScale openingColorsOf(const HealpixMap& map, int field, JobContext& job);

}  // namespace armilla::cli
