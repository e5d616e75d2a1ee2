// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/background.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/core/order_statistics.h"
#include "armilla/ops/spectrum.h"

namespace armilla::sources {

namespace {

// Relative to the median C_l: far below any noise, far above rounding (2^-48 in power for single
// precision).
constexpr double kLeastPower = 1e-9;
// Stands for the power of a map without any.
constexpr double kNoPower = 1e-300;

void keepPositive(std::vector<double>& cl) {
    if (cl.size() < 3) return;
    double least = kLeastPower * upperMedian(std::vector<double>(cl.begin() + 2, cl.end()));
    if (!(least > 0.0)) least = kLeastPower * *std::max_element(cl.begin(), cl.end());
    if (!(least > 0.0)) least = kNoPower;
    for (double& c : cl) c = std::max(c, least);
}

}  // namespace

std::vector<double> localMeans(std::span<const double> cl) {
    constexpr double kShare = 0.08;
    constexpr int kLeast = 3;
    const int lmax = static_cast<int>(cl.size()) - 1;
    std::vector<double> weighted(cl.size() + 1, 0.0), weights(cl.size() + 1, 0.0);
    for (size_t l = 0; l < cl.size(); ++l) {
        // Residual monopole and dipole are not representative.
        const double w = l < 2 ? 0.0 : 2.0 * static_cast<double>(l) + 1.0;
        weighted[l + 1] = weighted[l] + w * cl[l];
        weights[l + 1] = weights[l] + w;
    }
    std::vector<double> smooth(cl.size(), 0.0);
    for (int l = 0; l <= lmax; ++l) {
        const int half = kLeast + static_cast<int>(kShare * l);
        const auto low = static_cast<size_t>(std::max(0, l - half));
        const auto high = static_cast<size_t>(std::min(lmax, l + half)) + 1;
        const double w = weights[high] - weights[low];
        smooth[static_cast<size_t>(l)] = w > 0.0 ? (weighted[high] - weighted[low]) / w : 0.0;
    }
    return smooth;
}

std::vector<double> smoothedSpectrum(std::span<const double> cl) {
    std::vector<double> smooth = localMeans(cl);
    keepPositive(smooth);
    return smooth;
}

double whiteLevelOf(std::span<const double> cl) {
    if (cl.size() < 3) return 0.0;
    double least = cl[2];
    for (size_t l = 2; l < cl.size(); ++l) least = std::min(least, cl[l]);
    return least;
}

std::vector<double> measuredSpectrum(const Alm& alm, double goodShare, JobContext& job) {
    std::vector<double> spectrum = powerSpectra(std::span<const Alm>(&alm, 1), job).cl[0];
    // Filled holes are smooth and lack power at the beam's l.
    for (double& c : spectrum) c /= goodShare;
    return smoothedSpectrum(spectrum);
}

void requirePower(std::span<const double> measured) {
    const auto infinite = [](double c) { return !std::isfinite(c); };
    if (std::any_of(measured.begin(), measured.end(), infinite))
        throw InvalidArgument(
            "expected values whose squares are within double precision, found larger ones");
    if (!measured.empty() && *std::max_element(measured.begin(), measured.end()) <= kNoPower)
        throw InvalidArgument("expected a map with noise or background, found none");
}

std::vector<double> throughBeam(std::span<const double> given, std::span<const double> bl,
                                int lmax) {
    std::vector<double> sky(static_cast<size_t>(lmax) + 1, 0.0);
    for (size_t l = 0; l < std::min({sky.size(), given.size(), bl.size()}); ++l)
        sky[l] = given[l] * bl[l] * bl[l];
    return sky;
}

double noiseBeyond(std::span<const double> measured, std::span<const double> sky) {
    std::vector<double> beyond;
    for (size_t l = sky.size() - sky.size() / 5; l < sky.size(); ++l)
        beyond.push_back(std::max(0.0, measured[l] - sky[l]));
    return medianOfSome(beyond);
}

std::vector<double> withNoise(std::vector<double> sky, double power) {
    double largest = 0.0;
    for (const double c : sky) largest = std::max(largest, c);
    const double least = 1e-15 * largest;
    for (double& c : sky) c = std::max(c + power, least);
    sky[0] = sky[1] = std::max(sky[0], sky[2]);
    return sky;
}

}  // namespace armilla::sources
