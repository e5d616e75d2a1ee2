// SPDX-License-Identifier: GPL-3.0-or-later
// Values of harmonic space: alm, spectra, beams, radial kernels.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace armilla {

// Coefficients a_lm of a real field, m >= 0, m-major as in healpy: all l of m = 0, then m = 1, ...
// a_{l,-m} = (-1)^m conj(a_lm); therefore a_l0 is real, and transforms rely on that. The harmonics
// are orthonormal and include the Condon-Shortley phase.
class Alm {
public:
    Alm() = default;
    Alm(int lmax, int mmax)
        : lmax_(lmax), mmax_(mmax), values_(static_cast<size_t>(count(lmax, mmax))) {}
    // `values`: count(lmax, mmax) coefficients.
    Alm(int lmax, int mmax, std::vector<std::complex<double>> values)
        : lmax_(lmax), mmax_(mmax), values_(std::move(values)) {}
    int lmax() const { return lmax_; }
    int mmax() const { return mmax_; }
    static int64_t count(int64_t lmax, int64_t mmax) {
        return (mmax + 1) * (mmax + 2) / 2 + (mmax + 1) * (lmax - mmax);
    }
    int64_t index(int l, int m) const {
        return static_cast<int64_t>(m) * (2 * static_cast<int64_t>(lmax_) + 1 - m) / 2 + l;
    }
    std::complex<double>& operator()(int l, int m) {
        return values_[static_cast<size_t>(index(l, m))];
    }
    const std::complex<double>& operator()(int l, int m) const {
        return values_[static_cast<size_t>(index(l, m))];
    }
    std::vector<std::complex<double>>& values() { return values_; }
    const std::vector<std::complex<double>>& values() const { return values_; }

private:
    int lmax_ = -1, mmax_ = -1;
    std::vector<std::complex<double>> values_;
};

// C_l of one kind each, from l = 0 to lmax, in the file order of the field; absent spectra are
// empty vectors.
enum class SpectrumKind { TT, EE, BB, TE, TB, EB };
struct Spectra {
    std::array<std::vector<double>, 6> cl;
    std::string unit;
    std::vector<double>& operator[](SpectrumKind kind) { return cl[static_cast<size_t>(kind)]; }
    const std::vector<double>& operator[](SpectrumKind kind) const {
        return cl[static_cast<size_t>(kind)];
    }
    int lmax() const {
        size_t n = 0;
        for (const auto& c : cl) n = c.size() > n ? c.size() : n;
        return static_cast<int>(n) - 1;
    }
};

// Window B_l of T, E, B from l = 0; zero beyond.
struct Beam {
    std::array<std::vector<double>, 3> bl;
    int lmax() const { return static_cast<int>(bl[0].size()) - 1; }
    bool operator==(const Beam&) const = default;
};

// A radial profile K(theta), any normalization; angles ascending from 0, radians; linear between.
struct RadialKernel {
    std::vector<double> angle, value;
    bool operator==(const RadialKernel&) const = default;
};

}  // namespace armilla
