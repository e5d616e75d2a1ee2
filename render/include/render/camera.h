// SPDX-License-Identifier: GPL-3.0-or-later
// Where the sky is looked at from, and how closely. A value; every movement gives a new one.
#pragma once

#include "core/view_geometry.h"

namespace armilla {

// `orientation` turns view directions into directions of `frame` (the frame the view is shown in,
// which may differ from the map's own). zoom = 1 shows the whole sky (or hemisphere) in the window.
struct Camera {
    Projection projection = Projection::Mollweide;
    Frame frame = Frame::Galactic;
    Mat3 orientation;
    double zoom = 1.0;
    PlanePoint offset;  // plane point at the middle of the window
    bool flip = false;

    // The geometry for a window of this many (device) pixels over a map in `mapFrame`.
    ViewGeometry geometry(int width, int height, Frame mapFrame) const;
    double radiansPerPixel(int width, int height) const;
    LonLat center() const;  // of the projection, in `frame`

    // Drag: the sphere turns so that the direction under (fromColumn, fromRow) comes to lie under
    // (toColumn, toRow), north kept up as far as possible (`keepNorthUp`).
    Camera dragged(int width, int height, double fromColumn, double fromRow, double toColumn,
                   double toRow, bool keepNorthUp = true) const;
    // Zoom about a window position, which keeps the direction that lies under it.
    Camera zoomed(int width, int height, double column, double row, double factor) const;
    Camera centeredOn(LonLat position) const;  // in `frame`
    Camera turned(double angle) const;         // about the line of sight
    Camera inFrame(Frame other) const;         // the same sky, named and turned in other frame
    static constexpr double kMinZoom = 0.25;
    static constexpr double kMaxZoom = 1e6;
};

}  // namespace armilla
