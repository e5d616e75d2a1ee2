// SPDX-License-Identifier: GPL-3.0-or-later
// Graticule and polarization over the map of a document.
#pragma once

#include <QObject>
#include <QString>

#include "armilla/draw/line_integral.h"
#include "armilla/session/layer.h"

namespace armilla {

class History;
class LayerList;

// Appearance of polarization over a map with Q and U, in addition to the line segments.
struct PolarizationLook {
    bool lic = false;  // line integral convolution along the polarization shades the colors
    // Line segments with an amplitude below this many sigma are hidden; the rest are debiased.
    double leastSnr = 0.0;
    // The layer and field that set the length of the line segments. If the layer is no map, the
    // polarized amplitude sets the length.
    LayerId lengthLayer;
    int lengthField = 0;
    // Convention for maps whose files do not state the sign of U.
    PolarizationConvention convention = PolarizationConvention::Cosmo;
    bool operator==(const PolarizationLook&) const = default;
};

struct OverlayState {
    double graticuleStep = 0.0;
    bool graticuleVisible = true, rodsVisible = false;
    PolarizationLook polarization;
    bool operator==(const OverlayState&) const = default;
};

// The set... functions push undoable steps; successive steps of a slider merge until the gesture
// ends. Used only in the window's thread.
class Overlays : public QObject {
    Q_OBJECT
public:
    // Both arguments must outlive the overlays.
    Overlays(const LayerList& layers, History& history);

    double graticuleStep() const { return state_.graticuleStep; }  // radians, 0: automatic
    bool graticuleVisible() const { return state_.graticuleVisible; }
    // Visibility of the polarization line segments.
    bool rodsVisible() const { return state_.rodsVisible; }
    const PolarizationLook& polarizationLook() const { return state_.polarization; }
    // The layer that sets the length of the line segments; null: the polarized amplitude.
    const Layer* rodLengths() const;

    void setGraticule(bool visible, double step);
    void setRodsVisible(bool visible);
    void setPolarizationLook(const PolarizationLook& look);

    // For the steps of the history and for session files.
    const OverlayState& state() const { return state_; }
    // Changes the values that differ between `from` and `to`.
    void apply(const OverlayState& from, const OverlayState& to);

signals:
    void changed();

private:
    void push(const QString& text, const OverlayState& to);

    const LayerList& layers_;
    History& history_;
    OverlayState state_;
};

}  // namespace armilla
