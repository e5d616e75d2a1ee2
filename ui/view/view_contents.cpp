// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/view_contents.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla {

std::vector<PanelContent> layoutContents(const Document& document, QSize size, bool blinkSecond) {
    const QRect whole({}, size);
    const Shown a = document.view().shown(), b = document.view().compared();
    const bool pair = b.entry.isValid();
    if (pair && document.view().comparison() == Comparison::SideBySide) {
        const int left = size.width() / 2;
        return {{0, a, 0, QRect(0, 0, left, size.height())},
                {1, b, 1, QRect(left, 0, size.width() - left, size.height())}};
    }
    if (pair && document.view().comparison() == Comparison::Swipe) {
        const double at = std::clamp(document.view().swipe(), 0.0, 1.0);
        return {{0, a, 0, whole, 0.0, at}, {1, b, 0, whole, at, 1.0}};
    }
    if (pair && document.view().comparison() == Comparison::Blink && blinkSecond)
        return {{1, b, 0, whole}};
    return {{0, a, 0, whole}};
}

const PanelContent* contentAt(const std::vector<PanelContent>& contents, QPointF device) {
    for (const PanelContent& content : contents) {
        const QRectF r = content.rectangle;
        const double share = (device.x() - r.left()) / r.width();
        if (r.contains(device) && share >= content.clipLeft && share <= content.clipRight)
            return &content;
    }
    return nullptr;
}

std::optional<PicturePart> LastPictures::partFor(const Document& document,
                                                 const PanelContent& content) {
    Side& last = sides_[static_cast<size_t>(content.side)];
    if (document.entry(content.shown.entry) == nullptr) {
        last = {};
        return std::nullopt;
    }
    if (auto field = document.drawings().drawable(content.shown); field && field->isReady())
        last = {content.shown, std::move(field), document.drawings().colorScale(content.shown)};
    if (!last.field) return std::nullopt;
    return PicturePart{last.field,        last.scale,
                       content.rectangle, content.clipLeft,
                       content.clipRight, document.liveLayer().picture(content.shown)};
}

QSize deviceSize(const QWidget& widget) {
    const double ratio = widget.devicePixelRatioF();
    return {static_cast<int>(std::lround(widget.width() * ratio)),
            static_cast<int>(std::lround(widget.height() * ratio))};
}

ViewGeometry wholeSky(const Document& document, QSize panel) {
    Camera home = document.view().camera();
    home.zoom = 1.0;
    home.offset = {};
    return geometryFor(withEdge(home), panel, home.frame);
}

}  // namespace armilla
