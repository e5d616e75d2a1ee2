// SPDX-License-Identifier: GPL-3.0-or-later
// Preview of a tool over the maps, before a result exists; not part of the document.
#pragma once

#include <QString>
#include <memory>
#include <utility>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/image_mesh.h"
#include "armilla/session/shown.h"

namespace armilla {

// The border of the expected result, and optionally its picture.
struct SkyPreview {
    std::shared_ptr<const ImageMesh> mesh;  // expected result; null: not known yet
    ColorScale colors;
    QString name, unit;  // for the color bar
    // The border of what is to be made, closed; unit vectors in `frame`.
    Frame frame = Frame::Unknown;
    std::vector<Vec3> border;
};

// Contour lines of equal levels of the shown field.
struct SkyContours {
    Shown shown;
    Frame frame = Frame::Unknown;                           // frame of the end points
    std::vector<std::vector<std::pair<Vec3, Vec3>>> lines;  // innermost first
};

}  // namespace armilla
