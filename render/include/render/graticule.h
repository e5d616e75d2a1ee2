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
    bool operator==(const ImagePoint&) const = default;
};
using Polyline = std::vector<ImagePoint>;

struct ImageBox {
    double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;
};

struct GraticuleLabel {
    ImagePoint at;     // anchor, center of the text
    std::string text;  // "30°", "+60°", "−5°30′": UTF-8 with a true minus sign
    bool isLatitude = false;
};
struct Graticule {
    std::vector<Polyline> lines;
    std::vector<GraticuleLabel> labels;  // thinned so that they do not overlap
    double step = 0.0;                   // radians, of latitude
    double longitudeStep = 0.0;          // radians; larger than `step` near the poles
};
// Meridians and parallels of the view's sky frame every `step` radians (0: chosen for the zoom,
// with meridians farther apart where they converge). A step that would draw more than some hundred
// lines is made coarser; `Graticule::step` says what was drawn. Lines lie within a third of a pixel
// of the true curves and end on the sky's border; only parts near the image are given. Parallels
// are labelled where they enter the image on the left, meridians along a parallel through the
// middle when the whole sky is in view, else at the bottom. `textHeight` is the height of a line of
// text in image pixels; no label lies on one of the `covered` boxes. Towards the poles meridians
// end, the less round ones first, so that they stand at least a quarter of the parallels' distance
// apart (a sixth just before they end; tst_graticule).
Graticule graticule(const ViewGeometry& view, double step, double textHeight = 14.0,
                    const std::vector<ImageBox>& covered = {});
// The border of the sky as seen (ellipse, circle, rectangle); only parts near the image. Empty for
// the gnomonic projection, which has none.
std::vector<Polyline> skyOutline(const ViewGeometry& view);

struct Rod {
    ImagePoint from, to;
    bool operator==(const Rod&) const = default;
};
// One rod for each cell of `spacing` image pixels: the polarization of the map there, its length
// `maxLength` pixels at amplitude `maxAmplitude` and above. `mapView` is the view in the map's own
// frame (Camera::geometry with it), so rods turn with the frame. COSMO convention: the polarization
// angle atan2(U, Q) / 2 counts from south towards east. Where a cell covers several pixels Q and U
// are averaged over a grid of places in it, each brought to the cell's middle first, so that rods
// stay right next to the poles; bad pixels are left out.
std::vector<Rod> polarizationRods(const HealpixMap& map, int qField, int uField,
                                  const ViewGeometry& mapView, double spacing, double maxLength,
                                  double maxAmplitude);

}  // namespace armilla
