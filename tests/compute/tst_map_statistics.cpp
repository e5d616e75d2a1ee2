// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/map_statistics.h"
#include "armilla/core/nan.h"

using namespace armilla;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInf = std::numeric_limits<double>::infinity();

enum class Kind { Gaussian, Offset, Quantized, Constant, WideRange, NegativeZero };

std::vector<double> numbers(Kind kind, size_t count, double badShare) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<double> values(count);
    for (double& value : values) {
        const double x = normal(random);
        switch (kind) {
            case Kind::Gaussian: value = x; break;
            case Kind::Offset: value = 1e6 + 1e-2 * x; break;
            case Kind::Quantized: value = std::floor(3.0 * x); break;
            case Kind::Constant: value = 2.725; break;
            case Kind::WideRange: value = std::copysign(std::pow(10.0, 12.0 * x), x); break;
            case Kind::NegativeZero: value = std::copysign(0.0, x); break;
        }
        if (uniform(random) < badShare) value = uniform(random) < 0.5 ? kNan : kInf;
    }
    return values;
}

HealpixMap mapOf(const std::vector<double>& values, int64_t nside, bool single) {
    Field field{"X", "K", DiskType::Float64, values};
    if (single) field.values = std::vector<float>(values.begin(), values.end());
    return {nside, Ordering::Ring, Frame::Galactic, {std::move(field)}};
}

std::vector<double> finiteValues(const HealpixMap& map) {
    std::vector<double> values;
    for (int64_t i = 0; i < map.elementCount(); ++i)
        if (std::isfinite(map.field(0).at(i))) values.push_back(map.field(0).at(i));
    return values;
}

// numpy's definition, on sorted values.
double percentileOf(const std::vector<double>& sorted, double percent) {
    const double place = static_cast<double>(sorted.size() - 1) * percent / 100.0;
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

// A multi-order map and the equivalent single pixels.
struct Cells {
    HealpixMap cells, pixels;
};
Cells someCells() {
    std::vector<int64_t> first;
    std::vector<uint8_t> orders;
    std::vector<float> values;
    const int64_t nside = 8;
    std::vector<float> flat(static_cast<size_t>(pixelCount(nside)), std::nanf(""));
    std::mt19937_64 random(4);
    std::normal_distribution<float> normal;
    for (int64_t at = 0; at < pixelCount(nside);) {
        int order = 3;
        while (order > 0 && at % (int64_t{1} << (2 * (4 - order))) == 0 && random() % 2 == 0)
            --order;
        const int64_t size = int64_t{1} << (2 * (3 - order));
        const float value = random() % 5 == 0 ? std::nanf("") : normal(random);
        if (random() % 4 != 0) {
            first.push_back(at);
            orders.push_back(static_cast<uint8_t>(order));
            values.push_back(value);
            std::fill_n(flat.begin() + at, size, value);
        }
        at += size;
    }
    return {
        HealpixMap::multiOrder(nside, Frame::Galactic, first, orders,
                               {{"X", "", DiskType::Float32, values}}),
        HealpixMap(nside, Ordering::Nested, Frame::Galactic, {{"X", "", DiskType::Float32, flat}})};
}

void addKinds() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("single");
    QTest::addColumn<double>("badShare");
    const char* names[] = {"gaussian", "offset", "quantized", "constant", "wide", "zeros"};
    for (int kind = 0; kind < 6; ++kind)
        for (const bool single : {false, true})
            for (const double bad : {0.0, 0.4})
                QTest::addRow("%s %s %g", names[kind], single ? "single" : "double", bad)
                    << kind << single << bad;
}

}  // namespace

