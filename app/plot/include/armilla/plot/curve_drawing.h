// SPDX-License-Identifier: GPL-3.0-or-later
// Draws curves with errors on linear or logarithmic axes, or the correlations of one curve as an
// image. Shared by the plots of the window and the figures of curves.
#pragma once

#include <QColor>
#include <QString>
#include <memory>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/plot/plot_style.h"

class QCustomPlot;

namespace armilla {

// A curve with its legend name and color.
struct PlottedCurve {
    QString name;
    std::shared_ptr<const Curve> curve;
    QColor color;
};
// Axis scales of a plot.
struct CurveAxes {
    bool logarithmicX = false, logarithmicY = false;
    bool correlations = false;  // the picture instead of the curves
    bool operator==(const CurveAxes&) const = default;
};
// Suitable axes for a curve: logarithmic if its values span more than two powers of ten.
CurveAxes suitedAxes(const Curve& curve);
// True if the curve has pair counts beside a correlation; these have another magnitude.
bool hasPairs(const Curve& curve);
// Splits a curve with several columns: the first column with its errors, and the others (pair
// counts beside a correlation).
std::shared_ptr<const Curve> firstColumn(const Curve& curve);
std::shared_ptr<const Curve> otherColumns(const Curve& curve);
// Covariances divided by the errors on the diagonal; NaN if an error is not positive.
std::vector<double> correlations(const Curve& curve);

// Moves the legend to the top of a separate column of minimal width, where it hides no curve. Call
// once for each plot.
void putLegendBeside(QCustomPlot& plot);
// Moves that legend into a row above the plot, for a plot that is too narrow for a second column,
// or back.
void setLegendAbove(QCustomPlot& plot, bool isAbove);
// Replaces the content of a plot of `height` pixels by the curves, with one graph for each series.
// The first curve names the axes and provides the correlations. The axes span all curves.
void drawCurves(QCustomPlot& plot, const std::vector<PlottedCurve>& curves, const CurveAxes& axes,
                const PlotLook& look, int height);
// Reduces ticks and legend lines to the number that fits the height.
void arrangePlot(QCustomPlot& plot, int height);

}  // namespace armilla
