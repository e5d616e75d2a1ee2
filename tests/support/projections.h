// SPDX-License-Identifier: GPL-3.0-or-later
// All projections as test rows.
#pragma once

#include <utility>
#include <vector>

#include "armilla/core/projections.h"

namespace armilla {

inline const std::vector<std::pair<const char*, Projection>> kProjections = [] {
    std::vector<std::pair<const char*, Projection>> rows;
    for (const ProjectionFacts& facts : kProjectionTable)
        rows.emplace_back(facts.word, facts.projection);
    return rows;
}();

}  // namespace armilla
