// SPDX-License-Identifier: GPL-3.0-or-later
// Random coefficients order by order, for ranks that hold only some orders.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/harmonics.h"

namespace armilla {

// Whether a sky of these spectra has Q and U: EE or BB is present. An absent spectrum counts as 0.
inline bool hasPolarization(const Spectra& spectra) {
    return !spectra[SpectrumKind::EE].empty() || !spectra[SpectrumKind::BB].empty();
}

// Generates the coefficients of randomAlm (armilla/ops/spectrum.h), bit for bit.
class RandomAlm {
public:
    // Throws as randomAlm.
    RandomAlm(const Spectra& spectra, int lmax, uint64_t seed);
    size_t components() const { return components_; }
    // The last order (and degree) with power.
    int last() const { return static_cast<int>(factors_.size()) - 1; }
    // `alm`: for each component the coefficients of order m, l = m .. lmax. Coefficients beyond
    // last() stay unchanged. Thread-safe.
    void fill(int m, std::span<const std::span<std::complex<double>>> alm) const;

private:
    using Matrix = std::array<std::array<double, 3>, 3>;
    size_t components_ = 0;
    uint64_t seed_ = 0;
    std::vector<Matrix> factors_;  // one matrix for each l
};

}  // namespace armilla
