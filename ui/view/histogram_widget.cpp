// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/histogram_widget.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/ui/theme.h"
#include "view/halo_text.h"

namespace armilla {
namespace {

constexpr double kGradientHeight = 7.0;
constexpr double kGrip = 9.0;         // side of a handle's grip
constexpr double kReach = 9.0;        // distance within which a handle can be grabbed, pixels
constexpr double kAxisMargin = 0.06;  // share of the axis kept free at each end
// Extremes of a heavy-tailed field would squeeze its bulk into one bin. So the axis leaves out the
// fraction kTail of the pixels at each end, and extends beyond the range by at most kBeyond of its
// width. An end dragged to the border extends the axis.
constexpr double kTail = 0.0005;
constexpr double kBeyond = 0.5;

double quantile(const std::vector<float>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    return sorted[static_cast<size_t>(std::lround(place))];
}

QString shortNumber(double value) {
    return typographicMinus(QString::number(value, 'g', 4));
}

QColor toColor(Rgba c) {
    return {c.r, c.g, c.b, c.a};
}

}  // namespace

HistogramWidget::HistogramWidget(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Histogram with the color range"));
}

void HistogramWidget::setSample(std::span<const float> sorted) {
    sample_.assign(sorted.begin(), sorted.end());
    if (dragged_ == Handle::None) fitAxis();
    fillBins();
    update();
}

void HistogramWidget::setScale(const ColorScale& scale) {
    const bool axisChanges = scale.mapping.scale != scale_.mapping.scale ||
                             scale.mapping.linear != scale_.mapping.linear ||
                             scale.mapping.low != scale_.mapping.low ||
                             scale.mapping.high != scale_.mapping.high;
    scale_ = scale;
    // While the user drags a handle, the axis must not change.
    if (axisChanges && dragged_ == Handle::None) {
        fitAxis();
        fillBins();
    }
    setAccessibleDescription(
        tr("From %1 to %2 %3").arg(scale.mapping.low).arg(scale.mapping.high).arg(unit_));
    update();
}

void HistogramWidget::setUnit(const QString& unit) {
    unit_ = unit;
    update();
}

double HistogramWidget::toAxis(double value) const {
    const float least = std::numeric_limits<float>::min();  // for a logarithm
    const auto v = static_cast<float>(value);
    return scaleFunction(axisScale_, axisLinear_,
                         axisScale_ == Scale::Log ? std::max(v, least) : v);
}

double HistogramWidget::fromAxis(double place) const {
    return scaleInverse(axisScale_, axisLinear_, static_cast<float>(place));
}

void HistogramWidget::fitAxis() {
    axisScale_ = scale_.mapping.scale;
    axisLinear_ = scale_.mapping.linear > 0.0F ? scale_.mapping.linear : 1.0F;
    double low = scale_.mapping.low, high = scale_.mapping.high;
    if (!sample_.empty()) {
        low = std::min(low, quantile(sample_, kTail));
        high = std::max(high, quantile(sample_, 1.0 - kTail));
    }
    if (axisScale_ == Scale::Log && low <= 0.0) {
        // Values without a logarithm are not on this axis, which begins at the smallest positive
        // value.
        const auto positive = std::upper_bound(sample_.begin(), sample_.end(), 0.0F);
        low = scale_.mapping.low > 0.0F ? scale_.mapping.low : high * 1e-6;
        if (positive != sample_.end()) low = std::min<double>(low, *positive);
    }
    const double rangeLow = toAxis(std::max<double>(scale_.mapping.low, low));
    const double rangeHigh = toAxis(scale_.mapping.high);
    const double beyond = kBeyond * std::max(0.0, rangeHigh - rangeLow);
    axisLow_ = std::max(toAxis(low), rangeLow - beyond);
    axisHigh_ = std::min(toAxis(high), rangeHigh + beyond);
    if (!(axisHigh_ > axisLow_)) {
        const double room = std::max(1e-6, std::abs(axisLow_) * 0.01);
        axisLow_ -= room;
        axisHigh_ += room;
    }
    const double margin = kAxisMargin * (axisHigh_ - axisLow_);
    axisLow_ -= margin;
    axisHigh_ += margin;
}

// Counts in bins two pixels wide, smoothed by a binomial kernel against the noise of the sample.
// The height is logarithmic, so that tails remain visible beside the bulk.
void HistogramWidget::fillBins() {
    const int count = std::max(8, static_cast<int>(plotArea().width() / 2.0));
    bins_.assign(static_cast<size_t>(count), 0.0);
    if (sample_.empty()) return;
    auto begin = sample_.begin();
    std::vector<double> counts(bins_.size());
    for (int i = 0; i <= count; ++i) {
        const double edge = fromAxis(axisLow_ + (axisHigh_ - axisLow_) * i / count);
        const auto end =
            std::lower_bound(begin, sample_.end(), edge, [](float v, double e) { return v < e; });
        if (i > 0) counts[static_cast<size_t>(i - 1)] = static_cast<double>(end - begin);
        begin = end;
    }
    constexpr double kernel[] = {1 / 16.0, 4 / 16.0, 6 / 16.0, 4 / 16.0, 1 / 16.0};
    double highest = 0.0;
    for (int i = 0; i < count; ++i) {
        double sum = 0.0;
        for (int k = -2; k <= 2; ++k)
            if (i + k >= 0 && i + k < count)
                sum += kernel[k + 2] * counts[static_cast<size_t>(i + k)];
        bins_[static_cast<size_t>(i)] = std::log1p(sum);
        highest = std::max(highest, bins_[static_cast<size_t>(i)]);
    }
    if (highest > 0.0)
        for (double& bin : bins_) bin /= highest;
}

QRectF HistogramWidget::plotArea() const {
    const double labels = QFontMetricsF(Theme::of(this).smallFont(font())).height() + 4.0;
    return QRectF(rect()).adjusted(1.0, 2.0, -1.0, -(labels + kGradientHeight + 0.5 * kGrip));
}

double HistogramWidget::xOf(double value) const {
    const QRectF area = plotArea();
    return area.left() + area.width() * (toAxis(value) - axisLow_) / (axisHigh_ - axisLow_);
}

double HistogramWidget::valueAt(double x) const {
    const QRectF area = plotArea();
    return fromAxis(axisLow_ + (axisHigh_ - axisLow_) * (x - area.left()) / area.width());
}

double HistogramWidget::middleValue() const {
    return valueAtPosition(scale_, 0.5);
}

double HistogramWidget::handleX(Handle handle) const {
    switch (handle) {
        case Handle::Low: return xOf(scale_.mapping.low);
        case Handle::High: return xOf(scale_.mapping.high);
        case Handle::Middle: return xOf(middleValue());
        case Handle::None: break;
    }
    return -1e9;
}

HistogramWidget::Handle HistogramWidget::handleAt(QPointF position) const {
    Handle best = Handle::None;
    double nearest = kReach;
    for (const Handle handle : {Handle::Middle, Handle::Low, Handle::High}) {
        const double distance = std::abs(handleX(handle) - position.x());
        if (distance <= nearest) {
            nearest = distance;
            best = handle;
        }
    }
    return best;
}

void HistogramWidget::moveHandle(Handle handle, double value) {
    ColorMapping& m = scale_.mapping;
    // One part in 1e5 of the axis keeps the ends apart on every scale.
    const double gap = 1e-5 * (axisHigh_ - axisLow_);
    const double place = std::clamp(toAxis(value), axisLow_, axisHigh_);
    switch (handle) {
        case Handle::Low:
            m.low = static_cast<float>(fromAxis(std::min(place, toAxis(m.high) - gap)));
            break;
        case Handle::High:
            m.high = static_cast<float>(fromAxis(std::max(place, toAxis(m.low) + gap)));
            break;
        case Handle::Middle: {
            ColorMapping even = m;
            even.middle = 0.5F;
            const float at =
                colorPosition(even, scale_.cumulative.data(), static_cast<float>(fromAxis(place)));
            m.middle = std::clamp(at, 0.02F, 0.98F);
            break;
        }
        case Handle::None: return;
    }
    setAccessibleDescription(tr("From %1 to %2 %3").arg(m.low).arg(m.high).arg(unit_));
    emit scaleEdited(scale_);
    update();
}

void HistogramWidget::nudge(double pixels) {
    if (active_ == Handle::None) return;
    moveHandle(active_, valueAt(handleX(active_) + pixels));
    fitAxis();
    fillBins();
    emit editingFinished();
}

QSize HistogramWidget::sizeHint() const {
    return {260, 106};
}
QSize HistogramWidget::minimumSizeHint() const {
    return {140, 84};
}

void HistogramWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    dragged_ = handleAt(event->position());
    if (dragged_ == Handle::None) {
        // A press elsewhere moves the nearer end to the pointer.
        const double x = event->position().x();
        dragged_ = std::abs(x - handleX(Handle::Low)) < std::abs(x - handleX(Handle::High))
                       ? Handle::Low
                       : Handle::High;
        dragOffset_ = 0.0;
        active_ = dragged_;
        moveHandle(dragged_, valueAt(x));
    } else {
        dragOffset_ = handleX(dragged_) - event->position().x();
        active_ = dragged_;
    }
    update();
}

