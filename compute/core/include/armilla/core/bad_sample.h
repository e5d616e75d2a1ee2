// SPDX-License-Identifier: GPL-3.0-or-later
// The test for bad samples of arrays that no reader of files has prepared.
#pragma once

#include <cmath>

#include "armilla/core/healpix_map.h"
#include "armilla/core/nan.h"

namespace armilla {

// True for samples that are not finite or that count as UNSEEN, with the relative tolerance of the
// readers of FITS files.
template <typename T>
bool isBadSample(T value) {
    constexpr double kTolerance = 1e-5;
    return !isGood(value) ||
           std::abs(static_cast<double>(value) - kUnseen) < kTolerance * std::abs(kUnseen);
}

// Whether a sample may be bad, by one comparison that compilers vectorize.
template <typename T>
bool mayBeBadSample(T value) {
    constexpr T kLarge = T(1e30);  // UNSEEN is larger
    return !(std::abs(value) < kLarge);
}

}  // namespace armilla
