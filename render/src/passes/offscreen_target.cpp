// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/offscreen_target.h"

#include <string>

#include "armilla/core/error.h"
#include "gl/gl_check.h"

namespace armilla {

namespace {

// The client's side of an internal format; no data is passed, but the format must match.
struct ClientFormat {
    GLenum format, type;
};
ClientFormat clientFormat(GLenum internalFormat) {
    switch (internalFormat) {
        case GL_RGBA32I: return {GL_RGBA_INTEGER, GL_INT};
        case GL_R32F: return {GL_RED, GL_FLOAT};
        case GL_RGBA32F: return {GL_RGBA, GL_FLOAT};
        default: return {GL_RGBA, GL_UNSIGNED_BYTE};
    }
}

}  // namespace

void OffscreenTarget::resize(int width, int height) {
    if (texture_ && width == width_ && height == height_) return;
    const std::string what =
        "a picture of " + std::to_string(width) + "x" + std::to_string(height) + " pixels";
    framebuffer_.reset();
    texture_ = gl::Texture::make();
    width_ = height_ = 0;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    const ClientFormat client = clientFormat(format_);
    const GLint filter = format_ == GL_RGBA8 ? GL_LINEAR : GL_NEAREST;
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format_), width, height, 0, client.format,
                 client.type, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl::check(what);
    width_ = width;
    height_ = height;
}

void OffscreenTarget::bind(int width, int height) {
    resize(width, height);
    if (!framebuffer_) {
        framebuffer_ = gl::Framebuffer::make();
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.name(),
                               0);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
            throw DeviceError("OpenGL: expected a framebuffer of " + std::to_string(width) + "x" +
                              std::to_string(height) + " pixels, found an incomplete framebuffer");
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
}

}  // namespace armilla
