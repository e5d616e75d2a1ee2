// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of `smooth`.
#pragma once

#include <cstdint>
#include <optional>

#include "operations/parameter.h"
#include "ops/convolve.h"

namespace armilla {

struct SmoothOptions {
    std::optional<double> fwhm;
    SmoothMethod method = SmoothMethod::Auto;
    std::optional<int64_t> lmax;
    int iterations = 0;
    Weights weights = Weights::Ring;
    std::optional<double> truncate;
    Masked masked = Masked::Normalize;
    bool polarization = false;
};
void describe(Description& d, SmoothOptions& p);

}  // namespace armilla
