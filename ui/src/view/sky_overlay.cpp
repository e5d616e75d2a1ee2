// SPDX-License-Identifier: GPL-3.0-or-later
#include "src/view/sky_overlay.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/units.h"
#include "src/view/halo_text.h"
#include "src/view/picture.h"
#include "src/view/sky_arcs.h"
#include "src/view/sky_glass.h"

namespace armilla {
namespace {

constexpr double kMargin = 22.0;  // logical pixels between overlays and the view's edge
constexpr double kChipHeight = 22.0;
constexpr double kPlate = 9.0;  // from a color bar to the border of its plate
constexpr double kHandleRadius = 13.0;
const QColor kRodLine(0xf2, 0xf5, 0xf8), kRodHalo(6, 9, 13, 150);

QColor faded(QColor color, double share) {
    color.setAlphaF(static_cast<float>(color.alphaF() * share));
    return color;
}

// The plate of a text; `anchor` is its left (or right) upper corner.
QRectF chipPlate(const QFontMetricsF& metrics, QPointF anchor, bool right, const QString& text) {
    // In steps: a name whose number changes while a slider moves keeps its plate, and with it the
    // lines and labels around.
    constexpr double kStep = 12.0;
    const double width = kStep * std::ceil((metrics.horizontalAdvance(text) + 20.0) / kStep);
    return {right ? anchor.x() - width : anchor.x(), anchor.y(), width, kChipHeight};
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

// Lines of at most a pixel are drawn pixel by pixel, wider ones as the shapes of their borders,
// which takes ten times as long: a wide line is some thin ones beside each other.
void strokeThin(QPainter& painter, const QPainterPath& path, const QColor& color, double width) {
    if (path.isEmpty()) return;
    const double ratio = painter.device()->devicePixelRatioF(), pixels = width * ratio;
    QPen pen(faded(color, std::min(1.0, pixels)), 1.0);
    pen.setCosmetic(true);
    if (pixels < 1.5) return painter.strokePath(path, pen);
    // No further apart than two pixels; about two of them lie over each place.
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

bool sameText(const OverlayScene::Chip& a, const OverlayScene::Chip& b) {
    return a.panel == b.panel && a.right == b.right && a.text == b.text && a.busy == b.busy;
}
bool sameBar(const OverlayScene::Bar& a, const OverlayScene::Bar& b) {
    const ColorMapping &p = a.scale.mapping, &q = b.scale.mapping;
    return a.panel == b.panel && a.text.title == b.text.title && a.text.note == b.text.note &&
           a.scale.colorMap == b.scale.colorMap && a.scale.reversed == b.scale.reversed &&
           p.scale == q.scale && p.low == q.low && p.high == q.high && p.middle == q.middle &&
           p.linear == q.linear && a.scale.cumulative == b.scale.cumulative;
}
bool samePlaces(const OverlayScene& a, const OverlayScene& b) {
    return std::equal(a.crosses.begin(), a.crosses.end(), b.crosses.begin(), b.crosses.end(),
                      [](const OverlayScene::Cross& p, const OverlayScene::Cross& q) {
                          return p.panel == q.panel && p.at == q.at;
                      }) &&
           std::equal(a.rings.begin(), a.rings.end(), b.rings.begin(), b.rings.end(),
                      [](const OverlayScene::Ring& p, const OverlayScene::Ring& q) {
                          return p.panel == q.panel && p.at == q.at && p.radius == q.radius &&
                                 p.text == q.text;
                      });
}
// But for lines, names and color bars; what is drawn and a ruler count as new ones.
bool sameBesideCards(const OverlayScene& a, const OverlayScene& b) {
    const auto isPlain = [](const OverlayScene& scene) {
        return scene.rods.empty() && scene.drawn.empty() && scene.shades.empty() &&
               scene.borders.empty() && scene.contours.empty() && !scene.ruler;
    };
    return isPlain(a) && isPlain(b) && samePlaces(a, b) && a.swipe == b.swipe &&
           a.swipeLit == b.swipeLit && a.frameLine == b.frameLine && a.headline == b.headline &&
           a.hint == b.hint && a.inspector == b.inspector;
}

}  // namespace

SkyOverlay::SkyOverlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
}

void SkyOverlay::setScene(OverlayScene scene) {
    const bool sameLines = lines_.size() == scene.panels.size() && scene.panels == scene_.panels &&
                           looksSame(scene.camera, scene_.camera) &&
                           scene.graticule == scene_.graticule &&
                           scene.graticuleStep == scene_.graticuleStep &&
                           linesRatio_ == devicePixelRatioF() && linesFont_ == font();
    if (scene.panels != scene_.panels) dropLayers();
    const OverlayScene before = std::exchange(scene_, std::move(scene));
    const bool samePlates = linesBeside_ == plates();
    if (!sameLines || !samePlates) makeLines();
    if (!sameLines || !samePlates || !sameBesideCards(before, scene_)) return touch(rect());
    // Names and color bars change as often as a live map is told of; what lies under them does not.
    if (!std::equal(before.chips.begin(), before.chips.end(), scene_.chips.begin(),
                    scene_.chips.end(), sameText))
        for (const PlacedChip& chip : placedChips()) updateAround(chip.plate);
    if (!std::equal(before.bars.begin(), before.bars.end(), scene_.bars.begin(), scene_.bars.end(),
                    sameBar))
        for (const PlacedBar& bar : placedBars()) updateAround(bar.plate);
}

void SkyOverlay::updateAround(const QRectF& plate) {
    touch(plate.adjusted(-1.0, -1.0, 1.0, 1.0).toAlignedRect());
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

QRectF SkyOverlay::logical(const QRect& panel) const {
    const double ratio = devicePixelRatioF();
    return {panel.left() / ratio, panel.top() / ratio, panel.width() / ratio,
            panel.height() / ratio};
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

void SkyOverlay::makeLines() {
    linesRatio_ = devicePixelRatioF();
    linesFont_ = font();
    linesBeside_ = plates();
    const std::vector<PanelLines> before = std::exchange(lines_, {});
    const double textHeight =
        QFontMetricsF(Theme::of(this).smallFont(font())).height() * linesRatio_;
    for (const QRect& panel : scene_.panels) {
        const ViewGeometry view = geometryFor(scene_.camera, panel.size(), scene_.camera.frame);
        const QPointF origin = logical(panel).topLeft();
        PanelLines lines;
        lines.outline = path(skyOutline(view), origin);
        if (scene_.graticule) {
            std::vector<ImageBox> covered;
            for (const QRectF& plate : linesBeside_) {
                const QRectF box((plate.topLeft() - origin) * linesRatio_,
                                 plate.size() * linesRatio_);
                covered.push_back({box.left(), box.top(), box.right(), box.bottom()});
            }
            Graticule grid = graticule(view, scene_.graticuleStep, textHeight, covered);
            lines.graticule = path(grid.lines, origin);
            lines.labels = std::move(grid.labels);
        }
        lines_.push_back(std::move(lines));
    }
    // A name that has grown moves labels, not lines.
    if (!std::equal(lines_.begin(), lines_.end(), before.begin(), before.end(),
                    [](const PanelLines& a, const PanelLines& b) {
                        return a.graticule == b.graticule && a.outline == b.outline;
                    }))
        lineLayer_ = QPixmap();
}

std::vector<SkyOverlay::PlacedChip> SkyOverlay::placedChips() const {
    const QFontMetricsF metrics(font());
    std::vector<PlacedChip> placed;
    for (const OverlayScene::Chip& chip : scene_.chips) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(chip.panel)]);
        const QPointF anchor(chip.right ? panel.right() - kMargin : panel.left() + kMargin,
                             panel.top() + 16.0 + chip.row * (kChipHeight + 4.0));
        const QString text =
            metrics.elidedText(chip.busy ? tr("%1 · working…").arg(chip.text) : chip.text,
                               chip.row == 0 ? Qt::ElideMiddle : Qt::ElideRight,
                               std::max(40.0, 0.5 * panel.width() - 2.5 * kMargin));
        placed.push_back({chipPlate(metrics, anchor, chip.right, text), text});
    }
    return placed;
}

bool SkyOverlay::tellsFrame(const OverlayScene::Bar& bar, double width, BarTitle title) const {
    return title == BarTitle::Above && &bar == scene_.bars.data() && !scene_.frameLine.isEmpty() &&
           QFontMetricsF(Theme::of(this).smallFont(font())).horizontalAdvance(scene_.frameLine) <=
               width;
}

// The plate keeps it legible where the sky fills the view; the first tells the frame, too, where
// there is room above the title.
SkyOverlay::PlacedBar SkyOverlay::placedBar(const OverlayScene::Bar& bar, double left, double width,
                                            BarTitle title) const {
    const QFont small = Theme::of(this).smallFont(font());
    const QRectF panel = logical(scene_.panels[static_cast<size_t>(bar.panel)]);
    const double height = colorBarHeight(small, title);
    const double above = tellsFrame(bar, width, title) ? QFontMetricsF(small).height() + 4.0 : 0.0;
    const QRectF place(left, panel.bottom() - kMargin - height, width, height);
    return {&bar, place, place.adjusted(-kPlate, -kPlate - above, kPlate, kPlate - 1.0), title};
}

bool SkyOverlay::coversWholeSky(const PlacedBar& bar) const {
    if (!scene_.wholeSky) return false;
    const double ratio = devicePixelRatioF();
    const QPointF origin = logical(scene_.panels[static_cast<size_t>(bar.bar->panel)]).topLeft();
    constexpr int samples = 16;
    for (int i = 0; i <= samples; ++i) {
        const double share = static_cast<double>(i) / samples;
        for (const QPointF at :
             {QPointF(bar.plate.left() + share * bar.plate.width(), bar.plate.top()),
              QPointF(bar.plate.right(), bar.plate.top() + share * bar.plate.height())}) {
            Vec3 direction;
            const QPointF pixel = (at - origin) * ratio;
            if (skyFromImage(*scene_.wholeSky, pixel.x(), pixel.y(), direction)) return true;
        }
    }
    return false;
}

std::vector<SkyOverlay::PlacedBar> SkyOverlay::placedBars() const {
    std::vector<double> nextLeft(scene_.panels.size());
    for (size_t i = 0; i < scene_.panels.size(); ++i)
        nextLeft[i] = logical(scene_.panels[i]).left() + kMargin;
    std::vector<PlacedBar> placed;
    for (const OverlayScene::Bar& bar : scene_.bars) {
        const auto at = static_cast<size_t>(bar.panel);
        const QRectF panel = logical(scene_.panels[at]);
        const bool last = at + 1 == scene_.panels.size();
        const double reserved = scene_.inspector.isEmpty() ? 0.0 : scene_.inspector.width() + 24.0;
        const double end = panel.right() - kMargin - (last ? reserved : 0.0);
        const double width =
            std::min({440.0, std::max(0.42 * panel.width(), 160.0), end - nextLeft[at]});
        if (width < 72.0) continue;
        // Low, then shorter, where that leaves the sky free: the tool bar names frame and
        // projection, too.
        constexpr double kLeast = 180.0;
        PlacedBar one = placedBar(bar, nextLeft[at], width, BarTitle::Above);
        for (double less = width; coversWholeSky(one) && less >= std::min(width, kLeast);
             less *= 0.85)
            if (const PlacedBar low = placedBar(bar, nextLeft[at], less, BarTitle::Beside);
                !coversWholeSky(low))
                one = low;
        placed.push_back(one);
        nextLeft[at] = one.place.right() + 2.0 * kPlate + 6.0;
    }
    return placed;
}

std::vector<QRectF> SkyOverlay::plates() const {
    std::vector<QRectF> plates;
    for (const PlacedChip& chip : placedChips()) plates.push_back(chip.plate);
    for (const PlacedBar& bar : placedBars()) plates.push_back(bar.plate);
    if (!scene_.inspector.isEmpty()) plates.push_back(scene_.inspector);
    return plates;
}

std::vector<QRectF> SkyOverlay::cards() const {
    std::vector<QRectF> cards = plates();
    for (const PlacedRodScale& scale : placedRodScales()) cards.push_back(scale.plate);
    if (const auto divider = dividerLine())
        cards.push_back(QRectF(divider->center() - QPointF(kHandleRadius, kHandleRadius),
                               QSizeF(2.0 * kHandleRadius, 2.0 * kHandleRadius)));
    return cards;
}

std::vector<SkyOverlay::PlacedLabel> SkyOverlay::placedLabels(
    const std::vector<QRectF>& cards) const {
    const QFontMetricsF metrics(Theme::of(this).smallFont(font()));
    const double pixel = 1.0 / devicePixelRatioF();
    std::vector<PlacedLabel> placed;
    for (size_t i = 0; i < lines_.size(); ++i) {
        const QRectF panel = logical(scene_.panels[i]);
        for (const GraticuleLabel& label : lines_[i].labels) {
            const QString text = typographicMinus(QString::fromStdString(label.text));
            QRectF box(QPointF(), QSizeF(metrics.horizontalAdvance(text), metrics.height()));
            box.moveCenter(panel.topLeft() + QPointF(label.at.column, label.at.row) * pixel);
            if (std::none_of(cards.begin(), cards.end(),
                             [&](const QRectF& card) { return card.intersects(box); }))
                placed.push_back({box, text});
        }
    }
    return placed;
}

void SkyOverlay::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        dropLayers();
        touch(rect());
    }
    QWidget::changeEvent(event);
}

