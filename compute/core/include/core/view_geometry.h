// SPDX-License-Identifier: GPL-3.0-or-later
// The projections of the sky onto the picture plane: one set of formulas for host and device.
//
// Source: M. R. Calabretta & E. W. Greisen, A&A 395 (2002) 1077 (FITS WCS paper II), sections 5.1.1
// (TAN), 5.1.2 (SIN), 5.1.7 (ZEA), 5.2.3 (CAR), 5.3.4 (MOL). GLSL twin:
// resources/shaders/view_geometry.glsl; a test compares the two.
//
// The picture plane has (x, y) in radians at the center, y up and x to the RIGHT of the picture;
// the sphere is looked at in the "view frame", whose x axis points at the center of the view, z up.
// Astronomer's view: longitude grows to the left, so x = -longitude near the center; `flip` gives
// the geographer's view.
#pragma once

#include "core/hd.h"
#include "core/sky_vector.h"

namespace armilla {

enum class Projection { Mollweide, Gnomonic, Orthographic, Cartesian, Lambert };

struct PlanePoint {
    double x = 0.0, y = 0.0;
};

// Half extents of the whole sky (or of the hemisphere) in the plane, in radians. Gnomonic is
// unbounded: returns the extent of a 45 degree radius, which is what "whole view" shows.
ARMILLA_HD PlanePoint planeExtent(Projection projection);
// The direction in the view frame of a plane point; false (and no direction) outside the sky.
ARMILLA_HD bool directionFromPlane(Projection projection, bool flip, PlanePoint point,
                                   Vec3& direction);
// The plane point of a view-frame direction; false where it is not visible (the far hemisphere).
ARMILLA_HD bool planeFromDirection(Projection projection, bool flip, Vec3 direction,
                                   PlanePoint& point);

// Everything a kernel or shader needs to find the direction of an image pixel. Image pixel (i, j):
// i to the right from 0, j DOWN from 0 at the top; its center is (i + 0.5, j + 0.5).
struct ViewGeometry {
    Projection projection = Projection::Mollweide;
    bool flip = false;
    int width = 0, height = 0;
    double radiansPerPixel = 0.0;  // at the center of the view
    PlanePoint offset;             // plane point at the middle of the image
    Mat3 skyFromView;              // view frame -> frame of the map
};

ARMILLA_HD inline PlanePoint planeFromImage(const ViewGeometry& view, double column, double row) {
    return {view.offset.x + (column - 0.5 * view.width) * view.radiansPerPixel,
            view.offset.y - (row - 0.5 * view.height) * view.radiansPerPixel};
}
// Direction in the map's frame of the image position (column, row); false outside the sky.
ARMILLA_HD inline bool skyFromImage(const ViewGeometry& view, double column, double row,
                                    Vec3& direction) {
    Vec3 inView;
    if (!directionFromPlane(view.projection, view.flip, planeFromImage(view, column, row), inView))
        return false;
    direction = view.skyFromView * inView;
    return true;
}
// Image position of a direction in the map's frame; false where it is not visible.
ARMILLA_HD inline bool imageFromSky(const ViewGeometry& view, Vec3 direction, double& column,
                                    double& row) {
    PlanePoint point;
    if (!planeFromDirection(view.projection, view.flip, transposed(view.skyFromView) * direction,
                            point))
        return false;
    column = (point.x - view.offset.x) / view.radiansPerPixel + 0.5 * view.width;
    row = (view.offset.y - point.y) / view.radiansPerPixel + 0.5 * view.height;
    return true;
}

// The view rotation whose center is `center` (in the sky frame) and whose up direction is turned by
// `rotation` radians, counter-clockwise on the sky as seen in the picture, from north.
Mat3 skyFromViewRotation(LonLat center, double rotation);

}  // namespace armilla
