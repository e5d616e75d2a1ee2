// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/sky_overlay.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/units.h"
#include "view/halo_text.h"
#include "view/overlay_plates.h"
#include "view/picture.h"
#include "view/rod_strokes.h"
#include "view/sky_arcs.h"

namespace armilla {
namespace {

QColor faded(QColor color, double share) {
    color.setAlphaF(static_cast<float>(color.alphaF() * share));
    return color;
}

void paintChip(QPainter& painter, const QRectF& plate, const QString& text, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.chip);
    painter.drawRoundedRect(plate, theme.radius, theme.radius);
    painter.setPen(theme.chipText);
    painter.drawText(plate, Qt::AlignCenter, text);
}

void strokeWithHalo(QPainter& painter, const QPainterPath& path, const QColor& color,
                    const QColor& halo, double width) {
    painter.setBrush(Qt::NoBrush);
    painter.strokePath(path, QPen(halo, width + 2.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.strokePath(path, QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

// Lines of at most a pixel are drawn pixel by pixel. Wider lines are drawn as filled outlines,
// which takes ten times as long, so a wide line is drawn as several thin parallel lines.
void strokeThin(QPainter& painter, const QPainterPath& path, const QColor& color, double width) {
    if (path.isEmpty()) return;
    const double ratio = painter.device()->devicePixelRatioF(), pixels = width * ratio;
    QPen pen(faded(color, std::min(1.0, pixels)), 1.0);
    pen.setCosmetic(true);
    if (pixels < 1.5) return painter.strokePath(path, pen);
    // At most two pixels apart; about two of the lines cover each point.
    const int rounds = static_cast<int>(std::ceil(0.5 * (pixels - 1.0)));
    const double aside = 0.5 * (pixels - 1.0) / ratio / rounds;
    QColor part = color;
    part.setAlphaF(static_cast<float>(1.0 - std::sqrt(1.0 - color.alphaF())));
    pen.setColor(part);
    for (int k = 1; k <= rounds; ++k)
        for (const QPointF side : {QPointF(-1, 0), QPointF(1, 0), QPointF(0, -1), QPointF(0, 1)}) {
            painter.translate(k * aside * side);
            painter.strokePath(path, pen);
            painter.translate(-k * aside * side);
        }
}

}  // namespace

SkyOverlay::SkyOverlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
}

void SkyOverlay::paintElsewhere(std::function<void(const QRect&)> touched) {
    touched_ = std::move(touched);
    touch(rect());
}

void SkyOverlay::touch(const QRect& area) {
    if (touched_)
        touched_(area);
    else
        update(area);
}

QPainterPath SkyOverlay::path(const std::vector<Polyline>& lines, QPointF origin) const {
    const double pixel = 1.0 / devicePixelRatioF();
    QPainterPath path;
    for (const Polyline& line : lines) {
        if (line.size() < 2) continue;
        path.moveTo(origin + QPointF(line[0].column, line[0].row) * pixel);
        for (size_t i = 1; i < line.size(); ++i)
            path.lineTo(origin + QPointF(line[i].column, line[i].row) * pixel);
    }
    return path;
}

void SkyOverlay::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        lineLayer_ = shapeLayer_ = QPixmap();
        places_.ratio = 0.0;  // forces a new computation
        touch(rect());
    }
    QWidget::changeEvent(event);
}

template <class Paint>
void SkyOverlay::paintLayer(QPainter& painter, QPixmap& layer, const Paint& paint) const {
    if (size().isEmpty()) return;
    const double ratio = devicePixelRatioF();
    const QSize device = (QSizeF(size()) * ratio).toSize();
    if (layer.isNull() || layer.devicePixelRatio() != ratio) {
        layer = QPixmap(device);
        layer.setDevicePixelRatio(ratio);
        layer.fill(Qt::transparent);
        QPainter inLayer(&layer);
        inLayer.setRenderHint(QPainter::Antialiasing);
        inLayer.setFont(font());
        paint(inLayer);
    }
    // After a change of size the layer stays centered, as the picture does, until a new scene
    // arrives; repainting its lines would be wasted.
    const QSize room = device - layer.size();
    painter.drawPixmap(
        QPointF(std::round(0.5 * room.width()), std::round(0.5 * room.height())) / ratio, layer);
}

void SkyOverlay::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    paintOver(painter, event->region());
}