void SkyOverlay::dropLayers() {
    lineLayer_ = labelLayer_ = QPixmap();
}

template <typename Paint>
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
    // In a view of another size it stays in the middle, as the picture does, until there is a new
    // scene: its lines would be painted for nothing.
    const QSize room = device - layer.size();
    painter.drawPixmap(
        QPointF(std::round(0.5 * room.width()), std::round(0.5 * room.height())) / ratio, layer);
}

void SkyOverlay::paintEvent(QPaintEvent*) {
    if (touched_ && isOnScreen(*this, redirected(nullptr))) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(this);
    paintShades(painter);
    paintLayer(painter, lineLayer_, [&](QPainter& layer) { paintLines(layer, theme); });
    paintRods(painter, theme);
    paintContours(painter, theme);
    paintBorders(painter, theme);
    std::vector<QRectF> taken = cards();
    std::vector<PlacedLabel> labels = placedLabels(taken);
    for (const PlacedLabel& label : labels) taken.push_back(label.box);
    paintDrawn(painter, std::move(taken), theme);
    paintRuler(painter, theme);
    // Where nothing is open, the words have the empty sky to themselves.
    if (scene_.headline.isEmpty() && !labels.empty()) {
        if (labels != layerLabels_) labelLayer_ = QPixmap();
        layerLabels_ = std::move(labels);
        paintLayer(painter, labelLayer_,
                   [&](QPainter& layer) { paintLabels(layer, layerLabels_, theme); });
    }
    paintRings(painter, theme);
    paintCrosses(painter, theme);
    paintSwipe(painter, theme);
    paintChips(painter, theme);
    paintBars(painter, theme);
    if (!scene_.headline.isEmpty()) paintHeadline(painter, theme);
}

