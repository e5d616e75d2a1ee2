// SPDX-License-Identifier: GPL-3.0-or-later
// Regions of the sky as people draw them: circles, ellipses, boxes, rings and polygons, as values.
#pragma once

#include <vector>

#include "core/sky_vector.h"

namespace armilla {

enum class RegionShape { Circle, Ellipse, Box, Annulus, Polygon };

// Offsets from the center are those of the zenithal equidistant projection about it: arc lengths
// along great circles through the center, at their position angles.
struct Region {
    RegionShape shape = RegionShape::Circle;
    Frame frame = Frame::Unknown;
    std::vector<LonLat> points;  // the center, or the corners of a polygon, radians
    // Radians. Circle: the radius, 0. Annulus: inner and outer radius. Ellipse: the two radii. Box:
    // half of width and height. The first of two lies along longitude, turned by `angle` from there
    // to where east turns by way of south; as DS9, counterclockwise with east to the left.
    double first = 0.0, second = 0.0;
    double angle = 0.0;
    bool exclude = false;  // what lies in it is not in the regions before it
};

// Throws InvalidArgument for sizes that are negative or no numbers, annuli turned inside out, and
// polygons of fewer than three corners or that reach 90 degrees or more from their middle.
void checkRegion(const Region& region);

// A region made ready for many directions.
class RegionTest {
public:
    // Directions will be in `frame`. Throws as checkRegion, and InvalidArgument if one of the two
    // frames is unknown and the other is not.
    RegionTest(const Region& region, Frame frame);
    // Borders included. Sides of polygons are great circles; corners in any order of turning;
    // polygons may be concave, where sides cross the even-odd rule holds.
    bool contains(Vec3 direction) const;
    // A disc that holds all of it.
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
