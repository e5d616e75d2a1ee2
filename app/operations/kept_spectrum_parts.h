// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the spectrum of a masked map that later runs can use again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "armilla/operations/kept_spectra.h"
#include "armilla/ops/band_powers.h"
#include "masked_fields.h"

namespace armilla {

// The coupling matrices of the last mask.
class KeptCouplings {
public:
    const CouplingMatrices& of(const std::vector<double>& maskSpectrum, int lmax,
                               const CouplingRequest& request, const Device& device,
                               JobContext& job);
    int computed() const { return computed_; }

private:
    std::vector<double> maskSpectrum_;
    CouplingRequest request_;
    CouplingMatrices matrices_;
    std::string device_;  // its label; devices differ in rounding
    int computed_ = 0;
};

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
    std::shared_ptr<MaskedFields> fields;
    std::vector<std::string> notes;  // notes of the analysis, repeated by each run

    // On a device: plans, and arrays of pixels without content.
    KeptPlans plans;
    PixelArrays arrays;
    // Parts of the weights of `fields`: pseudo-spectra of the weights and of their squares.
    struct OfMask {
        std::optional<MaskMoments> moments;
        std::vector<double> spectrum, squared;
    };
    OfMask ofMask;
    std::optional<NineSpectra> pseudo;  // spectra of `fields`
    // Matrices of the mask, and those of its square for Gaussian errors.
    KeptCouplings couplings, squaredCouplings;

    // Matrices of the band powers, and the note on a large mean, of the last run.
    std::shared_ptr<const std::vector<TableMatrix>> bandMatrices;
    std::string meanNote;

    KeptSpectra::Counts counts;
};

// Plans that runs on a device share. Null on the CPU, whose tables take little time beside its
// transforms and whose workspaces are large, and without kept parts.
KeptPlans* keptPlans(KeptSpectrumParts* kept, const Device& device);
// The coefficients of a map, kept or analyzed anew.
std::shared_ptr<const MaskedFields> keptFields(Context& context, Input& input, const Input* mask,
                                               const AnafastOptions& options, const JobContext& job,
                                               KeptSpectrumParts& kept);

}  // namespace armilla
