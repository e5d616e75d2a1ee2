// SPDX-License-Identifier: GPL-3.0-or-later
// What exports of the view have in common.
#pragma once

#include "core/sky_ranges.h"
#include "io/region_io.h"
#include "map_work.h"

namespace armilla {

// An angle as the command line takes it.
QString angleWord(double radians);
// The view in words, for recipes.
QString describeView(const Camera& camera);

// What is shown, as one field of a map, as a picture in `view` has it: Q, U and their angle turned.
// Throws InvalidArgument for Q without U or U without Q in another frame than the map's.
DrawnField oneField(const MapPointer& map, const Shown& shown, Frame view, JobContext& job);

// Where regions are, less the regions that exclude and come after them; in pixels of which the
// smallest region has some hundred across.
SkyRanges rangesOf(const std::vector<NamedRegion>& regions, JobContext& job);

// The entry that the view shows first; throws InvalidArgument where there is none.
const Layer& shownEntry(const Document& document);

}  // namespace armilla
