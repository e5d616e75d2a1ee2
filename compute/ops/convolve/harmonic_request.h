// SPDX-License-Identifier: GPL-3.0-or-later
// What the harmonic method of smoothing takes of a request, by the size of the map alone.
#pragma once

#include "convolve/smooth_harmonic.h"
#include "ops/convolve.h"

namespace armilla {

struct HarmonicRequest {
    SmoothParameters parameters;  // of a method, not Auto
    Beam beam;
    // The whole band; that of the analysis and the product; that of the synthesis.
    int lmax = 0, reach = 0, tables = 0;
    bool compensated = false;
    SmoothReport report;  // without an error
};

}  // namespace armilla
