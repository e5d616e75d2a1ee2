// SPDX-License-Identifier: GPL-3.0-or-later
// A map's faces as a texture: one layer per face, one mip level per level of the pyramid.
#pragma once

#include "armilla/draw/map_pyramid.h"
#include "gl/gl_handles.h"
#include "upload/upload_pieces.h"

namespace armilla {

class MapTexture {
public:
    // Allocates all levels, 64 nside^2 bytes, without values. Throws OutOfMemory if memory is
    // short, DeviceError for other failures.
    explicit MapTexture(const MapPyramid& pyramid);
    // Allocates a texture for values from another source; counts as complete.
    explicit MapTexture(int64_t nside);
    // Copies values of the pyramid given to the constructor, the coarsest first, until `seconds`
    // have passed; true when complete. Throws as the constructor does.
    bool advance(const MapPyramid& pyramid, double seconds);

    GLuint name() const { return texture_.name(); }
    // nside of the part copied so far, which is drawn like a complete texture.
    int64_t nside() const { return nside_ >> pieces_.finest(); }
    int levels() const { return levels_ - pieces_.finest(); }

    // Largest nside, a power of two, that the context declares possible; 0 for contexts without
    // arrays of twelve layers.
    static int64_t largestNside();

private:
    void growBuffer();

    gl::Texture texture_;
    int64_t nside_ = 0;
    int levels_ = 0;
    UploadPieces pieces_;
};

}  // namespace armilla
