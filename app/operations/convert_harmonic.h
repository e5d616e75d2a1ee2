// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla convert --method harmonic`: another frame or nside by way of the coefficients a_lm.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/operations/operation.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/sht.h"

namespace armilla {

struct HarmonicConversion {
    int64_t nside = 0;               // output map
    Frame frame = Frame::Unknown;    // output map
    std::optional<Degrade> degrade;  // none: by degradeRule of each field
    std::optional<int64_t> lmax;     // none: 3 nside - 1 of the coarser of the two maps
    int iterations = 0;
    Weights weights = Weights::None;
};

// The map in RING order on the full sky: each scalar field, and each pair Q, U as a field of spin
// 2, is analyzed, its a_lm are turned into the frame (rotateAlm) and synthesized. If nside
// changes, the a_lm are divided by the pixel window of the input and multiplied by that of the
// result; values that add up then take the ratio of the pixels' areas. The mean of a scalar field
// without bad pixels is kept exactly; bad pixels count as zero, as a note says.
// Throws InvalidArgument for a turn from an unknown frame and for Q without U.
HealpixMap convertedByHarmonics(Context& context, const std::string& name, HealpixMap map,
                                const HarmonicConversion& options);

}  // namespace armilla
