// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of Parquet files with different columns. The rules are those of pyarrow.dataset with
// unified schemas, except that lossy conversions are refused.
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_blocks.h"
#include "armilla/io/table_io.h"

using namespace armilla;

namespace {

// pq.write_table(pa.table({'ra': [20.0], 'dec': [9.0], 'name': pa.nulls(1)}), FILE,
// store_schema=False, write_statistics=False, compression='none', use_dictionary=False)
constexpr const char* kNulls =
    "504152311500151c151c2c15021500150615061c00000002000000020100000000000034401500151c151c2c15"
    "021500150615061c00000002000000020100000000000022401500150c150c2c15021500150615061c00000002"
    "00000002001504194c35001806736368656d61150600150a25021802726100150a250218036465630015022502"
    "18046e616d656cbc0000001602191c193c26001c150a19250600191802726115001602164216422608491c1500"
    "15001502003c29061926000200000026001c150a192506001918036465631500160216421642264a491c150015"
    "001502003c29061926000200000026001c1502192506001918046e616d651500160216321632268c01491c1500"
    "15001502003c29061926020000000016b6011602260816b601002820706172717565742d6370702d6172726f77"
    "2076657273696f6e2032362e302e31193c1c00001c00001c000000f700000050415231";
// The same with 'name': pa.array([2**63 + 5], pa.uint64())
constexpr const char* kUnsigned =
    "504152311500151c151c2c15021500150615061c00000002000000020100000000000034401500151c151c2c15"
    "021500150615061c00000002000000020100000000000022401500151c151c2c15021500150615061c00000002"
    "000000020105000000000000801504194c35001806736368656d61150600150a25021802726100150a25021803"
    "646563001504250218046e616d65251c4cac1340120000001602191c193c26001c150a19250600191802726115"
    "001602164216422608491c150015001502003c29061926000200000026001c150a192506001918036465631500"
    "160216421642264a491c150015001502003c29061926000200000026001c1504192506001918046e616d651500"
    "160216421642268c01491c150015001502003c29061926000200000016c6011602260816c60100282070617271"
    "7565742d6370702d6172726f772076657273696f6e2032362e302e31193c1c00001c00001c000000fc00000050"
    "415231";
// The same with 'name': [[1, 2]]
constexpr const char* kList =
    "504152311500151c151c2c15021500150615061c00000002000000020100000000000034401500151c151c2c15"
    "021500150615061c00000002000000020100000000000022401500153815382c15041500150615061c00000002"
    "0000000302020000000403010000000000000002000000000000001504196c35001806736368656d6115060015"
    "0a25021802726100150a2502180364656300350218046e616d65150215064c3c000000350418046c6973741502"
    "00150425021807656c656d656e74001602191c193c26001c150a19250600191802726115001602164216422608"
    "491c150015001502003c29061926000200000026001c150a192506001918036465631500160216421642264a49"
    "1c150015001502003c29061926000200000026001c1504192506001938046e616d65046c69737407656c656d65"
    "6e7415001604165e165e268c01491c150015001502003c2926020219460000000400000016e2011602260816e2"
    "01002820706172717565742d6370702d6172726f772076657273696f6e2032362e302e31193c1c00001c00001c"
    "0000002301000050415231";

TableColumn column(const char* name, auto values, const char* unit = "") {
    TableColumn made;
    made.name = name;
    made.unit = unit;
    made.values = std::move(values);
    return made;
}

std::vector<std::string> texts(const Table& table, const char* name) {
    const auto index = table.find(name);
    std::vector<std::string> all;
    if (!index) return all;
    const TableColumn& column = table.columns[static_cast<size_t>(*index)];
    for (int64_t row = 0; row < column.rows(); ++row) all.push_back(column.text(row));
    return all;
}

using Texts = std::vector<std::string>;

}  // namespace

