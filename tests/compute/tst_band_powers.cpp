// SPDX-License-Identifier: GPL-3.0-or-later
// Decoupled band powers of simulated skies, with and without purification, against theory and
// against their own scatter.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <vector>

#include "armilla/ops/band_powers.h"
#include "compute/simulated_bands.h"

using namespace armilla;
using namespace armilla::test;

class tst_band_powers : public QObject {
    Q_OBJECT

    JobContext job_;

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
            // into B follows another kernel, which the narrow one overestimates.
            const bool hasLeak = !pure && (s == 2 || s > 3);
            if (!hasLeak) QVERIFY(std::abs(std::log(variance)) < 0.2);
        }
    }
};

QTEST_APPLESS_MAIN(tst_band_powers)
#include "tst_band_powers.moc"
