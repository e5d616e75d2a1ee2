// SPDX-License-Identifier: GPL-3.0-or-later
// Contours, veil and the labels outside of the sky: parts of FigurePainter.
#include "armilla/figure/figure_overlays.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "armilla/draw/contours.h"
#include "armilla/draw/drawn_values.h"
#include "armilla/draw/graticule_edges.h"
#include "armilla/draw/image_renderer.h"
#include "figure_painter.h"

namespace armilla {

namespace {

// Weight of the bad color over masked pixels; the colors below remain visible.
constexpr double kVeil = 0.7;

uint8_t mixed(uint8_t from, uint8_t to, double share) {
    return static_cast<uint8_t>(std::lround((1.0 - share) * from + share * to));
}

}  // namespace

void FigurePainter::interpolateColors(std::vector<Rgba>& pixels, std::span<const float> values,
                                      const ColorScale& scale) {
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    const ColorPicker color(scale, table);
    for (size_t i = 0; i < pixels.size(); ++i)
        if (values[i] == values[i]) pixels[i] = color(values[i]);
}

void FigurePainter::veil(std::vector<Rgba>& pixels, Frame mapFrame, JobContext& job) const {
    const HealpixMap& mask = *overlays_.mask;
    const Frame frame = mask.frame() == Frame::Unknown ? mapFrame : mask.frame();
    const std::vector<double> kept = renderValues(
        mask, overlays_.maskField, view(rasterDpi_, frame), PixelInterpolation::Nearest, job);
    const Rgba bad = request_.scale.bad;
    for (size_t i = 0; i < pixels.size(); ++i) {
        if (pixels[i].a == 0) continue;
        const double keep = std::isnan(kept[i]) ? 0.0 : std::clamp(kept[i], 0.0, 1.0);
        const double share = kVeil * (1.0 - keep);
        pixels[i] = {mixed(pixels[i].r, bad.r, share), mixed(pixels[i].g, bad.g, share),
                     mixed(pixels[i].b, bad.b, share), pixels[i].a};
    }
}

void FigurePainter::traceContours(std::span<const float> values, int width, int height) {
    for (const double level : overlays_.contours) {
        std::vector<Polyline> lines = contourLines(values, width, height, level);
        for (Polyline& line : lines)
            for (ImagePoint& point : line) {
                point.column *= static_cast<double>(overlay_.width) / width;
                point.row *= static_cast<double>(overlay_.height) / height;
            }
        contours_.push_back(std::move(lines));
    }
}

void FigurePainter::paintContours(QPainter& painter) const {
    painter.setBrush(Qt::NoBrush);
    // The first level is the strongest line.
    for (size_t i = 0; i < contours_.size(); ++i) {
        const double width = i == 0 ? 1.1 : 0.8;
        const QPainterPath path = onPage(contours_[i]);
        QColor halo = halo_;
        halo.setAlphaF(0.7F);
        painter.strokePath(
            path, QPen(halo, points(width + 1.2), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.strokePath(path,
                           QPen(line_, points(width), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    }
}

QSizeF FigurePainter::edgeRoom(QSizeF room) const {
    if (!(request_.graticuleStep > 0.0)) return {};
    // The widest label that occurs at this step. Steps of 1/4 degree are minutes of time.
    const bool isHours = longitudeUnitOf(request_.camera.frame) == LongitudeUnit::Hours;
    const double step = request_.graticuleStep;
    const char* widest = step >= 0.999 * kDegree             ? (isHours ? "23h59m" : "360°")
                         : isHours && step < 0.249 * kDegree ? "23h59m59.99s"
                         : step >= 0.999 * kArcmin           ? "360°00′"
                                                             : "360°00′00.00″";
    const QFontMetricsF metrics = pageMetrics(FigureTheme::kLabelPoints);
    constexpr double kMostShare = 0.14;
    const QSizeF edge(metrics.horizontalAdvance(QString::fromUtf8(widest)) + points(4),
                      metrics.height() + points(1));
    const bool fits =
        edge.width() <= kMostShare * room.width() && edge.height() <= kMostShare * room.height();
    return fits ? edge : QSizeF();
}

std::vector<FigurePainter::OutsideLabel> FigurePainter::outsideLabels(
    const Graticule& lines, const QFontMetricsF& metrics) const {
    std::vector<OutsideLabel> placed;
    for (const EdgeLabel& label : graticuleEdges(overlay_, lines.step, lines.longitudeStep,
                                                 longitudeUnitOf(request_.camera.frame))) {
        OutsideLabel one{withMinus(QString::fromStdString(label.text)), {}, label.isLatitude};
        const double width = metrics.horizontalAdvance(one.text), height = metrics.height();
        QPointF at = onPage(label.at.column, label.at.row);
        const double gap = points(2.5);
        switch (label.side) {
            case PictureSide::Left: at += {-gap - 0.5 * width, 0.0}; break;
            case PictureSide::Right: at += {gap + 0.5 * width, 0.0}; break;
            case PictureSide::Bottom: at += {0.0, 0.5 * height}; break;
            case PictureSide::Top: at += {0.0, -0.5 * height}; break;
        }
        one.box = QRectF(at.x() - 0.5 * width, at.y() - 0.5 * height, width, height);
        const bool isFree =
            std::none_of(placed.begin(), placed.end(), [&](const OutsideLabel& other) {
                return other.box.adjusted(-gap, 0, gap, 0).intersects(one.box);
            });
        if (isFree && QRectF(QPointF(0, 0), page_).contains(one.box)) placed.push_back(one);
    }
    return placed;
}

void FigurePainter::paintOutsideLabels(QPainter& painter) const {
    if (!layout_.hasEdges) return;
    const QFont font = theme_.font(FigureTheme::kLabelPoints);
    const QFontMetricsF metrics(font, painter.device());
    painter.setFont(font);
    painter.setPen(theme_.ink);
    for (const OutsideLabel& label : outsideLabels(graticuleLines(), metrics))
        painter.drawText(QPointF(label.box.left(), label.box.top() + metrics.ascent()), label.text);
}

}  // namespace armilla
