// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of the items over the picture, and the differences between two scenes.
#include <QFontMetrics>
#include <QFontMetricsF>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/sibling_text.h"
#include "view/halo_text.h"
#include "view/overlay_plates.h"
#include "view/picture.h"
#include "view/sky_overlay.h"

namespace armilla {
namespace {

constexpr double kMargin = 22.0;  // logical pixels between overlays and the view's edge
constexpr double kPlate = 9.0;    // distance of a color bar from the edge of its plate
constexpr double kScaleMargin = 22.0, kScaleTop = 46.0, kScaleHeight = 22.0;
constexpr double kScaleGap = 8.0;     // distance to the text above
constexpr double kCrossReach = 13.0;  // arms of a cross and their halo
constexpr double kLineReach = 3.0;    // line width of a ring or divider, with halo

bool sameBar(const OverlayScene::Bar& a, const OverlayScene::Bar& b) {
    const ColorScale &p = a.scale, &q = b.scale;
    return a.text.title == b.text.title && a.text.note == b.text.note && p.colorMap == q.colorMap &&
           p.reversed == q.reversed && p.mapping.scale == q.mapping.scale &&
           p.mapping.low == q.mapping.low && p.mapping.high == q.mapping.high &&
           p.mapping.middle == q.mapping.middle && p.mapping.linear == q.mapping.linear &&
           p.cumulative == q.cumulative && p.ownBelow == q.ownBelow && p.ownAbove == q.ownAbove &&
           p.below == q.below && p.above == q.above;
}

bool same(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
bool sameRuler(const OverlayScene& a, const OverlayScene& b) {
    if (!a.ruler || !b.ruler) return !a.ruler && !b.ruler;
    return a.ruler->panel == b.ruler->panel && same(a.ruler->from, b.ruler->from) &&
           same(a.ruler->to, b.ruler->to);
}

// True if all strokes without a place of their own are equal.
bool sameShapes(const OverlayScene& a, const OverlayScene& b) {
    return a.rods == b.rods && a.shades == b.shades && a.borders == b.borders &&
           a.contours == b.contours && a.drawn == b.drawn && sameRuler(a, b) &&
           a.headline == b.headline && a.hint == b.hint;
}

// Reports the areas of all differences between two lists, in painting order.
template <class T, class Area, class Tell>
void tellDifferent(const std::vector<T>& before, const std::vector<T>& now, const Area& area,
                   const Tell& tell) {
    for (size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
        if (i < before.size() && i < now.size() && before[i] == now[i]) continue;
        if (i < before.size()) tell(area(before[i]));
        if (i < now.size()) tell(area(now[i]));
    }
}

}  // namespace

void SkyOverlay::setScene(OverlayScene scene) {
    const bool sameLines = lines_.size() == scene.panels.size() && scene.panels == scene_.panels &&
                           looksSame(scene.camera, scene_.camera) &&
                           scene.graticule == scene_.graticule &&
                           scene.graticuleStep == scene_.graticuleStep &&
                           linesRatio_ == devicePixelRatioF() && linesFont_ == font();
    if (scene.panels != scene_.panels) lineLayer_ = QPixmap();
    const OverlayScene sceneBefore = std::exchange(scene_, std::move(scene));
    const Places before = std::exchange(places_, madePlates());
    if (before.chips != places_.chips) tellNames();
    const bool newLines =
        (!sameLines || linesBeside_ != places_.plates) && makeLines(places_.plates);
    placeRest(places_);
    // Names of drawn regions stay clear of cards and labels.
    const bool sameStrokes = sameLines && sameShapes(sceneBefore, scene_) &&
                             (scene_.drawn.empty() ||
                              (before.cards == places_.cards && before.labels == places_.labels));
    if (!sameStrokes) shapeLayer_ = QPixmap();
    // A shade is a scaled image, and Qt scales a part differently from the whole.
    if (!sameStrokes || newLines || !scene_.shades.empty()) return touch(rect());
    // Names and color bars change with each update of a live map; the layers below stay.
    touchChanges(sceneBefore, before);
}

void SkyOverlay::touchChanges(const OverlayScene& sceneBefore, const Places& before) {
    const Places& now = places_;
    const auto tell = [this](const QRectF& area) { touchAround(area); };
    const auto plate = [](const auto& placed) { return placed.plate; };
    tellDifferent(before.chips, now.chips, plate, tell);
    tellDifferent(before.rodScales, now.rodScales, plate, tell);
    tellDifferent(before.bars, now.bars, plate, tell);
    for (const PlacedBar& bar : now.bars)
        if (bar.bar < sceneBefore.bars.size() &&
            !sameBar(sceneBefore.bars[bar.bar], scene_.bars[bar.bar]))
            touchAround(bar.plate);
    tellDifferent(
        before.crosses, now.crosses,
        [](const PlacedCross& cross) {
            return QRectF(cross.at, QSizeF())
                .adjusted(-kCrossReach, -kCrossReach, kCrossReach, kCrossReach);
        },
        tell);
    tellDifferent(
        before.rings, now.rings,
        [](const PlacedRing& ring) {
            return ring.circle.adjusted(-kLineReach, -kLineReach, kLineReach, kLineReach) |
                   ring.plate;
        },
        tell);
    if (before.divider != now.divider || sceneBefore.swipeLit != scene_.swipeLit)
        for (const auto& divider : {before.divider, now.divider})
            if (divider) {
                constexpr double reach = kHandleRadius + kLineReach;
                touchAround(divider->adjusted(-reach, -kLineReach, reach, kLineReach));
            }
    // Labels do not overlap, so unchanged ones need no repaint.
    const auto tellMissing = [&](const std::vector<PlacedLabel>& of,
                                 const std::vector<PlacedLabel>& in) {
        const QFont small = Theme::of(this).smallFont(font());
        for (const PlacedLabel& label : of)
            if (std::find(in.begin(), in.end(), label) == in.end())
                touchAround(haloTextArea(small, label.box.center(), label.text));
    };
    tellMissing(before.labels, now.labels);
    tellMissing(now.labels, before.labels);
}

bool SkyOverlay::hasShapes() const {
    return !scene_.rods.empty() || !scene_.contours.empty() || !scene_.borders.empty() ||
           !scene_.drawn.empty() || scene_.ruler;
}

void SkyOverlay::touchAround(const QRectF& part) {
    touch(part.adjusted(-1.0, -1.0, 1.0, 1.0).toAlignedRect());
}

QRectF SkyOverlay::logical(const QRect& panel) const {
    const double ratio = devicePixelRatioF();
    return {panel.left() / ratio, panel.top() / ratio, panel.width() / ratio,
            panel.height() / ratio};
}

bool SkyOverlay::makeLines(const std::vector<QRectF>& plates) {
    linesRatio_ = devicePixelRatioF();
    linesFont_ = font();
    linesBeside_ = plates;
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
            for (const QRectF& plate : plates) {
                const QRectF box((plate.topLeft() - origin) * linesRatio_,
                                 plate.size() * linesRatio_);
                covered.push_back({box.left(), box.top(), box.right(), box.bottom()});
            }
            Graticule grid = graticule(view, scene_.graticuleStep,
                                       longitudeUnitOf(scene_.camera.frame), textHeight, covered);
            lines.graticule = path(grid.lines, origin);
            lines.labels = std::move(grid.labels);
        }
        lines_.push_back(std::move(lines));
    }
    // A name that has grown moves labels, but not lines.
    const bool areNew = !std::equal(lines_.begin(), lines_.end(), before.begin(), before.end(),
                                    [](const PanelLines& a, const PanelLines& b) {
                                        return a.graticule == b.graticule && a.outline == b.outline;
                                    });
    if (areNew) lineLayer_ = QPixmap();
    return areNew;
}

