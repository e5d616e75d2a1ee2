// SPDX-License-Identifier: GPL-3.0-or-later
// The harmonic method's part of a smoothing request, which depends on the size of the map alone.
#pragma once

#include "armilla/ops/convolve.h"
#include "convolve/harmonic/smooth_harmonic.h"

namespace armilla {

struct HarmonicRequest {
    SmoothParameters parameters;  // with a definite method, not Auto
    Beam beam;
    // lmax of the whole request; of the analysis and the product with B_l; of the synthesis.
    int lmax = 0, reach = 0, tables = 0;
    bool compensated = false;
    SmoothReport report;  // without an error
};

}  // namespace armilla
