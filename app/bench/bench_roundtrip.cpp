// SPDX-License-Identifier: GPL-3.0-or-later
// Error of a synthesis followed by an analysis, for each choice of weights and iterations.
#include "bench/bench_roundtrip.h"

#include <array>
#include <cmath>
#include <complex>
#include <random>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/harmonics.h"
#include "armilla/core/healpix_map.h"
#include "armilla/ops/quadrature_weights.h"
#include "armilla/ops/sht.h"

namespace armilla::cli {

namespace {

struct Strategy {
    const char* name;
    Weights weights;
    int iterations;
    double tolerance;
};
constexpr std::array<Strategy, 6> kStrategies{{{"roundtrip.none", Weights::None, 0, 0.0},
                                               {"roundtrip.none+3", Weights::None, 3, 0.0},
                                               {"roundtrip.ring", Weights::Ring, 0, 0.0},
                                               {"roundtrip.ring+3", Weights::Ring, 3, 0.0},
                                               {"roundtrip.pixel", Weights::Pixel, 0, 0.0},
                                               {"roundtrip.lsq", Weights::Ring, 0, 1e-13}}};
// Pixel weights of larger maps take minutes to compute.
constexpr int64_t kMaxPixelNside = 256;

// Coefficients uniform in (-1, 1), as in Szydlarski et al. 2014, section 5.
Alm uniformCoefficients(int lmax) {
    std::mt19937_64 random(20260101);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Alm alm(lmax, lmax);
    for (int m = 0; m <= lmax; ++m)
        for (int l = m; l <= lmax; ++l)
            alm(l, m) = {uniform(random), m == 0 ? 0.0 : uniform(random)};
    return alm;
}

// D_err of Szydlarski et al. 2014, eq. 19; both signs of m.
double roundTripError(const Alm& before, const Alm& after) {
    double wrong = 0.0, size = 0.0;
    for (int m = 0; m <= before.mmax(); ++m)
        for (int l = m; l <= before.lmax(); ++l) {
            const double both = m == 0 ? 1.0 : 2.0;
            wrong += both * std::norm(after(l, m) - before(l, m));
            size += both * std::norm(before(l, m));
        }
    return std::sqrt(wrong / size);
}

BenchRow roundTrip(const Strategy& strategy, int64_t nside, int lmax, const Alm& alm,
                   std::vector<double>& map, BenchHost& host) {
    const ShtPlan plan(
        {nside, lmax, lmax, strategy.weights, strategy.iterations, strategy.tolerance},
        host.device);
    // Weights are kept; this computes them before the measurement.
    if (strategy.weights == Weights::Ring) ringWeights(nside, host.job);
    if (strategy.weights == Weights::Pixel) pixelWeights(nside, host.job);
    BenchRow row;
    row.name = strategy.name;
    row.nside = nside;
    row.lmax = lmax;
    row.spin = 0;
    Alm back;
    measure(row, {.most = 1}, host, [&](JobContext& job) {
        const double there = 1.0 / (2.0 + 2.0 * strategy.iterations);
        JobContext first = job.part(0.0, there), second = job.part(there, 1.0);
        plan.synthesis(alm, map, first);
        back = plan.analysis(map, second);
    });
    row.error = roundTripError(alm, back);
    return row;
}

}  // namespace

void benchRoundTrip(const BenchSettings& settings, BenchHost& host) {
    const int64_t nside = settings.nside;
    const int lmax = static_cast<int>(settings.lmax.value_or(2 * nside));
    const Alm alm = uniformCoefficients(lmax);
    std::vector<double> map(static_cast<size_t>(pixelCount(nside)));
    for (const Strategy& strategy : kStrategies) {
        if (strategy.weights == Weights::Pixel && nside > kMaxPixelNside) continue;
        try {
            host.show(roundTrip(strategy, nside, lmax, alm, map, host));
        } catch (const Unsupported& failure) {
            host.note(std::string(strategy.name) + ": " + failure.what());
        }
    }
}

}  // namespace armilla::cli
