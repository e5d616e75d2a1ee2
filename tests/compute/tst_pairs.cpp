// SPDX-License-Identifier: GPL-3.0-or-later
// Pair counts compared with a double loop in quadruple precision: whole spheres, patches of all
// sizes, and sets that would reveal a rounding error.
#include <QtTest>

#include <algorithm>
#include <array>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/ops/pairs.h"
#include "pairs/point_vectors.h"
#include "pairs/quad.h"
#include "support/pair_truth.h"

using namespace armilla;

namespace {

JobContext jobOf(int threads) {
    return {{}, {}, threads};
}

std::vector<PairCounts> counted(const std::vector<SkyPoints>& sets, const AngularBins& bins,
                                int threads = 2) {
    JobContext job = jobOf(threads);
    std::vector<PairTask> tasks{{0, 0}};
    if (sets.size() > 1) tasks = {{0, 0}, {0, 1}, {1, 1}};
    return countPairs(sets, tasks, bins, {}, job);
}

// True if all tasks of counted() agree; prints differences.
bool same(const std::vector<SkyPoints>& sets, const AngularBins& bins,
          const std::vector<TruthNumber>& edges) {
    const std::vector<PairCounts> found = counted(sets, bins);
    for (size_t t = 0; t < found.size(); ++t) {
        const int first = t == 2 ? 1 : 0, second = t == 0 ? 0 : 1;
        const TruthCounts truth =
            truthCounts(sets[static_cast<size_t>(first)], sets[static_cast<size_t>(second)],
                        first == second, edges);
        for (size_t k = 0; k < truth.pairs.size(); ++k)
            if (found[t].pairs[k] != truth.pairs[k]) {
                qWarning("task %zu, bin %zu: expected %lld pairs, found %lld", t, k,
                         static_cast<long long>(truth.pairs[k]),
                         static_cast<long long>(found[t].pairs[k]));
                return false;
            }
    }
    return true;
}

const TruthNumber kTruthDegree = kTruthPi / 180;

SkyPoints withWeights(SkyPoints points, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> uniform(0.1, 3.0);
    for (int64_t i = 0; i < points.size(); ++i) points.weight.push_back(uniform(generator));
    return points;
}

SkyPoints shuffled(const SkyPoints& points, unsigned seed) {
    std::vector<size_t> order(points.lon.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
    SkyPoints result = points;
    for (size_t i = 0; i < order.size(); ++i) {
        result.lon[i] = points.lon[order[i]];
        result.lat[i] = points.lat[order[i]];
        if (!points.weight.empty()) result.weight[i] = points.weight[order[i]];
    }
    return result;
}

}  // namespace

class TestPairs : public QObject {
    Q_OBJECT

private slots:
    void quadFunctions();
    void anglesFromText();
    void edgesOfBins();
    void refusals();
    void randomSets_data();
    void randomSets();
    void gridOfDegrees();
    void polesAndAntipodes();
    void coincidentPoints();
    void milliarcseconds();
    void lastBitOfAnEdge();
    void fineLinearBins();
    void fewPoints();
    void unitsOfColumns();
    void vectors();
    void turnedSet();
    void anyOrderAndThreads();
    void weights();
    void meanAngles_data();
    void meanAngles();
    void manyPoints();
    void cancelled();
};

// Against libquadmath: a few roundoffs of 113 bits, 2^-113 = 1e-34.
void TestPairs::quadFunctions() {
    const TruthNumber limit = TruthNumber(2) / 1000000000000000LL / 1000000000000000LL / 1000;
    const auto near = [&](TruthNumber found, TruthNumber truth) {
        return fabsq(found - truth) <= limit * fmaxq(1, fabsq(truth));
    };
    QVERIFY(near(quadPi(), kTruthPi));
    for (const double x : {1e-12, 0.3, 1.0, 2.0, 9.75, 1234.5, 6e20}) {
        QVERIFY(near(quadSqrt(x), sqrtq(x)));
        QVERIFY(near(quadLog(x), logq(x)));
        QVERIFY(near(quadExp(-x > -700 ? -x : -700.0), expq(-x > -700 ? -x : -700.0)));
    }
    QVERIFY(near(quadExp(20.25) / expq(20.25), 1));
    for (const double degrees :
         {0.0, 1e-9, 29.999, 45.0, 60.0, 135.5, 200.0, 315.0, -77.25, 719.0}) {
        const QuadSinCos found = quadSinCosDegrees(degrees);
        QVERIFY(near(found.sin, sinq(TruthNumber(degrees) * kTruthDegree)));
        QVERIFY(near(found.cos, cosq(TruthNumber(degrees) * kTruthDegree)));
    }
    QVERIFY(quadSinCosDegrees(180).sin == 0 && quadSinCosDegrees(-90).cos == 0);
    QVERIFY(quadSinCosDegrees(270).sin == -1 && quadSinCosDegrees(36000).cos == 1);
    QVERIFY(near(quadFromText("0.01"), TruthNumber(1) / 100));
    QVERIFY(near(quadFromText("-12.5e-3"), TruthNumber(-1) / 80));
    QVERIFY(near(quadFromText("123456789012345678901234567890123456789e-38"),
                 strtoflt128("1.23456789012345678901234567890123456789", nullptr)));
    QVERIFY_EXCEPTION_THROWN(quadFromText("1e"), InvalidArgument);
    QVERIFY_EXCEPTION_THROWN(quadFromText("."), InvalidArgument);
}

void TestPairs::anglesFromText() {
    const auto near = [](ExactAngle found, TruthNumber truth) {
        // 106 bits.
        return fabsq(TruthNumber(found.high) + found.low - truth) <= 3e-32 * truth;
    };
    QVERIFY(near(exactAngle("0.01arcmin"), kTruthDegree / 6000));
    QVERIFY(near(exactAngle(" 10000 arcmin"), kTruthDegree * 10000 / 60));
    QVERIFY(near(exactAngle("0.001arcsec"), kTruthDegree / 3600000));
    QVERIFY(near(exactAngle("1.5'"), kTruthDegree / 40));
    QVERIFY(near(exactAngle("0.1rad"), TruthNumber(1) / 10));
    QVERIFY(near(exactAngle("2.5e1mas"), kTruthDegree / 144000));
    QVERIFY(near(exactAngleOfDegrees(0.1), TruthNumber(0.1) * kTruthDegree));
    QVERIFY_EXCEPTION_THROWN(exactAngle("10"), InvalidArgument);
    QVERIFY_EXCEPTION_THROWN(exactAngle("10 parsec"), InvalidArgument);
}

void TestPairs::edgesOfBins() {
    const AngularBins report = angularBins("0.01arcmin,10000arcmin,30", BinSpacing::Log);
    QCOMPARE(report.count(), 30);
    // Five bins a decade.
    QCOMPARE(report.lowDegrees(0), 1.0 / 6000.0);
    QCOMPARE(report.lowDegrees(5), 1.0 / 600.0);
    QCOMPARE(report.highDegrees(29), 1000.0 / 6.0);
    const std::vector<TruthNumber> truth =
        truthLogEdges(kTruthDegree / 6000, kTruthDegree * 1000 / 6, 30);
    for (size_t k = 0; k < truth.size(); ++k)
        // The edges have two parts of double precision, 106 bits: a relative error of 2^-106 =
        // 1.2e-32 in each of a few operations.
        QVERIFY(fabsq(TruthNumber(report.edges[k].high) + report.edges[k].low - truth[k]) <=
                1e-31 * truth[k]);
    // The center is about 2e-4 degrees, and one unit in the last place there is 2.7e-20.
    QVERIFY(std::fabs(report.centerDegrees(0) - std::pow(10.0, 0.1) / 6000.0) < 1e-19);
    const AngularBins linear = angularBins("0deg,180deg,4", BinSpacing::Linear);
    QCOMPARE(linear.highDegrees(0), 45.0);
    QCOMPARE(linear.highDegrees(3), 180.0);
    QCOMPARE(linear.centerDegrees(1), 67.5);
}

void TestPairs::refusals() {
    for (const char* text : {"", "1deg", "1deg,2deg", "1deg,2deg,0", "2deg,1deg,3", "0deg,1deg,5",
                             "1,2,3", "1deg,181deg,5", "1deg,2deg,3x", "-1deg,2deg,3"})
        QVERIFY_EXCEPTION_THROWN(angularBins(text, BinSpacing::Log), InvalidArgument);
    const AngularBins bins = angularBins("1deg,2deg,3", BinSpacing::Log);
    SkyPoints points{{1.0}, {91.0}, 90.0, 90.0, {}, {}};
    QVERIFY_EXCEPTION_THROWN(counted({points}, bins), InvalidArgument);
    points.lat = {std::nan("")};
    QVERIFY_EXCEPTION_THROWN(counted({points}, bins), InvalidArgument);
    points.lat = {1.0, 2.0};
    QVERIFY_EXCEPTION_THROWN(counted({points}, bins), InvalidArgument);
    JobContext job;
    const std::vector<PairTask> unknown{{0, 1}};
    QVERIFY_EXCEPTION_THROWN(countPairs(std::vector<SkyPoints>{{}}, unknown, bins, {}, job),
                             InvalidArgument);
}

void TestPairs::randomSets_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("radius");  // deg
    QTest::addColumn<double>("lat");
    QTest::newRow("sphere") << 900 << 180.0 << 0.0;
    QTest::newRow("hemisphere") << 700 << 90.0 << -30.0;
    QTest::newRow("5 deg at the pole") << 700 << 5.0 << 90.0;
    QTest::newRow("1 deg") << 700 << 1.0 << 45.0;
    QTest::newRow("10 arcsec") << 700 << 10.0 / 3600.0 << -60.0;
    QTest::newRow("0.02 arcsec at the pole") << 600 << 0.02 / 3600.0 << 89.9999;
}
void TestPairs::randomSets() {
    QFETCH(int, count);
    QFETCH(double, radius);
    QFETCH(double, lat);
    const std::vector<SkyPoints> sets{pointsAround(count, 359.9, lat, radius, 1),
                                      pointsAround(count / 2 + 3, 359.9, lat, radius, 2)};
    // Log bins over four decades up to the diameter.
    const double high = std::min(180.0, 2.0 * radius);
    const ExactAngle low = exactAngleOfDegrees(high * 1e-4), top = exactAngleOfDegrees(high);
    QVERIFY(same(sets, angularBins(low, top, 23, BinSpacing::Log),
                 truthLogEdges(TruthNumber(high * 1e-4) * kTruthDegree,
                               TruthNumber(high) * kTruthDegree, 23)));
    QVERIFY(same(sets, angularBins(exactAngleOfDegrees(0.0), top, 7, BinSpacing::Linear),
                 truthLinearEdges(0, TruthNumber(high) * kTruthDegree, 7)));
}

