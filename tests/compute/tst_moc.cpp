// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage maps in their formats, gadf's sparse maps, packed outputs and pipes.
#include <fcntl.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <optional>
#include <thread>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/map_io.h"
#include "armilla/io/moc_io.h"
#include "armilla/io/table_io.h"
#include "compute/fits_bytes.h"
#include "support/process_variable.h"

using namespace armilla;
using namespace armilla::testing;

class tst_moc : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    JobContext job_;
    std::string path(const char* name) const { return (folder_.path() + '/' + name).toStdString(); }
    std::string written(const std::string& content, const char* name) const {
        writeBytes(path(name), content);
        return path(name);
    }
    HealpixMap read(const std::string& file) { return readMap(file, {}, job_); }
    std::string refusal(const std::string& file) {
        try {
            read(file);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }
    static HduBytes rangeTable(const std::vector<int64_t>& bounds) {
        HduBytes table = tableHdu({{"RANGE", "1K"}}, 8, static_cast<int64_t>(bounds.size()));
        table.setText("MOCVERS", "2.0").setText("MOCDIM", "SPACE").setText("ORDERING", "RANGE");
        table.set("MOCORD_S", 29).setText("COORDSYS", "C");
        for (const int64_t bound : bounds) append(table.data, bound);
        return table;
    }

private slots:
    void ranges();
    void texts();
    void refusals_data();
    void refusals();
    void timesAreRefused();
    void writtenAndRead();
    void empty_data();
    void empty();
    void declaredOrders();
    void sparse();
    void local();
    void packedOutputs();
    void pipes();
    void hdus();
};

// Pixels 1 to 4 of order 1 (a run over two base pixels) as one range of order 29.
void tst_moc::ranges() {
    const int64_t unit = int64_t{1} << 56;  // pixels of order 29 in one of order 1
    const HealpixMap map =
        read(written(primaryHdu().bytes() + rangeTable({unit, 5 * unit}).bytes(), "range.fits"));
    QCOMPARE(map.nside(), int64_t{2});
    QCOMPARE(map.frame(), Frame::Equatorial);
    for (int64_t p = 0; p < 48; ++p) QCOMPARE(map.value(0, p), p >= 1 && p < 5 ? 1.0 : 0.0);
    QCOMPARE(inspectFile(path("range.fits")).nside, int64_t{2});
}

void tst_moc::texts() {
    for (const auto& [content, name] : {std::pair{"1/1-3 4\n", "moc.txt"},
                                        {"s1/1,2,3,4", "moc2.txt"},
                                        {"1/ 1 2-4 2/\n", "moc3.txt"},
                                        {"{\"1\": [1, 2,\n 3, 4], \"2\": []}\n", "moc.json"}}) {
        const HealpixMap map = read(written(content, name));
        for (int64_t p = 0; p < 48; ++p) QCOMPARE(map.value(0, p), p >= 1 && p < 5 ? 1.0 : 0.0);
        QCOMPARE(inspectFile(path(name)).kind, FileKind::MultiOrderMap);
    }
}

void tst_moc::refusals_data() {
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("found");
    QTest::newRow("pixel") << "1/48\n"
                           << "48-48";
    QTest::newRow("order") << "30/1\n"
                           << "30";
    QTest::newRow("overlap") << "1/1 2/4\n"
                             << "overlap";
    QTest::newRow("other") << "1/1 x\n"
                           << "'x'";
    QTest::newRow("open range") << "1/1-\n"
                                << "none";
    QTest::newRow("truncated json") << "{\"3\": [1, 2"
                                    << "truncated";
    QTest::newRow("time") << "t61/1-4\n"
                          << "TIME";
    QTest::newRow("time json") << "{\"t61\": [1]}\n"
                               << "TIME";
}

void tst_moc::refusals() {
    QFETCH(QString, content);
    QFETCH(QString, found);
    const std::string why = refusal(written(content.toStdString(), "bad.txt"));
    QVERIFY2(QString::fromStdString(why).contains(found), why.c_str());
}

void tst_moc::timesAreRefused() {
    HduBytes table = rangeTable({0, 1});
    table.setText("MOCDIM", "TIME");
    QVERIFY(refusal(written(primaryHdu().bytes() + table.bytes(), "time.fits")).find("TIME") !=
            std::string::npos);
    HduBytes old = tableHdu({{"UNIQ", "1K"}}, 8, 1);
    old.setText("ORDERING", "NUNIQ").setText("TIMESYS", "JD").set("MOCORDER", 27);
    append(old.data, int64_t{1} << 60);
    QVERIFY(refusal(written(primaryHdu().bytes() + old.bytes(), "old.fits")).find("TIME") !=
            std::string::npos);
}

