// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on catalogs by blocks of rows give the files of the operations in memory, and read
// only the columns and partitions that they need.
#include <QDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_blocks.h"
#include "armilla/io/table_io.h"
#include "support/block_bench.h"
#include "support/less_memory.h"

using namespace armilla;

namespace {

constexpr int64_t kRows = 10007;

template <class T>
void addColumn(Table& table, const char* name, const char* unit, std::vector<T> values) {
    table.columns.emplace_back();
    table.columns.back().name = name;
    table.columns.back().unit = unit;
    table.columns.back().values = std::move(values);
}

// Every kind of column; longitudes and latitudes cover the sky, some rows have no position.
Table sampleTable() {
    Table table;
    table.history = {"made by a test"};
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<double> lon, lat, pairs;
    std::vector<float> flux;
    std::vector<int64_t> flags;
    std::vector<std::string> names;
    for (int64_t i = 0; i < kRows; ++i) {
        lon.push_back(360.0 * uniform(random));
        lat.push_back(std::asin(2.0 * uniform(random) - 1.0) / kDegree);
        if (i % 997 == 3) lon.back() = std::numeric_limits<double>::quiet_NaN();
        if (i % 991 == 5) lat.back() = -99.0;
        flux.push_back(static_cast<float>(uniform(random)));
        flags.push_back(i % 101 == 7 ? -1 : i % 8);
        names.push_back(std::string(static_cast<size_t>(i % 23), 'x') + std::to_string(i));
        pairs.push_back(static_cast<double>(i));
        pairs.push_back(0.25 * static_cast<double>(i));
    }
    addColumn(table, "NAME", "", std::move(names));
    addColumn(table, "GLON", "deg", std::move(lon));
    addColumn(table, "GLAT", "deg", std::move(lat));
    addColumn(table, "FLUX", "Jy", std::move(flux));
    addColumn(table, "FLAG", "", std::move(flags));
    table.columns.back().null = -1;
    addColumn(table, "PAIR", "", std::move(pairs));
    table.columns.back().width = 2;
    return table;
}

}  // namespace

class tst_by_rows : public QObject {
    Q_OBJECT

    BlockBench bench_;
    JobContext job_;

