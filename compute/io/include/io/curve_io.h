// SPDX-License-Identifier: GPL-3.0-or-later
// Curves on disk: spectra, correlations, radial profiles, histograms, beams and kernels as tables.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/curve.h"
#include "core/harmonics.h"
#include "core/job_context.h"
#include "core/table.h"
#include "io/map_io.h"
#include "io/table_io.h"

namespace armilla {

// Reads a curve: x, its edges (<X>_MIN and <X>_MAX), columns of y and their errors (<Y>_ERR), as
// FITS table, CSV, ECSV, VOTable or columns of text. x is the column L, ELL, THETA, ANGLE, RADIUS,
// R or X, else the first one; rows are sorted by it. A FITS extension COVARIANCE belongs to the
// first y. The kind is told by EXTNAME, else by the names. Throws IoError with one clear line,
// Cancelled.
Curve readCurve(const std::string& path, JobContext& job);

// The curve in a file of which nothing else is known: one that says what it is, by names of the
// table or of columns, or one whose table is two columns of numbers, y over an x that ascends. None
// for any other.
std::optional<Curve> findCurve(const std::string& path, JobContext& job);

// Writes a curve by the suffix of the name: FITS (with the covariance as an extension), .ecsv,
// .vot, .csv, or .txt with a comment that names the columns. Of a covariance without errors these
// are written, too, the roots of its diagonal; it itself has a place in FITS alone.
// A beam whose x is l = 0, 1, ... is B_l alone in FITS, as other programs expect it. `precision` is
// that of y. Throws InvalidArgument (see checkCurve; also for finite values that it does not hold),
// IoError; the final name is then as before.
void writeCurve(const Curve& curve, const std::string& path, const TableWriteOptions& options,
                JobContext& job, StoredPrecision precision = StoredPrecision::Double);
// What of a curve a file of this name does not hold, a line for who asked for it; empty: nothing.
std::string leftOutOf(const Curve& curve, const std::string& path);

// Of the columns of Spectra.
inline constexpr std::array<const char*, 6> kSpectrumNames = {"TT", "EE", "BB", "TE", "TB", "EB"};
// Spectra and beams as curves over l = 0, 1, ..., a column for each that there is; B_l of E and B
// only where it is another one than that before it.
Curve curveOf(const Spectra& spectra);
Curve curveOf(const Beam& beam);

// A curve as a table and back.
Table curveTable(const Curve& curve);
Curve curveFromTable(const Table& table);

// The way back: C_l, or B_l, at every l from 0 on; NaN becomes 0, a single column of another name
// is TT. Throws InvalidArgument for a curve over anything else.
Spectra spectraOf(const Curve& curve);
Beam beamOf(const Curve& curve);
// Whether a curve holds C_l at every l from 0 on and nothing more, as curves of spectra are made.
bool isOfSpectra(const Curve& curve);

}  // namespace armilla
