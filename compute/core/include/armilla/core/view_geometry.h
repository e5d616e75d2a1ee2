// SPDX-License-Identifier: GPL-3.0-or-later
// The projections of the sky onto the picture plane: one set of formulas for host and device.
//
// Source: M. R. Calabretta & E. W. Greisen, A&A 395 (2002) 1077 (FITS WCS paper II), sections 5.1.1
// (TAN), 5.1.2 (SIN), 5.1.7 (ZEA), 5.2.3 (CAR), 5.3.3 (MOL), 5.3.4 (AIT). GLSL twin:
// resources/shaders/view_geometry.glsl; a test compares the two.
//
// The picture plane has (x, y) in radians at the center, y up and x to the RIGHT of the picture.
// The sphere is seen in the "view frame", whose x axis points at the center of the view, z up. In
// the astronomer's view, longitude grows to the left, so x = -longitude near the center; `flip`
// gives the geographer's view.
//
// Accuracy (tst_view_geometry): plane -> direction -> plane within 1e-13 wherever the projection
// itself does not magnify rounding (the limb of the globe and the edges of the other maps do).
#pragma once

#include "armilla/core/hd.h"
#include "armilla/core/projections.h"
#include "armilla/core/sky_vector.h"

// A projection without formulas must not compile.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"

