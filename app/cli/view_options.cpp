// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/view_options.h"

#include <algorithm>

namespace armilla::cli {

namespace {
// 32768 x 32768 is 4 GiB of single precision: more is a slip of the hand.
constexpr int64_t kMostPixelsAcross = 32768;
}  // namespace

void addViewOptions(CLI::App& app, ViewOptions& options) {
    addChoice(app, "--projection", options.projection,
              {{"mollweide", Projection::Mollweide},
               {"gnomonic", Projection::Gnomonic},
               {"orthographic", Projection::Orthographic},
               {"cartesian", Projection::Cartesian},
               {"lambert", Projection::Lambert}},
              "of the sky (mollweide)");
    addPosition(app, "--center", options.center, "middle of the view (0deg,0deg)");
    addAngle(app, "--rotate", options.rotation, AngleRange::Any,
             "turn of the view, counter-clockwise from north up");
    addFrame(app, "--frame", options.frame, "of --center and of the picture (that of the map)");
    app.add_option_function<std::string>(
           "--size",
           [&options](const std::string& text) {
               const size_t cross = text.find('x');
               if (cross == std::string::npos) badValue("--size", "WIDTHxHEIGHT in pixels", text);
               options.width = static_cast<int>(
                   parseInteger("--size", text.substr(0, cross), 1, kMostPixelsAcross));
               options.height = static_cast<int>(
                   parseInteger("--size", text.substr(cross + 1), 1, kMostPixelsAcross));
           },
           "of the picture in pixels")
        ->type_name("WxH");
    addAngle(app, "--resolution", options.resolution, AngleRange::Positive,
             "per image pixel at the center (the whole sky fits in)");
    app.add_flag("--flip", options.flip, "east to the right, as on a map of the Earth");
}

SkyView viewOf(Run& run, const ViewOptions& options, Frame mapFrame, int width, int height) {
    SkyView view;
    view.frame = options.frame.value_or(mapFrame);
    if (mapFrame == Frame::Unknown && options.frame) {
        run.note("the map does not name its frame; taken as " + std::string(frameName(view.frame)));
        mapFrame = view.frame;
    }
    ViewGeometry& geometry = view.geometry;
    geometry.projection = options.projection;
    geometry.flip = options.flip;
    geometry.width = width;
    geometry.height = height;
    const PlanePoint extent = planeExtent(options.projection);
    geometry.radiansPerPixel =
        options.resolution.value_or(std::max(2.0 * extent.x / width, 2.0 * extent.y / height));
    geometry.skyFromView =
        skyFromViewRotation(options.center.value_or(LonLat{}), options.rotation.value_or(0.0));
    view.overMap = geometry;
    view.overMap.skyFromView = frameRotation(mapFrame, view.frame) * geometry.skyFromView;
    return view;
}

}  // namespace armilla::cli