// Integer degrees: hundreds of thousands of pairs lie exactly on edges. The angles of others agree
// with an edge in theory but not in any finite precision.
void TestPairs::gridOfDegrees() {
    SkyPoints grid;
    for (int lat = -90; lat <= 90; lat += 10)
        for (int lon = 0; lon < 360; lon += 15) {
            grid.lon.push_back(lon);
            grid.lat.push_back(lat);
        }
    QVERIFY(same({grid}, angularBins("0deg,180deg,36", BinSpacing::Linear),
                 truthLinearEdges(0, kTruthPi, 36)));
    QVERIFY(same({grid}, angularBins("10deg,160deg,4", BinSpacing::Log),
                 truthLogEdges(10 * kTruthDegree, 160 * kTruthDegree, 4)));
}

void TestPairs::polesAndAntipodes() {
    SkyPoints points;
    for (const double lon : {0.0, 90.0, 123.456, 270.0, 360.0, -360.0, 720.0})
        for (const double lat : {-90.0, -45.0, 0.0, 45.0, 90.0}) {
            points.lon.push_back(lon);
            points.lat.push_back(lat);
            points.lon.push_back(lon + 180.0);
            points.lat.push_back(-lat);
            // Antipodes except for the last bits.
            points.lon.push_back(lon + 180.0);
            points.lat.push_back(std::nextafter(-lat, 0.0));
        }
    const char* const bins[] = {"0deg,180deg,3", "90deg,180deg,5", "179.9999999999deg,180deg,4",
                                "0deg,90deg,2"};
    for (const char* text : bins) {
        const AngularBins linear = angularBins(text, BinSpacing::Linear);
        std::vector<TruthNumber> edges;
        for (const ExactAngle& edge : linear.edges)
            edges.push_back(TruthNumber(edge.high) + edge.low);
        QVERIFY2(same({points}, linear, edges), text);
    }
    // A last edge of 180 degrees is closed, a smaller one is open.
    const SkyPoints two{{0.0, 180.0}, {20.0, -20.0}, 90.0, 90.0, {}, {}};
    QCOMPARE(counted({two}, angularBins("90deg,180deg,1", BinSpacing::Linear))[0].pairs[0],
             int64_t{1});
    const SkyPoints quarter{{0.0, 90.0}, {0.0, 0.0}, 90.0, 90.0, {}, {}};
    QCOMPARE(counted({quarter}, angularBins("45deg,90deg,1", BinSpacing::Linear))[0].pairs[0],
             int64_t{0});
    QCOMPARE(counted({quarter}, angularBins("90deg,91deg,1", BinSpacing::Linear))[0].pairs[0],
             int64_t{1});
}

