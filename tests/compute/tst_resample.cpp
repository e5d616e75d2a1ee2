// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/resample.h"

using namespace armilla;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Two fields, single and double, of normal numbers with bad pixels.
std::vector<Field> someFields(int64_t count, double badShare, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<float> a(static_cast<size_t>(count));
    std::vector<double> b(a.size());
    for (size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<float>(normal(random));
        b[i] = normal(random);
        if (uniform(random) < badShare) a[i] = std::nanf("");
        if (uniform(random) < badShare) b[i] = kNaN;
    }
    return {{"A", "K", DiskType::Float32, std::move(a)}, {"B", "Jy/sr", DiskType::Float64, b}};
}

HealpixMap someMap(int64_t nside, Ordering ordering, double badShare = 0.2) {
    HealpixMap map(nside, ordering, Frame::Galactic, someFields(pixelCount(nside), badShare));
    map.metadata().object = "FULLSKY";
    map.metadata().cards = {"TELESCOP= 'X'"};
    map.metadata().history = {"one", "two"};
    map.metadata().badData = -1e30;
    return map;
}

HealpixMap somePartial(int64_t nside, Ordering ordering, size_t count, double badShare = 0.2) {
    std::mt19937_64 random(5);
    std::uniform_int_distribution<int64_t> any(0, pixelCount(nside) - 1);
    std::set<int64_t> pixels;
    while (pixels.size() < count) {
        const int64_t start = any(random);  // runs, as on a real partial map, and single pixels
        for (int64_t p = start; p < start + 40 && p < pixelCount(nside) && pixels.size() < count;
             ++p)
            pixels.insert(p);
    }
    return HealpixMap::partial(nside, ordering, Frame::Galactic, {pixels.begin(), pixels.end()},
                               someFields(static_cast<int64_t>(count), badShare));
}

bool sameBits(double a, double b) {
    return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

// Same shape and the same bits.
void compareMaps(const HealpixMap& a, const HealpixMap& b) {
    QCOMPARE(a.nside(), b.nside());
    QVERIFY(a.ordering() == b.ordering() && a.coverage() == b.coverage() && a.frame() == b.frame());
    QCOMPARE(a.elementCount(), b.elementCount());
    QVERIFY(std::equal(a.pixels().begin(), a.pixels().end(), b.pixels().begin(), b.pixels().end()));
    QCOMPARE(a.fieldCount(), b.fieldCount());
    for (int f = 0; f < a.fieldCount(); ++f) {
        QCOMPARE(a.field(f).name, b.field(f).name);
        QCOMPARE(a.field(f).unit, b.field(f).unit);
        QVERIFY(a.field(f).diskType == b.field(f).diskType);
        QCOMPARE(a.field(f).isSingle(), b.field(f).isSingle());
        for (int64_t i = 0; i < a.elementCount(); ++i)
            QVERIFY2(sameBits(a.field(f).at(i), b.field(f).at(i)), qPrintable(QString::number(i)));
    }
    QCOMPARE(a.metadata().cards, b.metadata().cards);
    QCOMPARE(a.metadata().history, b.metadata().history);
    QVERIFY(a.metadata().badData == b.metadata().badData);
}

void addSizes() {
    QTest::addColumn<qint64>("nside");
    for (const qint64 nside : {1, 2, 4, 16, 128})
        QTest::addRow("nside %lld", static_cast<long long>(nside)) << nside;
}

}  // namespace

