// SPDX-License-Identifier: GPL-3.0-or-later
// Curves with their errors on linear or logarithmic axes, or the correlations of one as a picture.
#pragma once

#include <QColor>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/curve.h"

class QCustomPlot;
class QCPColorMap;

namespace armilla {

struct PlottedCurve {
    QString name;
    std::shared_ptr<const Curve> curve;
    QColor color;
};
struct CurveAxes {
    bool logarithmicX = false, logarithmicY = false;
    bool correlations = false;  // the picture instead of the curves
    bool operator==(const CurveAxes&) const = default;
};
// Axes that suit a curve: logarithmic where its values span more than two powers of ten.
CurveAxes suitedAxes(const Curve& curve);
// Of a curve with several columns the first one with its errors, or the others: numbers of pairs
// beside a correlation.
std::shared_ptr<const Curve> firstColumn(const Curve& curve);
std::shared_ptr<const Curve> otherColumns(const Curve& curve);
// Covariances divided by the errors that stand on the diagonal; NaN where that is not positive.
std::vector<double> correlations(const Curve& curve);

class CurvePlot : public QWidget {
    Q_OBJECT
public:
    explicit CurvePlot(QWidget* parent = nullptr);

    // The first one names the axes; its correlations are those shown.
    void setCurves(std::vector<PlottedCurve> curves);
    void setAxes(const CurveAxes& axes);
    const CurveAxes& axes() const { return axes_; }
    QSize sizeHint() const override { return {480, 200}; }
    QSize minimumSizeHint() const override { return {200, 110}; }
    // Graphs drawn, for tests: one for each series of each curve.
    int graphCount() const;
    // Of the legend.
    Qt::Alignment emptiestCorner() const;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fill();
    void fillCurves();
    void fillCorrelations();
    QCustomPlot* plot_;
    std::vector<PlottedCurve> curves_;
    CurveAxes axes_;
};

}  // namespace armilla