// The cells read back are the largest that fit.
void tst_moc::writtenAndRead() {
    const HealpixMap mask = read(written("2/16-31 40 3/7\n", "mask.txt"));
    writeMoc(rangesWhere(mask, 0, job_), path("moc.fits"),
             {.overwrite = true, .form = MocForm::Nuniq, .history = {"made"}}, job_);
    const HealpixMap back = read(path("moc.fits"));
    QCOMPARE(back.nside(), mask.nside());
    for (int64_t p = 0; p < mask.pixelCount(); ++p) QCOMPARE(back.value(0, p), mask.value(0, p));
    const std::string bytes = readBytes(path("moc.fits"));
    QVERIFY(bytes.find("MOCVERS = '2.0") != std::string::npos);
    // Pixels 16 to 31 of order 2 are base pixel 1: three rows in all.
    QCOMPARE(readTable(path("moc.fits"), {}, job_).rows(), int64_t{3});
}

void tst_moc::empty_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("ranges");
    QTest::newRow("ranges") << "empty.fits" << true;
    QTest::newRow("cells") << "empty.fits" << false;
    QTest::newRow("ASCII") << "empty.txt" << true;
    QTest::newRow("JSON") << "empty.json" << true;
}

// The intersection of two disjoint coverages is an empty MOC, whose complement is the whole sky.
void tst_moc::empty() {
    QFETCH(QString, name);
    QFETCH(bool, ranges);
    const std::string file = path(name.toLatin1());
    writeMoc({}, file,
             {.overwrite = true, .form = ranges ? MocForm::Range : MocForm::Nuniq, .order = 7},
             job_);
    const HealpixMap back = read(file);
    QCOMPARE(back.coverage(), Coverage::MultiOrder);
    QCOMPARE(declaredMocOrder(back), std::optional<int>(7));
    const SkyRanges nothing = rangesWhere(back, 0, job_);
    QVERIFY(nothing.empty());
    QCOMPARE(shareOf(complementOf(nothing)), 1.0);
    QCOMPARE(inspectFile(file).kind, FileKind::MultiOrderMap);
    // A map of cells with values has at least one cell.
    HduBytes map = tableHdu({{"UNIQ", "1K"}, {"PROBDENSITY", "1D"}}, 16, 0);
    map.setText("PIXTYPE", "HEALPIX").setText("ORDERING", "NUNIQ").setText("COORDSYS", "C");
    QVERIFY(refusal(written(primaryHdu().bytes() + map.bytes(), "map.fits")).find("no rows") !=
            std::string::npos);
    QVERIFY(rangesWhere(read(written("{}", "none.json")), 0, job_).empty());
}

// The order is the declared one, whatever the size of the cells.
void tst_moc::declaredOrders() {
    HduBytes table = rangeTable({0, int64_t{1} << 58});
    table.set("MOCORD_S", 11);
    QCOMPARE(declaredMocOrder(read(written(primaryHdu().bytes() + table.bytes(), "d.fits"))),
             std::optional<int>(11));
    QCOMPARE(declaredMocOrder(read(written("0/1 9/\n", "d.txt"))), std::optional<int>(9));
    QCOMPARE(declaredMocOrder(read(written("{\"0\":[1], \"9\":[]}", "d.json"))),
             std::optional<int>(9));
    // If a header states a lower order than that of the cells, the cells decide.
    table = rangeTable({0, int64_t{1} << 56});
    table.set("MOCORD_S", 0);
    QCOMPARE(declaredMocOrder(read(written(primaryHdu().bytes() + table.bytes(), "d.fits"))),
             std::optional<int>(1));
}

void tst_moc::sparse() {
    HduBytes table = tableHdu({{"PIX", "K"}, {"CHANNEL", "J"}, {"VALUE", "E"}}, 16, 3);
    mapKeywords(table, 4, "RING").setText("INDXSCHM", "SPARSE").setText("COORDSYS", "GAL");
    const auto row = [&](int64_t pixel, int32_t channel, float value) {
        append(table.data, pixel);
        append(table.data, channel);
        append(table.data, value);
    };
    row(100, 0, 2.0F);
    row(7, 1, 3.0F);
    row(100, 1, 4.0F);
    const HealpixMap map = read(written(primaryHdu().bytes() + table.bytes(), "sparse.fits"));
    QCOMPARE(map.frame(), Frame::Galactic);
    QCOMPARE(map.fieldCount(), 2);
    // Without HPX_REG the map covers the sky, and pixels without a row are 0, as gammapy 2.1 reads
    // its own files (HpxNDMap.read).
    QCOMPARE(map.coverage(), Coverage::Full);
    QCOMPARE(map.value(0, 100), 2.0);
    QCOMPARE(map.value(1, 100), 4.0);
    QCOMPARE(map.value(0, 7), 0.0);
    QCOMPARE(map.value(0, 8), 0.0);
}

