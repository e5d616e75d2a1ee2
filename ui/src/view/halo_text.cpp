// SPDX-License-Identifier: GPL-3.0-or-later
#include "src/view/halo_text.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <utility>

#include "session/unit_text.h"

namespace armilla {

void drawHaloText(QPainter& painter, QPointF baseline, const QString& text, const QColor& color,
                  const QColor& halo) {
    if (halo.alpha() > 0) {
        QPainterPath path;
        path.addText(baseline, painter.font(), text);
        const double width = 0.28 * QFontMetricsF(painter.font()).height();
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.strokePath(path, QPen(halo, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.restore();
    }
    painter.setPen(color);
    painter.drawText(baseline, text);
}

void drawHaloTextCentered(QPainter& painter, QPointF center, const QString& text,
                          const QColor& color, const QColor& halo) {
    const QFontMetricsF metrics(painter.font());
    const QPointF baseline(center.x() - 0.5 * metrics.horizontalAdvance(text),
                           center.y() + 0.5 * metrics.capHeight());
    drawHaloText(painter, baseline, text, color, halo);
}

QString typographicMinus(QString text) {
    return numberTypeset(std::move(text));
}

}  // namespace armilla
