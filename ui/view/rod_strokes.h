// SPDX-License-Identifier: GPL-3.0-or-later
// The strokes of polarization line segments.
#pragma once

#include <QPointF>
#include <vector>

#include "armilla/draw/graticule.h"

class QPainter;

namespace armilla {

// Draws each segment with a halo. `pixel`: painter units per image pixel, from `origin`.
//
// Lies on dark and bright map colors, not on theme colors. Qt draws single lines with square ends
// directly. Round ends or one path of all segments go through the general stroker and take a second
// for 2500 segments instead of 10 ms (one core of an AMD EPYC).
void strokeRods(QPainter& painter, const std::vector<Rod>& rods, QPointF origin, double pixel);

}  // namespace armilla
