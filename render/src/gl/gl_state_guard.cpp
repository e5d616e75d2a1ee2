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

ComputeStateGuard::ComputeStateGuard() {
    glGetIntegeri_v(GL_IMAGE_BINDING_NAME, 0, &imageTexture_);
    glGetIntegeri_v(GL_IMAGE_BINDING_LEVEL, 0, &level_);
    glGetIntegeri_v(GL_IMAGE_BINDING_LAYERED, 0, &layered_);
    glGetIntegeri_v(GL_IMAGE_BINDING_LAYER, 0, &layer_);
    glGetIntegeri_v(GL_IMAGE_BINDING_ACCESS, 0, &access_);
    glGetIntegeri_v(GL_IMAGE_BINDING_FORMAT, 0, &format_);
    glGetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &storageBuffer_);
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 0, &firstBuffer_);
    glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START, 0, &firstStart_);
    glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE, 0, &firstSize_);
}

ComputeStateGuard::~ComputeStateGuard() {
    glBindImageTexture(0, static_cast<GLuint>(imageTexture_), level_,
                       static_cast<GLboolean>(layered_), layer_, static_cast<GLenum>(access_),
                       static_cast<GLenum>(format_));
    // A size of 0 means that the whole buffer was bound.
    if (firstSize_ > 0)
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLuint>(firstBuffer_),
                          firstStart_, firstSize_);
    else
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLuint>(firstBuffer_));
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(storageBuffer_));
}

}  // namespace armilla::gl
