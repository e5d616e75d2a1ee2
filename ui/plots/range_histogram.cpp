// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/range_histogram.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "armilla/core/round_step.h"
#include "armilla/figure/unit_text.h"
#include "armilla/ui/theme.h"
#include "plots/plot_look.h"

namespace armilla {
namespace {

constexpr double kReach = 5.0;  // pixels around an end of the range that the pointer takes
constexpr int kMostTicks = 4;

std::vector<double> ticksOf(const ColumnSummary& summary) {
    std::vector<double> ticks;
    if (summary.isLogarithmic) {
        const int first = static_cast<int>(std::ceil(std::log10(summary.low)));
        const int last = static_cast<int>(std::floor(std::log10(summary.high)));
        const int step = std::max(1, (last - first + kMostTicks) / kMostTicks);
        for (int power = first; power <= last; power += step)
            ticks.push_back(std::pow(10.0, power));
        return ticks;
    }
    const double step = roundStep((summary.high - summary.low) / kMostTicks);
    if (!(step > 0.0)) return ticks;  // an interval of denormal numbers
    const auto first = static_cast<int64_t>(std::ceil(summary.low / step));
    for (int64_t i = first; static_cast<double>(i) * step <= summary.high; ++i)
        ticks.push_back(static_cast<double>(i) * step);
    return ticks;
}

}  // namespace

RangeHistogram::RangeHistogram(QWidget* parent) : QWidget(parent) {
    setCursor(Qt::SplitHCursor);
    setAccessibleName(tr("Histogram of the column"));
    setToolTip(
        tr("Drag across the histogram to filter by a range; click once to drop the range. Bright: "
           "the rows of the table; dim: all rows. The heights are logarithmic."));
}

void RangeHistogram::setSummary(const ColumnSummary& summary) {
    summary_ = summary;
    update();
}

void RangeHistogram::setRange(const ColumnRange& range) {
    if (range == range_) return;
    range_ = range;
    update();
}

QRectF RangeHistogram::plotArea() const {
    return QRectF(rect()).adjusted(8.0, 5.0, -8.0, -fontMetrics().height() - 1.0);
}

double RangeHistogram::xOf(double value) const {
    const QRectF area = plotArea();
    if (summary_.all.empty()) return area.left();
    const double share = summary_.isLogarithmic
                             ? std::log(std::max(value, 1e-300) / summary_.low) /
                                   std::log(summary_.high / summary_.low)
                             : (value - summary_.low) / (summary_.high - summary_.low);
    return area.left() + area.width() * std::clamp(share, -1.0, 2.0);
}

double RangeHistogram::rawValueAt(double x) const {
    const QRectF area = plotArea();
    const double share = (x - area.left()) / area.width();
    return summary_.isLogarithmic ? summary_.low * std::pow(summary_.high / summary_.low, share)
                                  : summary_.low + share * (summary_.high - summary_.low);
}

double RangeHistogram::valueAt(double x) const {
    const double value = rawValueAt(x);
    const double pixel = std::abs(rawValueAt(x + 0.5) - rawValueAt(x - 0.5));
    if (!(pixel > 0.0)) return value;
    const double unit = std::pow(10.0, std::floor(std::log10(pixel)));
    // Division by a power of ten, where it is exact, gives the number nearest to the decimal.
    return unit < 1.0 ? std::round(value / unit) / std::round(1.0 / unit)
                      : std::round(value / unit) * unit;
}

void RangeHistogram::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPlotCard(painter, theme, rect());
    painter.setFont(theme.smallFont(font()));
    if (summary_.all.empty()) {
        painter.setPen(theme.textMuted);
        painter.drawText(rect(), Qt::AlignCenter, tr("no numbers"));
        return;
    }
    paintTicks(painter);
    paintBars(painter);
    paintRange(painter);
}

