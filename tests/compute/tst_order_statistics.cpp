// SPDX-License-Identifier: GPL-3.0-or-later
// Values by rank against numpy.
#include <QtTest>
#include <cmath>
#include <vector>

#include "armilla/core/order_statistics.h"

using namespace armilla;

class OrderStatisticsTest : public QObject {
    Q_OBJECT

private slots:
    void ranksAndMedians();
    void someOfMany();
    void percentiles();

private:
    // Eight numbers of which floats hold all, and their order.
    const std::vector<double> values_{0.5, -3.0, 8.0, 2.25, 7.0, 1.0, 1.5, -0.25};
};

void OrderStatisticsTest::ranksAndMedians() {
    QCOMPARE(valueOfRank(std::vector<double>(values_), 0), -3.0);
    QCOMPARE(valueOfRank(std::vector<double>(values_), 7), 8.0);
    QCOMPARE(upperMedian(std::vector<double>(values_)), 1.5);  // sorted(v)[4]
    QCOMPARE(median(values_), 1.25);                           // numpy.median(v)
    QCOMPARE(median({3.0, -1.0, 2.0}), 2.0);
    QCOMPARE(median({1.5e308, 1.5e308}), 1.5e308);  // the sum of both would overflow
}

void OrderStatisticsTest::someOfMany() {
    std::vector<double> many(100000);
    for (size_t i = 0; i < many.size(); ++i) many[i] = i % 3 == 0 ? NAN : static_cast<double>(i);
    // Every twelfth value is taken, and each of those numbers is a multiple of 3.
    QVERIFY(std::isnan(medianOfSome(many)));
    many[0] = 5.0;
    QCOMPARE(medianOfSome(many), 5.0);
    QVERIFY(std::isnan(medianOfSome({})));
}

void OrderStatisticsTest::percentiles() {
    const std::vector<float> sorted{-3.0F, -0.25F, 0.5F, 1.0F, 1.5F, 2.25F, 7.0F, 8.0F};
    // numpy.percentile(v, [16, 50, 84, 99]). The limit is a rounding of 8 in double precision.
    const double expected[][2] = {{16.0, -0.16}, {50.0, 1.25}, {84.0, 6.43}, {99.0, 7.93}};
    for (const auto& [percent, value] : expected)
        QVERIFY(std::abs(percentileOfSorted(sorted, percent) - value) < 1e-14);
    QCOMPARE(percentileOfSorted(sorted, 0.0), -3.0);
    QCOMPARE(percentileOfSorted(sorted, 100.0), 8.0);
}

QTEST_APPLESS_MAIN(OrderStatisticsTest)
#include "tst_order_statistics.moc"