void SkyOverlay::tellNames() {
    std::vector<QRect> plates;
    for (const PlacedChip& chip : places_.chips) plates.push_back(chip.plate.toAlignedRect());
    emit namesMoved(plates);
}

const SkyOverlay::Places& SkyOverlay::places() const {
    // Computed once for each scene, and again for another screen.
    if (places_.ratio != devicePixelRatioF() || places_.font != font()) {
        places_ = madePlates();
        placeRest(places_);
    }
    return places_;
}

SkyOverlay::Places SkyOverlay::madePlates() const {
    Places made;
    made.ratio = devicePixelRatioF();
    made.font = font();
    made.chips = placedChips();
    made.bars = placedBars();
    for (const PlacedChip& chip : made.chips) made.plates.push_back(chip.plate);
    for (const PlacedBar& bar : made.bars) made.plates.push_back(bar.plate);
    if (!scene_.inspector.isEmpty()) made.plates.push_back(scene_.inspector);
    return made;
}

void SkyOverlay::placeRest(Places& places) const {
    places.rodScales = placedRodScales(places.chips);
    places.crosses = placedCrosses();
    places.rings = placedRings();
    places.divider = dividerLine();
    places.cards = places.plates;
    for (const PlacedRodScale& scale : places.rodScales) places.cards.push_back(scale.plate);
    if (places.divider)
        places.cards.push_back(
            QRectF(places.divider->center() - QPointF(kHandleRadius, kHandleRadius),
                   QSizeF(2.0 * kHandleRadius, 2.0 * kHandleRadius)));
    // Without an open layer, the headline has the empty sky to itself.
    if (scene_.headline.isEmpty()) places.labels = placedLabels(places.cards);
}

