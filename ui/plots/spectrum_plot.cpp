// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/spectrum_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/sky_vector.h"
#include "armilla/figure/unit_text.h"
#include "armilla/ui/theme.h"
#include "plots/plot_look.h"

namespace armilla {

namespace {

constexpr size_t kEmptyLmax = 1000;  // l range of the axes before there is a curve
constexpr double kHeadroom = 0.18;   // share of the axis

}  // namespace

double spectrumValue(const SpectrumAxes& axes, double l, double value, bool isDl) {
    if (axes.bandPower == isDl) return value;
    const double factor = l * (l + 1.0) / kTwoPi;
    return isDl ? value / factor : value * factor;
}

SpectrumPlot::SpectrumPlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    setAccessibleName(tr("Angular power spectrum"));
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->setToolTip(tr("Drag and wheel move and zoom the axes; double click shows all"));
    plot_->axisRect()->setMinimumMargins({4, 4, 4, 4});
    for (QCPGraph*& graph : graphs_) graph = plot_->addGraph();
    graphs_[0]->setAntialiased(true);
    bars_ = new QCPErrorBars(plot_->xAxis, plot_->yAxis);
    bars_->setDataPlottable(graphs_[0]);
    // The axis name stands inside the plot, where it takes no space from the curves.
    ordinate_ = new QCPItemText(plot_);
    ordinate_->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    ordinate_->position->setType(QCPItemPosition::ptAxisRectRatio);
    ordinate_->position->setCoords(0.02, 0.02);
    abscissa_ = new QCPItemText(plot_);
    abscissa_->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    abscissa_->position->setType(QCPItemPosition::ptAxisRectRatio);
    abscissa_->position->setCoords(0.985, 0.98);
    abscissa_->setText(tr("ℓ"));
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this] { fill(); });
    applyTheme();
    fill();
}

void SpectrumPlot::setCurves(const std::vector<SpectrumCurve>& curves, const QString& unit) {
    curves_ = curves;
    unit_ = unit;
    fill();
}

void SpectrumPlot::setAxes(const SpectrumAxes& axes) {
    axes_ = axes;
    fill();
}

void SpectrumPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyTheme();
        plot_->replot(QCustomPlot::rpQueuedReplot);
    }
}

void SpectrumPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    plot_->yAxis->ticker()->setTickCount(tickCount(height()));
}

void SpectrumPlot::applyTheme() {
    const Theme& theme = Theme::of(this);
    stylePlot(*plot_, plotLook(theme, font()));
    const QFont small = theme.smallFont(font());
    for (QCPItemText* text : {ordinate_, abscissa_}) {
        text->setFont(small);
        text->setColor(theme.textMuted);
    }
    graphs_[0]->setPen(QPen(theme.first, 1.4));
    graphs_[1]->setPen(QPen(theme.second, 1.4));
    bars_->setPen(QPen(theme.first, 1.0));
}

// Fills the graphs and fits the axes. A logarithmic axis spans at most fourteen decades, because
// smaller values are rounding errors.
void SpectrumPlot::fill() {
    double low = std::numeric_limits<double>::infinity(), high = 0.0;
    size_t lmax = curves_.empty() ? kEmptyLmax : 2;
    for (size_t g = 0; g < 2; ++g) {
        QVector<double> x, y, errors;
        const SpectrumCurve none, &curve = g < curves_.size() ? curves_[g] : none;
        const bool areBands = !curve.l.empty();
        for (size_t i = areBands ? 0 : 2; i < curve.cl.size(); ++i) {
            const double l = areBands ? curve.l[i] : static_cast<double>(i);
            const double value = spectrumValue(axes_, l, curve.cl[i], curve.isDl);
            if (!std::isfinite(value) || (axes_.logarithmicC && value <= 0.0)) continue;
            x.push_back(l);
            y.push_back(value);
            errors.push_back(
                curve.errors.empty() ? 0.0 : spectrumValue(axes_, l, curve.errors[i], curve.isDl));
            // Only the first curve sets the range, because the smoothed one falls to zero.
            if (g == 0) low = std::min(low, value);
            high = std::max(high, value);
            lmax = std::max(lmax, static_cast<size_t>(std::ceil(l)));
        }
        graphs_[g]->setData(x, y, true);
        graphs_[g]->setScatterStyle(areBands ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4.0)
                                             : QCPScatterStyle());
        if (g == 0) {
            bars_->setVisible(!curve.errors.empty());
            bars_->setData(errors);
        }
    }
    setLogarithmic(*plot_->xAxis, axes_.logarithmicL);
    setLogarithmic(*plot_->yAxis, axes_.logarithmicC);
    plot_->yAxis->ticker()->setTickCount(tickCount(height()));
    plot_->xAxis->setNumberFormat(QStringLiteral("f"));
    plot_->xAxis->setNumberPrecision(0);
    plot_->xAxis->setRange(axes_.logarithmicL ? 2.0 : 0.0, static_cast<double>(lmax) * 1.02);
    if (high > 0.0) {
        low = std::max(std::min(low, high), high * 1e-14);
        if (axes_.logarithmicC)
            // Space above the curve for the axis name.
            plot_->yAxis->setRange(low * 0.7, high * 1.3 * std::pow(high / low, kHeadroom));
        else
            plot_->yAxis->setRange(std::min(0.0, low), high * (1.0 + kHeadroom));
    }
    writeDecades(*plot_->yAxis);
    const QString unit = unit_.isEmpty() ? QString() : QStringLiteral("  %1").arg(unitText(unit_));
    ordinate_->setText((axes_.bandPower ? QStringLiteral("ℓ(ℓ+1)Cₗ/2π") : QStringLiteral("Cₗ")) +
                       unit);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace armilla
