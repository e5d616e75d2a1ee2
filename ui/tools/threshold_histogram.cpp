// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/threshold_histogram.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "armilla/ui/theme.h"
#include "plots/plot_look.h"

namespace armilla {
namespace {

constexpr double kStep = 0.1, kFineStep = 0.01;  // in sigma, for the arrow keys

// 1, 2, 3, 5, 10, 20, ... within the axis.
std::vector<double> ticksBetween(double low, double high) {
    std::vector<double> ticks;
    for (double decade = std::pow(10.0, std::floor(std::log10(low))); decade <= high;
         decade *= 10.0)
        for (const double step : {1.0, 2.0, 3.0, 5.0})
            if (step * decade >= low * 0.999 && step * decade <= high)
                ticks.push_back(step * decade);
    return ticks;
}

}  // namespace

ThresholdHistogram::ThresholdHistogram(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SplitHCursor);
    setAccessibleName(tr("Threshold on the histogram of candidates"));
    setToolTip(
        tr("Candidates by their signal to noise; the line: those that are expected to be "
           "false. Drag the threshold, or use the arrow keys."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ThresholdHistogram::setSignificances(const std::vector<float>& candidates) {
    low_ = 1e30;
    high_ = 0.0;
    for (const float snr : candidates) {
        if (!(snr > 0.0F) || !std::isfinite(snr)) continue;
        low_ = std::min(low_, static_cast<double>(snr));
        high_ = std::max(high_, static_cast<double>(snr));
    }
    if (!(low_ < high_)) {
        low_ = high_ > 0.0 ? high_ / 2.0 : 3.0;
        high_ = 2.0 * low_;
    }
    high_ *= 1.0001;
    candidates_ = binned(candidates);
    false_ = binned(falseValues_);
    update();
}

void ThresholdHistogram::setFalse(const std::optional<std::vector<float>>& significances) {
    falseValues_ = significances.value_or(std::vector<float>());
    false_ = binned(falseValues_);
    update();
}

void ThresholdHistogram::setThreshold(double threshold) {
    threshold_ = threshold;
    update();
}

std::vector<int> ThresholdHistogram::binned(const std::vector<float>& values) const {
    std::vector<int> bins(kBins, 0);
    const double scale = kBins / std::log(high_ / low_);
    for (const float value : values) {
        if (!(value >= low_) || !(value <= high_)) continue;
        const int bin = static_cast<int>(scale * std::log(value / low_));
        ++bins[static_cast<size_t>(std::clamp(bin, 0, kBins - 1))];
    }
    return bins;
}

QRectF ThresholdHistogram::plotArea() const {
    return QRectF(rect()).adjusted(8.0, 6.0, -8.0, -fontMetrics().height() - 3.0);
}

double ThresholdHistogram::xOf(double significance) const {
    const QRectF area = plotArea();
    return area.left() +
           area.width() * std::log(std::max(significance, 1e-6) / low_) / std::log(high_ / low_);
}

double ThresholdHistogram::significanceAt(double x) const {
    const QRectF area = plotArea();
    return low_ * std::exp((x - area.left()) / area.width() * std::log(high_ / low_));
}

void ThresholdHistogram::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPlotCard(painter, theme, rect());
    const QRectF area = plotArea();
    int most = 1;
    for (const std::vector<int>* bins : {&candidates_, &false_})
        for (const int count : *bins) most = std::max(most, count);
    // A single candidate is visible above zero.
    const double scale = area.height() / std::log(2.0 * most + 1.0);
    const auto height = [&](int count) { return scale * std::log(2.0 * count + 1.0); };
    const double width = area.width() / kBins;
    const double cut = xOf(threshold_);
    painter.setFont(theme.smallFont(font()));
    for (const double tick : ticksBetween(low_, high_)) {
        const double x = xOf(tick);
        painter.setPen(QPen(theme.plotGrid, 1.0));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    for (int i = 0; i < kBins && i < static_cast<int>(candidates_.size()); ++i) {
        const int count = candidates_[static_cast<size_t>(i)];
        if (count == 0) continue;
        const QRectF bar(area.left() + i * width, area.bottom() - height(count), width,
                         height(count));
        painter.setPen(Qt::NoPen);
        painter.setBrush(bar.center().x() >= cut ? theme.first : theme.histogram);
        painter.drawRect(bar.adjusted(0.4, 0.0, -0.4, 0.0));
    }
    QPainterPath line;
    for (int i = 0; i < kBins && i < static_cast<int>(false_.size()); ++i) {
        const double y = area.bottom() - height(false_[static_cast<size_t>(i)]);
        const double x = area.left() + i * width;
        if (i == 0)
            line.moveTo(x, y);
        else
            line.lineTo(x, y);
        line.lineTo(x + width, y);
    }
    if (!falseValues_.empty()) painter.strokePath(line, QPen(theme.second, 1.5));
    double taken = -1.0;
    for (const double tick : ticksBetween(low_, high_)) {
        const QString text = QString::number(tick);
        const double half = 0.5 * painter.fontMetrics().horizontalAdvance(text);
        const double x = xOf(tick);
        if (x - half < taken || x + half > width * kBins + area.left() + 8.0) continue;
        taken = x + half + 6.0;
        painter.setPen(theme.textMuted);
        painter.drawText(QPointF(x - half, rect().height() - 3.0), text);
    }
    const QColor ink = hasFocus() ? theme.accent : theme.text;
    painter.setPen(QPen(ink, 1.6));
    painter.drawLine(QPointF(cut, area.top() - 2.0), QPointF(cut, area.bottom()));
    painter.setBrush(ink);
    painter.drawRoundedRect(QRectF(cut - 4.0, area.bottom() - 7.0, 8.0, 10.0), 2.5, 2.5);
}

void ThresholdHistogram::move(double threshold) {
    const double to = std::clamp(threshold, low_, high_);
    if (to == threshold_) return;
    threshold_ = to;
    update();
    emit thresholdMoved(to);
}

void ThresholdHistogram::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) move(significanceAt(event->position().x()));
}

void ThresholdHistogram::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) move(significanceAt(event->position().x()));
}

void ThresholdHistogram::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) emit editingFinished();
}

void ThresholdHistogram::keyReleaseEvent(QKeyEvent* event) {
    QWidget::keyReleaseEvent(event);
    if (!event->isAutoRepeat()) emit editingFinished();
}

void ThresholdHistogram::keyPressEvent(QKeyEvent* event) {
    const double step = event->modifiers() & Qt::ShiftModifier ? kFineStep : kStep;
    switch (event->key()) {
        case Qt::Key_Left: return move(threshold_ - step);
        case Qt::Key_Right: return move(threshold_ + step);
        case Qt::Key_Home: return move(low_);
        case Qt::Key_End: return move(high_);
        default: QWidget::keyPressEvent(event);
    }
}

void ThresholdHistogram::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}
void ThresholdHistogram::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace armilla
