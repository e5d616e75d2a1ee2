// SPDX-License-Identifier: GPL-3.0-or-later
// Maps read from files made byte by byte here, and written maps as cfitsio sees them.
#include <fitsio.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <limits>

#include "compute/fits_bytes.h"
#include "core/error.h"
#include "io/map_io.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

// Any value for pixel p that is exact in every numeric type from 8 bits on.
double plain(int64_t p) {
    return static_cast<double>(p % 120);
}

template <class T>
std::string columnData(int64_t count) {
    std::string data;
    for (int64_t p = 0; p < count; ++p) append(data, static_cast<T>(plain(p)));
    return data;
}

std::vector<double> valuesOf(const HealpixMap& map, int field) {
    std::vector<double> values;
    for (int64_t i = 0; i < map.elementCount(); ++i) values.push_back(map.field(field).at(i));
    return values;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))) return false;
    return true;
}

// A file closed by its destructor; fails the test on any status of cfitsio.
class Opened {
public:
    explicit Opened(const std::string& path) {
        fits_open_diskfile(&file, path.c_str(), READONLY, &status);
    }
    ~Opened() {
        int ignored = 0;
        if (file != nullptr) fits_close_file(file, &ignored);
    }
    fitsfile* file = nullptr;
    int status = 0;
};

std::string keyword(const std::string& path, int hdu, const char* key) {
    Opened opened(path);
    char value[FLEN_VALUE] = "";
    fits_movabs_hdu(opened.file, hdu + 1, nullptr, &opened.status);
    fits_read_key(opened.file, TSTRING, key, value, nullptr, &opened.status);
    if (opened.status != 0) return "none";
    return value;
}

// Both checksums of every HDU as cfitsio verifies them.
bool checksumsHold(const std::string& path) {
    Opened opened(path);
    int count = 0, dataOk = 0, hduOk = 0;
    fits_get_num_hdus(opened.file, &count, &opened.status);
    for (int i = 1; i <= count && opened.status == 0; ++i) {
        fits_movabs_hdu(opened.file, i, nullptr, &opened.status);
        fits_verify_chksum(opened.file, &dataOk, &hduOk, &opened.status);
        if (dataOk != 1 || hduOk != 1) return false;
    }
    return opened.status == 0 && count > 0;
}

std::vector<double> cfitsioColumn(const std::string& path, const char* name) {
    Opened opened(path);
    int column = 0, type = 0;
    long rows = 0, repeat = 0;
    fits_movabs_hdu(opened.file, 2, nullptr, &opened.status);
    fits_get_num_rows(opened.file, &rows, &opened.status);
    fits_get_colnum(opened.file, CASEINSEN, const_cast<char*>(name), &column, &opened.status);
    fits_get_coltype(opened.file, column, &type, &repeat, nullptr, &opened.status);
    std::vector<double> values(static_cast<size_t>(rows * repeat));
    double null = kNan;
    int anyNull = 0;
    fits_read_col(opened.file, TDOUBLE, column, 1, 1, rows * repeat, &null, values.data(), &anyNull,
                  &opened.status);
    return opened.status == 0 ? values : std::vector<double>{};
}

}  // namespace

class tst_map_io : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string path(const char* name) const { return (folder_.path() + '/' + name).toStdString(); }
    HealpixMap read(const std::string& file, std::vector<std::string> fields = {}) {
        JobContext job;
        return readMap(file, {std::move(fields)}, job);
    }
    void write(const HealpixMap& map, const std::string& file,
               StoredPrecision precision = StoredPrecision::AsRead) {
        JobContext job;
        writeMap(map, file, {true, precision, {}}, job);
    }

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
    void gzip();
    void gzipMembers();
    void tileCompressed();
    void writesFull();
    void writesIntegers_data();
    void writesIntegers();
    void writesPartialAndMultiOrder();
    void carriesCards();
    void sameInputSameBytes();
    void cancels();
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
    // Scaled as doubles, 5 would vanish beside 2^63.
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
    // On disk again: the sentinel of the file, for floats and integers.
    write(map, path("sentinel_out.fits"));
    QCOMPARE(std::stod(keyword(path("sentinel_out.fits"), 1, "BAD_DATA")), -9999.0);
    QCOMPARE(keyword(path("sentinel_out.fits"), 1, "TNULL2"), std::string("-9999"));
    QCOMPARE(cfitsioColumn(path("sentinel_out.fits"), "E")[3], -9999.0);
    QVERIFY(same(valuesOf(read(path("sentinel_out.fits")), 1), valuesOf(map, 1)));

    // A good value where the sentinel lies would be lost: then UNSEEN is written.
    HealpixMap clash = map;
    std::get<std::vector<float>>(clash.field(0).values)[0] = -9999.0F;
    write(clash, path("clash.fits"));
    QCOMPARE(std::stod(keyword(path("clash.fits"), 1, "BAD_DATA")), kUnseen);
    QCOMPARE(read(path("clash.fits")).field(0).at(0), -9999.0);
    // So does one in a column of whole numbers, with or without bad pixels beside it.
    for (const int64_t pixel : {0, 5}) {
        HealpixMap whole = map;
        std::get<std::vector<float>>(whole.field(1).values)[static_cast<size_t>(pixel)] = -9999.0F;
        write(whole, path("clash.fits"));
        QVERIFY(same(valuesOf(read(path("clash.fits")), 1), valuesOf(whole, 1)));
    }
}