void TestPairs::coincidentPoints() {
    // Each position forty times, also with equivalent coordinates.
    SkyPoints points;
    for (int i = 0; i < 40; ++i)
        for (const auto& [lon, lat] : {std::pair{10.0, 20.0}, std::pair{370.0, 20.0},
                                       std::pair{10.5, 20.0}, std::pair{i * 9.0, 90.0}}) {
            points.lon.push_back(lon);
            points.lat.push_back(lat);
        }
    const auto linear = counted({points}, angularBins("0deg,180deg,2", BinSpacing::Linear))[0];
    QCOMPARE(linear.pairs[0] + linear.pairs[1], int64_t{160 * 159 / 2});
    QVERIFY(same({points}, angularBins("0deg,1arcsec,3", BinSpacing::Linear),
                 truthLinearEdges(0, kTruthDegree / 3600, 3)));
    // Coincident: 80 * 79 / 2 at one position, 40 * 39 / 2 at two others.
    QCOMPARE(counted({points}, angularBins("0deg,1arcsec,1", BinSpacing::Linear))[0].pairs[0],
             int64_t{3160 + 2 * 780});
    QCOMPARE(counted({points}, angularBins("1arcsec,60arcsec,1", BinSpacing::Log))[0].pairs[0],
             int64_t{0});
}

