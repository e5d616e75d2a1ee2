// SPDX-License-Identifier: GPL-3.0-or-later
// Fourier sums of a row by definition, in long double.
#pragma once

#include <cmath>
#include <complex>
#include <random>
#include <vector>

namespace armilla::test {

using Complex = std::complex<double>;

inline std::vector<Complex> noiseRow(size_t count, unsigned seed) {
    std::mt19937_64 random(seed + count);
    std::normal_distribution<double> normal;
    std::vector<Complex> values(count);
    for (Complex& value : values) value = {normal(random), normal(random)};
    return values;
}

// sum_j x_j e^{sign 2 pi i j k / n}.
inline std::vector<Complex> directRow(const std::vector<Complex>& x, int sign) {
    using Wide = long double;
    const size_t n = x.size();
    std::vector<std::complex<Wide>> roots(n);
    for (size_t k = 0; k < n; ++k)
        roots[k] = std::polar(
            Wide{1}, sign * 2 * std::acos(Wide{-1}) * static_cast<Wide>(k) / static_cast<Wide>(n));
    std::vector<Complex> result;
    for (size_t k = 0; k < n; ++k) {
        std::complex<Wide> sum(0);
        for (size_t j = 0; j < n; ++j) sum += std::complex<Wide>(x[j]) * roots[j * k % n];
        result.emplace_back(static_cast<double>(sum.real()), static_cast<double>(sum.imag()));
    }
    return result;
}

}  // namespace armilla::test
