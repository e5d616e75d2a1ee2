// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/spectrum_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/order_statistics.h"
#include "armilla/core/sky_vector.h"
#include "armilla/figure/unit_text.h"
#include "armilla/ui/theme.h"
#include "plots/plot_look.h"

namespace armilla {

namespace {

constexpr double kEmptyLmax = 1000.0;  // l range of the axes before there is a curve
constexpr double kHeadroom = 0.18;     // share of the axis
constexpr double kCurveShare = 2.2;    // height of the curves over that of the residuals
constexpr double kShownShare = 0.98;   // share of the residuals within their axis
// Layers of the theory: under the points of band powers, over the line of C_l.
const QString kUnder = QStringLiteral("under"), kOver = QStringLiteral("over");

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
    // Draws a curve segment by segment. As one polyline, the curve of a noisy spectrum crosses
    // itself at every l, and its stroke takes up to 0.5 s.
    plot_->setPlottingHint(QCP::phFastPolylines);
    plot_->addLayer(kUnder, plot_->layer(QStringLiteral("main")), QCustomPlot::limBelow);
    plot_->addLayer(kOver, plot_->layer(QStringLiteral("main")), QCustomPlot::limAbove);
    for (QCPGraph*& graph : graphs_) graph = plot_->addGraph();
    graphs_[0]->setAntialiased(true);
    theoryGraph_ = plot_->addGraph();
    theoryGraph_->setAntialiased(true);
    const auto errorsOf = [this](QCPGraph* graph) {
        auto* bars = new QCPErrorBars(plot_->xAxis, plot_->yAxis);
        bars->setDataPlottable(graph);
        bars->removeFromLegend();
        return bars;
    };
    bars_ = errorsOf(graphs_[0]);
    otherBars_ = errorsOf(graphs_[2]);
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
    plot_->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    plot_->axisRect()->insetLayout()->setMargins({0, 2, 4, 0});
    buildResiduals();
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this] { fill(); });
    applyTheme();
    fill();
}

// The second plot shares the margins and the range of l of the first one.
void SpectrumPlot::buildResiduals() {
    residualRect_ = new QCPAxisRect(plot_, true);
    residualRect_->setMinimumMargins({4, 2, 4, 4});
    residualRect_->setVisible(false);
    QCPAxis* x = residualRect_->axis(QCPAxis::atBottom);
    QCPAxis* y = residualRect_->axis(QCPAxis::atLeft);
    auto* margins = new QCPMarginGroup(plot_);
    for (QCPAxisRect* rect : {plot_->axisRect(), residualRect_})
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    for (QCPGraph*& graph : residualGraphs_) {
        graph = plot_->addGraph(x, y);
        graph->removeFromLegend();
    }
    residualName_ = new QCPItemText(plot_);
    residualName_->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    residualName_->position->setType(QCPItemPosition::ptAxisRectRatio);
    residualName_->position->setAxisRect(residualRect_);
    residualName_->position->setCoords(0.02, 0.03);
    residualName_->setClipAxisRect(residualRect_);
    const auto changed = qOverload<const QCPRange&>(&QCPAxis::rangeChanged);
    const auto set = qOverload<const QCPRange&>(&QCPAxis::setRange);
    connect(plot_->xAxis, changed, x, set);
    connect(x, changed, plot_->xAxis, set);
}

void SpectrumPlot::setCurves(const std::vector<SpectrumCurve>& curves, const QString& unit) {
    curves_ = curves;
    unit_ = unit;
    fill();
}

void SpectrumPlot::setTheory(const std::optional<SpectrumCurve>& theory) {
    theory_ = theory;
    fill();
}

void SpectrumPlot::setResiduals(const std::vector<ResidualCurve>& residuals,
                                const QString& ordinate) {
    residuals_ = residuals;
    residualOrdinate_ = ordinate;
    fill();
}

int SpectrumPlot::pointCount(int curve) const {
    return graphs_[curve]->dataCount();
}

int SpectrumPlot::theoryPointCount() const {
    return theoryGraph_->dataCount();
}

int SpectrumPlot::residualCount(int curve) const {
    return residualGraphs_[curve]->dataCount();
}

