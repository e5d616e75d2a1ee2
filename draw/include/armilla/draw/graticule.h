// SPDX-License-Identifier: GPL-3.0-or-later
// Overlays as geometry in image coordinates: graticule with labels, outline of the sky,
// polarization rods. The caller strokes the lines.
#pragma once

#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/view_geometry.h"

namespace armilla {

// A position in image pixels.
struct ImagePoint {
    double column = 0.0, row = 0.0;
    bool operator==(const ImagePoint&) const = default;
};
using Polyline = std::vector<ImagePoint>;

// A rectangle in image pixels.
struct ImageBox {
    double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;
};

// Unit of the longitudes in labels: degrees, or hours of right ascension.
enum class LongitudeUnit { Degrees, Hours };
// Hours in equatorial coordinates, else degrees.
LongitudeUnit longitudeUnitOf(Frame frame);

// A label of a graticule line.
struct GraticuleLabel {
    ImagePoint at;  // anchor, center of the text
    // "30°", "+60°", "−5°30′", "2h40m": UTF-8 with a true minus sign
    std::string text;
    bool isLatitude = false;
};
// Lines and labels of a graticule, in image coordinates.
struct Graticule {
    std::vector<Polyline> lines;
    std::vector<GraticuleLabel> labels;  // thinned, so that labels do not overlap
    double step = 0.0;                   // spacing of parallels, radians
    // spacing of meridians, radians; larger than `step` near the poles
    double longitudeStep = 0.0;
};
// Meridians and parallels of the view's sky frame every `step` radians (0: chosen for the zoom,
// with wider spacing of converging meridians).
// - A step that would draw more than some hundred lines is made coarser; `Graticule::step` returns
//   the actual step.
// - Lines deviate by at most a third of a pixel from the true curves and end at the sky's border;
//   only parts near the image are returned.
// - Parallels are labeled where a line enters the image on the left. Meridians are labeled along a
//   parallel through the middle if the whole sky is in view, otherwise at the bottom.
// - `textHeight` is the height of a line of text in image pixels; no label overlaps a `covered`
//   box.
// - Towards the poles meridians end, the less round ones first. Their spacing is at least a quarter
//   of the parallels', a sixth just before the end (tst_graticule).
Graticule graticule(const ViewGeometry& view, double step, LongitudeUnit unit,
                    double textHeight = 14.0, const std::vector<ImageBox>& covered = {});
// The border of the visible sky (ellipse, circle, rectangle); only parts near the image. Empty for
// the gnomonic projection, which has no border.
std::vector<Polyline> skyOutline(const ViewGeometry& view);

// A headless line that shows polarization.
struct Rod {
    ImagePoint from, to;
    bool operator==(const Rod&) const = default;
};
// One rod per cell of `spacing` image pixels, along the polarization of the map there. The length
// is `maxLength` pixels at amplitude `maxAmplitude` and above. `mapView` is the view in the map's
// own frame (from Camera::geometry with the map's frame), so that rods rotate with the frame. COSMO
// convention: the polarization angle atan2(U, Q) / 2 counts from south towards east.
//
// If a cell covers several pixels, Q and U are averaged over a grid of positions in the cell. Each
// is transported to the cell's middle first, so that rods are correct right next to the poles. Bad
// pixels are skipped.
std::vector<Rod> polarizationRods(const HealpixMap& map, int qField, int uField,
                                  const ViewGeometry& mapView, double spacing, double maxLength,
                                  double maxAmplitude);

}  // namespace armilla
