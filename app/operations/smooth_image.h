// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of images on rings.
#pragma once

#include "armilla/operations/smooth.h"
#include "ring_image.h"

namespace armilla {

// Smooths each plane of an image on rings separately, with its own beam if there are several. With
// polarization I, Q and U are smoothed together, through T, E and B, and all other planes as
// scalars.
Outputs smoothImage(Context& context, const Input& input, const SmoothOptions& options,
                    const SmoothParameters& parameters, const Inputs& inputs);

}  // namespace armilla
