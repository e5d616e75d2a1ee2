// SPDX-License-Identifier: GPL-3.0-or-later
// Pointer input of the sky view.
#include <QApplication>
#include <QCursor>
#include <algorithm>
#include <cmath>
#include <utility>

#include "view/sky_view_state.h"

namespace armilla {
namespace {

constexpr double kDividerReach = 6.0;  // logical pixels on each side
constexpr double kHandleReach = 15.0;  // radius of the round handle

}  // namespace

// The panel of the press; a drag may leave it.
QRect SkyViewWidget::State::pressedPanel(QPointF device) const {
    const PanelContent* content = contentAt(contents, device);
    if (content) return content->rectangle;
    return contents.empty() ? QRect(QPoint(), deviceSize(view)) : contents.front().rectangle;
}

std::optional<SkyCursor> SkyViewWidget::State::cursorAt(QPointF logical) const {
    const QPointF at = device(logical);
    const PanelContent* content = contentAt(contents, at);
    if (!content) return std::nullopt;
    const LastPictures::Side& last = lastPictures.of(*content);
    // A sky without a map has the frame of the view.
    SkyCursor place;
    if (last.field) place.shown = last.shown;
    place.frame = last.field ? last.field->frame() : camera().frame;
    const ViewGeometry geometry = geometryFor(camera(), content->rectangle.size(), place.frame);
    const QPointF inPanel = at - QPointF(content->rectangle.topLeft());
    if (!skyFromImage(geometry, inPanel.x(), inPanel.y(), place.direction)) return std::nullopt;
    return place;
}

std::optional<Vec3> SkyViewWidget::State::cameraDirectionAt(const PanelContent& content,
                                                            QPointF device) const {
    const Camera seen = camera();
    const ViewGeometry geometry = geometryFor(seen, content.rectangle.size(), seen.frame);
    const QPointF at = device - QPointF(content.rectangle.topLeft());
    Vec3 direction;
    if (!skyFromImage(geometry, at.x(), at.y(), direction)) return std::nullopt;
    return direction;
}

std::optional<SkyTool::Place> SkyViewWidget::State::toolPlace(
    QPointF logical, Qt::KeyboardModifiers modifiers) const {
    const QPointF at = device(logical);
    const PanelContent* content = contentAt(contents, at);
    const auto here = content ? cameraDirectionAt(*content, at) : std::nullopt;
    if (!here) return std::nullopt;
    // A projection stretches differently in two directions; the mean is used as the size of a
    // pixel.
    double pixel = 0.0;
    int ways = 0;
    for (const QPointF step : {QPointF(1.0, 0.0), QPointF(0.0, 1.0)})
        if (const auto beside = cameraDirectionAt(*content, at + step)) {
            pixel += angularDistance(*here, *beside) * view.devicePixelRatioF();
            ++ways;
        }
    return SkyTool::Place{*here, camera().frame, ways > 0 ? pixel / ways : 0.0, modifiers};
}

bool SkyViewWidget::State::onDivider(QPointF logical) const {
    if (contents.size() != 2 || document.view().comparison() != Comparison::Swipe) return false;
    const double x = contents.front().clipRight * view.width();
    const QPointF handle(x, 0.5 * view.height());
    const QPointF away = logical - handle;
    return std::abs(logical.x() - x) <= kDividerReach ||
           std::hypot(away.x(), away.y()) <= kHandleReach;
}

void SkyViewWidget::State::setCursorPlace(const std::optional<SkyCursor>& place,
                                          bool fromInspector) {
    cursor = place;
    cursorFromInspector = fromInspector;
    if (!fromInspector) inspector->follow(place);
    // Crosses appear only in other panels; a single panel under the pointer needs no repaint.
    if (fromInspector || contents.size() > 1 || !overlay->scene().crosses.empty()) updateOverlay();
    emit view.cursorMoved(place);
}

void SkyViewWidget::State::followPointer() {
    if (!pointer || cameraPointer.isHolding()) return;
    if (looksSame(pointerCamera, camera()) && pointerSaw == lastPictures.pictured()) return;
    hover(*pointer);
}

void SkyViewWidget::State::hover(QPointF logical) {
    pointer = logical;
    pointerCame = true;
    pointerCamera = camera();
    pointerSaw = lastPictures.pictured();
    const PanelContent* content = contentAt(contents, device(logical));
    if (content) cursorPanel = content->panel;
    auto place = cursorAt(logical);
    const bool looks =
        content && place && !cameraPointer.isHolding() && !dragsDivider && !ruler.isDragged();
    const RowSelection under =
        looks ? markerAt(present(), *content, device(logical)) : RowSelection{};
    if (place) place->marker = under;
    const bool isOther = std::exchange(hovered, under) != under;
    if (tool && !toolHolds) tool->hover(toolPlace(logical, QApplication::keyboardModifiers()));
    setCursorPlace(place, false);
    if (isOther) updateOverlay();
}

void SkyViewWidget::State::updateShape(QPointF logical) {
    const bool lit = onDivider(logical) && !cameraPointer.isHolding();
    if (lit != dividerLit) {
        dividerLit = lit;
        updateOverlay();
    }
    view.setCursor(lit || dragsDivider         ? Qt::SplitHCursor
                   : cameraPointer.isHolding() ? Qt::ClosedHandCursor
                   : tool                      ? tool->shape()
                                               : Qt::CrossCursor);
}

void SkyViewWidget::State::press(QPointF logical, Qt::KeyboardModifiers modifiers) {
    const QPointF at = device(logical);
    if (onDivider(logical)) {
        dragsDivider = true;
        return;
    }
    if (tool && !(modifiers & Qt::ControlModifier))
        if (const auto place = toolPlace(logical, modifiers); place && tool->press(*place)) {
            toolHolds = true;
            return;
        }
    const PanelContent* content = contentAt(contents, at);
    if (modifiers & Qt::ShiftModifier) {
        if (!content) return;
        if (const auto from = cameraDirectionAt(*content, at)) {
            ruler.start(content->panel, *from, camera().frame);
            updateOverlay();
        }
        return;
    }
    clicksAt = logical;
    const QRect panel = pressedPanel(at);
    panelOffset = panel.topLeft();
    cameraPointer.press(panel.size(), at - QPointF(panelOffset));
}

void SkyViewWidget::State::moveTo(QPointF logical) {
    const QPointF at = device(logical);
    if (clicksAt && (logical - *clicksAt).manhattanLength() >= QApplication::startDragDistance())
        clicksAt.reset();
    if (toolHolds && tool) {
        if (const auto place = toolPlace(logical, QApplication::keyboardModifiers()))
            tool->drag(*place);
    } else if (dragsDivider) {
        document.view().setSwipe(std::clamp(logical.x() / std::max(1, view.width()), 0.0, 1.0));
    } else if (ruler.isDragged()) {
        if (const PanelContent* content = contentAt(contents, at); content)
            if (const auto to = cameraDirectionAt(*content, at)) {
                ruler.drag(*to);
                updateOverlay();
            }
    } else if (cameraPointer.isHolding()) {
        cameraPointer.move(at - QPointF(panelOffset));
    }
    hover(logical);
}

void SkyViewWidget::State::release() {
    if (std::exchange(toolHolds, false)) {
        if (tool) tool->release();
        return;
    }
    // A click that drags nothing ends the measurement; rotating the sphere keeps it.
    const bool leaves = !ruler.isDragged() && clicksAt.has_value();
    if (leaves) ruler.clear();
    ruler.finish();
    // A click on a marker selects its row; a click elsewhere clears the selection.
    if (leaves) {
        document.view().setSelection(hovered);
        if (hovered.layer.isValid()) document.setActive(hovered.layer);
    }
    clicksAt.reset();
    if (dragsDivider) document.history().endGesture();
    dragsDivider = false;
    cameraPointer.release();
    updateOverlay();
}

}  // namespace armilla
