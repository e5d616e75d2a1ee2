// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>

#include "armilla/core/error.h"
#include "armilla/ops/spectrum.h"
#include "shared/new_alm.h"

namespace armilla {

// Each thread sums its own degrees l over all m in ascending order.
std::vector<double> crossSpectrum(const Alm& a, const Alm& b, JobContext& job) {
    // degrees: runs of a kilobyte, a few milliseconds at lmax 8192
    constexpr long long kGrain = 64;
    const int lmax = std::min(a.lmax(), b.lmax()), mmax = std::min(a.mmax(), b.mmax());
    std::vector<double> cl(static_cast<size_t>(lmax) + 1, 0.0);
    parallelFor(
        job, lmax + 1, kGrain,
        [&](long long begin, long long end) {
            const int last = static_cast<int>(end) - 1;
            for (int m = 0; m <= std::min(mmax, last); ++m) {
                const double both = m == 0 ? 1.0 : 2.0;  // m and -m
                for (int l = std::max(m, static_cast<int>(begin)); l <= last; ++l) {
                    const std::complex<double> x = a(l, m), y = b(l, m);
                    cl[static_cast<size_t>(l)] +=
                        both * (x.real() * y.real() + x.imag() * y.imag());
                }
            }
        },
        "power spectrum");
    for (size_t l = 0; l < cl.size(); ++l) cl[l] /= 2.0 * static_cast<double>(l) + 1.0;
    return cl;
}

Spectra powerSpectra(std::span<const Alm> a, std::span<const Alm> b, JobContext& job) {
    if (a.size() != b.size() || (a.size() != 1 && a.size() != 3))
        throw InvalidArgument("expected one or three alm on both sides of a spectrum, found " +
                              std::to_string(a.size()) + " and " + std::to_string(b.size()));
    Spectra spectra;
    constexpr std::array<std::array<size_t, 2>, 6> kPairs{
        {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};  // in the order of SpectrumKind
    const size_t kinds = a.size() == 1 ? 1 : kPairs.size();
    for (size_t kind = 0; kind < kinds; ++kind) {
        JobContext part =
            job.part(static_cast<double>(kind) / kinds, static_cast<double>(kind + 1) / kinds);
        spectra.cl[kind] = crossSpectrum(a[kPairs[kind][0]], b[kPairs[kind][1]], part);
    }
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
