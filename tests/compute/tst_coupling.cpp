// SPDX-License-Identifier: GPL-3.0-or-later
// Coupling matrices against exact sums of 3j symbols.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/ops/coupling.h"
#include "coupling_values.h"

using namespace armilla;
using test::CouplingValues;

namespace {

long double factorial(int n) {
    long double product = 1.0L;
    for (int i = 2; i <= n; ++i) product *= i;
    return product;
}

// Racah's sum, in long double: the terms up to l = 20 lose six digits of nineteen at most.
long double threeJ(int a, int b, int c, int i, int j, int k) {
    if (i + j + k != 0 || c < std::abs(a - b) || c > a + b || std::abs(i) > a || std::abs(j) > b ||
        std::abs(k) > c)
        return 0.0L;
    long double sum = 0.0L;
    for (int t = std::max({0, b - c - i, a - c + j}); t <= std::min({a + b - c, a - i, b + j}); ++t)
        sum += (t % 2 == 0 ? 1.0L : -1.0L) /
               (factorial(t) * factorial(c - b + t + i) * factorial(c - a + t - j) *
                factorial(a + b - c - t) * factorial(a - t - i) * factorial(b - t + j));
    const long double triangle = factorial(a + b - c) * factorial(a - b + c) *
                                 factorial(-a + b + c) / factorial(a + b + c + 1);
    const long double orders = factorial(a + i) * factorial(a - i) * factorial(b + j) *
                               factorial(b - j) * factorial(c + k) * factorial(c - k);
    return ((a - b - k) % 2 == 0 ? 1.0L : -1.0L) * std::sqrt(triangle * orders) * sum;
}

long double root(int s, int l) {
    long double square = 1.0L;
    for (int i = 0; i < s; ++i) square *= static_cast<long double>(l - i) * (l + i + 1);
    return std::sqrt(square);
}

// The symbol (2, -2, 0) of a field of spin 2, or the three symbols of a purified one (K. M. Smith
// 2006, equation 17 and the terms of its derivation).
long double spinSymbol(bool pure, int l, int other, int mask) {
    long double sum = threeJ(l, other, mask, 2, -2, 0);
    if (!pure) return sum;
    sum += 2.0L * root(1, l) / root(2, l) * root(1, mask) * threeJ(l, other, mask, 1, -2, 1);
    if (mask >= 2) sum += root(2, mask) / root(2, l) * threeJ(l, other, mask, 0, -2, 2);
    return sum;
}

struct Exact {
    long double scalar = 0, cross[2] = {0, 0}, plus[3] = {0, 0, 0}, minus[3] = {0, 0, 0};
};
Exact exactAt(const std::vector<double>& mask, int l, int other) {
    Exact exact;
    for (int k = 0; k < static_cast<int>(mask.size()); ++k) {
        const long double w = (2.0L * k + 1.0L) / (4.0L * static_cast<long double>(M_PIl)) *
                              mask[static_cast<size_t>(k)];
        const long double zero = threeJ(l, other, k, 0, 0, 0);
        exact.scalar += w * zero * zero;
        if (l < 2 || other < 2) continue;
        const long double spin[2] = {spinSymbol(false, l, other, k), spinSymbol(true, l, other, k)};
        for (int pure = 0; pure < 2; ++pure) exact.cross[pure] += w * zero * spin[pure];
        for (int pure = 0; pure < 3; ++pure) {
            const long double product = w * spin[pure > 0] * spin[pure > 1];
            ((l + other + k) % 2 == 0 ? exact.plus : exact.minus)[pure] += product;
        }
    }
    return exact;
}

}  // namespace

class tst_coupling : public QObject {
    Q_OBJECT

    JobContext job_;

    static bool near(double found, long double exact, double limit) {
        if (std::abs(static_cast<long double>(found) - exact) <= limit) return true;
        qWarning("found %.17g, expected %.17g", found, static_cast<double>(exact));
        return false;
    }

private slots:
    void sumsOfThreeJ() {
        // A mask whose multipoles fall as those of one with a soft edge.
        constexpr int kLmax = 20;
        std::vector<double> mask;
        for (int l = 0; l <= 2 * kLmax + 5; ++l)
            mask.push_back((1.0 + 0.3 * std::cos(3.0 * l)) / std::pow(1.0 + l, 4));
        const CouplingValues x(
            couplingMatrices(
                mask, kLmax,
                {.scalar = true, .polarization = true, .standard = true, .purified = true},
                Device::cpu(), job_),
            job_);
        for (int l = 0; l <= kLmax; ++l)
            for (int other = 0; other <= kLmax; ++other) {
                const Exact exact = exactAt(mask, l, other);
                // Rounding of the recurrences. xi(0) / 2 is 0.05; purified terms at l = 2 are
                // larger by up to 1e3, since they hold four derivatives of the mask.
                QVERIFY(near(x.at(x.scalar, l, other), exact.scalar, 1e-16));
                for (size_t pure = 0; pure < 2; ++pure)
                    QVERIFY(near(x.at(x.cross[pure], l, other), exact.cross[pure],
                                 pure == 0 ? 1e-16 : 1e-14));
                for (size_t pure = 0; pure < 3; ++pure) {
                    const double limit = pure == 0 ? 1e-16 : pure == 1 ? 1e-14 : 1e-12;
                    QVERIFY(near(x.at(x.plus[pure], l, other), exact.plus[pure], limit));
                    QVERIFY(near(x.at(x.minus[pure], l, other), exact.minus[pure], limit));
                }
            }
    }

