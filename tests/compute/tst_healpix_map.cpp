// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/one_field.h"
#include "armilla/core/pixel_geometry.h"

using namespace armilla;

namespace {

Field ramp(const char* name, int64_t count) {
    std::vector<float> values(static_cast<size_t>(count));
    std::iota(values.begin(), values.end(), 0.0F);
    return {name, "K", DiskType::Float32, std::move(values)};
}

HealpixMap named(const std::vector<const char*>& names) {
    std::vector<Field> fields;
    for (const char* name : names) fields.push_back(ramp(name, 12));
    return {1, Ordering::Ring, Frame::Galactic, std::move(fields)};
}

// The text of the InvalidArgument that `make` throws, empty if it throws none.
template <class Make>
QString refusal(Make make) {
    try {
        make();
    } catch (const InvalidArgument& error) {
        return QString::fromStdString(error.message());
    }
    return {};
}

}  // namespace

class HealpixMapTest : public QObject {
    Q_OBJECT
private slots:
    void oneFieldKeepsItsSamples() {
        Field field = ramp("T", 12);
        const float* const samples = std::get<std::vector<float>>(field.values).data();
        const HealpixMap map(1, Ordering::Ring, Frame::Galactic, oneField(std::move(field)));
        QVERIFY(std::get<std::vector<float>>(map.field(0).values).data() == samples);
    }

    void vectorsWithoutValues() {
        const JobContext job;
        auto large = newUnsetVector<double>((int64_t{1} << 23) + 3, job);
        QCOMPARE(large.size(), (size_t{1} << 23) + 3);
        large.back() = 2.0;
        large.push_back(1.0);
        QCOMPARE(large[(size_t{1} << 23) + 2], 2.0);
        QVERIFY(newUnsetVector<float>(0, job).empty());
        QVERIFY_THROWS_EXCEPTION(OutOfMemory,
                                 newUnsetVector<double>(std::numeric_limits<int64_t>::max(), job));
    }

