// SPDX-License-Identifier: GPL-3.0-or-later
// Where the sky is looked at from, and how closely. A value; every movement gives a new one.
#pragma once

#include "core/view_geometry.h"

namespace armilla {

// `orientation` turns view directions into directions of `frame` (the frame the view is shown in,
// which may differ from the map's own). zoom = 1 shows the whole sky (or hemisphere) in the window.
//
// One model for all projections: the sphere turns, the picture plane does not move. Dragging and
// zooming both keep a direction under the hand by turning the sphere, so a close view always lies
// at the middle of the projection, where none of them distorts, and what is drawn there does not
// depend on the projection. `offset` stays what the caller set (0 unless a part of a larger picture
// is drawn) and is honored by every function.
struct Camera {
    Projection projection = Projection::Mollweide;
    Frame frame = Frame::Galactic;
    Mat3 orientation;
    double zoom = 1.0;
    PlanePoint offset;  // plane point at the middle of the window
    bool flip = false;

    // The geometry for a window of this many (device) pixels over a map in `mapFrame`. Throws
    // InvalidArgument if just one of the two frames is unknown.
    ViewGeometry geometry(int width, int height, Frame mapFrame) const;
    // At the middle of the projection. The whole sky of zoom 1 touches the window's nearer border.
    double radiansPerPixel(int width, int height) const;
    // The zoom that gives this many radians per pixel in such a window; not limited.
    double zoomFor(int width, int height, double radiansPerPixel) const;
    LonLat center() const;    // of the projection, in `frame`
    double rotation() const;  // of the up direction from north towards east, radians, (-pi, pi]

    // Drag: the sphere turns so that the direction under (fromColumn, fromRow) comes to lie under
    // (toColumn, toRow). With `keepNorthUp` the rotation stays what it is wherever that is
    // possible; where it is not (a point cannot be drawn farther from the middle than the pole is),
    // and without `keepNorthUp`, the sphere takes the shortest way. A hand that leaves the sky
    // holds the point of the border next to it; one that starts off the sky turns the sphere as if
    // it had started in the middle.
    Camera dragged(int width, int height, double fromColumn, double fromRow, double toColumn,
                   double toRow, bool keepNorthUp = true) const;
    // Zoom about a window position, which keeps the direction that lies under it. A position off
    // the sky, before or after, zooms about the middle.
    Camera zoomed(int width, int height, double column, double row, double factor) const;
    Camera centeredOn(LonLat position) const;  // in `frame`; the rotation is kept
    Camera turned(double angle) const;         // about the line of sight: adds to `rotation`
    // The same center, named in the other frame and with that frame's north where this one's was.
    // Throws InvalidArgument if just one of the frames is unknown.
    Camera inFrame(Frame other) const;
    static constexpr double kMinZoom = 0.25;
    static constexpr double kMaxZoom = 1e6;
};

}  // namespace armilla
