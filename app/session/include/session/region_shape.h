// SPDX-License-Identifier: GPL-3.0-or-later
// Regions under the hand: their outline on the sphere, what can be taken hold of, and what becomes
// of them when that is moved.
#pragma once

#include <vector>

#include "core/region.h"

namespace armilla {

// A closed line about a direction.
std::vector<Vec3> circleAround(Vec3 center, double radius);
// Lines on the sphere, in the region's frame, closed; two for an annulus. Throws as checkRegion.
std::vector<std::vector<Vec3>> outlineOf(const Region& region);

// The center first, but for a polygon; then radii, or the ends of the axes, or corners. In the
// region's frame.
std::vector<Vec3> handlesOf(const Region& region);
// The region with a handle moved to a place (of its frame): the center takes the region along, a
// radius or an axis changes its length (an axis also turns), a corner moves. A region that would
// not be one (checkRegion) stays as it was.
Region withHandle(const Region& region, size_t handle, Vec3 to);
// All of it moved so that what was at `from` comes to `to`.
Region movedRegion(const Region& region, Vec3 from, Vec3 to);
// The same part of the sky said in another frame; one of the two unknown: the words stay.
Region inFrame(const Region& region, Frame frame);
// "circle", "ring", ...: for people.
const char* shapeWord(RegionShape shape);

}  // namespace armilla
