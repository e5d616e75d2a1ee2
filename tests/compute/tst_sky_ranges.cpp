// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the sky as ranges, and coverage maps in their serializations.
#include <QTemporaryDir>
#include <QtTest>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/sky_ranges.h"
#include "armilla/io/map_io.h"
#include "armilla/io/moc_io.h"

using namespace armilla;

namespace {

constexpr int kOrder = 3;  // 768 pixels
constexpr int kUp = 2 * (kRangeOrder - kOrder);
using Bits = std::vector<bool>;

Bits randomBits(uint32_t seed, int share) {
    std::mt19937 random(seed);
    Bits bits(768);
    bool on = false;
    for (size_t p = 0; p < bits.size(); ++p) {
        if (random() % 4 == 0) on = static_cast<int>(random() % 100) < share;
        bits[p] = on;
    }
    return bits;
}
SkyRanges rangesOf(const Bits& bits) {
    std::vector<PixelRange> runs;
    for (int64_t p = 0; p < 768; ++p)
        if (bits[static_cast<size_t>(p)]) runs.push_back({p << kUp, (p + 1) << kUp});
    return normalizedRanges(std::move(runs));
}
Bits bitsOf(const SkyRanges& ranges) {
    Bits bits(768, false);
    for (const PixelRange& run : ranges)
        for (int64_t p = run.begin >> kUp; p < run.end >> kUp; ++p)
            bits[static_cast<size_t>(p)] = true;
    return bits;
}
bool sameRanges(const SkyRanges& a, const SkyRanges& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](auto x, auto y) {
               return x.begin == y.begin && x.end == y.end;
           });
}

}  // namespace

class SkyRangesTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    JobContext job_;

private slots:
    // Bit by bit, with the smallest number of runs.
    void algebra() {
        for (uint32_t seed = 0; seed < 40; ++seed) {
            const Bits a = randomBits(seed, 50),
                       b = randomBits(seed + 1000, seed % 3 == 0 ? 5 : 60);
            const SkyRanges ra = rangesOf(a), rb = rangesOf(b);
            const auto verify = [&](const SkyRanges& found, auto rule) {
                Bits truth(768);
                for (size_t p = 0; p < 768; ++p) truth[p] = rule(a[p], b[p]);
                return bitsOf(found) == truth && sameRanges(found, rangesOf(truth));
            };
            QVERIFY(verify(joinedRanges(ra, rb, RangeJoin::Union),
                           [](bool x, bool y) { return x || y; }));
            QVERIFY(verify(joinedRanges(ra, rb, RangeJoin::Intersection),
                           [](bool x, bool y) { return x && y; }));
            QVERIFY(verify(joinedRanges(ra, rb, RangeJoin::Difference),
                           [](bool x, bool y) { return x && !y; }));
            QVERIFY(verify(joinedRanges(ra, rb, RangeJoin::SymmetricDifference),
                           [](bool x, bool y) { return x != y; }));
            QVERIFY(verify(complementOf(ra), [](bool x, bool) { return !x; }));
            Bits coarse(768, false);
            for (size_t p = 0; p < 768; ++p)
                if (a[p])
                    for (size_t q = p / 16 * 16; q < p / 16 * 16 + 16; ++q) coarse[q] = true;
            QCOMPARE(bitsOf(coveredAt(ra, 1)), coarse);
            QVERIFY(orderOf(coveredAt(ra, 1)) <= 1);
            QVERIFY(sameRanges(coveredAt(ra, kOrder), ra));
        }
        QCOMPARE(shareOf(complementOf({})), 1.0);
        QCOMPARE(orderOf(SkyRanges{}), 0);
        QVERIFY(complementOf(complementOf({})).empty());
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, normalizedRanges({{-1, 5}}));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, coveredAt({}, 30));
    }

    // Each cell is the largest that fits: there are no four siblings, and together the cells are
    // the ranges.
    void cells() {
        const SkyRanges ranges = rangesOf(randomBits(3, 70));
        std::vector<PixelRange> runs;
        std::map<std::pair<int, int64_t>, int> siblings;
        for (const SkyCell& cell : cellsOf(ranges)) {
            const int up = 2 * (kRangeOrder - cell.order);
            runs.push_back({cell.pixel << up, (cell.pixel + 1) << up});
            if (cell.order > 0) QVERIFY((++siblings[{cell.order, cell.pixel / 4}]) < 4);
        }
        QVERIFY(sameRanges(normalizedRanges(runs), ranges));
    }

    void serializations_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("nuniq");
        QTest::newRow("range") << "m.fits" << false;
        QTest::newRow("nuniq") << "u.fits" << true;
        QTest::newRow("ascii") << "m.txt" << false;
        QTest::newRow("json") << "m.json" << false;
    }
    // Written and read, each stays the same, including the finest order.
    void serializations() {
        QFETCH(QString, name);
        QFETCH(bool, nuniq);
        const std::string path = folder_.filePath(name).toStdString();
        SkyRanges ranges = rangesOf(randomBits(9, 50));
        ranges = joinedRanges(ranges, {{12345, 12346}}, RangeJoin::SymmetricDifference);
        for (const SkyRanges& each : {ranges, complementOf({}), rangesOf(randomBits(2, 20))}) {
            writeMoc(each, path,
                     {.overwrite = true,
                      .form = nuniq ? MocForm::Nuniq : MocForm::Range,
                      .order = -1,
                      .history = {"made"}},
                     job_);
            const HealpixMap map = readMap(path, {}, job_);
            QVERIFY(map.frame() == Frame::Equatorial);
            QVERIFY(sameRanges(rangesWhere(map, 0, job_), each));
        }
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 writeMoc(ranges, path, {.overwrite = true, .order = 5}, job_));
    }

    // Masks of any frame and ordering, at the centers of ICRS pixels.
    void masks() {
        const SkyRanges ranges = rangesOf(randomBits(5, 50));
        const HealpixMap cover = coverageOf(ranges, job_);
        QVERIFY(sameRanges(rangesWhere(cover, 0, job_), ranges));
        for (const Frame frame : {Frame::Equatorial, Frame::Galactic})
            for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
                std::vector<float> values(768);
                for (int64_t p = 0; p < 768; ++p)
                    values[static_cast<size_t>(p)] =
                        directionFromPixel(8, ordering, p).x > 0.3 ? 1.0F : 0.0F;
                const HealpixMap mask(8, ordering, frame, {{"M", "", DiskType::Float32, values}});
                const Bits found = bitsOf(rangesWhere(mask, 0, job_));
                const Mat3 turn = frameRotation(frame, Frame::Equatorial);
                for (int64_t p = 0; p < 768; ++p)
                    QCOMPARE(static_cast<bool>(found[static_cast<size_t>(p)]),
                             mask.value(0, mask.pixelAt(turn * directionFromNested(8, p))) > 0.5);
            }
        HealpixMap unknown(1, Ordering::Ring, Frame::Unknown,
                           {{"M", "", DiskType::Float32, std::vector<float>(12)}});
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, rangesWhere(unknown, 0, job_));
    }
};

QTEST_GUILESS_MAIN(SkyRangesTest)
#include "tst_sky_ranges.moc"
