// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the spectrum of a masked map that later runs can use again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "armilla/operations/kept_spectra.h"
#include "armilla/ops/coupling.h"
#include "masked_fields.h"

namespace armilla {

struct KeptSpectrumParts {
    // Everything that the coefficients depend on. The pointers keep their maps, so that no other
    // map takes their addresses.
    struct Key {
        std::shared_ptr<const void> map, mask;
        std::vector<int> mapFields, maskFields;
        std::string plane;  // the plane of an image
        std::string device;
        ShtParameters parameters;
        Remove remove = Remove::None;
        Purify purify = Purify::None;
        bool polarization = false;
        bool operator==(const Key& other) const;
    };
    std::optional<Key> key;
    std::shared_ptr<const MaskedFields> fields;
    std::vector<std::string> notes;  // notes of the analysis, repeated by each run

    // Matrices of the mask with this pseudo-spectrum.
    std::vector<double> maskSpectrum;
    CouplingRequest request;
    CouplingMatrices matrices;
    std::string matricesDevice;  // its label; devices differ in rounding

    // Pseudo-spectrum of the squared weights of `fields`, for Gaussian errors.
    std::vector<double> squaredMask;

    // Matrices of the band powers, and the note on a large mean, of the last run.
    std::shared_ptr<const std::vector<TableMatrix>> bandMatrices;
    std::string meanNote;

    KeptSpectra::Counts counts;
};

// The coefficients of a map, kept or analyzed anew.
std::shared_ptr<const MaskedFields> keptFields(Context& context, Input& input, const Input* mask,
                                               const AnafastOptions& options, const JobContext& job,
                                               KeptSpectrumParts& kept);
// The coupling matrices of a mask, kept or computed anew.
const CouplingMatrices& keptMatrices(std::vector<double> maskSpectrum, int lmax,
                                     const CouplingRequest& request, const Device& device,
                                     KeptSpectrumParts& kept, JobContext& job);

}  // namespace armilla
