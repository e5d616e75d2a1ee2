// SPDX-License-Identifier: GPL-3.0-or-later
// Colors, fonts and lengths of figures.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

#include "armilla/core/figure_look.h"

namespace armilla {

// Colors and font family of a figure, with text sizes in points.
struct FigureTheme {
    QColor background, ink, faint;  // faint: secondary text, borders of the color bar
    QString family;
    double titlePoints = 13.0;
    double textPoints = kFigureTextPoints;
    double labelPoints = 8.0;  // on the sky

    // The theme's font at a size in points.
    QFont font(double points, QFont::Weight weight = QFont::Normal) const;
};
// Throws Unsupported if no font is installed, or not the one that the look names.
FigureTheme figureTheme(const FigureLook& look);
FigureTheme figureTheme(bool dark);

// "-1.5" with a proper minus sign.
QString withMinus(QString text);

}  // namespace armilla
