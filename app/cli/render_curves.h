// SPDX-License-Identifier: GPL-3.0-or-later
// What `armilla render` draws of spectra, beams, correlations and other curves: their plot.
#pragma once

#include <optional>
#include <string>

#include "cli/run.h"
#include "cli/spectrum_options.h"
#include "core/curve.h"
#include "io/map_io.h"
#include "operations/parameter.h"
#include "plot/curve_figure.h"

namespace armilla::cli {

struct RenderCurves {
    std::optional<bool> logarithmicX, logarithmicY;
};
void describe(Description& d, RenderCurves& p);

// The curve in a file that is one; the kind is what inspectFile said, none: it has no header.
// Throws IoError.
Curve readDrawnCurve(Run& run, const std::string& path, std::optional<FileKind> kind,
                     const SpectrumReading& stated, JobContext& job);

// The columns named in "A,B" by name or number from 1; empty: all, but of a correlation without
// the numbers of pairs. The page is that of the request. Throws InvalidArgument for a column that
// is not there.
CurveFigureRequest curveFigure(const Curve& curve, const std::string& columns,
                               const RenderCurves& options, const std::string& label,
                               const std::string& unit);

}  // namespace armilla::cli