void TestPairs::milliarcseconds() {
    // A row of points 0.001 arcsec apart as accurately as degrees allow, away from any pole.
    for (const double lat : {0.0, 33.3, -89.5}) {
        SkyPoints points;
        for (int i = 0; i < 60; ++i) {
            points.lon.push_back(77.7);
            points.lat.push_back(lat + i * (0.001 / 3600.0));
        }
        QVERIFY(same({points, points}, angularBins("0.001arcsec,0.05arcsec,9", BinSpacing::Log),
                     truthLogEdges(kTruthDegree / 3600000, kTruthDegree / 72000, 9)));
        QVERIFY(same({points}, angularBins("0.001arcsec,0.06arcsec,59", BinSpacing::Linear),
                     truthLinearEdges(kTruthDegree / 3600000, kTruthDegree / 60000, 59)));
    }
}

// Points whose distance differs from an edge by the last bit of a double.
void TestPairs::lastBitOfAnEdge() {
    for (const double degrees : {0.25, 1.0, 30.0, 75.0, 89.0}) {
        SkyPoints points{{5.0}, {0.0}, 90.0, 90.0, {}, {}};
        for (const double lat :
             {std::nextafter(degrees, 0.0), degrees, std::nextafter(degrees, 99.0)}) {
            points.lon.push_back(5.0);
            points.lat.push_back(lat);
        }
        const AngularBins bins = angularBins(
            {exactAngleOfDegrees(0.1), exactAngleOfDegrees(degrees), exactAngleOfDegrees(90.0)},
            BinSpacing::Linear);
        const auto pairs = counted({points}, bins)[0].pairs;
        QCOMPARE(pairs[0], int64_t{1});
        QCOMPARE(pairs[1], int64_t{2});
    }
}

