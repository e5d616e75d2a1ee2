// SPDX-License-Identifier: GPL-3.0-or-later
// A widget over the sky that can be painted without QWidget::render(). That function visits every
// widget of the window first, which takes a millisecond even for small changes.
#pragma once

class QPainter;
class QRegion;

namespace armilla {

// Interface of such a widget.
class PaintsOverSky {
public:
    virtual ~PaintsOverSky() = default;
    // Paints the same as a paint event of this region, without children. The painter is clipped to
    // the region (logical pixels of the widget), with its origin at the widget's corner.
    virtual void paintOver(QPainter& painter, const QRegion& region) = 0;
};

}  // namespace armilla
