// SPDX-License-Identifier: GPL-3.0-or-later
// Tables in Parquet: files of pyarrow in every encoding and codec, and damaged files.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "parquet_samples.h"

using namespace armilla;

class tst_table_parquet : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void samples_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("values");
        for (const ParquetSample& sample : kParquetSamples)
            if (*sample.values != 0)
                QTest::newRow(sample.name) << QByteArray::fromHex(sample.hex) << sample.values;
    }
    void samples() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, values);
        QCOMPARE(shown(read(bytes)), values);
    }

    // Columns in the order of the request, read alone.
    void someColumns() {
        const QByteArray bytes = sampleNamed("groups");
        QCOMPARE(shown(read(bytes, {"s", "ra"})), QString("s: a bc a - | ra: 10.5 - 30.25 40"));
        // The pages of other columns are not read: damage in these has no effect.
        QByteArray damaged = bytes;
        damaged.replace(4, 20, QByteArray(20, '\xff'));  // the first page of ra
        QCOMPARE(shown(read(damaged, {"n"})), QString("n: 1 -2 - 4"));
        QVERIFY(refusal(damaged).contains("column 'ra': expected"));
        QVERIFY(refusal(bytes, {"none"}).contains("found"));
    }

    void nested() {
        JobContext job;
        const QByteArray bytes = sampleNamed("nested");
        QVERIFY(read(bytes).leftOut == std::vector<std::string>{"lst"});
        QVERIFY(refusal(bytes, {"lst"}).contains("a column of numbers or texts named 'lst'"));
    }

    // TOPCAT and astropy describe the columns of a Parquet file as a VOTable in its metadata.
    void votableMetadata() {
        JobContext job;
        const Catalog catalog = readCatalog(write(sampleNamed("VOParquet")), job);
        QCOMPARE(catalog.table.name, std::string("t"));
        QCOMPARE(catalog.table.columns[0].unit, std::string("rad"));
        QCOMPARE(catalog.frame(), Frame::Equatorial);
        QCOMPARE(catalog.at(1).lon, 2.0);
        QCOMPARE(catalog.at(1).lat, -0.25);
    }

    void unsupported() {
        QVERIFY(refusal(sampleNamed("brotli")).contains("column 'ra': expected pages in snappy"));
        QVERIFY(refusal(sampleNamed("brotli")).contains("found compression by Brotli"));
        QVERIFY(refusal("PARE" + QByteArray(40, 0) + "PARE").contains("found an encrypted one"));
        QVERIFY(refusal("PAR1" + QByteArray(40, 0)).contains("found a truncated file"));
    }

    // Files with a byte changed or with their end missing: values, or one line with the path.
    void damaged_data() { samples_data(); }
    void damaged() {
        QFETCH(QByteArray, bytes);
        // Some bytes of a file with a long description.
        const qsizetype step = 1 + bytes.size() / 1000 * 4;
        for (qsizetype i = 0; i < bytes.size(); i += step) {
            QByteArray other = bytes;
            other[i] = static_cast<char>(~other[i]);
            QVERIFY2(isHandled(other), qPrintable(QString::number(i)));
            if (i % 8 == 0) QVERIFY2(isHandled(bytes.left(i)), qPrintable(QString::number(i)));
        }
    }

    // Metadata that state more rows than such a file can hold are refused before an allocation.
    void tooManyRows() {
        QByteArray bytes = sampleNamed("booleans");
        const QByteArray rows("\x16\x08", 2), more("\x16\x80\x80\x80\x80\x80\x80\x20", 8);
        const qsizetype added = bytes.count(rows) * (more.size() - rows.size());
        bytes.replace(rows, more);  // 4 becomes 2^46
        const qsizetype size = bytes.size() - 8;
        bytes[size] = static_cast<char>(bytes[size] + static_cast<char>(added));
        QVERIFY2(refusal(bytes).contains("a file with its 70368744177664 rows"),
                 qPrintable(refusal(bytes)));
    }

    void roundTrip() {
        JobContext job;
        const Table before = written();
        const std::string path = folder_.filePath("written.parquet").toStdString();
        writeTable(before, path, {true, {"second line"}}, job);
        const Table after = readTable(path, {}, job);
        QCOMPARE(after.name, before.name);
        QCOMPARE(after.frame, before.frame);
        QVERIFY(after.history == (std::vector<std::string>{"first: 'line'", "second line"}));
        QCOMPARE(shown(after),
                 QString("RA: 10.1 0 359.5 - | DEC: -5 6.5 7 1e-300 | NAME: a, b - \"c\" \u00fc | "
                         "N: 1 - -9223372036854775808 1152921504606846976 | "
                         "S_1: 1 3 5 7 | S_2: 2 4 6 8"));
        QCOMPARE(after.columns[0].unit, std::string("deg"));
        QCOMPARE(after.columns[0].ucd, std::string("pos.eq.ra;meta.main"));
        QCOMPARE(after.columns[0].description, std::string("a: b"));
        QCOMPARE(after.columns[4].unit, std::string("Jy"));
        QCOMPARE(inspectFile(path).kind, FileKind::Catalog);
        QCOMPARE(inspectFile(path).rows, 4);
        // The same table gives the same bytes.
        QFile first(QString::fromStdString(path));
        QVERIFY(first.open(QIODevice::ReadOnly));
        const QByteArray bytes = first.readAll();
        writeTable(before, path, {true, {"second line"}}, job);
        QFile again(QString::fromStdString(path));
        QVERIFY(again.open(QIODevice::ReadOnly));
        QVERIFY(again.readAll() == bytes);
        QVERIFY_EXCEPTION_THROWN(writeTable(before, path, {}, job), IoError);
    }

    // Each column has a name of its own, and only texts in UTF-8 are marked as such.
    void namesAndTexts() {
        JobContext job;
        Table before;
        const auto add = [&](const char* name, auto values, int width) {
            TableColumn& column = before.columns.emplace_back();
            column.name = name;
            column.values = std::move(values);
            column.width = width;
        };
        add("flux", std::vector<double>{1, 2, 3, 4}, 2);
        add("flux_1", std::vector<double>{5, 6}, 1);
        add("latin", std::vector<std::string>{"caf\xe9", "b"}, 1);
        add("utf", std::vector<std::string>{"caf\u00e9", "b"}, 1);
        const std::string path = folder_.filePath("names.parquet").toStdString();
        writeTable(before, path, {true, {}}, job);
        const Table after = readTable(path, {}, job);
        QCOMPARE(after.columns.size(), size_t{5});
        QCOMPARE(after.columns[0].name, std::string("flux_1_2"));
        QCOMPARE(after.columns[1].name, std::string("flux_2"));
        QCOMPARE(after.columns[2].name, std::string("flux_1"));
        QCOMPARE(after.columns[3].text(0), std::string("caf\xe9"));
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        // After its name a column marked as UTF-8 has the converted type 0 and a logical type.
        const QByteArray mark("\x25\x00", 2);
        const auto isMarked = [&](const QByteArray& name) {
            return bytes.mid(bytes.indexOf("schema")).contains(name + mark);
        };
        QVERIFY(isMarked("utf"));
        QVERIFY(!isMarked("latin"));
    }

    // Several groups of rows and pages.
    void manyRows() {
        JobContext job;
        constexpr int64_t kRows = (1 << 20) + 5;
        Table before;
        before.columns.resize(2);
        std::vector<double> x(kRows);
        std::vector<int64_t> n(kRows);
        for (size_t i = 0; i < x.size(); ++i) {
            x[i] = std::sin(static_cast<double>(i));
            n[i] = i % 3 == 0 ? -1 : static_cast<int64_t>(i) << 20U;
        }
        before.columns[0].name = "x";
        before.columns[0].values = x;
        before.columns[1].name = "n";
        before.columns[1].values = n;
        before.columns[1].null = -1;
        const std::string path = folder_.filePath("many.parquet").toStdString();
        writeTable(before, path, {true, {}}, job);
        const Table after = readTable(path, {}, job);
        QVERIFY(std::get<0>(after.columns[0].values) == x);
        const auto& read = std::get<2>(after.columns[1].values);
        for (size_t i = 0; i < n.size(); ++i)
            QCOMPARE(read[i], n[i] == -1 ? *after.columns[1].null : n[i]);
    }

    // Pages of this program have checksums, so that no byte of a page can change unnoticed.
    void damagedAfterWriting() {
        JobContext job;
        const std::string path = folder_.filePath("good.parquet").toStdString();
        writeTable(written(), path, {true, {}}, job);
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        const QString good = shown(read(bytes));
        const qsizetype pages = bytes.indexOf("schema");  // the start of the metadata
        QVERIFY(pages > 0);
        for (qsizetype i = 0; i < bytes.size(); ++i) {
            QByteArray other = bytes;
            other[i] = static_cast<char>(other[i] ^ 0x10);
            QVERIFY2(isHandled(other), qPrintable(QString::number(i)));
            if (i >= 4 && i < pages - 8)
                QVERIFY2(!refusal(other).isEmpty() || shown(read(other)) == good,
                         qPrintable(QString::number(i)));
        }
    }

