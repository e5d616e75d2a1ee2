// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curve_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "plots/plot_style.h"
#include "render/color_scale.h"
#include "ui/theme.h"

namespace armilla {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kHeadroom = 0.06;    // share of the axis beside the curves
constexpr qsizetype kMarked = 60;     // points that get a disc each
constexpr double kLargeSpan = 100.0;  // from which an axis is logarithmic

struct Span {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void take(double value, bool logarithmic) {
        if (!std::isfinite(value) || (logarithmic && value <= 0.0)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool isEmpty() const { return !(low <= high); }
};

void setRange(QCPAxis& axis, const Span& span, bool logarithmic) {
    if (span.isEmpty()) return axis.setRange(logarithmic ? 1.0 : 0.0, 10.0);
    if (logarithmic) {
        const double room = std::max(std::pow(span.high / span.low, kHeadroom), 1.05);
        return axis.setRange(span.low / room, span.high * room);
    }
    const double width = span.high - span.low;
    const double room =
        width > 0.0 ? kHeadroom * width : std::max(1e-12, 0.5 * std::fabs(span.low));
    axis.setRange(span.low - room, span.high + room);
}

// The column where there is one curve, else both, short enough to leave the curves in view.
QString legendName(const PlottedCurve& plotted, const CurveSeries& series) {
    constexpr qsizetype kLongest = 30, kKept = 14;
    const QString column = typesetName(series.name);
    QString name = plotted.name;
    if (name.size() > kLongest) name = name.left(kKept) + QChar(0x2026) + name.right(kKept);
    if (name.isEmpty()) return column;
    return plotted.curve->series.size() > 1 && !column.isEmpty()
               ? QStringLiteral("%1 · %2").arg(column, name)
               : name;
}

bool spansMuch(const std::vector<double>& values) {
    Span all;
    for (const double value : values) all.take(value, false);
    Span positive;
    for (const double value : values) positive.take(value, true);
    // A first point at 0, as a spectrum has, does not count.
    return !all.isEmpty() && all.low >= 0.0 && !positive.isEmpty() &&
           positive.high > kLargeSpan * positive.low;
}

// As many lines below each other as there is room for above the axis, the others beside them.
void arrangeLegend(QCustomPlot& plot, int height) {
    const int text = QFontMetrics(plot.legend->font()).height();
    const int line = std::max(text, plot.legend->iconSize().height()) + plot.legend->rowSpacing();
    plot.legend->setWrap(std::max(1, (height - 4 * text) / line));
    plot.legend->setFillOrder(QCPLayoutGrid::foRowsFirst, true);
}

}  // namespace

CurveAxes suitedAxes(const Curve& curve) {
    CurveAxes axes;
    axes.logarithmicX = spansMuch(curve.x);
    // Bins that grow are meant for such an axis.
    const size_t bins = curve.xLow.size();
    if (bins > 2 && curve.xLow.front() > 0.0)
        axes.logarithmicX = curve.xHigh[bins - 1] - curve.xLow[bins - 1] >
                            2.0 * (curve.xHigh.front() - curve.xLow.front());
    axes.logarithmicY = !curve.series.empty() && spansMuch(curve.series.front().values);
    return axes;
}

std::shared_ptr<const Curve> firstColumn(const Curve& curve) {
    auto part = std::make_shared<Curve>(curve);
    part->series.resize(std::min<size_t>(1, part->series.size()));
    return part;
}

std::shared_ptr<const Curve> otherColumns(const Curve& curve) {
    auto part = std::make_shared<Curve>(curve);
    if (!part->series.empty()) part->series.erase(part->series.begin());
    part->covariance.clear();
    return part;
}

std::vector<double> correlations(const Curve& curve) {
    const auto n = static_cast<size_t>(curve.size());
    std::vector<double> result(curve.covariance.size(), kNaN);
    for (size_t i = 0; i < n && !result.empty(); ++i)
        for (size_t j = 0; j < n; ++j) {
            const double square = curve.covariance[i * n + i] * curve.covariance[j * n + j];
            if (square > 0.0) result[i * n + j] = curve.covariance[i * n + j] / std::sqrt(square);
        }
    return result;
}

CurvePlot::CurvePlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    setAccessibleName(tr("Plot of the curves"));
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->setToolTip(tr("Drag and wheel move and zoom the axes; double click shows all"));
    plot_->axisRect()->setMinimumMargins({4, 6, 8, 4});
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
    plot_->yAxis->ticker()->setTickCount(tickCount(height()));
    arrangeLegend(*plot_, height());
}

void CurvePlot::fill() {
    plot_->clearPlottables();
    stylePlot(*plot_, Theme::of(this), font());
    plot_->legend->setVisible(false);
    const bool asPicture =
        axes_.correlations && !curves_.empty() && !curves_.front().curve->covariance.empty();
    plot_->yAxis->setRangeReversed(asPicture);
    if (asPicture)
        fillCorrelations();
    else
        fillCurves();
    plot_->yAxis->ticker()->setTickCount(tickCount(height()));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::fillCurves() {
    const Theme& theme = Theme::of(this);
    setLogarithmic(*plot_->xAxis, axes_.logarithmicX);
    setLogarithmic(*plot_->yAxis, axes_.logarithmicY);
    Span wide, high;
    int lines = 0;
    for (const PlottedCurve& plotted : curves_) {
        const Curve& curve = *plotted.curve;
        QColor color = plotted.color;
        for (const CurveSeries& series : curve.series) {
            QVector<double> x, y, errors;
            for (size_t i = 0; i < curve.x.size(); ++i) {
                const double value = series.values[i];
                if (axes_.logarithmicX && curve.x[i] <= 0.0) continue;
                // A gap in the line.
                const bool isSeen = std::isfinite(value) && !(axes_.logarithmicY && value <= 0.0);
                x.push_back(curve.x[i]);
                y.push_back(isSeen ? value : kNaN);
                errors.push_back(series.errors.empty() ? 0.0 : series.errors[i]);
                if (!isSeen) continue;
                wide.take(curve.x[i], axes_.logarithmicX);
                high.take(value, axes_.logarithmicY);
                if (series.errors.empty() || !std::isfinite(series.errors[i])) continue;
                high.take(value - series.errors[i], axes_.logarithmicY);
                high.take(value + series.errors[i], axes_.logarithmicY);
            }
            QCPGraph* graph = plot_->addGraph();
            graph->setName(legendName(plotted, series));
            const QColor ink = legible(color, theme.plotBackground);
            graph->setPen(QPen(ink, 1.4));
            graph->setAntialiased(true);
            if (curve.kind == CurveKind::Histogram) graph->setLineStyle(QCPGraph::lsStepCenter);
            if (x.size() <= kMarked)
                graph->setScatterStyle({QCPScatterStyle::ssDisc, ink, ink, 4.5});
            graph->setData(x, y, true);
            if (!series.errors.empty()) {
                auto* bars = new QCPErrorBars(plot_->xAxis, plot_->yAxis);
                bars->setDataPlottable(graph);
                QColor soft = ink;
                soft.setAlphaF(0.55F);
                bars->setPen(QPen(soft, 1.1));
                bars->setWhiskerWidth(4.0);
                bars->setData(errors);
                bars->removeFromLegend();
            }
            ++lines;
            color = color.toHsv();
            color.setHsvF(std::fmod(color.hsvHueF() < 0 ? 0.0F : color.hsvHueF() + 0.22F, 1.0F),
                          color.hsvSaturationF(), color.valueF());
        }
    }
    setRange(*plot_->xAxis, wide, axes_.logarithmicX);
    setRange(*plot_->yAxis, high, axes_.logarithmicY);
    plot_->xAxis->setLabel({});
    plot_->yAxis->setLabel({});
    if (curves_.empty()) return;
    const Curve& first = *curves_.front().curve;
    plot_->xAxis->setLabel(axisTitle(first.xName, first.xUnit));
    if (!first.series.empty()) {
        // Several columns share an axis: their names stand in the legend.
        const bool isAlone = first.series.size() == 1;
        plot_->yAxis->setLabel(isAlone
                                   ? axisTitle(first.series.front().name, first.series.front().unit)
                                   : axisTitle({}, first.series.front().unit));
    }
    plot_->legend->setVisible(lines > 1);
    plot_->legend->setFont(theme.smallFont(font()));
    plot_->legend->setTextColor(theme.text);
    QColor plate = theme.plotBackground;
    plate.setAlphaF(0.85F);
    plot_->legend->setBrush(plate);
    plot_->legend->setBorderPen(QPen(theme.separator));
    arrangeLegend(*plot_, height());
    plot_->axisRect()->insetLayout()->setInsetAlignment(0, emptiestCorner());
}

// Where a legend hides the fewest points; the upper right one before others.
Qt::Alignment CurvePlot::emptiestCorner() const {
    constexpr double kLegend = 0.45;  // of either side, about
    const auto share = [](const QCPAxis& axis, double value) {
        const QCPRange range = axis.range();
        return axis.scaleType() == QCPAxis::stLogarithmic
                   ? std::log(value / range.lower) / std::log(range.upper / range.lower)
                   : (value - range.lower) / range.size();
    };
    Qt::Alignment best = Qt::AlignRight | Qt::AlignTop;
    int fewest = std::numeric_limits<int>::max();
    for (const Qt::Alignment corner :
         {Qt::AlignRight | Qt::AlignTop, Qt::AlignLeft | Qt::AlignTop,
          Qt::AlignRight | Qt::AlignBottom, Qt::AlignLeft | Qt::AlignBottom}) {
        int hidden = 0;
        for (int g = 0; g < plot_->graphCount(); ++g)
            for (const QCPGraphData& point : *plot_->graph(g)->data()) {
                const double x = share(*plot_->xAxis, point.key),
                             y = share(*plot_->yAxis, point.value);
                hidden += (corner & Qt::AlignRight ? x > 1.0 - kLegend : x < kLegend) &&
                                  (corner & Qt::AlignTop ? y > 1.0 - kLegend : y < kLegend)
                              ? 1
                              : 0;
            }
        if (hidden >= fewest) continue;
        fewest = hidden;
        best = corner;
    }
    return best;
}

// Row i, column j: how the errors of the points i and j go together, from -1 to 1.
void CurvePlot::fillCorrelations() {
    const Curve& curve = *curves_.front().curve;
    const auto n = static_cast<int>(curve.size());
    const std::vector<double> values = correlations(curve);
    setLogarithmic(*plot_->xAxis, false);
    setLogarithmic(*plot_->yAxis, false);
    auto* map = new QCPColorMap(plot_->xAxis, plot_->yAxis);
    map->data()->setSize(n, n);
    map->data()->setRange({1.0, static_cast<double>(n)}, {1.0, static_cast<double>(n)});
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            map->data()->setCell(j, i, values[static_cast<size_t>(i * n + j)]);
    QCPColorGradient gradient;
    gradient.clearColorStops();
    const ColorTable table = colorTable("coolwarm", false);
    for (int i = 0; i < 256; i += 15) {
        const Rgba c = table[static_cast<size_t>(i)];
        gradient.setColorStopAt(i / 255.0, QColor(c.r, c.g, c.b));
    }
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    map->setGradient(gradient);
    map->setDataRange({-1.0, 1.0});
    map->setInterpolate(false);
    plot_->xAxis->setRange(0.5, n + 0.5);
    plot_->yAxis->setRange(0.5, n + 0.5);
    plot_->xAxis->setLabel(tr("point"));
    plot_->yAxis->setLabel(tr("correlation of points, −1 to 1"));
}

}  // namespace armilla
