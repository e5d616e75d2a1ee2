// SPDX-License-Identifier: GPL-3.0-or-later
// Maps read from files made byte by byte here.
#include <fitsio.h>

#include <QtTest>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "compute/fits_bytes.h"
#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

class tst_map_io : public MapFileTest {
    Q_OBJECT

private slots:
    void readsEveryNumericType_data();
    void readsEveryNumericType();
    void readsBothPackings_data();
    void readsBothPackings();
    void scalesAndUnsigned_data();
    void scalesAndUnsigned();
    void badPixelsBecomeNan();
    void badDataOfTheFile();
    void badDataAmongIntegers();
    void indexBesideFullMap();
    void nullsOfIntegers();
    void logicalColumns();
    void iauTurnsU();
    void tolerates_data();
    void tolerates();
    void partialSortsRows();
    void cut4();
    void multiOrder();
    void coverageMap();
    void choosesHduAndFields();
    void literalBracketsInName();
};

void tst_map_io::readsEveryNumericType_data() {
    QTest::addColumn<QString>("form");
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("single");
    const auto row = [](const char* form, const std::string& data, DiskType type, bool single) {
        QTest::newRow(form) << form << QByteArray(data.data(), static_cast<qsizetype>(data.size()))
                            << static_cast<int>(type) << single;
    };
    row("B", columnData<uint8_t>(192), DiskType::UInt8, true);
    row("I", columnData<int16_t>(192), DiskType::Int16, true);
    row("1J", columnData<int32_t>(192), DiskType::Int32, false);
    row("K", columnData<int64_t>(192), DiskType::Int64, false);
    row("E", columnData<float>(192), DiskType::Float32, true);
    row("D", columnData<double>(192), DiskType::Float64, false);
}

