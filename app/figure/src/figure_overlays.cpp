// SPDX-License-Identifier: GPL-3.0-or-later
// Contours, veil and the labels outside of the sky: parts of SkyPanel.
#include "armilla/figure/figure_overlays.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "armilla/draw/contours.h"
#include "armilla/draw/drawn_values.h"
#include "armilla/draw/graticule_edges.h"
#include "armilla/draw/image_renderer.h"
#include "averaged_down.h"
#include "sky_panel.h"

namespace armilla {

// How lines are stroked. Qt draws a path in a time that grows with the square of its points:
// contours of noise take minutes as one path. Round joins double the time. Ends of translucent
// halos would show where a line is cut often.
struct SkyPanel::Stroking {
    size_t mostPoints = 0;  // approximate limit of a path
    Qt::PenJoinStyle join = Qt::RoundJoin;
    Qt::PenCapStyle haloEnds = Qt::RoundCap;
};

namespace {

// Weight of the bad color over masked pixels; the colors below remain visible.
constexpr double kVeil = 0.7;

// Points of contours beyond which a vector format holds them as an image.
// Contours of noise have millions of points, which viewers draw in minutes.
constexpr size_t kMostVectorPoints = 300000;

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

void SkyPanel::traceContours(std::span<const float> values, int width, int height) {
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

void SkyPanel::rasterizeManyContours() {
    size_t count = 0;
    for (const std::vector<Polyline>& lines : contours_)
        for (const Polyline& line : lines) count += line.size();
    if (!isVector() || count <= kMostVectorPoints) return;
    const double scale = rasterDpi_ / dpi_;
    const QSize size(std::max(1, static_cast<int>(std::lround(scale * place_.sky.width()))),
                     std::max(1, static_cast<int>(std::lround(scale * place_.sky.height()))));
    QImage image = imageWithRoom(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size.width() / place_.sky.width(), size.height() / place_.sky.height());
    painter.translate(-place_.sky.topLeft());
    strokeContours(painter, {100, Qt::BevelJoin, Qt::FlatCap});
    painter.end();
    contourImage_ = inVectorFormat(std::move(image));
}

void SkyPanel::paintContours(QPainter& painter) const {
    if (contourImage_.isNull())
        strokeContours(painter, {4000});
    else
        paintOverSky(painter, contourImage_);
}

void SkyPanel::strokeContours(QPainter& painter, const Stroking& stroking) const {
    painter.setBrush(Qt::NoBrush);
    QColor halo = halo_;
    halo.setAlphaF(0.7F);
    // The first level is the strongest line.
    for (size_t i = 0; i < contours_.size(); ++i) {
        const double width = i == 0 ? 1.1 : 0.8;
        const auto groups = inGroups(contours_[i], stroking.mostPoints);
        for (const QPen& pen :
             {QPen(halo, points(width + 1.2), Qt::SolidLine, stroking.haloEnds, stroking.join),
              QPen(line_, points(width), Qt::SolidLine, Qt::RoundCap, stroking.join)})
            for (const std::vector<Polyline>& lines : groups)
                painter.strokePath(onPage(lines), pen);
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
