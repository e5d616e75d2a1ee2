// SPDX-License-Identifier: GPL-3.0-or-later
// A view as a finished figure: sky, graticule with labels, color bar, title; drawn anew at any
// size, labels as vectors. Needs QtGui but no display.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "render/camera.h"
#include "render/color_scale.h"

namespace armilla {

struct FigureMarker {
    LonLat position;  // in the camera's frame
    QString label;
};
struct FigureRequest {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    Camera camera;
    ColorScale scale;
    int width = 1600, height = 900;  // pixels of a PNG; points * dpi / 72 for PDF and SVG
    double dpi = 100.0;
    double graticuleStep = 0.0;  // 0: none; radians
    QString title, unit;
    bool darkBackground = false;
    std::vector<FigureMarker> markers;
    QString recipe;  // written into the file's metadata
};
// Writes `.png`, `.pdf` or `.svg`, atomically. Throws InvalidArgument for another suffix, IoError.
void writeFigure(const FigureRequest& request, const QString& path, bool overwrite,
                 JobContext& job);

}  // namespace armilla