void SkyOverlay::paintOver(QPainter& painter, const QRegion& region) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    const Theme& theme = Theme::of(this);
    paintShades(painter);
    paintLayer(painter, lineLayer_, [&](QPainter& layer) { paintLines(layer, theme); });
    if (hasShapes())
        paintLayer(painter, shapeLayer_, [&](QPainter& layer) {
            paintRods(layer);
            paintContours(layer, theme);
            paintBorders(layer, theme);
            paintDrawn(layer, theme);
            paintRuler(layer, theme);
        });
    for (const PlacedRodScale& scale : places().rodScales) paintRodScale(painter, scale, theme);
    paintLabels(painter, region, theme);
    paintRings(painter, theme);
    paintCrosses(painter, theme);
    paintSwipe(painter, theme);
    paintChips(painter, region, theme);
    paintBars(painter, region, theme);
    if (!scene_.headline.isEmpty()) paintHeadline(painter, theme);
}

void SkyOverlay::paintLines(QPainter& painter, const Theme& theme) const {
    for (size_t i = 0; i < lines_.size(); ++i) {
        const PaintedWithin panel(painter, logical(scene_.panels[i]));
        // The faint shadow keeps the line visible on its own color.
        strokeThin(painter, lines_[i].graticule, faded(theme.skyHalo, 0.22), 2.2);
        strokeThin(painter, lines_[i].graticule, theme.skyLine, 0.9);
        strokeThin(painter, lines_[i].outline, theme.skyOutline, 1.2);
    }
    if (scene_.panels.size() > 1) {
        painter.setPen(QPen(theme.separator, 1.0));
        for (size_t i = 1; i < scene_.panels.size(); ++i) {
            const double x = logical(scene_.panels[i]).left();
            painter.drawLine(QPointF(x, 0.0), QPointF(x, height()));
        }
    }
}

void SkyOverlay::paintRods(QPainter& painter) const {
    const double pixel = 1.0 / devicePixelRatioF();
    for (const OverlayScene::Rods& set : scene_.rods) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(set.panel)]);
        const PaintedWithin side(
            painter, QRectF(panel.left() + set.clipLeft * panel.width(), panel.top(),
                            (set.clipRight - set.clipLeft) * panel.width(), panel.height()));
        strokeRods(painter, set.rods, panel.topLeft(), pixel);
    }
}

void SkyOverlay::paintContours(QPainter& painter, const Theme& theme) const {
    for (const OverlayScene::Contour& contour : scene_.contours) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(contour.panel)]);
        const PaintedWithin side(
            painter,
            QRectF(panel.left() + contour.clipLeft * panel.width(), panel.top(),
                   (contour.clipRight - contour.clipLeft) * panel.width(), panel.height()));
        const QPainterPath lines = path(contour.pieces, panel.topLeft());
        const double width = contour.strong ? 1.7 : 1.0;
        painter.strokePath(lines, QPen(faded(theme.skyHalo, 0.7), width + 1.6));
        painter.strokePath(lines, QPen(theme.skyLabel, width));
    }
}

void SkyOverlay::paintBorders(QPainter& painter, const Theme& theme) const {
    for (const OverlayScene::Border& border : scene_.borders) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(border.panel)]);
        const PaintedWithin within(painter, panel);
        strokeWithHalo(painter, path(border.lines, panel.topLeft()), theme.measure, theme.skyHalo,
                       1.6);
    }
}

void SkyOverlay::paintLabels(QPainter& painter, const QRegion& region, const Theme& theme) const {
    painter.setFont(theme.smallFont(font()));
    for (const PlacedLabel& label : places().labels)
        if (region.intersects(
                haloTextArea(painter.font(), label.box.center(), label.text).toAlignedRect()))
            drawHaloTextCentered(painter, label.box.center(), label.text, theme.skyLabel,
                                 theme.skyHalo);
    painter.setFont(font());
}

void SkyOverlay::paintRuler(QPainter& painter, const Theme& theme) const {
    if (!scene_.ruler) return;
    const OverlayScene::Ruler& ruler = *scene_.ruler;
    if (ruler.panel >= static_cast<int>(scene_.panels.size())) return;
    const QRect& panel = scene_.panels[static_cast<size_t>(ruler.panel)];
    const ViewGeometry view = geometryFor(scene_.camera, panel.size(), scene_.camera.frame);
    const QPointF origin = logical(panel).topLeft();
    const std::vector<Polyline> arc = arcLines(view, ruler.from, ruler.to);
    if (arc.empty()) return;
    const PaintedWithin within(painter, logical(panel));
    strokeWithHalo(painter, path(arc, origin), theme.measure, theme.skyHalo, 1.8);
    const double pixel = 1.0 / devicePixelRatioF();
    const auto place = [&](const ImagePoint& p) {
        return origin + QPointF(p.column, p.row) * pixel;
    };
    painter.setPen(QPen(theme.skyHalo, 1.0));
    painter.setBrush(theme.measure);
    for (const Vec3& end : {ruler.from, ruler.to}) {
        ImagePoint p;
        if (imageFromSky(view, end, p.column, p.row)) painter.drawEllipse(place(p), 3.5, 3.5);
    }
    const Polyline& longest = *std::max_element(
        arc.begin(), arc.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const QString text =
        tr("%1 · PA %2°")
            .arg(QString::fromStdString(formatAngle(angularDistance(ruler.from, ruler.to))))
            .arg(positionAngle(ruler.from, ruler.to) / kDegree, 0, 'f', 1);
    QRectF plate = chipPlate(QFontMetricsF(painter.font()), {}, false, text);
    plate.moveCenter(place(longest[longest.size() / 2]) - QPointF(0.0, 0.5 * kChipHeight + 10.0));
    paintChip(painter, plate, text, theme);
}

void SkyOverlay::paintCrosses(QPainter& painter, const Theme& theme) const {
    for (const PlacedCross& cross : places().crosses) {
        const PaintedWithin panel(painter, cross.panel);
        QPainterPath path;
        for (const QPointF arm : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)}) {
            path.moveTo(cross.at + 4.0 * arm);
            path.lineTo(cross.at + 11.0 * arm);
        }
        strokeWithHalo(painter, path, theme.measure, theme.skyHalo, 1.4);
    }
}

