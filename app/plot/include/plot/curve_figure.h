// SPDX-License-Identifier: GPL-3.0-or-later
// Curves as a finished figure: axes, errors, legend, title; drawn anew at any size, in PDF and SVG
// with lines and text. Needs no display.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/curve.h"
#include "core/job_context.h"
#include "figure/figure_page.h"
#include "plot/curve_drawing.h"

class QCoreApplication;

namespace armilla {

struct CurveFigureRequest {
    // One at least; a curve without a color has that of its place in the theme.
    std::vector<PlottedCurve> curves;
    CurveAxes axes;
    std::optional<double> least, most;  // ends of the vertical axis; else as the curves are
    QString label;                      // at the vertical axis; empty: as the first curve says
    FigurePage page;                    // its title stands above the axes
    bool darkBackground = false;
};

// What writeCurveFigure needs to be there in a program without windows, in place of a
// QGuiApplication; no display is opened on the platform "offscreen".
std::unique_ptr<QCoreApplication> makePlotApplication(int& count, char** arguments);

// As writePage of figure/figure_page.h. Throws InvalidArgument, too, for a size without room for
// the axes and for ends that a logarithmic axis does not reach, Unsupported where no font is
// installed. Only in the thread of the application.
void writeCurveFigure(const CurveFigureRequest& request, const QString& path, bool overwrite,
                      JobContext& job);

}  // namespace armilla
