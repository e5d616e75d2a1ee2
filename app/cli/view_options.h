// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `project` and `render` that say from where the sky is seen.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/run.h"
#include "core/view_geometry.h"

namespace armilla::cli {

struct ViewOptions {
    Projection projection = Projection::Mollweide;
    std::optional<LonLat> center;
    std::optional<double> rotation, resolution;
    std::optional<Frame> frame;
    std::optional<int> width, height;
    bool flip = false;
};
void addViewOptions(CLI::App& app, ViewOptions& options);

// The view and the frame that its sky is named in.
struct SkyView {
    ViewGeometry geometry;  // of the picture, over the sky in `frame`
    ViewGeometry overMap;   // the same over the sky in the frame of the map
    Frame frame = Frame::Unknown;
};
// The view of `width` x `height` pixels. Without --resolution the whole sky (or hemisphere, or 45
// degrees around the center of a gnomonic view) fits in. A map that does not name its frame is
// taken to be in the frame that --frame names, and a note says so.
SkyView viewOf(Run& run, const ViewOptions& options, Frame mapFrame, int width, int height);

}  // namespace armilla::cli
