// SPDX-License-Identifier: GPL-3.0-or-later
// Rings around places.
#pragma once

#include <QColor>
#include <QPainter>

namespace armilla {

// A ring over a wider ring of another lightness; lengths are pixels of the page.
struct RingLook {
    double radius = 0.0;
    double lineWidth = 0.0, haloWidth = 0.0;
    QColor line, halo;
};
void paintRing(QPainter& painter, QPointF middle, const RingLook& look);

}  // namespace armilla