class ResampleTest : public QObject {
    Q_OBJECT
private slots:
    void reorderedFull_data() { addSizes(); }
    void reorderedFull() {
        QFETCH(qint64, nside);
        JobContext job({}, {}, 3);
        const HealpixMap ring = someMap(nside, Ordering::Ring);
        const HealpixMap nested = reordered(ring, Ordering::Nested, job);
        QVERIFY(nested.ordering() == Ordering::Nested);
        for (int f = 0; f < 2; ++f)
            for (int64_t p = 0; p < ring.pixelCount(); ++p)
                QVERIFY(
                    sameBits(nested.field(f).at(nestedFromRing(nside, p)), ring.field(f).at(p)));
        compareMaps(reordered(nested, Ordering::Ring, job), ring);
        compareMaps(reordered(ring, Ordering::Ring, job), ring);
        HealpixMap given = ring;
        compareMaps(reordered(std::move(given), Ordering::Nested, job), nested);
        given = ring;
        compareMaps(reordered(std::move(given), Ordering::Ring, job), ring);
    }
    void reorderedPartial_data() {
        QTest::addColumn<qint64>("nside");
        QTest::addColumn<int>("count");
        QTest::newRow("small") << qint64{8} << 100;
        QTest::newRow("nothing") << qint64{8} << 0;
        QTest::newRow("large") << qint64{8192} << 200000;  // enough to be sorted in pieces
    }
    void reorderedPartial() {
        QFETCH(qint64, nside);
        QFETCH(int, count);
        JobContext job({}, {}, 3);
        const HealpixMap ring = somePartial(nside, Ordering::Ring, static_cast<size_t>(count));
        const HealpixMap nested = reordered(ring, Ordering::Nested, job);
        QVERIFY(nested.coverage() == Coverage::Partial);
        QCOMPARE(nested.memoryBytes(), ring.memoryBytes());
        for (int64_t i = 0; i < ring.elementCount(); ++i) {
            const auto at =
                nested.elementOf(nestedFromRing(nside, ring.pixels()[static_cast<size_t>(i)]));
            QVERIFY(at.has_value());
            QVERIFY(sameBits(nested.field(1).at(*at), ring.field(1).at(i)));
        }
        compareMaps(reordered(nested, Ordering::Ring, job), ring);
        HealpixMap given = nested;
        compareMaps(reordered(std::move(given), Ordering::Ring, job), ring);
    }
    void integersKeepTheirType() {
        JobContext job;
        std::vector<float> hits(48);
        std::iota(hits.begin(), hits.end(), 0.0F);
        const HealpixMap map(2, Ordering::Ring, Frame::Galactic,
                             {{"HITS", "", DiskType::Int16, hits}});
        QVERIFY(reordered(map, Ordering::Nested, job).field(0).diskType == DiskType::Int16);
        QVERIFY(udgraded(map, 4, job).field(0).diskType == DiskType::Int16);
        QVERIFY(toPartial(map, job).field(0).diskType == DiskType::Int16);
        // Means of integers are no integers.
        QVERIFY(udgraded(map, 1, job).field(0).diskType == DiskType::Float32);
        const HealpixMap wide(1, Ordering::Ring, Frame::Galactic,
                              {{"N", "", DiskType::Int64, std::vector<double>(12, 1e15 + 1)}});
        const HealpixMap turned = rotatedFrame(wide, Frame::Equatorial, job);
        QVERIFY(turned.field(0).diskType == DiskType::Float64);
    }

