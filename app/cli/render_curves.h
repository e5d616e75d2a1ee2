// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of spectra, beams, correlations and other curves by `armilla render`.
#pragma once

#include <optional>
#include <string>

#include "armilla/core/curve.h"
#include "armilla/io/map_io.h"
#include "armilla/operations/parameter.h"
#include "armilla/plot/curve_figure.h"
#include "cli/run.h"
#include "cli/spectrum_options.h"

namespace armilla::cli {

struct RenderCurves {
    std::optional<bool> logarithmicX, logarithmicY;
};
void describe(Description& d, RenderCurves& p);

// Curve of a file. `kind` is the result of inspectFile; none: the file has no header. Throws
// IoError.
Curve readDrawnCurve(Run& run, const std::string& path, std::optional<FileKind> kind,
                     const SpectrumReading& stated, JobContext& job);

// Plot of the columns in "A,B", by name or number from 1. Empty: all, except the pair counts of a
// correlation. The page is that of the request. Throws InvalidArgument for a missing column.
CurveFigureRequest curveFigure(const Curve& curve, const std::string& columns,
                               const RenderCurves& options, const std::string& label,
                               const std::string& unit);

}  // namespace armilla::cli
