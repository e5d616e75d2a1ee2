// SPDX-License-Identifier: GPL-3.0-or-later
// Interactive editing of regions: outlines on the sphere, handles, and the result of moving a
// handle.
#pragma once

#include <vector>

#include "armilla/core/region.h"

namespace armilla {

// A closed small circle around a direction.
std::vector<Vec3> circleAround(Vec3 center, double radius);
// Closed lines on the sphere, in the frame of the region; two for an annulus. Throws
// InvalidArgument as checkRegion().
std::vector<std::vector<Vec3>> outlineOf(const Region& region);

// Handles of a region in its frame: the center (except for a polygon), then radii, ends of the
// axes, or corners.
std::vector<Vec3> handlesOf(const Region& region);
// The region after a handle has moved to `to` (frame of the region). The center moves the region. A
// radius or an axis changes its length, and an axis also rotates. A corner moves. If the result is
// invalid (checkRegion()), the region is returned unchanged.
Region withHandle(const Region& region, size_t handle, Vec3 to);
// The region moved so that the point at `from` comes to `to`.
Region movedRegion(const Region& region, Vec3 from, Vec3 to);
// The same part of the sky in another frame; unchanged if either frame is unknown.
Region inFrame(const Region& region, Frame frame);
// Display name of a shape: "circle", "ring", ...
const char* shapeWord(RegionShape shape);

}  // namespace armilla
