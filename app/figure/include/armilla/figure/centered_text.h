// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of text that is centered at a point.
#pragma once

#include <QFontMetricsF>
#include <QPointF>
#include <QString>

namespace armilla {

// The left end of the base line of a text whose middle, by width and by the height of capitals, is
// `center`.
inline QPointF centeredBaseline(const QFontMetricsF& metrics, QPointF center, const QString& text) {
    return {center.x() - 0.5 * metrics.horizontalAdvance(text),
            center.y() + 0.5 * metrics.capHeight()};
}

}  // namespace armilla
