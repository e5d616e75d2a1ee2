// SPDX-License-Identifier: GPL-3.0-or-later
// Coefficients of weight times map, as masked spectra take them.
#pragma once

#include <vector>

#include "anafast_options.h"

namespace armilla {

struct MaskedFields {
    AlmSet set;  // T, or T, E, B
    ShtParameters parameters;
    TakenOut taken;
    std::vector<double> weights;  // RING; 0 at bad pixels
    Alm mask;                     // coefficients of the weights, to 3 nside - 1
    bool isWhole = false;         // all weights are 1
};
// Whether the coefficients of the weights are equal: the same weights by the same transform.
bool haveSameMask(const MaskedFields& a, const MaskedFields& b);
// `mask`: may be null. Pixels that are bad in any field have weight 0. Notes as those of `analyze`.
// `before`: earlier fields, or null; the coefficients of their weights serve equal weights.
MaskedFields analyzeMasked(Context& context, Input& input, const Input* mask,
                           const AnafastOptions& options, const JobContext& job,
                           const MaskedFields* before = nullptr);
// Coefficients of a map of noise times the weights of `like`. Throws InvalidArgument for another
// nside or frame.
std::vector<Alm> analyzeLike(Context& context, Input& input, const MaskedFields& like,
                             const AnafastOptions& options, JobContext& job);

}  // namespace armilla
