// SPDX-License-Identifier: GPL-3.0-or-later
// Fits of found sources to the map.
#pragma once

#include <vector>

#include "armilla/ops/sources.h"
#include "sources/extraction.h"

namespace armilla::sources {

struct FittedSky {
    const FilteredSky& sky;
    const SourceParameters& parameters;
    const ExtractionLimits& limits;
    double curvature = 0.0;       // curvature of the filter's response, see curvatureOf
    std::vector<double> left;     // the map without the sources (RING)
    std::vector<double> cleaned;  // the filtered map without the sources (RING)
};

// Fits sources in turn, with all others subtracted. Near neighbors, and sources wider than the
// beam, get the likeliest of several models; the residual near such sources is searched again.
// Updates `left` and `cleaned`. Peaks keep their signs.
std::vector<Source> fittedSources(FittedSky& with, const std::vector<Extracted>& found,
                                  JobContext& job);

}  // namespace armilla::sources