void SkyOverlay::paintRings(QPainter& painter, const Theme& theme) const {
    for (const PlacedRing& ring : places().rings) {
        const PaintedWithin panel(painter, ring.panel);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.skyHalo, 4.0));
        painter.drawEllipse(ring.circle);
        painter.setPen(QPen(theme.measure, 1.6));
        painter.drawEllipse(ring.circle);
        if (!ring.text.isEmpty()) paintChip(painter, ring.plate, ring.text, theme);
    }
}

void SkyOverlay::paintSwipe(QPainter& painter, const Theme& theme) const {
    const std::optional<QRectF>& line = places().divider;
    if (!line) return;
    const QColor ink = theme.dark ? QColor(Qt::white) : theme.text;
    painter.setPen(QPen(theme.skyHalo, 3.6));
    painter.drawLine(line->topLeft(), line->bottomLeft());
    painter.setPen(QPen(ink, 1.6));
    painter.drawLine(line->topLeft(), line->bottomLeft());
    const QPointF middle = line->center();
    painter.setPen(QPen(scene_.swipeLit ? theme.accent : theme.skyHalo, 2.0));
    painter.setBrush(theme.dark ? QColor(Qt::white) : QColor(theme.card));
    painter.drawEllipse(middle, kHandleRadius, kHandleRadius);
    QPainterPath arrows;
    for (const double side : {-1.0, 1.0}) {
        arrows.moveTo(middle + QPointF(side * 3.4, -3.6));
        arrows.lineTo(middle + QPointF(side * 7.0, 0.0));
        arrows.lineTo(middle + QPointF(side * 3.4, 3.6));
    }
    painter.setBrush(Qt::NoBrush);
    painter.strokePath(
        arrows, QPen(QColor(0x22, 0x2a, 0x34), 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

void SkyOverlay::paintChips(QPainter& painter, const QRegion& region, const Theme& theme) const {
    for (const PlacedChip& chip : places().chips)
        if (region.intersects(chip.plate.toAlignedRect()))
            paintChip(painter, chip.plate, chip.text, theme);
}

void SkyOverlay::paintBars(QPainter& painter, const QRegion& region, const Theme& theme) const {
    painter.setFont(theme.smallFont(font()));
    const QFontMetricsF metrics(painter.font());
    for (const PlacedBar& placed : places().bars) {
        if (!region.intersects(placed.plate.toAlignedRect())) continue;
        const OverlayScene::Bar& bar = scene_.bars[placed.bar];
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.chip);
        painter.drawRoundedRect(placed.plate, theme.radius, theme.radius);
        paintColorBar(painter, placed.place, bar.scale, bar.text, theme, false, placed.title);
        if (!placed.frameLine.isEmpty()) {
            painter.setPen(theme.textMuted);
            painter.drawText(
                QPointF(placed.place.left(), placed.place.top() - 4.0 - metrics.descent()),
                placed.frameLine);
        }
    }
    painter.setFont(font());
}

void SkyOverlay::paintHeadline(QPainter& painter, const Theme& theme) const {
    QFont large = font();
    large.setPointSizeF(std::max(1.0, QFontInfo(large).pointSizeF()) * 1.35);
    painter.setFont(large);
    const QPointF middle = QRectF(rect()).center();
    drawHaloTextCentered(painter, middle, scene_.headline, theme.skyLabel, theme.skyHalo);
    const double step = QFontMetricsF(large).height() * 1.25;
    painter.setFont(font());
    drawHaloTextCentered(painter, middle + QPointF(0.0, step), scene_.hint, theme.textMuted,
                         theme.skyHalo);
}

}  // namespace armilla

#include "moc_sky_overlay.cpp"
