// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/overlay_layer.h"

#include <QMatrix4x4>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLPixelTransferOptions>

namespace armilla {
namespace {

constexpr int kMostParts = 64;

}  // namespace

void OverlayLayer::draw(const QImage& image, const QRegion& renewed, QSize size) {
    if (image.isNull()) return;
    QRegion parts = renewed;
    if (!texture_ || texture_->width() != image.width() || texture_->height() != image.height()) {
        texture_ = std::make_unique<QOpenGLTexture>(QOpenGLTexture::Target2D);
        texture_->setFormat(QOpenGLTexture::RGBA8_UNorm);
        texture_->setSize(image.width(), image.height());
        texture_->setMinMagFilters(QOpenGLTexture::Nearest, QOpenGLTexture::Nearest);
        texture_->setWrapMode(QOpenGLTexture::ClampToEdge);
        texture_->allocateStorage(QOpenGLTexture::BGRA, QOpenGLTexture::UInt32_RGBA8_Rev);
        parts = image.rect();
    }
    // Each part has a fixed cost, whatever its size.
    if (parts.rectCount() > kMostParts) parts = parts.boundingRect();
    for (const QRect& part : parts) {
        QOpenGLPixelTransferOptions rows;
        rows.setRowLength(image.width());
        // Pixels are 32-bit words with blue in the lowest byte.
        texture_->setData(part.x(), part.y(), 0, part.width(), part.height(), 1,
                          QOpenGLTexture::BGRA, QOpenGLTexture::UInt32_RGBA8_Rev,
                          image.constScanLine(part.y()) + 4 * part.x(), &rows);
    }
    if (!blitter_.isCreated()) blitter_.create();
    QOpenGLFunctions* gl = QOpenGLContext::currentContext()->functions();
    gl->glViewport(0, 0, size.width(), size.height());
    gl->glEnable(GL_BLEND);
    gl->glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    blitter_.bind();
    const QRect whole({}, image.size());
    blitter_.blit(texture_->textureId(),
                  QOpenGLTextureBlitter::targetTransform(whole, QRect({}, size)),
                  QOpenGLTextureBlitter::OriginTopLeft);
    blitter_.release();
    gl->glDisable(GL_BLEND);
}

void OverlayLayer::release() {
    texture_.reset();
    if (blitter_.isCreated()) blitter_.destroy();
}

}  // namespace armilla
