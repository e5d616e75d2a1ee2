// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of power spectra in the formats of many programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/core/harmonics.h"

namespace armilla {

// Statements of the user about a file of spectra, which override the file.
struct SpectrumReading {
    // Names of the file's columns in their order: "L", "TT", "D_EE", ...; "-" or a missing name at
    // the end omits a column. Empty: the file's own names.
    std::vector<std::string> columns;
    // true: the values are l (l + 1) C_l / (2 pi); none: the file decides
    std::optional<bool> isDl;
    bool isStated() const { return !columns.empty() || isDl.has_value(); }
};
// Throws InvalidArgument for names that are no column of a spectrum.
void checkSpectrumReading(const SpectrumReading& stated);

// C_l from l = 0 (zero below the first l of the file); the file must contain every l.
// - Columns are identified by name. A FITS table without known names has the order TT EE BB TE TB
//   EB.
// - Values are D_l, and are divided, if a column name or a comment contains D_l or l(l+1). Without
//   either, named columns that begin at l = 2 are D_l.
// - A text that names no spectra is refused, except two columns l and C_l from l = 0.
// - healpy writes EB and TB under each other's names; both are corrected.
// Assumptions and omissions (powers of the lensing potential, errors) are added to `notes`, one
// line each. Throws IoError.
Spectra readSpectra(const std::string& path, std::vector<std::string>* notes,
                    const SpectrumReading& stated);
// The spectra as a curve over l, with errors in columns TT_ERR; if l has gaps, only the rows
// present.
Curve readSpectrumCurve(const std::string& path, std::vector<std::string>* notes = nullptr,
                        const SpectrumReading& stated = {});

}  // namespace armilla
