// SPDX-License-Identifier: GPL-3.0-or-later
// A small curve with its name and range, for the shape of a kernel.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <vector>

namespace armilla {

class ProfilePlot : public QWidget {
    Q_OBJECT
public:
    enum class Line { First, Second };  // blue, orange of the theme
    ProfilePlot(const QString& title, Line line, QWidget* parent = nullptr);

    // Values at equal steps from 0 to the abscissa labeled `end` ("2.5°", "ℓ 700"). The ordinate is
    // labeled at 0 and at the largest value. A `mark` in [0, 1] of the abscissa is a dotted line.
    void setCurve(std::vector<double> values, const QString& end, double mark);
    void clear();
    const std::vector<double>& values() const { return values_; }
    const QString& end() const { return end_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    // Painted into a picture as soon as the curve is known. While a slider moves, that runs in
    // parallel with the sky picture instead of before its display.
    void paintPicture();
    void paintCurve(QPainter& painter) const;

    QPixmap picture_;
    QString title_, end_;
    Line line_;
    double mark_ = 0.0;
    std::vector<double> values_;
};

}  // namespace armilla
