// SPDX-License-Identifier: GPL-3.0-or-later
// A map's faces as a texture: a layer for each face, a mip level for each level of the pyramid.
#pragma once

#include "gl/gl_handles.h"
#include "render/map_pyramid.h"

namespace armilla {

class MapTexture {
public:
    // Throws OutOfMemory if the faces do not fit, DeviceError for other failures. Copies all values
    // to the card: 64 nside^2 bytes.
    explicit MapTexture(const MapPyramid& pyramid);

    GLuint name() const { return texture_.name(); }
    int64_t nside() const { return nside_; }
    int levels() const { return levels_; }

    // Largest nside, a power of two, that the context says it can hold; 0 if it has no arrays of
    // twelve layers.
    static int64_t largestNside();

private:
    gl::Texture texture_;
    int64_t nside_ = 0;
    int levels_ = 0;
};

}  // namespace armilla
