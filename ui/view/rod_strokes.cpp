// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/rod_strokes.h"

#include <QList>
#include <QPainter>
#include <utility>

namespace armilla {

void strokeRods(QPainter& painter, const std::vector<Rod>& rods, QPointF origin, double pixel) {
    static const QColor line(0xf2, 0xf5, 0xf8), halo(6, 9, 13, 150);
    QList<QLineF> lines;
    lines.reserve(static_cast<qsizetype>(rods.size()));
    for (const Rod& rod : rods)
        lines.emplace_back(origin + QPointF(rod.from.column, rod.from.row) * pixel,
                           origin + QPointF(rod.to.column, rod.to.row) * pixel);
    for (const auto& [color, width] : {std::pair(halo, 3.6), std::pair(line, 1.8)}) {
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap));
        painter.drawLines(lines);
    }
}

}  // namespace armilla
