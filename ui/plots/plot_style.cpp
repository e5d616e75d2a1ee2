// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plot_style.h"

#include <qcustomplot.h>

#include <algorithm>

#include "session/unit_text.h"
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
