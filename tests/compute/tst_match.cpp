// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "armilla/core/error.h"
#include "armilla/ops/match.h"
#include "shared/keyed_rows.h"
#include "shared/philox.h"
#include "sources/match_kernels.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

TableColumn column(const char* name, std::vector<double> values) {
    TableColumn made;
    made.name = name;
    made.values = std::move(values);
    return made;
}

Catalog catalogOf(const std::vector<LonLat>& places, Frame frame) {
    Catalog catalog;
    std::vector<double> lon, lat;
    std::vector<int64_t> number;
    for (const LonLat& at : places) {
        lon.push_back(at.lon / kDegree);
        lat.push_back(at.lat / kDegree);
        number.push_back(static_cast<int64_t>(number.size()));
    }
    TableColumn numbers;
    numbers.name = "N";
    numbers.values = std::move(number);
    catalog.table.columns = {column("LON", std::move(lon)), column("LAT", std::move(lat)), numbers};
    catalog.table.frame = frame;
    catalog.position = {.lon = 0, .lat = 1, .frame = frame};
    return catalog;
}

// Over the whole sky, with clusters, at the poles and across longitude 0.
std::vector<LonLat> places(size_t count, uint64_t seed, const std::vector<LonLat>& near = {}) {
    std::vector<LonLat> result;
    for (uint32_t i = 0; i < count; ++i) {
        const auto u = uniformPair({i, 0, 0, 4}, seed), v = uniformPair({i, 1, 0, 4}, seed);
        Vec3 d = direction({kTwoPi * u[0], std::asin(2 * u[1] - 1)});
        if (i % 5 == 1) d = normalized(Vec3{0.02 * u[0], 0.02 * u[1], i % 2 == 0 ? 1.0 : -1.0});
        if (i % 5 == 2) d = normalized(Vec3{1.0, 0.02 * (u[0] - 0.5), 0.02 * (u[1] - 0.5)});
        if (i < near.size() && i % 3 == 0)
            d = normalized(direction(near[i]) +
                           Vec3{1e-3 * (u[0] - 0.5), 1e-3 * (u[1] - 0.5), 1e-3 * (v[0] - 0.5)});
        result.push_back(lonLat(d));
    }
    return result;
}

}  // namespace

class MatchTest : public QObject {
    Q_OBJECT
private slots:
    void allPairs_data() {
        QTest::addColumn<double>("degrees");
        QTest::addColumn<bool>("errors");
        QTest::newRow("arc minutes") << 0.05 << false;
        QTest::newRow("degrees") << 3.0 << false;
        QTest::newRow("all") << 180.0 << false;
        QTest::newRow("nothing") << 0.0 << false;
        QTest::newRow("by errors") << 180.0 << true;
        QTest::newRow("by errors, not far") << 0.03 << true;
    }
    // Compared with a double loop, in rotated frames.
    void allPairs() {
        QFETCH(double, degrees);
        QFETCH(bool, errors);
        const auto one = places(150, 3), two = places(190, 4, one);
        const Catalog first = catalogOf(one, Frame::Galactic);
        std::vector<LonLat> turned;
        const Mat3 turn = frameRotation(Frame::Equatorial, Frame::Galactic);
        for (const LonLat& at : two) turned.push_back(lonLat(turn * direction(at)));
        Catalog second = catalogOf(turned, Frame::Equatorial);
        // Missing positions match nothing.
        std::get<std::vector<double>>(second.table.columns[0].values)[7] = std::nan("");
        MatchParameters p{.radius = degrees * kDegree, .find = MatchFind::All};
        if (errors) {
            for (size_t i = 0; i < one.size(); ++i)
                p.errors1.push_back(i == 5 ? std::nan("") : (0.2 + 0.01 * i) * kArcmin);
            for (size_t i = 0; i < two.size(); ++i) p.errors2.push_back(0.003 * i * kArcmin);
        }
        const Matches found = matchCatalogs(first, second, p, job_);
        QCOMPARE(found.withoutPlace, int64_t{1});
        size_t k = 0;
        for (size_t i = 0; i < one.size(); ++i)
            for (size_t j = 0; j < two.size(); ++j) {
                if (j == 7 || (errors && i == 5)) continue;
                // The angle between places that went through degrees and a turn: 1e-15 or two.
                const double apart = angularDistance(direction(one[i]), direction(two[j]));
                const double limit =
                    errors ? std::min(p.radius, 3.0 * std::hypot(p.errors1[i], p.errors2[j]))
                           : p.radius;
                if (!(apart <= limit)) continue;
                QVERIFY2(k < found.pairs.size(), qPrintable(QString::number(apart)));
                QCOMPARE(found.pairs[k].first, static_cast<int64_t>(i));
                QCOMPARE(found.pairs[k].second, static_cast<int64_t>(j));
                // Unit vectors round by machine epsilon, 2.2e-16, so two directions and their
                // distance round by a few times that.
                ARMILLA_VERIFY_BELOW(std::abs(found.pairs[k].separation - apart), 4e-15);
                ++k;
            }
        QCOMPARE(found.pairs.size(), k);
        QVERIFY(degrees == 0.0 || k > 30);
        // Any number of threads.
        JobContext one_({}, {}, 1), four({}, {}, 4);
        const Matches a = matchCatalogs(first, second, p, one_);
        const Matches b = matchCatalogs(first, second, p, four);
        QCOMPARE(a.pairs.size(), b.pairs.size());
        QCOMPARE(a.byChance, b.byChance);
    }

