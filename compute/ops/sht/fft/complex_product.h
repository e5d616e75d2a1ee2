// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <complex>

namespace armilla {

// a b for finite numbers: std::complex's operator handles infinities in a function call.
inline std::complex<double> times(std::complex<double> a, std::complex<double> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace armilla
