// SPDX-License-Identifier: GPL-3.0-or-later
#include "marker_rings.h"

#include <QPen>

namespace armilla {

void paintRing(QPainter& painter, QPointF middle, const RingLook& look) {
    painter.setBrush(Qt::NoBrush);
    const auto draw = [&](const QColor& color, double width) {
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawEllipse(middle, look.radius, look.radius);
    };
    draw(look.halo, look.haloWidth);
    draw(look.line, look.lineWidth);
}

}  // namespace armilla
