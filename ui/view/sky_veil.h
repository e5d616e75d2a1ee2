// SPDX-License-Identifier: GPL-3.0-or-later
// A translucent veil over the pixels that a mask cuts, in the colors of the brush.
#pragma once

#include <QColor>
#include <QImage>
#include <array>
#include <memory>

#include "armilla/core/healpix_map.h"
#include "armilla/ui/sky_decorations.h"
#include "view/sky_overlay.h"
#include "view/view_contents.h"

namespace armilla {

// Keeps images between frames.
class SkyVeil {
public:
    void addTo(OverlayScene& scene, const ViewContents& view, const SkyDecorations::Veil& veil,
               const QColor& color);

private:
    // The veil of one side, cached until its mask or the view of its panel changes.
    struct Drawn {
        std::shared_ptr<const HealpixMap> mask;
        Camera camera;
        QSize panel;
        QColor color;
        QImage image;
    };
    std::array<Drawn, 2> drawn_;
};

}  // namespace armilla
