// SPDX-License-Identifier: GPL-3.0-or-later
// An offscreen OpenGL context for tests and benchmarks, with a framebuffer.
#pragma once

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>
#include <memory>
#include <vector>

#include "armilla/draw/color_scale.h"

namespace armilla::test {

class GlFixture {
public:
    // OpenGL 3.3 core; `valid()` is true if this machine supports it.
    GlFixture() {
        QSurfaceFormat format;
        format.setRenderableType(QSurfaceFormat::OpenGL);
        format.setVersion(3, 3);
        format.setProfile(QSurfaceFormat::CoreProfile);
        context_.setFormat(format);
        if (!context_.create()) return;
        surface_.setFormat(context_.format());
        surface_.create();
        valid_ = surface_.isValid() && context_.makeCurrent(&surface_) &&
                 context_.format().version() >= std::make_pair(3, 3);
    }
    bool valid() const { return valid_; }
    void makeCurrent() { context_.makeCurrent(&surface_); }

    // Binds a fresh framebuffer of this size, cleared to `color`.
    void bindFramebuffer(int width, int height, Rgba color = {0, 0, 0, 255}) {
        framebuffer_ = std::make_unique<QOpenGLFramebufferObject>(width, height);
        framebuffer_->bind();
        QOpenGLFunctions* gl = context_.functions();
        gl->glViewport(0, 0, width, height);
        gl->glClearColor(color.r / 255.0F, color.g / 255.0F, color.b / 255.0F, color.a / 255.0F);
        gl->glClear(GL_COLOR_BUFFER_BIT);
    }
    // The drawn pixels, top row first.
    std::vector<Rgba> picture() {
        const int width = framebuffer_->width(), height = framebuffer_->height();
        std::vector<Rgba> lowestFirst(static_cast<size_t>(width) * static_cast<size_t>(height));
        framebuffer_->bind();
        context_.functions()->glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                                           lowestFirst.data());
        std::vector<Rgba> result;
        result.reserve(lowestFirst.size());
        for (int row = height - 1; row >= 0; --row)
            result.insert(result.end(), lowestFirst.begin() + row * width,
                          lowestFirst.begin() + (row + 1) * width);
        return result;
    }
    QOpenGLFramebufferObject* framebuffer() { return framebuffer_.get(); }
    void finish() { context_.functions()->glFinish(); }
    QOpenGLFunctions* functions() { return context_.functions(); }
    QOpenGLExtraFunctions* extraFunctions() { return context_.extraFunctions(); }

private:
    QOffscreenSurface surface_;
    QOpenGLContext context_;
    std::unique_ptr<QOpenGLFramebufferObject> framebuffer_;
    bool valid_ = false;
};

}  // namespace armilla::test
