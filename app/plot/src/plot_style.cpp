// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/plot/plot_style.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "armilla/figure/unit_text.h"

namespace armilla {

namespace {

constexpr double kNarrow = 30.0;  // below this span, powers of ten alone are too few ticks
constexpr int kDigits = 5;        // at least; numbers below 1e5 are written without a power of ten
constexpr int kMostDigits = 12;

// Numbers with a true minus sign. The exponent keeps its ASCII minus, because QCustomPlot searches
// for that.
class LinearTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int digits) override {
        QString text = QCPAxisTicker::getTickLabel(tick, locale, format, digits);
        if (text.startsWith(QLatin1Char('-'))) text[0] = QChar(0x2212);
        return text;
    }
    // Neighbors have different labels, also far from zero.
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale,
                                       QChar format, int digits) override {
        if (ticks.size() > 1) {
            const double largest = std::max(std::fabs(ticks.first()), std::fabs(ticks.last()));
            const double step = std::fabs(ticks[1] - ticks[0]);
            if (step > 0.0)
                digits = std::clamp(static_cast<int>(std::ceil(std::log10(largest / step))) + 2,
                                    digits, kMostDigits);
        }
        return QCPAxisTicker::createLabelVector(ticks, locale, format, digits);
    }
};

// Ticks of a logarithmic axis that spans about a decade: 1, 2 and 5 times powers of ten, which are
// spread over the axis; if these are fewer than three, equal steps, of which two at least are in
// the range.
class NarrowTicker : public LinearTicker {
protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override {
        constexpr int kLeastDecadic = 3, kLeastEven = 2, kMostSteps = 16;
        const auto inside = [&range](const QVector<double>& ticks) {
            return std::count_if(ticks.begin(), ticks.end(),
                                 [&](double tick) { return range.contains(tick); });
        };
        QVector<double> ticks;
        double decade = std::pow(10.0, std::floor(std::log10(range.lower)));
        for (; decade < 10.0 * range.upper; decade *= 10.0)
            for (const double factor : {1.0, 2.0, 5.0}) ticks << factor * decade;
        isDecadic_ = inside(ticks) >= kLeastDecadic;
        if (isDecadic_) return ticks;
        ticks = LinearTicker::createTickVector(step, range);
        for (int steps = tickCount(); inside(ticks) < kLeastEven && steps < kMostSteps; ++steps)
            ticks = LinearTicker::createTickVector(cleanMantissa(range.size() / steps), range);
        return ticks;
    }
    // Between 2 and 5 for example 3 and 4.
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override {
        if (!isDecadic_) return LinearTicker::createSubTickVector(count, ticks);
        constexpr double kRounding = 1e-9;
        QVector<double> between;
        for (qsizetype i = 1; i < ticks.size(); ++i) {
            const double step =
                std::pow(10.0, std::floor(std::log10(ticks[i - 1] * (1.0 + kRounding))));
            for (double at = ticks[i - 1] + step; at < ticks[i] * (1.0 - kRounding); at += step)
                between << at;
        }
        return between;
    }

private:
    bool isDecadic_ = false;
};

class LogarithmicTicker : public QCPAxisTickerLog {
public:
    void generate(const QCPRange& range, const QLocale& locale, QChar format, int digits,
                  QVector<double>& ticks, QVector<double>* subTicks,
                  QVector<QString>* labels) override {
        if (!(range.lower > 0.0 && range.upper < kNarrow * range.lower))
            return QCPAxisTickerLog::generate(range, locale, format, digits, ticks, subTicks,
                                              labels);
        narrow_.setTickCount(tickCount());
        narrow_.generate(range, locale, format, kDigits, ticks, subTicks, labels);
    }

private:
    NarrowTicker narrow_;
};

}  // namespace

void styleAxis(QCPAxis& axis, const PlotLook& look) {
    axis.setBasePen(QPen(look.frame));
    axis.setTickPen(QPen(look.frame));
    axis.setSubTickPen(QPen(look.frame));
    axis.setTickLabelColor(look.textMuted);
    axis.setTickLabelFont(look.small);
    axis.setLabelColor(look.textMuted);
    axis.setLabelFont(look.small);
    axis.setLabelPadding(3);
    axis.setTickLabelPadding(3);
    axis.grid()->setPen(QPen(look.grid));
    axis.grid()->setZeroLinePen(QPen(look.frame));
}

void stylePlot(QCustomPlot& plot, const PlotLook& look) {
    plot.setBackground(QBrush(look.background));
    plot.axisRect()->setBackground(QBrush(look.ground));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) styleAxis(*axis, look);
}

void setLogarithmic(QCPAxis& axis, bool logarithmic) {
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(logarithmic ? QSharedPointer<QCPAxisTicker>(new LogarithmicTicker)
                               : QSharedPointer<QCPAxisTicker>(new LinearTicker));
    axis.setNumberFormat(QStringLiteral("gbc"));
    axis.setNumberPrecision(logarithmic ? 4 : kDigits);
}

void writeDecades(QCPAxis& axis) {
    constexpr double kSomeDecades = 1e4;
    const QCPRange range = axis.range();
    if (axis.scaleType() != QCPAxis::stLogarithmic || range.lower <= 0.0 ||
        range.upper < kSomeDecades * range.lower)
        return;
    axis.setNumberFormat(QStringLiteral("ebc"));
    axis.setNumberPrecision(0);
}

int tickCount(int height) {
    return std::clamp(height / kTickHeight, 2, 6);
}

double contrastOf(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& color) {
        const auto linear = [](double v) {
            return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
               0.0722 * linear(color.blueF());
    };
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor mixed(const QColor& color, const QColor& ground, float share) {
    const auto part = [share](float a, float b) { return share * a + (1.0F - share) * b; };
    return QColor::fromRgbF(part(color.redF(), ground.redF()),
                            part(color.greenF(), ground.greenF()),
                            part(color.blueF(), ground.blueF()));
}

QColor legible(const QColor& color, const QColor& ground) {
    constexpr double kLeast = 4.5;
    constexpr float kStep = 0.02F;
    const float direction = contrastOf(Qt::black, ground) > contrastOf(Qt::white, ground) ? -1 : 1;
    QColor seen = color.toHsl();
    while (contrastOf(seen, ground) < kLeast) {
        const float lightness = seen.lightnessF() + direction * kStep;
        if (lightness < 0.0F || lightness > 1.0F) break;
        seen.setHslF(std::max(0.0F, seen.hslHueF()), seen.hslSaturationF(), lightness,
                     color.alphaF());
    }
    return seen.toRgb();
}

QString axisTitle(const std::string& name, const std::string& unit) {
    return axisTitle(nameText(QString::fromStdString(name)),
                     unitText(QString::fromStdString(unit)));
}

QString axisTitle(const QString& name, const QString& unit) {
    if (name.isEmpty()) return unit;
    return unit.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, unit);
}

}  // namespace armilla
