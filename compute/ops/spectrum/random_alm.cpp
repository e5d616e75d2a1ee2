// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/random_alm.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/ops/spectrum.h"
#include "shared/new_alm.h"
#include "shared/philox.h"
#include "shared/shape_checks.h"

namespace armilla {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

// The lower L with L L^T = C for a positive semi-definite C of the first `n` components: a zero
// pivot gives a zero column. Tables are often in single precision, so a pivot may be negative by
// rounding.
Matrix choleskyFactor(const Matrix& c, size_t n, int l) {
    constexpr double kRounding = 1e-5;
    const auto refuse = [l] {
        throw InvalidArgument(
            "expected a positive semi-definite covariance of T, E, B, found none at l = " +
            std::to_string(l));
    };
    Matrix factor{};
    for (size_t j = 0; j < n; ++j) {
        double pivot = c[j][j];
        for (size_t k = 0; k < j; ++k) pivot -= factor[j][k] * factor[j][k];
        if (c[j][j] < 0.0 || pivot < -kRounding * c[j][j]) refuse();
        const double root = std::sqrt(std::max(pivot, 0.0));
        factor[j][j] = root;
        for (size_t i = j + 1; i < n; ++i) {
            double value = c[i][j];
            for (size_t k = 0; k < j; ++k) value -= factor[i][k] * factor[j][k];
            if (root > 0.0)
                factor[i][j] = value / root;
            else if (std::abs(value) > kRounding * std::sqrt(c[i][i] * c[j][j]))
                refuse();
        }
    }
    return factor;
}

Matrix covarianceAt(const Spectra& spectra, int l) {
    const auto at = [&](SpectrumKind kind) {
        const std::vector<double>& cl = spectra[kind];
        const double value = static_cast<size_t>(l) < cl.size() ? cl[static_cast<size_t>(l)] : 0.0;
        if (!std::isfinite(value))
            throw InvalidArgument("expected finite C_l, found " + std::to_string(value) +
                                  " at l = " + std::to_string(l));
        return value;
    };
    const double te = at(SpectrumKind::TE), tb = at(SpectrumKind::TB), eb = at(SpectrumKind::EB);
    return {{{at(SpectrumKind::TT), te, tb},
             {te, at(SpectrumKind::EE), eb},
             {tb, eb, at(SpectrumKind::BB)}}};
}

}  // namespace

RandomAlm::RandomAlm(const Spectra& spectra, int lmax, uint64_t seed) : seed_(seed) {
    checkLmax(lmax);
    if (spectra[SpectrumKind::TT].empty() && !hasPolarization(spectra))
        throw InvalidArgument("expected a spectrum TT, EE or BB for a random sky, found none");
    components_ = hasPolarization(spectra) ? 3 : 1;
    for (int l = 0; l <= std::min(lmax, spectra.lmax()); ++l)
        factors_.push_back(choleskyFactor(covarianceAt(spectra, l), components_, l));
}

void RandomAlm::fill(int m, std::span<const std::span<std::complex<double>>> alm) const {
    for (int l = m; l <= last(); ++l) {
        const Matrix& factor = factors_[static_cast<size_t>(l)];
        std::array<std::complex<double>, 3> white;
        for (size_t c = 0; c < components_; ++c) {
            const std::array<double, 2> n = normalPair(
                {static_cast<uint32_t>(l), static_cast<uint32_t>(m), static_cast<uint32_t>(c), 0},
                seed_);
            // m = 0 is real; otherwise real and imaginary part share the variance.
            white[c] = m == 0 ? std::complex<double>(n[0], 0.0)
                              : std::sqrt(0.5) * std::complex<double>(n[0], n[1]);
        }
        for (size_t c = 0; c < components_; ++c) {
            std::complex<double> value;
            for (size_t k = 0; k <= c; ++k) value += factor[c][k] * white[k];
            alm[c][static_cast<size_t>(l - m)] = value;
        }
    }
}

std::vector<Alm> randomAlm(const Spectra& spectra, int lmax, uint64_t seed, JobContext& job) {
    const RandomAlm random(spectra, lmax, seed);
    std::vector<Alm> alm;
    for (size_t c = 0; c < random.components(); ++c) alm.push_back(newAlm(lmax, lmax, job));
    const auto fillOrder = [&](int m) {
        std::vector<std::span<std::complex<double>>> columns;
        for (Alm& each : alm)
            columns.emplace_back(each.values().data() + each.index(m, m),
                                 static_cast<size_t>(lmax - m + 1));
        random.fill(m, columns);
    };
    // A random number costs as much as touching some 30 coefficients.
    parallelFor(
        job, random.last() + 1, std::max(1LL, orderGrain(lmax) / 32),
        [&](long long begin, long long end) {
            for (int m = static_cast<int>(begin); m < end; ++m) fillOrder(m);
        },
        "random coefficients");
    return alm;
}

}  // namespace armilla
