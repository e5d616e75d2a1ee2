// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/plot/curve_drawing.h"

#include <qcustomplot.h>

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/nan.h"
#include "armilla/draw/color_scale.h"
#include "armilla/figure/unit_text.h"

namespace armilla {
namespace {

constexpr double kHeadroom = 0.06;      // share of the axis left free at its ends
constexpr qsizetype kMarked = 60;       // points that get a disc each
constexpr double kLargeSpan = 100.0;    // span from which an axis is logarithmic
constexpr int kLegendMargin = 6;        // right of a legend, in pixels
constexpr double kLeastStretch = 1e-3;  // for a row or column without spare space

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

// The column name if there is one layer, else layer and column, shortened to leave space for the
// curves.
QString legendName(const PlottedCurve& plotted, const CurveSeries& series, bool isAlone) {
    constexpr qsizetype kLongest = 30, kKept = 14;
    QString column = nameText(QString::fromStdString(series.name));
    QString name = isAlone && !column.isEmpty() ? QString() : plotted.name;
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

// The names that fit the width share a row above the plot.
int namesInARow(QCustomPlot& plot) {
    constexpr int kBesideName = 24;  // a name's icon and spaces
    const QFontMetrics font(plot.legend->font());
    int widest = 0;
    for (int i = 0; i < plot.plottableCount(); ++i)
        widest = std::max(widest, font.horizontalAdvance(plot.plottable(i)->name()));
    widest += plot.legend->iconSize().width() + kBesideName;
    return std::max(1, plot.viewport().width() / widest);
}

// Puts the first `most` names into the legend; the last of them then counts the others. A hidden
// legend takes no space.
void nameCurves(QCustomPlot& plot, int most) {
    const int count = plot.legend->visible() ? plot.graphCount() : 0;
    const int shown = count <= most ? count : std::max(0, most - 1);
    plot.legend->clearItems();
    for (int i = plot.legend->elementCount() - 1; i >= 0; --i)
        if (qobject_cast<QCPTextElement*>(plot.legend->elementAt(i))) plot.legend->removeAt(i);
    plot.legend->simplify();
    for (int i = 0; i < shown; ++i) plot.graph(i)->addToLegend();
    if (shown == count) return;
    const QString rest =
        QCoreApplication::translate("armilla::CurvePlot", "and %n more", nullptr, count - shown);
    auto* text = new QCPTextElement(&plot, rest, plot.legend->font());
    text->setTextColor(plot.legend->textColor());
    plot.legend->addElement(text);
}

// Beside the plot, stacks as many lines as fit the height; further lines form another column. Above
// the plot, names take at most a third of the height.
void arrangeLegend(QCustomPlot& plot, int height) {
    const int text = QFontMetrics(plot.legend->font()).height();
    const int line = std::max(text, plot.legend->iconSize().height()) + plot.legend->rowSpacing();
    const bool isAbove = plot.legend->layout() == plot.plotLayout();
    const int inARow = namesInARow(plot), rows = std::max(1, height / (3 * line));
    nameCurves(plot, isAbove ? rows * inARow : std::numeric_limits<int>::max());
    plot.legend->setWrap(isAbove ? inARow : std::max(1, (height - 2 * text) / line));
    plot.legend->setFillOrder(isAbove ? QCPLayoutGrid::foColumnsFirst : QCPLayoutGrid::foRowsFirst,
                              true);
}

// Row i, column j: correlation of the errors of points i and j, from -1 to 1.
void drawCorrelations(QCustomPlot& plot, const Curve& curve) {
    const auto n = static_cast<int>(curve.size());
    const std::vector<double> values = correlations(curve);
    setLogarithmic(*plot.xAxis, false);
    setLogarithmic(*plot.yAxis, false);
    auto* map = new QCPColorMap(plot.xAxis, plot.yAxis);
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
    plot.xAxis->setRange(0.5, n + 0.5);
    plot.yAxis->setRange(0.5, n + 0.5);
    plot.xAxis->setLabel(QCoreApplication::translate("armilla::CurvePlot", "point"));
    plot.yAxis->setLabel(
        QCoreApplication::translate("armilla::CurvePlot", "correlation of points, −1 to 1"));
}

// Adds one column with its errors; extends both spans by its values.
void addGraph(QCustomPlot& plot, const PlottedCurve& plotted, const CurveSeries& series,
              bool isAlone, const QColor& ink, const QColor& ground, const CurveAxes& axes,
              Span& wide, Span& high) {
    const Curve& curve = *plotted.curve;
    QVector<double> x, y, errors;
    for (size_t i = 0; i < curve.x.size(); ++i) {
        const double value = series.values[i];
        if (axes.logarithmicX && curve.x[i] <= 0.0) continue;
        // Invisible values make a gap in the line.
        const bool isSeen = std::isfinite(value) && !(axes.logarithmicY && value <= 0.0);
        x.push_back(curve.x[i]);
        y.push_back(isSeen ? value : kNan);
        errors.push_back(series.errors.empty() ? 0.0 : series.errors[i]);
        if (!isSeen) continue;
        wide.take(curve.x[i], axes.logarithmicX);
        high.take(value, axes.logarithmicY);
        if (series.errors.empty() || !std::isfinite(series.errors[i])) continue;
        high.take(value - series.errors[i], axes.logarithmicY);
        high.take(value + series.errors[i], axes.logarithmicY);
    }
    QCPGraph* graph = plot.addGraph();
    graph->setName(legendName(plotted, series, isAlone));
    graph->setPen(QPen(ink, 1.4));
    graph->setAntialiased(true);
    if (curve.kind == CurveKind::Histogram) graph->setLineStyle(QCPGraph::lsStepCenter);
    if (x.size() <= kMarked) graph->setScatterStyle({QCPScatterStyle::ssDisc, ink, ink, 4.5});
    graph->setData(x, y, true);
    if (!series.errors.empty()) {
        auto* bars = new QCPErrorBars(plot.xAxis, plot.yAxis);
        bars->setDataPlottable(graph);
        bars->setPen(QPen(mixed(ink, ground, 0.55F), 1.1));
        bars->setWhiskerWidth(4.0);
        bars->setData(errors);
        bars->removeFromLegend();
    }
}

// Color of the next column of a layer: another hue. White, which becomes blue on a light ground,
// continues with the hue after blue.
QColor nextColor(const QColor& color) {
    constexpr float kStep = 0.22F, kBlue = 0.6F, kGray = 0.2F, kSaturation = 0.5F, kValue = 0.9F;
    const QColor hsv = color.toHsv();
    const float hue = hsv.hsvHueF() < 0.0F ? kBlue : hsv.hsvHueF();
    const bool isGray = hsv.hsvSaturationF() < kGray;
    return QColor::fromHsvF(std::fmod(hue + kStep, 1.0F),
                            isGray ? kSaturation : hsv.hsvSaturationF(),
                            isGray ? kValue : hsv.valueF());
}

void styleLegend(QCustomPlot& plot, const PlotLook& look) {
    plot.legend->setFont(look.small);
    // QCustomPlot draws the line at the center of the icon box, whose top is that of the name. This
    // box height puts the line at half the cap height of the name.
    const QFontMetricsF metrics(look.small);
    plot.legend->setIconSize(
        plot.legend->iconSize().width(),
        static_cast<int>(std::lround(2.0 * metrics.ascent() - metrics.capHeight())));
    plot.legend->setTextColor(look.text);
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setBorderPen(Qt::NoPen);
}

void drawLines(QCustomPlot& plot, const std::vector<PlottedCurve>& curves, const CurveAxes& axes,
               const PlotLook& look) {
    setLogarithmic(*plot.xAxis, axes.logarithmicX);
    setLogarithmic(*plot.yAxis, axes.logarithmicY);
    Span wide, high;
    int lines = 0;
    for (const PlottedCurve& plotted : curves) {
        QColor color = plotted.color;
        for (const CurveSeries& series : plotted.curve->series) {
            addGraph(plot, plotted, series, curves.size() == 1, legible(color, look.ground),
                     look.ground, axes, wide, high);
            ++lines;
            color = nextColor(color);
        }
    }
    setRange(*plot.xAxis, wide, axes.logarithmicX);
    setRange(*plot.yAxis, high, axes.logarithmicY);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) writeDecades(*axis);
    plot.xAxis->setLabel({});
    plot.yAxis->setLabel({});
    if (curves.empty()) return;
    const Curve& first = *curves.front().curve;
    plot.xAxis->setLabel(axisTitle(first.xName, first.xUnit));
    if (!first.series.empty()) {
        // Several columns share an axis, so their names are in the legend.
        const bool isAlone = first.series.size() == 1;
        plot.yAxis->setLabel(isAlone
                                 ? axisTitle(first.series.front().name, first.series.front().unit)
                                 : axisTitle({}, first.series.front().unit));
    }
    plot.legend->setVisible(lines > 1);
    styleLegend(plot, look);
}

}  // namespace

CurveAxes suitedAxes(const Curve& curve) {
    CurveAxes axes;
    axes.logarithmicX = spansMuch(curve.x);
    // Bins of increasing width are meant for a logarithmic axis.
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
    std::vector<double> result(curve.covariance.size(), kNan);
    for (size_t i = 0; i < n && !result.empty(); ++i)
        for (size_t j = 0; j < n; ++j) {
            const double square = curve.covariance[i * n + i] * curve.covariance[j * n + j];
            if (square > 0.0) result[i * n + j] = curve.covariance[i * n + j] / std::sqrt(square);
        }
    return result;
}

bool hasPairs(const Curve& curve) {
    return curve.kind == CurveKind::Correlation && curve.series.size() > 1;
}

void putLegendBeside(QCustomPlot& plot) {
    auto* beside = new QCPLayoutGrid;
    plot.plotLayout()->addElement(0, 1, beside);
    plot.plotLayout()->setColumnStretchFactor(1, kLeastStretch);
    beside->addElement(0, 0, plot.legend);
    beside->addElement(1, 0, new QCPLayoutElement(&plot));
    beside->setRowStretchFactor(0, kLeastStretch);
    beside->setRowSpacing(0);
}

void setLegendAbove(QCustomPlot& plot, bool isAbove) {
    QCPLayoutGrid* all = plot.plotLayout();
    if ((plot.legend->layout() == all) == isAbove) return;
    auto* beside = static_cast<QCPLayoutGrid*>(all->element(isAbove ? 0 : 1, 1));
    plot.legend->layout()->take(plot.legend);
    if (isAbove) {
        all->insertRow(0);
        all->setRowSpacing(0);
        all->setRowStretchFactor(0, kLeastStretch);
        all->addElement(0, 0, plot.legend);
    } else {
        all->simplify();
        beside->addElement(0, 0, plot.legend);
    }
}

void drawCurves(QCustomPlot& plot, const std::vector<PlottedCurve>& curves, const CurveAxes& axes,
                const PlotLook& look, int height) {
    plot.clearPlottables();
    stylePlot(plot, look);
    plot.legend->setVisible(false);
    const bool asPicture =
        axes.correlations && !curves.empty() && !curves.front().curve->covariance.empty();
    plot.yAxis->setRangeReversed(asPicture);
    if (asPicture)
        drawCorrelations(plot, *curves.front().curve);
    else
        drawLines(plot, curves, axes, look);
    plot.legend->setMargins({0, 0, plot.legend->visible() ? kLegendMargin : 0, 0});
    arrangePlot(plot, height);
}

void arrangePlot(QCustomPlot& plot, int height) {
    plot.yAxis->ticker()->setTickCount(tickCount(height));
    arrangeLegend(plot, height);
}

}  // namespace armilla
