// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/profile_plot.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "armilla/ui/theme.h"
#include "plots/plot_look.h"

namespace armilla {

ProfilePlot::ProfilePlot(const QString& title, Line line, QWidget* parent)
    : QWidget(parent), title_(title), line_(line) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(title);
}

void ProfilePlot::setCurve(std::vector<double> values, const QString& end, double mark) {
    values_ = std::move(values);
    end_ = end;
    mark_ = mark;
    picture_ = QPixmap();
    if (isVisible()) paintPicture();
    update();
}

void ProfilePlot::clear() {
    setCurve({}, {}, -1.0);
}

QSize ProfilePlot::sizeHint() const {
    return {120, 66};
}
QSize ProfilePlot::minimumSizeHint() const {
    return {80, 66};
}

void ProfilePlot::paintEvent(QPaintEvent*) {
    const double ratio = devicePixelRatioF();
    if (picture_.isNull() || picture_.devicePixelRatio() != ratio ||
        picture_.size() != (QSizeF(size()) * ratio).toSize())
        paintPicture();
    QPainter(this).drawPixmap(QPointF(), picture_);
}

void ProfilePlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        picture_ = QPixmap();
        update();
    }
    QWidget::changeEvent(event);
}

void ProfilePlot::paintPicture() {
    if (size().isEmpty()) return;
    const double ratio = devicePixelRatioF();
    picture_ = QPixmap((QSizeF(size()) * ratio).toSize());
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(Qt::transparent);
    QPainter painter(&picture_);
    paintCurve(painter);
}

void ProfilePlot::paintCurve(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    paintPlotCard(painter, theme, card);

    painter.setFont(theme.smallFont(font()));
    painter.setPen(theme.textMuted);
    const QRectF inner = card.adjusted(6, 3, -6, -3);
    painter.drawText(inner, Qt::AlignRight | Qt::AlignTop, title_);
    const double foot = QFontMetricsF(painter.font()).height();
    painter.setPen(theme.textFaint);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignBottom, QStringLiteral("0"));
    painter.drawText(inner, Qt::AlignRight | Qt::AlignBottom, end_);
    const QRectF plot(inner.left(), inner.top() + 4, inner.width(), inner.height() - foot - 6);
    painter.setPen(QPen(theme.plotGrid, 1.0));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (values_.size() < 2) return;

    const auto [least, most] = std::minmax_element(values_.begin(), values_.end());
    const double low = std::min(0.0, *least), high = std::max(*most, low + 1e-300);
    if (mark_ > 0.0 && mark_ < 1.0) {
        painter.setPen(QPen(theme.textFaint, 1.0, Qt::DotLine));
        const double x = plot.left() + mark_ * plot.width();
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    QPainterPath path;
    for (size_t i = 0; i < values_.size(); ++i) {
        const double x = plot.left() + plot.width() * static_cast<double>(i) /
                                           static_cast<double>(values_.size() - 1);
        const double y = plot.bottom() - plot.height() * (values_[i] - low) / (high - low);
        if (i == 0)
            path.moveTo(x, y);
        else
            path.lineTo(x, y);
    }
    painter.setPen(QPen(line_ == Line::First ? theme.first : theme.second, 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

}  // namespace armilla
