// SPDX-License-Identifier: GPL-3.0-or-later
// Placement of a name next to a shape on the sky.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace armilla {

// Placement next to the rightmost of the points inside `room`: right, left, above or below. Returns
// the first of these that lies inside `room` and clear of `taken`, else the first inside `room`.
// None if no point is inside.
inline std::optional<QRectF> placeBeside(const std::vector<QPointF>& points, QSizeF size,
                                         const QRectF& room, const std::vector<QRectF>& taken,
                                         double gap) {
    std::vector<QPointF> seen;
    std::copy_if(points.begin(), points.end(), std::back_inserter(seen),
                 [&](const QPointF& p) { return room.contains(p); });
    if (seen.empty()) return std::nullopt;
    const auto [left, right] = std::minmax_element(
        seen.begin(), seen.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
    const auto [top, bottom] = std::minmax_element(
        seen.begin(), seen.end(), [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
    const double across = gap + 0.5 * size.width(), along = gap + 0.5 * size.height();
    const QPointF middles[] = {*right + QPointF(across, 0.0), *left - QPointF(across, 0.0),
                               *top - QPointF(0.0, along), *bottom + QPointF(0.0, along)};
    std::optional<QRectF> whole;
    for (const QPointF& middle : middles) {
        QRectF box(QPointF(), size);
        box.moveCenter(middle);
        if (!room.contains(box)) continue;
        if (std::none_of(taken.begin(), taken.end(),
                         [&](const QRectF& each) { return each.intersects(box); }))
            return box;
        if (!whole) whole = box;
    }
    return whole;
}

}  // namespace armilla