void SkyOverlay::paintLines(QPainter& painter, const Theme& theme) const {
    for (size_t i = 0; i < lines_.size(); ++i) {
        painter.setClipRect(logical(scene_.panels[i]));
        // The faint shadow keeps the line visible where the picture has the line's own color.
        strokeThin(painter, lines_[i].graticule, faded(theme.skyHalo, 0.22), 2.2);
        strokeThin(painter, lines_[i].graticule, theme.skyLine, 0.9);
        strokeThin(painter, lines_[i].outline, theme.skyOutline, 1.2);
    }
    painter.setClipping(false);
    if (scene_.panels.size() > 1) {
        painter.setPen(QPen(theme.separator, 1.0));
        for (size_t i = 1; i < scene_.panels.size(); ++i) {
            const double x = logical(scene_.panels[i]).left();
            painter.drawLine(QPointF(x, 0.0), QPointF(x, height()));
        }
    }
}

void SkyOverlay::paintRods(QPainter& painter, const Theme& theme) const {
    const double pixel = 1.0 / devicePixelRatioF();
    for (const OverlayScene::Rods& set : scene_.rods) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(set.panel)]);
        painter.setClipRect(QRectF(panel.left() + set.clipLeft * panel.width(), panel.top(),
                                   (set.clipRight - set.clipLeft) * panel.width(), panel.height()));
        QPainterPath path;
        for (const Rod& rod : set.rods) {
            path.moveTo(panel.topLeft() + QPointF(rod.from.column, rod.from.row) * pixel);
            path.lineTo(panel.topLeft() + QPointF(rod.to.column, rod.to.row) * pixel);
        }
        // They lie on colors of the map, dark and bright ones, not on those of the theme.
        painter.strokePath(path, QPen(kRodHalo, 3.6, Qt::SolidLine, Qt::RoundCap));
        painter.strokePath(path, QPen(kRodLine, 1.8, Qt::SolidLine, Qt::RoundCap));
    }
    painter.setClipping(false);
    for (const PlacedRodScale& scale : placedRodScales()) paintRodScale(painter, scale, theme);
}

