// SPDX-License-Identifier: GPL-3.0-or-later
// Cases and limits for the comparison of CPU and CUDA transforms with direct sums.
#pragma once

#include <QtTest>
#include <limits>

#include "support/direct_rings.h"
#include "support/tolerance.h"

namespace armilla::test {

struct DirectCase {
    ExactGrid exact;
    int lmax = 0, mmax = 0;
};

inline void smallCases() {
    QTest::addColumn<DirectCase>("small");
    QTest::addColumn<int>("spin");
    const std::pair<const char*, DirectCase> cases[] = {
        {"HEALPix 1", {exactHealpix(1), 4, 4}},
        {"HEALPix 3", {exactHealpix(3), 11, 11}},
        {"HEALPix 4, beyond 4 nside", {exactHealpix(4), 17, 17}},
        {"HEALPix 7", {exactHealpix(7), 20, 20}},
        // Rings within the caps of sin(theta) < 0.2 and beyond, blocks of vectors.
        {"HEALPix 16, few m", {exactHealpix(16), 47, 9}},
        {"Clenshaw-Curtis", {exactClenshawCurtis(25, 29), 24, 24}},
        {"Clenshaw-Curtis, no equator", {exactClenshawCurtis(24, 12), 20, 20}},
        {"Fejer", {exactFejer(31, 36), 30, 30}},
        {"Gauss-Legendre", {exactGaussLegendre(26, 51), 25, 25}},
        {"rings turned, of any length", {exactTurned(29, 40, 1), 22, 22}},
    };
    for (const auto& [name, one] : cases)
        for (int spin = 0; spin <= 3; ++spin)
            QTest::addRow("%s, spin %d", name, spin) << one << spin;
}

struct DirectInputs {
    std::vector<Alm> alm;
    Maps maps;
    std::vector<double> weights;  // one weight a ring
};
inline std::vector<double> whiteNoise(size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(count);
    for (double& value : values) value = normal(random);
    return values;
}
inline DirectInputs whiteInputs(const ExactGrid& exact, int spin, int lmax, int mmax) {
    DirectInputs in;
    for (unsigned c = 0; c < (spin == 0 ? 1U : 2U); ++c) {
        in.alm.push_back(whiteAlm(lmax, mmax, spin, 1 + c));
        in.maps.push_back(whiteNoise(static_cast<size_t>(exact.grid.sampleCount()), 3 + c));
    }
    in.weights = whiteNoise(exact.rings.size(), 5);
    return in;
}

// Modes whose sin^m(theta) at the outer rings is as small as 1e-3600, far below the range of a
// double. On rings over the whole sphere, and on the equator alone. Seven samples alias m, and
// separate its real part from its imaginary one.
inline void singleModeCases() {
    QTest::addColumn<DirectCase>("mode");
    QTest::addColumn<int>("spin");
    for (const int spin : {0, 2}) {
        const auto row = [&](const char* rings, const ExactGrid& exact, int l, int m) {
            QTest::addRow("(%d, %d), %s, spin %d", l, m, rings, spin)
                << DirectCase{exact, l, m} << spin;
        };
        for (const auto& [l, m] : {std::pair(4096, 2000), {4096, 1200}, {4096, 600}, {16384, 60}}) {
            row("all latitudes", exactFejer(100, 7), l, m);
            if (m != 2000 && m != 600) row("equator", exactFejer(1, 7), l, m);
        }
        row("interpolated in latitude", exactFejer(1600, 7), 1024, 500);
    }
}
inline DirectInputs singleMode(const ExactGrid& exact, int spin, int l, int m) {
    DirectInputs in = whiteInputs(exact, spin, 4, 4);
    in.alm.assign(in.alm.size(), Alm(l, m));
    in.alm[0](l, m) = {0.6, 0.8};
    if (spin > 0) in.alm[1](l, m) = {-0.8, 0.6};
    return in;
}
// In n = (l - m) / 2 steps p_{k+1} = c p_k - p_{k-1}, c = 2 cos(alpha), lead to l. c has about six
// roundings, 1.4 epsilon rms, each of which grows as sin(j alpha) / sin(alpha) over the following j
// steps.
//
// At the equator alpha is pi and that factor is j: errors of random signs add to 1.4 epsilon
// sqrt(n^3 / 3). Elsewhere the factor stays below 1 / sin(alpha), 1 / (2 z) next to the equator.
// Over the sphere the mean square of min(n, 1 / (2 z)) is 2 n, and that of the errors (1.4 epsilon
// n)^2 * 2, of the order of (l epsilon)^2. The limit is four standard deviations of either.
inline double modeLimit(const ExactGrid& exact, int l, int m) {
    const double n = (l - m) / 2.0;
    const double size = exact.rings.size() == 1 ? 1.4 * std::sqrt(n * n * n / 3.0) : l;
    return 4.0 * std::numeric_limits<double>::epsilon() * size;
}
inline std::vector<std::complex<double>> columnOf(const Alm& alm, int m) {
    const auto first = alm.values().begin() + alm.index(m, m);
    return {first, first + (alm.lmax() - m + 1)};
}

// The comparisons. An Engine is made from (grid, lmax, mmax) and has synthesis(spin, alm),
// adjoint(spin, maps, weights, shape of alm) and gradient(alm).
template <typename Engine>
void compareSmallTransform(const DirectCase& small, int spin) {
    const auto& [exact, lmax, mmax] = small;
    Engine engine(exact.grid, lmax, mmax);
    const DirectInputs in = whiteInputs(exact, spin, lmax, mmax);
    const std::vector<int> orders = ordersUpTo(mmax);
    const Maps maps = engine.synthesis(spin, in.alm);
    const Maps mapsTruth = directRings(exact, spin, in.alm, orders);
    const std::vector<Alm> alm = engine.adjoint(spin, in.maps, in.weights, Alm(lmax, mmax));
    const auto almTruth = directRingsAdjoint(exact, spin, in.maps, in.weights, lmax, orders);
    for (size_t c = 0; c < maps.size(); ++c) {
        ARMILLA_VERIFY_BELOW(relativeError(maps[c], mapsTruth[c]), roundingLimit(lmax));
        ARMILLA_VERIFY_BELOW(relativeError(alm[c].values(), almTruth[c]), roundingLimit(lmax));
    }
}
template <typename Engine>
void compareSmallGradient(const DirectCase& small) {
    const auto& [exact, lmax, mmax] = small;
    // The engines have no derivatives at poles.
    if (exact.rings[0].sine == 0.0L) return;
    Engine engine(exact.grid, lmax, mmax);
    const Alm alm = whiteAlm(lmax, mmax, 0, 5);
    const Maps maps = engine.gradient(alm), truth = directRingsGradient(exact, alm);
    for (size_t c = 0; c < 2; ++c)
        ARMILLA_VERIFY_BELOW(relativeError(maps[c], truth[c]), roundingLimit(lmax));
}
template <typename Engine>
void compareSingleMode(Engine& engine, const DirectCase& mode, int spin) {
    const auto& [exact, l, m] = mode;
    const DirectInputs in = singleMode(exact, spin, l, m);
    const std::vector<int> orders{m};
    const Maps maps = engine.synthesis(spin, in.alm);
    const Maps mapsTruth = directRings(exact, spin, in.alm, orders);
    const std::vector<Alm> alm = engine.adjoint(spin, in.maps, in.weights, Alm(l, m));
    const auto almTruth = directRingsAdjoint(exact, spin, in.maps, in.weights, l, orders);
    const double limit = modeLimit(exact, l, m);
    for (size_t c = 0; c < maps.size(); ++c) {
        ARMILLA_VERIFY_BELOW(relativeError(maps[c], mapsTruth[c]), limit);
        ARMILLA_VERIFY_BELOW(relativeError(columnOf(alm[c], m), almTruth[c]), limit);
    }
}

}  // namespace armilla::test

Q_DECLARE_METATYPE(armilla::test::DirectCase)
