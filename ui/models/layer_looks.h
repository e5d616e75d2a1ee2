// SPDX-License-Identifier: GPL-3.0-or-later
// Display properties of each kind of layer in a window: one entry a kind.
#pragma once

#include <QString>

#include "armilla/session/layer.h"

class QPainter;
class QRectF;

namespace armilla {

struct Theme;

struct LayerLooks {
    LayerKind kind;
    // Paints the mark at the left of the layer's row, filled if the layer is visible.
    void (*paintMark)(QPainter& painter, const QRectF& place, const Layer& layer,
                      const Theme& theme);
    bool hasMarker = false;   // shape, size and color
    bool hasOpacity = false;  // over the map
    bool hasColors = false;   // values in a color scale
    bool hasEye = false;      // a click on the mark shows and hides the layer
};
const LayerLooks& looksOf(LayerKind kind);

QColor toColor(const MarkerStyle& style);
// One marker in the center of a square; `pixelRatio` is device pixels per logical pixel.
QImage markerImage(const MarkerStyle& style, int side, double pixelRatio);

}  // namespace armilla