    void udgradedFull_data() {
        QTest::addColumn<qint64>("from");
        QTest::addColumn<qint64>("to");
        const std::pair<int, int> rows[] = {{64, 32}, {64, 1}, {16, 8}, {2, 1},  {8, 64}, {1, 2},
                                            {4, 8},   {6, 3},  {15, 5}, {3, 12}, {5, 10}, {12, 1}};
        for (const auto& [from, to] : rows)
            QTest::addRow("%d to %d", from, to) << qint64{from} << qint64{to};
    }
    void udgradedFull() {
        QFETCH(qint64, from);
        QFETCH(qint64, to);
        JobContext job({}, {}, 3);
        const HealpixMap map = someMap(from, Ordering::Ring, 0.5);
        const HealpixMap result = udgraded(map, to, job);
        QCOMPARE(result.nside(), to);
        QCOMPARE(result.metadata().history, map.metadata().history);
        for (int f = 0; f < 2; ++f) {
            // Brute force by the centers of the finer pixels.
            std::map<int64_t, std::vector<double>> children;
            const int64_t fine = std::max(from, to), coarse = std::min(from, to);
            for (int64_t p = 0; p < pixelCount(fine); ++p) {
                const FacePixel at = faceFromRing(fine, p);
                const int64_t ratio = fine / coarse;
                const int64_t parent = ringFromFace(coarse, {at.face, at.x / ratio, at.y / ratio});
                if (to > from) {
                    QVERIFY(sameBits(result.field(f).at(p), map.field(f).at(parent)));
                } else if (std::isfinite(map.field(f).at(p))) {
                    children[parent].push_back(map.field(f).at(p));
                }
            }
            if (to > from) continue;
            for (int64_t p = 0; p < pixelCount(to); ++p) {
                const double found = result.field(f).at(p);
                QCOMPARE(std::isnan(found), children[p].empty());
                if (children[p].empty()) continue;
                long double sum = 0;
                for (const double x : children[p]) sum += x;
                const auto mean =
                    static_cast<double>(sum / static_cast<long double>(children[p].size()));
                // 64 additions of values below 5, and as many of sums; then rounding to single.
                const double limit =
                    5.0 * 128.0 * kEpsilon + (f == 0 ? 6e-8 * std::fabs(mean) : 0.0);
                QVERIFY(std::fabs(found - mean) <= limit);
            }
        }
    }
    // Counts add up over children and divide among them; a bad child makes a pessimistic parent
    // bad.
    void sums() {
        JobContext job;
        Field counts{"N", "counts", DiskType::Int32, std::vector<double>(192)};
        Field density{"T", "K", DiskType::Float64, std::vector<double>(192)};
        auto& n = std::get<1>(counts.values);
        auto& t = std::get<1>(density.values);
        for (size_t p = 0; p < 192; ++p) n[p] = t[p] = static_cast<double>(p);
        n[5] = t[5] = std::nan("");
        QCOMPARE(degradeRule(counts), Degrade::Sum);
        QCOMPARE(degradeRule(density), Degrade::Mean);
        QCOMPARE(degradeRule({"PROB", "pix-1", DiskType::Float64, {}}), Degrade::Sum);
        QCOMPARE(degradeRule({"PROBDENSITY", "sr-1", DiskType::Float64, {}}), Degrade::Mean);
        // Spellings of the standards of units and of their users: everything per pixel adds up.
        for (const char* unit : {"ph", "photon", "pix**-1", "pix^-1", "ph / pix", "ct pixel-1",
                                 "Jy/pixel", "1/pixel", "count"})
            QCOMPARE(degradeRule({"N", unit, DiskType::Float32, {}}), Degrade::Sum);
        for (const char* unit : {"ph cm-2 s-1 sr-1", "ph/s", "K", "K_CMB", "adu"})
            QCOMPARE(degradeRule({"N", unit, DiskType::Float32, {}}), Degrade::Mean);
        const HealpixMap map(4, Ordering::Nested, Frame::Galactic, {counts, density});
        for (const HealpixMap& one : {map, toPartial(map, job)}) {
            const HealpixMap down = toFull(udgraded(one, 2, {}, job), job);
            QCOMPARE(down.value(0, 0), 0.0 + 1 + 2 + 3);
            QCOMPARE(down.value(1, 0), 1.5);
            QCOMPARE(down.value(0, 1), 4.0 + 6 + 7);
            QCOMPARE(down.value(1, 1), 17.0 / 3.0);
            const HealpixMap strict = toFull(udgraded(one, 2, {Degrade::Mean, true}, job), job);
            QCOMPARE(strict.value(0, 0), 1.5);
            QVERIFY(std::isnan(strict.value(0, 1)));
            const HealpixMap up = toFull(udgraded(one, 8, {}, job), job);
            for (int64_t child = 0; child < 4; ++child) {
                QCOMPARE(up.value(0, 4 * 7 + child), 7.0 / 4.0);
                QCOMPARE(up.value(1, 4 * 7 + child), 7.0);
            }
        }
        // A cell of order 0 and four of order 1: probabilities keep their sum on every order.
        const HealpixMap cells = HealpixMap::multiOrder(
            2, Frame::Equatorial, {0, 4, 5, 6, 7}, {0, 1, 1, 1, 1},
            {{"PROB", "pix-1", DiskType::Float64, std::vector<double>{0.4, 0.1, 0.2, 0.3, 0.0}}});
        for (const int64_t nside : {1, 2, 4}) {
            const HealpixMap flat = flattened(cells, nside, {}, job);
            double sum = 0.0;
            for (int64_t p = 0; p < flat.pixelCount(); ++p)
                if (std::isfinite(flat.value(0, p))) sum += flat.value(0, p);
            // A sum of at most 192 values that share 1.0 rounds at random signs by a few machine
            // epsilons.
            QVERIFY(std::abs(sum - 1.0) < 1e-15);
        }
    }

