// SPDX-License-Identifier: GPL-3.0-or-later
// Estimators by hand, patches, errors compared with many realizations, randoms on masks, power
// laws.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/correlation.h"
#include "pairs/patches.h"
#include "support/pair_truth.h"

using namespace armilla;

namespace {

const AngularBins& someBins() {
    static const AngularBins bins = angularBins("1deg,90deg,6", BinSpacing::Log);
    return bins;
}

CorrelationCatalogs someCatalogs() {
    CorrelationCatalogs catalogs;
    catalogs.data = pointsAround(300, 40.0, 10.0, 60.0, 1);
    for (unsigned i = 0; i < 3; ++i)
        catalogs.random.push_back(pointsAround(300, 40.0, 10.0, 60.0, 10 + i));
    return catalogs;
}

CorrelationParameters with(Estimator estimator) {
    CorrelationParameters parameters;
    parameters.bins = someBins();
    parameters.estimator = estimator;
    return parameters;
}

std::vector<int64_t> truthOf(const SkyPoints& a, const SkyPoints& b, bool same) {
    std::vector<TruthNumber> edges;
    for (const ExactAngle& edge : someBins().edges)
        edges.push_back(TruthNumber(edge.high) + edge.low);
    return truthCounts(a, b, same, edges).pairs;
}

bool close(double found, double expected) {
    // Rounding of a dozen operations.
    return std::fabs(found - expected) <= 1e-14 * (1.0 + std::fabs(expected));
}

// Data with pairs: half of the points have a companion at about 2 degrees.
SkyPoints clustered(int count, unsigned seed) {
    SkyPoints points = pointsAround(count, 0.0, 0.0, 180.0, seed);
    std::mt19937_64 generator(seed + 1000);
    std::normal_distribution<double> normal(0.0, 1.5);
    for (int i = 0; i < count / 2; ++i) {
        const double lat = points.lat[static_cast<size_t>(i)] + normal(generator);
        const double lon = points.lon[static_cast<size_t>(i)] +
                           normal(generator) / std::max(0.05, std::cos(lat * kDegree));
        if (std::fabs(lat) > 90.0) continue;
        points.lon.push_back(lon);
        points.lat.push_back(lat);
    }
    return points;
}

}  // namespace

class TestCorrelation : public QObject {
    Q_OBJECT

private slots:
    void estimators();
    void betweenCatalogs();
    void weightedCounts();
    void emptyBins();
    void refusals();
    void tableColumns();
    void poissonErrors();
    void patchesAreEven();
    void patchesMakeTheWhole();
    void jackknifeByHand();
    void errorsAgainstRealizations();
    void randomsOnMasks_data();
    void randomsOnMasks();
    void randomsAreEven();
    void randomsFollowValues();
    void powerLaw();
};

void TestCorrelation::estimators() {
    const CorrelationCatalogs catalogs = someCatalogs();
    const auto dd = truthOf(catalogs.data, catalogs.data, true);
    std::vector<int64_t> dr(dd.size()), rr(dd.size());
    for (const SkyPoints& random : catalogs.random) {
        const auto x = truthOf(catalogs.data, random, false), r = truthOf(random, random, true);
        for (size_t k = 0; k < dd.size(); ++k) {
            dr[k] += x[k];
            rr[k] += r[k];
        }
    }
    const double n = 300.0, own = n * (n - 1.0) / 2.0;
    JobContext job;
    for (const Estimator estimator : {Estimator::LandySzalay, Estimator::DavisPeebles,
                                      Estimator::Hamilton, Estimator::Natural, Estimator::Report}) {
        const Correlation found = correlate(catalogs, with(estimator), job);
        QCOMPARE(found.dd.pairs, dd);
        QCOMPARE(found.dr.pairs, dr);
        QCOMPARE(found.rr.pairs, rr);
        QCOMPARE(found.dr.possible, 3.0 * n * n);
        for (size_t k = 0; k < dd.size(); ++k) {
            const auto real = [](int64_t pairs) { return static_cast<double>(pairs); };
            const double d = real(dd[k]) / own, x = real(dr[k]) / (3.0 * n * n),
                         r = real(rr[k]) / (3.0 * own);
            double expected = 0.0;
            switch (estimator) {
                case Estimator::LandySzalay: expected = (d - 2.0 * x + r) / r; break;
                case Estimator::DavisPeebles: expected = d / x - 1.0; break;
                case Estimator::Hamilton: expected = d * r / (x * x) - 1.0; break;
                case Estimator::Natural: expected = d / r - 1.0; break;
                case Estimator::Report:
                    expected =
                        (2.0 * real(dd[k]) - 2.0 * real(dr[k]) / 3.0 + 2.0 * real(rr[k]) / 3.0) /
                        (2.0 * real(rr[k]) / 3.0);
                    break;
            }
            QVERIFY(close(found.w[k], expected));
            QVERIFY(std::isnan(found.wError[k]));
        }
    }
}

