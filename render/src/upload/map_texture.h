// SPDX-License-Identifier: GPL-3.0-or-later
// A map's faces as a texture: a layer for each face, a mip level for each level of the pyramid.
#pragma once

#include "gl/gl_handles.h"
#include "render/map_pyramid.h"
#include "upload/upload_pieces.h"

namespace armilla {

class MapTexture {
public:
    // Room for all levels, 64 nside^2 bytes, without values. Throws OutOfMemory if they do not fit,
    // DeviceError for other failures.
    explicit MapTexture(const MapPyramid& pyramid);
    // The same for values that come from elsewhere: all there as far as this class knows.
    explicit MapTexture(int64_t nside);
    // Copies values of the pyramid that this was made for, the coarsest first, until `seconds` have
    // passed; true once all are there. Throws as the constructor does.
    bool advance(const MapPyramid& pyramid, double seconds);

    GLuint name() const { return texture_.name(); }
    // Of what is there so far: drawn from as if it were the whole.
    int64_t nside() const { return nside_ >> pieces_.finest(); }
    int levels() const { return levels_ - pieces_.finest(); }

    // Largest nside, a power of two, that the context says it can hold; 0 if it has no arrays of
    // twelve layers.
    static int64_t largestNside();

private:
    void makeRoom();

    gl::Texture texture_;
    int64_t nside_ = 0;
    int levels_ = 0;
    UploadPieces pieces_;
};

}  // namespace armilla