    void udgradedAlikeInBothOrderings_data() {
        QTest::addColumn<qint64>("to");
        for (const qint64 to : {1, 4, 16, 64, 128})
            QTest::addRow("32 to %lld", static_cast<long long>(to)) << to;
    }
    void udgradedAlikeInBothOrderings() {
        QFETCH(qint64, to);
        JobContext job({}, {}, 2);
        const HealpixMap ring = someMap(32, Ordering::Ring, 0.3);
        const HealpixMap nested = reordered(ring, Ordering::Nested, job);
        const HealpixMap expected = udgraded(ring, to, job);
        compareMaps(reordered(udgraded(nested, to, job), Ordering::Ring, job), expected);
        // Partial maps, without the pixels that are bad in both fields, give the same values.
        for (const HealpixMap* map : {&ring, &nested}) {
            const HealpixMap partial = udgraded(toPartial(*map, job), to, job);
            QVERIFY(partial.coverage() == Coverage::Partial);
            const HealpixMap full = reordered(toFull(partial, job), Ordering::Ring, job);
            for (int f = 0; f < 2; ++f)
                for (int64_t p = 0; p < full.pixelCount(); ++p) {
                    const double a = full.field(f).at(p), b = expected.field(f).at(p);
                    // The same children in the same order, but with other chunk boundaries.
                    QVERIFY((std::isnan(a) && std::isnan(b)) ||
                            std::fabs(a - b) <=
                                (f == 0 ? 6e-8 : 64 * kEpsilon) * (1 + std::fabs(b)));
                }
        }
    }
    void sparseMapsStaySparse() {
        JobContext job({}, {}, 2);
        const HealpixMap map = somePartial(8192, Ordering::Ring, 1000);
        const HealpixMap down = udgraded(map, 1024, job), up = udgraded(map, 32768, job);
        QVERIFY(down.elementCount() <= 1000 && down.elementCount() > 25);
        QCOMPARE(up.elementCount(), int64_t{16000});
        for (int64_t i = 0; i < up.elementCount(); i += 7) {
            const FacePixel at = faceFromRing(32768, up.pixels()[static_cast<size_t>(i)]);
            const int64_t parent = ringFromFace(8192, {at.face, at.x / 4, at.y / 4});
            QVERIFY(sameBits(up.field(0).at(i), map.value(0, parent)) ||
                    std::isnan(up.field(0).at(i)));
        }
        // Means of 16 equal numbers in single precision are exact in double.
        compareMaps(withFields(udgraded(up, 8192, job), {0}), withFields(map, {0}));
        // Far below the 3 GB of a full map.
        QVERIFY(rotatedFrame(map, Frame::Ecliptic, job).memoryBytes() < 100000);
    }
    void meanOfMillionsKeepsItsDigits() {
        // 1e6 + small noise, summed over 4^9 pixels: a plain sum would lose 5 digits more.
        JobContext job;
        std::vector<double> values(static_cast<size_t>(pixelCount(512)));
        for (size_t i = 0; i < values.size(); ++i) values[i] = 1e6 + 0.1;
        const HealpixMap map(512, Ordering::Nested, Frame::Galactic,
                             {{"X", "", DiskType::Float64, std::move(values)}});
        const HealpixMap mean = udgraded(map, 1, job);
        // Sums of 64 and of 4096 equal terms: the roundings of both, at most 4160 halves.
        QVERIFY(std::fabs(mean.field(0).at(3) - (1e6 + 0.1)) < 4160 * kEpsilon * 1e6);
    }

