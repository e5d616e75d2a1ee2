// SPDX-License-Identifier: GPL-3.0-or-later
// The ruler of a sky view: an angle between two positions.
#pragma once

#include <optional>

#include "view/sky_overlay.h"

namespace armilla {

class SkyRuler {
public:
    // A press sets one end, a drag moves the other end.
    void start(int panel, const Vec3& from, Frame frame);
    void drag(const Vec3& to);
    // Ends the drag; a ruler without length goes.
    void finish();
    void clear();
    // The ruler stays on the sky when the frame of the view changes.
    void follow(Frame frame);

    bool isDragged() const { return isDragged_; }
    const std::optional<OverlayScene::Ruler>& shown() const { return ruler_; }
    // Radians.
    std::optional<double> angle() const;

private:
    std::optional<OverlayScene::Ruler> ruler_;
    Frame frame_ = Frame::Unknown;  // frame of its end points
    bool isDragged_ = false;
};

}  // namespace armilla
