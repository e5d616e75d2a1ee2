// SPDX-License-Identifier: GPL-3.0-or-later
// Draws an image over a picture with OpenGL.
#pragma once

#include <QImage>
#include <QOpenGLTexture>
#include <QOpenGLTextureBlitter>
#include <QRegion>
#include <QSize>
#include <memory>

namespace armilla {

// Draws the overlay image. All functions need the same current context.
class OverlayLayer {
public:
    // Draws the image over the whole bound framebuffer of `size`. Only `renewed` is uploaded; the
    // whole image if its size is new.
    void draw(const QImage& image, const QRegion& renewed, QSize size);
    void release();

private:
    std::unique_ptr<QOpenGLTexture> texture_;
    QOpenGLTextureBlitter blitter_;
};

}  // namespace armilla
