// SPDX-License-Identifier: GPL-3.0-or-later
// Decoupled band powers of simulated skies, with and without purification, against theory and
// against their own scatter.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "armilla/ops/band_powers.h"
#include "compute/simulated_bands.h"
#include "coupling_values.h"

using namespace armilla;
using namespace armilla::test;

class tst_band_powers : public QObject {
    Q_OBJECT

    JobContext job_;

    // The matrices of a mask whose spectrum falls.
    CouplingMatrices falling(int lmax) {
        std::vector<double> mask;
        for (int l = 0; l <= 2 * lmax; ++l) mask.push_back(4.0 / std::pow(1.0 + l, 3.0));
        return couplingMatrices(mask, lmax, {.polarization = true}, Device::cpu(), job_);
    }

private slots:
    void bins() {
        const std::vector<MultipoleBin> bins = binsOfWidth(4, 12);
        QCOMPARE(bins.size(), size_t{2});
        QCOMPARE(bins[1].first, 6);
        QCOMPARE(bins[1].last, 9);
    }

    void momentsOfMasks() {
        const std::vector<double> a{0.0, 0.5, 1.0, 1.0}, b{1.0, 1.0, 0.5, 0.0};
        const MaskMoments moments = maskMoments(a, b, job_);
        QCOMPARE(moments.sky, 0.5);
        QCOMPARE(moments.squared, 0.5);
        QCOMPARE(moments.fourth, 0.25);
        QCOMPARE(moments.ofSphere(), 0.25);
    }

    // The pixel window of polarization is 0 for l < 2, where a bin may begin.
    void binFromMonopole() {
        BandPowerRequest request;
        request.lmax = 4;
        request.bins = {{0, 4}};
        request.decouple = false;
        request.polarization = true;
        request.beamA[0] = request.beamB[0] = {1.0, 1.0, 1.0, 1.0, 1.0};
        for (size_t i = 1; i < 3; ++i)
            request.beamA[i] = request.beamB[i] = {0.0, 0.0, 0.5, 0.5, 0.5};
        NineSpectra pseudo;
        for (auto& each : pseudo) each = {0.0, 0.0, 1.0, 2.0, 3.0};
        const NineSpectra powers = BandPowers(nullptr, request, job_).of(pseudo);
        QCOMPARE(powers[0].at(0), 6.0 / 5.0);
        QCOMPARE(powers[1].at(0), 4.0 * 6.0 / 5.0);
        QCOMPARE(powers[3].at(0), 2.0 * 6.0 / 5.0);
    }

    // A constant D_l, in bins from l = 0, where D_0 is 0 for any C_0.
    void decoupledFromMonopole() {
        BandPowerRequest request;
        request.lmax = 9;
        request.bins = {{0, 4}, {5, 9}};
        request.isDl = true;
        NineSpectra sky;
        for (int l = 0; l <= request.lmax; ++l) sky[0].push_back(l == 0 ? 7.0 : 3.0 / dlFactor(l));
        const BandPowers bands(nullptr, request, job_);
        const NineSpectra powers = bands.of(sky);
        // Sums of five terms: some epsilon of 3.
        for (const double power : powers[0]) QVERIFY(std::abs(power - 3.0) < 1e-14);
        // The first bin averages four of five multipoles: 5 / 4.
        QCOMPARE(bands.condition(), 1.25);
    }

    // In bins of one multipole the windows are 1 at their own, also if the matrix of a cap of 0.4
    // radians is nearly singular. Up to lmax, its coefficients are sqrt(pi / (2 l + 1)) (P_l-1 -
    // P_l+1).
    void windowsOfSingleMultipoles() {
        constexpr int kLmax = 95;
        const double z = std::cos(0.4);
        std::vector<double> p{1.0, z}, mask{kPi * (1.0 - z) * (1.0 - z)};
        for (int l = 1; l <= kLmax; ++l) {
            const auto at = static_cast<size_t>(l);
            p.push_back(((2 * l + 1) * z * p[at] - l * p[at - 1]) / (l + 1));
            const double difference = (p[at - 1] - p[at + 1]) / (2 * l + 1);
            mask.push_back(kPi * difference * difference);
        }
        const CouplingMatrices matrices =
            couplingMatrices(mask, kLmax, {.scalar = true}, Device::cpu(), job_);
        BandPowerRequest request;
        request.lmax = kLmax;
        request.bins = binsOfWidth(1, kLmax);
        const BandPowers bands(&matrices, request, job_);
        QVERIFY(bands.condition() > 1e6);
        // Rounding times the condition number, for sums of 94 terms of any sign.
        const double limit = std::sqrt(94.0) * 2.3e-16 * bands.condition();
        const BandPowers::Window own = bands.window(0);
        for (size_t q = 0; q < request.bins.size(); ++q)
            for (size_t l = 2; l <= kLmax; ++l)
                QVERIFY(std::abs(own[q * (kLmax + 1) + l] - (l == q + 2 ? 1.0 : 0.0)) < limit);
    }

