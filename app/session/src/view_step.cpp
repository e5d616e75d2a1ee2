// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_step.h"

#include <algorithm>
#include <iterator>

namespace armilla {

namespace {

bool samePoint(PlanePoint a, PlanePoint b) {
    return a.x == b.x && a.y == b.y;
}

bool isHome(const Camera& camera) {
    const Camera home;
    return std::equal(std::begin(camera.orientation.m), std::end(camera.orientation.m),
                      std::begin(home.orientation.m)) &&
           camera.zoom == home.zoom && samePoint(camera.offset, home.offset);
}

}  // namespace

bool sameCamera(const Camera& a, const Camera& b) {
    return a.projection == b.projection && a.frame == b.frame && a.zoom == b.zoom &&
           a.flip == b.flip && samePoint(a.offset, b.offset) &&
           std::equal(std::begin(a.orientation.m), std::end(a.orientation.m),
                      std::begin(b.orientation.m));
}

Camera adapted(const Camera& camera, Frame frame) {
    Camera adapted = camera;
    // No rotation exists between a known and an unknown frame, so the view only changes its frame
    // label. A camera in its home position adopts the frame of the new map; a view that the user
    // moved stays.
    if (isHome(camera) || frame == Frame::Unknown || camera.frame == Frame::Unknown)
        adapted.frame = frame;
    return adapted;
}

Camera unmoved(const Camera& camera) {
    if (isHome(camera)) return camera;
    Camera home;
    home.flip = camera.flip;
    home.frame = camera.frame;
    return home;
}

ViewStep::ViewStep(DocumentView& view, const QString& text, const ViewState& to, ViewAspect aspect,
                   int gesture)
    : QUndoCommand(text),
      view_(view),
      from_(view.state()),
      to_(to),
      aspect_(aspect),
      stamp_(gesture) {}

bool ViewStep::mergeWith(const QUndoCommand* command) {
    const auto* other = dynamic_cast<const ViewStep*>(command);
    if (!other || aspect_ == ViewAspect::Other || aspect_ != other->aspect_) return false;
    if (isOfCamera() ? !stamp_.isSoon(other->stamp_) : !stamp_.joins(other->stamp_)) return false;
    to_ = other->to_;
    stamp_ = other->stamp_;
    // A view that returned to its start makes the step obsolete.
    setObsolete(isOfCamera() ? sameCamera(from_.camera, to_.camera) : from_.swipe == to_.swipe);
    return true;
}

}  // namespace armilla
