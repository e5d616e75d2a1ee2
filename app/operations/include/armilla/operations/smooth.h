// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of `smooth`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "armilla/operations/parameter.h"
#include "armilla/ops/convolve.h"

namespace armilla {

// Auto: a radial profile is normalized by its integral, unless that is negligible; all other
// kernels are unchanged.
enum class Normalize { Auto, Integral, Peak, None };

struct SmoothOptions {
    std::optional<double> fwhm;
    std::vector<double> fwhms;  // one for each field
    // Minor axis and position angle of an elliptical beam, whose major axis is `fwhm`.
    std::optional<double> fwhmMinor;
    double positionAngle = 0.0;
    SmoothMethod method = SmoothMethod::Auto;
    std::optional<int64_t> lmax;
    int iterations = 0;
    Weights weights = Weights::Ring;
    Normalize normalize = Normalize::Auto;
    std::optional<double> truncate;
    Masked masked = Masked::Normalize;
    bool polarization = false;
};
void describe(Description& d, SmoothOptions& p);

class Inputs;
// Parameters of a smoothing from the options and the inputs beam and kernel.
SmoothParameters smoothParameters(const SmoothOptions& options, const Inputs& inputs);

}  // namespace armilla
