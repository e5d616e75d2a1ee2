// SPDX-License-Identifier: GPL-3.0-or-later
// Regions of the sky as drawn by the user: circles, ellipses, boxes, annuli and polygons, as
// values.
#pragma once

#include <vector>

#include "armilla/core/sky_vector.h"

namespace armilla {

// Shapes of regions.
enum class RegionShape { Circle, Ellipse, Box, Annulus, Polygon };

// A region. Offsets from the center are those of the zenithal equidistant projection about the
// center: arc lengths along great circles through the center, at their position angles.
struct Region {
    RegionShape shape = RegionShape::Circle;
    Frame frame = Frame::Unknown;
    std::vector<LonLat> points;  // the center, or the corners of a polygon, radians
    // Radians.
    // - Circle: the radius, and 0.
    // - Annulus: inner and outer radius.
    // - Ellipse: the two radii.
    // - Box: half of width and height.
    // Without rotation, `first` lies along longitude. `angle` turns `first` from east by way of
    // south, as in DS9: counterclockwise with east to the left.
    double first = 0.0, second = 0.0;
    double angle = 0.0;
    bool exclude = false;  // subtracted from the regions before this one
};

// Throws InvalidArgument for sizes that are negative or no numbers, and for annuli with exchanged
// radii. Polygons need at least three corners, all within 89 degrees of their middle; others also
// throw InvalidArgument.
void checkRegion(const Region& region);

// A region prepared for tests of many directions.
class RegionTest {
public:
    // Directions must be in `frame`. Throws as checkRegion, and InvalidArgument if exactly one of
    // the two frames is unknown.
    RegionTest(const Region& region, Frame frame);
    // True inside the region, borders included. Sides of polygons are great circles. Corners may be
    // listed clockwise or counterclockwise. Polygons may be concave; where sides cross, the
    // even-odd rule applies.
    bool contains(Vec3 direction) const;
    // Center and radius (radians) of a disc that contains the whole region.
    Vec3 center() const { return center_; }
    double radius() const { return radius_; }

private:
    RegionShape shape_;
    double first_, second_;
    Vec3 center_, along_, across_;  // the axes of an ellipse or a box
    std::vector<double> x_, y_;     // corners in the gnomonic plane
    double radius_ = 0.0;
};

}  // namespace armilla