QCPAxis* SpectrumPlot::multipoleAxis(bool ofResiduals) const {
    return ofResiduals ? residualRect_->axis(QCPAxis::atBottom) : plot_->xAxis;
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
    const PlotLook look = plotLook(theme, font());
    stylePlot(*plot_, look);
    residualRect_->setBackground(QBrush(look.ground));
    for (const auto type : {QCPAxis::atLeft, QCPAxis::atBottom})
        styleAxis(*residualRect_->axis(type), look);
    const QFont small = theme.smallFont(font());
    for (QCPItemText* text : {ordinate_, abscissa_, residualName_}) {
        text->setFont(small);
        text->setColor(theme.textMuted);
    }
    const QColor colors[kCurves] = {theme.first, theme.second, theme.third};
    for (int i = 0; i < kCurves; ++i) {
        graphs_[i]->setPen(QPen(colors[i], 1.4));
        residualGraphs_[i]->setPen(QPen(colors[i], 1.2));
    }
    theoryGraph_->setPen(QPen(theme.text, 1.4));
    bars_->setPen(QPen(theme.first, 1.0));
    otherBars_->setPen(QPen(theme.third, 1.0));
    plot_->legend->setFont(small);
    plot_->legend->setTextColor(theme.textMuted);
    plot_->legend->setBrush(Qt::NoBrush);
    plot_->legend->setBorderPen(Qt::NoPen);
    plot_->legend->setIconSize(14, 8);
    plot_->legend->setRowSpacing(0);
}

void SpectrumPlot::fillCurve(size_t index, Range& range) {
    QVector<double> x, y, errors;
    const SpectrumCurve none, &curve = index < curves_.size() ? curves_[index] : none;
    const bool areBands = !curve.l.empty();
    for (size_t i = areBands ? 0 : 2; i < curve.cl.size(); ++i) {
        const double l = areBands ? curve.l[i] : static_cast<double>(i);
        const double value = spectrumValue(axes_, l, curve.cl[i], curve.isDl);
        if (!std::isfinite(value) || (axes_.logarithmicC && value <= 0.0)) continue;
        x.push_back(l);
        y.push_back(value);
        errors.push_back(
            curve.errors.empty() ? 0.0 : spectrumValue(axes_, l, curve.errors[i], curve.isDl));
        // Only the first curve sets the lower end, because the smoothed one falls to zero.
        if (index == 0) range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
        range.lmax = std::max(range.lmax, std::ceil(l));
    }
    graphs_[index]->setData(x, y, true);
    graphs_[index]->setName(curve.name);
    const bool isShown = !x.isEmpty();
    graphs_[index]->setVisible(isShown);
    // Band powers beside a theory are points; alone, a line guides the eye.
    const bool arePoints = areBands && theory_;
    graphs_[index]->setLineStyle(arePoints ? QCPGraph::lsNone : QCPGraph::lsLine);
    graphs_[index]->setScatterStyle(areBands ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4.0)
                                             : QCPScatterStyle());
    if (index == 1) return;
    QCPErrorBars* bars = index == 0 ? bars_ : otherBars_;
    bars->setVisible(isShown && !curve.errors.empty());
    bars->setData(errors);
}

void SpectrumPlot::fillTheory(Range& range) {
    QVector<double> x, y;
    for (size_t i = 0; theory_ && i < theory_->cl.size(); ++i) {
        const double l = theory_->l.empty() ? static_cast<double>(i) : theory_->l[i];
        const double value = spectrumValue(axes_, l, theory_->cl[i], theory_->isDl);
        if (l < 2.0 || !std::isfinite(value) || (axes_.logarithmicC && value <= 0.0)) continue;
        x.push_back(l);
        y.push_back(value);
        range.high = std::max(range.high, value);
        range.lmax = std::max(range.lmax, l);
    }
    theoryGraph_->setData(x, y, true);
    theoryGraph_->setName(theory_ ? theory_->name : QString());
    theoryGraph_->setVisible(!x.isEmpty());
    const bool isUnder = !curves_.empty() && !curves_.front().l.empty();
    theoryGraph_->setLayer(isUnder ? kUnder : kOver);
}

