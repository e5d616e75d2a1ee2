// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/plot/curve_figure.h"

#include <qcustomplot.h>

#include <QApplication>
#include <QFontMetricsF>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/figure/figure_theme.h"

namespace armilla {

namespace {

// Layout resolution of a plot, as on a screen; the drawing is scaled from it.
constexpr double kLayoutDpi = 96.0;
constexpr int kLeastWidth = 160, kLeastHeight = 100;  // axes with their labels, layout pixels

QFont fontOf(const FigureTheme& theme, double points, QFont::Weight weight = QFont::Normal) {
    QFont font = theme.font(points, weight);
    // A size in points would use the resolution of the device instead of that of the layout.
    font.setPixelSize(static_cast<int>(std::lround(points * kLayoutDpi / 72.0)));
    return font;
}

PlotLook lookOf(bool dark) {
    const FigureTheme theme = figureTheme(dark);
    return {theme.background,
            theme.background,
            theme.faint,
            mixed(theme.faint, theme.background, 0.25F),
            theme.ink,
            theme.ink,
            fontOf(theme, theme.titlePoints, QFont::DemiBold),
            fontOf(theme, theme.textPoints)};
}

// Blue, orange, green: distinguishable for most color vision deficiencies, and on either ground.
QColor standardColor(size_t place, bool dark) {
    static constexpr QRgb kLight[] = {0xff1f6cc0, 0xffad560c, 0xff17784a};
    static constexpr QRgb kDark[] = {0xff82b8f0, 0xfff2a65e, 0xff6fcf9b};
    return QColor::fromRgb((dark ? kDark : kLight)[place % std::size(kLight)]);
}

void setEnds(QCPAxis& axis, std::optional<double> least, std::optional<double> most) {
    const double low = least.value_or(axis.range().lower), high = most.value_or(axis.range().upper);
    const bool isLog = axis.scaleType() == QCPAxis::stLogarithmic;
    if (!(low < high) || (isLog && !(low > 0.0)))
        throw InvalidArgument(std::string("expected ends of the vertical axis that rise") +
                              (isLog ? ", above 0 for a logarithmic one" : "") + ", found " +
                              QString::number(low).toStdString() + " to " +
                              QString::number(high).toStdString());
    axis.setRange(low, high);
}

class CurvePainting : public PagePainting {
public:
    explicit CurvePainting(const CurveFigureRequest& request) : request_(request) {}

    void prepare(QSizeF page, double dpi, bool isVector, JobContext& job) override {
        job.poll();
        isVector_ = isVector;
        scale_ = dpi / kLayoutDpi;
        size_ = {static_cast<int>(std::ceil(page.width() / scale_)),
                 static_cast<int>(std::ceil(page.height() / scale_))};
        if (size_.width() < kLeastWidth || size_.height() < kLeastHeight)
            throw InvalidArgument("expected a figure with space for axes (" + inches(kLeastWidth) +
                                  " x " + inches(kLeastHeight) + " inches at least), found " +
                                  std::to_string(request_.page.width) + " x " +
                                  std::to_string(request_.page.height) + " pixels at " +
                                  std::to_string(std::lround(request_.page.dpi)) + " per inch");
        const PlotLook look = lookOf(request_.darkBackground);
        plot_.setLocale(QLocale::c());
        plot_.axisRect()->setMinimumMargins({8, 8, 14, 8});
        putLegendBeside(plot_);
        addTitle(look);
        std::vector<PlottedCurve> curves = request_.curves;
        for (size_t i = 0; i < curves.size(); ++i) {
            if (!curves[i].color.isValid())
                curves[i].color = standardColor(i, request_.darkBackground);
        }
        drawCurves(plot_, curves, request_.axes, look, size_.height());
        if (request_.least || request_.most) setEnds(*plot_.yAxis, request_.least, request_.most);
        if (!request_.label.isEmpty()) plot_.yAxis->setLabel(request_.label);
        for (QCPAxis* axis : {plot_.xAxis, plot_.yAxis}) axis->setLabel(printable(axis->label()));
        for (int i = 0; i < plot_.graphCount(); ++i)
            plot_.graph(i)->setName(printable(plot_.graph(i)->name()));
    }
    QPainter& painter() override { return painter_; }
    void paint() override {
        painter_.scale(scale_, scale_);
        painter_.setMode(QCPPainter::pmVectorized, isVector_);
        plot_.toPainter(&painter_, size_.width(), size_.height());
    }

private:
    static std::string inches(int pixels) {
        return QString::number(pixels / kLayoutDpi, 'f', 1).toStdString();
    }
    void addTitle(const PlotLook& look) {
        const QString title = printable(request_.page.title);
        if (title.isEmpty()) return;
        const QFontMetricsF metrics(look.font);
        plot_.plotLayout()->insertRow(0);
        auto* text = new QCPTextElement(
            &plot_, metrics.elidedText(title, Qt::ElideRight, 0.95 * size_.width()), look.font);
        text->setTextColor(look.text);
        text->setMargins({0, 6, 0, 0});
        plot_.plotLayout()->addElement(0, 0, text);
    }

    const CurveFigureRequest& request_;
    QCustomPlot plot_;
    QCPPainter painter_;
    QSize size_;
    double scale_ = 1.0;
    bool isVector_ = false;
};

}  // namespace

std::unique_ptr<QCoreApplication> makePlotApplication(int& count, char** arguments) {
    // A built-in style; other styles are plugins of the desktop.
    QApplication::setStyle(QStringLiteral("fusion"));
    return std::make_unique<QApplication>(count, arguments);
}

void writeCurveFigure(const CurveFigureRequest& request, const QString& path, bool overwrite,
                      JobContext& job) {
    ARMILLA_ASSERT(!request.curves.empty());
    writePage(request.page, std::make_unique<CurvePainting>(request), path, overwrite, job);
}

}  // namespace armilla