    // On a line, A at 0 and 2.5, B at 1 and 4.1 arc minutes.
    void kinds() {
        const double m = kArcmin;
        const Catalog a =
            catalogOf({{1.0, 0.0}, {1.0 + 2.5 * m, 0.0}, {3.0, 0.5}}, Frame::Galactic);
        const Catalog b = catalogOf({{1.0 + 1.0 * m, 0.0}, {1.0 + 4.1 * m, 0.0}}, Frame::Galactic);
        const auto pairs = [&](MatchFind find) {
            std::set<std::pair<int64_t, int64_t>> set;
            for (const MatchedPair& p :
                 matchCatalogs(a, b, {.radius = 2 * m, .find = find}, job_).pairs)
                set.insert({p.first, p.second});
            return set;
        };
        using Set = std::set<std::pair<int64_t, int64_t>>;
        QCOMPARE(pairs(MatchFind::All), (Set{{0, 0}, {1, 0}, {1, 1}}));
        QCOMPARE(pairs(MatchFind::Best), (Set{{0, 0}, {1, 1}}));
        QCOMPARE(pairs(MatchFind::Best1), (Set{{0, 0}, {1, 0}}));
        QCOMPARE(pairs(MatchFind::Best2), (Set{{0, 0}, {1, 1}}));
        const Matches best = matchCatalogs(a, b, {.radius = 2 * m}, job_);
        QCOMPARE(matchedCatalog(a, b, best, MatchJoin::Pairs).rows(), int64_t{2});
        const Catalog all = matchedCatalog(a, b, best, MatchJoin::All1);
        QCOMPARE(all.rows(), int64_t{3});
        QVERIFY(std::isnan(all.table.columns[3].number(2)));
        QVERIFY(std::isnan(all.table.columns[5].number(2)));  // an integer that is missing
        QCOMPARE(all.table.columns[5].name, std::string("N_2"));
        const auto apart = all.table.find("XSEP");
        QVERIFY(apart);
        ARMILLA_VERIFY_BELOW(
            std::abs(all.table.columns[static_cast<size_t>(*apart)].number(0) - 60.0), 1e-9);
        const Catalog lonely = matchedCatalog(a, b, best, MatchJoin::Only1);
        QCOMPARE(lonely.rows(), int64_t{1});
        QCOMPARE(lonely.table.columns[2].number(0), 2.0);
        QCOMPARE(matchedCatalog(a, b, best, MatchJoin::Only2).rows(), int64_t{0});
    }

    // Unrelated catalogs: as many pairs as expected, and the chances of nearest ones are uniform.
    void chance() {
        std::vector<LonLat> one, two;
        for (uint32_t i = 0; i < 20000; ++i) {
            const auto u = uniformPair({i, 0, 0, 9}, 1), v = uniformPair({i, 1, 0, 9}, 1);
            if (i < 2000) one.push_back({kTwoPi * u[0], std::asin(2 * u[1] - 1)});
            two.push_back({kTwoPi * v[0], std::asin(2 * v[1] - 1)});
        }
        const double radius = 0.3 * kDegree;
        const Matches found =
            matchCatalogs(catalogOf(one, Frame::Galactic), catalogOf(two, Frame::Galactic),
                          {.radius = radius, .find = MatchFind::All}, job_);
        const double half = std::sin(0.5 * radius);
        const double truth = 2000.0 * 20000.0 * half * half;
        // Counted from discs of a hundred rows, of which there are 200 independent ones: 0.7 %.
        ARMILLA_VERIFY_BELOW(std::abs(found.byChance / truth - 1), 0.03);
        // 274 pairs, so 6 %: five of that.
        ARMILLA_VERIFY_BELOW(std::abs(static_cast<double>(found.pairs.size()) / truth - 1), 0.3);
        const Matches nearest =
            matchCatalogs(catalogOf(one, Frame::Galactic), catalogOf(two, Frame::Galactic),
                          {.radius = 10 * kDegree, .find = MatchFind::Best1}, job_);
        QCOMPARE(nearest.pairs.size(), size_t{2000});
        double mean = 0.0;
        for (const MatchedPair& p : nearest.pairs) mean += p.chance / 2000.0;
        // The mean of a uniform deviate: 1/2 within 5 / sqrt(12 * 2000).
        ARMILLA_VERIFY_BELOW(std::abs(mean - 0.5), 0.033);
    }

