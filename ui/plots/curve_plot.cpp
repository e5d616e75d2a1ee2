// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curve_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QVBoxLayout>

#include "armilla/ui/theme.h"
#include "plots/plot_look.h"

namespace armilla {

CurvePlot::CurvePlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    setAccessibleName(tr("Plot of the curves"));
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->setToolTip(
        tr("Drag moves and wheel zooms the axes, with Ctrl where the panel scrolls; "
           "double click shows all"));
    plot_->setPlottingHint(QCP::phFastPolylines);  // see SpectrumPlot
    plot_->axisRect()->setMinimumMargins({4, 6, 8, 4});
    putLegendBeside(*plot_);
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this] { fill(); });
    fill();
}

void CurvePlot::setCurves(std::vector<PlottedCurve> curves) {
    curves_ = std::move(curves);
    fill();
}

void CurvePlot::setAxes(const CurveAxes& axes) {
    if (axes == axes_) return;
    axes_ = axes;
    fill();
}

int CurvePlot::graphCount() const {
    return plot_->graphCount();
}

void CurvePlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) fill();
}

void CurvePlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeLegend();
}

// A column of names would take half of a plot in the column of the tools.
void CurvePlot::placeLegend() {
    constexpr int kNarrow = 420;
    setLegendAbove(*plot_, width() < kNarrow && plot_->legend->visible());
    arrangePlot(*plot_, height());
}

void CurvePlot::fill() {
    drawCurves(*plot_, curves_, axes_, plotLook(Theme::of(this), font()), height());
    placeLegend();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace armilla