    // The windows predict the band powers of any sky whose spectra a mask has coupled. Spectra with
    // one response share its rows.
    void windows() {
        const CouplingMatrices matrices = falling(31);
        BandPowerRequest request;
        request.lmax = 31;
        request.bins = binsOfWidth(5, 31);
        request.polarization = true;
        NineSpectra sky;
        for (size_t s = 0; s < 9; ++s)
            for (int l = 0; l <= 31; ++l)
                sky[s].push_back(std::cos(l * (1.0 + static_cast<double>(s))));
        for (const bool decouple : {true, false}) {
            request.decouple = decouple;
            const BandPowers bands(&matrices, request, job_);
            const NineSpectra found = bands.of(coupledSpectra(&matrices, request, sky, job_));
            for (const int s : bands.spectra()) {
                const BandPowers::Window own = bands.window(s), partner = bands.partnerWindow(s);
                QCOMPARE(partner.values.empty(), partnerOf(s) < 0);
                for (size_t q = 0; q < request.bins.size(); ++q) {
                    double expected = 0.0;
                    for (size_t l = 0; l <= 31; ++l) {
                        expected += own[q * 32 + l] * sky[static_cast<size_t>(s)][l];
                        if (partnerOf(s) >= 0)
                            expected +=
                                partner[q * 32 + l] * sky[static_cast<size_t>(partnerOf(s))][l];
                    }
                    // Sums of 64 products of order 1, through matrices of condition below 100.
                    const double difference = found[static_cast<size_t>(s)][q] - expected;
                    QVERIFY(std::abs(difference) < 64 * 100 * 2.3e-16);
                }
            }
            const auto rowsOf = [&](int s) { return bands.window(s).values.data(); };
            for (const int s : {2, 5, 8}) QVERIFY(rowsOf(s) == rowsOf(1));  // BB, EB, BE as EE
            for (const int s : {4, 6, 7}) QVERIFY(rowsOf(s) == rowsOf(3));  // TB, ET, BT as TE
            QVERIFY(rowsOf(0) != rowsOf(1) && rowsOf(0) != rowsOf(3));
        }
    }

    // Blocks of a covariance are shared among threads.
    void covarianceOnThreads() {
        const CouplingMatrices matrices = falling(31);
        BandPowerRequest request;
        request.lmax = 31;
        request.bins = binsOfWidth(5, 31);
        request.polarization = true;
        const BandPowers bands(&matrices, request, job_);
        FieldSpectra pseudo;
        for (size_t s = 0; s < 9; ++s)
            for (int l = 0; l <= 31; ++l)
                pseudo.ab[s].push_back((s < 3 ? 1.0 : 0.1) / (1.0 + l + static_cast<double>(s)));
        pseudo.aa = pseudo.bb = pseudo.ab;
        const std::array<int, 6> written{0, 1, 2, 3, 4, 5};
        JobContext one({}, {}, 1), four({}, {}, 4);
        const std::vector<double> alone =
            gaussianCovariance(bands, written, pseudo, matrices, matrices, one);
        QVERIFY(alone == gaussianCovariance(bands, written, pseudo, matrices, matrices, four));
        const size_t size = 6 * request.bins.size();
        QCOMPARE(alone.size(), size * size);
        for (size_t i = 0; i < size; ++i) {
            QVERIFY(alone[i * size + i] > 0.0);
            for (size_t k = 0; k < size; ++k) QCOMPARE(alone[i * size + k], alone[k * size + i]);
        }
    }