void HistogramWidget::mouseMoveEvent(QMouseEvent* event) {
    if (dragged_ != Handle::None) {
        moveHandle(dragged_, valueAt(event->position().x() + dragOffset_));
        return;
    }
    const Handle before = hovered_;
    hovered_ = handleAt(event->position());
    setCursor(hovered_ == Handle::None ? Qt::ArrowCursor : Qt::SizeHorCursor);
    if (hovered_ != before) update();
}

void HistogramWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || dragged_ == Handle::None) return;
    dragged_ = Handle::None;
    fitAxis();
    fillBins();
    update();
    emit editingFinished();
}

void HistogramWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    if (handleAt(event->position()) != Handle::Middle) return mousePressEvent(event);
    scale_.mapping.middle = 0.5F;
    emit scaleEdited(scale_);
    emit editingFinished();
    update();
}

void HistogramWidget::keyPressEvent(QKeyEvent* event) {
    const double step = event->modifiers() & Qt::ShiftModifier     ? 0.25
                        : event->modifiers() & Qt::ControlModifier ? 12.0
                                                                   : 2.0;
    if (event->key() == Qt::Key_Left)
        nudge(-step);
    else if (event->key() == Qt::Key_Right)
        nudge(step);
    else
        QWidget::keyPressEvent(event);
}

