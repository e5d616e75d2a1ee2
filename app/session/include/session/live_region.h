// SPDX-License-Identifier: GPL-3.0-or-later
// The live result where a close view looks, before there is one of all the sky.
#pragma once

#include <memory>

#include "core/sky_vector.h"
#include "render/image_mesh.h"
#include "session/shown.h"

namespace armilla {

// The disc of the sky that a close view shows.
struct LookedAt {
    Vec3 center{0.0, 0.0, 1.0};
    double radius = 0.0;
    Frame frame = Frame::Unknown;
};

// The true live result of `of` there, in the colors of what it lies over; no mesh: none.
struct LiveRegion {
    Shown of;
    std::shared_ptr<const ImageMesh> mesh;
    double milliseconds = 0.0;  // since it was begun
};

}  // namespace armilla
