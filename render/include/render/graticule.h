// SPDX-License-Identifier: GPL-3.0-or-later
// Overlays as geometry in image coordinates, to be stroked by whoever draws: graticule with labels,
// the outline of the sky, polarization rods, catalog markers.
#pragma once

#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "core/view_geometry.h"

namespace armilla {

struct ImagePoint {
    double column = 0.0, row = 0.0;
};
using Polyline = std::vector<ImagePoint>;

struct GraticuleLabel {
    ImagePoint at;     // anchor, center of the text
    std::string text;  // "30°", "+60°"
    bool isLatitude = false;
};
struct Graticule {
    std::vector<Polyline> lines;
    std::vector<GraticuleLabel> labels;  // thinned so that they do not overlap
    double step = 0.0;                   // radians
};
// Meridians and parallels of the view's sky frame every `step` radians (0: chosen for the zoom).
Graticule graticule(const ViewGeometry& view, double step);
// The border of the sky as seen (ellipse, circle, rectangle); may leave the image.
std::vector<Polyline> skyOutline(const ViewGeometry& view);

struct Rod {
    ImagePoint from, to;
};
// One rod for each cell of `spacing` image pixels: the polarization of the map there, its length
// `maxLength` pixels at amplitude `maxAmplitude`. COSMO convention; rods turn with the frame.
std::vector<Rod> polarizationRods(const HealpixMap& map, int qField, int uField,
                                  const ViewGeometry& mapView, double spacing, double maxLength,
                                  double maxAmplitude);

}  // namespace armilla
