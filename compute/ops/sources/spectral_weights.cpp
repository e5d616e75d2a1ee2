// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/spectral_weights.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/cholesky.h"
#include "armilla/core/units.h"
#include "armilla/ops/combine_maps.h"

namespace armilla {

// Added to the diagonal, because spectra of maps without noise of their own have no inverse.
constexpr double kRidge = 1e-9;

std::vector<double> combinationWeights(std::span<const double> t, std::span<const double> spectra) {
    const size_t n = t.size();
    std::vector<double> only(n, 0.0);
    only[0] = 1.0;
    // Normalized by each map's own noise, so that the ridge has equal effect on all.
    std::vector<double> a(n * n), x(n);
    for (size_t i = 0; i < n; ++i) {
        if (!(spectra[i * n + i] > 0.0)) return only;
        x[i] = t[i] / std::sqrt(spectra[i * n + i]);
        for (size_t j = 0; j < n; ++j)
            a[i * n + j] = spectra[i * n + j] / std::sqrt(spectra[i * n + i] * spectra[j * n + j]);
        a[i * n + i] += kRidge;
    }
    if (!factorizeCholesky(a, n)) return only;
    solveLower(a, n, x);
    solveLowerTransposed(a, n, x);
    double norm = 0.0;
    for (size_t i = 0; i < n; ++i) {
        x[i] /= std::sqrt(spectra[i * n + i]);
        norm += t[i] * x[i];
    }
    if (!(std::abs(norm) > 0.0) || !std::isfinite(norm)) return only;
    for (double& w : x) w *= t[0] / norm;
    return x;
}

namespace sources {

namespace {

double weightOf(size_t l) {
    return (2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi);
}

// The part of the weights of least noise at l: it rises from 0 at `first` to 1 at twice that.
double partAt(int l, int first) {
    if (first <= 2) return l < first ? 0.0 : 1.0;
    const double place = std::clamp(static_cast<double>(l) / first - 1.0, 0.0, 1.0);
    return 0.5 - 0.5 * std::cos(kPi * place);
}

}  // namespace

SpectralWeights spectralWeights(std::span<const std::vector<double>> templates,
                                std::span<const std::vector<double>> spectra, int lmax, int first) {
    const size_t n = templates.size();
    SpectralWeights result;
    result.weights.assign(n, std::vector<double>(static_cast<size_t>(lmax) + 1, 0.0));
    double alone = 0.0, together = 0.0;
    for (int l = 0; l <= lmax; ++l) {
        const auto at = static_cast<size_t>(l);
        result.weights[0][at] = 1.0;
        if (l < 2) continue;
        // Channels with coefficients at this l.
        std::vector<size_t> used;
        std::vector<double> t, c;
        for (size_t i = 0; i < n; ++i)
            if (templates[i][at] != 0.0) used.push_back(i);
        if (used.empty() || used[0] != 0) continue;
        for (const size_t i : used) {
            t.push_back(templates[i][at]);
            for (const size_t j : used) c.push_back(spectra[i * n + j][at]);
        }
        std::vector<double> w = combinationWeights(t, c);
        const double part = partAt(l, first);
        for (size_t i = 0; i < w.size(); ++i) w[i] = part * w[i] + (i == 0 ? 1.0 - part : 0.0);
        double variance = 0.0;
        for (size_t i = 0; i < used.size(); ++i) {
            result.weights[used[i]][at] = w[i];
            for (size_t j = 0; j < used.size(); ++j)
                variance += w[i] * w[j] * c[i * used.size() + j];
        }
        alone += weightOf(at) * t[0] * t[0] / c[0];
        if (variance > 0.0) together += weightOf(at) * t[0] * t[0] / variance;
    }
    result.noiseAlone = 1.0 / std::sqrt(alone);
    result.noiseTogether = 1.0 / std::sqrt(together);
    return result;
}

}  // namespace sources

}  // namespace armilla
