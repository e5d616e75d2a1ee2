// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of argument shapes for transforms and spectra. All functions throw InvalidArgument.
#pragma once

#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/harmonics.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/sht.h"

namespace armilla {

inline void checkLmax(int lmax) {
    if (lmax < 0 || lmax > kMaxShtLmax)
        throw InvalidArgument("expected lmax from 0 to " + std::to_string(kMaxShtLmax) +
                              ", found " + std::to_string(lmax));
}

// Limit of windows B_l that no transform uses, but filters of images on tangent planes: a beam of
// 1 arcsec falls to 1e-6 at l = 2.6e6.
inline constexpr int kMaxWindowLmax = (1 << 22) - 1;
inline void checkWindowLmax(int lmax) {
    if (lmax < 0 || lmax > kMaxWindowLmax)
        throw InvalidArgument("expected lmax of a window from 0 to " +
                              std::to_string(kMaxWindowLmax) + ", found " + std::to_string(lmax));
}

// For fields with spin: 0 is invalid.
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

// Checks a radial profile.
inline void checkKernel(const RadialKernel& kernel) {
    const size_t n = kernel.angle.size();
    if (n < 2 || kernel.value.size() != n)
        throw InvalidArgument(
            "expected a radial kernel of two or more angles with a value each, found " +
            std::to_string(n) + " angles and " + std::to_string(kernel.value.size()) + " values");
    for (size_t i = 0; i < n; ++i) {
        if (!std::isfinite(kernel.value[i]))
            throw InvalidArgument("expected finite values in a radial kernel, found none at row " +
                                  std::to_string(i + 1));
        // 180 degrees in a file may exceed pi by rounding after conversion.
        const bool inRange = kernel.angle[i] >= 0.0 && kernel.angle[i] <= kPi * (1.0 + 1e-6);
        if (!inRange || (i > 0 && kernel.angle[i] <= kernel.angle[i - 1]))
            throw InvalidArgument(
                "expected the angles of a radial kernel to ascend from 0 to at most 180 degrees, "
                "found otherwise at row " +
                std::to_string(i + 1));
    }
}

}  // namespace armilla