    // The whole sky couples nothing.
    void wholeSky() {
        constexpr int kLmax = 1000;
        const std::vector<double> mask{4.0 * kPi};
        const CouplingValues x(couplingMatrices(mask, kLmax, {.scalar = true, .polarization = true},
                                                Device::cpu(), job_),
                               job_);
        double worst = 0.0;
        for (int l = 2; l <= kLmax; ++l)
            for (int other = 2; other <= kLmax; ++other) {
                const double own = l == other ? 1.0 : 0.0, m = 2.0 * other + 1.0;
                worst = std::max({worst, std::abs(m * x.at(x.scalar, l, other) - own),
                                  std::abs(m * x.at(x.cross[0], l, other) - own),
                                  std::abs(m * x.at(x.plus[0], l, other) - own),
                                  std::abs(m * x.at(x.minus[0], l, other))});
            }
        qInfo("largest error %.2g", worst);
        // Recurrences of 1000 steps: 1000 epsilon is 2.2e-13.
        QVERIFY(worst < 1e-12);
    }

    // The multipoles of a point do not fall, so that the errors of the recurrences show. By the
    // orthogonality of the 3j symbols X is 1 / (4 pi) for spin 0, 0 for spin 0 with spin 2, and
    // half of 1 / (4 pi) for the sum of even and of odd l + l' + L.
    void pointOfTheSky() {
        constexpr int kLmax = 1000;
        const std::vector<double> mask(2 * kLmax + 1, 1.0);
        const CouplingValues x(couplingMatrices(mask, kLmax, {.scalar = true, .polarization = true},
                                                Device::cpu(), job_),
                               job_);
        constexpr double kExact = 1.0 / (4.0 * kPi);
        double worst = 0.0;
        for (int l = 2; l <= kLmax; ++l)
            for (int other = 2; other <= kLmax; ++other)
                worst = std::max({worst, std::abs(x.at(x.scalar, l, other) - kExact),
                                  std::abs(x.at(x.cross[0], l, other)),
                                  std::abs(x.at(x.plus[0], l, other) - 0.5 * kExact),
                                  std::abs(x.at(x.minus[0], l, other) - 0.5 * kExact)});
        qInfo("largest error %.2g", worst);
        // xi(0) / 2 is (2 lmax + 1)^2 / (8 pi) = 1.6e5: 1e-16 of that, and growth by 10.
        QVERIFY(worst < 1.6e-10);
    }

    // Sums over bins that leave out rows and overlap, compared with sums of the values.
    void sumsOfRowsAndBins() {
        constexpr int kLmax = 70;
        const std::vector<double> mask{1.0, 0.5, 0.2, 0.1};
        const CouplingMatrices matrices =
            couplingMatrices(mask, kLmax, {.scalar = true}, Device::cpu(), job_);
        const CouplingValues x(matrices, job_);
        const std::vector<MultipoleBin> bins{{2, 2}, {3, 40}, {30, 70}};
        std::vector<double> left, right, cl;
        for (const MultipoleBin& bin : bins)
            for (int l = bin.first; l <= bin.last; ++l) {
                left.push_back(1.0 + l);
                right.push_back(100.0 - l);
            }
        for (int l = 0; l <= kLmax; ++l) cl.push_back(1.0 / (1.0 + l));
        const std::vector<double> rows = matrices.scalar.rowSums(bins, left, job_),
                                  binned = matrices.scalar.binSums(bins, left, right, job_),
                                  product = matrices.scalar.product(cl, job_);
        // Rounding of 41 * 41 terms, 1681 epsilon of the sum of their magnitudes at most, which is
        // below 6 for rows and products.
        constexpr double kLimit = 2.2e-12;
        for (size_t p = 0; p < bins.size(); ++p) {
            for (int k = 0; k <= kLmax; ++k) {
                double sum = 0.0;
                for (int l = bins[p].first; l <= bins[p].last; ++l)
                    sum += (1.0 + l) * x.at(x.scalar, l, k);
                QVERIFY(near(rows[p * (kLmax + 1) + static_cast<size_t>(k)], sum, kLimit));
            }
            for (size_t q = 0; q < bins.size(); ++q) {
                double sum = 0.0, size = 0.0;
                for (int l = bins[p].first; l <= bins[p].last; ++l)
                    for (int k = bins[q].first; k <= bins[q].last; ++k) {
                        const double term = (1.0 + l) * x.at(x.scalar, l, k) * (100.0 - k);
                        sum += term;
                        size += std::abs(term);
                    }
                QVERIFY(near(binned[p * bins.size() + q], sum, kLimit * size));
            }
        }
        for (int l = 0; l <= kLmax; ++l) {
            double sum = 0.0;
            for (int k = 0; k <= kLmax; ++k) sum += x.at(x.scalar, l, k) / (1.0 + k);
            QVERIFY(near(product[static_cast<size_t>(l)], sum, kLimit));
        }
    }

    void sameBitsForAnyNumberOfThreads() {
        std::vector<double> mask;
        for (int l = 0; l <= 600; ++l) mask.push_back(1.0 / (1.0 + l * l));
        JobContext one({}, {}, 1), three({}, {}, 3);
        const CouplingRequest request{.scalar = true, .polarization = true};
        const CouplingValues a(couplingMatrices(mask, 300, request, Device::cpu(), one), one),
            b(couplingMatrices(mask, 300, request, Device::cpu(), three), three);
        QVERIFY(a.scalar == b.scalar);
        QVERIFY(a.plus[0] == b.plus[0]);
        QVERIFY(a.minus[0] == b.minus[0]);
    }
};

QTEST_APPLESS_MAIN(tst_coupling)
#include "tst_coupling.moc"