namespace armilla {

// A point of the picture plane.
struct PlanePoint {
    double x = 0.0, y = 0.0;
};

// Half extents of the whole sky (or of the hemisphere) in the plane, in radians. Gnomonic is
// unbounded and returns the extent of a 45 degree radius, which the "whole view" shows.
ARMILLA_HD inline PlanePoint planeExtent(Projection projection) {
    constexpr double root2 = 1.41421356237309504880;
    switch (projection) {
        case Projection::Mollweide:
        case Projection::Hammer: return {2.0 * root2, root2};
        case Projection::Gnomonic:
        case Projection::Orthographic: return {1.0, 1.0};
        case Projection::Cartesian: return {kPi, kHalfPi};
        case Projection::Lambert: return {2.0, 2.0};
    }
    return {1.0, 1.0};
}

// t - sin(t) for t >= 0 without cancellation.
ARMILLA_HD inline double angleMinusSine(double t) {
    if (t > 1.0) return t - std::sin(t);
    // Taylor series; the first omitted term is t^19/19! < 1e-17 of the sum at t = 1.
    const double t2 = t * t;
    return t * t2 / 6.0 *
           (1.0 -
            t2 / 20.0 *
                (1.0 -
                 t2 / 42.0 *
                     (1.0 - t2 / 72.0 *
                                (1.0 - t2 / 110.0 *
                                           (1.0 - t2 / 156.0 *
                                                      (1.0 - t2 / 210.0 * (1.0 - t2 / 272.0)))))));
}

// The auxiliary angle of Mollweide's projection (paper II, equation 100), counted from the pole: t
// = pi - 2 gamma with t - sin(t) = pi (1 - |sin(lat)|), from u = 1 - |sin(lat)| in [0, 1]. The full
// relative accuracy of u carries over to t. Therefore the poles, where the equation in gamma is
// singular to third order, need no special case.
ARMILLA_HD inline double mollweidePolarAngle(double u) {
    const double target = kPi * u;
    const double w = std::cbrt(6.0 * target);
    const double w2 = w * w;
    // Reversion of t^3/6 - t^5/120 + ...: within 0.035 of the root at u = 1, far closer below.
    double t = w * (1.0 + w2 * (1.0 / 60.0 + w2 * (1.0 / 1400.0 + w2 / 25200.0)));
    for (int step = 0; step < 3; ++step) {  // Newton; errors 0.035, 1e-5, 1e-11, exact
        const double s = std::sin(0.5 * t);
        if (s == 0.0) break;
        t -= (angleMinusSine(t) - target) / (2.0 * s * s);
    }
    return t;
}

// Hammer's projection is Lambert's of a sphere with halved longitudes, stretched twice in x. The
// direction on that sphere of the plane point (x, y), and cos(lat), which is the same on both
// spheres.
struct HammerHalf {
    double forward, sideways, up, cosLat;
};
// The HammerHalf of a plane point, which must lie inside the border.
ARMILLA_HD inline HammerHalf hammerHalf(double x, double y) {
    const double r2 = 0.25 * x * x + y * y;
    const double scale = std::sqrt(std::fmax(0.0, 1.0 - 0.25 * r2));
    HammerHalf half{1.0 - 0.5 * r2, 0.5 * scale * x, scale * y, 0.0};
    half.cosLat = std::sqrt(half.forward * half.forward + half.sideways * half.sideways);
    return half;
}

// Values that all plane points of one height y have in common. Renderers compute these values once
// for a row of a picture. `directionFromRow` gives the same bits as `directionFromPlane`.
struct PlaneRow {
    bool inside = false;
    double y = 0.0;
    double sinLat = 0.0, cosLat = 1.0;  // Mollweide, Cartesian
    double lonPerX = 1.0;               // Mollweide, Cartesian: radians of longitude per plane unit
    double halfWidth = 0.0;             // Mollweide, Cartesian: |x| of the border
    double shear = 0.0, stretch = 1.0;  // Mollweide: see footprintScale
};

// Points outside by at most the rounding error count as on the border.
constexpr double kBorderRounding = 4.0 * 2.220446049250313e-16;
constexpr double kBorderSlack = 1.0 + kBorderRounding;

// Prepares the row at height y.
ARMILLA_HD inline PlaneRow planeRow(Projection projection, double y) {
    constexpr double root2 = 1.41421356237309504880;
    PlaneRow row;
    row.y = y;
    switch (projection) {
        case Projection::Mollweide: {
            row.inside = std::fabs(y) <= root2 * kBorderSlack;
            if (!row.inside) break;
            const double s = std::fmin(std::fabs(y) / root2, 1.0);          // |sin(gamma)|
            const double c = std::sqrt((1.0 - s) * (1.0 + s));              // cos(gamma)
            const double u = angleMinusSine(2.0 * std::atan2(c, s)) / kPi;  // 1 - |sin(lat)|
            row.sinLat = y < 0.0 ? u - 1.0 : 1.0 - u;
            row.cosLat = std::sqrt(u * (2.0 - u));
            row.halfWidth = 2.0 * root2 * c;
            row.lonPerX = c > 0.0 ? kPi / row.halfWidth : 0.0;
            row.stretch = row.cosLat > 0.0 ? row.halfWidth / (kPi * row.cosLat) : 1.0;
            row.shear = c > 0.0 ? s * row.cosLat / (root2 * c * c) : 0.0;
            break;
        }
        case Projection::Cartesian:
            row.inside = std::fabs(y) <= kHalfPi * kBorderSlack;
            row.sinLat = std::sin(y);
            row.cosLat = std::fabs(std::cos(y));
            row.halfWidth = kPi;
            break;
        case Projection::Hammer: row.inside = std::fabs(y) <= root2 * kBorderSlack; break;
        case Projection::Gnomonic:
        case Projection::Orthographic:
        case Projection::Lambert: row.inside = true; break;
    }
    return row;
}

// The direction in the view frame of the plane point (x, row.y); false (and no direction) outside.
ARMILLA_HD inline bool directionFromRow(Projection projection, bool flip, const PlaneRow& row,
                                        double x, Vec3& direction) {
    if (!row.inside) return false;
    const double east = flip ? x : -x;
    const double y = row.y;
    switch (projection) {
        case Projection::Mollweide:
        case Projection::Cartesian: {
            if (!(std::fabs(x) <= row.halfWidth * kBorderSlack)) return false;
            const double lon = std::fmax(-kPi, std::fmin(kPi, east * row.lonPerX));
            direction = {row.cosLat * std::cos(lon), row.cosLat * std::sin(lon), row.sinLat};
            return true;
        }
        case Projection::Gnomonic: {
            const double scale = 1.0 / std::sqrt(1.0 + x * x + y * y);
            direction = {scale, scale * east, scale * y};
            return true;
        }
        case Projection::Orthographic: {
            const double r2 = x * x + y * y;
            if (!(r2 <= kBorderSlack)) return false;
            direction = {std::sqrt(std::fmax(0.0, 1.0 - r2)), east, y};
            return true;
        }
        case Projection::Lambert: {
            // r = 2 sin(distance / 2); sin(distance) = r cos(distance / 2).
            const double r2 = x * x + y * y;
            if (!(r2 <= 4.0 * kBorderSlack)) return false;
            const double scale = std::sqrt(std::fmax(0.0, 1.0 - 0.25 * r2));
            direction = {1.0 - 0.5 * r2, scale * east, scale * y};
            return true;
        }
        case Projection::Hammer: {
            const HammerHalf half = hammerHalf(east, y);
            if (!(half.forward >= -kBorderRounding)) return false;
            const double turn = half.cosLat > 0.0 ? half.sideways / half.cosLat : 0.0;
            direction = {half.cosLat - 2.0 * half.sideways * turn, 2.0 * half.forward * turn,
                         half.up};
            return true;
        }
    }
    return false;
}

// The direction in the view frame of a plane point; false (and no direction) outside the sky.
ARMILLA_HD inline bool directionFromPlane(Projection projection, bool flip, PlanePoint point,
                                          Vec3& direction) {
    return directionFromRow(projection, flip, planeRow(projection, point.y), point.x, direction);
}

// The plane point of a unit vector in the view frame; false if not visible (the far hemisphere). On
// the seam of the cylindrical projections the sign of direction.y, also the sign of a zero, selects
// the side. The antipode of Lambert's projection is its whole edge; the result is the edge's right
// end.
ARMILLA_HD inline bool planeFromDirection(Projection projection, bool flip, Vec3 direction,
                                          PlanePoint& point) {
    const double side = flip ? 1.0 : -1.0;
    const Vec3 d = direction;
    switch (projection) {
        case Projection::Mollweide: {
            constexpr double root2 = 1.41421356237309504880;
            const double u = (d.x * d.x + d.y * d.y) / (1.0 + std::fabs(d.z));
            const double half = 0.5 * mollweidePolarAngle(std::fmin(u, 1.0));
            point.x = side * (2.0 * root2 / kPi) * std::atan2(d.y, d.x) * std::sin(half);
            point.y = (d.z < 0.0 ? -root2 : root2) * std::cos(half);
            return true;
        }
        case Projection::Cartesian:
            point.x = side * std::atan2(d.y, d.x);
            point.y = std::atan2(d.z, std::sqrt(d.x * d.x + d.y * d.y));
            return true;
        case Projection::Gnomonic:
            if (!(d.x > 1e-10)) return false;  // beyond 1e10 image units there is nothing to draw
            point.x = side * d.y / d.x;
            point.y = d.z / d.x;
            return true;
        case Projection::Orthographic:
            if (!(d.x >= 0.0)) return false;
            point.x = side * d.y;
            point.y = d.z;
            return true;
        case Projection::Lambert: {
            const double s2 = d.y * d.y + d.z * d.z;
            if (d.x < 0.0 && s2 == 0.0) {
                point = {2.0, 0.0};
                return true;
            }
            // 1 + d.x = s2 / (1 - d.x), without the cancellation near the antipode.
            const double scale =
                d.x >= 0.0 ? std::sqrt(2.0 / (1.0 + d.x)) : std::sqrt(2.0 * (1.0 - d.x) / s2);
            point.x = side * scale * d.y;
            point.y = scale * d.z;
            return true;
        }
        case Projection::Hammer: {
            // Cosine and sine of half the longitude, times cos(lat). The larger comes from the sum
            // without cancellation, the smaller from their product, cos(lat) |d.y| / 2.
            const double cosLat = std::sqrt(d.x * d.x + d.y * d.y);
            const double larger = std::sqrt(0.5 * cosLat * (cosLat + std::fabs(d.x)));
            const double smaller = larger > 0.0 ? 0.5 * cosLat * std::fabs(d.y) / larger : 0.0;
            const double forward = d.x >= 0.0 ? larger : smaller;
            const double sideways = std::copysign(d.x >= 0.0 ? smaller : larger, d.y);
            const double scale = std::sqrt(2.0 / (1.0 + forward));
            point.x = side * 2.0 * scale * sideways;
            point.y = scale * d.z;
            return true;
        }
    }
    return false;
}

// The largest angle on the sky that a unit step in the plane can make at this point, in radians per
// plane unit: the larger singular value of the projection's inverse. `direction` must be the result
// of `directionFromRow`. At most 1e3, so that the value stays finite at the edge.
ARMILLA_HD inline double footprintScale(Projection projection, const PlaneRow& row, double x,
                                        Vec3 direction) {
    double scale = 1.0;
    switch (projection) {
        case Projection::Mollweide: {
            // Equal area: forward matrix [[a, b], [0, 1/a]] on (east, north), a = stretch,
            // b = -shear * lon; singular values s and 1/s, s^2 + 1/s^2 = a^2 + b^2 + 1/a^2.
            const double a2 = row.stretch * row.stretch;
            const double b = row.shear * row.lonPerX * x;
            const double sum = a2 + b * b + 1.0 / a2;
            scale = std::sqrt(0.5 * (sum + std::sqrt(std::fmax(0.0, sum * sum - 4.0))));
            break;
        }
        case Projection::Cartesian: break;                      // along the meridian
        case Projection::Gnomonic: scale = direction.x; break;  // across the radius
        case Projection::Orthographic:                          // along the radius
            scale = 1.0 / std::fmax(direction.x, 1e-3);
            break;
        case Projection::Lambert:  // along the radius
            scale = std::sqrt(2.0 / std::fmax(1.0 + direction.x, 2e-6));
            break;
        case Projection::Hammer: {
            // Equal area: s^2 + 1/s^2 is the sum of squares of the derivatives of (x, y) by east
            // and north, with D^2 = 1 + cos(lat) cos(lon/2) in [1, 2].
            const HammerHalf half = hammerHalf(x, row.y);
            const double c = half.cosLat, s = half.up;
            const double sine = c > 0.0 ? half.sideways / c : 1.0;  // sine of half the longitude
            const double cosine = c > 0.0 ? half.forward / c : 0.0;
            const double d2 = 1.0 + std::fmax(half.forward, 0.0);
            const double xEast =
                // the four derivatives omit their common factor sqrt(2) / D
                cosine + 0.5 * c * sine * sine / d2;
            const double xNorth = s * sine * (d2 + 1.0) / d2;
            const double yEast = 0.25 * s * sine / d2;
            const double yNorth = c + 0.5 * s * s * cosine / d2;
            const double sum =
                2.0 / d2 * (xEast * xEast + xNorth * xNorth + yEast * yEast + yNorth * yNorth);
            scale = std::sqrt(0.5 * (sum + std::sqrt(std::fmax(0.0, sum * sum - 4.0))));
            break;
        }
    }
    return std::fmin(scale, 1e3);
}

// The levels of the mean-of-children pyramid for an image pixel: `level` and, with weight `blend`,
// the next coarser one.
struct PyramidLevel {
    int level = 0;
    float blend = 0.0F;
};

// The pyramid level of an image pixel. `footprint`: angle of the image pixel on the sky
// (radiansPerPixel * footprintScale). A cell of nside n has the side sqrt(pi / 3) / n.
//
// A cell of the map is drawn crisp (level 0 alone) while it is at least sqrt(2) image pixels wide.
// Then every cell contains the center of an image pixel, and no cell is lost. For smaller cells the
// level changes continuously to the one whose cells are that wide, so that no seam appears.
constexpr double kPixelsPerCell = 1.41421356237309504880 / 1.02332670794648848847;
// `exact`: binary logarithm of footprint * nside * kPixelsPerCell.
ARMILLA_HD inline PyramidLevel pyramidLevel(float exact, int levels) {
    PyramidLevel result;
    if (!(exact > 0.0F)) return result;
    if (exact >= static_cast<float>(levels - 1)) {
        result.level = levels - 1;
        return result;
    }
    result.level = static_cast<int>(exact);
    result.blend = exact - static_cast<float>(result.level);
    return result;
}
ARMILLA_HD inline PyramidLevel pyramidLevel(double footprint, double nside, int levels) {
    return pyramidLevel(std::log2(static_cast<float>(footprint * nside * kPixelsPerCell)), levels);
}
// The drawn value from the values of two levels. A cell without any good pixel stays bad until the
// coarser level has the larger weight.
ARMILLA_HD inline float blendedValue(float fine, float coarse, float blend) {
    if (fine != fine) return blend < 0.5F ? fine : coarse;
    return fine + (coarse - fine) * blend;
}

// All parameters that a kernel or shader needs to compute the direction of an image pixel. Image
// pixel (i, j): i to the right from 0, j DOWN from 0 at the top; its center is (i + 0.5, j + 0.5).
struct ViewGeometry {
    Projection projection = Projection::Mollweide;
    bool flip = false;
    int width = 0, height = 0;
    double radiansPerPixel = 0.0;  // at the center of the view
    PlanePoint offset;             // plane point at the middle of the image
    Mat3 skyFromView;              // view frame -> frame of the map
};

// The plane point of the image position (column, row).
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
// Image position of a direction in the map's frame; false for invisible directions.
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

// The view rotation with center `center` (in the sky frame) and an up direction rotated by
// `rotation` radians from north towards east: counter-clockwise in the astronomer's view.
ARMILLA_HD inline Mat3 skyFromViewRotation(LonLat center, double rotation) {
    const double cl = std::cos(center.lon), sl = std::sin(center.lon);
    const double cb = std::cos(center.lat), sb = std::sin(center.lat);
    const double cr = std::cos(rotation), sr = std::sin(rotation);
    const Vec3 x{cb * cl, cb * sl, sb};
    const Vec3 north{-sb * cl, -sb * sl, cb};
    const Vec3 east{-sl, cl, 0.0};
    const Vec3 y = cr * east - sr * north;
    const Vec3 z = cr * north + sr * east;
    return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

}  // namespace armilla

#pragma GCC diagnostic pop