void SkyOverlay::paintContours(QPainter& painter, const Theme& theme) const {
    for (const OverlayScene::Contour& contour : scene_.contours) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(contour.panel)]);
        painter.setClipRect(QRectF(panel.left() + contour.clipLeft * panel.width(), panel.top(),
                                   (contour.clipRight - contour.clipLeft) * panel.width(),
                                   panel.height()));
        const QPainterPath lines = path(contour.pieces, panel.topLeft());
        const double width = contour.strong ? 1.7 : 1.0;
        painter.strokePath(lines, QPen(faded(theme.skyHalo, 0.7), width + 1.6));
        painter.strokePath(lines, QPen(theme.skyLabel, width));
    }
    painter.setClipping(false);
}

void SkyOverlay::paintBorders(QPainter& painter, const Theme& theme) const {
    for (const OverlayScene::Border& border : scene_.borders) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(border.panel)]);
        painter.setClipRect(panel);
        strokeWithHalo(painter, path(border.lines, panel.topLeft()), theme.measure, theme.skyHalo,
                       1.6);
    }
    painter.setClipping(false);
}

void SkyOverlay::paintLabels(QPainter& painter, const std::vector<PlacedLabel>& labels,
                             const Theme& theme) const {
    painter.setFont(theme.smallFont(font()));
    for (const PlacedLabel& label : labels)
        drawHaloTextCentered(painter, label.box.center(), label.text, theme.skyLabel,
                             theme.skyHalo);
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
    painter.setClipRect(logical(panel));
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
    painter.setClipping(false);
}

