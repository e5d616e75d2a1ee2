// SPDX-License-Identifier: GPL-3.0-or-later
// Coefficients of weight times map, as masked spectra take them.
#pragma once

#include <vector>

#include "anafast_options.h"
#include "ring_image.h"

namespace armilla {

struct MaskedFields {
    AlmSet set;  // T, or T, E, B
    ShtParameters parameters;
    TakenOut taken;
    // In RING order, or of an image row after row of whole rings from the north; 0 at bad pixels.
    std::vector<double> weights;
    Alm mask;                        // coefficients of the weights, to maskLmax()
    std::optional<RingImage> image;  // the grid of an image
    bool isWhole = false;            // all weights are 1
};
// The largest multipole of a mask: 3 nside - 1, or that of the image's grid.
int maskLmax(const MaskedFields& fields);
// Whether two fields have the same pixels.
bool haveSamePixels(const MaskedFields& a, const MaskedFields& b);
// Throws InvalidArgument for a step between neighboring pixels of a mask, of this name, that is too
// large for purification.
void requireSmoothMask(double step, const std::string& name);
// Coefficients to maskLmax() of weights on the pixels of `like`.
Alm maskCoefficients(const MaskedFields& like, std::vector<double> weights, const Device& device,
                     JobContext& job);
// Whether the coefficients of the weights are equal: the same weights by the same transform.
bool haveSameMask(const MaskedFields& a, const MaskedFields& b);
// `mask`: may be null. Pixels that are bad in any field have weight 0. Notes as those of `analyze`.
// `before`: earlier fields, or null; the coefficients of their weights serve equal weights.
MaskedFields analyzeMasked(Context& context, Input& input, const Input* mask,
                           const AnafastOptions& options, const JobContext& job,
                           const MaskedFields* before = nullptr);
// The same of an image on rings.
MaskedFields analyzeMaskedImage(Context& context, const Input& input, const Input* mask,
                                const AnafastOptions& options, const JobContext& job,
                                const MaskedFields* before);
std::vector<Alm> analyzeImageLike(Context& context, const Input& input, const MaskedFields& like,
                                  const AnafastOptions& options, JobContext& job);
// Coefficients of a map of noise times the weights of `like`. Throws InvalidArgument for another
// nside or frame.
std::vector<Alm> analyzeLike(Context& context, Input& input, const MaskedFields& like,
                             const AnafastOptions& options, JobContext& job);

}  // namespace armilla
