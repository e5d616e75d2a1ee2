// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/healpix_map.h"
#include "core/pixel_geometry.h"
#include "ops/spectrum.h"
#include "shared/new_alm.h"

namespace armilla {

namespace {

// Each thread sums its own l over all m in their order.
std::vector<double> crossSpectrum(const Alm& a, const Alm& b, JobContext job) {
    constexpr long long kGrain = 64;  // l: runs of a kilobyte, a few milliseconds at lmax 8192
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

// Moments of one ring: count, x, y, z, xx, xy, yy of the finite pixels; f, fx, fy of their values.
struct RingMoments {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0, f = 0, fx = 0, fy = 0;
};

using System = std::array<std::array<double, 5>, 4>;  // normal equations, right-hand side last

// Gaussian elimination with pivoting of a symmetric, positive system.
std::array<double, 4> solve(System s) {
    const double size = s[0][0];
    for (size_t k = 0; k < 4; ++k) {
        size_t pivot = k;
        for (size_t i = k + 1; i < 4; ++i)
            if (std::abs(s[i][k]) > std::abs(s[pivot][k])) pivot = i;
        std::swap(s[k], s[pivot]);
        if (!(std::abs(s[k][k]) > 1e-12 * size))
            throw InvalidArgument(
                "expected enough finite pixels to fit a monopole and a dipole, found " +
                std::to_string(static_cast<long long>(size)));
        for (size_t i = k + 1; i < 4; ++i) {
            const double factor = s[i][k] / s[k][k];
            for (size_t j = k; j < 5; ++j) s[i][j] -= factor * s[k][j];
        }
    }
    std::array<double, 4> result{};
    for (size_t k = 4; k-- > 0;) {
        double value = s[k][4];
        for (size_t j = k + 1; j < 4; ++j) value -= s[k][j] * result[j];
        result[k] = value / s[k][k];
    }
    return result;
}

// Calls visit(x, y, value) for the pixels of a ring, (x, y) = sin(theta) (cos phi, sin phi).
template <typename Visit>
void forRing(int64_t nside, int64_t ring, std::span<double> map, Visit&& visit) {
    double z = 0.0, s = 0.0;
    ringHeight(nside, ring, z, s);
    const int64_t first = detail::firstPixelOfRing(nside, ring);
    const int64_t quarter = detail::quarterLength(nside, ring);
    const double step = kHalfPi / static_cast<double>(quarter);
    const double start = 0.5 * step * static_cast<double>(detail::ringShift(nside, ring));
    for (int64_t i = 0; i < 4 * quarter; ++i) {
        double& value = map[static_cast<size_t>(first + i)];
        if (!std::isfinite(value)) continue;
        const double phi = start + step * static_cast<double>(i);
        visit(s * std::cos(phi), s * std::sin(phi), value);
    }
}

}  // namespace

Spectra powerSpectra(std::span<const Alm> a, std::span<const Alm> b, JobContext& job) {
    if (a.size() != b.size() || (a.size() != 1 && a.size() != 3))
        throw InvalidArgument("expected one or three alm on both sides of a spectrum, found " +
                              std::to_string(a.size()) + " and " + std::to_string(b.size()));
    Spectra spectra;
    constexpr std::array<std::array<size_t, 2>, 6> kPairs{
        {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};  // as SpectrumKind
    const size_t kinds = a.size() == 1 ? 1 : kPairs.size();
    for (size_t kind = 0; kind < kinds; ++kind)
        spectra.cl[kind] = crossSpectrum(
            a[kPairs[kind][0]], b[kPairs[kind][1]],
            job.part(static_cast<double>(kind) / kinds, static_cast<double>(kind + 1) / kinds));
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

std::array<double, 4> removeMonopoleDipole(int64_t nside, std::span<double> ringMap,
                                           JobContext& job) {
    if (!isNside(nside) || static_cast<int64_t>(ringMap.size()) != 12 * nside * nside)
        throw InvalidArgument("expected a map of 12 nside^2 pixels, found " +
                              std::to_string(ringMap.size()) + " for nside " +
                              std::to_string(nside));
    const int64_t rings = 4 * nside - 1;
    // Ranges of some 100 000 pixels, a few milliseconds.
    const int64_t grain = std::max<int64_t>(1, 100'000 / (4 * nside));
    std::vector<RingMoments> moments(static_cast<size_t>(rings));
    JobContext fit = job.part(0.0, 0.6), removal = job.part(0.6, 1.0);
    parallelFor(
        fit, rings, grain,
        [&](long long begin, long long end) {
            for (long long r = begin; r < end; ++r) {
                RingMoments& sum = moments[static_cast<size_t>(r)];
                forRing(nside, r + 1, ringMap, [&](double x, double y, double f) {
                    sum.n += 1.0;
                    sum.x += x, sum.y += y;
                    sum.xx += x * x, sum.xy += x * y, sum.yy += y * y;
                    sum.f += f, sum.fx += f * x, sum.fy += f * y;
                });
            }
        },
        "monopole and dipole");
    System system{};
    for (int64_t r = 0; r < rings; ++r) {
        const RingMoments& m = moments[static_cast<size_t>(r)];
        double z = 0.0, s = 0.0;
        ringHeight(nside, r + 1, z, s);
        const System ring{{{m.n, m.x, m.y, m.n * z, m.f},
                           {m.x, m.xx, m.xy, m.x * z, m.fx},
                           {m.y, m.xy, m.yy, m.y * z, m.fy},
                           {m.n * z, m.x * z, m.y * z, m.n * z * z, m.f * z}}};
        for (size_t i = 0; i < 4; ++i)
            for (size_t j = 0; j < 5; ++j) system[i][j] += ring[i][j];
    }
    const std::array<double, 4> fitted = solve(system);
    parallelFor(removal, rings, grain, [&](long long begin, long long end) {
        for (long long r = begin; r < end; ++r) {
            double z = 0.0, s = 0.0;
            ringHeight(nside, r + 1, z, s);
            forRing(nside, r + 1, ringMap, [&](double x, double y, double& f) {
                f -= fitted[0] + fitted[1] * x + fitted[2] * y + fitted[3] * z;
            });
        }
    });
    return fitted;
}

}  // namespace armilla
