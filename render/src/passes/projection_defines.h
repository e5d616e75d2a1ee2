// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions of projections for view_geometry.glsl.
#pragma once

#include <string>

#include "armilla/core/ascii_text.h"
#include "armilla/core/projections.h"

namespace armilla {

// "#define MOLLWEIDE 0" for each row of the table, and the selected projection.
inline std::string projectionDefines(Projection projection) {
    std::string lines;
    for (const ProjectionFacts& facts : kProjectionTable) {
        lines += "#define ";
        lines +=
            upperCase(facts.word) + ' ' + std::to_string(static_cast<int>(facts.projection)) + '\n';
    }
    return lines + "#define PROJECTION " + std::to_string(static_cast<int>(projection)) + '\n';
}

}  // namespace armilla