void TestCorrelation::betweenCatalogs() {
    CorrelationCatalogs catalogs = someCatalogs();
    catalogs.random.resize(1);
    catalogs.data2 = pointsAround(200, 40.0, 10.0, 50.0, 2);
    JobContext job;
    const Correlation shared = correlate(catalogs, with(Estimator::LandySzalay), job);
    catalogs.random2 = {pointsAround(250, 40.0, 10.0, 50.0, 3)};
    const Correlation found = correlate(catalogs, with(Estimator::LandySzalay), job);
    const auto dd = truthOf(catalogs.data, *catalogs.data2, false);
    const auto dr = truthOf(catalogs.data, catalogs.random2[0], false);
    const auto rd = truthOf(catalogs.random[0], *catalogs.data2, false);
    const auto rr = truthOf(catalogs.random[0], catalogs.random2[0], false);
    QCOMPARE(found.dd.pairs, dd);
    QCOMPARE(found.dr.pairs, dr);
    QCOMPARE(found.rd->pairs, rd);
    QCOMPARE(found.rr.pairs, rr);
    for (size_t k = 0; k < dd.size(); ++k) {
        const double d = static_cast<double>(dd[k]) / (300.0 * 200.0),
                     x = static_cast<double>(dr[k]) / (300.0 * 250.0),
                     y = static_cast<double>(rd[k]) / (300.0 * 200.0),
                     r = static_cast<double>(rr[k]) / (300.0 * 250.0);
        QVERIFY(close(found.w[k], (d - x - y + r) / r));
    }
    // One set of randoms for both: RR counts its own pairs, each once.
    QCOMPARE(shared.rr.pairs, truthOf(catalogs.random[0], catalogs.random[0], true));
    QCOMPARE(shared.rr.possible, 300.0 * 299.0 / 2.0);
    QCOMPARE(shared.rd->pairs, rd);
}

void TestCorrelation::weightedCounts() {
    CorrelationCatalogs catalogs = someCatalogs();
    catalogs.random.resize(1);
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> uniform(0.5, 2.0);
    for (int i = 0; i < 300; ++i) catalogs.data.weight.push_back(uniform(generator));
    JobContext job;
    const Correlation found = correlate(catalogs, with(Estimator::LandySzalay), job);
    const double sum =
        std::accumulate(catalogs.data.weight.begin(), catalogs.data.weight.end(), 0.0);
    const double squares =
        std::inner_product(catalogs.data.weight.begin(), catalogs.data.weight.end(),
                           catalogs.data.weight.begin(), 0.0);
    QCOMPARE(found.dd.possible, 0.5 * (sum * sum - squares));
    QCOMPARE(found.dr.possible, 300.0 * sum);
    QCOMPARE(found.dd.pairs, truthOf(catalogs.data, catalogs.data, true));
    for (size_t k = 0; k < found.w.size(); ++k) {
        const double d = found.dd.weighted[k] / found.dd.possible,
                     x = found.dr.weighted[k] / found.dr.possible,
                     r = found.rr.weighted[k] / found.rr.possible;
        QVERIFY(close(found.w[k], (d - 2.0 * x + r) / r));
        QCOMPARE(found.rr.weighted[k], static_cast<double>(found.rr.pairs[k]));
    }
    const Table table = found.table();
    for (const char* name : {"NPAIRS_DD", "NPAIRS_DR", "NPAIRS_RR"})
        QVERIFY(table.columns[static_cast<size_t>(table.columnIndex(name))].isInteger());
    QVERIFY(!table.columns[static_cast<size_t>(table.columnIndex("DD"))].isInteger());
}

