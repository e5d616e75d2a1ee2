// SPDX-License-Identifier: GPL-3.0-or-later
// Decoupled band powers of many simulated skies, for `./dev skies`: masks of about 10 and 70 % of
// the sky, B at 1e-3 of E, with and without pure B. Prints a line for each spectrum. Status 1 if a
// mean disagrees with theory; a scatter that differs from the Gaussian errors by 10 % is marked.
#include <cstdio>
#include <cstdlib>

#include "compute/simulated_bands.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr double kLeastProbability = 1e-3;

// P(chi^2 > x) for an even number of degrees of freedom.
double probabilityAbove(double x, int degrees) {
    double term = 1.0, sum = 1.0;
    for (int i = 1; i < degrees / 2; ++i) sum += term *= 0.5 * x / i;
    return std::exp(-0.5 * x) * sum;
}

bool check(const char* name, const SimulatedBands& of) {
    JobContext job;
    const BandsOfSkies found = simulate(of, job);
    std::printf("%s%s: f_sky %.3f, mean of the squared mask %.3f, %d skies, %d bins\n", name,
                of.pureB ? ", pure B" : "", found.skyShare, found.squaredWeight, of.skies,
                found.bins);
    bool isGood = found.bins > 0 && found.bins % 2 == 0;
    for (size_t s = 0; s < 6; ++s) {
        const auto [chi2, variance] = found.spectra[s];
        const double probability = probabilityAbove(chi2, found.bins),
                     scatter = std::sqrt(variance);
        const bool isMean = probability > kLeastProbability,
                   isScatter = std::abs(scatter - 1.0) < 0.1;
        std::printf("  %s  chi^2 %6.2f  p %.4f  scatter over Gaussian error %.3f%s%s\n",
                    kNinePairNames[s].data(), chi2, probability, scatter, isMean ? "" : "  MEAN",
                    isScatter ? "" : "  SCATTER");
        isGood = isGood && isMean;
    }
    std::fflush(stdout);
    return isGood;
}

}  // namespace

int main(int argc, char** argv) {
    const int skies = argc > 1 ? std::atoi(argv[1]) : 500;
    if (skies < 2) {
        std::fprintf(stderr, "check_skies: expected a number of skies from 2, found %s\n", argv[1]);
        return 2;
    }
    bool isGood = true;
    for (const bool pureB : {false, true}) {
        // Caps of 43 and 115 degrees.
        isGood = check("10 % of the sky", {.nside = 32,
                                           .lmax = 64,
                                           .binWidth = 10,
                                           .skies = skies,
                                           .end = 0.75,
                                           .edge = 0.5,
                                           .bOverE = 1e-3,
                                           .pureB = pureB}) &&
                 isGood;
        isGood = check("70 % of the sky", {.nside = 32,
                                           .lmax = 64,
                                           .binWidth = 10,
                                           .skies = skies,
                                           .end = 2.0,
                                           .edge = 0.8,
                                           .bOverE = 1e-3,
                                           .pureB = pureB}) &&
                 isGood;
    }
    return isGood ? 0 : 1;
}
