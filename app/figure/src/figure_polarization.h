// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization over the sky of a figure.
#pragma once

#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/graticule.h"
#include "armilla/figure/figure.h"

namespace armilla {

// Shades a sky image by line integral convolution along the polarization. `overMap` is its view, in
// the frame of the map.
void drape(std::vector<Rgba>& pixels, const FigurePolarization& polarization,
           const ViewGeometry& overMap, JobContext& job);

// Line segments in the pixels of a view, and a round amplitude with the length of its segment.
struct FigureRods {
    std::vector<Rod> rods;
    double scaleAmplitude = 0.0, scaleLength = 0.0;
};
FigureRods figureRods(const FigurePolarization& polarization, const ViewGeometry& overMap);

}  // namespace armilla
