// SPDX-License-Identifier: GPL-3.0-or-later
// A texture that serves as a render target; kept from frame to frame, reallocated when its size
// changes.
#pragma once

#include "gl/gl_handles.h"

namespace armilla {

class OffscreenTarget {
public:
    explicit OffscreenTarget(GLenum internalFormat) : format_(internalFormat) {}
    // Allocates this size and binds the target for drawing and reading. Throws OutOfMemory or
    // DeviceError.
    void bind(int width, int height);
    // Allocates this size without binding, for pictures that are written by other methods.
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
