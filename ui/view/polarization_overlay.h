// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization over the picture: evenly spaced line segments with their scale, and line integral
// convolution.
#pragma once

#include <QWidget>
#include <array>
#include <cstdint>
#include <functional>

#include "armilla/session/layer_id.h"
#include "view/lic_overlay.h"
#include "view/sky_overlay.h"
#include "view/view_contents.h"

namespace armilla {

class PolarizationOverlay {
public:
    // `owner` must outlive this object; `changed`: a finer shade is ready.
    PolarizationOverlay(QWidget& owner, const std::function<void()>& changed);

    void addTo(OverlayScene& scene, const ViewContents& view);

private:
    // Polarization of a layer's map, cached until the map changes.
    struct Facts {
        LayerId layer;
        uint64_t revision = 0;
        int qField = -1, uField = -1;  // -1: none
        double typical = 0.0;          // amplitude of the longest line segment
        double noise = 0.0;            // standard deviation of Q and U in a pixel
    };
    // The same for the map that sets the length of line segments.
    struct Lengths {
        LayerId layer;
        int field = 0;
        uint64_t revision = 0;
        double typical = 0.0;
    };
    const Facts& factsOf(const Layer& layer);
    double typicalLengthOf(const Layer& lengths, int field);
    void addRods(OverlayScene& scene, const ViewContents& view);
    void addLic(OverlayScene& scene, const ViewContents& view);

    std::array<Facts, 2> facts_;
    size_t next_ = 0;
    Lengths lengths_;
    std::array<LicOverlay*, 2> lic_{};
};

}  // namespace armilla