std::vector<SkyOverlay::PlacedChip> SkyOverlay::placedChips() const {
    const QFontMetricsF metrics(font());
    const auto textOf = [](const OverlayScene::Chip& chip) {
        return chip.busy ? tr("%1 · working…").arg(chip.text) : chip.text;
    };
    // The names of two maps are elided in what they share.
    QStringList names;
    for (const OverlayScene::Chip& chip : scene_.chips)
        if (chip.row == 0) names << textOf(chip);
    std::vector<PlacedChip> placed;
    for (const OverlayScene::Chip& chip : scene_.chips) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(chip.panel)]);
        const QPointF anchor(chip.right ? panel.right() - kMargin : panel.left() + kMargin,
                             panel.top() + 16.0 + chip.row * (kChipHeight + 4.0));
        const double room = std::max(40.0, 0.5 * panel.width() - 2.5 * kMargin);
        const QString text = chip.row == 0 ? elidedAmong(textOf(chip), names, QFontMetrics(font()),
                                                         static_cast<int>(room))
                                           : metrics.elidedText(textOf(chip), Qt::ElideRight, room);
        placed.push_back({chipPlate(metrics, anchor, chip.right, text), text});
    }
    return placed;
}

bool SkyOverlay::tellsFrame(const OverlayScene::Bar& bar, double width, BarTitle title) const {
    return title == BarTitle::Above && &bar == scene_.bars.data() && !scene_.frameLine.isEmpty() &&
           QFontMetricsF(Theme::of(this).smallFont(font())).horizontalAdvance(scene_.frameLine) <=
               width;
}

// The plate keeps the bar legible if the sky fills the view. The first bar also names the frame, if
// that fits above the title.
SkyOverlay::PlacedBar SkyOverlay::placedBar(const OverlayScene::Bar& bar, double left, double width,
                                            BarTitle title) const {
    const QFont small = Theme::of(this).smallFont(font());
    const QRectF panel = logical(scene_.panels[static_cast<size_t>(bar.panel)]);
    const double height = colorBarHeight(small, title);
    const bool tells = tellsFrame(bar, width, title);
    const double above = tells ? QFontMetricsF(small).height() + 4.0 : 0.0;
    const QRectF place(left, panel.bottom() - kMargin - height, width, height);
    return {static_cast<size_t>(&bar - scene_.bars.data()), place,
            place.adjusted(-kPlate, -kPlate - above, kPlate, kPlate - 1.0), title,
            tells ? scene_.frameLine : QString()};
}

bool SkyOverlay::coversWholeSky(const PlacedBar& bar) const {
    if (!scene_.wholeSky) return false;
    const double ratio = devicePixelRatioF();
    const auto panel = static_cast<size_t>(scene_.bars[bar.bar].panel);
    const QPointF origin = logical(scene_.panels[panel]).topLeft();
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
        // A lower and then a shorter bar, if that leaves the sky free. The tool bar also names
        // frame and projection.
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

// One scale per panel, below the name of the map and other notes.
std::vector<SkyOverlay::PlacedRodScale> SkyOverlay::placedRodScales(
    const std::vector<PlacedChip>& chips) const {
    std::vector<PlacedRodScale> placed;
    const QFontMetricsF metrics(Theme::of(this).smallFont(font()));
    int done = -1;
    for (size_t i = 0; i < scene_.rods.size(); ++i) {
        const OverlayScene::Rods& set = scene_.rods[i];
        const double length = set.scaleLength / devicePixelRatioF();
        if (std::exchange(done, set.panel) == set.panel || !(length > 0.0)) continue;
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(set.panel)]);
        const double width = length + metrics.horizontalAdvance(set.scaleText) + 28.0;
        QRectF plate(panel.left() + kScaleMargin, panel.top() + kScaleTop, width, kScaleHeight);
        for (const PlacedChip& chip : chips)
            if (chip.plate.intersects(plate)) plate.moveTop(chip.plate.bottom() + kScaleGap);
        placed.push_back({i, plate});
    }
    return placed;
}

std::vector<SkyOverlay::PlacedCross> SkyOverlay::placedCrosses() const {
    std::vector<PlacedCross> placed;
    for (const OverlayScene::Cross& cross : scene_.crosses) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(cross.panel)]);
        placed.push_back({panel, panel.topLeft() + cross.at / devicePixelRatioF()});
    }
    return placed;
}

std::vector<SkyOverlay::PlacedRing> SkyOverlay::placedRings() const {
    constexpr double kGap = 7.0;  // distance of the text from the circle
    const QFontMetricsF metrics(font());
    std::vector<PlacedRing> placed;
    for (const OverlayScene::Ring& ring : scene_.rings) {
        PlacedRing one;
        one.panel = logical(scene_.panels[static_cast<size_t>(ring.panel)]);
        const QPointF at = one.panel.topLeft() + ring.at / devicePixelRatioF();
        one.circle =
            QRectF(at, QSizeF()).adjusted(-ring.radius, -ring.radius, ring.radius, ring.radius);
        one.text = metrics.elidedText(ring.text, Qt::ElideRight, 260.0);
        if (!one.text.isEmpty())
            one.plate = chipPlate(metrics, at + QPointF(ring.radius + kGap, -0.5 * kChipHeight),
                                  false, one.text);
        if (one.plate.right() > one.panel.right() - 4.0)
            one.plate.moveRight(at.x() - ring.radius - kGap);
        placed.push_back(std::move(one));
    }
    return placed;
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

// Its height is that of the sky, if the outline of the sky is visible.
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

}  // namespace armilla
