// SPDX-License-Identifier: GPL-3.0-or-later
// Small pictures of positions on maps, and the profile of a map around a position.
#pragma once

#include <QImage>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/draw/color_scale.h"
#include "armilla/session/document.h"

namespace armilla {

class SourceReview;

// A square around a position. North of `frame` is up, east to the left.
struct StampPlace {
    Vec3 center;  // in `frame`
    Frame frame = Frame::Unknown;
    double halfWidth = kDegree;  // radians, from the center to a side
};
// The value under each point of a stamp, NaN where there is none; `side` * `side` values, top row
// first. A map without a known frame counts as being in that of the position.
std::vector<float> stampValues(const HealpixMap& map, int field, const StampPlace& place, int side);
// The source in a stamp: one that raises the map, or one that lowers it.
enum class StampShows { Peak, Hole };
// Colors range from the first percentile to the largest value; for a hole from the smallest value
// to the last percentile. Bad values have the color of bad pixels.
QImage stampImage(const std::vector<float>& values, int side, const ColorScale& colors,
                  StampShows shows = StampShows::Peak);
StampShows shownBy(const SourceReview& review, int64_t row);

// One picture of a source.
struct StampSource {
    QString title;
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    ColorScale colors;
};
// Original, filtered, residual and every other open map with data here.
std::vector<StampSource> stampSources(const Document& document, const SourceReview& review);
// Position of the current source and the size of its stamp.
StampPlace stampPlaceOf(const SourceReview& review, int64_t row, const HealpixMap* map);

// Means of a map in rings around a position, compared with the beam.
struct StampProfile {
    std::vector<double> radius, mean, error;  // radians, the map's unit
    double background = 0.0;                  // from 2 to 3 beams
    double peak = 0.0;                        // central value above the background
};
StampProfile radialProfile(const HealpixMap& map, int field, Vec3 center, double beam);

}  // namespace armilla
