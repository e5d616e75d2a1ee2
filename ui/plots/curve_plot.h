// SPDX-License-Identifier: GPL-3.0-or-later
// Plot of curves with errors on linear or logarithmic axes, or of the correlations of one curve as
// an image.
#pragma once

#include <QWidget>
#include <vector>

#include "armilla/plot/curve_drawing.h"

namespace armilla {

class CurvePlot : public QWidget {
    Q_OBJECT
public:
    explicit CurvePlot(QWidget* parent = nullptr);

    // The first curve names the axes and provides the correlations.
    void setCurves(std::vector<PlottedCurve> curves);
    void setAxes(const CurveAxes& axes);
    const CurveAxes& axes() const { return axes_; }
    QSize sizeHint() const override { return {480, 200}; }
    QSize minimumSizeHint() const override { return {200, 110}; }
    // Number of graphs, for tests: one for each series of each curve.
    int graphCount() const;
    // The curves, the first one first.
    const std::vector<PlottedCurve>& curves() const { return curves_; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fill();
    void placeLegend();
    QCustomPlot* plot_;
    std::vector<PlottedCurve> curves_;
    CurveAxes axes_;
};

}  // namespace armilla
