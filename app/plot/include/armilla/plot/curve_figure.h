// SPDX-License-Identifier: GPL-3.0-or-later
// Curves as a finished figure: axes, errors, legend, title; drawn anew at any size, in PDF and SVG
// with lines and text. Needs no display.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/core/job_context.h"
#include "armilla/figure/figure_page.h"
#include "armilla/plot/curve_drawing.h"

class QCoreApplication;

namespace armilla {

// The curves, axes and page of a figure.
struct CurveFigureRequest {
    // At least one; a curve without a color gets the theme color of its index.
    std::vector<PlottedCurve> curves;
    CurveAxes axes;
    std::optional<double> least, most;  // limits of the vertical axis; none: from the curves
    QString label;                      // vertical axis; empty: label of the first curve
    FigurePage page;                    // its title is above the axes
    bool darkBackground = false;
};

// The application object that writeCurveFigure() needs in a program without windows, instead of a
// QGuiApplication. The platform "offscreen" opens no display.
std::unique_ptr<QCoreApplication> makePlotApplication(int& count, char** arguments);

// Same as writePage() in armilla/figure/figure_page.h. Also throws InvalidArgument for a size
// without space for the axes, and for limits outside the domain of a logarithmic axis. Throws
// Unsupported if no font is installed. Only for the application's thread.
void writeCurveFigure(const CurveFigureRequest& request, const QString& path, bool overwrite,
                      JobContext& job);

}  // namespace armilla
