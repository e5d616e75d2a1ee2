// SPDX-License-Identifier: GPL-3.0-or-later
// From --scale, --min, --max and --percentile to a color scale for one field.
#pragma once

#include <optional>
#include <string>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "render/color_scale.h"

namespace armilla::cli {

struct ColorRange {
    std::string colorMap = "planck";
    Scale scale = Scale::Linear;
    std::optional<double> least, most;
    double lowPercentile = 1.0, highPercentile = 99.0;
};
// `least` and `most` rule where given, percentiles of the good pixels elsewhere (of the positive
// ones for Scale::Log). Throws InvalidArgument if that leaves no range (no good pixel; none above 0
// for Scale::Log).
ColorScale colorScaleFor(const HealpixMap& map, int field, const ColorRange& range,
                         JobContext& job);

}  // namespace armilla::cli