void RangeHistogram::paintBars(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    const QRectF area = plotArea();
    const int64_t most = *std::max_element(summary_.all.begin(), summary_.all.end());
    const double scale = area.height() / std::log(2.0 * static_cast<double>(most) + 1.0);
    const double width = area.width() / static_cast<double>(summary_.all.size());
    const auto paint = [&](const std::vector<int64_t>& counts, const QColor& color) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        for (size_t i = 0; i < counts.size(); ++i) {
            const double height = scale * std::log(2.0 * static_cast<double>(counts[i]) + 1.0);
            const QRectF bar(area.left() + static_cast<double>(i) * width, area.bottom() - height,
                             width, height);
            if (counts[i] > 0) painter.drawRect(bar.adjusted(0.3, 0.0, -0.3, 0.0));
        }
    };
    QColor dim = theme.histogram;
    if (summary_.all != summary_.chosen) dim.setAlphaF(0.45F * dim.alphaF());
    paint(summary_.all, dim);
    if (summary_.all != summary_.chosen) paint(summary_.chosen, theme.first);
}

void RangeHistogram::paintTicks(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    const QRectF area = plotArea();
    double taken = -1.0;
    for (const double tick : ticksOf(summary_)) {
        const double x = xOf(tick);
        painter.setPen(QPen(theme.plotGrid, 1.0));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        const QString text = numberTypeset(QString::number(tick, 'g', 6));
        const double half = 0.5 * painter.fontMetrics().horizontalAdvance(text);
        if (x - half < taken || x + half > rect().width()) continue;
        taken = x + half + 6.0;
        painter.setPen(theme.textMuted);
        painter.drawText(QPointF(x - half, rect().height() - 3.0), text);
    }
}

void RangeHistogram::paintRange(QPainter& painter) const {
    if (range_.isOpen()) return;
    const Theme& theme = Theme::of(this);
    const QRectF area = plotArea();
    const auto inside = [&](double x) { return std::clamp(x, area.left(), area.right()); };
    const double low = range_.low ? inside(xOf(*range_.low)) : area.left();
    const double high = range_.high ? inside(xOf(*range_.high)) : area.right();
    QColor fill = theme.accent;
    fill.setAlphaF(0.16F);
    painter.fillRect(QRectF(QPointF(low, area.top()), QPointF(high, area.bottom())), fill);
    painter.setPen(QPen(theme.accent, 1.6));
    if (range_.low) painter.drawLine(QPointF(low, area.top()), QPointF(low, area.bottom()));
    if (range_.high) painter.drawLine(QPointF(high, area.top()), QPointF(high, area.bottom()));
}

void RangeHistogram::moveTo(double x) {
    const QRectF area = plotArea();
    const auto [left, right] = std::minmax(*anchor_, x);
    ColumnRange range;
    if (left > area.left()) range.low = valueAt(left);
    if (right < area.right()) range.high = valueAt(right);
    if (range == range_) return;
    range_ = range;
    update();
    emit rangeMoved(range_);
}

void RangeHistogram::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || summary_.all.empty()) return;
    const double x = event->position().x();
    pressed_ = anchor_ = x;
    // A press on one end keeps the other end.
    const QRectF area = plotArea();
    if (range_.low && std::abs(x - xOf(*range_.low)) <= kReach)
        anchor_ = range_.high ? xOf(*range_.high) : area.right();
    else if (range_.high && std::abs(x - xOf(*range_.high)) <= kReach)
        anchor_ = range_.low ? xOf(*range_.low) : area.left();
}

void RangeHistogram::mouseMoveEvent(QMouseEvent* event) {
    if (!anchor_) return;
    const double x = event->position().x();
    if (pressed_ && std::abs(x - *pressed_) < QApplication::startDragDistance()) return;
    pressed_.reset();
    moveTo(x);
}

void RangeHistogram::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !anchor_) return;
    anchor_.reset();
    if (!pressed_) return;
    pressed_.reset();
    if (range_.isOpen()) return;
    range_ = {};
    update();
    emit rangeMoved(range_);
}

}  // namespace armilla
