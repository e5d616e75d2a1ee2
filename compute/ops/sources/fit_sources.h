// SPDX-License-Identifier: GPL-3.0-or-later
// The sources that a search has found, fitted to the map.
#pragma once

#include <vector>

#include "ops/sources.h"
#include "sources/extraction.h"

namespace armilla::sources {

struct FittedSky {
    const FilteredSky& sky;
    const SourceParameters& parameters;
    const ExtractionLimits& limits;
    double curvature = 0.0;       // of the filter's response: see curvatureOf
    std::vector<double> left;     // the map without the sources (RING)
    std::vector<double> cleaned;  // the filtered map without them (RING)
};

// One after the other, the others taken away; those that are near to each other, or wider than the
// beam, by the likeliest of several models; near these what is left is searched once more. `left`
// and `cleaned` follow. Signs are those of the peaks.
std::vector<Source> fittedSources(FittedSky& with, const std::vector<Extracted>& found,
                                  JobContext& job);

}  // namespace armilla::sources
