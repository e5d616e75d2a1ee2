// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layer_looks.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "armilla/plot/plot_style.h"
#include "armilla/ui/theme.h"

namespace armilla {
namespace {

constexpr double kHidden = 0.45;  // opacity of the mark of a hidden layer

// The row paints the mark of a map, which shows the picture it is in.
void paintNothing(QPainter&, const QRectF&, const Layer&, const Theme&) {}

void paintMarker(QPainter& painter, const QRectF& place, const Layer& layer, const Theme& theme) {
    MarkerStyle style = layer.style.marker;
    // markers as small as on the sky cannot be clicked
    style.size = std::clamp(style.size, 5.0, 9.0);
    if (!layer.style.visible) {
        const QColor faint = theme.textFaint;
        style.color = {static_cast<uint8_t>(faint.red()), static_cast<uint8_t>(faint.green()),
                       static_cast<uint8_t>(faint.blue()), 255};
    }
    const double ratio = painter.device()->devicePixelRatioF();
    const int side = static_cast<int>(std::ceil(place.width())) + 4;
    const QImage image = markerImage(style, side, ratio);
    painter.drawImage(place.center() - QPointF(0.5 * side, 0.5 * side), image);
}

void paintFrame(QPainter& painter, const QRectF& place, const Layer& layer, const Theme& theme) {
    painter.setPen(QPen(layer.style.visible ? theme.third : theme.textFaint, 1.4));
    painter.setBrush(Qt::NoBrush);
    const QRectF frame = place.adjusted(1.0, 2.0, -1.0, -2.0);
    painter.drawRect(frame);
    if (!layer.style.visible) return;
    painter.fillRect(frame.adjusted(2.2, 2.2, -2.2, -2.2), theme.third);
}

void paintWave(QPainter& painter, const QRectF& place, const Layer& layer, const Theme& theme) {
    QPainterPath path;
    const double width = place.width() - 1.0;
    for (int i = 0; i <= 12; ++i) {
        const double t = i / 12.0;
        const QPointF at(place.left() + 0.5 + t * width,
                         place.center().y() - 0.36 * place.height() * std::sin(kTwoPi * t));
        if (i == 0)
            path.moveTo(at);
        else
            path.lineTo(at);
    }
    // The color of the plot, because marker colors are designed for the sky.
    QColor color =
        layer.style.visible ? legible(toColor(layer.style.marker), theme.panel) : theme.textFaint;
    if (!layer.style.visible) color.setAlphaF(static_cast<float>(kHidden));
    painter.strokePath(path, QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

// In the order of LayerKind.
const LayerLooks kLooks[] = {{LayerKind::Map, paintNothing, false, false, true, false},
                             {LayerKind::Catalog, paintMarker, true, true, false, true},
                             {LayerKind::Image, paintFrame, false, true, true, true},
                             {LayerKind::Curve, paintWave, false, false, false, true}};

}  // namespace

const LayerLooks& looksOf(LayerKind kind) {
    return kLooks[static_cast<size_t>(kind)];
}

QColor toColor(const MarkerStyle& style) {
    return {style.color.r, style.color.g, style.color.b};
}

QImage markerImage(const MarkerStyle& style, int side, double pixelRatio) {
    const int pixels = static_cast<int>(std::lround(side * pixelRatio));
    QImage image(pixels, pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const MarkerStamp stamp = markerStamp(style, pixelRatio);
    const int offset = (pixels - stamp.side) / 2;
    for (int y = 0; y < stamp.side; ++y)
        for (int x = 0; x < stamp.side; ++x) {
            if (x + offset < 0 || y + offset < 0 || x + offset >= pixels || y + offset >= pixels)
                continue;
            const float fill = stamp.fill[static_cast<size_t>(y * stamp.side + x)];
            QColor color = toColor(style);
            color.setAlphaF(fill);
            image.setPixelColor(x + offset, y + offset, color);
        }
    image.setDevicePixelRatio(pixelRatio);
    return image;
}

}  // namespace armilla
