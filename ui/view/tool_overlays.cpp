// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/tool_overlays.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "view/sky_arcs.h"

namespace armilla {

// The region is in the colors of the covered picture. A panel that also shows another map gets no
// region.
void addRegion(PictureRequest& request, const ViewContents& view, const LiveRegion& region) {
    const Document& document = view.document;
    const Layer* live = document.live();
    for (const PanelContent& content : view.contents) {
        const bool isOver = live && live->parent == region.of.entry
                                ? content.shown.entry == live->id
                                : content.shown == region.of;
        const bool alone = content.clipLeft <= 0.0 && content.clipRight >= 1.0;
        if (region.mesh && isOver && alone)
            request.images.push_back({region.mesh, document.drawings().colorScale(content.shown),
                                      1.0, content.rectangle});
    }
}

void addPreview(PictureRequest& request, const ViewContents& view, const SkyPreview& preview) {
    if (!preview.mesh) return;
    view.forEachPanel([&](const PanelContent& content) {
        request.images.push_back({preview.mesh, preview.colors, 1.0, content.rectangle});
    });
}

// The border in each panel, and the colors of its content.
void addPreview(OverlayScene& scene, const ViewContents& view, const SkyPreview& preview) {
    view.forEachPanel([&](const PanelContent& content) {
        const ViewGeometry geometry =
            geometryFor(view.camera, content.rectangle.size(), preview.frame);
        OverlayScene::Border border{content.panel, {}};
        const std::vector<Vec3>& corners = preview.border;
        for (size_t i = 0; i < corners.size(); ++i)
            for (Polyline& line : arcLines(geometry, corners[i], corners[(i + 1) % corners.size()]))
                border.lines.push_back(std::move(line));
        if (!border.lines.empty()) scene.borders.push_back(std::move(border));
        if (!preview.mesh) return;
        QString title = preview.name;
        if (!preview.unit.isEmpty()) title = QStringLiteral("%1, %2").arg(title, preview.unit);
        scene.bars.push_back(
            {content.panel, preview.colors, {title, scaleName(preview.colors.mapping.scale)}});
    });
}

// Pieces are pixel sides; a piece across an edge of the projection is left out.
void addContours(OverlayScene& scene, const ViewContents& view, const SkyContours& contours) {
    for (const PanelContent& content : view.contents) {
        if (content.shown != contours.shown) continue;
        const ViewGeometry geometry =
            geometryFor(view.camera, content.rectangle.size(), contours.frame);
        const double longest = 0.25 * content.rectangle.width();
        const double width = content.rectangle.width(), height = content.rectangle.height();
        for (size_t level = 0; level < contours.lines.size(); ++level) {
            OverlayScene::Contour contour{
                content.panel, content.clipLeft, content.clipRight, level == 0, {}};
            for (const auto& [from, to] : contours.lines[level]) {
                ImagePoint a, b;
                if (!imageFromSky(geometry, from, a.column, a.row) ||
                    !imageFromSky(geometry, to, b.column, b.row))
                    continue;
                const bool isSeen =
                    std::max(a.column, b.column) >= 0.0 && std::min(a.column, b.column) <= width &&
                    std::max(a.row, b.row) >= 0.0 && std::min(a.row, b.row) <= height;
                if (isSeen && std::hypot(a.column - b.column, a.row - b.row) < longest)
                    contour.pieces.push_back({a, b});
            }
            if (!contour.pieces.empty()) scene.contours.push_back(std::move(contour));
        }
    }
}

}  // namespace armilla
