// SPDX-License-Identifier: GPL-3.0-or-later
// A translucent veil over the pixels that a mask cuts, in the colors of the brush.
#pragma once

#include <QColor>
#include <QImage>
#include <array>
#include <memory>

#include "armilla/core/healpix_map.h"
#include "view/sky_overlay.h"
#include "view/view_contents.h"

namespace armilla {

class SkyVeil {
public:
    // See SkyViewWidget::setVeil. Returns false if nothing changes.
    bool set(std::shared_ptr<const HealpixMap> mask, bool isOfView);
    const std::shared_ptr<const HealpixMap>& mask() const { return mask_; }
    void addTo(OverlayScene& scene, const ViewContents& view, const QColor& color);

private:
    // An image of one side, cached until the view of its panel changes.
    struct Veil {
        Camera camera;
        QSize panel;
        QColor color;
        QImage image;
    };
    std::shared_ptr<const HealpixMap> mask_;
    bool isOfView_ = false;
    std::array<Veil, 2> veils_;
};

}  // namespace armilla
