// SPDX-License-Identifier: GPL-3.0-or-later
// What transforms and spectra ask of the shapes of their arguments. All throw InvalidArgument.
#pragma once

#include <string>

#include "core/error.h"
#include "core/harmonics.h"
#include "ops/sht.h"

namespace armilla {

inline void checkLmax(int lmax) {
    if (lmax < 0 || lmax > kMaxShtLmax)
        throw InvalidArgument("expected lmax from 0 to " + std::to_string(kMaxShtLmax) +
                              ", found " + std::to_string(lmax));
}

// Of fields that have one: 0 is no such spin.
inline void checkSpin(int spin) {
    if (spin < 1 || spin > kMaxSpin)
        throw InvalidArgument("expected a spin from 1 to " + std::to_string(kMaxSpin) + ", found " +
                              std::to_string(spin));
}

inline void checkNumbers(size_t alms, size_t maps) {
    if (alms != maps)
        throw InvalidArgument("expected coefficients for each of " + std::to_string(maps) +
                              " maps, found " + std::to_string(alms));
}

inline void checkAlm(const Alm& alm, int lmax, int mmax) {
    if (alm.lmax() != lmax || alm.mmax() != mmax)
        throw InvalidArgument("expected alm of lmax " + std::to_string(lmax) + ", mmax " +
                              std::to_string(mmax) + ", found lmax " + std::to_string(alm.lmax()) +
                              ", mmax " + std::to_string(alm.mmax()));
}

}  // namespace armilla