// A tolerance made for rounded reals would swallow whole numbers beside the sentinel.
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
        // Scaled: half of these numbers, none near the sentinel; the stored sentinel still is one.
        QCOMPARE(std::isnan(map.field(1).at(p)), p == 4);
    }
    // Only the whole number itself needs another sentinel.
    write(map, path("neighbors_out.fits"));
    QVERIFY(same(valuesOf(read(path("neighbors_out.fits")), 0), valuesOf(map, 0)));
    QCOMPARE(keyword(path("neighbors_out.fits"), 1, "TNULL1"), std::string("1000000"));
}

// Files that repeat the pixel numbers beside a full map; healpy and others leave them there.
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
    // Alone it is the map's value.
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
    // U alone turns as well.
    const HealpixMap alone = read(path("iau.fits"), {"u_stokes"});
    QCOMPARE(alone.field(0).at(4), -7.0);
    write(alone, path("u_out.fits"));
    QCOMPARE(keyword(path("u_out.fits"), 1, "POLCCONV"), std::string("IAU"));
    QCOMPARE(read(path("u_out.fits")).field(0).at(4), -7.0);
    // Back on disk it is IAU again, bit by bit.
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
    for (int64_t p = 0; p < 48; ++p) QCOMPARE(std::isnan(map.value(0, p)), !(p == 3 || p / 4 == 7));
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

void tst_map_io::gzip() {
    // Larger than any buffer on the way: nside 512 in float is 12.6 MB.
    const int64_t count = pixelCount(512);
    HduBytes table = tableHdu({{"T", "1024E"}}, 4096, count / 1024);
    mapKeywords(table, 512, "RING");
    for (int64_t p = 0; p < count; ++p) append(table.data, static_cast<float>(p));
    writeBytes(path("plain.fits"), primaryHdu().bytes() + table.bytes());
    QCOMPARE(QProcess::execute("gzip", {"-1", "-k", QString::fromStdString(path("plain.fits"))}),
             0);
    const HealpixMap map = read(path("plain.fits.gz"));
    const auto& values = std::get<std::vector<float>>(map.field(0).values);
    for (int64_t p = 0; p < count; ++p)
        if (values[static_cast<size_t>(p)] != static_cast<float>(p)) QFAIL("wrong value");
    QCOMPARE(inspectFile(path("plain.fits.gz")).nside, int64_t{512});
}

// `cat a.gz b.gz` is a gzip file; bgzip writes one member for each 64 KiB and an empty one at last.
void tst_map_io::gzipMembers() {
    HduBytes table = tableHdu({{"T", "E"}}, 4, 49152);
    mapKeywords(table, 64, "RING");
    table.data = columnData<float>(49152);
    const std::string whole = primaryHdu().bytes() + table.bytes();
    std::string packed;
    // Cuts within a header, within the data and within a value; the last member is empty.
    const std::vector<size_t> cuts = {0, 100, 40000, 100001, whole.size(), whole.size()};
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
        writeBytes(path("part"), whole.substr(cuts[i], cuts[i + 1] - cuts[i]));
        QCOMPARE(QProcess::execute("gzip", {"-f", QString::fromStdString(path("part"))}), 0);
        packed += readBytes(path("part.gz"));
    }
    std::vector<double> expected;
    for (int64_t p = 0; p < 49152; ++p) expected.push_back(plain(p));
    writeBytes(path("members.fits.gz"), packed);
    QVERIFY(same(valuesOf(read(path("members.fits.gz")), 0), expected));
    // Blocks of tapes are filled with zeros.
    writeBytes(path("members.fits.gz"), packed + std::string(3000, '\0'));
    QVERIFY(same(valuesOf(read(path("members.fits.gz")), 0), expected));
}

