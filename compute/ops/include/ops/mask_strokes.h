// SPDX-License-Identifier: GPL-3.0-or-later
// Strokes of a brush on a mask, as values: drawn by hand, kept as text, painted at any resolution.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// All that lies within `radius` of a path of great circle arcs becomes bad, or good again.
struct MaskStroke {
    bool good = false;
    Frame frame = Frame::Unknown;
    double radius = 0.0;       // radians
    std::vector<LonLat> path;  // one point: a disc; radians
    bool operator==(const MaskStroke& other) const;
};

// "cut G 0.5 120,30 121,30.5; restore G 0.2 120.4,30.1": what it does, the frame (G, C, E; none for
// that of the mask), the radius and the points in degrees. Throws InvalidArgument with what was
// expected and found.
std::vector<MaskStroke> parseStrokes(std::string_view text);
// Reads back as the same strokes, to 1e-9 degrees.
std::string strokeText(const std::vector<MaskStroke>& strokes);

// Paints them, one after the other: pixels whose centers lie within become 0 or 1. Throws
// InvalidArgument for a mask that is not full, frames of which one alone is unknown; Cancelled.
// Cost: the pixels of the discs around the arcs. Test: tst_mask (every pixel, by the arc's
// distance).
void paintStrokes(HealpixMap& mask, const std::vector<MaskStroke>& strokes, JobContext& job);

}  // namespace armilla