bool HistogramWidget::focusNextPrevChild(bool next) {
    const int at = static_cast<int>(active_) + (next ? 1 : -1);
    if (hasFocus() && at >= static_cast<int>(Handle::Low) && at <= static_cast<int>(Handle::High)) {
        active_ = static_cast<Handle>(at);
        update();
        return true;
    }
    return QWidget::focusNextPrevChild(next);
}

void HistogramWidget::focusInEvent(QFocusEvent* event) {
    if (active_ == Handle::None)
        active_ = event->reason() == Qt::BacktabFocusReason ? Handle::High : Handle::Low;
    QWidget::focusInEvent(event);
    update();
}

void HistogramWidget::focusOutEvent(QFocusEvent* event) {
    active_ = Handle::None;
    QWidget::focusOutEvent(event);
    update();
}

void HistogramWidget::leaveEvent(QEvent* event) {
    hovered_ = Handle::None;
    QWidget::leaveEvent(event);
    update();
}

void HistogramWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fillBins();
}

bool HistogramWidget::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString value = shortNumber(valueAt(help->pos().x())) + QLatin1Char(' ') + unit_;
    switch (handleAt(help->pos())) {
        case Handle::Low:
            QToolTip::showText(help->globalPos(), tr("Low end: %1").arg(value));
            break;
        case Handle::High:
            QToolTip::showText(help->globalPos(), tr("High end: %1").arg(value));
            break;
        case Handle::Middle:
            QToolTip::showText(
                help->globalPos(),
                tr("Middle of the colors: %1\nDouble click: back to even").arg(value));
            break;
        case Handle::None: QToolTip::showText(help->globalPos(), value); break;
    }
    return true;
}

void HistogramWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBins(painter);
    paintGradient(painter);
    paintHandles(painter);
}

