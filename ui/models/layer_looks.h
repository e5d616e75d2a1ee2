// SPDX-License-Identifier: GPL-3.0-or-later
// What of a window differs by the kind of a layer: one entry a kind.
#pragma once

#include <QString>

#include "session/layer.h"

class QPainter;
class QRectF;

namespace armilla {

struct Theme;

struct LayerLooks {
    LayerKind kind;
    // The mark at the left of its row, filled where it is seen.
    void (*paintMark)(QPainter& painter, const QRectF& place, const Layer& layer,
                      const Theme& theme);
    bool hasMarker = false;   // shape, size and color
    bool hasOpacity = false;  // over the map
    bool hasColors = false;   // values in a color scale
    bool hasEye = false;      // its mark shows and hides it
};
const LayerLooks& looksOf(LayerKind kind);

QColor toColor(const MarkerStyle& style);
// One marker in the middle of a square, `pixelRatio` device pixels in a logical one.
QImage markerImage(const MarkerStyle& style, int side, double pixelRatio);

}  // namespace armilla
