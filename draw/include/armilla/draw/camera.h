// SPDX-License-Identifier: GPL-3.0-or-later
// The view of the sky: orientation and zoom. A value; every movement returns a new one.
#pragma once

#include "armilla/core/view_geometry.h"

namespace armilla {

// `orientation` rotates view directions to directions of `frame` (the frame of the view, which may
// differ from the map's own). zoom = 1 shows the whole sky (or hemisphere) in the window.
//
// One model for all projections: the sphere rotates, the picture plane does not move. Dragging and
// zooming rotate the sphere to keep a direction under the cursor. Therefore a close view always
// lies at the middle of the projection, where no projection distorts, and does not depend on the
// projection. `offset` keeps the caller's value (0 unless a part of a larger picture is drawn), and
// every function applies it.
struct Camera {
    Projection projection = Projection::Mollweide;
    Frame frame = Frame::Galactic;
    Mat3 orientation;
    double zoom = 1.0;
    PlanePoint offset;  // plane point at the middle of the window
    bool flip = false;

    // The geometry for a window of width and height in device pixels over a map in `mapFrame`.
    // Throws InvalidArgument if exactly one of the two frames is unknown.
    ViewGeometry geometry(int width, int height, Frame mapFrame) const;
    // Scale at the middle of the projection. At zoom 1 the whole sky touches the window's nearer
    // border.
    double radiansPerPixel(int width, int height) const;
    // The zoom for this many radians per pixel in such a window; not limited.
    double zoomFor(int width, int height, double radiansPerPixel) const;
    LonLat center() const;  // center of the projection, in `frame`
    // angle of the up direction from north towards east, radians, (-pi, pi]
    double rotation() const;

    // Drag: rotates the sphere so that the direction under (fromColumn, fromRow) moves to
    // (toColumn, toRow).
    // - With `keepNorthUp` the rotation angle is kept where possible. It is impossible where a
    //   point would lie farther from the middle than the pole does; then, and without
    //   `keepNorthUp`, the shortest rotation applies.
    // - A cursor that leaves the sky drags the nearest point of the border.
    // - A drag that starts off the sky acts as if it had started in the middle.
    Camera dragged(int width, int height, double fromColumn, double fromRow, double toColumn,
                   double toRow, bool keepNorthUp = true) const;
    // Zoom about a window position, which keeps its direction. If the position is off the sky,
    // before or after, zooms about the middle.
    Camera zoomed(int width, int height, double column, double row, double factor) const;
    Camera centeredOn(LonLat position) const;  // in `frame`; keeps the rotation
    Camera turned(double angle) const;         // about the line of sight; adds to `rotation`
    // The same center in another frame, with that frame's north in place of this one's. Throws
    // InvalidArgument if exactly one of the frames is unknown.
    Camera inFrame(Frame other) const;
    static constexpr double kMinZoom = 0.25;
    static constexpr double kMaxZoom = 1e6;
};

}  // namespace armilla