void TestCorrelation::emptyBins() {
    CorrelationCatalogs catalogs;
    catalogs.data = {{0.0, 0.5}, {0.0, 0.0}, 90.0, 90.0, {}, {}};
    catalogs.random = {{{0.0, 20.0}, {0.0, 0.0}, 90.0, 90.0, {}, {}}};
    CorrelationParameters parameters = with(Estimator::LandySzalay);
    parameters.bins = angularBins("0.1deg,100deg,3", BinSpacing::Log);
    JobContext job;
    const Correlation found = correlate(catalogs, parameters, job);
    QVERIFY(std::isnan(found.w[0]) && std::isnan(found.w[1]));  // no pairs of randoms
    QVERIFY(close(found.w[2], (0.0 - 2.0 * 0.5 + 1.0) / 1.0));
}

void TestCorrelation::refusals() {
    JobContext job;
    CorrelationCatalogs none = someCatalogs();
    none.random.clear();
    QVERIFY_EXCEPTION_THROWN(correlate(none, with(Estimator::Natural), job), InvalidArgument);
    CorrelationCatalogs larger = someCatalogs();
    larger.random[1] = pointsAround(301, 40.0, 10.0, 60.0, 5);
    QVERIFY_EXCEPTION_THROWN(correlate(larger, with(Estimator::Report), job), InvalidArgument);
    CorrelationCatalogs second = someCatalogs();
    second.random2 = {second.random[0]};
    QVERIFY_EXCEPTION_THROWN(correlate(second, with(Estimator::Natural), job), InvalidArgument);
    CorrelationParameters patches = with(Estimator::Natural);
    patches.errors = CorrelationErrors::Jackknife;
    patches.patches = 1;
    QVERIFY_EXCEPTION_THROWN(correlate(someCatalogs(), patches, job), InvalidArgument);
    patches.patches = 301;
    QVERIFY_EXCEPTION_THROWN(correlate(someCatalogs(), patches, job), InvalidArgument);
    // Counts between 1e5 patches take 4e12 bytes.
    CorrelationCatalogs many = someCatalogs();
    many.random = {pointsAround(100000, 40.0, 10.0, 60.0, 5)};
    patches.patches = 100000;
    QVERIFY_EXCEPTION_THROWN(correlate(many, patches, job), OutOfMemory);
}

void TestCorrelation::tableColumns() {
    JobContext job;
    const Table table = correlate(someCatalogs(), with(Estimator::LandySzalay), job).table();
    const char* const names[] = {"THETA_MIN", "THETA_MAX", "THETA_MEAN", "DD",
                                 "DR",        "RR",        "W",          "W_ERR"};
    QCOMPARE(table.columns.size(), std::size(names));
    for (size_t i = 0; i < std::size(names); ++i) {
        QCOMPARE(table.columns[i].name, std::string(names[i]));
        QCOMPARE(table.columns[i].isInteger(), i >= 3 && i <= 5);
        QCOMPARE(table.columns[i].unit, std::string(i < 3 ? "deg" : ""));
        QCOMPARE(table.columns[i].rows(), int64_t{6});
    }
    QCOMPARE(table.columns[0].number(0), 1.0);
    QCOMPARE(table.columns[1].number(5), 90.0);
}

void TestCorrelation::poissonErrors() {
    CorrelationParameters parameters = with(Estimator::LandySzalay);
    parameters.errors = CorrelationErrors::Poisson;
    JobContext job;
    const Correlation found = correlate(someCatalogs(), parameters, job);
    for (size_t k = 0; k < found.w.size(); ++k)
        QVERIFY(close(found.wError[k],
                      (1.0 + found.w[k]) / std::sqrt(static_cast<double>(found.dd.pairs[k]))));
    QVERIFY(found.covariance.empty());
}

