// SPDX-License-Identifier: GPL-3.0-or-later
// The look that all plots share.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

class QCPAxis;
class QCustomPlot;

namespace armilla {

struct Theme;

// Room for a tick label, logical pixels.
inline constexpr int kTickHeight = 34;

void stylePlot(QCustomPlot& plot, const Theme& theme, const QFont& font);
// A logarithmic or a linear axis, with its ticks.
void setLogarithmic(QCPAxis& axis, bool logarithmic);
// As many ticks as a plot of this height has room for.
int tickCount(int height);
// The color, darker or lighter where it would not stand out from the ground by a contrast of 4.5
// (WCAG 2.1): colors of markers are made for the sky.
QColor legible(const QColor& color, const QColor& ground);
double contrastOf(const QColor& a, const QColor& b);
// Names of files as a person writes them: "theta" is θ, "l" is ℓ, "W" beside pairs w(θ).
QString typesetName(const std::string& name);
// "θ (deg)"; the name alone without a unit.
QString axisTitle(const std::string& name, const std::string& unit);

}  // namespace armilla