    std::string path(const std::string& name) const { return bench_.path(name); }
    QByteArray content(const std::string& name) const { return bench_.content(name); }
    using Pairs = BlockBench::Pairs;
    // `bytes`: memory above which rows are read by blocks; none: the operation in memory.
    BlockResult call(const char* id, const Pairs& options, const Pairs& files,
                     const std::string& out, std::optional<int64_t> bytes) {
        using enum BlockBench::Strategy;
        return bench_.run(id, options, files, out,
                          {bytes ? ByBlocks : InMemory, [&](BlockCall& blocks) {
                               blocks.reading.note = blocks.context.note;
                               blocks.catalogBytes = bytes.value_or(0);
                               blocks.blockRows = 1000;
                           }});
    }
    void writeMask(const std::string& name, Frame frame) {
        constexpr int64_t kNside = 16;
        std::vector<float> values(static_cast<size_t>(pixelCount(kNside)));
        for (int64_t p = 0; p < pixelCount(kNside); ++p)
            values[static_cast<size_t>(p)] = lonLat(directionFromRing(kNside, p)).lat > 0.9;
        MapWriteOptions options;
        options.overwrite = true;
        writeMap({kNside,
                  Ordering::Ring,
                  frame,
                  {Field{"MASK", "", DiskType::Float32, std::move(values)}}},
                 path(name), options, job_);
    }

private slots:
    void initTestCase() {
        const Table table = sampleTable();
        for (const char* name : {"rows.fits", "rows.parquet", "rows.csv"})
            writeTable(table, path(name), {true, {}}, job_);
        writeMask("mask.fits", Frame::Galactic);
        // A map whose values are other than 0 and 1.
        std::vector<float> values;
        for (int64_t p = 0; p < pixelCount(32); ++p) values.push_back(0.5F * static_cast<float>(p));
        MapWriteOptions options;
        writeMap({32,
                  Ordering::Nested,
                  Frame::Equatorial,
                  {Field{"T", "K", DiskType::Float32, std::move(values)}}},
                 path("map.fits"), options, job_);
    }
    void sameFiles_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("out");
        for (const char* file : {"rows.fits", "rows.parquet"})
            for (const char* out : {".fits", ".csv", ".parquet", ".vot"}) {
                const auto row = [&](const char* id, const char* options) {
                    QTest::addRow("%s %s %s%s", id, options, file, out)
                        << id << options << file << QString("out") + out;
                };
                row("select", "where=FLUX < 0.5 and FLAG != 3");
                row("select", "region=galactic;circle(120,30,40)");
                row("select", "where=NAME == 'x47';columns=GLAT,NAME,GLON");
                if (file == std::string_view("rows.fits")) row("select", "where=FLUX > 2");
                row("lookup", "interpolation=bilinear");
            }
        for (const char* file : {"rows.fits", "rows.parquet"}) {
            QTest::addRow("count %s", file) << "count"
                                            << "nside=16" << file << "out.fits";
            QTest::addRow("count weights %s", file) << "count"
                                                    << "nside=8;weight=FLUX" << file << "out.fits";
            QTest::addRow("count named %s", file)
                << "count"
                << "nside=8;lon=GLON;lat=GLAT" << file << "out.fits";
        }
    }
    void sameFiles() {
        QFETCH(QString, id);
        QFETCH(QString, options);
        QFETCH(QString, file);
        QFETCH(QString, out);
        Pairs given;
        const QString split = options.startsWith("region") ? QString("\n") : QString(";");
        for (const QString& option : options.split(split)) {
            const qsizetype equals = option.indexOf('=');
            given.emplace_back(option.left(equals).toStdString(),
                               option.mid(equals + 1).toStdString());
        }
        Pairs files{{"CATALOG", path(file.toStdString())}};
        if (id == "lookup") files.insert(files.begin(), {"MAP", path("map.fits")});
        const std::string whole = "whole-" + out.toStdString();
        const BlockResult expected =
            call(id.toLatin1().constData(), given, files, whole, std::nullopt);
        const QByteArray bytes = content(whole);
        QVERIFY(!bytes.isEmpty());
        // With 0 bytes all rows are streamed, with 400 kB few selected ones stay in memory.
        for (const int64_t memory : {0, 400000}) {
            const BlockResult found =
                call(id.toLatin1().constData(), given, files, out.toStdString(), memory);
            QCOMPARE(content(out.toStdString()), bytes);
            QCOMPARE(found.summary, expected.summary);
            QCOMPARE(QString::fromStdString(found.figures.text()),
                     QString::fromStdString(expected.figures.text()));
            auto sorted = found.notes, other = expected.notes;
            std::sort(sorted.begin(), sorted.end());
            std::sort(other.begin(), other.end());
            QCOMPARE(sorted, other);
        }
    }
    void masks() {
        const Pairs files{{"CATALOG", path("rows.fits")}, {"inside", path("mask.fits")}};
        call("select", {}, files, "whole.fits", std::nullopt);
        call("select", {}, files, "blocks.fits", 0);
        QCOMPARE(content("blocks.fits"), content("whole.fits"));
        const Table kept = readTable(path("blocks.fits"), {}, job_);
        // The mask is the sky above 0.9 rad, (1 - sin 0.9) / 2 = 0.108 of it.
        QVERIFY(std::abs(static_cast<double>(kept.rows()) / kRows - 0.108) < 0.015);
        call("lookup", {}, {{"MAP", path("mask.fits")}, {"CATALOG", path("rows.fits")}},
             "whole.fits", std::nullopt);
        call("lookup", {}, {{"MAP", path("mask.fits")}, {"CATALOG", path("rows.fits")}},
             "blocks.fits", 0);
        QCOMPARE(content("blocks.fits"), content("whole.fits"));
        QVERIFY(readTable(path("blocks.fits"), {}, job_).find("INSIDE").has_value());
    }
    // A file with a damaged column serves operations that do not read this column.
    void columnsThatAreNotRead() {
        Table table;
        std::vector<double> lon, lat, noise;
        std::mt19937_64 random(8);
        std::uniform_real_distribution<double> uniform(0.0, 1.0);
        for (int i = 0; i < 4000; ++i) {
            lon.push_back(360.0 * uniform(random));
            lat.push_back(std::asin(2.0 * uniform(random) - 1.0) / kDegree);
            noise.push_back(uniform(random));
        }
        addColumn(table, "NOISE", "", std::move(noise));
        addColumn(table, "RA", "deg", std::move(lon));
        addColumn(table, "DEC", "deg", std::move(lat));
        writeTable(table, path("damaged.parquet"), {true, {}}, job_);
        QFile file(QString::fromStdString(path("damaged.parquet")));
        QVERIFY(file.open(QIODevice::ReadWrite));
        file.seek(2000);  // in the first column, which has 32000 bytes that do not compress
        file.write(QByteArray(64, char(0x55)));
        file.close();
        QVERIFY_THROWS_EXCEPTION(IoError, readTable(path("damaged.parquet"), {}, job_));
        call("count", {{"nside", "4"}}, {{"CATALOG", path("damaged.parquet")}}, "whole.fits",
             std::nullopt);
        const BlockResult blocks = call("count", {{"nside", "4"}},
                                        {{"CATALOG", path("damaged.parquet")}}, "blocks.fits", 0);
        QCOMPARE(content("blocks.fits"), content("whole.fits"));
        QCOMPARE(QString::fromStdString(blocks.summary).contains("4000 rows"), true);
        call("select", {{"columns", "DEC"}, {"where", "RA < 90"}},
             {{"CATALOG", path("damaged.parquet")}}, "blocks.fits", 0);
        const Table kept = readTable(path("blocks.fits"), {}, job_);
        QCOMPARE(kept.columns.size(), size_t{1});
        const auto& all = std::get<std::vector<double>>(table.columns[1].values);
        QCOMPARE(kept.rows(),
                 std::count_if(all.begin(), all.end(), [](double value) { return value < 90.0; }));
    }
    // Rows of a range, across pages and row groups, are those of the whole file.
    void rangesOfParquet() {
        const Table whole = readTable(path("rows.parquet"), {}, job_);
        const auto blocks =
            TableBlocks::open(path("rows.parquet"), TableBlocks::Choice::FirstTable, job_);
        QVERIFY(blocks.has_value());
        QCOMPARE(blocks->rows(), kRows);
        for (const auto& [first, count] : {std::pair<int64_t, int64_t>{0, 1},
                                           {17, 4096},
                                           {kRows - 1, 1},
                                           {5000, kRows - 5000}}) {
            const Table part =
                blocks->read({path("rows.parquet"), first, count}, {"FLAG", "NAME", "GLON"}, job_);
            QCOMPARE(part.rows(), count);
            for (int64_t i = 0; i < count; ++i) {
                const auto row = first + i;
                QCOMPARE(part.columns[0].text(i),
                         whole.columns[static_cast<size_t>(*whole.find("FLAG"))].text(row));
                QCOMPARE(part.columns[1].text(i),
                         whole.columns[static_cast<size_t>(*whole.find("NAME"))].text(row));
                QCOMPARE(part.columns[2].text(i),
                         whole.columns[static_cast<size_t>(*whole.find("GLON"))].text(row));
            }
        }
    }
    // Long delimited text is read by blocks: comments, quoted line ends and a first row of units
    // shift its lines against its rows, and one cell near the end makes a column text.
    void longText() {
        constexpr int64_t kTextRows = 300000;
        const auto lonOf = [](int64_t i) { return 0.001 * static_cast<double>(i) + 0.5; };
        const auto latOf = [](int64_t i) { return 0.0005 * static_cast<double>(i) - 74.75; };
        const auto isMissing = [](int64_t i) { return i % 7 == 3; };
        const auto noteOf = [](int64_t i) {
            return i % 1000 == 1 ? "two\nlines, " + std::to_string(i) : std::string("a note");
        };
        QByteArray text = "# a comment\nID,GLON,GLAT,COUNT,CODE,NOTE\n ,deg,deg, , , \n";
        for (int64_t i = 0; i < kTextRows; ++i) {
            if (i % 5000 == 17) text += "# between rows\n\n";
            text += QByteArray::number(qlonglong(1000000000000 + i)) + "," +
                    QByteArray::number(lonOf(i), 'g', 17) + "," +
                    QByteArray::number(latOf(i), 'g', 17) + "," +
                    (isMissing(i) ? QByteArray() : QByteArray::number(qlonglong(i * i))) + "," +
                    (i == kTextRows - 2 ? "007" : "7") + ",\"" +
                    QByteArray::fromStdString(noteOf(i)) + "\"\n";
        }
        QVERIFY(text.size() > (1 << 24));
        QFile file(QString::fromStdString(path("long.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        text = {};
        const auto blocks =
            TableBlocks::open(path("long.csv"), TableBlocks::Choice::FirstTable, job_);
        QVERIFY(blocks.has_value());
        QCOMPARE(blocks->rows(), kTextRows);
        QCOMPARE(QString::fromStdString(blocks->outline().columns[1].unit), "deg");
        for (const auto& [first, count] : {std::pair<int64_t, int64_t>{0, 40},
                                           {16380, 10},
                                           {100000, 33000},
                                           {kTextRows - 3, 3}}) {
            const Table part = blocks->read({path("long.csv"), first, count},
                                            {"NOTE", "GLON", "COUNT", "CODE"}, job_);
            QCOMPARE(part.rows(), count);
            for (int64_t k = 0; k < count; ++k) {
                const int64_t i = first + k;
                QCOMPARE(QString::fromStdString(part.columns[0].text(k)),
                         QString::fromStdString(noteOf(i)));
                QCOMPARE(part.columns[1].number(k), lonOf(i));
                QVERIFY(part.columns[2].isInteger());
                if (isMissing(i))
                    QVERIFY(std::isnan(part.columns[2].number(k)));
                else
                    QCOMPARE(part.columns[2].number(k), static_cast<double>(i * i));
                QVERIFY(part.columns[3].isText());
            }
        }
        const auto count = [&](const std::string& out) {
            bench_.run("count", {{"nside", "8"}}, {{"CATALOG", path("long.csv")}}, out,
                       {BlockBench::Strategy::ByBlocks, [](BlockCall& call) {
                            call.catalogBytes = 0;
                            call.blockRows = 50000;
                        }});
        };
        count("whole.fits");
        const HealpixMap counted = readMap(path("whole.fits"), {}, job_);
        std::vector<double> expected(static_cast<size_t>(pixelCount(8)));
        for (int64_t i = 0; i < kTextRows; ++i)
            ++expected[static_cast<size_t>(
                ringFromDirection(8, direction({lonOf(i) * kDegree, latOf(i) * kDegree})))];
        for (int64_t p = 0; p < pixelCount(8); ++p)
            QCOMPARE(counted.value(0, p), expected[static_cast<size_t>(p)]);
#if !defined(__SANITIZE_ADDRESS__)  // reserves terabytes of addresses
        // The cells of all columns take a kilobyte a row, 300 MB; a piece of the file and a block
        // of positions take 2 MB.
        const test::LessMemory less(int64_t{64} << 20);
        count("little.fits");
        QCOMPARE(content("little.fits"), content("whole.fits"));
        const FileSummary summary = inspectFile(path("long.csv"), {});
        QCOMPARE(summary.kind, FileKind::Catalog);
        QCOMPARE(summary.frame, Frame::Galactic);
        QCOMPARE(summary.rows, kTextRows);
        QCOMPARE(summary.columns.size(), size_t{6});
#endif
    }
    // Cells that another program has replaced since the columns were found are refused, and are no
    // zeros: a word in a column of numbers, and an empty cell in one of integers without any.
    void changedText() {
        constexpr int kLines = 1 << 20;  // 16 MiB: text of this length is read by blocks
        const auto write = [&](const QByteArray& head, const QByteArray& line) {
            // In place, as editors and copies do.
            QFile file(QString::fromStdString(path("changed.csv")));
            QVERIFY(file.open(QIODevice::ReadWrite));
            file.write(head + line.repeated(kLines));
        };
        const QByteArray head = "ID,VALUE\n";
        write(head, "1234567,1234.56\n");
        const auto blocks =
            TableBlocks::open(path("changed.csv"), TableBlocks::Choice::FirstTable, job_);
        QVERIFY(blocks.has_value());
        QCOMPARE(blocks->rows(), int64_t{kLines});
        const auto read = [&](const std::string& name) {
            return blocks->read({path("changed.csv"), 500000, 10}, {name}, job_);
        };
        QCOMPARE(read("VALUE").columns[0].number(9), 1234.56);
        write(head, "1234x67,1234x56\n");
        QVERIFY_THROWS_EXCEPTION(IoError, read("VALUE"));
        QVERIFY_THROWS_EXCEPTION(IoError, read("ID"));
        write(head, "       ,       \n");
        QVERIFY(std::isnan(read("VALUE").columns[0].number(9)));
        QVERIFY_THROWS_EXCEPTION(IoError, read("ID"));
    }
    // Degrees beside positions in text differ from them in some rows alone: all rows decide whether
    // the positions get columns of their own.
    void textBesideDegrees() {
        Table table;
        std::vector<std::string> ra, dec;
        std::vector<double> raDegrees, decDegrees;
        for (int i = 0; i < 3000; ++i) {
            ra.push_back("01:02:" + std::to_string(10 + i % 50));
            dec.push_back("+10:20:30");
            raDegrees.push_back(15.0 * (1.0 + 2.0 / 60.0 + (10 + i % 50) / 3600.0));
            decDegrees.push_back(10.0 + 20.0 / 60.0 + 30.0 / 3600.0 + (i > 2000 ? 1e-3 : 0.0));
        }
        addColumn(table, "RAJ2000", "", std::move(ra));
        addColumn(table, "DEJ2000", "", std::move(dec));
        addColumn(table, "RAJ2000_DEG", "deg", std::move(raDegrees));
        addColumn(table, "DEJ2000_DEG", "deg", std::move(decDegrees));
        writeTable(table, path("text.fits"), {true, {}}, job_);
        bench_.run("lookup", {}, {{"MAP", path("map.fits")}, {"CATALOG", path("text.fits")}},
                   "looked.fits", {BlockBench::Strategy::Declined, [](BlockCall& blocks) {
                                       blocks.catalogBytes = 0;
                                   }});
        const Table found = readTable(path("looked.fits"), {}, job_);
        QCOMPARE(found.columns.size(), size_t{6});  // DEJ2000_DEG_2 and T are new
        const Vec3 at = direction({15.0 * (1.0 + 2.0 / 60.0 + 10.0 / 3600.0) * kDegree,
                                   (10.0 + 20.0 / 60.0 + 30.0 / 3600.0) * kDegree});
        QCOMPARE(found.columns[static_cast<size_t>(*found.find("T"))].number(0),
                 0.5 * static_cast<double>(nestedFromDirection(32, at)));
    }
    // A table of variable-length columns alone has rows of no bytes that are read.
    void rowsWithoutValues() {
        QByteArray file;
        const auto card = [&](const char* name, const QByteArray& value) {
            file += QByteArray(name).leftJustified(8) + "= " + value.rightJustified(20);
            file = file.leftJustified((file.size() + 79) / 80 * 80);
        };
        const auto fill = [&](char with) {
            file = file.leftJustified((file.size() + 2879) / 2880 * 2880, with);
        };
        card("SIMPLE", "T"), card("BITPIX", "8"), card("NAXIS", "0"), card("EXTEND", "T");
        file += "END", fill(' ');
        card("XTENSION", "'BINTABLE'"), card("BITPIX", "8"), card("NAXIS", "2");
        card("NAXIS1", "8"), card("NAXIS2", "2"), card("PCOUNT", "8"), card("GCOUNT", "1");
        card("TFIELDS", "1"), card("TFORM1", "'1PE(1)'"), card("TTYPE1", "'X'");
        file += "END", fill(' ');
        for (const char offset : {0, 4}) file += QByteArray("\0\0\0\1\0\0\0", 7) + offset;
        file += QByteArray("\x3f\x80\0\0\x40\0\0\0", 8), fill('\0');
        QFile out(QString::fromStdString(path("vectors.fits")));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(file);
        out.close();
        QVERIFY_THROWS_EXCEPTION(Error, call("select", {{"lon", "RA"}, {"lat", "DEC"}},
                                             {{"CATALOG", path("vectors.fits")}}, "none.fits", 0));
    }
    // A failure names the catalog, also while its rows are read again for the output.
    void failuresNameTheCatalog() {
        QString line;
        try {
            call("count", {{"nside", "4"}, {"weight", "NONE"}}, {{"CATALOG", path("rows.fits")}},
                 "none.fits", 0);
        } catch (const Error& error) {
            line = QString::fromUtf8(error.what());
        }
        QVERIFY2(line.count("rows.fits: ") == 1, qPrintable(line));
    }
    // Unsigned identifiers above 2^63-1 are texts in all blocks, although only the last block has
    // such ones; columns of smaller ones are integers.
    void identifiersAbove63Bits() {
        Table table = sampleTable();
        std::vector<int64_t> large, small;
        for (int64_t i = 0; i < kRows; ++i) {
            // Stored less 2^63.
            large.push_back(i == kRows - 2 ? 5 : std::numeric_limits<int64_t>::min() + i);
            small.push_back(std::numeric_limits<int64_t>::min() + 3 * i);
        }
        addColumn(table, "LARGE", "", std::move(large));
        addColumn(table, "SMALL", "", std::move(small));
        writeTable(table, path("ids.fits"), {true, {}}, job_);
        QFile file(QString::fromStdString(path("ids.fits")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray bytes = file.readAll();
        file.close();
        const qsizetype end = bytes.indexOf("END" + QByteArray(77, ' '), 2880);
        QVERIFY(end > 0 && end % 2880 < 2880 - 3 * 80);
        const auto card = [](const char* key) {
            return (QByteArray(key) + "=  9223372036854775808").leftJustified(80, ' ');
        };
        bytes.replace(end, 240, card("TZERO7  ") + card("TZERO8  ") + "END" + QByteArray(77, ' '));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        const Table whole = readTable(path("ids.fits"), {}, job_);
        QCOMPARE(whole.columns[6].text(kRows - 2), std::string("9223372036854775813"));
        QCOMPARE(whole.columns[6].text(9), std::string("9"));
        QCOMPARE(whole.columns[7].number(9), 27.0);
        const Pairs files{{"CATALOG", path("ids.fits")}};
        const Pairs onMap{{"MAP", path("map.fits")}, {"CATALOG", path("ids.fits")}};
        for (const char* out : {".fits", ".csv", ".parquet"}) {
            const std::string one = std::string("whole") + out, two = std::string("blocks") + out;
            for (const Pairs& options : {Pairs{}, Pairs{{"columns", "LARGE,GLON,SMALL"}},
                                         Pairs{{"where", "SMALL < 99"}}}) {
                call("select", options, files, one, std::nullopt);
                call("select", options, files, two, 0);
                QCOMPARE(content(two), content(one));
            }
            call("lookup", {}, onMap, one, std::nullopt);
            call("lookup", {}, onMap, two, 0);
            QCOMPARE(content(two), content(one));
        }
    }
    // Lengths of texts, and missing integers, are found in these columns alone.
    void columnsOfTheFirstPass() {
        const Table table = sampleTable();
        TableStream stream;
        stream.outline = table;
        for (TableColumn& column : stream.outline.columns)
            std::visit([](auto& values) { values.clear(); }, column.values);
        stream.rows = kRows;
        stream.findsMissing = true;
        int passes = 0;
        stream.forBlocks = [&](const std::function<void(const Table&)>& take, JobContext&) {
            ++passes;
            take(table);
        };
        std::vector<std::string> seen;
        stream.forColumns = [&](const std::vector<std::string>& columns,
                                const std::function<void(const Table&)>& take, JobContext&) {
            seen = columns;
            Table some = table;
            some.columns = {table.columns[static_cast<size_t>(*table.find("NAME"))],
                            table.columns[static_cast<size_t>(*table.find("FLAG"))]};
            take(some);
        };
        writeTable(table, path("whole.fits"), {true, {}}, job_);
        writeTable(stream, path("blocks.fits"), {true, {}}, job_);
        QCOMPARE(seen, (std::vector<std::string>{"NAME", "FLAG"}));
        QCOMPARE(passes, 1);
        QCOMPARE(content("blocks.fits"), content("whole.fits"));
    }
    // A selection on the sky opens the partitions of a HATS catalog that it meets, and no others.
    void partitionsThatAreNotRead() {
        const QString root = QString::fromStdString(path("hats"));
        const auto write = [&](const QString& name, const QByteArray& text) {
            QDir().mkpath(QFileInfo(root + "/" + name).path());
            QFile file(root + "/" + name);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("hats.properties",
              "dataproduct_type=object\nhats_nrows=960\nhats_col_ra=ra\nhats_col_dec=dec\n");
        QByteArray list = "Norder,Npix\n";
        constexpr int64_t kNside = 2;  // order 1
        const Mat3 toGalactic = frameRotation(Frame::Galactic, Frame::Equatorial);
        std::vector<double> allLon, allLat;
        for (int64_t pixel = 0; pixel < pixelCount(kNside); ++pixel) {
            Table table;
            std::vector<double> lon, lat, l, b;
            for (int64_t i = 0; i < 20; ++i) {
                const LonLat at = lonLat(directionFromNested(32 * kNside, pixel * 1024 + 50 * i));
                lon.push_back(at.lon / kDegree);
                lat.push_back(at.lat / kDegree);
                const LonLat other = lonLat(toGalactic * direction(at));
                l.push_back(other.lon / kDegree);
                b.push_back(other.lat / kDegree);
            }
            allLon.insert(allLon.end(), lon.begin(), lon.end());
            allLat.insert(allLat.end(), lat.begin(), lat.end());
            addColumn(table, "ra", "", std::move(lon));
            addColumn(table, "dec", "", std::move(lat));
            addColumn(table, "l", "", std::move(l));
            addColumn(table, "b", "", std::move(b));
            const QString name = QString("dataset/Norder=1/Dir=0/Npix=%1.parquet").arg(pixel);
            QDir().mkpath(QFileInfo(root + "/" + name).path());
            writeTable(table, (root + "/" + name).toStdString(), {true, {}}, job_);
            list += QString("1,%1\n").arg(pixel).toLatin1();
        }
        write("partition_info.csv", list);
        // With the schema, the metadata of partitions that are not needed stays unread.
        QVERIFY(QFile::copy(root + "/dataset/Norder=1/Dir=0/Npix=0.parquet",
                            root + "/dataset/_common_metadata"));
        writeMask("north.fits", Frame::Equatorial);
        const Pairs circle{{"region", "icrs;circle(45,60,9)"}};
        const Pairs files{{"CATALOG", root.toStdString()}};
        const Pairs masked{{"CATALOG", root.toStdString()}, {"inside", path("north.fits")}};
        call("select", circle, files, "circle.fits", std::nullopt);
        call("select", {}, masked, "north-rows.fits", std::nullopt);
        // Regions of other columns meet other partitions: all are read.
        const Pairs galactic{{"lon", "l"}, {"lat", "b"}, {"region", "circle(120,30,15)"}};
        call("select", galactic, files, "galactic.fits", std::nullopt);
        call("select", galactic, files, "blocks.fits", std::numeric_limits<int64_t>::max());
        QCOMPARE(content("blocks.fits"), content("galactic.fits"));
        QVERIFY(readTable(path("blocks.fits"), {}, job_).rows() > 5);
        // Files of the south are damaged: a reading of them would fail.
        for (int64_t pixel = 32; pixel < 48; ++pixel) {
            QFile file(root + QString("/dataset/Norder=1/Dir=0/Npix=%1.parquet").arg(pixel));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("nothing");
        }
        const int64_t large = std::numeric_limits<int64_t>::max();
        const BlockResult selected = call("select", circle, files, "blocks.fits", large);
        QCOMPARE(content("blocks.fits"), content("circle.fits"));
        const Table kept = readTable(path("blocks.fits"), {}, job_);
        const Vec3 center = direction({45.0 * kDegree, 60.0 * kDegree});
        int64_t inside = 0;
        for (size_t i = 0; i < allLon.size(); ++i)
            inside +=
                angularDistance(center, direction({allLon[i] * kDegree, allLat[i] * kDegree})) <=
                9.0 * kDegree;
        QVERIFY(inside > 5);
        QCOMPARE(kept.rows(), inside);
        QVERIFY(*selected.figures.find("rows_read")->integer() < 20 * 12);
        call("select", {}, masked, "blocks.fits", large);
        QCOMPARE(content("blocks.fits"), content("north-rows.fits"));
        // Without a condition on the sky, every partition is read.
        QVERIFY_THROWS_EXCEPTION(
            IoError, call("select", {{"where", "dec > 1"}}, files, "blocks.fits", large));
    }
};

QTEST_GUILESS_MAIN(tst_by_rows)
#include "tst_by_rows.moc"
