// SPDX-License-Identifier: GPL-3.0-or-later
// Brush strokes on a mask, as values: drawn with the mouse, stored as text, painted at any
// resolution.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// A stroke makes all pixels within `radius` of a path of great circle arcs bad, or good again.
struct MaskStroke {
    bool good = false;
    Frame frame = Frame::Unknown;
    double radius = 0.0;       // radians
    std::vector<LonLat> path;  // one point: a disc; radians
    bool operator==(const MaskStroke& other) const;
};

// Parses "cut G 0.5 120,30 121,30.5; restore G 0.2 120.4,30.1": action, frame (G, C, E; none for
// the mask's frame), radius and points in degrees. Throws InvalidArgument with the expected and the
// found text.
std::vector<MaskStroke> parseStrokes(std::string_view text);
// The text of strokes; parseStrokes() returns the same strokes, to 1e-9 degrees.
std::string strokeText(const std::vector<MaskStroke>& strokes);

// Paints the strokes in their order: pixels with centers inside become 0 or 1. Throws
// InvalidArgument for a mask that is not full, and if only one of two frames is known; Cancelled.
// Cost: the pixels of the discs around the arcs. Test: tst_mask (every pixel, by the arc's
// distance).
void paintStrokes(HealpixMap& mask, const std::vector<MaskStroke>& strokes, JobContext& job);

}  // namespace armilla