    // Only rows at least as bright count.
    void brightness() {
        std::vector<LonLat> places_;
        std::vector<double> flux;
        for (uint32_t i = 0; i < 4000; ++i) {
            const auto u = uniformPair({i, 0, 0, 9}, 8);
            places_.push_back({kTwoPi * u[0], std::asin(2 * u[1] - 1)});
            flux.push_back(i < 40 ? 100.0 : 1.0);
        }
        const Catalog second = catalogOf(places_, Frame::Galactic);
        const Catalog first = catalogOf({{places_[3].lon, places_[3].lat + 0.1 * kDegree},
                                         {places_[300].lon, places_[300].lat + 0.1 * kDegree}},
                                        Frame::Galactic);
        const Matches found =
            matchCatalogs(first, second, {.radius = 0.11 * kDegree, .brightness = flux}, job_);
        QCOMPARE(found.pairs.size(), size_t{2});
        // A hundredth of all are bright: of the hundred rows around, one or a few.
        QVERIFY(found.pairs[0].chance < 0.15 * found.pairs[1].chance);
        QVERIFY(found.pairs[0].chance > 0.0);
    }

    // All at one position: the density of rows at least as bright is the rank; none for an unknown
    // brightness.
    void brightnessRanks() {
        const size_t count = 1000;
        const LonLat spot{1.0, 0.3};
        std::vector<double> flux(count);
        for (uint32_t i = 0; i < count; ++i)
            flux[i] = i % 10 == 7 ? std::nan("") : std::floor(20 * uniformPair({i, 1, 2, 9}, 8)[0]);
        const Catalog second = catalogOf(std::vector<LonLat>(count, spot), Frame::Galactic);
        const Catalog first = catalogOf({{spot.lon, spot.lat + 0.005 * kArcsec}}, Frame::Galactic);
        MatchParameters p;
        p.radius = 0.1 * kArcsec;
        p.find = MatchFind::All;
        p.brightness = flux;
        const Matches found = matchCatalogs(first, second, p, job_);
        QCOMPARE(found.pairs.size(), count);
        const auto rankOf = [&](double least) {
            return double(std::count_if(flux.begin(), flux.end(),
                                        [&](double other) { return other >= least; }));
        };
        const auto densityOf = [&](size_t row) { return -std::log1p(-found.pairs[row].chance); };
        QVERIFY(densityOf(0) > 0.0);
        for (size_t row = 0; row < count; ++row) {
            // Equal separations: densities are proportional to the ranks, within rounding of both
            // logarithms.
            ARMILLA_VERIFY_BELOW(
                std::abs(densityOf(row) * rankOf(flux[0]) - densityOf(0) * rankOf(flux[row])),
                1e-12 * double(count) * densityOf(0) + 1e-300);
        }
    }

    // The counts behind P_CHANCE equal those of a double loop. The radius of their disc is not
    // known; each count of the first row suggests one, and a right one fits all rows.
    void densities() {
        const auto one = places(300, 5), two = places(4000, 6, one);
        const Matches found =
            matchCatalogs(catalogOf(one, Frame::Galactic), catalogOf(two, Frame::Galactic),
                          {.radius = 1.0, .find = MatchFind::All}, job_);
        const auto capOf = [](double r) { return 4 * kPi * std::pow(std::sin(0.5 * r), 2); };
        // Separations and density of each row.
        std::vector<std::vector<double>> apart(one.size());
        std::vector<double> density(one.size(), 0.0);
        for (const MatchedPair& pair : found.pairs) {
            const auto row = static_cast<size_t>(pair.first);
            apart[row].push_back(pair.separation);
            // Near 0 and 1 the chance has too few digits.
            if (pair.chance > 0.01 && pair.chance < 0.9)
                density[row] = -std::log1p(-pair.chance) / capOf(pair.separation);
        }
        for (auto& row : apart) std::sort(row.begin(), row.end());
        const auto countOf = [&](size_t row, double radius) {
            return std::upper_bound(apart[row].begin(), apart[row].end(), radius) -
                   apart[row].begin();
        };
        QVERIFY(density[0] > 0.0);
        int right = 0;
        for (std::ptrdiff_t count = 1; count < std::ssize(apart[0]); ++count) {
            const double cap = static_cast<double>(count) / density[0];
            const double radius = 2 * std::asin(std::sqrt(std::min(1.0, cap / (4 * kPi))));
            bool fits = true;
            for (size_t row = 0; fits && row < one.size(); ++row) {
                if (density[row] == 0.0) continue;
                // A chance of 0.01 has a relative rounding of 1e-14; counts are below 4000.
                const double expected = density[row] * cap;
                fits = std::abs(expected - std::round(expected)) < 1e-9 &&
                       std::llround(expected) == countOf(row, radius);
            }
            right += fits ? 1 : 0;
        }
        QVERIFY(right > 0);
    }