    void fullAndPartial() {
        JobContext job({}, {}, 2);
        const HealpixMap map = someMap(64, Ordering::Nested, 0.7);
        const HealpixMap partial = toPartial(map, job);
        QVERIFY(partial.coverage() == Coverage::Partial);
        QCOMPARE(partial.metadata().object, std::string("PARTIAL"));
        int64_t good = 0;
        for (int64_t p = 0; p < map.pixelCount(); ++p)
            if (std::isfinite(map.value(0, p)) || std::isfinite(map.value(1, p))) ++good;
        QCOMPARE(partial.elementCount(), good);
        const HealpixMap full = toFull(partial, job);
        QCOMPARE(full.metadata().object, std::string("FULLSKY"));
        compareMaps(full, map);
        compareMaps(toPartial(partial, job), partial);
        compareMaps(toFull(map, job), map);
        const HealpixMap nothing = toPartial(
            HealpixMap(1, Ordering::Ring, Frame::Galactic,
                       {{"X", "", DiskType::Float32, std::vector<float>(12, std::nanf(""))}}),
            job);
        QCOMPARE(nothing.elementCount(), int64_t{0});
    }
    void flattenedCells() {
        JobContext job;
        // Order 0 pixel 0 complete; order 1 pixel 4; order 2 pixels 20, 21, 22 of the next order 1
        // cell.
        const std::vector<float> values{1.0F, 2.0F, 3.0F, 5.0F, std::nanf("")};
        const HealpixMap map =
            HealpixMap::multiOrder(4, Frame::Equatorial, {0, 16, 20, 21, 22}, {0, 1, 2, 2, 2},
                                   {{"P", "sr-1", DiskType::Float64, values}});
        const HealpixMap deep = flattened(map, 0, job);
        QCOMPARE(deep.nside(), int64_t{4});
        QVERIFY(deep.ordering() == Ordering::Nested && deep.coverage() == Coverage::Full);
        for (int64_t p = 0; p < 16; ++p) QCOMPARE(deep.value(0, p), 1.0);
        for (int64_t p = 16; p < 20; ++p) QCOMPARE(deep.value(0, p), 2.0);
        QCOMPARE(deep.value(0, 20), 3.0);
        QCOMPARE(deep.value(0, 21), 5.0);
        for (int64_t p = 22; p < 192; ++p) QVERIFY(std::isnan(deep.value(0, p)));
        const HealpixMap half = flattened(map, 2, job);
        QCOMPARE(half.value(0, 3), 1.0);
        QCOMPARE(half.value(0, 4), 2.0);
        QCOMPARE(half.value(0, 5), 4.0);
        QVERIFY(std::isnan(half.value(0, 6)));
        const HealpixMap coarse = flattened(map, 1, job);
        QCOMPARE(coarse.value(0, 0), 1.0);
        QCOMPARE(coarse.value(0, 1),
                 double{(4 * 2.0F + 3.0F + 5.0F) / 6.0F});  // by area, good cells only
        const HealpixMap fine = flattened(map, 8, job);
        QCOMPARE(fine.value(0, 4 * 21 + 3), 5.0);
        compareMaps(toFull(map, job), deep);
        for (const HealpixMap& whole : {deep, half, coarse})
            QVERIFY_EXCEPTION_THROWN(flattened(whole, 1, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(flattened(map, 3, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(reordered(map, Ordering::Ring, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(udgraded(map, 2, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(rotatedFrame(map, Frame::Galactic, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(toPartial(map, job), InvalidArgument);
        const HealpixMap kept = withFields(map, {0, 0});
        QVERIFY(kept.coverage() == Coverage::MultiOrder && kept.fieldCount() == 2);
        QCOMPARE(kept.cellOrders().size(), size_t{5});
    }
    void deepCellsAreLimited() {
        JobContext job;
        const HealpixMap map =
            HealpixMap::multiOrder(1 << 20, Frame::Equatorial, {0}, {20},
                                   {{"P", "", DiskType::Float64, std::vector<float>{1.0F}}});
        QCOMPARE(flattened(map, 0, job).nside(), kMaxFlattenNside);
    }
    void chosenFields() {
        const HealpixMap map = someMap(4, Ordering::Ring);
        const HealpixMap swapped = withFields(map, {1, 0});
        QCOMPARE(swapped.field(0).name, std::string("B"));
        QCOMPARE(swapped.field(1).name, std::string("A"));
        QCOMPARE(swapped.metadata().history, map.metadata().history);
        compareMaps(withFields(swapped, {1, 0}), map);
        const HealpixMap partial = somePartial(64, Ordering::Nested, 50);
        QCOMPARE(withFields(partial, {1}).elementCount(), int64_t{50});
        QVERIFY_EXCEPTION_THROWN(withFields(map, {2}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(withFields(map, {-1}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(withFields(map, {}), InvalidArgument);
    }
    void refused() {
        JobContext job;
        const HealpixMap odd = someMap(3, Ordering::Ring), nested = someMap(4, Ordering::Nested);
        QVERIFY_EXCEPTION_THROWN(reordered(odd, Ordering::Nested, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(udgraded(odd, 2, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(udgraded(nested, 12, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(udgraded(nested, 0, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(udgraded(nested, 2 * kMaxNside, job), InvalidArgument);
        // 12 * 2^58 pixels fit no memory.
        QVERIFY_EXCEPTION_THROWN(udgraded(nested, kMaxNside, job), OutOfMemory);
        const HealpixMap partial = somePartial(4, Ordering::Nested, 5);
        QVERIFY_EXCEPTION_THROWN(udgraded(partial, kMaxNside, job), OutOfMemory);
    }
    void stops() {
        const HealpixMap map = someMap(64, Ordering::Ring);
        const HealpixMap partial = somePartial(64, Ordering::Ring, 1000);
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token(), {}, 2);
        QVERIFY_EXCEPTION_THROWN(reordered(map, Ordering::Nested, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(udgraded(map, 1, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(udgraded(map, 128, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(rotatedFrame(map, Frame::Ecliptic, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(reordered(partial, Ordering::Nested, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(udgraded(partial, 32, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(toFull(partial, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(toPartial(map, job), Cancelled);
    }
};

QTEST_APPLESS_MAIN(ResampleTest)
#include "tst_resample.moc"