// Pixel numbers of gadf within a region: pixels with their centers in the disc, ascending.
void tst_moc::local() {
    constexpr int64_t kNside = 32;
    const Vec3 center = direction({83.0 * kDegree, 22.0 * kDegree});
    std::vector<int64_t> inside;
    for (int64_t p = 0; p < pixelCount(kNside); ++p)
        if (angularDistance(directionFromNested(kNside, p), center) < 8.0 * kDegree)
            inside.push_back(p);
    QVERIFY(inside.size() > 50);
    const auto rows = static_cast<int64_t>(inside.size());
    HduBytes table = tableHdu({{"PIX", "K"}, {"CHANNEL1", "E"}}, 12, rows);
    mapKeywords(table, kNside, "NESTED").setText("INDXSCHM", "LOCAL").setText("COORDSYS", "CEL");
    for (int64_t i = 0; i < rows; ++i) {
        append(table.data, rows - 1 - i);
        append(table.data, static_cast<float>(i));
    }
    const auto file = [&] { return written(primaryHdu().bytes() + table.bytes(), "local.fits"); };
    QVERIFY(refusal(file()).find("HPX_REG = DISK(LON,LAT,RADIUS)") != std::string::npos);
    for (const char* region : {"DISK(83.0,22.0,8.0)", "(DISK,83,22,8)"}) {
        table.setText("HPX_REG", region);
        const HealpixMap map = read(file());
        QCOMPARE(map.frame(), Frame::Equatorial);
        QVERIFY(std::ranges::equal(map.pixels(), inside));
        QCOMPARE(map.value(0, inside.back()), 0.0);
        QCOMPARE(map.value(0, inside.front()), static_cast<double>(rows - 1));
    }
    // Far more pixels than rows, fewer than the numbers state, another shape.
    for (const auto& [region, why] :
         {std::pair{"DISK(83,22,120)", "a row for each pixel"},
          std::pair{"DISK(83,22,2)", "numbers below"}, std::pair{"DISK(83,22,nan)", "HPX_REG"},
          std::pair{"HPX_PIXEL(NESTED,1,2)", "HPX_REG"}}) {
        table.setText("HPX_REG", region);
        QVERIFY2(refusal(file()).find(why) != std::string::npos, region);
    }
}

void tst_moc::packedOutputs() {
    std::vector<Field> fields{{"T", "K", DiskType::Float32, std::vector<float>(192, 1.5F)}};
    const HealpixMap map(4, Ordering::Ring, Frame::Galactic, std::move(fields));
    test::setVariable("SOURCE_DATE_EPOCH", "1000000000");
    writeMap(map, path("a.fits"), {true, {}, {}}, job_);
    writeMap(map, path("a.fits.gz"), {true, {}, {}}, job_);
    writeMap(map, path("b.fits.gz"), {true, {}, {}}, job_);
    test::unsetVariable("SOURCE_DATE_EPOCH");
    QVERIFY(readBytes(path("a.fits.gz")) == readBytes(path("b.fits.gz")));
    QCOMPARE(readBytes(path("a.fits.gz")).substr(0, 2), std::string("\x1f\x8b"));
    QCOMPARE(read(path("a.fits.gz")).value(0, 17), 1.5);
    QProcess::execute("gunzip", {"-f", QString::fromStdString(path("b.fits.gz"))});
    QVERIFY(readBytes(path("b.fits")) == readBytes(path("a.fits")));
    QVERIFY_THROWS_EXCEPTION(IoError, writeMap(map, path("a.fits.fz"), {true, {}, {}}, job_));
    QCOMPARE(QDir(folder_.path()).entryList({".*.part"}, QDir::Files | QDir::Hidden).size(), 0);
}

// A pipe gives its bytes once; readers that need several passes still get all bytes.
void tst_moc::pipes() {
    std::vector<Field> fields{{"T", "K", DiskType::Float32, std::vector<float>(192, 2.5F)}};
    writeMap(HealpixMap(4, Ordering::Ring, Frame::Galactic, std::move(fields)), path("p.fits.gz"),
             {true, {}, {}}, job_);
    int ends[2];
    QVERIFY(pipe(ends) == 0);
    const std::string bytes = readBytes(path("p.fits.gz"));
    std::thread writer([&] {
        for (size_t done = 0; done < bytes.size();) {
            const ssize_t put = write(ends[1], bytes.data() + done, bytes.size() - done);
            if (put <= 0) break;
            done += static_cast<size_t>(put);
        }
        close(ends[1]);
    });
    const std::string name = "/dev/fd/" + std::to_string(ends[0]);
    QCOMPARE(inspectFile(name).nside, int64_t{4});
    QCOMPARE(read(name).value(0, 3), 2.5);
    writer.join();
    close(ends[0]);
}

void tst_moc::hdus() {
    const std::string file =
        written(primaryHdu().bytes() + tableHdu({{"RA", "D"}, {"DEC", "D"}}, 16, 0).bytes() +
                    rangeTable({0, 1}).setText("EXTNAME", "MOC").bytes(),
                "several.fits");
    const std::vector<HduSummary> list = listHdus(file);
    QCOMPARE(list.size(), size_t{3});
    QCOMPARE(list[0].shape, std::string("no data"));
    QVERIFY(!list[0].kind);
    QVERIFY(list[1].kind == FileKind::Catalog);
    QCOMPARE(list[1].shape, std::string("0 rows, 2 columns"));
    QCOMPARE(list[2].name, std::string("MOC"));
    QVERIFY(list[2].kind == FileKind::Map);
}

QTEST_GUILESS_MAIN(tst_moc)
#include "tst_moc.moc"
