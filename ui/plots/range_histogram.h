// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of a column with a range that is chosen by dragging.
#pragma once

#include <QWidget>
#include <optional>

#include "armilla/session/shown_rows.h"

namespace armilla {

// Heights are logarithmic, so that single rows are visible. A drag chooses a range, an end of the
// range can be dragged, and a click without a drag clears it.
class RangeHistogram : public QWidget {
    Q_OBJECT
public:
    explicit RangeHistogram(QWidget* parent = nullptr);

    void setSummary(const ColumnSummary& summary);
    void setRange(const ColumnRange& range);
    const ColumnRange& range() const { return range_; }

    double xOf(double value) const;
    // The value at a place, rounded to the digits that a pixel resolves.
    double valueAt(double x) const;
    QSize sizeHint() const override { return {240, 110}; }
    QSize minimumSizeHint() const override { return {140, 52}; }

signals:
    // The person moves or clears the range.
    void rangeMoved(const armilla::ColumnRange& range);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QRectF plotArea() const;
    double rawValueAt(double x) const;
    void paintBars(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    void paintRange(QPainter& painter) const;
    void moveTo(double x);

    ColumnSummary summary_;
    ColumnRange range_;
    // Places of the fixed end and of the press during a drag, logical pixels.
    std::optional<double> anchor_, pressed_;
};

}  // namespace armilla
