// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plot_style.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "figure/unit_text.h"
#include "ui/theme.h"

namespace armilla {

void stylePlot(QCustomPlot& plot, const Theme& theme, const QFont& font) {
    plot.setBackground(QBrush(theme.panel));
    plot.axisRect()->setBackground(QBrush(theme.plotBackground));
    const QFont small = theme.smallFont(font);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(theme.border));
        axis->setTickPen(QPen(theme.border));
        axis->setSubTickPen(QPen(theme.border));
        axis->setTickLabelColor(theme.textMuted);
        axis->setTickLabelFont(small);
        axis->setLabelColor(theme.textMuted);
        axis->setLabelFont(small);
        axis->setLabelPadding(3);
        axis->setTickLabelPadding(3);
        axis->grid()->setPen(QPen(theme.plotGrid));
        axis->grid()->setZeroLinePen(QPen(theme.border));
    }
}

void setLogarithmic(QCPAxis& axis, bool logarithmic) {
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(logarithmic ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                               : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    axis.setNumberFormat(QStringLiteral("gb"));
    axis.setNumberPrecision(logarithmic ? 2 : 3);
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

QString typesetName(const std::string& name) {
    if (name == "theta" || name == "THETA") return QStringLiteral("θ");
    if (name == "l" || name == "L" || name == "ELL") return QStringLiteral("ℓ");
    if (name == "W") return QStringLiteral("w(θ)");
    return QString::fromStdString(name);
}

QString axisTitle(const std::string& name, const std::string& unit) {
    const QString title = typesetName(name);
    if (title.isEmpty()) return unitText(QString::fromStdString(unit));
    return unit.empty()
               ? title
               : QStringLiteral("%1 (%2)").arg(title, unitText(QString::fromStdString(unit)));
}

}  // namespace armilla