class MapStatisticsTest : public QObject {
    Q_OBJECT
private slots:
    void figures_data() { addKinds(); }
    void figures() {
        QFETCH(int, kind);
        QFETCH(bool, single);
        QFETCH(double, badShare);
        const HealpixMap map = mapOf(numbers(static_cast<Kind>(kind), 3072, badShare), 16, single);
        const std::vector<double> good = finiteValues(map);
        long double sum = 0, absolute = 0, squares = 0;
        for (const double x : good) sum += x, absolute += std::fabs(x);
        const long double mean = sum / static_cast<long double>(good.size());
        for (const double x : good) squares += (x - mean) * (x - mean);
        const double deviation =
            static_cast<double>(std::sqrt(squares / static_cast<long double>(good.size())));
        JobContext job;
        const FieldStatistics s = fieldStatistics(map, 0, job);
        QCOMPARE(s.finiteCount, static_cast<int64_t>(good.size()));
        QCOMPARE(s.finite, static_cast<double>(good.size()) / 3072.0);
        QCOMPARE(s.min, *std::min_element(good.begin(), good.end()));
        QCOMPARE(s.max, *std::max_element(good.begin(), good.end()));
        // 64 additions in a lane, 8 lanes, a few levels: below 80 epsilon of the mean absolute
        // value in the worst case. The reference, 3072 additions in long double, is accurate to one
        // epsilon of that.
        const double size = static_cast<double>(absolute / static_cast<long double>(good.size()));
        QVERIFY(std::fabs(s.mean - static_cast<double>(mean)) <= 80.0 * kEpsilon * size);
        QVERIFY(std::fabs(s.standardDeviation - deviation) <=
                80.0 * kEpsilon * deviation + kEpsilon * size);
    }
    // A power of two scales every figure exactly, however large or small the squares would be.
    void scaleDoesNotMatter_data() {
        QTest::addColumn<int>("exponent");
        for (const int exponent : {1015, 700, -700, -950})
            QTest::addRow("2^%d", exponent) << exponent;
    }
    void scaleDoesNotMatter() {
        QFETCH(int, exponent);
        std::vector<double> values = numbers(Kind::Gaussian, 3072, 0.1);
        JobContext job;
        const FieldStatistics truth = fieldStatistics(mapOf(values, 16, false), 0, job);
        for (double& value : values) value = std::ldexp(value, exponent);
        const FieldStatistics s = fieldStatistics(mapOf(values, 16, false), 0, job);
        QCOMPARE(s.min, std::ldexp(truth.min, exponent));
        QCOMPARE(s.max, std::ldexp(truth.max, exponent));
        // Exact except for sums that overflow and are recomputed in other units, which have the
        // limits of figures() for a mean absolute value of 1.
        QVERIFY(std::fabs(std::ldexp(s.mean, -exponent) - truth.mean) <= 160.0 * kEpsilon);
        QVERIFY(std::fabs(std::ldexp(s.standardDeviation, -exponent) - truth.standardDeviation) <=
                160.0 * kEpsilon * truth.standardDeviation);
    }
    // The sum of the first half of the pixels overflows, and so does the distance of the extremes.
    void extremesOfTheRange() {
        const double largest = std::numeric_limits<double>::max();
        std::vector<double> values(3072, largest);
        for (size_t i = values.size() / 2; i < values.size(); ++i) values[i] = -largest;
        JobContext job;
        const FieldStatistics s = fieldStatistics(mapOf(values, 16, false), 0, job);
        QVERIFY(std::fabs(s.mean) <= 160.0 * kEpsilon * largest);
        QVERIFY(std::fabs(s.standardDeviation / largest - 1.0) <= 160.0 * kEpsilon);
        const FieldStatistics tiny =
            fieldStatistics(mapOf(std::vector<double>(12, 5e-324), 1, false), 0, job);
        QCOMPARE(tiny.mean, 5e-324);
        QCOMPARE(tiny.standardDeviation, 0.0);
    }
    void goodValues() {
        const auto check = [](auto zero) {
            using T = decltype(zero);
            using Limits = std::numeric_limits<T>;
            for (const T good : {zero, -zero, T(1), Limits::max(), Limits::lowest(), Limits::min(),
                                 Limits::denorm_min()})
                QVERIFY(isGood(good));
            for (const T bad : {Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::infinity(),
                                -Limits::infinity()})
                QVERIFY(!isGood(bad));
        };
        check(0.0);
        check(0.0F);
        QVERIFY(std::isnan(kNan));
    }
    // Squares of 1e200 overflow; the closed forms are those of 1, 2, ..., n in units of 1e200.
    void plainValues() {
        std::vector<double> values{kNan, kInf};
        constexpr int kCount = 1001;
        for (int i = 1; i <= kCount; ++i) values.push_back(i * 1e200);
        const FieldStatistics s = valueStatistics(values);
        QCOMPARE(s.finiteCount, int64_t{kCount});
        QCOMPARE(s.finite, double(kCount) / (kCount + 2));
        QCOMPARE(s.min, 1e200);
        QCOMPARE(s.max, 1001e200);
        // (n + 1) / 2 and sqrt((n^2 - 1) / 12), within the limits of figures().
        QVERIFY(std::fabs(s.mean / 501e200 - 1.0) <= 80.0 * kEpsilon);
        const double deviation = std::sqrt((double(kCount) * kCount - 1.0) / 12.0);
        QVERIFY(std::fabs(s.standardDeviation / 1e200 / deviation - 1.0) <= 160.0 * kEpsilon);
        const FieldStatistics one = valueStatistics(std::vector<double>{-3.0});
        QVERIFY(one.mean == -3.0 && one.standardDeviation == 0.0 && one.finite == 1.0);
        for (const std::vector<double>& none : {std::vector<double>(), {kNan, -kInf}}) {
            const FieldStatistics nothing = valueStatistics(none);
            QVERIFY(nothing.finite == 0.0 && nothing.finiteCount == 0);
            QVERIFY(std::isnan(nothing.min) && std::isnan(nothing.max) &&
                    std::isnan(nothing.mean) && std::isnan(nothing.standardDeviation));
        }
    }
    void sameBitsForAnyThreads() {
        const HealpixMap map = mapOf(numbers(Kind::Gaussian, 12 * 256 * 256, 0.1), 256, true);
        JobContext one({}, {}, 1), five({}, {}, 5);
        const FieldStatistics a = fieldStatistics(map, 0, one), b = fieldStatistics(map, 0, five);
        QVERIFY(a.mean == b.mean && a.standardDeviation == b.standardDeviation);
        QVERIFY(percentiles(map, 0, {1.0, 99.0}, 0, one) ==
                percentiles(map, 0, {1.0, 99.0}, 0, five));
    }
    void nothingFinite() {
        const HealpixMap map = mapOf(std::vector<double>(12, kNan), 1, true);
        JobContext job;
        const FieldStatistics s = fieldStatistics(map, 0, job);
        QVERIFY(s.finite == 0.0 && s.finiteCount == 0);
        QVERIFY(std::isnan(s.min) && std::isnan(s.max) && std::isnan(s.mean) &&
                std::isnan(s.standardDeviation));
        QVERIFY(std::isnan(percentiles(map, 0, {50.0}, 0, job).front()));
        QCOMPARE(histogram(map, 0, 0.0, 1.0, 4, job).counts, std::vector<int64_t>(4, 0));
    }
    void partialMapCountsTheWholeSky() {
        const auto map = HealpixMap::partial(
            8192, Ordering::Ring, Frame::Galactic, {1, 5, 9},
            {{"X", "", DiskType::Float32, std::vector<float>{1, std::nanf(""), 3}}});
        JobContext job;
        const FieldStatistics s = fieldStatistics(map, 0, job);
        QCOMPARE(s.finiteCount, int64_t{2});
        QCOMPARE(s.finite, 2.0 / (12.0 * 8192.0 * 8192.0));
        QCOMPARE(s.mean, 2.0);
        QCOMPARE(s.standardDeviation, 1.0);
    }
    void cellsCountByArea() {
        const Cells maps = someCells();
        QVERIFY(maps.cells.elementCount() > 20);
        JobContext job;
        const FieldStatistics a = fieldStatistics(maps.cells, 0, job);
        const FieldStatistics b = fieldStatistics(maps.pixels, 0, job);
        QCOMPARE(a.finiteCount, b.finiteCount);
        QCOMPARE(a.finite, b.finite);
        QCOMPARE(a.min, b.min);
        QCOMPARE(a.max, b.max);
        // Two orders of summation of about 700 numbers below 4.
        QVERIFY(std::fabs(a.mean - b.mean) < 100.0 * kEpsilon);
        QVERIFY(std::fabs(a.standardDeviation - b.standardDeviation) < 100.0 * kEpsilon);
        QCOMPARE(histogram(maps.cells, 0, -2.0, 2.0, 7, job).counts,
                 histogram(maps.pixels, 0, -2.0, 2.0, 7, job).counts);
        const std::vector<double> percents{0.0, 3.0, 25.0, 50.0, 75.5, 99.0, 100.0};
        QCOMPARE(percentiles(maps.cells, 0, percents, 0, job),
                 percentiles(maps.pixels, 0, percents, 0, job));
    }
    void percentilesAreExact_data() { addKinds(); }
    void percentilesAreExact() {
        QFETCH(int, kind);
        QFETCH(bool, single);
        QFETCH(double, badShare);
        const HealpixMap map = mapOf(numbers(static_cast<Kind>(kind), 3072, badShare), 16, single);
        std::vector<double> sorted = finiteValues(map);
        std::sort(sorted.begin(), sorted.end());
        JobContext job;
        // Few, unsorted, and so many that the tables of the selection change their size.
        std::vector<double> many;
        for (int i = 0; i <= 400; ++i) many.push_back(0.25 * i);
        for (const std::vector<double>& percents :
             {std::vector<double>{50.0}, {99.9, 0.1, 50.0, 0.0, 100.0, 0.1}, many}) {
            const std::vector<double> found = percentiles(map, 0, percents, 0, job);
            QCOMPARE(found.size(), percents.size());
            for (size_t i = 0; i < found.size(); ++i) {
                const double expected = percentileOf(sorted, percents[i]);
                // Both interpolate between the same two values; the position is rounded at 3072
                // epsilon of a step.
                const double step = sorted.back() - sorted.front();
                const double limit = single || kind != static_cast<int>(Kind::WideRange)
                                         ? 4000.0 * kEpsilon * step
                                         : 1e-11 * std::fabs(expected);
                QVERIFY2(
                    std::fabs(found[i] - expected) <= limit + 4.0 * kEpsilon * std::fabs(expected),
                    qPrintable(QString("%1: %2 %3").arg(percents[i]).arg(found[i]).arg(expected)));
            }
        }
        QCOMPARE(percentiles(map, 0, {0.0}, 0, job).front(), sorted.front());
        QCOMPARE(percentiles(map, 0, {100.0}, 0, job).front(), sorted.back());
    }
    void percentilesOfASample() {
        std::vector<double> values(3072);
        for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
        const HealpixMap map = mapOf(values, 16, false);
        JobContext job;
        // 3072 / 100 rounded up: every 31st value from the first.
        QCOMPARE(percentiles(map, 0, {100.0}, 100, job).front(), 31.0 * 99.0);
        QCOMPARE(percentiles(map, 0, {50.0}, 100, job).front(), 31.0 * 49.5);
        QCOMPARE(percentiles(map, 0, {100.0}, 5000, job).front(), 3071.0);
    }
    void histogramBins() {
        std::vector<double> values{0.0, 0.1, 0.3, 0.3, 0.7, 1.0, 1.0, -1e-9, 2.0, kNan, kInf, 0.6};
        JobContext job;
        const Histogram h = histogram(mapOf(values, 1, false), 0, 0.0, 1.0, 10, job);
        // Edges are i * 0.1 in double: 0.3 < 3 * 0.1 and 0.6 < 6 * 0.1 lie one bin lower than in
        // decimals, 0.7 < 7 * 0.1 too.
        QCOMPARE(h.counts, (std::vector<int64_t>{1, 1, 2, 0, 0, 1, 1, 0, 0, 2}));
        QCOMPARE(h.below, int64_t{1});
        QCOMPARE(h.above, int64_t{1});
        const Histogram all = histogram(mapOf(numbers(Kind::Gaussian, 12 * 64 * 64, 0.2), 64, true),
                                        0, -1.0, 1.5, 33, job);
        std::vector<int64_t> brute(33, 0);
        for (const double x :
             finiteValues(mapOf(numbers(Kind::Gaussian, 12 * 64 * 64, 0.2), 64, true)))
            for (int i = 0; i < 33; ++i)
                if (x >= -1.0 + i * (2.5 / 33) && x < -1.0 + (i + 1) * (2.5 / 33))
                    ++brute[static_cast<size_t>(i)];
        QCOMPARE(all.counts, brute);
        const HealpixMap constant = mapOf(std::vector<double>(12, 3.0), 1, true);
        QCOMPARE(histogram(constant, 0, 3.0, 3.0, 5, job).counts,
                 (std::vector<int64_t>{0, 0, 0, 0, 12}));
    }
    // Ranges whose inverse overflows, and edges closer than adjacent floating-point numbers.
    void histogramOfNarrowRanges() {
        const auto counts = [](std::vector<double> values, double high, int bins) {
            const double low = values.front();
            values.resize(12, kNan);
            JobContext job;
            return histogram(mapOf(values, 1, false), 0, low, high, bins, job).counts;
        };
        using Counts = std::vector<int64_t>;
        const double tiny = std::numeric_limits<double>::denorm_min();
        QCOMPARE(counts({0.0, tiny, 2 * tiny, 3 * tiny, 4 * tiny}, 4 * tiny, 4),
                 (Counts{1, 1, 1, 2}));
        // Bins of a quarter of the distance to the next number begin at multiples rounded half to
        // even: 0 0 0 1 1 1 2 2. The last bin that begins at a value contains the value.
        QCOMPARE(counts({0.0, tiny, 2 * tiny}, 2 * tiny, 8), (Counts{0, 0, 1, 0, 0, 1, 0, 1}));
        const double one = 1.0, next = 1.0 + kEpsilon, second = 1.0 + 2 * kEpsilon;
        QCOMPARE(counts({one, next, second}, second, 8), (Counts{0, 0, 1, 0, 0, 1, 0, 1}));
        const double huge = 0.8 * std::numeric_limits<double>::max();
        QCOMPARE(counts({0.0, huge / 2, huge}, huge, 2), (Counts{1, 2}));
    }
    void refused() {
        const HealpixMap map = mapOf(std::vector<double>(12, 1.0), 1, true);
        JobContext job;
        QVERIFY_EXCEPTION_THROWN(fieldStatistics(map, 1, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(fieldStatistics(map, -1, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(percentiles(map, 0, {101.0}, 0, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(percentiles(map, 0, {kNan}, 0, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(percentiles(map, 0, {1.0}, -1, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(histogram(map, 0, 1.0, 0.0, 3, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(histogram(map, 0, 0.0, kInf, 3, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(histogram(map, 0, 0.0, 1.0, 0, job), InvalidArgument);
    }
    void stops() {
        const HealpixMap map = mapOf(std::vector<double>(12, 1.0), 1, true);
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token(), {}, 2);
        QVERIFY_EXCEPTION_THROWN(fieldStatistics(map, 0, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(percentiles(map, 0, {1.0}, 0, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(histogram(map, 0, 0.0, 1.0, 3, job), Cancelled);
    }
};

QTEST_APPLESS_MAIN(MapStatisticsTest)
#include "tst_map_statistics.moc"
