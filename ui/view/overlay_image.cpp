// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/overlay_image.h"

#include <QApplication>
#include <QBackingStore>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/ui/paints_over_sky.h"
#include "view/sky_overlay.h"

namespace armilla {
namespace {

// True if `widget` is painted after `child`, and so over it.
bool isOver(const QWidget* widget, const QWidget* child) {
    const QObjectList& siblings = child->parentWidget()->children();
    return siblings.indexOf(widget) > siblings.indexOf(child);
}

// Access to QWidget's protected redirected paint device.
struct Leading : QWidget {
    static const QPaintDevice* device(const QWidget& widget) {
        return (widget.*&Leading::redirected)(nullptr);
    }
};

}  // namespace

bool isOnScreen(const QWidget& widget) {
    // Qt requires a nonempty backing store here; a window that has not been painted has none.
    QBackingStore* store = widget.backingStore();
    return store && !store->size().isEmpty() && store->paintDevice() == Leading::device(widget);
}

OverlayImage::OverlayImage(QWidget& canvas, SkyOverlay& overlay, std::function<void()> touched)
    : canvas_(canvas), overlay_(overlay), touched_(std::move(touched)) {
    overlay.paintElsewhere([this](const QRect& area) { touch(area); });
    qApp->installEventFilter(this);
}

OverlayImage::~OverlayImage() {
    overlay_.paintElsewhere({});
    for (QWidget* widget : above()) widget->update();
}

void OverlayImage::touch(const QRegion& region) {
    const QRegion seen = region & canvas_.rect();
    if (seen.isEmpty()) return;
    dirty_ += seen;
    touched_();
}

const QWidget* OverlayImage::carrier(const QWidget* widget) const {
    for (const QWidget* w = widget; w && !w->isWindow(); w = w->parentWidget()) {
        if (w == &canvas_ || w == &overlay_ || w->isAncestorOf(&canvas_)) return nullptr;
        const QWidget* below = &canvas_;
        while (below && !below->isWindow() && below->parentWidget() != w->parentWidget())
            below = below->parentWidget();
        if (below && !below->isWindow()) return isOver(w, below) ? w : nullptr;
    }
    return nullptr;
}

std::vector<QWidget*> OverlayImage::above() const {
    std::vector<QWidget*> found = {&overlay_};
    for (const QWidget* w = &canvas_; w && !w->isWindow(); w = w->parentWidget())
        for (QObject* sibling : w->parentWidget()->children())
            if (auto* over = qobject_cast<QWidget*>(sibling); over && over != &overlay_ &&
                                                              !over->isWindow() &&
                                                              !over->isHidden() && isOver(over, w))
                found.push_back(over);
    return found;
}

bool OverlayImage::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (renews_ || !watched->isWidgetType() ||
        (type != QEvent::Paint && type != QEvent::Hide && type != QEvent::Move &&
         type != QEvent::Resize))
        return false;
    const auto* widget = static_cast<const QWidget*>(watched);
    // The overlay reports its own changes.
    if (widget == &overlay_) return type == QEvent::Paint && isOnScreen(overlay_);
    const QWidget* over = carrier(widget);
    if (!over) return false;
    const QPoint at =
        widget->mapTo(widget->window(), QPoint()) - canvas_.mapTo(canvas_.window(), QPoint());
    if (type == QEvent::Paint) {
        const QRegion region = static_cast<QPaintEvent*>(event)->region().translated(at);
        touch(region);
        // A repaint below the canvas would be invisible, so it is skipped.
        return canvas_.rect().contains(region.boundingRect()) && isOnScreen(*widget);
    }
    if (over == widget) {
        // The previous area; the new area is repainted by the widget itself.
        QRect before(at, widget->size());
        if (type == QEvent::Move)
            before.translate(static_cast<QMoveEvent*>(event)->oldPos() - widget->pos());
        if (type == QEvent::Resize) before.setSize(static_cast<QResizeEvent*>(event)->oldSize());
        touch(before);
    }
    return false;
}

void OverlayImage::paint(QWidget& widget, QPoint at, const QRegion& part) {
    const QObjectList& children = widget.children();
    const bool isWhole = std::any_of(children.begin(), children.end(), [&](QObject* child) {
        const auto* inside = qobject_cast<QWidget*>(child);
        return inside && !inside->isHidden() && part.intersects(inside->geometry());
    });
    auto* const own = dynamic_cast<PaintsOverSky*>(&widget);
    if (!own || isWhole)
        return widget.render(&image_, part.boundingRect().topLeft() + at, part,
                             QWidget::DrawChildren);
    QPainter painter(&image_);
    painter.translate(at);
    painter.setClipRegion(part);
    own->paintOver(painter, part);
}

QRegion OverlayImage::renew() {
    const double ratio = canvas_.devicePixelRatioF();
    const QSize size(static_cast<int>(std::lround(canvas_.width() * ratio)),
                     static_cast<int>(std::lround(canvas_.height() * ratio)));
    if (size.isEmpty()) return {};
    if (image_.size() != size || image_.devicePixelRatio() != ratio) {
        image_ = QImage(size, QImage::Format_ARGB32_Premultiplied);
        image_.setDevicePixelRatio(ratio);
        dirty_ = canvas_.rect();
    }
    if (dirty_.isEmpty()) return {};
    // With a fractional pixel ratio, edges share pixels, so the whole canvas is repainted.
    if (ratio != std::floor(ratio)) dirty_ = canvas_.rect();
    const QRegion dirty = std::exchange(dirty_, {});
    {
        QPainter painter(&image_);
        painter.setCompositionMode(QPainter::CompositionMode_Source);
        for (const QRect& rect : dirty) painter.fillRect(rect, Qt::transparent);
    }
    renews_ = true;
    const QPoint origin = canvas_.mapTo(canvas_.window(), QPoint());
    for (QWidget* widget : above()) {
        const QPoint at = widget->mapTo(widget->window(), QPoint()) - origin;
        const QRegion part = (dirty & QRect(at, widget->size())).translated(-at);
        if (!part.isEmpty()) paint(*widget, at, part);
    }
    renews_ = false;
    QRegion renewed;
    for (const QRect& rect : dirty)
        renewed +=
            QRectF(QPointF(rect.topLeft()) * ratio, QSizeF(rect.size()) * ratio).toAlignedRect();
    return renewed & image_.rect();
}

}  // namespace armilla

#include "moc_overlay_image.cpp"
