// SPDX-License-Identifier: GPL-3.0-or-later
// What tools show on the sky before they have made it, and the way to what is of interest.
#include <algorithm>
#include <cmath>

#include "src/view/sky_view_state.h"

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

void SkyViewWidget::State::addPreview(PictureRequest& request) const {
    if (!preview || !preview->mesh) return;
    int done = -1;  // panels are in ascending order
    for (const PanelContent& content : contents) {
        if (content.panel == done) continue;
        done = content.panel;
        request.images.push_back({preview->mesh, preview->colors, 1.0, content.rectangle});
    }
}

// The border in each panel, and the colors of what lies within.
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

// So that a disc around a direction of the camera's frame fills the view.
void SkyViewWidget::showDisc(Vec3 center, double radius, Frame frame) {
    constexpr double kGnomonic = 30.0 * kDegree, kRim = 1.15;
    const QRect panel = state_->handPanel(QPointF(1.0, 1.0));
    if (panel.width() <= 0 || panel.height() <= 0) return;
    const Frame own = state_->document.camera().frame;
    const bool known = frame != Frame::Unknown && own != Frame::Unknown;
    const Vec3 seen = known ? frameRotation(own, frame) * center : center;
    Camera target = state_->camera().centeredOn(lonLat(seen));
    target.offset = PlanePoint{};
    const bool isClose = radius < kGnomonic;
    if (isClose) target.projection = Projection::Gnomonic;
    const double reach = isClose ? std::tan(radius) : radius;
    const double wanted = 2.0 * kRim * reach / std::min(panel.width(), panel.height());
    target.zoom =
        std::clamp(target.zoomFor(panel.width(), panel.height(), wanted), 1.0, Camera::kMaxZoom);
    state_->hand.flyTo(target);
}

}  // namespace armilla