void TestCorrelation::patchesAreEven() {
    JobContext job;
    const SkyPoints points = pointsAround(1000, 10.0, -40.0, 70.0, 9);
    for (const int count : {2, 7, 50, 1000}) {
        const Patches patches(points, count, job);
        const auto parts = patches.split(points, job);
        int64_t all = 0;
        for (const SkyPoints& part : parts) {
            QVERIFY(std::abs(part.size() - 1000 / count) <= 1);
            all += part.size();
        }
        QCOMPARE(all, int64_t{1000});
        // A reversed catalog has the same patches.
        SkyPoints reversed = points;
        std::reverse(reversed.lon.begin(), reversed.lon.end());
        std::reverse(reversed.lat.begin(), reversed.lat.end());
        const auto again = Patches(reversed, count, job).split(points, job);
        for (size_t p = 0; p < parts.size(); ++p) QCOMPARE(again[p].lon, parts[p].lon);
    }
}

// Pair counts of patches add up to the total.
void TestCorrelation::patchesMakeTheWhole() {
    JobContext job;
    CorrelationCatalogs catalogs = someCatalogs();
    catalogs.data2 = pointsAround(100, 40.0, 10.0, 60.0, 3);
    CorrelationParameters parameters = with(Estimator::LandySzalay);
    const Correlation whole = correlate(catalogs, parameters, job);
    parameters.errors = CorrelationErrors::Jackknife;
    parameters.patches = 13;
    const Correlation patched = correlate(catalogs, parameters, job);
    QCOMPARE(patched.dd.pairs, whole.dd.pairs);
    QCOMPARE(patched.dr.pairs, whole.dr.pairs);
    QCOMPARE(patched.rd->pairs, whole.rd->pairs);
    QCOMPARE(patched.rr.pairs, whole.rr.pairs);
    QCOMPARE(patched.rr.possible, whole.rr.possible);
    for (size_t k = 0; k < whole.w.size(); ++k) QVERIFY(close(patched.w[k], whole.w[k]));
}

// Leaves out each patch in turn, with catalogs of its points and of the remaining points. Pairs
// between both count with the share that matches their part of the covariance.
void TestCorrelation::jackknifeByHand() {
    JobContext job;
    CorrelationCatalogs catalogs = someCatalogs();
    CorrelationParameters parameters = with(Estimator::LandySzalay);
    const Correlation all = correlate(catalogs, parameters, job);
    parameters.errors = CorrelationErrors::Jackknife;
    parameters.patches = 5;
    const Correlation found = correlate(catalogs, parameters, job);
    const Patches patches(catalogs.random[0], 5, job);
    const auto part = [&](const SkyPoints& points, size_t patch, bool inside) {
        SkyPoints chosen;
        const auto parts = patches.split(points, job);
        for (size_t p = 0; p < parts.size(); ++p) {
            if ((p == patch) != inside) continue;
            chosen.lon.insert(chosen.lon.end(), parts[p].lon.begin(), parts[p].lon.end());
            chosen.lat.insert(chosen.lat.end(), parts[p].lat.begin(), parts[p].lat.end());
        }
        return chosen;
    };
    const double kept = 1.0 - 5.0 / (2.0 + 4.0 * std::sqrt(2.0));
    std::vector<std::vector<double>> w;
    for (size_t p = 0; p < 5; ++p) {
        Correlation sides[2];
        for (const bool inside : {false, true}) {
            CorrelationCatalogs side;
            side.data = part(catalogs.data, p, inside);
            for (const SkyPoints& random : catalogs.random)
                side.random.push_back(part(random, p, inside));
            sides[inside ? 1 : 0] = correlate(side, with(Estimator::LandySzalay), job);
        }
        const auto share = [&](PairSum Correlation::*kind, size_t k) {
            const PairSum &whole = all.*kind, &rest = sides[0].*kind, &own = sides[1].*kind;
            const auto left = [&](double a, double b, double c) { return b + kept * (a - b - c); };
            return left(whole.value(k), rest.value(k), own.value(k)) /
                   left(whole.possible, rest.possible, own.possible);
        };
        w.emplace_back();
        for (size_t k = 0; k < 6; ++k) {
            const double rr = share(&Correlation::rr, k);
            w.back().push_back(
                (share(&Correlation::dd, k) - 2.0 * share(&Correlation::dr, k) + rr) / rr);
        }
    }
    for (size_t i = 0; i < 6; ++i)
        for (size_t j = 0; j < 6; ++j) {
            double meanI = 0.0, meanJ = 0.0, sum = 0.0;
            for (const auto& one : w) {
                meanI += one[i] / 5.0;
                meanJ += one[j] / 5.0;
            }
            for (const auto& one : w) sum += 0.8 * (one[i] - meanI) * (one[j] - meanJ);
            // Sums of five terms of order 1 round by a few machine epsilons; the limit leaves a
            // factor of 100.
            QVERIFY(std::fabs(found.covariance[6 * i + j] - sum) < 1e-13);
        }
    for (size_t i = 0; i < 6; ++i) QCOMPARE(found.wError[i], std::sqrt(found.covariance[7 * i]));
}

