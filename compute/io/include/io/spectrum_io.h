// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of power spectra from files of many programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/curve.h"
#include "core/harmonics.h"

namespace armilla {

// Statements of the user about a file of spectra, which overrule the file.
struct SpectrumReading {
    // Names of the file's columns in their order, "L", "TT", "D_EE", ...; "-" leaves a column out,
    // as do missing ones at the end. Empty: as the file names them.
    std::vector<std::string> columns;
    std::optional<bool> isDl;  // the values are l (l + 1) C_l / (2 pi); none: as the file says
    bool isStated() const { return !columns.empty() || isDl.has_value(); }
};
// Throws InvalidArgument for names that no column of a spectrum has.
void checkSpectrumReading(const SpectrumReading& stated);

// C_l from l = 0 (zero below the first l of the file), which the file must hold for every l.
// Columns go by their names, those of a FITS table without known names by the order TT EE BB TE TB
// EB. Values are D_l, and divided, where the name of a column or a comment says D_l or l(l+1); or,
// with neither C_l nor D_l said, where the named columns begin at l = 2. A text that names no
// spectra is refused, but for l and C_l in two columns from l = 0. EB and TB of healpy, which it
// writes under each other's names, are put right. What was assumed, or left out (powers of the
// lensing potential, errors), is added to `notes`, one line each. Throws IoError.
Spectra readSpectra(const std::string& path, std::vector<std::string>* notes,
                    const SpectrumReading& stated);
// The same as a curve over l, with the errors in columns TT_ERR; where l has gaps, a curve of the
// rows that there are.
Curve readSpectrumCurve(const std::string& path, std::vector<std::string>* notes = nullptr,
                        const SpectrumReading& stated = {});

}  // namespace armilla
