// SPDX-License-Identifier: GPL-3.0-or-later
// Overlays of a figure: contours, a mask, interpolation between pixels.
#pragma once

#include <QImage>
#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/figure/figure.h"

namespace armilla {

// Optional content over the colors of a figure.
struct FigureOverlays {
    bool interpolated = false;  // bilinear interpolation where map pixels are wider than drawn ones
    std::vector<double> contours;  // values of the field, unit of the map
    // description of the contours below the sky: "contours: 50 %, 90 %"
    QString contourText;
    // Colors are veiled where the mask field is 0 or bad, and partly where it is between 0 and 1.
    // Any nside; an unknown frame counts as that of the figure's map.
    std::shared_ptr<const HealpixMap> mask;
    int maskField = 0;
};

// Same as writeFigure() in armilla/figure/figure.h, with overlays. Also throws InvalidArgument for
// a mask in a known frame if the frame of the map is unknown. Returns a remark for the user; empty:
// none.
std::string writeFigure(const FigureRequest& request, const FigureOverlays& overlays,
                        const QString& path, bool overwrite, JobContext& job);
// The page of the PNG that writeFigure() writes.
QImage figureImage(const FigureRequest& request, const FigureOverlays& overlays, JobContext& job);

}  // namespace armilla
