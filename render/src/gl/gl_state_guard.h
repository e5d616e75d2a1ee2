// SPDX-License-Identifier: GPL-3.0-or-later
// Restores the OpenGL state that drawing changes, for other code that draws in the same context
// (Qt's painter).
#pragma once

#include <epoxy/gl.h>

#include <array>

namespace armilla::gl {

class StateGuard {
public:
    // Saves the state, then disables everything that could disturb a full-screen pass.
    StateGuard();
    ~StateGuard();
    StateGuard(const StateGuard&) = delete;
    StateGuard& operator=(const StateGuard&) = delete;

    // The framebuffer bound for drawing at construction.
    GLuint drawFramebuffer() const { return static_cast<GLuint>(drawFramebuffer_); }
    static constexpr int kTextureUnits = 4;  // texture units that passes use

private:
    struct Unit {
        GLint texture2d = 0, textureArray = 0, sampler = 0;
    };
    static constexpr std::array<GLenum, 10> kSwitches = {
        GL_BLEND,        GL_DEPTH_TEST,         GL_STENCIL_TEST,     GL_CULL_FACE,
        GL_SCISSOR_TEST, GL_RASTERIZER_DISCARD, GL_FRAMEBUFFER_SRGB, GL_COLOR_LOGIC_OP,
        GL_DITHER,       GL_PROGRAM_POINT_SIZE};
    static constexpr std::array<GLenum, 6> kPixelStores = {
        GL_UNPACK_ALIGNMENT,   GL_UNPACK_ROW_LENGTH,   GL_UNPACK_SKIP_ROWS,
        GL_UNPACK_SKIP_PIXELS, GL_UNPACK_IMAGE_HEIGHT, GL_PACK_ALIGNMENT};

    std::array<GLboolean, kSwitches.size()> switches_{};
    std::array<GLint, kPixelStores.size()> pixelStores_{};
    std::array<Unit, kTextureUnits> units_{};
    GLint program_ = 0, vertexArray_ = 0, activeUnit_ = 0, drawFramebuffer_ = 0,
          readFramebuffer_ = 0;
    GLint unpackBuffer_ = 0, packBuffer_ = 0, arrayBuffer_ = 0;
    std::array<GLint, 4> viewport_{}, scissor_{}, blendFunction_{};
    std::array<GLint, 2> blendEquation_{};
    std::array<GLboolean, 4> colorMask_{};
};

}  // namespace armilla::gl
