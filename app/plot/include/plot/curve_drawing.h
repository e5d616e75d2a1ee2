// SPDX-License-Identifier: GPL-3.0-or-later
// Curves with their errors on linear or logarithmic axes, or the correlations of one as a picture:
// what the plots of the window and the figures of curves share.
#pragma once

#include <QColor>
#include <QString>
#include <memory>
#include <vector>

#include "core/curve.h"
#include "plot/plot_style.h"

class QCustomPlot;

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
// Whether numbers of pairs, which are of another size, stand beside a correlation.
bool hasPairs(const Curve& curve);
// Of a curve with several columns the first one with its errors, or the others: numbers of pairs
// beside a correlation.
std::shared_ptr<const Curve> firstColumn(const Curve& curve);
std::shared_ptr<const Curve> otherColumns(const Curve& curve);
// Covariances divided by the errors that stand on the diagonal; NaN where that is not positive.
std::vector<double> correlations(const Curve& curve);

// Once for each plot: its legend at the top of a column of its own, as small as it gets, where it
// hides no curve.
void putLegendBeside(QCustomPlot& plot);
// Fills a plot of `height` pixels with the curves, in place of what it shows: one graph for each
// series of each curve. The first curve names the axes; its correlations are those shown. Axes show
// all of the curves.
void drawCurves(QCustomPlot& plot, const std::vector<PlottedCurve>& curves, const CurveAxes& axes,
                const PlotLook& look, int height);
// As many ticks and lines of the legend as there is room for in that height.
void arrangePlot(QCustomPlot& plot, int height);

}  // namespace armilla
