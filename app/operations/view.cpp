// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/view.h"

#include <algorithm>

#include "armilla/core/error.h"

namespace armilla {

namespace {
// 32768 x 32768 pixels take 4 GiB in single precision; a larger size is a typing error.
constexpr double kMostPixelsAcross = 32768.0;
}  // namespace

void describe(Description& d, ViewOptions& p) {
    d.choice("projection", p.projection, kProjectionChoices, {}, "projection of the sky");
    d.position("center", p.center, {.standard = "0deg,0deg"},
               "center of the view, in --frame; equatorial also in hours: 12h30m,-20d15m");
    d.angle(
        "rotate", p.rotation,
        {.unit = "deg", .least = -kTwoPi, .most = kTwoPi, .sliderLeast = -kPi, .sliderMost = kPi},
        "rotation of the view, counterclockwise from north up");
    d.frame("frame", p.frame, {.standard = "frame of the map"},
            "frame of --center and of the picture");
    d.size("size", p.size, {.least = 1.0, .most = kMostPixelsAcross},
           "size of the picture in pixels");
    d.angle("resolution", p.resolution,
            {.unit = "arcmin",
             .least = 0.0,
             .most = kPi,
             .aboveLeast = true,
             .standard = "such that the full sky fits"},
            "angle per image pixel at the center");
    d.flag("flip", p.flip, {}, "show east to the right, as on a map of the Earth");
}

PixelSize sizeOf(const ViewOptions& options, PixelSize wide, PixelSize other) {
    if (options.size) return *options.size;
    return factsOf(options.projection).shape == ProjectionShape::Wide ? wide : other;
}

SkyView viewOf(const ViewOptions& options, Frame mapFrame, PixelSize size) {
    SkyView view;
    view.frame = options.frame.value_or(mapFrame);
    if (mapFrame == Frame::Unknown && options.frame)
        throw InvalidArgument(
            "expected a file that names its frame, to show it in another, found none; state it "
            "with --input-frame G|E|C");
    const LonLat center = options.center ? options.center->in(view.frame) : LonLat{};
    ViewGeometry& geometry = view.geometry;
    geometry.projection = options.projection;
    geometry.flip = options.flip;
    geometry.width = static_cast<int>(size.width);
    geometry.height = static_cast<int>(size.height);
    const PlanePoint extent = planeExtent(options.projection);
    geometry.radiansPerPixel = options.resolution.value_or(
        std::max(2.0 * extent.x / geometry.width, 2.0 * extent.y / geometry.height));
    geometry.skyFromView = skyFromViewRotation(center, options.rotation.value_or(0.0));
    view.overMap = geometry;
    view.overMap.skyFromView = frameRotation(mapFrame, view.frame) * geometry.skyFromView;
    return view;
}

}  // namespace armilla
