// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/sky_ruler.h"

#include "armilla/core/frames.h"

namespace armilla {

void SkyRuler::start(int panel, const Vec3& from, Frame frame) {
    ruler_ = OverlayScene::Ruler{panel, from, from};
    frame_ = frame;
    isDragged_ = true;
}

void SkyRuler::drag(const Vec3& to) {
    if (ruler_) ruler_->to = to;
}

void SkyRuler::finish() {
    if (isDragged_ && angle() == 0.0) ruler_.reset();
    isDragged_ = false;
}

void SkyRuler::clear() {
    ruler_.reset();
    isDragged_ = false;
}

void SkyRuler::follow(Frame frame) {
    if (!ruler_ || frame_ == frame) return;
    if (frame_ == Frame::Unknown || frame == Frame::Unknown) {
        ruler_.reset();
        return;
    }
    const Mat3 rotation = frameRotation(frame, frame_);
    ruler_->from = rotation * ruler_->from;
    ruler_->to = rotation * ruler_->to;
    frame_ = frame;
}

std::optional<double> SkyRuler::angle() const {
    if (!ruler_) return std::nullopt;
    return angularDistance(ruler_->from, ruler_->to);
}

}  // namespace armilla
