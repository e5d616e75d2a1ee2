// SPDX-License-Identifier: GPL-3.0-or-later
#include "gl/gl_state_guard.h"

namespace armilla::gl {

StateGuard::StateGuard() {
    for (size_t i = 0; i < kSwitches.size(); ++i) {
        switches_[i] = glIsEnabled(kSwitches[i]);
        glDisable(kSwitches[i]);
    }
    for (size_t i = 0; i < kPixelStores.size(); ++i) {
        glGetIntegerv(kPixelStores[i], &pixelStores_[i]);
        const bool alignment =
            kPixelStores[i] == GL_UNPACK_ALIGNMENT || kPixelStores[i] == GL_PACK_ALIGNMENT;
        glPixelStorei(kPixelStores[i], alignment ? 4 : 0);
    }
    glGetIntegerv(GL_CURRENT_PROGRAM, &program_);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertexArray_);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawFramebuffer_);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &readFramebuffer_);
    glGetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &unpackBuffer_);
    glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &packBuffer_);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &arrayBuffer_);
    glGetIntegerv(GL_VIEWPORT, viewport_.data());
    glGetIntegerv(GL_SCISSOR_BOX, scissor_.data());
    glGetIntegerv(GL_BLEND_SRC_RGB, &blendFunction_[0]);
    glGetIntegerv(GL_BLEND_DST_RGB, &blendFunction_[1]);
    glGetIntegerv(GL_BLEND_SRC_ALPHA, &blendFunction_[2]);
    glGetIntegerv(GL_BLEND_DST_ALPHA, &blendFunction_[3]);
    glGetIntegerv(GL_BLEND_EQUATION_RGB, &blendEquation_[0]);
    glGetIntegerv(GL_BLEND_EQUATION_ALPHA, &blendEquation_[1]);
    glGetBooleanv(GL_COLOR_WRITEMASK, colorMask_.data());
    glGetIntegerv(GL_ACTIVE_TEXTURE, &activeUnit_);
    for (int i = 0; i < kTextureUnits; ++i) {
        Unit& unit = units_[static_cast<size_t>(i)];
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &unit.texture2d);
        glGetIntegerv(GL_TEXTURE_BINDING_2D_ARRAY, &unit.textureArray);
        glGetIntegerv(GL_SAMPLER_BINDING, &unit.sampler);
        glBindSampler(static_cast<GLuint>(i), 0);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

StateGuard::~StateGuard() {
    for (int i = 0; i < kTextureUnits; ++i) {
        const Unit& unit = units_[static_cast<size_t>(i)];
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
        glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(unit.texture2d));
        glBindTexture(GL_TEXTURE_2D_ARRAY, static_cast<GLuint>(unit.textureArray));
        glBindSampler(static_cast<GLuint>(i), static_cast<GLuint>(unit.sampler));
    }
    glActiveTexture(static_cast<GLenum>(activeUnit_));
    glColorMask(colorMask_[0], colorMask_[1], colorMask_[2], colorMask_[3]);
    glBlendEquationSeparate(static_cast<GLenum>(blendEquation_[0]),
                            static_cast<GLenum>(blendEquation_[1]));
    glBlendFuncSeparate(
        static_cast<GLenum>(blendFunction_[0]), static_cast<GLenum>(blendFunction_[1]),
        static_cast<GLenum>(blendFunction_[2]), static_cast<GLenum>(blendFunction_[3]));
    glScissor(scissor_[0], scissor_[1], scissor_[2], scissor_[3]);
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, static_cast<GLuint>(unpackBuffer_));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, static_cast<GLuint>(packBuffer_));
    glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(arrayBuffer_));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(drawFramebuffer_));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(readFramebuffer_));
    glBindVertexArray(static_cast<GLuint>(vertexArray_));
    glUseProgram(static_cast<GLuint>(program_));
    for (size_t i = 0; i < kPixelStores.size(); ++i)
        glPixelStorei(kPixelStores[i], pixelStores_[i]);
    for (size_t i = 0; i < kSwitches.size(); ++i)
        if (switches_[i] == GL_TRUE)
            glEnable(kSwitches[i]);
        else
            glDisable(kSwitches[i]);
}

}  // namespace armilla::gl
