// SPDX-License-Identifier: GPL-3.0-or-later
// Written maps, read again and checked with cfitsio.
#include <fitsio.h>

#include <QtTest>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/io/table_io.h"
#include "compute/fits_bytes.h"
#include "compute/map_files.h"
#include "support/process_variable.h"

using namespace armilla;
using namespace armilla::testing;

class tst_map_write : public MapFileTest {
    Q_OBJECT

private slots:
    void writesFull();
    void writesIntegers_data();
    void writesIntegers();
    void writesPartialAndMultiOrder();
    void carriesCards();
    void sameInputSameBytes();
    void storesEveryValue_data();
    void storesEveryValue();
    void writesMatrices();
    void cancels();
};

void tst_map_write::writesFull() {
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

void tst_map_write::writesIntegers_data() {
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

void tst_map_write::writesIntegers() {
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

void tst_map_write::writesPartialAndMultiOrder() {
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

void tst_map_write::carriesCards() {
    HduBytes primary = primaryHdu();
    primary.setText("TELESCOP", "COBE").setText("DETNAM", "primary");
    HduBytes table = tableHdu({{"T", "E"}}, 4, 12);
    mapKeywords(table, 1, "RING").setText("OBJECT", "G184098").setText("EXTNAME", "SKY");
    table.setText("DETNAM", "table").set("FREQ", 143.0).card("COMMENT about the sky");
    table.card("HIERARCH long keyword = 'kept'")
        .card("HISTORY made by hand")
        .card("HISTORY  twice");
    // Long texts: that of a rewritten keyword is removed with all its cards, others stay complete.
    table.card("TCOMM1  = 'a text that is &'").card("CONTINUE  'dropped'");
    table.card("NOTE    = 'a text that is &'").card("CONTINUE  'carried'");
    // Cards that the standard does not allow are carried in a form that it does.
    table.card("lower   =                    5").card("FREE=7");
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
                             "HISTORY made by hand", "HISTORY  twice",
                             "LOWER   =                    5", "COMMENT FREE=7"})
        QVERIFY2(bytes.find(card) != std::string::npos, card);
    QVERIFY(bytes.find("CONTINUE  'carried'") != std::string::npos);
    QVERIFY(bytes.find("CONTINUE  'dropped'") == std::string::npos);
    const HealpixMap again = read(file);
    QCOMPARE(again.metadata().history.size(), size_t{4});
    QCOMPARE(again.metadata().history[0], std::string("made by hand"));
    QCOMPARE(again.metadata().history[1], std::string(" twice"));
    QCOMPARE(again.metadata().history[2] + again.metadata().history[3], line);
}

void tst_map_write::sameInputSameBytes() {
    test::setVariable("SOURCE_DATE_EPOCH", "1000000000");
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
    test::unsetVariable("SOURCE_DATE_EPOCH");
}

void tst_map_write::storesEveryValue_data() {
    QTest::addColumn<bool>("single");
    QTest::newRow("single") << true;
    QTest::newRow("double") << false;
}

// Bad values, zero, the smallest and the largest numbers at every place within a vector
// of values, in rows of 1024 values. cfitsio reads them, -0 as 0.
void tst_map_write::storesEveryValue() {
    QFETCH(bool, single);
    const auto pixels = static_cast<size_t>(pixelCount(16));
    const auto check = [&]<typename T>(T) {
        using Limits = std::numeric_limits<T>;
        const T special[] = {T(1) / T(3),         -T(0),
                             Limits::quiet_NaN(), Limits::max(),
                             Limits::min(),       Limits::infinity(),
                             Limits::lowest(),    T(-1.25e-7),
                             -Limits::infinity(), T(3.0e30),
                             Limits::epsilon()};
        std::vector<T> values(pixels), truth(pixels);
        for (size_t p = 0; p < pixels; ++p) {
            values[p] = truth[p] = special[p % std::size(special)];
            if (!std::isfinite(truth[p])) truth[p] = static_cast<T>(kUnseen);
        }
        Field field;
        field.name = "T";
        field.values = values;
        write(HealpixMap(16, Ordering::Ring, Frame::Galactic, {field}), path("values.fits"));
        QVERIFY(checksumsHold(path("values.fits")));
        const std::vector<double> found = cfitsioColumn(path("values.fits"), "T");
        QCOMPARE(found.size(), pixels);
        for (size_t p = 0; p < pixels; ++p) {
            QVERIFY(found[p] == static_cast<double>(truth[p]));
        }
    };
    if (single)
        check(float{});
    else
        check(double{});
}

// Matrices of several pieces of a megabyte, written by several threads.
void tst_map_write::writesMatrices() {
    constexpr int64_t kRows = 701, kColumns = 403;
    TableMatrix matrix{"COVARIANCE", kRows, kColumns, {}};
    for (int64_t i = 0; i < kRows * kColumns; ++i)
        matrix.values.push_back(std::ldexp(static_cast<double>(i) - 1000.5, int(i % 61) - 30));
    Table table;
    TableColumn column;
    column.name = "L";
    column.values = std::vector<double>{2.0, 3.0};
    table.columns.push_back(column);
    JobContext threeThreads({}, {}, 3);
    writeTable(table, path("bands.fits"), {true, {}, {matrix}}, threeThreads);
    QVERIFY(checksumsHold(path("bands.fits")));
    Opened opened(path("bands.fits"));
    fits_movabs_hdu(opened.file, 3, nullptr, &opened.status);
    std::vector<double> found(matrix.values.size());
    int anyNull = 0;
    fits_read_img(opened.file, TDOUBLE, 1, kRows * kColumns, nullptr, found.data(), &anyNull,
                  &opened.status);
    QCOMPARE(opened.status, 0);
    QVERIFY(found == matrix.values);
}

void tst_map_write::cancels() {
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

QTEST_GUILESS_MAIN(tst_map_write)
#include "tst_map_write.moc"
