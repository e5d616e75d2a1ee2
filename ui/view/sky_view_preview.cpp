// SPDX-License-Identifier: GPL-3.0-or-later
// Previews of tools on the sky, and movements of the view to data.
#include <algorithm>
#include <cmath>

#include "armilla/core/seen_frame.h"
#include "armilla/draw/line_integral.h"
#include "view/sky_arcs.h"
#include "view/sky_view_state.h"

namespace armilla {

void SkyViewWidget::setPreview(const std::optional<SkyPreview>& preview) {
    if (!preview && !state_->preview) return;
    state_->preview = preview;
    state_->requestPicture(false);
    state_->updateOverlay();
}

const std::optional<SkyPreview>& SkyViewWidget::preview() const {
    return state_->preview;
}

std::optional<LookedAt> SkyViewWidget::lookedAt() const {
    const QRect panel = state_->handPanel(QPointF(1.0, 1.0));
    if (panel.width() <= 0 || panel.height() <= 0) return std::nullopt;
    const Camera camera = state_->camera();
    const auto disc = discOf(geometryFor(camera, panel.size(), camera.frame));
    if (!disc) return std::nullopt;
    return LookedAt{disc->center, disc->radius, camera.frame};
}

void SkyViewWidget::setLiveRegion(const LiveRegion& region) {
    state_->region = region;
    state_->requestPicture(false);
}

// In the colors of the covered picture. A panel that also shows another map gets no region.
void SkyViewWidget::State::addRegion(PictureRequest& request) const {
    const Layer* live = document.live();
    for (const PanelContent& content : contents) {
        const bool isOver = live && live->parent == region.of.entry
                                ? content.shown.entry == live->id
                                : content.shown == region.of;
        const bool alone = content.clipLeft <= 0.0 && content.clipRight >= 1.0;
        if (region.mesh && isOver && alone)
            request.images.push_back({region.mesh, document.drawings().colorScale(content.shown),
                                      1.0, content.rectangle});
    }
}

void SkyViewWidget::State::addPreview(PictureRequest& request) const {
    if (!preview || !preview->mesh) return;
    int done = -1;  // panels are in ascending order
    for (const PanelContent& content : contents) {
        if (content.panel == done) continue;
        done = content.panel;
        request.images.push_back({preview->mesh, preview->colors, 1.0, content.rectangle});
    }
}

// The border in each panel, and the colors of its content.
void SkyViewWidget::State::addPreview(OverlayScene& scene) const {
    if (!preview) return;
    int done = -1;
    for (const PanelContent& content : contents) {
        if (content.panel == done) continue;
        done = content.panel;
        const ViewGeometry geometry =
            geometryFor(drawnCamera, content.rectangle.size(), preview->frame);
        OverlayScene::Border border{content.panel, {}};
        const std::vector<Vec3>& corners = preview->border;
        for (size_t i = 0; i < corners.size(); ++i)
            for (Polyline& line : arcLines(geometry, corners[i], corners[(i + 1) % corners.size()]))
                border.lines.push_back(std::move(line));
        if (!border.lines.empty()) scene.borders.push_back(std::move(border));
        if (!preview->mesh) continue;
        QString title = preview->name;
        if (!preview->unit.isEmpty()) title = QStringLiteral("%1, %2").arg(title, preview->unit);
        scene.bars.push_back(
            {content.panel, preview->colors, {title, scaleName(preview->colors.mapping.scale)}});
    }
}

void SkyViewWidget::setContours(const std::optional<SkyContours>& contours) {
    if (!contours && !state_->contourLines) return;
    state_->contourLines = contours;
    state_->updateOverlay();
}

const std::optional<SkyContours>& SkyViewWidget::contours() const {
    return state_->contourLines;
}

// Pieces are pixel sides; a piece across an edge of the projection is left out.
void SkyViewWidget::State::addContours(OverlayScene& scene) const {
    if (!contourLines) return;
    for (const PanelContent& content : contents) {
        if (content.shown != contourLines->shown) continue;
        const ViewGeometry geometry =
            geometryFor(drawnCamera, content.rectangle.size(), contourLines->frame);
        const double longest = 0.25 * content.rectangle.width();
        const double width = content.rectangle.width(), height = content.rectangle.height();
        for (size_t level = 0; level < contourLines->lines.size(); ++level) {
            OverlayScene::Contour contour{
                content.panel, content.clipLeft, content.clipRight, level == 0, {}};
            for (const auto& [from, to] : contourLines->lines[level]) {
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

// Fits the view to a disc around a direction of `frame`.
void SkyViewWidget::showDisc(Vec3 center, double radius, Frame frame) {
    constexpr double kGnomonic = 30.0 * kDegree, kEdge = 1.15;
    const QRect panel = state_->handPanel(QPointF(1.0, 1.0));
    if (panel.width() <= 0 || panel.height() <= 0) return;
    const Frame own = state_->document.view().camera().frame;
    Camera target = state_->camera().centeredOn(lonLat(seenRotation(own, frame) * center));
    target.offset = PlanePoint{};
    const bool isClose = radius < kGnomonic;
    if (isClose) target.projection = Projection::Gnomonic;
    const double reach = isClose ? std::tan(radius) : radius;
    const double wanted = 2.0 * kEdge * reach / std::min(panel.width(), panel.height());
    target.zoom =
        std::clamp(target.zoomFor(panel.width(), panel.height(), wanted), 1.0, Camera::kMaxZoom);
    state_->cameraPointer.flyTo(target, Flight::ToData);
}

}  // namespace armilla
