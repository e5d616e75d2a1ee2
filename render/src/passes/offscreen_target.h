// SPDX-License-Identifier: GPL-3.0-or-later
// A picture in a texture that can be drawn into; kept from frame to frame, remade when its size
// changes.
#pragma once

#include "gl/gl_handles.h"

namespace armilla {

class OffscreenTarget {
public:
    explicit OffscreenTarget(GLenum internalFormat) : format_(internalFormat) {}
    // Makes it this large and binds it for drawing and reading. Throws OutOfMemory or DeviceError.
    void bind(int width, int height);
    // The same without binding it: for pictures that come from elsewhere.
    void resize(int width, int height);
    GLuint texture() const { return texture_.name(); }
    int width() const { return width_; }
    int height() const { return height_; }

private:
    GLenum format_;
    gl::Texture texture_;
    gl::Framebuffer framebuffer_;
    int width_ = 0, height_ = 0;
};

}  // namespace armilla
