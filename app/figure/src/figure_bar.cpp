// SPDX-License-Identifier: GPL-3.0-or-later
// The color bar of a figure: below the sky, or beside it.
#include <algorithm>
#include <cmath>

#include "armilla/figure/unit_text.h"
#include "figure_painter.h"

namespace armilla {

namespace {

constexpr double kBarPoints = 9.0;
constexpr double kTickPoints = 3.5;
constexpr double kBesideGap = 4.0;  // points between sky, bar, its labels and the unit
constexpr int kMostTicks = 6;

QColor colorFrom(Rgba color) {
    return {color.r, color.g, color.b, color.a};
}

QPen penOf(const QColor& color, double width) {
    return {color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

}  // namespace

bool FigurePainter::hasBar() const {
    return (request_.map || request_.image) && request_.look.bar != BarPlace::None;
}

std::vector<std::pair<double, QString>> FigurePainter::barTicks() const {
    std::vector<std::pair<double, QString>> ticks;
    if (request_.ticks.empty()) {
        for (const Tick& tick : colorBarTicks(request_.scale, kMostTicks))
            ticks.emplace_back(tick.position, QString::fromStdString(tick.label));
    } else {
        constexpr int kDigits = 6;
        for (const double value : request_.ticks)
            ticks.emplace_back(
                colorPosition(request_.scale.mapping, request_.scale.cumulative.data(),
                              static_cast<float>(value)),
                numberTypeset(QString::number(value, 'g', kDigits)));
        std::sort(ticks.begin(), ticks.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    std::erase_if(
        ticks, [](const auto& tick) { return !(tick.first > -1e-6) || tick.first > 1.0 + 1e-6; });
    return ticks;
}

std::vector<FigurePainter::BarLabel> FigurePainter::barLabels(const QRectF& bar,
                                                              const QFontMetricsF& metrics) const {
    std::vector<BarLabel> labels;
    double taken = -1e300;  // right end of the last text
    for (const auto& [position, text] : barTicks()) {
        BarLabel label{bar.left() + position * bar.width(), 0.0, text};
        const double width = metrics.horizontalAdvance(label.text);
        label.left = label.x - 0.5 * width;
        if (label.left < taken + points(4))
            label.text.clear();
        else
            taken = label.x + 0.5 * width;
        labels.push_back(std::move(label));
    }
    return labels;
}

double FigurePainter::besideRoom() const {
    const QFontMetricsF metrics = pageMetrics(theme_.textPoints);
    double widest = 0.0;
    for (const auto& [position, text] : barTicks())
        widest = std::max(widest, metrics.horizontalAdvance(text));
    const double unit = request_.unit.isEmpty() ? 0.0 : points(kBesideGap) + metrics.height();
    return points(2.0 * kBesideGap + 4.0 + kBarPoints + kTickPoints) + widest + unit;
}

void FigurePainter::paintBar(QPainter& painter) const {
    const ColorTable table = colorTable(request_.scale.colorMap, request_.scale.reversed);
    const QRectF& bar = layout_.bar;
    QImage strip(static_cast<int>(table.size()), 1, QImage::Format_RGB888);
    for (size_t i = 0; i < table.size(); ++i)
        strip.setPixelColor(static_cast<int>(i), 0, colorFrom(table[i]));
    // The bar is painted in its own coordinates, from the low to the high end.
    const bool isBeside = isBarBeside();
    const double length = isBeside ? bar.height() : bar.width();
    const double thick = isBeside ? bar.width() : bar.height();
    painter.save();
    if (isBeside) {
        painter.translate(bar.left(), bar.bottom());
        painter.rotate(-90.0);
    } else {
        painter.translate(bar.topLeft());
    }
    const QRectF own(0.0, 0.0, length, thick);
    // Pointed ends show that values beyond the range have the colors of the ends.
    const double tip = 0.9 * thick;
    const auto end = [&](double x, double towards, Rgba color) {
        // The path starts inside the bar, which is painted over it, so that no seam shows.
        QPainterPath path(QPointF(x - towards * tip, own.top()));
        path.lineTo(x, own.top());
        path.lineTo(x + towards * tip, own.center().y());
        path.lineTo(x, own.bottom());
        path.lineTo(x - towards * tip, own.bottom());
        path.closeSubpath();
        painter.fillPath(path, colorFrom(color));
    };
    const ColorScale& scale = request_.scale;
    end(own.left(), -1.0, scale.ownBelow ? scale.below : table.front());
    end(own.right(), 1.0, scale.ownAbove ? scale.above : table.back());
    painter.drawImage(own, strip.scaled(static_cast<int>(4 * table.size()), 8));
    QPainterPath border(own.topLeft());
    border.lineTo(own.right(), own.top());
    border.lineTo(own.right() + tip, own.center().y());
    border.lineTo(own.right(), own.bottom());
    border.lineTo(own.left(), own.bottom());
    border.lineTo(own.left() - tip, own.center().y());
    border.closeSubpath();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(penOf(theme_.ink, points(0.7)));
    painter.drawPath(border);
    painter.restore();
    isBeside ? paintLabelsBeside(painter) : paintBarLabels(painter);
}

void FigurePainter::paintBarLabels(QPainter& painter) const {
    const QRectF& bar = layout_.bar;
    const QFont font = theme_.font(theme_.textPoints);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    for (const BarLabel& label : barLabels(bar, metrics)) {
        painter.setPen(penOf(theme_.ink, points(0.7)));
        painter.drawLine(QPointF(label.x, bar.bottom()),
                         QPointF(label.x, bar.bottom() + points(kTickPoints)));
        if (label.text.isEmpty()) continue;
        painter.setPen(theme_.ink);
        painter.drawText(QPointF(label.left, layout_.ticks.top() + metrics.ascent()), label.text);
    }
}

void FigurePainter::paintLabelsBeside(QPainter& painter) const {
    const QRectF& bar = layout_.bar;
    const QFont font = theme_.font(theme_.textPoints);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    double top = 1e300, widest = 0.0;  // upper end of the text below
    for (const auto& [position, text] : barTicks()) {
        const double y = bar.bottom() - position * bar.height();
        painter.setPen(penOf(theme_.ink, points(0.7)));
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + points(kTickPoints), y));
        const double baseline = y + 0.5 * metrics.capHeight();
        widest = std::max(widest, metrics.horizontalAdvance(text));
        if (baseline + points(2) > top) continue;
        top = baseline - metrics.capHeight();
        painter.setPen(theme_.ink);
        painter.drawText(QPointF(bar.right() + points(kTickPoints + 2.0), baseline), text);
    }
    if (request_.unit.isEmpty()) return;
    // Read upwards, along the bar.
    const double length = page_.height() - 2.0 * margin();
    const QString text = metrics.elidedText(request_.unit, Qt::ElideRight, length);
    const double half = 0.5 * metrics.horizontalAdvance(text);
    const double middle =
        std::clamp(bar.center().y(), margin() + half, page_.height() - margin() - half);
    painter.save();
    painter.translate(
        bar.right() + points(kTickPoints + 2.0 + kBesideGap) + widest + metrics.ascent(),
        middle + half);
    painter.rotate(-90.0);
    painter.drawText(QPointF(0.0, 0.0), text);
    painter.restore();
}

}  // namespace armilla
