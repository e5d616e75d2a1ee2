// SPDX-License-Identifier: GPL-3.0-or-later
// Several maps on the pixels of the first one.
#pragma once

#include <vector>

#include "armilla/operations/operation.h"

namespace armilla {

// A map of an expression, with the name by which messages refer to the input.
struct NamedMap {
    std::string name;
    HealpixMap map;
};

enum class Unlike { Refuse, Match };

// The maps of these inputs in the frame, nside and ordering of the first input, all on one set of
// pixels. Maps in other orderings are reordered, and cells of several orders become pixels. Maps in
// other frames or of another nside are rotated (Q and U with them) and changed in resolution for
// Unlike::Match; otherwise they throw UsageError. The set is the full sky if any map is full, else
// all pixels that any map lists; pixels that a map does not list are bad in that map. Takes the
// data of the inputs.
std::vector<NamedMap> alignedMaps(const std::vector<Input*>& inputs, Unlike unlike,
                                  const Context& context, JobContext& job);

}  // namespace armilla