private:
    static Table written() {
        Table table;
        table.name = "T";
        table.frame = Frame::Equatorial;
        table.history = {"first: 'line'"};
        const auto add = [&](const char* name, auto values, const char* unit) {
            table.columns.emplace_back();
            table.columns.back().name = name;
            table.columns.back().values = std::move(values);
            table.columns.back().unit = unit;
        };
        add("RA", std::vector<double>{10.1, 0.0, 359.5, std::nan("")}, "deg");
        table.columns[0].ucd = "pos.eq.ra;meta.main";
        table.columns[0].description = "a: b";
        add("DEC", std::vector<double>{-5, 6.5, 7, 1e-300}, "deg");
        add("NAME", std::vector<std::string>{"a, b", "", "\"c\"", "\u00fc"}, "");
        add("N", std::vector<int64_t>{1, -9, INT64_MIN, int64_t{1} << 60U}, "");
        table.columns[3].null = -9;
        add("S", std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}, "Jy");
        table.columns[4].width = 2;
        return table;
    }
    std::string write(const QByteArray& bytes) {
        const std::string path = folder_.filePath("table.parquet").toStdString();
        QFile file(QString::fromStdString(path));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
        return path;
    }
    Table read(const QByteArray& bytes, const std::vector<std::string>& columns = {}) {
        JobContext job;
        return readTable(write(bytes), {columns, {}}, job);
    }
    QString refusal(const QByteArray& bytes, const std::vector<std::string>& columns = {}) {
        try {
            read(bytes, columns);
            return {};
        } catch (const IoError& error) {
            return error.what();
        }
    }
    bool isHandled(const QByteArray& bytes) {
        try {
            read(bytes);
            return true;
        } catch (const Error& error) {
            return error.code() != ErrorCode::Internal &&
                   std::string_view(error.what()).find('\n') == std::string_view::npos &&
                   std::string_view(error.what()).find("table.parquet") != std::string_view::npos;
        }
    }
    static QByteArray sampleNamed(std::string_view name) {
        for (const ParquetSample& sample : kParquetSamples)
            if (sample.name == name) return QByteArray::fromHex(sample.hex);
        return {};
    }
    static QString shown(const Table& table) {
        QStringList columns;
        for (const TableColumn& column : table.columns) {
            QString line = QString::fromStdString(column.name) + ":";
            for (int64_t row = 0; row < column.rows(); ++row) {
                const std::string text = column.text(row);
                line += " " + QString::fromStdString(text.empty() ? "-" : text);
            }
            columns << line;
        }
        return columns.join(" | ");
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(tst_table_parquet)
#include "tst_table_parquet.moc"
