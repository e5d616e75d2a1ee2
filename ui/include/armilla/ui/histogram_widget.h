// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram of the shown field, with draggable ends and center of the color range.
#pragma once

#include <QWidget>
#include <span>
#include <vector>

#include "armilla/draw/color_scale.h"

namespace armilla {

// Handles: the low end, the middle and the high end of the range. Tab selects a handle, arrow keys
// move it (Shift: finer, Ctrl: coarser), a double click on the middle resets the range.
//
// The axis has the stretch of the scale (logarithmic, asinh, ...). For Scale::Histogram, which
// would make every histogram flat, the axis is linear.
class HistogramWidget : public QWidget {
    Q_OBJECT
public:
    // The draggable parts of the range.
    enum class Handle { None, Low, Middle, High };

    explicit HistogramWidget(QWidget* parent = nullptr);

    // A sample of the field: finite values, ascending. Counted into bins, not kept.
    void setSample(std::span<const float> sorted);
    void setScale(const ColorScale& scale);
    const ColorScale& scale() const { return scale_; }
    // Unit at the labels.
    void setUnit(const QString& unit);
    Handle activeHandle() const { return active_; }

    // Horizontal position of a value in the widget, logical pixels; and the inverse.
    double xOf(double value) const;
    double valueAt(double x) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    // Emitted while a handle moves: the scale with its new range, without the table of
    // Scale::Histogram, which the receiver computes. editingFinished follows when the handle is
    // released.
    void scaleEdited(const armilla::ColorScale& scale);
    void editingFinished();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    double toAxis(double value) const;
    double fromAxis(double place) const;
    double middleValue() const;
    void fitAxis();
    void fillBins();
    Handle handleAt(QPointF position) const;
    double handleX(Handle handle) const;
    void moveHandle(Handle handle, double value);
    void nudge(double pixels);
    QRectF plotArea() const;
    void paintBins(QPainter& painter) const;
    void paintGradient(QPainter& painter) const;
    void paintHandles(QPainter& painter) const;

    std::vector<float> sample_;
    std::vector<double> bins_;  // heights, 0..1
    ColorScale scale_;
    QString unit_;
    // The axis keeps its own stretch, so that it does not move while a handle is dragged, even if
    // the stretch of the scale changes with the range.
    Scale axisScale_ = Scale::Linear;
    float axisLinear_ = 1.0F;
    double axisLow_ = 0.0, axisHigh_ = 1.0;
    Handle active_ = Handle::None, hovered_ = Handle::None, dragged_ = Handle::None;
    double dragOffset_ = 0.0;
};

}  // namespace armilla
