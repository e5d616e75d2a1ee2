// SPDX-License-Identifier: GPL-3.0-or-later
// An image over a picture of OpenGL.
#pragma once

#include <QImage>
#include <QOpenGLTexture>
#include <QOpenGLTextureBlitter>
#include <QRegion>
#include <QSize>
#include <memory>

namespace armilla {

// All with one context current.
class GlassLayer {
public:
    // Over all of the bound framebuffer of `size`. Of the image, `renewed` goes to the card; all of
    // it where its size is new.
    void draw(const QImage& image, const QRegion& renewed, QSize size);
    void release();

private:
    std::unique_ptr<QOpenGLTexture> texture_;
    QOpenGLTextureBlitter blitter_;
};

}  // namespace armilla