void SkyOverlay::paintCrosses(QPainter& painter, const Theme& theme) const {
    const double pixel = 1.0 / devicePixelRatioF();
    for (const OverlayScene::Cross& cross : scene_.crosses) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(cross.panel)]);
        painter.setClipRect(panel);
        const QPointF at = panel.topLeft() + cross.at * pixel;
        QPainterPath path;
        for (const QPointF arm : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)}) {
            path.moveTo(at + 4.0 * arm);
            path.lineTo(at + 11.0 * arm);
        }
        strokeWithHalo(painter, path, theme.measure, theme.skyHalo, 1.4);
    }
    painter.setClipping(false);
}

void SkyOverlay::paintRings(QPainter& painter, const Theme& theme) const {
    const double pixel = 1.0 / devicePixelRatioF();
    for (const OverlayScene::Ring& ring : scene_.rings) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(ring.panel)]);
        painter.setClipRect(panel);
        const QPointF at = panel.topLeft() + ring.at * pixel;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.skyHalo, 4.0));
        painter.drawEllipse(at, ring.radius, ring.radius);
        painter.setPen(QPen(theme.measure, 1.6));
        painter.drawEllipse(at, ring.radius, ring.radius);
        if (ring.text.isEmpty()) continue;
        const QFontMetricsF metrics(painter.font());
        const QString text = metrics.elidedText(ring.text, Qt::ElideRight, 260.0);
        QRectF plate =
            chipPlate(metrics, at + QPointF(ring.radius + 7.0, -0.5 * kChipHeight), false, text);
        if (plate.right() > panel.right() - 4.0) plate.moveRight(at.x() - ring.radius - 7.0);
        paintChip(painter, plate, text, theme);
    }
    painter.setClipping(false);
}

// As high as the sky, if that has an outline in view.
std::optional<QRectF> SkyOverlay::dividerLine() const {
    if (!scene_.swipe || scene_.panels.empty()) return std::nullopt;
    QRectF line = logical(scene_.panels.front());
    line.setLeft(line.left() + *scene_.swipe * line.width());
    line.setWidth(0.0);
    if (const QRectF sky = lines_.front().outline.boundingRect(); !sky.isEmpty()) {
        line.setTop(std::max(line.top(), sky.top() - 16.0));
        line.setBottom(std::min(line.bottom(), sky.bottom() + 16.0));
    }
    return line;
}

void SkyOverlay::paintSwipe(QPainter& painter, const Theme& theme) const {
    const std::optional<QRectF> line = dividerLine();
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

void SkyOverlay::paintChips(QPainter& painter, const Theme& theme) const {
    for (const PlacedChip& chip : placedChips()) paintChip(painter, chip.plate, chip.text, theme);
}

void SkyOverlay::paintBars(QPainter& painter, const Theme& theme) const {
    painter.setFont(theme.smallFont(font()));
    const QFontMetricsF metrics(painter.font());
    for (const PlacedBar& bar : placedBars()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.chip);
        painter.drawRoundedRect(bar.plate, theme.radius, theme.radius);
        paintColorBar(painter, bar.place, bar.bar->scale, bar.bar->text, theme, false, bar.title);
        if (tellsFrame(*bar.bar, bar.place.width(), bar.title)) {
            painter.setPen(theme.textMuted);
            painter.drawText(QPointF(bar.place.left(), bar.place.top() - 4.0 - metrics.descent()),
                             scene_.frameLine);
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
