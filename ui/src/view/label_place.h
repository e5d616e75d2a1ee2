// SPDX-License-Identifier: GPL-3.0-or-later
// Where a name stands beside a shape on the sky.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace armilla {

// Right of the rightmost of the points that are in the room, else left, above or below: the first
// of these whole in the room and clear of `taken`; where none is clear, the first that is whole.
// None if no point is in the room.
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
