// SPDX-License-Identifier: GPL-3.0-or-later
// The place of the inspector in the lower right corner of a sky view.
#pragma once

#include <QSize>
#include <QWidget>

#include "armilla/session/document.h"
#include "armilla/ui/inspector_widget.h"

namespace armilla {

// Leaves the whole sky visible if possible, and folds the card in a narrow view.
class InspectorPlace {
public:
    // All arguments must outlive this object.
    InspectorPlace(const QWidget& view, const Document& document, InspectorWidget& inspector)
        : view_(view), document_(document), inspector_(inspector) {}
    void update();

private:
    // True if a card in the inspector's corner would cover part of the whole sky.
    bool coversSky(QSize card) const;
    // The largest card between its minimum and `most` that leaves the whole sky visible; a low card
    // if there is none.
    QSize sizeFor(QSize most) const;

    const QWidget& view_;
    const Document& document_;
    InspectorWidget& inspector_;
    // The view became narrow, and the inspector was folded for it.
    bool wasNarrow_ = false, isFolded_ = false;
};

}  // namespace armilla
