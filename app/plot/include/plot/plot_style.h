// SPDX-License-Identifier: GPL-3.0-or-later
// The look that all plots share.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

class QCPAxis;
class QCustomPlot;

namespace armilla {

// Colors and fonts of a plot.
struct PlotLook {
    QColor background, ground;  // around the axes, between them
    QColor frame, grid;         // axes and ticks, lines of the grid
    QColor text, textMuted;     // of the legend and the title, beside the axes
    QFont font, small;          // of the title, of everything else
};

// Room for a tick label, logical pixels.
inline constexpr int kTickHeight = 34;

void stylePlot(QCustomPlot& plot, const PlotLook& look);
// A logarithmic or a linear axis, with its ticks.
void setLogarithmic(QCPAxis& axis, bool logarithmic);
// Powers of ten alone where an axis with its range spans many.
void writeDecades(QCPAxis& axis);
// As many ticks as a plot of this height has room for.
int tickCount(int height);
// The color, darker or lighter where it would not stand out from the ground by a contrast of 4.5
// (WCAG 2.1): colors of markers are made for the sky.
QColor legible(const QColor& color, const QColor& ground);
// As much of the color as of `share`, the rest the ground: as if it were translucent, which not all
// readers of SVG know.
QColor mixed(const QColor& color, const QColor& ground, float share);
double contrastOf(const QColor& a, const QColor& b);
// "θ (deg)"; the name alone without a unit.
QString axisTitle(const std::string& name, const std::string& unit);
QString axisTitle(const QString& name, const QString& unit);  // as they are to be written

}  // namespace armilla
