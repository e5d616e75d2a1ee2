// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that the shader of the sky computes, in place of colors.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/render/sky_renderer.h"

namespace armilla {

// All functions need the context of the renderer, and restore the OpenGL state. Pictures have their
// top row first.
class SkyProbe {
public:
    // Nested pixel index at `nside` (a power of two up to 2^24) under each pixel, -1 off the sky.
    static std::vector<int64_t> indices(SkyRenderer& renderer, int64_t nside,
                                        const ViewGeometry& view);
    // The drawn value of an uploaded map, means included; NaN off the sky or bad.
    static std::vector<float> values(SkyRenderer& renderer, MapHandle map,
                                     const ViewGeometry& view);
    // Makes a renderer refuse maps as a context with a lower limit does.
    static void limitNside(SkyRenderer& renderer, int64_t nside);

private:
    struct Draw;
};

}  // namespace armilla
