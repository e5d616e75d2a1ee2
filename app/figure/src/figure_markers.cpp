// SPDX-License-Identifier: GPL-3.0-or-later
// Rings around places, or the density of many places.
#include <algorithm>
#include <cmath>
#include <span>

#include "armilla/draw/markers.h"
#include "averaged_down.h"
#include "quick_mollweide.h"
#include "sky_panel.h"

namespace armilla {

namespace {

constexpr size_t kManyMarkers = 500;
constexpr int64_t kGrain = 4096;  // places projected per work item

size_t countOf(const FigureRequest& request) {
    return request.markers.size() +
           (request.places ? static_cast<size_t>(request.places->count) : 0);
}

}  // namespace

RingLook SkyPanel::ringLook() const {
    return {points(countOf(request_) > kManyMarkers ? 2.0 : 3.2), points(0.8), points(1.8), line_,
            halo_};
}

void SkyPanel::renderPlaces(JobContext& job) {
    if (!request_.places) return;
    const double dpi = std::min(dpi_, rasterDpi_), scale = dpi / dpi_;
    // A density of dots of 3 logical pixels.
    const double pixelRatio = dpi / 96.0;
    const MarkerStyle style{MarkerShape::Disc,
                            3.0,
                            {static_cast<uint8_t>(line_.red()), static_cast<uint8_t>(line_.green()),
                             static_cast<uint8_t>(line_.blue()), 255}};
    MarkerCounts counts(static_cast<int>(std::lround(scale * place_.sky.width())),
                        static_cast<int>(std::lround(scale * place_.sky.height())), style,
                        pixelRatio);
    const QuickMollweide quick;
    const Mat3 turn = transposed(overlay_.skyFromView);
    const bool isQuick = overlay_.projection == Projection::Mollweide;
    const auto find = [&](Vec3 place, QPointF& at) {
        double column = 0.0, row = 0.0;
        PlanePoint plane;
        // Its error is far below a pixel.
        if (isQuick && quick.point(overlay_.flip, turn * place, plane)) {
            column =
                (plane.x - overlay_.offset.x) / overlay_.radiansPerPixel + 0.5 * overlay_.width;
            row = (overlay_.offset.y - plane.y) / overlay_.radiansPerPixel + 0.5 * overlay_.height;
        } else if (!imageFromSky(overlay_, place, column, row)) {
            return false;
        }
        at = scale * (onPage(column, row) - place_.sky.topLeft());
        return true;
    };
    const auto isSeen = [&](QPointF at) {
        return at.x() >= 0.0 && at.y() >= 0.0 && at.x() < counts.width && at.y() < counts.height;
    };
    const auto count = [&](std::span<const Vec3> places) {
        parallelFor(job, std::ssize(places), kGrain, [&](long long begin, long long end) {
            QPointF at;
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                if (find(places[i], at)) counts.add(at.x(), at.y());
        });
    };
    const auto keepSeen = [&](std::span<const Vec3> places) {
        QPointF at;
        for (const Vec3& place : places)
            if (find(place, at) && isSeen(at)) rings_.push_back(place);
    };
    request_.places->forBlocks(count, job);
    if (counts.inPicture() <= kMostSingleMarkers) {
        request_.places->forBlocks(keepSeen, job);
        return;
    }
    MarkerImage image;
    image.width = counts.width;
    image.height = counts.height;
    image.pixels.assign(static_cast<size_t>(image.width) * static_cast<size_t>(image.height),
                        Rgba{0, 0, 0, 0});
    paintDensity(counts, style, 1.0, pixelRatio, image, job);
    density_ = imageWithRoom({image.width, image.height}, QImage::Format_ARGB32_Premultiplied);
    const Rgba* from = image.pixels.data();
    for (int row = 0; row < image.height; ++row) {
        auto* to = reinterpret_cast<QRgb*>(density_.scanLine(row));
        for (int column = 0; column < image.width; ++column, ++from)
            *to++ = qRgba(from->r, from->g, from->b, from->a);
    }
    if (isVector()) density_ = inVectorFormat(std::move(density_));
}

void SkyPanel::paintMarkers(QPainter& painter) const {
    const RingLook look = ringLook();
    const auto ring = [&](Vec3 direction, QPointF& at) {
        double column = 0.0, row = 0.0;
        if (!imageFromSky(overlay_, direction, column, row)) return false;
        at = onPage(column, row);
        if (!place_.sky.contains(at)) return false;
        paintRing(painter, at, look);
        return true;
    };
    QPointF at;
    if (!density_.isNull()) paintOverSky(painter, density_);
    for (const Vec3& direction : rings_) ring(direction, at);
    const QFont font = theme_.font(theme_.labelPoints);
    for (const FigureMarker& marker : request_.markers) {
        if (!ring(direction(marker.position), at) || marker.label.isEmpty()) continue;
        const double width = QFontMetricsF(font, painter.device()).horizontalAdvance(marker.label);
        paintOnSky(painter, at + QPointF(look.radius + points(2.5) + 0.5 * width, 0.0),
                   marker.label, font);
    }
}

}  // namespace armilla