// The scatter of 60 independent skies, compared with the mean variance from jackknife and
// bootstrap. A variance from 60 samples has a relative error of sqrt(2 / 59) = 0.18; patches add a
// bias that grows with the angle. The limit is a factor 1 + 3 * 0.18 where angles are smaller than
// a patch.
void TestCorrelation::errorsAgainstRealizations() {
    constexpr int kSkies = 60;
    JobContext job;
    CorrelationParameters parameters;
    parameters.bins = angularBins("1deg,8deg,3", BinSpacing::Log);
    parameters.patches = 40;
    const std::vector<SkyPoints> random{pointsAround(4000, 0.0, 0.0, 180.0, 99)};
    for (const auto errors : {CorrelationErrors::Jackknife, CorrelationErrors::Bootstrap}) {
        parameters.errors = errors;
        parameters.resamplings = 100;
        std::vector<double> mean(3), square(3), variance(3);
        for (unsigned sky = 0; sky < kSkies; ++sky) {
            CorrelationCatalogs catalogs;
            catalogs.data = clustered(700, 200 + sky);
            catalogs.random = random;
            const Correlation found = correlate(catalogs, parameters, job);
            for (size_t k = 0; k < 3; ++k) {
                mean[k] += found.w[k] / kSkies;
                square[k] += found.w[k] * found.w[k] / kSkies;
                variance[k] += found.covariance[4 * k] / kSkies;
            }
        }
        for (size_t k = 0; k < 3; ++k) {
            const double scatter = (square[k] - mean[k] * mean[k]) * kSkies / (kSkies - 1.0);
            QVERIFY2(variance[k] > scatter / 1.54 && variance[k] < scatter * 1.54,
                     qPrintable(QString("bin %1: %2 from patches, %3 from skies")
                                    .arg(k)
                                    .arg(variance[k])
                                    .arg(scatter)));
        }
        QVERIFY(mean[0] > 10.0 * std::sqrt(variance[0] / kSkies));
    }
}