void SpectrumPlot::fillResiduals() {
    const bool isIn = plot_->plotLayout()->rowCount() > 1;
    const bool isWanted = !residuals_.empty();
    if (isWanted != isIn) {
        if (isWanted) {
            plot_->plotLayout()->addElement(1, 0, residualRect_);
            plot_->plotLayout()->setRowStretchFactors({kCurveShare, 1.0});
            plot_->plotLayout()->setRowSpacing(0);
        } else {
            plot_->plotLayout()->take(residualRect_);
            plot_->plotLayout()->simplify();
        }
        residualRect_->setVisible(isWanted);
        residualName_->setVisible(isWanted);
        plot_->xAxis->setTickLabels(!isWanted);
        updateGeometry();
        abscissa_->position->setAxisRect(isWanted ? residualRect_ : plot_->axisRect());
        abscissa_->setClipAxisRect(isWanted ? residualRect_ : plot_->axisRect());
    }
    QCPAxis* x = residualRect_->axis(QCPAxis::atBottom);
    QCPAxis* y = residualRect_->axis(QCPAxis::atLeft);
    std::vector<double> sizes;
    for (int g = 0; g < kCurves; ++g) {
        const auto found = std::find_if(residuals_.begin(), residuals_.end(),
                                        [&](const ResidualCurve& one) { return one.curve == g; });
        const ResidualCurve none, &curve = found == residuals_.end() ? none : *found;
        residualGraphs_[g]->setData({curve.l.begin(), curve.l.end()},
                                    {curve.values.begin(), curve.values.end()}, true);
        residualGraphs_[g]->setLineStyle(curve.areBands ? QCPGraph::lsNone : QCPGraph::lsLine);
        residualGraphs_[g]->setScatterStyle(
            curve.areBands ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4.0) : QCPScatterStyle());
        for (const double value : curve.values) sizes.push_back(std::abs(value));
    }
    // The range holds nearly all points: one wild point leaves the others readable.
    double size = 1.0;
    if (!sizes.empty()) {
        const auto rank = static_cast<size_t>(kShownShare * double(sizes.size() - 1));
        if (const double shown = valueOfRank(sizes, rank); shown > 0.0) size = shown;
    }
    setLogarithmic(*x, axes_.logarithmicL);
    setLogarithmic(*y, false);
    y->ticker()->setTickCount(3);
    y->setRange(-1.25 * size, 1.25 * size);
    x->setNumberFormat(QStringLiteral("f"));
    x->setNumberPrecision(0);
    residualName_->setText(residualOrdinate_);
}

// Fills the graphs and fits the axes. A logarithmic axis spans at most fourteen decades, because
// smaller values are rounding errors.
void SpectrumPlot::fill() {
    Range range{std::numeric_limits<double>::infinity(), 0.0, curves_.empty() ? kEmptyLmax : 2.0};
    for (size_t g = 0; g < kCurves; ++g) fillCurve(g, range);
    fillTheory(range);
    fillResiduals();
    const int drawn = static_cast<int>(std::count_if(std::begin(graphs_), std::end(graphs_),
                                                     [](QCPGraph* g) { return g->visible(); }));
    plot_->legend->setVisible(drawn > 1 || theoryGraph_->visible());
    plot_->legend->clearItems();
    for (QCPGraph* graph : {graphs_[0], graphs_[1], graphs_[2], theoryGraph_})
        if (graph->visible()) graph->addToLegend();
    setLogarithmic(*plot_->xAxis, axes_.logarithmicL);
    setLogarithmic(*plot_->yAxis, axes_.logarithmicC);
    plot_->yAxis->ticker()->setTickCount(tickCount(height()));
    plot_->xAxis->setNumberFormat(QStringLiteral("f"));
    plot_->xAxis->setNumberPrecision(0);
    plot_->xAxis->setRange(axes_.logarithmicL ? 2.0 : 0.0, range.lmax * 1.02);
    const double high = range.high;
    if (high > 0.0) {
        if (axes_.logarithmicC) {
            const double low = std::max(std::min(range.low, high), high * 1e-14);
            // Space above the curve for the axis name.
            plot_->yAxis->setRange(low * 0.7, high * 1.3 * std::pow(high / low, kHeadroom));
        } else {
            const double low = std::min(0.0, range.low);
            plot_->yAxis->setRange(low * 1.05, high + (high - low) * kHeadroom);
        }
    }
    writeDecades(*plot_->yAxis);
    const QString unit = unit_.isEmpty() ? QString() : QStringLiteral("  %1").arg(unitText(unit_));
    ordinate_->setText((axes_.bandPower ? QStringLiteral("ℓ(ℓ+1)Cₗ/2π") : QStringLiteral("Cₗ")) +
                       unit);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace armilla
