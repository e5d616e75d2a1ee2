// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by placement and painting of the overlay: plates behind texts, clipping to a panel.
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <cmath>

namespace armilla {

constexpr double kChipHeight = 22.0;  // logical pixels, like all lengths here
constexpr double kHandleRadius = 13.0;

// The plate of a text; `anchor` is its upper left (or right) corner.
inline QRectF chipPlate(const QFontMetricsF& metrics, QPointF anchor, bool right,
                        const QString& text) {
    // The width grows in steps, so that a number that changes while a slider moves does not move
    // plates and labels.
    constexpr double kStep = 12.0;
    const double width = kStep * std::ceil((metrics.horizontalAdvance(text) + 20.0) / kStep);
    return {right ? anchor.x() - width : anchor.x(), anchor.y(), width, kChipHeight};
}

// Clips a painter to `area` and its previous clip during the lifetime of this object.
class PaintedWithin {
public:
    PaintedWithin(QPainter& painter, const QRectF& area) : painter_(painter) {
        painter.save();
        painter.setClipRect(area, Qt::IntersectClip);
    }
    ~PaintedWithin() { painter_.restore(); }
    PaintedWithin(const PaintedWithin&) = delete;
    PaintedWithin& operator=(const PaintedWithin&) = delete;

private:
    QPainter& painter_;
};

}  // namespace armilla
