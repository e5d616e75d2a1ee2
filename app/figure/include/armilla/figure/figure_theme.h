// SPDX-License-Identifier: GPL-3.0-or-later
// Colors, fonts and lengths of figures.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

namespace armilla {

// Colors and font family of a figure, with text sizes in points.
struct FigureTheme {
    QColor background, ink, faint;  // faint: secondary text, borders of the color bar
    QString family;
    static constexpr double kTitlePoints = 13.0;
    static constexpr double kTextPoints = 9.5;
    static constexpr double kLabelPoints = 8.0;  // on the sky

    // The theme's font at a size in points.
    QFont font(double points, QFont::Weight weight = QFont::Normal) const;
};
// Throws Unsupported if no font is installed.
FigureTheme figureTheme(bool dark);

// "-1.5" with a proper minus sign.
QString withMinus(QString text);

}  // namespace armilla
