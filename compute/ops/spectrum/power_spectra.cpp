// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/device/side_by_side.h"
#include "armilla/ops/spectrum.h"
#include "shared/mode_product.h"
#include "shared/new_alm.h"

namespace armilla {

Device deviceForSpectra(const Device& device, int64_t nside) {
    return oneForResident(device, pixelCount(nside));
}

std::vector<double> crossSpectrum(const Alm& a, const Alm& b, JobContext& job) {
    const std::array<AlmPair, 1> pair{{{&a, &b}}};
    return std::move(crossSpectra(pair, job).front());
}

// Each thread sums its own degrees l over all m in ascending order. Coefficients that several pairs
// share are read from memory once.
std::vector<std::vector<double>> crossSpectra(std::span<const AlmPair> pairs, JobContext& job) {
    // degrees: runs of a kilobyte, a few milliseconds at lmax 8192
    constexpr long long kGrain = 64;
    std::vector<std::vector<double>> spectra;
    int most = -1;
    for (const auto& [a, b] : pairs) {
        const int lmax = std::min(a->lmax(), b->lmax());
        spectra.emplace_back(static_cast<size_t>(lmax) + 1, 0.0);
        most = std::max(most, lmax);
    }
    parallelFor(
        job, most + 1, kGrain,
        [&](long long begin, long long end) {
            for (int m = 0; m < static_cast<int>(end); ++m) {
                for (size_t i = 0; i < pairs.size(); ++i) {
                    const auto& [a, b] = pairs[i];
                    if (m > std::min(a->mmax(), b->mmax())) continue;
                    const int first = std::max(m, static_cast<int>(begin)),
                              last = std::min(static_cast<int>(end),
                                              static_cast<int>(spectra[i].size())) -
                                     1;
                    if (last < first) continue;
                    const std::complex<double>*const x = &(*a)(first, m), *const y =
                                                                              &(*b)(first, m);
                    double* const to = spectra[i].data() + first;
                    for (int k = 0; k <= last - first; ++k)
                        to[k] += modeProduct(m, x[k].real(), x[k].imag(), y[k].real(), y[k].imag());
                }
            }
        },
        "power spectrum");
    for (std::vector<double>& cl : spectra)
        for (size_t l = 0; l < cl.size(); ++l) cl[l] /= 2.0 * static_cast<double>(l) + 1.0;
    return spectra;
}

Spectra powerSpectra(std::span<const Alm> a, std::span<const Alm> b, JobContext& job) {
    if (a.size() != b.size() || (a.size() != 1 && a.size() != 3))
        throw InvalidArgument("expected one or three alm on both sides of a spectrum, found " +
                              std::to_string(a.size()) + " and " + std::to_string(b.size()));
    Spectra spectra;
    constexpr std::array<std::array<size_t, 2>, 6> kPairs{
        {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};  // in the order of SpectrumKind
    std::vector<AlmPair> pairs;
    for (size_t kind = 0; kind < (a.size() == 1 ? 1 : kPairs.size()); ++kind)
        pairs.push_back({&a[kPairs[kind][0]], &b[kPairs[kind][1]]});
    std::vector<std::vector<double>> made = crossSpectra(pairs, job);
    std::move(made.begin(), made.end(), spectra.cl.begin());
    return spectra;
}

void applyBeam(std::span<Alm> alm, const Beam& beam, JobContext& job) {
    if (alm.size() > 3)
        throw InvalidArgument("expected at most three alm for a beam of T, E, B, found " +
                              std::to_string(alm.size()));
    for (size_t component = 0; component < alm.size(); ++component) {
        Alm& a = alm[component];
        const std::vector<double>& bl = beam.bl[component];
        parallelFor(job, a.mmax() + 1, orderGrain(a.lmax()), [&](long long begin, long long end) {
            for (int m = static_cast<int>(begin); m < end; ++m)
                for (int l = m; l <= a.lmax(); ++l)
                    a(l, m) *=
                        static_cast<size_t>(l) < bl.size() ? bl[static_cast<size_t>(l)] : 0.0;
        });
    }
}

}  // namespace armilla
