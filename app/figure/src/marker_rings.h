// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the rings of markers that are too many to be drawn as curves.
#pragma once

#include <QColor>
#include <QImage>
#include <QPainter>
#include <functional>

#include "armilla/core/job_context.h"

namespace armilla {

// A ring over a wider ring of another lightness; lengths are pixels of the image.
struct RingLook {
    double radius = 0.0;
    double lineWidth = 0.0, haloWidth = 0.0;
    QColor line, halo;
};
void paintRing(QPainter& painter, QPointF middle, const RingLook& look);

// An image of `count` rings, later ones over earlier ones, transparent elsewhere. Rings are within
// an eighth of a pixel of paintRing(). `place(index, middle)` sets the center of a ring and returns
// false for none; several threads call it.
//
// Rings are drawn from the last to the first. A ring with only opaque pixels is skipped, so that
// only visible rings cost time. The result does not depend on the number of threads.
// Format_ARGB32_Premultiplied. Throws OutOfMemory, Cancelled.
QImage ringPicture(QSize size, int64_t count, const RingLook& look,
                   const std::function<bool(int64_t index, QPointF& middle)>& place,
                   JobContext& job);

}  // namespace armilla
