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

// Centers of rings. Both functions set the center of ring `index`, in pixels of the image; several
// threads call them.
struct RingCenters {
    int64_t count = 0;
    // Returns false for a ring that is not drawn.
    std::function<bool(int64_t index, QPointF& middle)> exact;
    // A center within `slack` pixels of the exact one, where that is faster; false where it is not
    // available. Rings for which the slack could matter use the exact center.
    std::function<bool(int64_t index, QPointF& middle)> quick = nullptr;
    double slack = 0.0;
};

// An image of rings, later ones over earlier ones, transparent elsewhere. Rings are within an
// eighth of a pixel of paintRing().
//
// Rings are drawn from the last to the first. A ring with only opaque pixels is skipped, so that
// only visible rings cost time. The result does not depend on the number of threads.
// Format_ARGB32_Premultiplied. Throws OutOfMemory, Cancelled.
QImage ringPicture(QSize size, const RingCenters& centers, const RingLook& look, JobContext& job);

}  // namespace armilla