    void fullMap() {
        const HealpixMap map(3, Ordering::Ring, Frame::Ecliptic, {ramp("A", 108)});
        QCOMPARE(map.pixelCount(), int64_t{108});
        QCOMPARE(map.elementCount(), int64_t{108});
        QVERIFY(map.coverage() == Coverage::Full && map.pixels().empty());
        QCOMPARE(map.value(0, 107), 107.0);
        QVERIFY(!map.elementOf(108) && !map.elementOf(-1));
        QVERIFY(std::isnan(map.value(0, 108)));
        QCOMPARE(map.memoryBytes(), int64_t{108 * 4});
    }
    void partialMap() {
        const auto map = HealpixMap::partial(8192, Ordering::Nested, Frame::Equatorial,
                                             {5, 7, 805306367}, {ramp("A", 3)});
        QCOMPARE(map.elementCount(), int64_t{3});
        QVERIFY(map.coverage() == Coverage::Partial);
        QCOMPARE(map.value(0, 805306367), 2.0);
        QVERIFY(map.elementOf(5) == 0 && map.elementOf(7) == 1);
        QVERIFY(!map.elementOf(4) && !map.elementOf(6) && !map.elementOf(8));
        QVERIFY(std::isnan(map.value(0, 6)));
        QCOMPARE(map.memoryBytes(), int64_t{3 * 12});
    }
    void multiOrderMap() {
        // One quarter of face 0 at order 1 (pixels 0..3 of nside 4), then single pixels of nside 4.
        const auto map =
            HealpixMap::multiOrder(4, Frame::Equatorial, {0, 4, 16}, {1, 2, 0}, {ramp("A", 3)});
        QVERIFY(map.ordering() == Ordering::Nested && map.coverage() == Coverage::MultiOrder);
        const std::vector<int> expected{0, 0, 0, 0, 1, -1, -1};
        for (size_t p = 0; p < expected.size(); ++p) {
            const auto element = map.elementOf(static_cast<int64_t>(p));
            QCOMPARE(element ? static_cast<int>(*element) : -1, expected[p]);
        }
        QVERIFY(!map.elementOf(15) && map.elementOf(16) == 2 && map.elementOf(31) == 2);
        QVERIFY(!map.elementOf(32));
        QCOMPARE(map.cellOrders().size(), size_t{3});
    }
    void refused() {
        const auto full = [](int64_t nside, Ordering ordering, int64_t count) {
            return refusal(
                [=] { HealpixMap(nside, ordering, Frame::Galactic, {ramp("A", count)}); });
        };
        QVERIFY(full(0, Ordering::Ring, 0).contains("found 0"));
        QVERIFY(full(3, Ordering::Nested, 108).contains("power of two"));
        QVERIFY(full(4, Ordering::Ring, 191).contains("expected 192 values in field A, found 191"));
        QVERIFY(full(2 * kMaxNside, Ordering::Ring, 1).contains("2^29"));
        QVERIFY(refusal([] {
                    HealpixMap(1, Ordering::Ring, Frame::Galactic, {});
                }).contains("at least one field"));
        const auto partial = [](std::vector<int64_t> pixels) {
            return refusal([&] {
                const auto count = static_cast<int64_t>(pixels.size());
                HealpixMap::partial(1, Ordering::Ring, Frame::Galactic, pixels, {ramp("A", count)});
            });
        };
        QVERIFY(partial({0, 1, 11}).isEmpty());
        QVERIFY(partial({3, 12}).contains("found 12"));
        QVERIFY(partial({-1}).contains("found -1"));
        QVERIFY(partial({3, 3}).contains("found 3 after 3"));
        QVERIFY(partial({3, 2}).contains("found 2 after 3"));
        const auto cells = [](std::vector<int64_t> first, std::vector<uint8_t> orders) {
            return refusal([&] {
                const auto count = static_cast<int64_t>(first.size());
                HealpixMap::multiOrder(4, Frame::Galactic, first, orders, {ramp("A", count)});
            });
        };
        QVERIFY(cells({0, 16}, {0, 0}).isEmpty());
        QVERIFY(cells({0}, {0, 0}).contains("an order for each"));
        QVERIFY(cells({0}, {3}).contains("up to 2"));
        QVERIFY(cells({2}, {1}).contains("first pixel"));
        QVERIFY(cells({192}, {2}).contains("first pixel"));
        QVERIFY(cells({0, 8}, {0, 1}).contains("overlap"));
    }
    void fieldByNameOrNumber() {
        const HealpixMap map = named({"Temperature", "Q_STOKES", "2"});
        QCOMPARE(map.fieldIndex("TEMPERATURE"), 0);
        QCOMPARE(map.fieldIndex("q_stokes"), 1);
        QCOMPARE(map.fieldIndex("1"), 0);
        QCOMPARE(map.fieldIndex("2"), 2);  // a name goes before a number
        QCOMPARE(map.fieldIndex("3"), 2);
        for (const char* wrong : {"0", "4", "-1", "", "U", "1x"})
            QVERIFY(refusal([&] { map.fieldIndex(wrong); }).contains("Temperature, Q_STOKES, 2"));
    }
    void polarization_data() {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QList<int>>("expected");  // T, Q, U; -1 for none
        const auto row = [](const char* name, const QStringList& names,
                            const QList<int>& expected) {
            QTest::newRow(name) << names << expected;
        };
        row("healpy", {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"}, {0, 1, 2});
        row("F90", {"TEMPERATURE", "Q-POLARISATION", "U-POLARISATION"}, {0, 1, 2});
        row("Planck", {"I_STOKES", "Q_STOKES", "U_STOKES", "HITS", "II_COV", "QQ_COV"}, {0, 1, 2});
        row("WMAP", {"N_OBS", "TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"}, {1, 2, 3});
        row("letters", {"i", "q", "u"}, {0, 1, 2});
        row("stokes first", {"STOKES_I", "STOKES_Q", "STOKES_U"}, {0, 1, 2});
        row("no intensity", {"HITS", "Q_STOKES", "U_STOKES"}, {-1, 1, 2});
        row("mismatch", {"T", "Q_STOKES", "U_POLARISATION"}, {-1, -1, -1});
        row("covariances", {"II_COV", "QQ_COV", "UU_COV"}, {-1, -1, -1});
        row("quality", {"T", "QUALITY", "UNCERTAINTY"}, {-1, -1, -1});
    }
    void polarization() {
        QFETCH(QStringList, names);
        QFETCH(QList<int>, expected);
        std::vector<QByteArray> bytes;
        for (const QString& n : names) bytes.push_back(n.toUtf8());
        std::vector<const char*> pointers;
        for (const QByteArray& b : bytes) pointers.push_back(b.constData());
        const HealpixMap map = named(pointers);
        const auto pair = map.polarizationPair();
        QCOMPARE(pair ? pair->first : -1, expected[1]);
        QCOMPARE(pair ? pair->second : -1, expected[2]);
        const auto three = map.polarizationFields();
        QCOMPARE(three.has_value(), expected[0] >= 0);
        if (three) QVERIFY((*three == std::array{expected[0], expected[1], expected[2]}));
    }
    void everyPolarizationPair() {
        const auto pairs = [](const std::vector<const char*>& names) {
            return named(names).polarizationPairs();
        };
        using Pairs = std::vector<std::pair<int, int>>;
        QCOMPARE(pairs({"I_STOKES", "Q_STOKES", "U_STOKES", "Q_POL", "U_POL"}),
                 (Pairs{{1, 2}, {3, 4}}));
        QCOMPARE(pairs({"T", "Q", "U", "T", "Q", "U"}), (Pairs{{1, 2}, {4, 5}}));
        QCOMPARE(pairs({"U", "Q", "Q"}), (Pairs{{1, 0}}));
        QCOMPARE(pairs({"T", "Q_POL", "U"}), Pairs{});
    }
    void pixelOfADirection() {
        const HealpixMap map(4, Ordering::Nested, Frame::Galactic, {ramp("A", 192)});
        for (int64_t p = 0; p < 192; ++p) QCOMPARE(map.pixelAt(directionFromNested(4, p)), p);
        const HealpixMap ring(4, Ordering::Ring, Frame::Galactic, {ramp("A", 192)});
        for (int64_t p = 0; p < 192; ++p) QCOMPARE(ring.pixelAt(directionFromRing(4, p)), p);
    }
    void powersOfTwo() {
        QVERIFY(isPowerOfTwoNside(1) && isPowerOfTwoNside(kMaxNside));
        QVERIFY(!isPowerOfTwoNside(0) && !isPowerOfTwoNside(-2) && !isPowerOfTwoNside(3) &&
                !isPowerOfTwoNside(2 * kMaxNside));
        QCOMPARE(orderOf(1), 0);
        QCOMPARE(orderOf(kMaxNside), 29);
    }
};

QTEST_APPLESS_MAIN(HealpixMapTest)
#include "tst_healpix_map.moc"