void TestCorrelation::randomsOnMasks_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("ring") << 0;
    QTest::newRow("nested") << 1;
    QTest::newRow("partial") << 2;
    QTest::newRow("multi-order") << 3;
    QTest::newRow("nside 3") << 4;
}
void TestCorrelation::randomsOnMasks() {
    QFETCH(int, kind);
    JobContext job;
    const int64_t nside = kind == 4 ? 3 : 4;
    const auto pixels = static_cast<size_t>(pixelCount(nside));
    HealpixMap mask;
    Field field{"MASK", "", DiskType::Float32, std::vector<float>(pixels)};
    auto& values = std::get<std::vector<float>>(field.values);
    for (size_t i = 0; i < pixels; ++i)
        values[i] = i % 3 == 0 ? 1.0F : i % 3 == 1 ? 0.0F : std::nanf("");
    if (kind == 2) {
        field.values = std::vector<float>{1.0F, 0.0F, 2.5F};
        mask = HealpixMap::partial(nside, Ordering::Nested, Frame::Galactic, {5, 50, 120}, {field});
    } else if (kind == 3) {
        field.values = std::vector<float>{1.0F, 1.0F, 0.0F};
        mask = HealpixMap::multiOrder(4, Frame::Galactic, {0, 16, 20}, {0, 1, 2}, {field});
    } else {
        mask = HealpixMap(nside, kind == 1 ? Ordering::Nested : Ordering::Ring, Frame::Galactic,
                          {field});
    }
    const SkyPoints points = randomPoints(mask, 0, 3000, 5, 0, job);
    QCOMPARE(points.size(), int64_t{3000});
    std::vector<int> hits(pixels);
    for (size_t i = 0; i < 3000; ++i) {
        const Vec3 at = direction({points.lon[i] * kDegree, points.lat[i] * kDegree});
        // A multi-order map is indexed by nested pixels.
        const int64_t pixel = mask.pixelAt(at);
        const double value = mask.value(0, pixel);
        QVERIFY(value != 0.0 && !std::isnan(value));
        ++hits[static_cast<size_t>(pixel)];
    }
    if (kind != 3) return;
    // A cell of order 0 beside one of order 1: four times as many points, 2400 of 3000 with a
    // standard deviation of 22.
    const int large = std::accumulate(hits.begin(), hits.begin() + 16, 0);
    QVERIFY(std::abs(large - 2400) < 5 * 22);
    // The same for any number of threads, different for other sets and seeds.
    JobContext one({}, {}, 1);
    QCOMPARE(randomPoints(mask, 0, 3000, 5, 0, one).lon, points.lon);
    QVERIFY(randomPoints(mask, 0, 3000, 5, 1, one).lon != points.lon);
    QVERIFY(randomPoints(mask, 0, 3000, 6, 0, one).lon != points.lon);
    HealpixMap none(1, Ordering::Ring, Frame::Galactic,
                    {{"MASK", "", DiskType::Float32, std::vector<float>(12, 0.0F)}});
    QVERIFY_EXCEPTION_THROWN(randomPoints(none, 0, 10, 1, 0, one), InvalidArgument);
}

// On the whole sphere the number of pairs in a bin is N (N - 1) / 2 (cos a - cos b) / 2. Its
// variance is at most that number, because pairs of uniform points are pairwise independent.
void TestCorrelation::randomsAreEven() {
    JobContext job;
    HealpixMap mask(1, Ordering::Ring, Frame::Galactic,
                    {{"MASK", "", DiskType::Float32, std::vector<float>(12, 1.0F)}});
    const double n = 20000.0;
    const std::vector<SkyPoints> sets{randomPoints(mask, 0, 20000, 1, 0, job)};
    const AngularBins bins = angularBins("0.01deg,180deg,25", BinSpacing::Log);
    const std::vector<PairTask> tasks{{0, 0}};
    const auto pairs = countPairs(sets, tasks, bins, {}, job)[0].pairs;
    for (int k = 0; k < bins.count(); ++k) {
        const double a = bins.lowDegrees(k) * kDegree, b = bins.highDegrees(k) * kDegree;
        const double expected =
            n * (n - 1.0) / 2.0 * std::sin(0.5 * (a + b)) * std::sin(0.5 * (b - a));
        QVERIFY(std::fabs(static_cast<double>(pairs[static_cast<size_t>(k)]) - expected) <
                5.0 * std::sqrt(expected) + 5.0);
    }
}