    void meanAndScatter_data() {
        QTest::addColumn<bool>("pure");
        QTest::newRow("as they are") << false;
        QTest::newRow("purified") << true;
    }
    // The mean of simulations is the theory through the windows: chi^2 of the error of the mean,
    // for each spectrum. The Gaussian covariance is that of the scatter.
    void meanAndScatter() {
        QFETCH(bool, pure);
        const BandsOfSkies found = simulate({.pureB = pure}, job_);
        QCOMPARE(found.bins, 6);
        for (size_t s = 0; s < 6; ++s) {
            const auto [chi2, variance] = found.spectra[s];
            qInfo("%s: chi^2 %.2f of 6 bins, variance of the scatter over the Gaussian %.3f",
                  kNinePairNames[s].data(), chi2, variance);
            // P(chi^2 > 22.5) is 1e-3 for 6 bins.
            QVERIFY(chi2 < 22.5);
            // A variance of 200 skies has an error of 10 %, the mean of 6 bins one of 4 %. The
            // kernels of bins of five multipoles add 10 %. Without purification the E that leaks
            // into B follows another kernel, which the narrow one overestimates for TB and EB.
            const bool hasLeak = !pure && s > 3;
            if (!hasLeak) QVERIFY(std::abs(std::log(variance)) < 0.2);
        }
    }

    // White noise with equal E and B, without decoupling: a masked field has <a conj(b)> from the
    // kernel of the squared mask alone, so that the covariances are sums of 3j symbols, which
    // tst_coupling compares with exact ones: cov(EE, BB) = 2 X-, cov(EB, EB) = X+ - X-.
    void covarianceOfWhiteNoise() {
        constexpr int kLmax = 12;
        const CouplingMatrices matrices = falling(kLmax);
        const CouplingValues x(matrices, job_);
        enum { TT, EE, BB, TE, TB, EB, ET, BT, BE };
        BandPowerRequest request;
        request.lmax = kLmax;
        request.bins = binsOfWidth(1, kLmax);
        request.polarization = true;
        request.decouple = false;
        const std::array<int, 9> written{0, 1, 2, 3, 4, 5, 6, 7, 8};
        FieldSpectra white;
        const std::array<double, 9> levels{1.0, 1.0, 1.0, 0.5, 0.0, 0.0, 0.5, 0.0, 0.0};
        for (size_t s = 0; s < 9; ++s) white.ab[s].assign(kLmax + 1, levels[s]);
        white.aa = white.bb = white.ab;
        const auto covariance = [&](const BandPowerRequest& of) {
            const BandPowers bands(&matrices, of, job_);
            return gaussianCovariance(bands, written, white, matrices, matrices, job_);
        };
        const size_t bins = request.bins.size();
        const auto isNear = [&](const std::vector<double>& all, int a, int b,
                                const auto& expected) {
            for (size_t p = 0; p < bins; ++p)
                for (size_t q = 0; q < bins; ++q) {
                    const double found = all[(static_cast<size_t>(a) * bins + p) * 9 * bins +
                                             static_cast<size_t>(b) * bins + q];
                    // Sums of a few terms below 1.
                    if (!(std::abs(found - expected(static_cast<int>(p) + 2,
                                                    static_cast<int>(q) + 2)) < 1e-15))
                        return false;
                }
            return true;
        };
        const auto plus = [&](int l, int other) { return x.at(x.plus[0], l, other); };
        const auto minus = [&](int l, int other) { return x.at(x.minus[0], l, other); };
        const auto none = [](int, int) { return 0.0; };
        const std::vector<double> standard = covariance(request);
        QVERIFY(minus(2, 3) > 1e-4);
        QVERIFY(isNear(standard, EE, EE, [&](int l, int k) { return 2.0 * plus(l, k); }));
        QVERIFY(isNear(standard, EE, BB, [&](int l, int k) { return 2.0 * minus(l, k); }));
        for (const int other : {EB, BE})
            QVERIFY(isNear(standard, EB, other,
                           [&](int l, int k) { return plus(l, k) - minus(l, k); }));
        // A spectrum of spins 0 and 2 counts as one of spin 0 (NaMaster has the same kernels).
        const auto scalar = [&](int l, int other) { return x.at(x.scalar, l, other); };
        QVERIFY(isNear(standard, TE, TE,
                       [&](int l, int k) { return x.at(x.cross[0], l, k) + 0.25 * scalar(l, k); }));
        QVERIFY(isNear(standard, TT, EE, [&](int l, int k) { return 0.5 * scalar(l, k); }));
        QVERIFY(isNear(standard, TE, TB, none));
        // Purified fields have no mixing.
        request.pureB = true;
        const std::vector<double> pure = covariance(request);
        QVERIFY(isNear(pure, EE, BB, none));
        QVERIFY(isNear(pure, EB, EB, plus));
    }
};

QTEST_APPLESS_MAIN(tst_band_powers)
#include "tst_band_powers.moc"
