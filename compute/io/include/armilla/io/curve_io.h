// SPDX-License-Identifier: GPL-3.0-or-later
// Files of curves: spectra, correlations, radial profiles, histograms, beams and kernels as tables.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "armilla/core/curve.h"
#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/table.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"

namespace armilla {

// Reads a curve from a FITS table, CSV, ECSV, VOTable or columns of text. Columns: x, its bin edges
// (<X>_MIN and <X>_MAX; L_MIN and L_MAX for L_EFF), columns of y and their errors (<Y>_ERR). x is
// the column L, ELL, L_EFF, THETA, ANGLE, RADIUS, R or X, otherwise the first one; rows are sorted
// by x. A FITS extension COVARIANCE belongs to the first y, or begins with its block. EXTNAME
// determines the kind, otherwise the column names. Throws IoError with one line, Cancelled.
Curve readCurve(const std::string& path, JobContext& job);

// The curve in a file of unknown content. Accepts tables that names of the table or of columns
// identify as a curve, and tables of two numeric columns with an ascending x. None for any other.
std::optional<Curve> findCurve(const std::string& path, JobContext& job);

// Writes a curve in the format of the suffix: FITS (with the covariance as an extension), .ecsv,
// .vot, .csv, or .txt with a comment that names the columns. `precision` applies to y.
// - A covariance without errors adds error columns, the roots of its diagonal. Only FITS holds the
//   covariance itself.
// - A beam over l = 0, 1, ... is written to FITS as B_l alone, as other programs expect.
// Throws InvalidArgument (see checkCurve; also for finite values beyond the precision's range),
// IoError; the file at the final name is then unchanged.
void writeCurve(const Curve& curve, const std::string& path, const TableWriteOptions& options,
                JobContext& job, StoredPrecision precision = StoredPrecision::Double);
// One line, for the user, about parts of a curve that the format of `path` cannot hold, and about
// absent spectra that FITS files hold as 0; empty if none.
std::string leftOutOf(const Curve& curve, const std::string& path);

// Names of the columns of Spectra.
inline constexpr std::array<const char*, 6> kSpectrumNames = {"TT", "EE", "BB", "TE", "TB", "EB"};
// Spectra and beams as curves over l = 0, 1, ..., one column for each present spectrum. B_l of E
// and B appear only if different from the column before.
Curve curveOf(const Spectra& spectra);
Curve curveOf(const Beam& beam);
// A kernel as a curve over the angle in radians, and back. Throws InvalidArgument for a curve over
// another quantity than an angle, and for one that does not begin at 0.
Curve curveOf(const RadialKernel& kernel);
RadialKernel kernelOf(const Curve& curve);

// Converts between a curve and a table.
Table curveTable(const Curve& curve);
// The columns are found as in readCurve; rows without x are omitted, and rows are sorted by x.
// Throws IoError without columns of numbers.
Curve curveFromTable(const Table& table);

// Converts a curve over l = 0, 1, ... to C_l or B_l; a single column of unknown name is TT. NaN at
// l < 2 becomes 0. Throws InvalidArgument for NaN at larger l and for other curves.
Spectra spectraOf(const Curve& curve);
Beam beamOf(const Curve& curve);
// True if a curve holds nothing but C_l at every l from 0, which spectraOf() takes as they are.
bool isOfSpectra(const Curve& curve);

}  // namespace armilla
