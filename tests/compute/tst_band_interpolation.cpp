// SPDX-License-Identifier: GPL-3.0-or-later
// Interpolation by a band of neighbors, compared with the functions themselves.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <vector>

#include "shared/band_interpolation.h"
#include "support/tolerance.h"

using namespace armilla;

class BandInterpolationTest : public QObject {
    Q_OBJECT
private slots:
    void midpoints() {
        const std::vector<Ring> rings = midpointRings(2);  // pi / 8 and 3 pi / 8
        QCOMPARE(rings.size(), size_t{2});
        ARMILLA_VERIFY_BELOW(std::abs(2.0 * rings[0].z * rings[0].z - 1.0 - std::sqrt(0.5)), 4e-16);
        ARMILLA_VERIFY_BELOW(std::abs(rings[0].z - rings[1].sinTheta), 2e-16);
        ARMILLA_VERIFY_BELOW(std::abs(rings[1].z - rings[0].sinTheta), 2e-16);
    }

    // A sample on the grid is returned unchanged, without contributions of its neighbors.
    void onTheGrid() {
        QCOMPARE(bandWeight(0, 0.0), 1.0);
        for (int i = 1; i < kBandTaps; ++i) {
            QCOMPARE(bandWeight(i, 0.0), 0.0);
            QCOMPARE(bandWeight(-i, 0.0), 0.0);
        }
    }

    void waves_data() {
        QTest::addColumn<int>("degree");
        for (const int degree : {300, 601, 4097}) QTest::addRow("degree %d", degree) << degree;
    }
    // e^{i k theta} of every size up to the largest allowed k, at places between two samples. The
    // window's error is exp(-kBandDecay) = 1.3e-14; 128 weighted terms of order 1 / distance round
    // to a few epsilon.
    void waves() {
        QFETCH(int, degree);
        const long double step = std::acos(-1.0L) / (2 * bandPairs(degree));
        double worst = 0.0;
        for (const double fraction : {-0.5, -0.31, -1e-9, 1e-17, 0.123, 0.4, 0.5})
            for (int k = degree; k >= 0; k -= std::max(1, degree / 40)) {
                long double re = 0.0L, im = 0.0L;
                for (int j = -kBandTaps; j <= kBandTaps; ++j) {
                    const long double weight = bandWeight(-j, fraction);
                    re += weight * std::cos(k * j * step);
                    im += weight * std::sin(k * j * step);
                }
                const long double angle = k * step * static_cast<long double>(fraction);
                worst = std::max(worst, static_cast<double>(std::hypot(re - std::cos(angle),
                                                                       im - std::sin(angle))));
            }
        ARMILLA_VERIFY_BELOW(worst, std::exp(-kBandDecay) + 1e-15);
        // A wave of twice the frequency is out of the band.
        long double sum = 0.0L;
        for (int j = -kBandTaps; j <= kBandTaps; ++j)
            sum += bandWeight(-j, 0.5) * std::cos(2 * degree * j * step);
        QVERIFY(std::abs(static_cast<double>(sum - std::cos(degree * step))) > 0.1);
    }
};

QTEST_APPLESS_MAIN(BandInterpolationTest)
#include "tst_band_interpolation.moc"
