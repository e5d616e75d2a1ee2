// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of candidate significances, expected number of false ones, and the draggable threshold.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

namespace armilla {

// Both axes are logarithmic. Arrow keys move the threshold by a hundredth (Shift) or a tenth.
class ThresholdHistogram : public QWidget {
    Q_OBJECT
public:
    explicit ThresholdHistogram(QWidget* parent = nullptr);

    // Significances in any order; setFalse() receives those of the inverted map, none if unknown.
    void setSignificances(const std::vector<float>& candidates);
    void setFalse(const std::optional<std::vector<float>>& significances);
    void setThreshold(double threshold);
    double threshold() const { return threshold_; }

    double xOf(double significance) const;
    double significanceAt(double x) const;
    QSize sizeHint() const override { return {280, 108}; }
    QSize minimumSizeHint() const override { return {160, 84}; }

signals:
    void thresholdMoved(double threshold);
    void editingFinished();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    static constexpr int kBins = 56;
    std::vector<int> binned(const std::vector<float>& values) const;
    QRectF plotArea() const;
    void move(double threshold);

    std::vector<int> candidates_, false_;
    std::vector<float> falseValues_;
    double low_ = 3.0, high_ = 100.0, threshold_ = 3.0;
};

}  // namespace armilla