void TestPairs::fineLinearBins() {
    const std::vector<SkyPoints> sets{pointsAround(500, 0.0, 10.0, 180.0, 5),
                                      pointsAround(300, 0.0, 10.0, 3.0, 6)};
    QVERIFY(same(sets, angularBins("0deg,180deg,1800", BinSpacing::Linear),
                 truthLinearEdges(0, kTruthPi, 1800)));
}

void TestPairs::fewPoints() {
    const AngularBins bins = angularBins("1deg,100deg,2", BinSpacing::Log);
    const SkyPoints none, one{{1.0}, {2.0}, 90.0, 90.0, {}, {}},
        two{{1.0, 6.0}, {2.0, 2.0}, 90.0, 90.0, {}, {}};
    for (const auto& pairs : counted({none, one}, bins)) QCOMPARE(pairs.pairs[0], int64_t{0});
    QCOMPARE(counted({one, two}, bins)[1].pairs[0], int64_t{1});
    QCOMPARE(counted({two}, bins)[0].pairs[0], int64_t{1});
}

void TestPairs::unitsOfColumns() {
    const AngularBins bins = angularBins("0deg,180deg,180", BinSpacing::Linear);
    SkyPoints degrees;
    for (int i = 0; i < 24; ++i)
        for (int j = -3; j <= 3; ++j) {
            degrees.lon.push_back(15.0 * i);
            degrees.lat.push_back(30.0 * j);
        }
    SkyPoints hours = degrees, arcmin = degrees;
    hours.lonQuarter = 6.0;
    for (double& lon : hours.lon) lon /= 15.0;
    arcmin.latQuarter = 5400.0;
    for (double& lat : arcmin.lat) lat *= 60.0;
    const auto expected = counted({degrees}, bins)[0].pairs;
    QCOMPARE(counted({hours}, bins)[0].pairs, expected);
    QCOMPARE(counted({arcmin}, bins)[0].pairs, expected);
    QCOMPARE(counted({degrees, hours}, bins)[1].pairs[0],
             counted({degrees, degrees}, bins)[1].pairs[0]);
    // Radians are used unchanged: 0.5 and 1.5 differ by 1 exactly.
    const SkyPoints radians{{2.0, 2.0}, {0.5, 1.5}, 0.0, 0.0, {}, {}};
    QCOMPARE(counted({radians}, angularBins("0.5rad,1rad,1", BinSpacing::Linear))[0].pairs[0],
             int64_t{0});
    QCOMPARE(counted({radians}, angularBins("1rad,2rad,1", BinSpacing::Linear))[0].pairs[0],
             int64_t{1});
}

// Each coordinate has at most 7 roundoffs, the bound of kChordError.
void TestPairs::vectors() {
    const std::array<std::pair<double, double>, 4> units{
        {{90.0, 1.0}, {6.0, 15.0}, {5400.0, 1.0 / 60.0}, {0.0, 1.0 / kDegree}}};
    for (const auto& [quarter, degrees] : units) {
        SkyPoints points = pointsAround(4000, 0.0, 0.0, 180.0, 11);
        points.lon[0] = 360.0;
        points.lat[0] = -90.0;
        points.lon[1] = -720.0;
        points.lat[1] = 1e-300;
        double worst = 0.0;
        for (size_t i = 0; i < points.lon.size(); ++i) {
            const double lon = points.lon[i] / degrees, lat = points.lat[i] / degrees;
            const Vec3 found = pointVector(lon, quarter, lat, quarter);
            // The angle that the rounded number states.
            const TruthNumber unit = quarter == 0.0 ? 1 : kTruthPi / 2 / TruthNumber(quarter);
            const TruthNumber l = TruthNumber(lon) * unit, b = TruthNumber(lat) * unit;
            const TruthVector truth{cosq(b) * cosq(l), cosq(b) * sinq(l), sinq(b)};
            for (const TruthNumber error :
                 {found.x - truth.x, found.y - truth.y, found.z - truth.z})
                worst = std::max(worst, static_cast<double>(fabsq(error)));
        }
        QVERIFY2(worst < 7.0 * 0x1p-53, qPrintable(QString::number(worst * 0x1p53)));
    }
    // Beyond the range of the reduction of radians.
    QCOMPARE(sinCosOf(1e6, 0.0).sin, std::sin(1e6));
    QCOMPARE(pointVector(90.0, 90.0, 0.0, 90.0).x, 0.0);
}

