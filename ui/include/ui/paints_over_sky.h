// SPDX-License-Identifier: GPL-3.0-or-later
// A widget over the sky that can be painted without QWidget::render, which looks at each widget of
// the whole window before it paints: a millisecond, however little is new.
#pragma once

class QPainter;
class QRegion;

namespace armilla {

class PaintsOverSky {
public:
    virtual ~PaintsOverSky() = default;
    // As a paint event of this region does, without its children. The painter is clipped to the
    // region, logical pixels of the widget, and stands at the widget's corner.
    virtual void paintOver(QPainter& painter, const QRegion& region) = 0;
};

}  // namespace armilla
