// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the exports of a view.
#pragma once

#include "armilla/core/sky_ranges.h"
#include "armilla/io/region_io.h"
#include "map_work.h"

namespace armilla {

// An angle in the syntax of the command line.
QString angleWord(double radians);
// A description of the view, for recipes.
QString describeView(const Camera& camera);

// The shown quantity as one field of a map, for a picture in frame `view`: Q, U and their angle are
// rotated. Throws InvalidArgument if either Q or U is missing and `view` is not the map's frame.
DrawnField oneField(const MapPointer& map, const Shown& shown, Frame view, JobContext& job);

// Coverage of the regions, minus the excluding regions that follow each. At this resolution the
// smallest region is some hundred pixels across.
SkyRanges rangesOf(const std::vector<NamedRegion>& regions, JobContext& job);

// The first map of the view. Throws InvalidArgument if there is none.
const Layer& shownEntry(const Document& document);

}  // namespace armilla
