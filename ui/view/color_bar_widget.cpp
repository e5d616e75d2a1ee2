// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/color_bar_widget.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <vector>

#include "view/halo_text.h"

namespace armilla {
namespace {

QColor toColor(Rgba c) {
    return {c.r, c.g, c.b, c.a};
}

constexpr int kMostTicks = 9;
constexpr double kTitleShare = 0.4;  // largest fraction of the width for a title beside its bar
constexpr double kLeastName = 4.0;   // minimum letters of an elided title

// Positions of the parts of a bar in its rectangle.
struct Layout {
    double titleBaseline, barTop, barHeight, labelBaseline;
};

Layout layoutOf(const QFont& font, double top, BarTitle title) {
    const QFontMetricsF metrics(font);
    Layout l{};
    l.barHeight = std::round(0.72 * metrics.height());
    l.titleBaseline = top + metrics.ascent();
    l.barTop = l.titleBaseline + metrics.descent() + 3.0;
    if (title == BarTitle::Beside) {
        l.barTop = top;
        l.titleBaseline = top + 0.5 * (l.barHeight + metrics.ascent() - metrics.descent());
    }
    l.labelBaseline = l.barTop + l.barHeight + 4.0 + metrics.ascent();
    return l;
}

QImage gradientImage(const ColorScale& scale) {
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    QImage image(static_cast<int>(table.size()), 1, QImage::Format_ARGB32);
    for (int i = 0; i < image.width(); ++i)
        image.setPixelColor(i, 0, toColor(table[static_cast<size_t>(i)]));
    return image;
}

// A part of a scaled image differs slightly in color from the same part of the whole. So the whole
// is made wherever the painter's pixels are integers, and drawn unscaled.
void paintGradient(QPainter& painter, const QRectF& bar, const ColorScale& scale) {
    const double ratio = painter.device()->devicePixelRatioF();
    const QRect area = bar.toAlignedRect();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (ratio != std::floor(ratio) || area.isEmpty())
        return painter.drawImage(bar, gradientImage(scale));
    QImage whole(area.size() * static_cast<int>(ratio), QImage::Format_ARGB32_Premultiplied);
    whole.setDevicePixelRatio(ratio);
    whole.fill(Qt::transparent);
    QPainter inside(&whole);
    inside.setRenderHints(painter.renderHints());
    inside.translate(-area.topLeft());
    inside.drawImage(bar, gradientImage(scale));
    inside.end();
    painter.drawImage(area.topLeft(), whole);
}

// Triangles at the ends show that values beyond the range have their own color.
void paintEnd(QPainter& painter, const QRectF& bar, bool left, const QColor& color) {
    const double depth = 0.7 * bar.height();
    const double x = left ? bar.left() : bar.right();
    QPainterPath path;
    path.moveTo(x, bar.top());
    path.lineTo(left ? x - depth : x + depth, bar.center().y());
    path.lineTo(x, bar.bottom());
    path.closeSubpath();
    painter.fillPath(path, color);
}

bool isOnBar(const Tick& tick) {
    return tick.position >= -1e-6 && tick.position <= 1.0 + 1e-6;
}

void paintTicks(QPainter& painter, const QRectF& bar, const QRectF& limits, double baseline,
                const ColorScale& scale, const QColor& color, const QColor& halo) {
    const QFontMetricsF metrics(painter.font());
    // About one label per eight average character widths.
    const int count = std::clamp(static_cast<int>(bar.width() / (8.0 * metrics.averageCharWidth())),
                                 2, kMostTicks);
    std::vector<TickLabel> labels;
    for (const Tick& tick : ticksOfBar(scale, count)) {
        if (!isOnBar(tick)) continue;
        const double x = bar.left() + tick.position * bar.width();
        painter.setPen(QPen(color, 1.0));
        painter.drawLine(QPointF(x, bar.bottom()), QPointF(x, bar.bottom() + 3.0));
        const QString text = QString::fromStdString(tick.label);
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(x - 0.5 * width, limits.left(), limits.right() - width);
        labels.push_back({text, left, left + width, std::abs(tick.value) == 0.0});
    }
    for (const TickLabel& label : labelsWithRoom(labels, 1.6 * metrics.averageCharWidth()))
        drawHaloText(painter, QPointF(label.left, baseline), label.text, color, halo);
}

}  // namespace

std::vector<TickLabel> labelsWithRoom(const std::vector<TickLabel>& labels, double gap) {
    const auto zero = std::find_if(labels.begin(), labels.end(),
                                   [](const TickLabel& label) { return label.isZero; });
    const size_t anchor = zero == labels.end() ? 0 : static_cast<size_t>(zero - labels.begin());
    for (size_t step = 1; step < labels.size(); ++step) {
        std::vector<TickLabel> some;
        for (size_t i = anchor % step; i < labels.size(); i += step) some.push_back(labels[i]);
        const auto meets = [gap](const TickLabel& a, const TickLabel& b) {
            return b.left < a.right + gap;
        };
        if (some.size() > 1 && std::adjacent_find(some.begin(), some.end(), meets) == some.end())
            return some;
    }
    std::vector<TickLabel> some;
    for (const TickLabel& label : labels)
        if (some.empty() || label.left >= some.back().right + gap) some.push_back(label);
    return some;
}

QString scaleName(Scale scale) {
    switch (scale) {
        case Scale::Linear: return ColorBarWidget::tr("linear");
        case Scale::Log: return ColorBarWidget::tr("log");
        case Scale::SymLog: return ColorBarWidget::tr("symlog");
        case Scale::Asinh: return ColorBarWidget::tr("asinh");
        case Scale::Histogram: return ColorBarWidget::tr("histogram");
    }
    return {};
}

QString titleOfBar(const QFontMetricsF& metrics, const QString& title, double room) {
    const qsizetype comma = title.lastIndexOf(QLatin1String(", "));
    const QString unit = comma < 0 ? QString() : title.mid(comma);
    const double rest = room - metrics.horizontalAdvance(unit);
    if (metrics.horizontalAdvance(title) <= room || unit.isEmpty() ||
        rest < kLeastName * metrics.averageCharWidth())
        return metrics.elidedText(title, Qt::ElideRight, room);
    return metrics.elidedText(title.left(comma), Qt::ElideRight, rest) + unit;
}

std::vector<Tick> ticksOfBar(const ColorScale& scale, int count) {
    for (;; ++count) {
        std::vector<Tick> ticks = colorBarTicks(scale, count);
        if (count >= kMostTicks || std::count_if(ticks.begin(), ticks.end(), isOnBar) >= 2)
            return ticks;
    }
}

double colorBarHeight(const QFont& font, BarTitle title) {
    return layoutOf(font, 0.0, title).labelBaseline + QFontMetricsF(font).descent();
}

void paintColorBar(QPainter& painter, const QRectF& rectangle, const ColorScale& scale,
                   const ColorBarText& text, const Theme& theme, bool halo, BarTitle where) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor glow = halo ? theme.skyHalo : QColor(Qt::transparent);
    const QColor ink = halo ? theme.skyLabel : theme.text;
    const QFontMetricsF metrics(painter.font());
    const Layout layout = layoutOf(painter.font(), rectangle.top(), where);
    const double end = 0.7 * layout.barHeight, gap = metrics.averageCharWidth() * 2.0;
    const bool beside = where == BarTitle::Beside;
    // The note is dropped before the title is elided.
    const double notes = metrics.horizontalAdvance(text.note);
    const bool hasNote =
        !beside && metrics.horizontalAdvance(text.title) + gap + notes <= rectangle.width();
    const double noteWidth = hasNote ? notes : 0.0;
    const QString title =
        titleOfBar(metrics, text.title,
                   beside ? kTitleShare * rectangle.width()
                          : rectangle.width() - noteWidth - (hasNote ? gap : 0.0));
    drawHaloText(painter, QPointF(rectangle.left(), layout.titleBaseline), title, ink, glow);
    if (hasNote) {
        QColor faded = ink;
        faded.setAlphaF(0.82F);
        drawHaloText(painter, QPointF(rectangle.right() - noteWidth, layout.titleBaseline),
                     text.note, faded, glow);
    }
    QRectF room = rectangle;
    if (beside && !title.isEmpty())
        room.setLeft(rectangle.left() + metrics.horizontalAdvance(title) + gap);
    QRectF bar(room.left(), layout.barTop, room.width(), layout.barHeight);
    bar.adjust(scale.ownBelow ? end : 0.0, 0.0, scale.ownAbove ? -end : 0.0, 0.0);

    paintGradient(painter, bar, scale);
    if (scale.ownBelow) paintEnd(painter, bar, true, toColor(scale.below));
    if (scale.ownAbove) paintEnd(painter, bar, false, toColor(scale.above));
    painter.setPen(QPen(halo ? theme.skyHalo : theme.border, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    paintTicks(painter, bar, room, layout.labelBaseline, scale, ink, glow);
    painter.restore();
}

ColorBarWidget::ColorBarWidget(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Color bar"));
}

void ColorBarWidget::setScale(const ColorScale& scale) {
    scale_ = scale;
    update();
}

void ColorBarWidget::setText(const ColorBarText& text) {
    text_ = text;
    setAccessibleDescription(text.title);
    update();
}

QSize ColorBarWidget::sizeHint() const {
    return {260, static_cast<int>(std::ceil(colorBarHeight(font()))) + 2};
}

QSize ColorBarWidget::minimumSizeHint() const {
    return {120, sizeHint().height()};
}

void ColorBarWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintColorBar(painter, QRectF(rect()).adjusted(1, 1, -1, -1), scale_, text_, Theme::of(this),
                  false);
}

}  // namespace armilla

#include "armilla/ui/moc_color_bar_widget.cpp"
