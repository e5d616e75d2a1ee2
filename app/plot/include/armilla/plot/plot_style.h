// SPDX-License-Identifier: GPL-3.0-or-later
// Common style of all plots.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

class QCPAxis;
class QCustomPlot;

namespace armilla {

// Colors and fonts of a plot.
struct PlotLook {
    QColor background, ground;  // around the axes; between the axes
    QColor frame, grid;         // axes and ticks, lines of the grid
    QColor text, textMuted;     // legend and title; text beside the axes
    QFont font, small;          // title; everything else
};

// Height of a tick label, logical pixels.
inline constexpr int kTickHeight = 34;

// Applies colors and fonts to a plot.
void stylePlot(QCustomPlot& plot, const PlotLook& look);
// The same for one axis of a further part of a plot.
void styleAxis(QCPAxis& axis, const PlotLook& look);
// Makes an axis logarithmic or linear, with matching ticks.
void setLogarithmic(QCPAxis& axis, bool logarithmic);
// Labels only powers of ten if the range of the axis spans many.
void writeDecades(QCPAxis& axis);
// Number of ticks that fit a plot of this height.
int tickCount(int height);
// The color, made darker or lighter until its contrast to the ground reaches 4.5 (WCAG 2.1). Marker
// colors are designed for the sky.
QColor legible(const QColor& color, const QColor& ground);
// Mix of `share` of the color with the ground. Equivalent to transparency, which not all SVG
// viewers support.
QColor mixed(const QColor& color, const QColor& ground, float share);
// Contrast ratio of two colors by WCAG 2.1, 1 to 21.
double contrastOf(const QColor& a, const QColor& b);
// "θ (deg)"; the name alone without a unit.
QString axisTitle(const std::string& name, const std::string& unit);
QString axisTitle(const QString& name, const QString& unit);  // typeset

}  // namespace armilla