void tst_map_io::readsEveryNumericType() {
    QFETCH(QString, form);
    QFETCH(QByteArray, data);
    QFETCH(int, type);
    QFETCH(bool, single);
    HduBytes table = tableHdu({{"VALUE", form.toStdString()}}, data.size() / 192, 192);
    mapKeywords(table, 4, "RING");
    table.setText("TUNIT1", "mK");
    table.data = data.toStdString();
    writeBytes(path("type.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("type.fits"));
    QCOMPARE(map.nside(), int64_t{4});
    QCOMPARE(map.coverage(), Coverage::Full);
    QCOMPARE(map.field(0).unit, std::string("mK"));
    QCOMPARE(static_cast<int>(map.field(0).diskType), type);
    QCOMPARE(map.field(0).isSingle(), single);
    for (int64_t p = 0; p < 192; ++p) QCOMPARE(map.field(0).at(p), plain(p));
}

void tst_map_io::readsBothPackings_data() {
    QTest::addColumn<int>("repeat");
    for (const int repeat : {1, 3, 64, 1024, 3072})
        QTest::addRow("%d values a row", repeat) << repeat;
}

void tst_map_io::readsBothPackings() {
    QFETCH(int, repeat);
    const int64_t count = pixelCount(16);
    const std::string n = std::to_string(repeat);
    HduBytes table = tableHdu({{"T", n + "E"}, {"HITS", n + "J"}, {"VAR", n + "D"}}, 16 * repeat,
                              count / repeat);
    mapKeywords(table, 16, "NESTED");
    for (int64_t row = 0; row < count / repeat; ++row) {
        for (int k = 0; k < repeat; ++k)
            append(table.data, static_cast<float>(row * repeat + k) + 0.5F);
        for (int k = 0; k < repeat; ++k)
            append(table.data, static_cast<int32_t>(7 * (row * repeat + k)));
        for (int k = 0; k < repeat; ++k)
            append(table.data, 1e-3 * static_cast<double>(row * repeat + k));
    }
    writeBytes(path("packing.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("packing.fits"));
    QCOMPARE(map.fieldCount(), 3);
    QCOMPARE(map.ordering(), Ordering::Nested);
    for (int64_t p = 0; p < count; ++p) {
        QCOMPARE(map.field(0).at(p), static_cast<double>(p) + 0.5);
        QCOMPARE(map.field(1).at(p), static_cast<double>(7 * p));
        QCOMPARE(map.field(2).at(p), 1e-3 * static_cast<double>(p));
    }
}

void tst_map_io::scalesAndUnsigned_data() {
    QTest::addColumn<QString>("form");
    QTest::addColumn<double>("scale");
    QTest::addColumn<double>("zero");
    QTest::addColumn<double>("first");   // value of the stored minimum
    QTest::addColumn<double>("second");  // value of the stored 5
    QTest::addColumn<int>("type");
    QTest::newRow("signed byte") << "B" << 1.0 << -128.0 << -128.0 << -123.0
                                 << static_cast<int>(DiskType::Int16);
    QTest::newRow("unsigned 16") << "I" << 1.0 << 32768.0 << 0.0 << 32773.0
                                 << static_cast<int>(DiskType::Int32);
    QTest::newRow("unsigned 32") << "J" << 1.0 << 2147483648.0 << 0.0 << 2147483653.0
                                 << static_cast<int>(DiskType::Int64);
    // In double precision, 5 would vanish beside 2^63.
    QTest::newRow("unsigned 64") << "K" << 1.0 << 9223372036854775808.0 << 0.0 << 5.0
                                 << static_cast<int>(DiskType::Int64);
    QTest::newRow("scaled 16") << "I" << 0.5 << 10.0 << -16374.0 << 12.5
                               << static_cast<int>(DiskType::Float32);
    QTest::newRow("scaled double")
        << "D" << 2.0 << 1.0 << 1.0 << 11.0 << static_cast<int>(DiskType::Float64);
}

void tst_map_io::scalesAndUnsigned() {
    QFETCH(QString, form);
    QFETCH(double, scale);
    QFETCH(double, zero);
    QFETCH(double, first);
    QFETCH(double, second);
    QFETCH(int, type);
    std::string data;
    for (int p = 0; p < 12; ++p) {
        const bool minimum = p % 2 == 0;
        switch (form.toStdString()[0]) {
            case 'B': append(data, static_cast<uint8_t>(minimum ? 0 : 5)); break;
            case 'I': append(data, static_cast<int16_t>(minimum ? -32768 : 5)); break;
            case 'J': append(data, minimum ? std::numeric_limits<int32_t>::min() : 5); break;
            case 'K': append(data, std::numeric_limits<int64_t>::min() + (minimum ? 0 : 5)); break;
            default: append(data, minimum ? 0.0 : 5.0); break;
        }
    }
    HduBytes table =
        tableHdu({{"V", form.toStdString()}}, static_cast<int64_t>(data.size()) / 12, 12);
    mapKeywords(table, 1, "RING").set("TSCAL1", scale).set("TZERO1", zero);
    table.data = data;
    writeBytes(path("scaled.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("scaled.fits"));
    QCOMPARE(static_cast<int>(map.field(0).diskType), type);
    for (int64_t p = 0; p < 12; ++p) QCOMPARE(map.field(0).at(p), p % 2 == 0 ? first : second);
}

void tst_map_io::badPixelsBecomeNan() {
    const float infinity = std::numeric_limits<float>::infinity();
    HduBytes table = tableHdu({{"E", "E"}, {"D", "D"}}, 12, 12);
    mapKeywords(table, 1, "RING");
    // UNSEEN exact, within 1e-5, outside of it, NaN, infinities, and good values.
    const std::vector<double> stored = {kUnseen,
                                        kUnseen * (1 + 9e-6),
                                        kUnseen * (1 - 9e-6),
                                        kUnseen * (1 + 2e-5),
                                        kUnseen * (1 - 2e-5),
                                        kNan,
                                        infinity,
                                        -infinity,
                                        0.0,
                                        -1.0,
                                        1e30,
                                        -1.6e30};
    const std::vector<bool> bad = {true, true, true,  false, false, true,
                                   true, true, false, false, false, false};
    for (const double x : stored) {
        append(table.data, static_cast<float>(x));
        append(table.data, x);
    }
    writeBytes(path("bad.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("bad.fits"));
    for (size_t p = 0; p < 12; ++p)
        for (const int f : {0, 1}) {
            const double x = map.field(f).at(static_cast<int64_t>(p));
            QCOMPARE(std::isnan(x), static_cast<bool>(bad[p]));
            if (!bad[p])
                QCOMPARE(x,
                         f == 0 ? static_cast<double>(static_cast<float>(stored[p])) : stored[p]);
        }
    // A column alone is one run of values, which vector instructions decode. From each place on.
    for (const bool isSingle : {true, false})
        for (size_t first = 0; first < 12; ++first) {
            HduBytes one = tableHdu({{"V", isSingle ? "E" : "D"}}, isSingle ? 4 : 8, 12);
            mapKeywords(one, 1, "RING");
            for (size_t p = 0; p < 12; ++p) {
                const double x = stored[(first + p) % 12];
                if (isSingle)
                    append(one.data, static_cast<float>(x));
                else
                    append(one.data, x);
            }
            writeBytes(path("run.fits"), primaryHdu().bytes() + one.bytes());
            const HealpixMap run = read(path("run.fits"));
            for (size_t p = 0; p < 12; ++p) {
                const double found = run.field(0).at(static_cast<int64_t>(p)),
                             expected = map.field(isSingle ? 0 : 1)
                                            .at(static_cast<int64_t>((first + p) % 12));
                QVERIFY(std::isnan(expected) ? std::isnan(found) : found == expected);
            }
        }
}

void tst_map_io::badDataOfTheFile() {
    HduBytes table = tableHdu({{"E", "E"}, {"I", "I"}}, 6, 12);
    mapKeywords(table, 1, "RING").set("BAD_DATA", -9999.0);
    for (int p = 0; p < 12; ++p) {
        append(table.data, p == 3 ? -9999.0F : p == 4 ? static_cast<float>(kUnseen) : 1.0F);
        append(table.data, static_cast<int16_t>(p == 5 ? -9999 : p));
    }
    writeBytes(path("sentinel.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("sentinel.fits"));
    for (int64_t p = 0; p < 12; ++p) {
        QCOMPARE(std::isnan(map.field(0).at(p)), p == 3 || p == 4);
        QCOMPARE(std::isnan(map.field(1).at(p)), p == 5);
    }
    // After writing: the sentinel of the file, for floats and integers.
    write(map, path("sentinel_out.fits"));
    QCOMPARE(std::stod(keyword(path("sentinel_out.fits"), 1, "BAD_DATA")), -9999.0);
    QCOMPARE(keyword(path("sentinel_out.fits"), 1, "TNULL2"), std::string("-9999"));
    QCOMPARE(cfitsioColumn(path("sentinel_out.fits"), "E")[3], -9999.0);
    QVERIFY(same(valuesOf(read(path("sentinel_out.fits")), 1), valuesOf(map, 1)));

    // A good value equal to the sentinel would be lost, so UNSEEN is written instead.
    HealpixMap clash = map;
    std::get<std::vector<float>>(clash.field(0).values)[0] = -9999.0F;
    write(clash, path("clash.fits"));
    QCOMPARE(std::stod(keyword(path("clash.fits"), 1, "BAD_DATA")), kUnseen);
    QCOMPARE(read(path("clash.fits")).field(0).at(0), -9999.0);
    // The same holds in an integer column, with or without bad pixels beside it.
    for (const int64_t pixel : {0, 5}) {
        HealpixMap whole = map;
        std::get<std::vector<float>>(whole.field(1).values)[static_cast<size_t>(pixel)] = -9999.0F;
        write(whole, path("clash.fits"));
        QVERIFY(same(valuesOf(read(path("clash.fits")), 1), valuesOf(whole, 1)));
    }
}

// A tolerance for rounded reals would accept integers next to the sentinel.
void tst_map_io::badDataAmongIntegers() {
    HduBytes table = tableHdu({{"N", "J"}, {"S", "J"}}, 8, 12);
    mapKeywords(table, 1, "RING").set("BAD_DATA", 1000000.0).set("TSCAL2", 0.5);
    for (int p = 0; p < 12; ++p) {
        append(table.data, int32_t{999996 + p});
        append(table.data, int32_t{999996 + p});
    }
    writeBytes(path("neighbors.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("neighbors.fits"));
    for (int64_t p = 0; p < 12; ++p) {
        QCOMPARE(std::isnan(map.field(0).at(p)), p == 4);
        if (p != 4) QCOMPARE(map.field(0).at(p), static_cast<double>(999996 + p));
        // Scaled: half of these numbers, none near the sentinel; the stored sentinel is still
        // recognized.
        QCOMPARE(std::isnan(map.field(1).at(p)), p == 4);
    }
    // Only the integer itself needs another sentinel.
    write(map, path("neighbors_out.fits"));
    QVERIFY(same(valuesOf(read(path("neighbors_out.fits")), 0), valuesOf(map, 0)));
    QCOMPARE(keyword(path("neighbors_out.fits"), 1, "TNULL1"), std::string("1000000"));
}

// Files that repeat the pixel numbers in a full map; healpy and other programs leave these.
void tst_map_io::indexBesideFullMap() {
    HduBytes table = tableHdu({{"PIXEL", "J"}, {"T", "E"}}, 8, 12);
    mapKeywords(table, 1, "RING");
    for (int p = 0; p < 12; ++p) {
        append(table.data, int32_t{p});
        append(table.data, static_cast<float>(plain(p)) + 0.5F);
    }
    writeBytes(path("beside.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("beside.fits"));
    QCOMPARE(map.coverage(), Coverage::Full);
    QCOMPARE(map.fieldCount(), 1);
    QCOMPARE(map.field(0).name, std::string("T"));
    QCOMPARE(map.field(0).at(7), 7.5);
    QCOMPARE(inspectFile(path("beside.fits")).columns.size(), size_t{1});
    // A single such column is the map's value.
    HduBytes alone = tableHdu({{"PIXEL", "J"}}, 4, 12);
    mapKeywords(alone, 1, "RING");
    alone.data = columnData<int32_t>(12);
    writeBytes(path("alone.fits"), primaryHdu().bytes() + alone.bytes());
    QCOMPARE(read(path("alone.fits")).field(0).at(7), 7.0);
}

void tst_map_io::nullsOfIntegers() {
    HduBytes table = tableHdu({{"J", "J"}}, 4, 12);
    mapKeywords(table, 1, "RING").set("TNULL1", -7);
    for (int p = 0; p < 12; ++p) append(table.data, static_cast<int32_t>(p == 2 ? -7 : p));
    writeBytes(path("null.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("null.fits"));
    for (int64_t p = 0; p < 12; ++p) QCOMPARE(std::isnan(map.field(0).at(p)), p == 2);
}

void tst_map_io::logicalColumns() {
    HduBytes table = tableHdu({{"MASK", "L"}}, 1, 12);
    mapKeywords(table, 1, "RING");
    table.data = std::string("TFTFTFTFTF", 10) + std::string(1, '\0') + "T";
    writeBytes(path("logical.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("logical.fits"));
    for (int64_t p = 0; p < 10; ++p) QCOMPARE(map.field(0).at(p), p % 2 == 0 ? 1.0 : 0.0);
    QVERIFY(std::isnan(map.field(0).at(10)));
    write(map, path("logical_out.fits"));
    QCOMPARE(keyword(path("logical_out.fits"), 1, "TFORM1"), std::string("1L"));
    QVERIFY(same(valuesOf(read(path("logical_out.fits")), 0), valuesOf(map, 0)));
}

void tst_map_io::iauTurnsU() {
    HduBytes table = tableHdu({{"I_STOKES", "E"}, {"Q_STOKES", "E"}, {"U_STOKES", "E"}}, 12, 12);
    mapKeywords(table, 1, "RING").setText("POLCCONV", "IAU");
    for (int p = 0; p < 12; ++p)
        for (const float x : {1.0F, 2.0F, 3.0F + static_cast<float>(p)}) append(table.data, x);
    writeBytes(path("iau.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("iau.fits"));
    QCOMPARE(map.field(1).at(4), 2.0);
    QCOMPARE(map.field(2).at(4), -7.0);
    // U alone also changes its sign.
    const HealpixMap alone = read(path("iau.fits"), {"u_stokes"});
    QCOMPARE(alone.field(0).at(4), -7.0);
    write(alone, path("u_out.fits"));
    QCOMPARE(keyword(path("u_out.fits"), 1, "POLCCONV"), std::string("IAU"));
    QCOMPARE(read(path("u_out.fits")).field(0).at(4), -7.0);
    // After writing, the sign is IAU again, bit by bit.
    write(map, path("iau_out.fits"));
    QCOMPARE(keyword(path("iau_out.fits"), 1, "POLCCONV"), std::string("IAU"));
    QCOMPARE(cfitsioColumn(path("iau_out.fits"), "U_STOKES")[4], 7.0);
}

void tst_map_io::tolerates_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("ordering");
    QTest::addColumn<int>("frame");
    const auto row = [](const char* name, const std::string& bytes, Ordering ordering,
                        Frame frame) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                            << static_cast<int>(ordering) << static_cast<int>(frame);
    };
    const auto base = [] {
        HduBytes table = tableHdu({{"T", "E"}}, 4, 48);
        mapKeywords(table, 2, "NESTED").setText("COORDSYS", "G");
        table.data = columnData<float>(48);
        return table;
    };
    const auto file = [](const HduBytes& table) { return primaryHdu().bytes() + table.bytes(); };
    HduBytes t = base();
    row("as it should be", file(t), Ordering::Nested, Frame::Galactic);
    row("NSIDE as text", file(base().setText("NSIDE", "2")), Ordering::Nested, Frame::Galactic);
    row("NSIDE as real", file(base().set("NSIDE", 2.0)), Ordering::Nested, Frame::Galactic);
    row("POLAR as text", file(base().setText("POLAR", ".true.")), Ordering::Nested,
        Frame::Galactic);
    row("no ORDERING", file(base().remove("ORDERING")), Ordering::Ring, Frame::Galactic);
    row("no PIXTYPE", file(base().remove("PIXTYPE")), Ordering::Nested, Frame::Galactic);
    row("no INDXSCHM", file(base().remove("INDXSCHM")), Ordering::Nested, Frame::Galactic);
    row("no NSIDE", file(base().remove("NSIDE")), Ordering::Nested, Frame::Galactic);
    row("no COORDSYS", file(base().remove("COORDSYS")), Ordering::Nested, Frame::Unknown);
    row("old COORD", file(base().remove("COORDSYS").setText("COORD", "E")), Ordering::Nested,
        Frame::Ecliptic);
    row("Q for equatorial", file(base().setText("COORDSYS", "Q")), Ordering::Nested,
        Frame::Equatorial);
    row("C for equatorial", file(base().setText("COORDSYS", "C")), Ordering::Nested,
        Frame::Equatorial);
    row("unknown frame", file(base().setText("COORDSYS", "unknown")), Ordering::Nested,
        Frame::Unknown);
    row("NEST", file(base().setText("ORDERING", "NEST")), Ordering::Nested, Frame::Galactic);
    row("no TTYPE", file(base().remove("TTYPE1")), Ordering::Nested, Frame::Galactic);
    row("NSIDE only",
        file(base().remove("ORDERING").remove("PIXTYPE").remove("INDXSCHM").remove("COORDSYS")),
        Ordering::Ring, Frame::Unknown);
    row("NEST = 1 alone",
        file(base().remove("ORDERING").remove("PIXTYPE").remove("INDXSCHM").set("NEST", 1)),
        Ordering::Nested, Frame::Galactic);
    HduBytes primary = primaryHdu();
    mapKeywords(primary, 2, "NESTED").setText("COORDSYS", "E");
    HduBytes bare = tableHdu({{"T", "E"}}, 4, 48);
    bare.data = columnData<float>(48);
    row("keywords in the primary header", primary.bytes() + bare.bytes(), Ordering::Nested,
        Frame::Ecliptic);
    std::string unpadded = file(base());
    unpadded.resize(unpadded.size() - 2880 + 48 * 4);
    row("no padding at the end", unpadded, Ordering::Nested, Frame::Galactic);
    row("rubbish behind the end", file(base()) + std::string(1000, 'x'), Ordering::Nested,
        Frame::Galactic);
}

void tst_map_io::tolerates() {
    QFETCH(QByteArray, file);
    QFETCH(int, ordering);
    QFETCH(int, frame);
    writeBytes(path("tolerated.fits"), file.toStdString());
    const HealpixMap map = read(path("tolerated.fits"));
    QCOMPARE(map.nside(), int64_t{2});
    QCOMPARE(static_cast<int>(map.ordering()), ordering);
    QCOMPARE(static_cast<int>(map.frame()), frame);
    for (int64_t p = 0; p < 48; ++p) QCOMPARE(map.field(0).at(p), plain(p));
    const FileSummary summary = inspectFile(path("tolerated.fits"));
    QCOMPARE(summary.kind, FileKind::Map);
    QCOMPARE(summary.nside, int64_t{2});
    QCOMPARE(static_cast<int>(summary.ordering), ordering);
    QCOMPARE(summary.columns.size(), size_t{1});
}

void tst_map_io::partialSortsRows() {
    // Every index name, rows in descending order, values that name their pixel.
    for (const std::string name : {"PIXEL", "PIX", "HPIX", "pixel"}) {
        HduBytes table = tableHdu({{name, "K"}, {"T", "E"}, {"N", "I"}}, 14, 50);
        mapKeywords(table, 64, "RING").setText("INDXSCHM", "EXPLICIT").setText("OBJECT", "PARTIAL");
        if (name == "HPIX") table.remove("INDXSCHM").remove("ORDERING").remove("PIXTYPE");
        for (int row = 0; row < 50; ++row) {
            const int64_t pixel = 1000 - 13 * row;
            append(table.data, pixel);
            append(table.data, static_cast<float>(pixel) + 0.25F);
            append(table.data, static_cast<int16_t>(pixel));
        }
        writeBytes(path("partial.fits"), primaryHdu().bytes() + table.bytes());
        const HealpixMap map = read(path("partial.fits"));
        QCOMPARE(map.coverage(), Coverage::Partial);
        QCOMPARE(map.fieldCount(), 2);
        QCOMPARE(map.elementCount(), int64_t{50});
        for (int64_t i = 0; i < 50; ++i) {
            const int64_t pixel = 1000 - 13 * (49 - i);
            QCOMPARE(map.pixels()[static_cast<size_t>(i)], pixel);
            QCOMPARE(map.field(0).at(i), static_cast<double>(pixel) + 0.25);
            QCOMPARE(map.field(1).at(i), static_cast<double>(pixel));
        }
        QCOMPARE(inspectFile(path("partial.fits")).kind, FileKind::PartialMap);
    }
}

void tst_map_io::cut4() {
    HduBytes table =
        tableHdu({{"PIXEL", "1J"}, {"SIGNAL", "1E"}, {"N_OBS", "1J"}, {"SERROR", "1E"}}, 16, 3);
    mapKeywords(table, 8, "NESTED").setText("INDXSCHM", "EXPLICIT").setText("OBJECT", "PARTIAL");
    const int32_t pixels[] = {5, 17, 700};
    for (const int32_t p : pixels) {
        append(table.data, p);
        append(table.data, static_cast<float>(p) * 2.0F);
        append(table.data, p + 1);
        append(table.data, static_cast<float>(kUnseen));
    }
    writeBytes(path("cut4.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("cut4.fits"));
    QCOMPARE(map.fieldCount(), 3);
    QCOMPARE(map.value(0, 17), 34.0);
    QCOMPARE(map.value(1, 700), 701.0);
    QVERIFY(std::isnan(map.value(2, 5)));
    QVERIFY(std::isnan(map.value(0, 6)));
}

void tst_map_io::multiOrder() {
    // The sky once: face 0 split to order 1, one of these to order 2, the other faces whole.
    std::vector<std::pair<int, int64_t>> cells;
    for (int64_t face = 11; face >= 1; --face) cells.emplace_back(0, face);
    for (int64_t i = 0; i < 3; ++i) cells.emplace_back(1, i);
    for (int64_t i = 12; i < 16; ++i) cells.emplace_back(2, i);
    HduBytes table =
        tableHdu({{"UNIQ", "K"}, {"PROB", "D"}}, 16, static_cast<int64_t>(cells.size()));
    table.setText("PIXTYPE", "HEALPIX").setText("ORDERING", "NUNIQ").setText("COORDSYS", "C");
    for (const auto& [order, pixel] : cells) {
        append(table.data, (int64_t{4} << (2 * order)) + pixel);
        append(table.data, 100.0 * order + static_cast<double>(pixel));
    }
    writeBytes(path("nuniq.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("nuniq.fits"));
    QCOMPARE(map.coverage(), Coverage::MultiOrder);
    QCOMPARE(map.nside(), int64_t{4});
    QCOMPARE(map.elementCount(), int64_t{18});
    for (int64_t p = 0; p < 192; ++p) {
        const double expected = p >= 16   ? static_cast<double>(p / 16)
                                : p >= 12 ? 200.0 + static_cast<double>(p)
                                          : 100.0 + static_cast<double>(p / 4);
        QCOMPARE(map.value(0, p), expected);
    }
    const FileSummary summary = inspectFile(path("nuniq.fits"));
    QCOMPARE(summary.kind, FileKind::MultiOrderMap);
    QCOMPARE(summary.nside, int64_t{4});
}

void tst_map_io::coverageMap() {
    HduBytes table = tableHdu({{"UNIQ", "1J"}}, 4, 2);
    table.setText("PIXTYPE", "HEALPIX").setText("ORDERING", "NUNIQ").set("MOCORDER", 29);
    append(table.data, int32_t{4 + 7});
    append(table.data, int32_t{16 + 3});
    writeBytes(path("moc.fits"), primaryHdu().bytes() + table.bytes());
    const HealpixMap map = read(path("moc.fits"));
    QCOMPARE(map.nside(), int64_t{2});
    QCOMPARE(map.field(0).name, std::string("COVERAGE"));
    // A mask: 1 on the cells, 0 on the rest of the sky.
    for (int64_t p = 0; p < 48; ++p) QCOMPARE(map.value(0, p), p == 3 || p / 4 == 7 ? 1.0 : 0.0);
    // Its only field has a name and a number, like fields of other maps.
    QCOMPARE(read(path("moc.fits"), {"1"}).fieldCount(), 1);
    QCOMPARE(read(path("moc.fits"), {"coverage"}).fieldCount(), 1);
}

void tst_map_io::choosesHduAndFields() {
    HduBytes first = tableHdu({{"RA", "D"}, {"DEC", "D"}}, 16, 0);
    HduBytes second = tableHdu({{"A", "E"}, {"B", "E"}}, 8, 12);
    mapKeywords(second, 1, "RING").setText("EXTNAME", "LOW");
    HduBytes third = tableHdu({{"A", "E"}}, 4, 48);
    mapKeywords(third, 2, "RING").setText("EXTNAME", "HIGH");
    for (int i = 0; i < 12; ++i) {
        append(second.data, 1.0F);
        append(second.data, 2.0F);
    }
    third.data = columnData<float>(48);
    const std::string file = path("several.fits");
    writeBytes(file, primaryHdu().bytes() + first.bytes() + second.bytes() + third.bytes());
    QCOMPARE(read(file).nside(), int64_t{1});
    QCOMPARE(read(file + "[3]").nside(), int64_t{2});
    QCOMPARE(read(file + "[high]").nside(), int64_t{2});
    QCOMPARE(inspectFile(file + "[3]").hdu, 3);
    QCOMPARE(inspectFile(file + "[1]").kind, FileKind::Catalog);
    // The selector of each HDU: its name, if that is a word and unique.
    const auto selectors = [&](const std::string& of) {
        std::string all;
        for (const HduSummary& hdu : listHdus(of)) {
            all += " " + hdu.selector;
            if (hdu.kind && inspectFile(of + "[" + hdu.selector + "]").hdu != hdu.number)
                all += " (another)";
        }
        return all;
    };
    QCOMPARE(selectors(file), std::string(" 0 1 LOW HIGH"));
    third.setText("EXTNAME", "low");
    first.setText("EXTNAME", "12");
    HduBytes fourth = third;
    fourth.setText("EXTNAME", "two words");
    writeBytes(path("same.fits"), primaryHdu().bytes() + first.bytes() + second.bytes() +
                                      third.bytes() + fourth.bytes());
    QCOMPARE(selectors(path("same.fits")), std::string(" 0 1 2 3 4"));
    const HealpixMap chosen = read(file, {"2", "a"});
    QCOMPARE(chosen.fieldCount(), 2);
    QCOMPARE(chosen.field(0).name, std::string("B"));
    QCOMPARE(chosen.field(1).at(0), 1.0);
}

void tst_map_io::literalBracketsInName() {
    HduBytes table = tableHdu({{"T", "E"}}, 4, 12);
    mapKeywords(table, 1, "RING");
    table.data = columnData<float>(12);
    for (const char* name : {"a[1].fits", "b[7]", "c(x).fits", "d.fits+1"}) {
        writeBytes(path(name), primaryHdu().bytes() + table.bytes());
        QCOMPARE(read(path(name)).nside(), int64_t{1});
    }
    QCOMPARE(read(path("a[1].fits") + "[1]").nside(), int64_t{1});
}

QTEST_GUILESS_MAIN(tst_map_io)
#include "tst_map_io.moc"
