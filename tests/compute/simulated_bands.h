// SPDX-License-Identifier: GPL-3.0-or-later
// Decoupled band powers of simulated skies outside a cap or within one: their mean against theory,
// and their scatter against the Gaussian covariance.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/band_powers.h"
#include "armilla/ops/purify.h"
#include "armilla/ops/random_alm.h"
#include "armilla/ops/spectrum.h"

namespace armilla::test {

struct SimulatedBands {
    int64_t nside = 16;
    int lmax = 32, binWidth = 5, skies = 200;
    // The mask falls over `edge` to 0 at the colatitude `end` (radians).
    double end = 1.9, edge = 1.4;
    double bOverE = 1e-2;  // ratio of the spectra
    bool pureB = false;
};

// A cap that falls from 1 to 0 as x - sin(2 pi x) / (2 pi), without a step in two derivatives.
inline std::vector<double> capMask(const SimulatedBands& of) {
    std::vector<double> mask;
    for (int64_t p = 0; p < pixelCount(of.nside); ++p) {
        const double theta = std::acos(directionFromRing(of.nside, p).z);
        const double x = std::clamp((of.end - theta) / of.edge, 0.0, 1.0);
        mask.push_back(x - std::sin(2.0 * kPi * x) / (2.0 * kPi));
    }
    return mask;
}

inline Spectra skySpectra(int lmax, double bOverE) {
    Spectra spectra;
    for (auto& cl : spectra.cl) cl.assign(static_cast<size_t>(lmax) + 1, 0.0);
    for (size_t l = 2; l <= static_cast<size_t>(lmax); ++l) {
        const double shape = 1.0 / (static_cast<double>(l) * (static_cast<double>(l) + 1.0));
        spectra[SpectrumKind::TT][l] = shape;
        spectra[SpectrumKind::EE][l] = 0.1 * shape;
        spectra[SpectrumKind::BB][l] = 0.1 * bOverE * shape;
        spectra[SpectrumKind::TE][l] = 0.03 * shape;
    }
    return spectra;
}

// Figures of one of TT, EE, BB, TE, TB, EB.
struct BandStatistics {
    double chi2 = 0.0;      // the mean against the theory through the windows, by the scatter
    double variance = 0.0;  // scatter over Gaussian covariance; geometric mean of the bins
};
struct BandsOfSkies {
    int bins = 0;
    double skyShare = 0.0, squaredWeight = 0.0;  // the members of MaskMoments
    std::array<BandStatistics, 6> spectra;
};

inline BandsOfSkies simulate(const SimulatedBands& of, JobContext& job) {
    const std::vector<double> mask = capMask(of);
    ShtParameters parameters;
    parameters.nside = of.nside;
    parameters.lmax = of.lmax;
    parameters.iterations = 5;
    const ShtPlan plan(parameters, Device::cpu(), job);
    ShtParameters ofMask = parameters;
    ofMask.lmax = static_cast<int>(3 * of.nside - 1);
    const ShtPlan maskPlan(ofMask, Device::cpu(), job);
    const std::array<Alm, 1> maskAlm{maskPlan.analysis(std::span<const double>(mask), job)};
    const std::vector<double> maskCl = nineSpectra(maskAlm, maskAlm, job)[0];
    const CouplingMatrices matrices = couplingMatrices(
        maskCl, of.lmax, {.polarization = true, .standard = true, .purified = of.pureB},
        Device::cpu(), job);
    BandPowerRequest request;
    request.lmax = of.lmax;
    request.bins = binsOfWidth(of.binWidth, of.lmax);
    request.polarization = true;
    request.pureB = of.pureB;
    const BandPowers bands(&matrices, request, job);
    const Spectra spectra = skySpectra(of.lmax, of.bOverE);

    const auto bins = static_cast<size_t>(bands.binCount());
    std::array<std::vector<double>, 6> sum, square;
    for (size_t s = 0; s < 6; ++s) sum[s] = square[s] = std::vector<double>(bins, 0.0);
    std::array<std::vector<double>, 3> map;
    for (auto& each : map) each.resize(mask.size());
    for (int sky = 0; sky < of.skies; ++sky) {
        const std::vector<Alm> alm =
            randomAlm(spectra, of.lmax, static_cast<uint64_t>(sky) + 1, job);
        plan.synthesisPolarized(std::span<const Alm, 3>(alm.data(), 3), std::span<double>(map[0]),
                                std::span<double>(map[1]), std::span<double>(map[2]), job);
        std::array<std::vector<double>, 3> weighted = map;
        for (auto& each : weighted)
            std::transform(each.begin(), each.end(), mask.begin(), each.begin(),
                           std::multiplies<>());
        std::vector<Alm> found = plan.analysisPolarized(std::span<const double>(weighted[0]),
                                                        std::span<const double>(weighted[1]),
                                                        std::span<const double>(weighted[2]), job);
        if (of.pureB) {
            for (size_t i = 1; i < 3; ++i)
                for (size_t p = 0; p < mask.size(); ++p)
                    if (mask[p] == 0.0) map[i][p] = 0.0;
            purify(std::span<Alm, 2>(found.data() + 1, 2), maskAlm[0], map[1], map[2],
                   {false, true, plan.parameters()}, Device::cpu(), job);
        }
        const NineSpectra powers = bands.of(nineSpectra(found, found, job));
        for (size_t s = 0; s < 6; ++s)
            for (size_t q = 0; q < bins; ++q) {
                sum[s][q] += powers[s][q];
                square[s][q] += powers[s][q] * powers[s][q];
            }
    }
    NineSpectra theory;
    for (size_t s = 0; s < 9; ++s) theory[s] = spectra.cl[s < 6 ? s : s - 3];
    const MaskMoments moments = maskMoments(mask, mask, job);
    NineSpectra narrow = coupledSpectra(&matrices, request, theory, job);
    for (auto& each : narrow)
        for (double& value : each) value /= moments.ofSphere();
    std::vector<double> product(mask.size());
    std::transform(mask.begin(), mask.end(), mask.begin(), product.begin(), std::multiplies<>());
    const std::array<Alm, 1> productAlm{maskPlan.analysis(std::span<const double>(product), job)};
    CovarianceMasks masks;
    masks.same = masks.crossed = nineSpectra(productAlm, productAlm, job)[0];
    const std::array<int, 6> all{0, 1, 2, 3, 4, 5};
    const std::vector<double> covariance =
        gaussianCovariance(bands, all, {narrow, narrow, narrow}, masks, Device::cpu(), job);

    BandsOfSkies result;
    result.bins = static_cast<int>(bins);
    result.skyShare = moments.sky;
    result.squaredWeight = moments.squared;
    const double count = of.skies;
    const size_t size = static_cast<size_t>(of.lmax) + 1;
    for (size_t s = 0; s < 6; ++s) {
        BandStatistics& statistics = result.spectra[s];
        double logarithm = 0.0;
        const int partner = partnerOf(static_cast<int>(s));
        const BandPowers::Window window = bands.window(static_cast<int>(s)),
                                 ofPartner = bands.partnerWindow(static_cast<int>(s));
        for (size_t q = 0; q < bins; ++q) {
            double expected = 0.0;
            for (size_t l = 0; l < size; ++l) {
                const size_t at = q * size + l;
                expected += window[at] * theory[s][l];
                if (partner >= 0)
                    expected += ofPartner[at] * theory[static_cast<size_t>(partner)][l];
            }
            const double mean = sum[s][q] / count,
                         variance = (square[s][q] / count - mean * mean) * count / (count - 1.0);
            statistics.chi2 += (mean - expected) * (mean - expected) / (variance / count);
            const size_t at = s * bins + q;
            logarithm +=
                std::log(variance / covariance[at * 6 * bins + at]) / static_cast<double>(bins);
        }
        statistics.variance = std::exp(logarithm);
    }
    return result;
}

}  // namespace armilla::test