// A rotation preserves angles, and a rotated set coincides with points rotated beforehand.
void TestPairs::turnedSet() {
    SkyPoints points = pointsAround(300, 80.0, -20.0, 40.0, 8);
    SkyPoints turned = points;
    turned.turn = frameRotation(Frame::Galactic, Frame::Equatorial);
    const AngularBins bins = angularBins("0.1deg,90deg,12", BinSpacing::Log);
    QCOMPARE(counted({turned}, bins)[0].pairs, counted({points}, bins)[0].pairs);
    SkyPoints galactic;
    for (size_t i = 0; i < points.lon.size(); ++i) {
        const LonLat at =
            lonLat(*turned.turn * direction({points.lon[i] * kDegree, points.lat[i] * kDegree}));
        galactic.lon.push_back(at.lon / kDegree);
        galactic.lat.push_back(at.lat / kDegree);
    }
    QCOMPARE(counted({turned, galactic}, bins)[1].pairs, counted({points, points}, bins)[1].pairs);
}

void TestPairs::anyOrderAndThreads() {
    const std::vector<SkyPoints> sets{withWeights(pointsAround(3000, 10.0, 0.0, 180.0, 11), 1),
                                      withWeights(pointsAround(2000, 10.0, 0.0, 20.0, 12), 2)};
    const AngularBins bins = angularBins("0.01deg,170deg,14", BinSpacing::Log);
    const auto expected = counted(sets, bins, 1);
    for (const int threads : {2, 3, 7}) {
        const auto found = counted({shuffled(sets[0], 3), shuffled(sets[1], 4)}, bins, threads);
        for (size_t t = 0; t < expected.size(); ++t) {
            QCOMPARE(found[t].pairs, expected[t].pairs);
            QVERIFY(found[t].weighted == expected[t].weighted);  // to the last bit
        }
    }
}

void TestPairs::weights() {
    const std::vector<SkyPoints> sets{withWeights(pointsAround(800, 10.0, 0.0, 180.0, 21), 1),
                                      pointsAround(900, 10.0, 0.0, 60.0, 22)};
    const auto found = counted(sets, angularBins("0.1deg,180deg,17", BinSpacing::Log));
    for (size_t t = 0; t < 3; ++t) {
        const TruthCounts truth =
            truthCounts(sets[t / 2], sets[(t + 1) / 2], t != 1,
                        truthLogEdges(kTruthDegree / 10, 180 * kTruthDegree, 17));
        QCOMPARE(found[t].pairs, truth.pairs);
        for (size_t k = 0; k < truth.weighted.size(); ++k) {
            // A bin is the difference of two sums of at most 7.2e5 terms that make at most 2e6:
            // each addition has a roundoff of what is there.
            const double limit = 2.0 * 7.2e5 * 0x1p-53 * 2e6;
            QVERIFY(std::fabs(found[t].weighted[k] - truth.weighted[k]) < limit);
            if (truth.pairs[k] == 0) QCOMPARE(found[t].weighted[k], 0.0);
        }
    }
    // The same weights everywhere: integers again.
    std::vector<SkyPoints> twos = sets;
    for (SkyPoints& points : twos) points.weight.assign(points.lon.size(), 2.0);
    const auto four = counted(twos, angularBins("0.1deg,180deg,17", BinSpacing::Log));
    for (size_t t = 0; t < 3; ++t)
        for (size_t k = 0; k < 17; ++k)
            QCOMPARE(four[t].weighted[k], 4.0 * static_cast<double>(four[t].pairs[k]));
}

