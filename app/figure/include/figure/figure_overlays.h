// SPDX-License-Identifier: GPL-3.0-or-later
// What a figure shows beside its colors: contours, a mask, colors between pixels.
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "figure/figure.h"

namespace armilla {

struct FigureOverlays {
    bool interpolated =
        false;  // bilinear between pixels of the map that are wider than those drawn
    std::vector<double> contours;  // values of the field, unit of the map
    QString contourText;           // what they are, below the sky: "contours: 50 %, 90 %"
    // Where its field is 0 or bad the colors are veiled, in part where it is between 0 and 1. Any
    // nside; an unknown frame is taken as that of the figure's map.
    std::shared_ptr<const HealpixMap> mask;
    int maskField = 0;
};

// As writeFigure of figure/figure.h, with these. Throws InvalidArgument, too, for a mask whose
// frame is known where that of the map is not.
void writeFigure(const FigureRequest& request, const FigureOverlays& overlays, const QString& path,
                 bool overwrite, JobContext& job);

}  // namespace armilla
