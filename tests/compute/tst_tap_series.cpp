// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of taps as polynomials, in the form of both devices' loops, compared with the profile.
#include <QtTest>
#include <cmath>

#include "armilla/core/sky_vector.h"
#include "convolve/pixels/tap_series.h"

using namespace armilla;

class TapSeriesTest : public QObject {
    Q_OBJECT
private slots:
    // The taps of a target are the pixels within the kernel's radius, each once; a ring that the
    // edge crosses between two pixels has none.
    void tapsAreThePixelsWithin_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("arcmin");
        QTest::addRow("nside 100") << 100 << 90.0;
        QTest::addRow("nside 256") << 256 << 40.0;
        QTest::addRow("nside 64") << 64 << 200.0;
    }
    void tapsAreThePixelsWithin() {
        QFETCH(int, nside);
        QFETCH(double, arcmin);
        const HealpixRings rings(nside);
        const Kernel kernel = Kernel::gaussian(arcmin * kArcmin);
        JobContext job;
        const ProfileTable table(kernel, kernel.truncationRadius(3e-7, {}, job));
        const ProfileView profile = table.view();
        int64_t targets = 0, empty = 0;
        for (int64_t r = nside / 4; r < nside; ++r) {
            const HealpixRing& target = rings.ring[static_cast<size_t>(r)];
            const RingSpan span = ringsAround(rings.theta.data(), rings.count, r, table.radius());
            for (int64_t k = span.first; k <= span.last; ++k) {
                const HealpixRing& source = rings.ring[static_cast<size_t>(k)];
                const RingPair pair = ringPair(target, source, profile.end);
                if (pair.reach < 0.0) continue;
                const SeriesPair series(target, source, pair);
                for (int64_t j = 0; j <= target.quarter / 2; ++j) {
                    const TapRun run = tapRun(target, j, source, pair);
                    const SeriesPlace place =
                        seriesPlace(series, static_cast<double>(j) + target.shift, profile.end);
                    ++targets;
                    if (run.count == 0) ++empty;
                    // Tap i of the loops: nearest + i and nearest - i.
                    for (int i = 0; i <= series.taps(); ++i)
                        for (const int tap : {i, -i}) {
                            const int64_t pixel = place.nearest + tap;
                            const bool within = pixel >= run.first && pixel < run.first + run.count;
                            QCOMPARE(place.has(tap), within);
                        }
                    QVERIFY(place.above < series.taps() && place.below < series.taps());
                }
            }
        }
        // The relevant case occurs.
        QVERIFY(empty > 0 && empty < targets / 4);
    }
};

QTEST_APPLESS_MAIN(TapSeriesTest)
#include "tst_tap_series.moc"
