// SPDX-License-Identifier: GPL-3.0-or-later
// Contours, veil and the labels outside of the sky: parts of SkyPanel.
#include "armilla/figure/figure_overlays.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "armilla/draw/contours.h"
#include "armilla/draw/drawn_values.h"
#include "armilla/draw/graticule_edges.h"
#include "armilla/draw/image_renderer.h"
#include "averaged_down.h"
#include "contour_image.h"
#include "sky_panel.h"

namespace armilla {

namespace {

// Weight of the bad color over masked pixels; the colors below remain visible.
constexpr double kVeil = 0.7;

// Pieces of contours beyond which they are drawn as pixels. Contours of noise have millions of
// pieces, which Qt and viewers of vector formats draw in minutes.
constexpr int64_t kMostLinePieces = 300000;
// Approximate limit of a path: Qt draws a path in a time that grows with the square of its points.
// Ends of translucent halos would show where a line is cut often.
constexpr size_t kPathPoints = 4000;

// The first level is the strongest line. Points of width.
double lineWidthOf(size_t level) {
    return level == 0 ? 1.1 : 0.8;
}
constexpr double kHaloWidth = 1.2;

uint8_t mixed(uint8_t from, uint8_t to, double share) {
    return static_cast<uint8_t>(std::lround((1.0 - share) * from + share * to));
}

// Lines in groups of at most about `most` points; longer lines are cut.
std::vector<std::vector<Polyline>> inGroups(const std::vector<Polyline>& lines, size_t most) {
    std::vector<std::vector<Polyline>> groups;
    size_t points = most;
    for (const Polyline& line : lines)
        for (size_t first = 0; first == 0 || first + 1 < line.size(); first += most - 1) {
            const size_t count = std::min(most, line.size() - first);
            if (points + count > most) {
                groups.emplace_back();
                points = 0;
            }
            const auto begin = line.begin() + static_cast<std::ptrdiff_t>(first);
            groups.back().emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
            points += count;
        }
    return groups;
}

}  // namespace

void SkyPanel::interpolateColors(std::vector<Rgba>& pixels, std::span<const float> values,
                                 const ColorScale& scale) {
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    const ColorPicker color(scale, table);
    for (size_t i = 0; i < pixels.size(); ++i)
        if (values[i] == values[i]) pixels[i] = color(values[i]);
}

void SkyPanel::veil(std::vector<Rgba>& pixels, Frame mapFrame, JobContext& job) const {
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

void SkyPanel::traceContours(std::vector<float> values, QSize size, JobContext& job) {
    int64_t pieces = 0;
    for (const double level : overlays_.contours)
        pieces += contourPieceCount(values, size.width(), size.height(), level, job);
    if (pieces > kMostLinePieces) {
        contourValues_ = {std::move(values), size};
        remark_ = "contours are drawn as pixels: expected at most " +
                  std::to_string(kMostLinePieces) + " pieces of lines, found " +
                  std::to_string(pieces) + "; a smoothed map has fewer";
        return;
    }
    for (const double level : overlays_.contours) {
        job.poll();
        std::vector<Polyline> lines = contourLines(values, size.width(), size.height(), level);
        for (Polyline& line : lines)
            for (ImagePoint& point : line) {
                point.column *= static_cast<double>(overlay_.width) / size.width();
                point.row *= static_cast<double>(overlay_.height) / size.height();
            }
        contours_.push_back(std::move(lines));
    }
}

QColor SkyPanel::contourHalo() const {
    QColor halo = halo_;
    halo.setAlphaF(0.7F);
    return halo;
}

void SkyPanel::drawManyContours(JobContext& job) {
    const auto [values, size] = std::exchange(contourValues_, {});
    if (values.empty()) return;
    // The pixels of the page, or of the sky image in a vector format.
    const double scale = std::min(1.0, rasterDpi_ / dpi_);
    const QSize across(std::max(1, static_cast<int>(std::lround(scale * place_.sky.width()))),
                       std::max(1, static_cast<int>(std::lround(scale * place_.sky.height()))));
    QImage image = imageWithRoom(across, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    for (size_t i = 0; i < overlays_.contours.size(); ++i) {
        const double width = lineWidthOf(i);
        const ContourPens pens{line_.rgba(), contourHalo().rgba(), 0.5 * scale * points(width),
                               0.5 * scale * points(width + kHaloWidth)};
        drawContourPixels(values, size, overlays_.contours[i], pens, image, job);
    }
    contourImage_ = isVector() ? inVectorFormat(std::move(image)) : std::move(image);
}

void SkyPanel::paintContours(QPainter& painter) const {
    if (!contourImage_.isNull()) return paintOverSky(painter, contourImage_);
    const JobContext job(stop_, {}, 1);
    painter.setBrush(Qt::NoBrush);
    for (size_t i = 0; i < contours_.size(); ++i) {
        const double width = lineWidthOf(i);
        const auto groups = inGroups(contours_[i], kPathPoints);
        for (const QPen& pen :
             {QPen(contourHalo(), points(width + kHaloWidth), Qt::SolidLine, Qt::RoundCap,
                   Qt::RoundJoin),
              QPen(line_, points(width), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin)})
            for (const std::vector<Polyline>& lines : groups) {
                job.poll();
                painter.strokePath(onPage(lines), pen);
            }
    }
}

std::vector<SkyPanel::OutsideLabel> SkyPanel::outsideLabels(const QFontMetricsF& metrics) const {
    std::vector<OutsideLabel> placed;
    for (const EdgeLabel& label :
         graticuleEdges(overlay_, graticule_.step, graticule_.longitudeStep,
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
        if (isFree && place_.room.contains(one.box)) placed.push_back(one);
    }
    return placed;
}

void SkyPanel::paintOutsideLabels(QPainter& painter) const {
    if (!place_.hasEdges) return;
    const QFont font = theme_.font(theme_.labelPoints);
    const QFontMetricsF metrics(font, painter.device());
    painter.setFont(font);
    painter.setPen(theme_.ink);
    for (const OutsideLabel& label : outsideLabels(metrics))
        painter.drawText(QPointF(label.box.left(), label.box.top() + metrics.ascent()), label.text);
}

}  // namespace armilla