void tst_map_io::tileCompressed() {
    const int64_t count = pixelCount(16);
    HduBytes table = tableHdu({{"T", "E"}, {"N", "J"}}, 8, count);
    mapKeywords(table, 16, "NESTED").setText("EXTNAME", "SKY");
    for (int64_t p = 0; p < count; ++p) {
        append(table.data, static_cast<float>(p) * 0.5F);
        append(table.data, static_cast<int32_t>(p));
    }
    writeBytes(path("to_pack.fits"), primaryHdu().bytes() + table.bytes());
    int status = 0;
    fitsfile *in = nullptr, *out = nullptr;
    fits_open_diskfile(&in, path("to_pack.fits").c_str(), READONLY, &status);
    fits_create_diskfile(&out, path("packed.fits.fz").c_str(), &status);
    fits_copy_hdu(in, out, 0, &status);
    fits_movabs_hdu(in, 2, nullptr, &status);
    fits_compress_table(in, out, &status);
    fits_close_file(in, &status);
    fits_close_file(out, &status);
    QCOMPARE(status, 0);
    QCOMPARE(keyword(path("packed.fits.fz"), 1, "ZTABLE"), std::string("T"));
    const HealpixMap map = read(path("packed.fits.fz"));
    QCOMPARE(map.nside(), int64_t{16});
    for (int64_t p = 0; p < count; ++p) {
        QCOMPARE(map.field(0).at(p), 0.5 * static_cast<double>(p));
        QCOMPARE(map.field(1).at(p), static_cast<double>(p));
    }
    QCOMPARE(read(path("packed.fits.fz") + "[SKY]").nside(), int64_t{16});
}

void tst_map_io::writesFull() {
    std::vector<Field> fields(3);
    const char* names[] = {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"};
    for (size_t f = 0; f < 3; ++f) {
        fields[f].name = names[f];
        fields[f].unit = "\u00b5K";
        std::vector<float> values(static_cast<size_t>(pixelCount(16)));
        for (size_t p = 0; p < values.size(); ++p)
            values[p] = static_cast<float>(p) * 0.1F + static_cast<float>(f);
        values[7] = std::numeric_limits<float>::quiet_NaN();
        fields[f].values = values;
    }
    const HealpixMap map(16, Ordering::Nested, Frame::Galactic, fields);
    write(map, path("full.fits"));
    const std::string file = path("full.fits");
    QVERIFY(checksumsHold(file));
    const std::pair<const char*, const char*> expected[] = {
        {"PIXTYPE", "HEALPIX"}, {"ORDERING", "NESTED"},
        {"NSIDE", "16"},        {"FIRSTPIX", "0"},
        {"LASTPIX", "3071"},    {"INDXSCHM", "IMPLICIT"},
        {"OBJECT", "FULLSKY"},  {"COORDSYS", "G"},
        {"POLCCONV", "COSMO"},  {"TTYPE2", "Q_POLARISATION"},
        {"TFORM1", "1024E"},    {"TUNIT1", "uK"}};
    for (const auto& [key, value] : expected) QCOMPARE(keyword(file, 1, key), std::string(value));
    QCOMPARE(std::stod(keyword(file, 1, "BAD_DATA")), kUnseen);
    QVERIFY(keyword(file, 1, "DATE").size() == 19);
    const std::vector<double> q = cfitsioColumn(file, "Q_POLARISATION");
    QCOMPARE(q.size(), size_t{3072});
    QCOMPARE(q[7], static_cast<double>(static_cast<float>(kUnseen)));
    QCOMPARE(q[100], static_cast<double>(100 * 0.1F + 1.0F));
    const HealpixMap back = read(file);
    for (int f = 0; f < 3; ++f) QVERIFY(same(valuesOf(back, f), valuesOf(map, f)));
    write(map, path("double.fits"), StoredPrecision::Double);
    QCOMPARE(keyword(path("double.fits"), 1, "TFORM1"), std::string("1024D"));
    QVERIFY(same(valuesOf(read(path("double.fits")), 2), valuesOf(map, 2)));
}

void tst_map_io::writesIntegers_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<double>("special");  // the value of pixel 1
    QTest::addColumn<bool>("bad");        // pixel 2 is bad
    QTest::addColumn<QString>("form");
    const auto t = [](DiskType type) { return static_cast<int>(type); };
    QTest::newRow("bytes") << t(DiskType::UInt8) << 255.0 << false << "1B";
    QTest::newRow("bytes, bad") << t(DiskType::UInt8) << 255.0 << true << "1B";
    QTest::newRow("bytes outgrown") << t(DiskType::UInt8) << 256.0 << false << "1E";
    QTest::newRow("16 bits") << t(DiskType::Int16) << -32768.0 << false << "1I";
    QTest::newRow("16 bits, bad, least value in use")
        << t(DiskType::Int16) << -32768.0 << true << "1I";
    QTest::newRow("32 bits") << t(DiskType::Int32) << 2147483647.0 << true << "1J";
    QTest::newRow("64 bits") << t(DiskType::Int64) << 9007199254740991.0 << true << "1K";
    QTest::newRow("no longer whole") << t(DiskType::Int32) << 0.5 << true << "1D";
}

