// SPDX-License-Identifier: GPL-3.0-or-later
// Lines on the sky over the picture: projection, clipping at projection edges, and painting.
#include <QPainter>
#include <QPainterPath>
#include <cmath>
#include <utility>

#include "view/halo_text.h"
#include "view/label_place.h"
#include "view/overlay_plates.h"
#include "view/sky_arcs.h"
#include "view/tool_overlays.h"

namespace armilla {
namespace {

constexpr double kHandle = 3.6;  // logical pixels
constexpr double kLabelGap = 8.0;
// A link shorter than a marker (pixels) is left out, because it would hide the markers.
constexpr double kLeastLink = 8.0;

QColor inkOf(SkyLine::Ink ink, const Theme& theme) {
    switch (ink) {
        case SkyLine::Ink::Region: return theme.skyLabel;
        case SkyLine::Ink::Chosen: return theme.measure;
        case SkyLine::Ink::Excluded:
        case SkyLine::Ink::Cut: return theme.error;
        case SkyLine::Ink::Link: return theme.second;
        case SkyLine::Ink::Orphan: return theme.warning;
        case SkyLine::Ink::Restore: return theme.success;
    }
    return theme.skyLabel;
}

}  // namespace

void addLines(OverlayScene& scene, const ViewContents& view,
              const std::map<QString, std::vector<SkyLine>>& lines) {
    view.forEachPanel([&](const PanelContent& content) {
        for (const auto& [name, named] : lines)
            for (const SkyLine& line : named) {
                const Frame frame = line.frame == Frame::Unknown ? view.camera.frame : line.frame;
                const ViewGeometry geometry =
                    geometryFor(view.camera, content.rectangle.size(), frame);
                OverlayScene::Drawn drawn;
                drawn.panel = content.panel;
                drawn.ink = line.ink;
                drawn.lines = projected(geometry, line.points);
                if (line.ink == SkyLine::Ink::Link)
                    std::erase_if(drawn.lines, [&](const Polyline& way) {
                        return std::hypot(way.back().column - way.front().column,
                                          way.back().row - way.front().row) <
                               kLeastLink * view.pixelRatio;
                    });
                drawn.text = line.text;
                if (line.width > 0.0)
                    drawn.width = line.width / geometry.radiansPerPixel / view.pixelRatio;
                for (const Vec3& handle : line.handles) {
                    ImagePoint p;
                    if (imageFromSky(geometry, handle, p.column, p.row))
                        drawn.handles.emplace_back(p.column, p.row);
                }
                if (!drawn.lines.empty() || !drawn.handles.empty())
                    scene.drawn.push_back(std::move(drawn));
            }
    });
}

void SkyOverlay::paintDrawn(QPainter& painter, const Theme& theme) const {
    if (scene_.drawn.empty()) return;
    std::vector<QRectF> taken = places().cards;
    for (const PlacedLabel& label : places().labels) taken.push_back(label.box);
    const double pixel = 1.0 / devicePixelRatioF();
    for (const OverlayScene::Drawn& drawn : scene_.drawn) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(drawn.panel)]);
        const PaintedWithin within(painter, panel);
        const QColor ink = inkOf(drawn.ink, theme);
        QPainterPath way = path(drawn.lines, panel.topLeft());
        for (const Polyline& line : drawn.lines)
            if (line.size() == 1) {  // a single dab of the brush
                way.moveTo(panel.topLeft() + QPointF(line[0].column, line[0].row) * pixel);
                way.lineTo(way.currentPosition() + QPointF(0.01, 0.0));
            }
        painter.setBrush(Qt::NoBrush);
        if (drawn.width > 0.0) {
            // The halo keeps the line visible on a picture of its own color.
            for (const auto& [from, edge] : {std::pair{theme.skyHalo, 3.0}, std::pair{ink, 0.0}}) {
                QColor wash = from;
                wash.setAlphaF(0.45F);
                painter.strokePath(way, QPen(wash, std::max(1.0, drawn.width) + edge, Qt::SolidLine,
                                             Qt::RoundCap, Qt::RoundJoin));
            }
            continue;
        }
        const bool isDashed =
            drawn.ink == SkyLine::Ink::Orphan || drawn.ink == SkyLine::Ink::Excluded;
        const double width = drawn.ink == SkyLine::Ink::Chosen ? 2.0 : 1.5;
        painter.strokePath(
            way, QPen(theme.skyHalo, width + 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.strokePath(way, QPen(ink, width, isDashed ? Qt::DashLine : Qt::SolidLine,
                                     Qt::RoundCap, Qt::RoundJoin));
        painter.setPen(QPen(theme.skyHalo, 1.0));
        painter.setBrush(ink);
        for (const QPointF& handle : drawn.handles)
            painter.drawEllipse(panel.topLeft() + handle * pixel, kHandle, kHandle);
        if (drawn.text.isEmpty() || drawn.lines.empty()) continue;
        std::vector<QPointF> points;
        for (const Polyline& line : drawn.lines)
            for (const ImagePoint& p : line)
                points.push_back(panel.topLeft() + QPointF(p.column, p.row) * pixel);
        const QFontMetricsF metrics(painter.font());
        const auto place =
            placeBeside(points, {metrics.horizontalAdvance(drawn.text), metrics.height()}, panel,
                        taken, kLabelGap);
        if (!place) continue;
        taken.push_back(*place);  // names also stay clear of each other
        drawHaloTextCentered(painter, place->center(), drawn.text, ink, theme.skyHalo);
    }
}

}  // namespace armilla
