// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/halo_text.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <QPixmapCache>
#include <cmath>
#include <utility>

#include "armilla/figure/centered_text.h"
#include "armilla/figure/unit_text.h"

namespace armilla {

namespace {

// Margin of the glow around its text.
double marginOf(const QFontMetricsF& metrics) {
    return std::ceil(0.5 * metrics.height());
}

// The glow of a text, cached because its strokes take a hundred times as long as the text. The
// point (`margin`, `margin` + font ascent) is the left end of the baseline.
QPixmap glowOf(const QString& text, const QFont& font, const QColor& halo, double ratio,
               double margin) {
    const QString key = QStringLiteral("armilla glow %1 %2 %3 %4")
                            .arg(font.key())
                            .arg(halo.rgba())
                            .arg(ratio)
                            .arg(text);
    QPixmap glow;
    if (QPixmapCache::find(key, &glow)) return glow;
    const QFontMetricsF metrics(font);
    const QSizeF size(metrics.horizontalAdvance(text) + 2.0 * margin,
                      metrics.height() + 2.0 * margin);
    glow = QPixmap((size * ratio).toSize() + QSize(1, 1));
    glow.setDevicePixelRatio(ratio);
    glow.fill(Qt::transparent);
    QPainterPath path;
    path.addText(margin, margin + metrics.ascent(), font, text);
    QPainter painter(&glow);
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = 0.28 * metrics.height();
    painter.strokePath(path, QPen(halo, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.end();
    QPixmapCache::insert(key, glow);
    return glow;
}

}  // namespace

void drawHaloText(QPainter& painter, QPointF baseline, const QString& text, const QColor& color,
                  const QColor& halo) {
    if (halo.alpha() > 0 && !text.isEmpty()) {
        const double ratio = painter.device()->devicePixelRatioF();
        // Text and glow lie on integer device pixels.
        baseline =
            QPointF(std::round(baseline.x() * ratio), std::round(baseline.y() * ratio)) / ratio;
        const QFontMetricsF metrics(painter.font());
        const double margin = marginOf(metrics);
        const double ascent = metrics.ascent();
        painter.drawPixmap(baseline - QPointF(margin, margin + ascent),
                           glowOf(text, painter.font(), halo, ratio, margin));
    }
    painter.setPen(color);
    painter.drawText(baseline, text);
}

void drawHaloTextCentered(QPainter& painter, QPointF center, const QString& text,
                          const QColor& color, const QColor& halo) {
    drawHaloText(painter, centeredBaseline(QFontMetricsF(painter.font()), center, text), text,
                 color, halo);
}

QRectF haloTextArea(const QFont& font, QPointF center, const QString& text) {
    const QFontMetricsF metrics(font);
    const double margin = marginOf(metrics) + 1.0;  // the baseline lies on an integer pixel
    return QRectF(centeredBaseline(metrics, center, text) - QPointF(0.0, metrics.ascent()),
                  QSizeF(metrics.horizontalAdvance(text), metrics.height()))
        .adjusted(-margin, -margin, margin, margin);
}

QString typographicMinus(QString text) {
    return numberTypeset(std::move(text));
}

}  // namespace armilla
