// SPDX-License-Identifier: GPL-3.0-or-later
// What exports of the view have in common.
#pragma once

#include "map_work.h"

namespace armilla {

// An angle as the command line takes it.
QString angleWord(double radians);
// The view in words, for recipes.
QString describeView(const Camera& camera);

// What is shown, as one field of a map.
struct OneField {
    MapPointer map;
    int field = 0;
};
OneField oneField(const MapPointer& map, const Shown& shown, JobContext& job);

// The entry that the view shows first; throws InvalidArgument where there is none.
const Layer& shownEntry(const Document& document);

}  // namespace armilla
