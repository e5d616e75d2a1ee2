// SPDX-License-Identifier: GPL-3.0-or-later
// Rings around places.
#include <algorithm>
#include <cmath>

#include "figure_painter.h"
#include "quick_mollweide.h"

namespace armilla {

namespace {

constexpr size_t kManyMarkers = 500;
// From this number on, rings are drawn as an image. A ring drawn as a curve takes 14 us, and 900
// bytes of an SVG.
constexpr size_t kCrowd = 20000;

size_t countOf(const FigureRequest& request) {
    return request.markers.size() + (request.places ? request.places->size() : 0);
}

}  // namespace

RingLook FigurePainter::ringLook(double dpi) const {
    const double point = dpi / 72.0;
    return {(countOf(request_) > kManyMarkers ? 2.0 : 3.2) * point, 0.8 * point, 1.8 * point, line_,
            halo_};
}

bool FigurePainter::isCrowd() const {
    return request_.places && request_.places->size() > kCrowd;
}

void FigurePainter::renderCrowd(JobContext& job) {
    const double dpi = std::min(dpi_, rasterDpi_), scale = dpi / dpi_;
    const QSize size(static_cast<int>(std::lround(scale * layout_.sky.width())),
                     static_cast<int>(std::lround(scale * layout_.sky.height())));
    const std::vector<Vec3>& places = *request_.places;
    const auto middleOf = [&](double column, double row) {
        return scale * (onPage(column, row) - layout_.sky.topLeft());
    };
    RingCenters centers;
    centers.count = std::ssize(places);
    centers.exact = [&](int64_t index, QPointF& middle) {
        double column = 0.0, row = 0.0;
        if (!imageFromSky(overlay_, places[static_cast<size_t>(index)], column, row)) return false;
        middle = middleOf(column, row);
        return true;
    };
    const QuickMollweide quick;
    const Mat3 turn = transposed(overlay_.skyFromView);
    if (overlay_.projection == Projection::Mollweide) {
        centers.quick = [&](int64_t index, QPointF& middle) {
            PlanePoint at;
            if (!quick.point(overlay_.flip, turn * places[static_cast<size_t>(index)], at))
                return false;
            middle = middleOf(
                (at.x - overlay_.offset.x) / overlay_.radiansPerPixel + 0.5 * overlay_.width,
                (overlay_.offset.y - at.y) / overlay_.radiansPerPixel + 0.5 * overlay_.height);
            return true;
        };
        const double pixel = middleOf(1.0, 0.0).x() - middleOf(0.0, 0.0).x();
        // The margin covers the rounding of positions in the image.
        centers.slack = 1.01 * QuickMollweide::kError / overlay_.radiansPerPixel * pixel;
    }
    crowd_ = ringPicture(size, centers, ringLook(dpi), job);
}

void FigurePainter::paintMarkers(QPainter& painter) const {
    const RingLook look = ringLook(dpi_);
    const auto ring = [&](Vec3 direction, QPointF& at) {
        double column = 0.0, row = 0.0;
        if (!imageFromSky(overlay_, direction, column, row)) return false;
        at = onPage(column, row);
        if (!layout_.sky.contains(at)) return false;
        paintRing(painter, at, look);
        return true;
    };
    QPointF at;
    if (isCrowd())
        painter.drawImage(layout_.sky, crowd_);
    else if (request_.places)
        for (const Vec3& direction : *request_.places) ring(direction, at);
    const QFont font = theme_.font(FigureTheme::kLabelPoints);
    for (const FigureMarker& marker : request_.markers) {
        if (!ring(direction(marker.position), at) || marker.label.isEmpty()) continue;
        const double width = QFontMetricsF(font, painter.device()).horizontalAdvance(marker.label);
        paintOnSky(painter, at + QPointF(look.radius + points(2.5) + 0.5 * width, 0.0),
                   marker.label, font);
    }
}

}  // namespace armilla