// Counts per pixel are binomial: n p each with a variance of n p (1 - p); five standard deviations.
void TestCorrelation::randomsFollowValues() {
    JobContext job;
    constexpr int kPoints = 40000;
    const auto countsIn = [&](const HealpixMap& map, const std::vector<double>& shares) {
        const SkyPoints points = randomPoints(map, 0, kPoints, 3, 0, job);
        std::vector<int> hits(static_cast<size_t>(map.pixelCount()));
        for (size_t i = 0; i < kPoints; ++i)
            ++hits[static_cast<size_t>(
                map.pixelAt(direction({points.lon[i] * kDegree, points.lat[i] * kDegree})))];
        for (size_t p = 0; p < shares.size(); ++p) {
            const double expected = kPoints * shares[p];
            QVERIFY2(std::abs(hits[p] - expected) <= 5.0 * std::sqrt(expected * (1.0 - shares[p])),
                     qPrintable(QString("pixel %1: %2 of %3").arg(p).arg(hits[p]).arg(expected)));
        }
    };
    // A completeness of 0 to 1.1, in tenths: shares of the sum 6.6.
    std::vector<float> tenths;
    std::vector<double> shares;
    for (int p = 0; p < 12; ++p) {
        tenths.push_back(0.1F * static_cast<float>(p));
        shares.push_back(p / 66.0);
    }
    countsIn({1, Ordering::Ring, Frame::Galactic, {{"W", "", DiskType::Float32, tenths}}}, shares);
    // Base pixel 0 as one cell, a quarter of base pixel 1 as another: area ratio 4 to 1, density in
    // pixels of nside 2. Counts include the area.
    for (const char* unit : {"sr-1", "count"}) {
        const Field field{"V", unit, DiskType::Float32, std::vector<float>{1.0F, 2.0F}};
        const bool counts = std::string(unit) == "count";
        std::vector<double> expected(48);
        for (size_t p = 0; p < 4; ++p) expected[p] = (counts ? 1.0 / 3.0 : 4.0 / 6.0) / 4.0;
        expected[4] = counts ? 2.0 / 3.0 : 2.0 / 6.0;
        countsIn(HealpixMap::multiOrder(2, Frame::Galactic, {0, 4}, {0, 1}, {field}), expected);
    }
    const HealpixMap negative(1, Ordering::Ring, Frame::Galactic,
                              {{"W", "", DiskType::Float32, std::vector<float>(12, -1.0F)}});
    QVERIFY_EXCEPTION_THROWN(randomPoints(negative, 0, 10, 1, 0, job), InvalidArgument);
}

void TestCorrelation::powerLaw() {
    Correlation correlation;
    correlation.bins = angularBins("0.01deg,10deg,12", BinSpacing::Log);
    for (int k = 0; k < 12; ++k) {
        correlation.w.push_back(0.3 * std::pow(correlation.bins.centerDegrees(k), -0.8));
        correlation.wError.push_back(0.1 * correlation.w.back());
    }
    const PowerLaw exact = fitPowerLaw(correlation, 0.0, 180.0);
    QCOMPARE(exact.points, 12);
    // The points lie on the power law, so a straight line fits their logarithms up to rounding. The
    // limits are far above machine epsilon and far below any error of the formula.
    QVERIFY(std::fabs(exact.amplitude - 0.3) < 1e-10 && std::fabs(exact.gamma - 1.8) < 1e-10);
    QVERIFY(exact.chiSquared < 1e-18);
    // Relative errors of 0.1 each make a line fit in logarithms: sigma^2 / sum (x - mean)^2.
    double mean = 0.0, sxx = 0.0;
    for (int k = 0; k < 12; ++k) mean += std::log(correlation.bins.centerDegrees(k)) / 12.0;
    for (int k = 0; k < 12; ++k) {
        const double x = std::log(correlation.bins.centerDegrees(k)) - mean;
        sxx += x * x;
    }
    // Machine epsilon times the 12 terms of each sum is below 1e-14.
    QVERIFY(std::fabs(exact.gammaError - 0.1 / std::sqrt(sxx)) < 1e-9);
    // A diagonal covariance gives the same; noise of one sigma moves the result by about an error.
    correlation.covariance.assign(144, 0.0);
    for (size_t k = 0; k < 12; ++k)
        correlation.covariance[13 * k] = correlation.wError[k] * correlation.wError[k];
    for (size_t k = 0; k < 12; ++k)
        correlation.w[k] += (k % 2 == 0 ? 1 : -1) * correlation.wError[k];
    const PowerLaw noisy = fitPowerLaw(correlation, 0.0, 180.0);
    QVERIFY(std::fabs(noisy.gamma - 1.8) < 3.0 * noisy.gammaError);
    QVERIFY(noisy.chiSquared > 6.0 && noisy.chiSquared < 18.0);
    QVERIFY_EXCEPTION_THROWN(fitPowerLaw(correlation, 1.0, 2.0), InvalidArgument);
}

QTEST_GUILESS_MAIN(TestCorrelation)
#include "tst_correlation.moc"
