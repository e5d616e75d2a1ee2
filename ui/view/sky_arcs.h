// SPDX-License-Identifier: GPL-3.0-or-later
// Projects lines of directions into a view.
#pragma once

#include <vector>

#include "armilla/draw/camera.h"
#include "armilla/draw/graticule.h"

namespace armilla {

// Directions as image polylines, cut at the edge of the projection.
std::vector<Polyline> projected(const ViewGeometry& view, const std::vector<Vec3>& points);
// Points of the great circle arc between two directions as image polylines, cut at the edge of the
// projection.
std::vector<Polyline> arcLines(const ViewGeometry& view, Vec3 from, Vec3 to);
// Position angle of `to` as seen from `from`, from north through east, in [0, 2 pi).
double positionAngle(Vec3 from, Vec3 to);

}  // namespace armilla
