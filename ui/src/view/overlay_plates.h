// SPDX-License-Identifier: GPL-3.0-or-later
// What placing and painting of the overlay share: plates behind texts, painting within a panel.
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <cmath>

namespace armilla {

constexpr double kChipHeight = 22.0;  // logical pixels, as all here
constexpr double kHandleRadius = 13.0;

// The plate of a text; `anchor` is its left (or right) upper corner.
inline QRectF chipPlate(const QFontMetricsF& metrics, QPointF anchor, bool right,
                        const QString& text) {
    // In steps: a name whose number changes while a slider moves keeps its plate, and with it the
    // labels around.
    constexpr double kStep = 12.0;
    const double width = kStep * std::ceil((metrics.horizontalAdvance(text) + 20.0) / kStep);
    return {right ? anchor.x() - width : anchor.x(), anchor.y(), width, kChipHeight};
}

// Until its end a painter paints within `area`, and within what it was clipped to before.
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
