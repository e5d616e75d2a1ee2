// SPDX-License-Identifier: GPL-3.0-or-later
// Texts around the sky: the name of the frame, the contours, the scale of line segments, the
// legend.
#include <algorithm>
#include <cmath>

#include "armilla/figure/unit_text.h"
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
    const QFontMetricsF metrics = pageMetrics(theme_.textPoints);
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
    const double end = margin() + points(kGapPoints) +
                       pageMetrics(theme_.labelPoints).horizontalAdvance(frameText());
    if (!request_.unit.isEmpty() && end < taken(NotesRow::Unit, bar).left) return NotesRow::Unit;
    return end < taken(NotesRow::Ticks, bar).left ? NotesRow::Ticks : NotesRow::Own;
}

void FigurePainter::paintNotes(QPainter& painter) const {
    const QFont small = theme_.font(theme_.labelPoints);
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
    if (!frame.isEmpty()) painter.drawText(QPointF(margin(), baseline(layout_.notesRow)), frame);
    if (overlays_.contourText.isEmpty()) return;
    // In the lower right corner, truncated to the space left by the other texts.
    const NotesRow row = layout_.notesRow == NotesRow::Own ? NotesRow::Own
                         : request_.unit.isEmpty()         ? NotesRow::Ticks
                                                           : NotesRow::Unit;
    const double right = page_.width() - margin();
    const double left = row == NotesRow::Own ? margin() + metrics.horizontalAdvance(frame)
                                             : taken(row, layout_.bar).right;
    const QString text = metrics.elidedText(overlays_.contourText, Qt::ElideRight,
                                            right - left - points(kGapPoints));
    painter.drawText(QPointF(right - metrics.horizontalAdvance(text), baseline(row)), text);
}

// A reference line segment of a round amplitude in the lower right corner, and the convention of
// the sign of U.
void FigurePainter::paintRodScale(QPainter& painter) const {
    if (!request_.polarization || !(skies_.front()->rods().scaleLength > 0.0)) return;
    const QFont font = theme_.font(theme_.labelPoints);
    const QFontMetricsF metrics(font, painter.device());
    painter.setFont(font);
    const QString unit = unitText(request_.polarization->unit);
    const QString text = withMinus(QString::number(skies_.front()->rods().scaleAmplitude)) +
                         (unit.isEmpty() ? unit : QLatin1Char(' ') + unit);
    const QRectF& notesBox = request_.look.bar != BarPlace::Below ? layout_.notes
                             : request_.unit.isEmpty()            ? layout_.ticks
                                                                  : layout_.unit;
    const double right = page_.width() - margin();
    const double baseline = notesBox.bottom() - metrics.descent();
    const double left = right - metrics.horizontalAdvance(text);
    painter.setPen(theme_.faint);
    painter.drawText(QPointF(left, baseline), text);
    const double length = skies_.front()->rodScaleOnPage();
    const double middle = baseline - 0.5 * metrics.capHeight();
    painter.setPen(QPen(theme_.ink, points(1.2), Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(left - points(4) - length, middle), QPointF(left - points(4), middle));
}

// Ring and name of the markers, in a corner of the first sky that no inset takes.
void FigurePainter::paintLegend(QPainter& painter) const {
    if (request_.legend.isEmpty() || (!request_.places && request_.markers.empty())) return;
    const QFont font = theme_.font(theme_.labelPoints);
    const QFontMetricsF metrics(font, painter.device());
    RingLook look = skies_.front()->ringLook();
    look.line = theme_.ink;
    look.halo = theme_.background;
    const QRectF& sky = skies_.front()->place().sky;
    const double inside = points(3.0);
    const double ring = 2.0 * (look.radius + look.haloWidth);
    const QString text = metrics.elidedText(request_.legend, Qt::ElideRight,
                                            0.5 * sky.width() - ring - 3.0 * inside);
    const QSizeF size(ring + metrics.horizontalAdvance(text) + 3.0 * inside,
                      std::max(ring, metrics.height()) + 2.0 * inside);
    const bool isLeft = request_.inset && request_.inset->corner == FigureCorner::BottomRight;
    const QRectF box(
        QPointF(isLeft ? sky.left() : sky.right() - size.width(), sky.bottom() - size.height()),
        size);
    QColor plate = theme_.background;
    plate.setAlphaF(0.85F);
    painter.fillRect(box, plate);
    paintRing(painter, QPointF(box.left() + inside + 0.5 * ring, box.center().y()), look);
    painter.setFont(font);
    painter.setPen(theme_.ink);
    painter.drawText(
        QPointF(box.left() + 2.0 * inside + ring, box.center().y() + 0.5 * metrics.capHeight()),
        text);
}

}  // namespace armilla
