// SPDX-License-Identifier: GPL-3.0-or-later
// The rings of so many markers that each of them cannot be drawn as a curve.
#pragma once

#include <QColor>
#include <QImage>
#include <QPainter>
#include <functional>

#include "core/job_context.h"

namespace armilla {

// A ring and a wider one of another lightness beneath it; lengths are pixels of the picture.
struct RingLook {
    double radius = 0.0;
    double lineWidth = 0.0, haloWidth = 0.0;
    QColor line, halo;
};
void paintRing(QPainter& painter, QPointF middle, const RingLook& look);

// A picture of `count` rings, later ones over earlier ones, clear elsewhere: to an eighth of a
// pixel where paintRing puts them. `place(index, middle)` gives the middle of one, false for none;
// it is called from several threads. Only what is seen costs time: rings are laid from the last one
// to the first, and one whose pixels are all taken is left out. The same for any number of threads.
// Format_ARGB32_Premultiplied. Throws OutOfMemory, Cancelled.
QImage ringPicture(QSize size, int64_t count, const RingLook& look,
                   const std::function<bool(int64_t index, QPointF& middle)>& place,
                   JobContext& job);

}  // namespace armilla
