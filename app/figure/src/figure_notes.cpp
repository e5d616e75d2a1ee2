// SPDX-License-Identifier: GPL-3.0-or-later
// Texts below the color bar: tick labels, the name of the frame, the contours.
#include <algorithm>
#include <cmath>

#include "figure_painter.h"

namespace armilla {

namespace {

constexpr double kGapPoints = 6.0;  // between two texts of a row

}  // namespace

QFontMetricsF FigurePainter::pageMetrics(double fontPoints) const {
    QFont inPixels = theme_.font(fontPoints);
    inPixels.setPixelSize(std::max(1, static_cast<int>(std::lround(points(fontPoints)))));
    return QFontMetricsF(inPixels);
}

bool FigurePainter::hasBar() const {
    return request_.map || request_.image;
}

std::vector<FigurePainter::BarLabel> FigurePainter::barLabels(const QRectF& bar,
                                                              const QFontMetricsF& metrics) const {
    std::vector<BarLabel> labels;
    double taken = -1e300;  // right end of the last text
    for (const Tick& tick : colorBarTicks(request_.scale, 6)) {
        if (tick.position < -1e-6 || tick.position > 1.0 + 1e-6) continue;
        BarLabel label{bar.left() + tick.position * bar.width(), 0.0,
                       QString::fromStdString(tick.label)};
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

QString FigurePainter::frameText() const {
    if (request_.camera.frame == Frame::Unknown) return {};
    const std::string_view name = frameName(request_.camera.frame);
    QString frame = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    frame[0] = frame[0].toUpper();
    return frame;
}

// The horizontal span of the centered content of a row.
FigurePainter::Span FigurePainter::taken(NotesRow row, const QRectF& bar) const {
    const double middle = 0.5 * page_.width();
    Span span{middle, middle};
    const QFontMetricsF metrics = pageMetrics(FigureTheme::kTextPoints);
    if (row == NotesRow::Unit) {
        const double half = 0.5 * metrics.horizontalAdvance(request_.unit);
        return {middle - half, middle + half};
    }
    if (row == NotesRow::Ticks && hasBar())
        for (const BarLabel& label : barLabels(bar, metrics)) {
            if (label.text.isEmpty()) continue;
            span.left = std::min(span.left, label.left);
            span.right = std::max(span.right, 2.0 * label.x - label.left);
        }
    return span;
}

// The row of the frame name, untruncated in the lower left corner. The first that fits: the row of
// the unit, that of the ticks, a separate row.
NotesRow FigurePainter::notesRow(const QRectF& bar) const {
    const double end = points(kMarginPoints + kGapPoints) +
                       pageMetrics(FigureTheme::kLabelPoints).horizontalAdvance(frameText());
    if (!request_.unit.isEmpty() && end < taken(NotesRow::Unit, bar).left) return NotesRow::Unit;
    return end < taken(NotesRow::Ticks, bar).left ? NotesRow::Ticks : NotesRow::Own;
}

void FigurePainter::paintNotes(QPainter& painter) const {
    const QFont small = theme_.font(FigureTheme::kLabelPoints);
    const QFontMetricsF metrics(small, painter.device());
    painter.setFont(small);
    painter.setPen(theme_.faint);
    const auto baseline = [&](NotesRow row) {
        const QRectF& box = row == NotesRow::Own    ? layout_.notes
                            : row == NotesRow::Unit ? layout_.unit
                                                    : layout_.ticks;
        return box.bottom() - metrics.descent();
    };
    const QString frame = frameText();
    if (!frame.isEmpty())
        painter.drawText(QPointF(points(kMarginPoints), baseline(layout_.notesRow)), frame);
    if (overlays_.contourText.isEmpty()) return;
    // In the lower right corner, truncated to the space left by the other texts.
    const NotesRow row = layout_.notesRow == NotesRow::Own ? NotesRow::Own
                         : request_.unit.isEmpty()         ? NotesRow::Ticks
                                                           : NotesRow::Unit;
    const double right = page_.width() - points(kMarginPoints);
    const double left = row == NotesRow::Own
                            ? points(kMarginPoints) + metrics.horizontalAdvance(frame)
                            : taken(row, layout_.bar).right;
    const QString text = metrics.elidedText(overlays_.contourText, Qt::ElideRight,
                                            right - left - points(kGapPoints));
    painter.drawText(QPointF(right - metrics.horizontalAdvance(text), baseline(row)), text);
}

}  // namespace armilla
