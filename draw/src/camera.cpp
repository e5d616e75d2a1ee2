// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/camera.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace armilla {

namespace {

// The point of the sky for a plane point outside; a dragged cursor slides along the edge.
PlanePoint insideSky(Projection projection, PlanePoint p) {
    const PlanePoint extent = planeExtent(projection);
    const ProjectionBorder border = factsOf(projection).border;
    if (border == ProjectionBorder::None) return p;
    if (border == ProjectionBorder::Rectangle)
        return {std::clamp(p.x, -extent.x, extent.x), std::clamp(p.y, -extent.y, extent.y)};
    const double reach = std::hypot(p.x / extent.x, p.y / extent.y);
    if (reach <= 1.0) return p;
    return {p.x / reach, p.y / reach};
}

bool onSky(Projection projection, PlanePoint p) {
    Vec3 ignored;
    return directionFromPlane(projection, false, p, ignored);
}

// The shortest rotation from unit vector `from` to `to`, applied after `orientation`.
Mat3 turnedFromTo(const Mat3& orientation, Vec3 from, Vec3 to) {
    const Vec3 axis = cross(from, to);
    const double sine = norm(axis), cosine = dot(from, to);
    Vec3 k;
    if (sine > 0.0) {
        k = (1.0 / sine) * axis;
    } else {
        if (cosine > 0.0) return orientation;
        // Opposite points: any perpendicular axis is valid.
        k = normalized(std::fabs(from.z) < 0.9 ? cross(from, Vec3{0, 0, 1})
                                               : cross(from, Vec3{1, 0, 0}));
    }
    const double c1 = 1.0 - cosine;  // Rodrigues' formula
    const Mat3 turn{
        {cosine + k.x * k.x * c1, k.x * k.y * c1 - k.z * sine, k.x * k.z * c1 + k.y * sine,
         k.y * k.x * c1 + k.z * sine, cosine + k.y * k.y * c1, k.y * k.z * c1 - k.x * sine,
         k.z * k.x * c1 - k.y * sine, k.z * k.y * c1 + k.x * sine, cosine + k.z * k.z * c1}};
    return turn * orientation;
}

// Gram-Schmidt removes rotation errors, which accumulate over the movements of a long session.
Mat3 orthonormal(const Mat3& r) {
    const Vec3 x = normalized(Vec3{r.m[0], r.m[3], r.m[6]});
    Vec3 z{r.m[2], r.m[5], r.m[8]};
    z = normalized(z - dot(z, x) * x);
    const Vec3 y = cross(z, x);
    return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

// Increases with closeness of two orientations; only the order matters.
double closeness(const Mat3& a, const Mat3& b) {
    double trace = 0.0;
    for (int i = 0; i < 9; ++i) trace += a.m[i] * b.m[i];
    return trace;
}

// The orientation with the rotation angle of `orientation` that shows `sky` in view direction
// `view`: skyFromViewRotation(center, rotation) * view = sky, solved for the center. Among up to
// two solutions the one nearest to `orientation`; none if the pole prevents a solution.
std::optional<Mat3> showing(const Mat3& orientation, LonLat center, double rotation, Vec3 view,
                            Vec3 sky) {
    // The direction in the north-up view of the same center.
    const double c = std::cos(rotation), s = std::sin(rotation);
    const Vec3 w{view.x, c * view.y + s * view.z, -s * view.y + c * view.z};
    // sky.z = w.x sin(lat) + w.z cos(lat) = reach * sin(lat + phase).
    const double reach = std::hypot(w.x, w.z), phase = std::atan2(w.z, w.x);
    if (!(reach > 0.0 && std::fabs(sky.z) <= reach)) return std::nullopt;
    const double angle = std::asin(std::clamp(sky.z / reach, -1.0, 1.0));
    std::optional<Mat3> best;
    for (double lat : {angle - phase, kPi - angle - phase}) {
        lat = std::remainder(lat, kTwoPi);
        if (std::fabs(lat) > kHalfPi) continue;
        // East component w.y, component towards (center.lon, 0): give the longitude offset from the
        // center.
        const double ahead = w.x * std::cos(lat) - w.z * std::sin(lat);
        double lon = center.lon;
        if (sky.x != 0.0 || sky.y != 0.0) lon = std::atan2(sky.y, sky.x) - std::atan2(w.y, ahead);
        const Mat3 found = skyFromViewRotation({lon, lat}, rotation);
        if (!best || closeness(found, orientation) > closeness(*best, orientation)) best = found;
    }
    return best;
}

Mat3 shown(const Camera& camera, Vec3 view, Vec3 sky, bool keepNorthUp) {
    if (keepNorthUp)
        if (const auto found =
                showing(camera.orientation, camera.center(), camera.rotation(), view, sky))
            return *found;
    return orthonormal(turnedFromTo(camera.orientation, camera.orientation * view, sky));
}

PlanePoint planeAt(const Camera& camera, int width, int height, double column, double row) {
    ViewGeometry view;
    view.width = width;
    view.height = height;
    view.radiansPerPixel = camera.radiansPerPixel(width, height);
    view.offset = camera.offset;
    return planeFromImage(view, column, row);
}

}  // namespace

double Camera::radiansPerPixel(int width, int height) const {
    const PlanePoint extent = planeExtent(projection);
    return std::max(2.0 * extent.x / std::max(width, 1), 2.0 * extent.y / std::max(height, 1)) /
           zoom;
}

double Camera::zoomFor(int width, int height, double wanted) const {
    return zoom * radiansPerPixel(width, height) / wanted;
}

ViewGeometry Camera::geometry(int width, int height, Frame mapFrame) const {
    ViewGeometry view;
    view.projection = projection;
    view.flip = flip;
    view.width = width;
    view.height = height;
    view.radiansPerPixel = radiansPerPixel(width, height);
    view.offset = offset;
    view.skyFromView = frameRotation(mapFrame, frame) * orientation;
    return view;
}

LonLat Camera::center() const {
    return lonLat(orientation * Vec3{1.0, 0.0, 0.0});
}

double Camera::rotation() const {
    const LonLat at = center();
    const Mat3 northUp = skyFromViewRotation(at, 0.0);
    const Vec3 up = transposed(northUp) * (orientation * Vec3{0.0, 0.0, 1.0});
    return std::atan2(up.y, up.z);
}

Camera Camera::dragged(int width, int height, double fromColumn, double fromRow, double toColumn,
                       double toRow, bool keepNorthUp) const {
    PlanePoint from = planeAt(*this, width, height, fromColumn, fromRow);
    PlanePoint to = planeAt(*this, width, height, toColumn, toRow);
    if (!onSky(projection, from)) {
        to = {to.x - from.x, to.y - from.y};
        from = {0.0, 0.0};
    }
    to = insideSky(projection, to);
    Vec3 held, target;
    Camera moved = *this;
    if (!directionFromPlane(projection, flip, from, held) ||
        !directionFromPlane(projection, flip, to, target))
        return moved;
    moved.orientation = shown(*this, target, orientation * held, keepNorthUp);
    return moved;
}

Camera Camera::zoomed(int width, int height, double column, double row, double factor) const {
    Camera moved = *this;
    moved.zoom = std::clamp(zoom * factor, kMinZoom, kMaxZoom);
    Vec3 held, target;
    if (directionFromPlane(projection, flip, planeAt(*this, width, height, column, row), held) &&
        directionFromPlane(projection, flip, planeAt(moved, width, height, column, row), target))
        moved.orientation = shown(*this, target, orientation * held, true);
    return moved;
}

Camera Camera::centeredOn(LonLat position) const {
    Camera moved = *this;
    moved.orientation = skyFromViewRotation(position, rotation());
    return moved;
}

Camera Camera::turned(double angle) const {
    Camera moved = *this;
    moved.orientation = skyFromViewRotation(center(), rotation() + angle);
    return moved;
}

Camera Camera::inFrame(Frame other) const {
    Camera moved = *this;
    moved.frame = other;
    if (other == frame) return moved;
    const Vec3 middle = frameRotation(other, frame) * (orientation * Vec3{1.0, 0.0, 0.0});
    moved.orientation = skyFromViewRotation(lonLat(middle), rotation());
    return moved;
}

}  // namespace armilla
