// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a map without bad pixels, ready for an analysis.
#pragma once

#include <optional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/monopole.h"
#include "convolve/harmonic/spare_arrays.h"

namespace armilla {

struct WholeField {
    std::vector<double> values;
    TakenOut mean;            // the part that `values` lack; nothing without AboutMean::Yes
    double meanSquare = 0.0;  // mean of the squared `values`
};

enum class AboutMean { No, Yes };

// Reads the samples twice and writes `values` once, where separate passes for bad pixels, limits,
// mean and square take eight. None for a map of another form than all pixels in RING order, for a
// field with a bad pixel, and for a field whose squares might overflow or vanish. The samples leave
// a field of `own`, unless it is null.
std::optional<WholeField> wholeField(const HealpixMap& map, int field, AboutMean aboutMean,
                                     HealpixMap* own, SpareArrays& arrays, JobContext& job);

}  // namespace armilla
