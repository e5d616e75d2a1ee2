// SPDX-License-Identifier: GPL-3.0-or-later
// Data with which the shader finds pixels relative to the middle of the projection; see
// resources/shaders/pixel_geometry.glsl.
#pragma once

#include <cstdint>

#include "armilla/core/sky_vector.h"
#include "gl/gl_program.h"

namespace armilla {

// A number >= 0 as integer and fractional parts, because a single float would lose the fraction.
struct SplitNumber {
    int whole = 0;
    float part = 0.0F;
    explicit SplitNumber(double value = 0.0);
};

struct PixelAnchor {
    float azimuth[2] = {1.0F, 0.0F};
    float base[2] = {0.0F, 0.0F};
    float z = 0.0F, share = 0.0F, ringDistance = 0.0F;
    int quarter = 0;
    float nside = 1.0F;
    SplitNumber rings, west, ascending, descending;

    // `direction`: unit vector to the middle of the projection, in the map's frame.
    PixelAnchor(int64_t nside, Vec3 direction);
    void set(gl::Program& program) const;
};

}  // namespace armilla