void tst_map_io::writesIntegers() {
    QFETCH(int, type);
    QFETCH(double, special);
    QFETCH(bool, bad);
    QFETCH(QString, form);
    Field field;
    field.name = "N";
    field.diskType = static_cast<DiskType>(type);
    std::vector<double> values = {0, special, bad ? kNan : 3.0, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const bool narrow = field.diskType == DiskType::UInt8 || field.diskType == DiskType::Int16;
    if (narrow)
        field.values = std::vector<float>(values.begin(), values.end());
    else
        field.values = values;
    const HealpixMap map(1, Ordering::Ring, Frame::Unknown, {field});
    write(map, path("whole.fits"));
    QCOMPARE(keyword(path("whole.fits"), 1, "TFORM1"), form.toStdString());
    QVERIFY(same(valuesOf(read(path("whole.fits")), 0), values));
    QVERIFY(checksumsHold(path("whole.fits")));
    // cfitsio sees the bad pixel too (TNULL, or the sentinel in a column of reals).
    const std::vector<double> seen = cfitsioColumn(path("whole.fits"), "N");
    QCOMPARE(seen[1], special);
    QCOMPARE(std::isnan(seen[2]) || seen[2] == kUnseen, bad);
}

void tst_map_io::writesPartialAndMultiOrder() {
    Field field;
    field.name = "T";
    field.values = std::vector<float>{1.0F, 2.0F, 3.0F};
    const HealpixMap partial =
        HealpixMap::partial(int64_t{1} << 20, Ordering::Nested, Frame::Equatorial,
                            {3, int64_t{1} << 40, pixelCount(1 << 20) - 1}, {field});
    write(partial, path("sparse.fits"));
    QVERIFY(checksumsHold(path("sparse.fits")));
    QCOMPARE(keyword(path("sparse.fits"), 1, "TFORM1"), std::string("1K"));
    QCOMPARE(keyword(path("sparse.fits"), 1, "INDXSCHM"), std::string("EXPLICIT"));
    QCOMPARE(keyword(path("sparse.fits"), 1, "OBJECT"), std::string("PARTIAL"));
    const HealpixMap back = read(path("sparse.fits"));
    QVERIFY(std::equal(back.pixels().begin(), back.pixels().end(), partial.pixels().begin(),
                       partial.pixels().end()));
    QVERIFY(same(valuesOf(back, 0), valuesOf(partial, 0)));

    const HealpixMap cells =
        HealpixMap::multiOrder(4, Frame::Equatorial, {0, 8, 176}, {2, 1, 0}, {field});
    write(cells, path("cells.fits"));
    QVERIFY(checksumsHold(path("cells.fits")));
    QCOMPARE(keyword(path("cells.fits"), 1, "ORDERING"), std::string("NUNIQ"));
    // Ascending UNIQ: face 11 (15), then order 1 pixel 2 (18), then order 2 pixel 0 (64).
    QVERIFY(same(cfitsioColumn(path("cells.fits"), "UNIQ"), {15, 18, 64}));
    QVERIFY(same(cfitsioColumn(path("cells.fits"), "T"), {3, 2, 1}));
    const HealpixMap cellsBack = read(path("cells.fits"));
    QCOMPARE(cellsBack.nside(), int64_t{4});
    QVERIFY(same(valuesOf(cellsBack, 0), valuesOf(cells, 0)));
}

void tst_map_io::carriesCards() {
    HduBytes primary = primaryHdu();
    primary.setText("TELESCOP", "COBE").setText("DETNAM", "primary");
    HduBytes table = tableHdu({{"T", "E"}}, 4, 12);
    mapKeywords(table, 1, "RING").setText("OBJECT", "G184098").setText("EXTNAME", "SKY");
    table.setText("DETNAM", "table").set("FREQ", 143.0).card("COMMENT about the sky");
    table.card("HIERARCH long keyword = 'kept'")
        .card("HISTORY made by hand")
        .card("HISTORY  twice");
    // Long texts: that of a keyword written anew goes with all its cards, others stay whole.
    table.card("TCOMM1  = 'a text that is &'").card("CONTINUE  'dropped'");
    table.card("NOTE    = 'a text that is &'").card("CONTINUE  'carried'");
    table.data = columnData<float>(12);
    writeBytes(path("cards.fits"), primary.bytes() + table.bytes());
    const HealpixMap map = read(path("cards.fits"));
    JobContext job;
    const std::string line = "armilla smooth " + std::string(100, 'x');
    writeMap(map, path("cards_out.fits"), {true, StoredPrecision::AsRead, {line}}, job);
    const std::string file = path("cards_out.fits");
    QCOMPARE(keyword(file, 1, "TELESCOP"), std::string("COBE"));
    QCOMPARE(keyword(file, 1, "DETNAM"), std::string("table"));
    QCOMPARE(keyword(file, 1, "OBJECT"), std::string("G184098"));
    QCOMPARE(keyword(file, 1, "EXTNAME"), std::string("SKY"));
    const std::string bytes = readBytes(file);
    for (const char* card : {"FREQ    =", "COMMENT about the sky", "HIERARCH long keyword = 'kept'",
                             "HISTORY made by hand", "HISTORY  twice"})
        QVERIFY2(bytes.find(card) != std::string::npos, card);
    QVERIFY(bytes.find("CONTINUE  'carried'") != std::string::npos);
    QVERIFY(bytes.find("CONTINUE  'dropped'") == std::string::npos);
    const HealpixMap again = read(file);
    QCOMPARE(again.metadata().history.size(), size_t{4});
    QCOMPARE(again.metadata().history[0], std::string("made by hand"));
    QCOMPARE(again.metadata().history[1], std::string(" twice"));
    QCOMPARE(again.metadata().history[2] + again.metadata().history[3], line);
}

void tst_map_io::sameInputSameBytes() {
    qputenv("SOURCE_DATE_EPOCH", "1000000000");
    Field field;
    field.name = "T";
    std::vector<float> values(static_cast<size_t>(pixelCount(256)));
    for (size_t p = 0; p < values.size(); ++p) values[p] = std::sin(static_cast<float>(p));
    field.values = values;
    const HealpixMap map(256, Ordering::Ring, Frame::Galactic, {field});
    write(map, path("once.fits"));
    JobContext twoThreads({}, {}, 2);
    writeMap(map, path("twice.fits"), {true, StoredPrecision::AsRead, {}}, twoThreads);
    QVERIFY(readBytes(path("once.fits")) == readBytes(path("twice.fits")));
    QCOMPARE(keyword(path("once.fits"), 1, "DATE"), std::string("2001-09-09T01:46:40"));
    qunsetenv("SOURCE_DATE_EPOCH");
}

void tst_map_io::cancels() {
    Field field;
    field.name = "T";
    field.values = std::vector<float>(static_cast<size_t>(pixelCount(256)), 1.0F);
    const HealpixMap map(256, Ordering::Ring, Frame::Galactic, {field});
    write(map, path("whole.fits"));
    std::stop_source stop;
    JobContext job(
        stop.get_token(),
        [&](double fraction, std::string_view) {
            if (fraction > 0.3) stop.request_stop();
        },
        1);
    QVERIFY_THROWS_EXCEPTION(Cancelled, readMap(path("whole.fits"), {}, job));
    std::stop_source stopped;
    stopped.request_stop();
    JobContext stoppedJob(stopped.get_token(), {}, 1);
    QVERIFY_THROWS_EXCEPTION(Cancelled, writeMap(map, path("never.fits"), {}, stoppedJob));
    QVERIFY(!QFile::exists(QString::fromStdString(path("never.fits"))));
    // Nothing half-written stays behind.
    QVERIFY(QDir(folder_.path()).entryList({".*.part"}, QDir::Files | QDir::Hidden).isEmpty());
}

QTEST_GUILESS_MAIN(tst_map_io)
#include "tst_map_io.moc"