void TestPairs::meanAngles_data() {
    QTest::addColumn<bool>("weighted");
    QTest::newRow("alike") << false;
    QTest::newRow("weighted") << true;
}
void TestPairs::meanAngles() {
    QFETCH(bool, weighted);
    std::vector<SkyPoints> sets{pointsAround(700, 10.0, 0.0, 180.0, 23),
                                pointsAround(400, 10.0, 0.0, 20.0, 24)};
    // Pairs on edges of bins.
    for (int lon = 0; lon < 100; lon += 10) {
        sets[0].lon.push_back(lon);
        sets[0].lat.push_back(0.0);
    }
    // Heavy pairs beside light ones in one cell, and no weights of the second set: 1 each.
    for (size_t i = 0; weighted && i < sets[0].lon.size(); ++i)
        sets[0].weight.push_back(i % 5 == 0 ? 1e8 : 0.3);
    // Bins wider than cells, narrower ones, edges that pairs lie on, and many bins for each cell.
    for (const char* text :
         {"0.1deg,180deg,9", "1deg,20deg,5", "10deg,60deg,5", "1deg,179deg,300"}) {
        const AngularBins bins = angularBins(text, BinSpacing::Linear);
        std::vector<TruthNumber> edges;
        for (const ExactAngle& edge : bins.edges)
            edges.push_back(TruthNumber(edge.high) + edge.low);
        JobContext job = jobOf(2);
        const std::vector<PairTask> tasks{{0, 0}, {0, 1}, {1, 1}};
        const auto found = countPairs(sets, tasks, bins, {{}, true}, job);
        for (size_t t = 0; t < 3; ++t) {
            const TruthCounts truth = truthCounts(sets[t / 2], sets[(t + 1) / 2], t != 1, edges);
            QCOMPARE(found[t].pairs, truth.pairs);
            // Sums of up to 2.8e5 angles, a roundoff of the sum each.
            for (size_t k = 0; k < truth.pairs.size(); ++k)
                QVERIFY(truth.pairs[k] == 0 ? std::isnan(found[t].meanAngle[k])
                                            : std::fabs(found[t].meanAngle[k] / truth.meanAngle[k] -
                                                        1.0) < 2.8e5 * 0x1p-53);
        }
    }
}

// Several groups of cells in each set, against a double loop in double: no angle of these is closer
// than 1e-11 to an edge, which the loop checks.
void TestPairs::manyPoints() {
    for (const double radius : {180.0, 2.0}) {
        const std::vector<SkyPoints> sets{pointsAround(5000, 0.0, 80.0, radius, 31),
                                          pointsAround(3000, 0.0, 80.0, radius, 32)};
        const AngularBins bins =
            angularBins(exactAngleOfDegrees(1e-4 * radius), exactAngleOfDegrees(0.9 * radius), 30,
                        BinSpacing::Log);
        std::vector<double> edges;
        for (const ExactAngle& edge : bins.edges) edges.push_back(edge.high);
        const auto found = counted(sets, bins);
        std::vector<Vec3> vectors[2];
        for (size_t s = 0; s < 2; ++s)
            for (size_t i = 0; i < sets[s].lon.size(); ++i)
                vectors[s].push_back(
                    direction({sets[s].lon[i] * kDegree, sets[s].lat[i] * kDegree}));
        for (size_t t = 0; t < 3; ++t) {
            const auto &a = vectors[t / 2], &b = vectors[(t + 1) / 2];
            std::vector<int64_t> pairs(30);
            int64_t near = 0;
            for (size_t i = 0; i < a.size(); ++i)
                for (size_t j = t == 1 ? 0 : i + 1; j < b.size(); ++j) {
                    const double angle = angularDistance(a[i], b[j]);
                    const auto at = std::upper_bound(edges.begin(), edges.end(), angle);
                    if (at != edges.end()) near += *at - angle < 1e-13;
                    if (at == edges.begin()) continue;
                    near += angle - *(at - 1) < 1e-13;
                    if (at != edges.end()) ++pairs[static_cast<size_t>(at - edges.begin() - 1)];
                }
            QCOMPARE(near, int64_t{0});
            QCOMPARE(found[t].pairs, pairs);
        }
    }
}

void TestPairs::cancelled() {
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token(), {}, 2);
    const std::vector<SkyPoints> sets{pointsAround(1000, 0.0, 0.0, 180.0, 1)};
    const std::vector<PairTask> tasks{{0, 0}};
    QVERIFY_EXCEPTION_THROWN(
        countPairs(sets, tasks, angularBins("1deg,2deg,3", BinSpacing::Log), {}, job), Cancelled);
}

QTEST_GUILESS_MAIN(TestPairs)
#include "tst_pairs.moc"