    // Against scalar sums of double precision, for vectors that are full and not.
    void kernels() {
        for (const uint32_t count : {0U, 1U, 7U, 8U, 9U, 31U, 1000U}) {
            NearRows rows;
            rows.reserve(count);
            std::vector<double> squares;
            const NearOffset from{0.02F, -0.01F, 0.03F};
            for (uint32_t i = 0; i < count; ++i) {
                const auto u = uniformPair({i, 0, 0, 4}, 11), v = uniformPair({i, 1, 0, 4}, 11);
                const NearOffset at{static_cast<float>(u[0] - 0.5), static_cast<float>(u[1] - 0.5),
                                    static_cast<float>(v[0] - 0.5)};
                rows.add(7 * i, at);
                const double dx = at.x - double{from.x}, dy = at.y - double{from.y},
                             dz = at.z - double{from.z};
                squares.push_back(dx * dx + dy * dy + dz * dz);
            }
            rows.pad();
            // No square of these rows is within 1e-6 of these limits; they round by 4 units of
            // 2^-24 of 0.2 at most, 5e-8.
            constexpr float kSure = 0.1F, kPerhaps = 0.2F, kReach = 0.05F;
            const auto below = [&](float limit) {
                return static_cast<size_t>(std::count_if(squares.begin(), squares.end(),
                                                         [&](double s) { return s < limit; }));
            };
            for (const float limit : {kSure, kPerhaps, kReach})
                for (const double square : squares) QVERIFY(std::abs(square - limit) > 1e-6);
            std::vector<uint32_t> numbers(count);
            const NearCount found =
                countNear(rows, from, {kSure, kPerhaps}, kReach, numbers.data());
            QCOMPARE(found.sure, below(kSure));
            QCOMPARE(found.perhaps, below(kPerhaps));
            QCOMPARE(found.found, below(kReach));
            for (size_t i = 0; i < found.found; ++i) QVERIFY(squares[numbers[i]] < kReach);
            NearRows kept;
            QCOMPARE(keepNear(rows, from, kReach, kSure, kPerhaps, kept),
                     below(kSure) - below(kReach));
            size_t k = 0;
            for (uint32_t i = 0; i < count; ++i) {
                if (squares[i] > kPerhaps || (squares[i] > kReach && squares[i] < kSure)) continue;
                QVERIFY(k < kept.count && kept.places[k] == 7 * i && kept.x[k] == rows.x[i]);
                ++k;
            }
            QCOMPARE(kept.count, k);
        }
    }

    void sortedKeys() {
        for (const int64_t keys : {int64_t{1}, int64_t{5}, int64_t{3000}, int64_t{12} << 40}) {
            std::vector<KeyedRow> rows;
            for (uint32_t i = 0; i < 5000; ++i)
                rows.push_back({static_cast<int64_t>(static_cast<double>(keys) *
                                                     uniformPair({i, 0, 0, 4}, 12)[0]),
                                i});
            std::vector<KeyedRow> truth = rows;
            std::stable_sort(truth.begin(), truth.end(),
                             [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
            sortByKey(rows, keys, job_);
            for (size_t i = 0; i < rows.size(); ++i)
                QVERIFY(rows[i].key == truth[i].key && rows[i].row == truth[i].row);
        }
    }

    void refusals() {
        const Catalog a = catalogOf({{1.0, 0.0}}, Frame::Galactic);
        const Catalog b = catalogOf({{1.0, 0.0}}, Frame::Unknown);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, matchCatalogs(a, b, {.radius = 0.1}, job_));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, matchCatalogs(a, a, {.radius = 4.0}, job_));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 matchCatalogs(a, a, {.radius = 1.0, .errors1 = {1.0}}, job_));
        const Matches none = matchCatalogs(catalogOf({}, Frame::Galactic), a, {.radius = 1}, job_);
        QVERIFY(none.pairs.empty());
        QVERIFY(
            matchCatalogs(a, catalogOf({}, Frame::Galactic), {.radius = 1}, job_).pairs.empty());
    }

private:
    JobContext job_;
};

QTEST_GUILESS_MAIN(MatchTest)
#include "tst_match.moc"
