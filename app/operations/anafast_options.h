// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of power spectra: masks, bins, decoupling, errors.
#pragma once

#include <string>
#include <vector>

#include "armilla/ops/band_powers.h"
#include "transform_parameters.h"

namespace armilla {

enum class Purify { None, E, B, Both };
enum class BinAs { Cl, Dl };
enum class Divide { None, W2 };
enum class SpectrumErrors { None, Knox, Gaussian };

struct AnafastOptions : TransformOptions {
    bool decouple = false, pixelWindow = false, allPairs = false;
    Purify purify = Purify::None;
    std::string bins, noise;
    BinAs binAs = BinAs::Cl;
    Divide divide = Divide::None;
    std::optional<double> fwhm;
    SpectrumErrors errors = SpectrumErrors::None;

    bool makesBands() const { return decouple || !bins.empty(); }
    bool pureE() const { return purify == Purify::E || purify == Purify::Both; }
    bool pureB() const { return purify == Purify::B || purify == Purify::Both; }
};
void describe(Description& d, AnafastOptions& p);
Problems checkAnafast(const AnafastOptions& options, const GivenSlots& given);
// Whether the spectrum is more than that of the coefficients of maps.
bool isMasked(const AnafastOptions& options, const GivenSlots& given);
Columns anafastColumns(const ParameterSet& parameters);

// --bins: a width, or a file with l_min and l_max in each line. One multipole a bin where none are
// given. Throws UsageError, IoError.
std::vector<MultipoleBin> binsOf(const AnafastOptions& options, int lmax);

}  // namespace armilla
