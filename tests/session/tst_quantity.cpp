// SPDX-License-Identifier: GPL-3.0-or-later
// Amplitude and angle of the polarization.
#include <QtTest>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/session/shown.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

class QuantityTest : public QObject {
    Q_OBJECT
private slots:
    void derivedQuantities_data() {
        QTest::addColumn<double>("q");
        QTest::addColumn<double>("u");
        QTest::addColumn<double>("amplitude");
        QTest::addColumn<double>("angle");
        QTest::newRow("north") << 3.0 << 0.0 << 3.0 << 0.0;
        QTest::newRow("east") << -3.0 << 0.0 << 3.0 << 90.0;
        QTest::newRow("east, minus zero") << -3.0 << -0.0 << 3.0 << 90.0;
        QTest::newRow("north-east") << 0.0 << 2.0 << 2.0 << 45.0;
        QTest::newRow("north-west") << 0.0 << -2.0 << 2.0 << -45.0;
        QTest::newRow("general") << 3.0 << 4.0 << 5.0 << 0.5 * std::atan2(4.0, 3.0) / kDegree;
        QTest::newRow("none") << 0.0 << 0.0 << 0.0 << 0.0;
    }
    void derivedQuantities() {
        QFETCH(double, q);
        QFETCH(double, u);
        QFETCH(double, amplitude);
        QFETCH(double, angle);
        // sqrt, atan2 and a product: a few units in the last place.
        QVERIFY(std::abs(polarizedAmplitude(q, u) - amplitude) < 1e-14 * 5.0);
        QVERIFY(std::abs(polarizationAngle(q, u) - angle) < 1e-14 * 90.0);
    }
    void quantityMaps_data() {
        QTest::addColumn<int>("coverage");
        QTest::newRow("full") << static_cast<int>(Coverage::Full);
        QTest::newRow("partial") << static_cast<int>(Coverage::Partial);
        QTest::newRow("multi-order") << static_cast<int>(Coverage::MultiOrder);
    }
    void quantityMaps() {
        QFETCH(int, coverage);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        std::vector<Field> fields{field("T", std::vector<float>(12, 1.0F)),
                                  field("Q", std::vector<float>(12, 3.0F)),
                                  field("U", std::vector<float>(12, 4.0F))};
        std::get<std::vector<float>>(fields[2].values)[5] = nan;
        std::vector<int64_t> pixels(12);
        for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<int64_t>(i);
        HealpixMap map;
        switch (static_cast<Coverage>(coverage)) {
            case Coverage::Full:
                map = HealpixMap(1, Ordering::Ring, Frame::Galactic, fields);
                break;
            case Coverage::Partial:
                map = HealpixMap::partial(1, Ordering::Ring, Frame::Galactic, pixels, fields);
                break;
            case Coverage::MultiOrder:
                map = HealpixMap::multiOrder(1, Frame::Galactic, pixels,
                                             std::vector<uint8_t>(12, 0), fields);
                break;
        }
        JobContext job;
        const HealpixMap amplitude = quantityMap(map, 0, Quantity::PolarizedAmplitude, job);
        QCOMPARE(amplitude.coverage(), map.coverage());
        QCOMPARE(amplitude.fieldCount(), 1);
        QCOMPARE(amplitude.field(0).unit, std::string("uK"));
        QVERIFY(std::abs(amplitude.field(0).at(0) - 5.0) < 1e-14);
        QVERIFY(std::isnan(amplitude.field(0).at(5)));
        const HealpixMap plain = quantityMap(map, 1, Quantity::Field, job);
        QCOMPARE(plain.field(0).name, std::string("Q"));
        const HealpixMap angle = quantityMap(map, 0, Quantity::PolarizationAngle, job);
        QCOMPARE(angle.field(0).unit, std::string("deg"));
        QVERIFY_EXCEPTION_THROWN(quantityMap(map, 3, Quantity::Field, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(quantityMap(plain, 0, Quantity::PolarizationAngle, job),
                                 InvalidArgument);
    }
};

QTEST_GUILESS_MAIN(QuantityTest)
#include "tst_quantity.moc"