class tst_parquet_folder : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    JobContext job_;

    std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
    void write(const char* name, std::vector<TableColumn> others) {
        const QString file = folder_.filePath(name);
        QDir().mkpath(QFileInfo(file).path());
        Table table;
        const auto rows = static_cast<size_t>(others.front().rows());
        table.columns = {column("ra", std::vector<double>(rows, 10.0)),
                         column("dec", std::vector<double>(rows, -5.0))};
        for (TableColumn& other : others) table.columns.push_back(std::move(other));
        writeTable(table, file.toStdString(), {true, {}}, job_);
    }
    void write(const char* name, const char* hex) {
        const QString file = folder_.filePath(name);
        QDir().mkpath(QFileInfo(file).path());
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QByteArray::fromHex(hex));
    }
    // Whole and by blocks, a column has these values.
    void has(const char* folder, const char* name, const Texts& expected) {
        QCOMPARE(texts(readTable(path(folder), {}, job_), name), expected);
        TableReadOptions options;
        options.columns = {name};
        QCOMPARE(texts(readTable(path(folder), options, job_), name), expected);
        const auto blocks = TableBlocks::open(path(folder), TableBlocks::Choice::FirstTable, job_);
        QVERIFY(blocks.has_value());
        const Table outline = blocks->outlineOf({name}, job_);
        Texts all;
        for (const auto& block : blocks->blocks(1, {}, job_)) {
            const Table rows = blocks->read(block, {name}, job_);
            QCOMPARE(rows.columns[0].values.index(), outline.columns[0].values.index());
            for (const std::string& each : texts(rows, name)) all.push_back(each);
        }
        QCOMPARE(all, expected);
    }
    void refuses(const char* folder, const char* words) {
        try {
            readTable(path(folder), {}, job_);
            QFAIL("read");
        } catch (const IoError& error) {
            const std::string_view line = error.what();
            QVERIFY2(line.find(words) != std::string_view::npos, error.what());
            QVERIFY(line.find('\n') == std::string_view::npos);
        }
    }

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }
    // A column of a later file is not dropped, and one that a later file lacks is no error.
    void columnsOfSomeFiles() {
        write("some/0.parquet", {column("n", std::vector<int64_t>{1, 2}),
                                 column("x", std::vector<float>{0.5F, 1.5F})});
        write("some/1.parquet", {column("extra", Texts{"z"}), column("g", std::vector<double>{7.0}),
                                 column("G", std::vector<double>{8.0})});
        has("some", "n", {"1", "2", ""});
        has("some", "x", {"0.5", "1.5", ""});
        has("some", "extra", {"", "", "z"});
        has("some", "g", {"", "", "7"});
        has("some", "G", {"", "", "8"});
        const FileSummary summary = inspectFile(path("some"));
        QCOMPARE(summary.columns.size(), size_t{7});
        QCOMPARE(summary.rows, int64_t{3});
    }
    void numbersWiden() {
        TableColumn missing = column("n", std::vector<int64_t>{-1, (int64_t{1} << 53)});
        missing.null = -1;
        write("widen/0.parquet", {missing, column("x", std::vector<float>{0.1F, 2.0F})});
        write("widen/1.parquet",
              {column("n", std::vector<double>{0.5}), column("x", std::vector<double>{0.1})});
        has("widen", "n", {"", "9007199254740992", "0.5"});
        // The nearest single number to 0.1 is 0.100000001490116119384765625.
        has("widen", "x", {"0.10000000149011612", "2", "0.1"});
        write("far/0.parquet", {column("n", std::vector<int64_t>{(int64_t{1} << 53) + 1})});
        write("far/1.parquet", {column("n", std::vector<double>{0.5})});
        refuses("far", "expected integers up to 2^53 in column 'n', which holds real numbers");
    }
    // pandas writes a column without any value in the type "null".
    void columnsWithoutType() {
        write("null/0.parquet", kNulls);
        write("null/1.parquet", {column("name", Texts{"m31"})});
        has("null", "name", {"", "m31"});
        write("real/0.parquet", {column("name", std::vector<double>{1.5})});
        write("real/1.parquet", kNulls);
        has("real", "name", {"1.5", ""});
    }
    void unsignedNumbers() {
        write("wide/0.parquet", kUnsigned);
        write("wide/1.parquet", {column("other", std::vector<int64_t>{3})});
        write("wide/2.parquet", kNulls);
        has("wide", "name", {"9223372036854775813", "", ""});
        write("signed/0.parquet", kUnsigned);
        write("signed/1.parquet", {column("name", std::vector<int64_t>{-3})});
        refuses("signed", "expected integers below 2^63 in column 'name'");
        write("reals/0.parquet", kUnsigned);
        write("reals/1.parquet", {column("name", std::vector<double>{-3.0})});
        refuses("reals", "expected integers below 2^63 in column 'name'");
    }
    void refusedColumns() {
        write("texts/0.parquet", {column("n", std::vector<double>{1.0})});
        write("texts/1.parquet", {column("n", Texts{"a"})});
        refuses("texts", "expected numbers in column 'n', as in ");
        write("units/0.parquet", {column("flux", std::vector<double>{1.0}, "mJy")});
        write("units/1.parquet", {column("flux", std::vector<double>{1.0}, "Jy")});
        refuses("units", "expected the unit 'mJy' in column 'flux', as in ");
        write("lists/0.parquet", kList);
        write("lists/1.parquet", {column("name", Texts{"a"})});
        refuses("lists", "expected numbers or texts in column 'name'");
        // The other columns can be read, and listed.
        for (const char* folder : {"texts", "units", "lists"}) {
            TableReadOptions options;
            options.columns = {"ra"};
            QCOMPARE(readTable(path(folder), options, job_).rows(), int64_t{2});
            QCOMPARE(inspectFile(path(folder)).rows, int64_t{2});
        }
        write("leftout/0.parquet", {column("n", std::vector<double>{1.0})});
        write("leftout/1.parquet", kList);
        QCOMPARE(readTable(path("leftout"), {}, job_).leftOut, (Texts{"name"}));
    }
    // Keys of folders have the type of their values.
    void keysOfFolders() {
        write("keys/band=g/0.parquet", {column("n", std::vector<int64_t>{1})});
        write("keys/band=r/0.parquet", {column("n", std::vector<int64_t>{2})});
        write("years/year=2019/0.parquet", {column("n", std::vector<int64_t>{1})});
        has("keys", "band", {"g", "r"});
        has("years", "year", {"2019"});
        QCOMPARE(inspectFile(path("keys")).columns.back().type, DiskType::Float64);
        QCOMPARE(inspectFile(path("years")).columns.back().type, DiskType::Int64);
        const auto blocks = TableBlocks::open(path("keys"), TableBlocks::Choice::FirstTable, job_);
        QVERIFY(blocks && blocks->outline().columns.back().isText());
    }
};

QTEST_GUILESS_MAIN(tst_parquet_folder)
#include "tst_parquet_folder.moc"
