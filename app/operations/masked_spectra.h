// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra of masked fields: noise and beams out, in bins, decoupled, with errors.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "armilla/io/table_io.h"
#include "masked_fields.h"

namespace armilla {

struct KeptSpectrumParts;

// Whether a file of noise holds pixels, of a map or an image. Throws IoError.
bool isMapOfNoise(const std::string& path, JobContext& job);

struct MaskedSpectra {
    NineSpectra cl;  // pseudo-spectra without noise; divided by --divide and by beams without bands
    int lmax = 0;    // the largest multipole that is used
    MaskMoments moments;
    // With --bins or --decouple:
    std::optional<BandPowers> bands;
    NineSpectra powers;
    double divisor = 1.0;            // by --divide; windows and errors are divided by it later
    std::vector<double> covariance;  // spectra in the order of `written`, bins side by side
    std::vector<int> written;        // indices into kNinePairNames
};
// `b` is `a` itself for the spectrum of one map. `kept`: parts of earlier runs on one map, or null.
MaskedSpectra maskedSpectra(Context& context, const Inputs& inputs, const AnafastOptions& options,
                            const MaskedFields& a, const MaskedFields& b, JobContext& job,
                            KeptSpectrumParts* kept = nullptr);

// COVARIANCE, if there are errors, WINDOWS and WINDOWS_PARTNER of band powers.
using BandMatrices = std::shared_ptr<const std::vector<TableMatrix>>;
BandMatrices bandMatrices(const MaskedSpectra& spectra, JobContext& job);
// The output of a command: a table of band powers, or of nine spectra from l = 0. `matrices`: of
// bandMatrices().
Output bandOutput(const MaskedSpectra& spectra, BandMatrices matrices,
                  const AnafastOptions& options, const std::string& unit,
                  const std::function<void(const std::string&)>& note);
Output nineOutput(const MaskedSpectra& spectra, const std::string& unit);

}  // namespace armilla
