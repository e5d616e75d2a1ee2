// SPDX-License-Identifier: GPL-3.0-or-later
// The live result in the viewed part of the sky, computed before the whole-sky result.
#pragma once

#include <memory>

#include "armilla/core/sky_vector.h"
#include "armilla/draw/image_mesh.h"
#include "armilla/session/shown.h"

namespace armilla {

// The disc of the sky that a close view shows.
struct LookedAt {
    Vec3 center{0.0, 0.0, 1.0};
    double radius = 0.0;
    Frame frame = Frame::Unknown;
};

// The exact live result of `of` in a region, with the colors of the map it covers. No result
// if `mesh` is null.
struct LiveRegion {
    Shown of;
    std::shared_ptr<const ImageMesh> mesh;
    double milliseconds = 0.0;  // since the computation began
};

}  // namespace armilla