void HistogramWidget::paintBins(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    const QRectF area = plotArea();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.plotBackground);
    painter.drawRoundedRect(area.adjusted(0, 0, 0, kGradientHeight), 4.0, 4.0);
    if (bins_.empty()) return;
    QPainterPath path(area.bottomLeft());
    const double top = area.height() * 0.92;
    for (size_t i = 0; i < bins_.size(); ++i) {
        const double x = area.left() + area.width() * (static_cast<double>(i) + 0.5) /
                                           static_cast<double>(bins_.size());
        path.lineTo(x, area.bottom() - top * bins_[i]);
    }
    path.lineTo(area.bottomRight());
    path.closeSubpath();
    QColor faded = theme.histogram;
    faded.setAlphaF(0.38F);
    painter.fillPath(path, faded);
    // In full color between the ends of the range.
    painter.save();
    painter.setClipRect(QRectF(QPointF(handleX(Handle::Low), area.top()),
                               QPointF(handleX(Handle::High), area.bottom())));
    painter.fillPath(path, theme.histogram);
    painter.restore();
}

void HistogramWidget::paintGradient(QPainter& painter) const {
    const QRectF area = plotArea();
    const ColorTable table = colorTable(scale_.colorMap, scale_.reversed);
    const ColorPicker color(scale_, table);
    QImage strip(std::max(2, static_cast<int>(area.width() * devicePixelRatioF())), 1,
                 QImage::Format_ARGB32);
    for (int i = 0; i < strip.width(); ++i) {
        const double x = area.left() + area.width() * (i + 0.5) / strip.width();
        strip.setPixelColor(i, 0, toColor(color(static_cast<float>(valueAt(x)))));
    }
    painter.drawImage(QRectF(area.left(), area.bottom(), area.width(), kGradientHeight), strip);
}

void HistogramWidget::paintHandles(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    const QRectF area = plotArea();
    const double foot = area.bottom() + kGradientHeight;
    painter.setFont(theme.smallFont(font()));
    const QFontMetricsF metrics(painter.font());
    const double baseline = height() - metrics.descent();
    // Labels are placed from the ends inwards, so that the middle label yields.
    double freeFrom = 0.0, freeTo = width();
    const double between = 0.5 * (handleX(Handle::Low) + handleX(Handle::High));
    for (const Handle handle : {Handle::Low, Handle::High, Handle::Middle}) {
        const double x = handleX(handle);
        const bool lit = handle == active_ || handle == hovered_ || handle == dragged_;
        const QColor color = handle == Handle::Low    ? theme.first
                             : handle == Handle::High ? theme.second
                                                      : theme.textMuted;
        painter.setPen(
            QPen(color, lit ? 2.0 : 1.4, handle == Handle::Middle ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, foot));
        const double side = handle == Handle::Middle ? 0.7 * kGrip : kGrip;
        painter.setPen(QPen(lit && hasFocus() ? theme.accent : theme.panel, 1.0));
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(x - 0.5 * side, foot - 0.6 * side, side, 1.2 * side), 2.5,
                                2.5);
        const double value = handle == Handle::Low    ? scale_.mapping.low
                             : handle == Handle::High ? scale_.mapping.high
                                                      : middleValue();
        const QString text = shortNumber(value);
        const double w = metrics.horizontalAdvance(text);
        // Labels of the two ends move outwards where they would overlap.
        const double wanted = handle == Handle::Low    ? std::min(x - 0.5 * w, between - 3.0 - w)
                              : handle == Handle::High ? std::max(x - 0.5 * w, between + 3.0)
                                                       : x - 0.5 * w;
        const double left = std::clamp(wanted, 0.0, std::max(0.0, width() - w));
        if (left < freeFrom || left + w > freeTo) continue;
        painter.setPen(lit ? theme.text : theme.textMuted);
        painter.drawText(QPointF(left, baseline), text);
        if (handle == Handle::Low) freeFrom = left + w + 6.0;
        if (handle == Handle::High) freeTo = left - 6.0;
    }
}

}  // namespace armilla

#include "armilla/ui/moc_histogram_widget.cpp"
