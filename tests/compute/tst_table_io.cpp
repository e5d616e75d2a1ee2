// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of every type of column through every format and back.
#include <QtTest>
#include <cmath>
#include <limits>

#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "compute/file_folder.h"
#include "support/less_memory.h"
#include "support/process_variable.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

TableColumn column(const std::string& name, decltype(TableColumn::values) values,
                   int64_t width = 1) {
    TableColumn result;
    result.name = name;
    result.width = width;
    result.values = std::move(values);
    return result;
}

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// Three rows with all features that a format must support: extremes, missing values, arrays, and
// characters with a meaning in a format.
Table sample() {
    Table table;
    table.name = "SOURCES";
    table.frame = Frame::Equatorial;
    table.history = {"made by a test", "with a 'quote' and \"two\""};
    const double nan = std::nan("");
    table.columns.push_back(column("RA", std::vector<double>{0.1, 359.99999999999994, nan}));
    table.columns.push_back(column("DEC", std::vector<double>{-90.0, 1e-300, 45.0}));
    table.columns.push_back(column("FLUX", std::vector<float>{0.1F, 3.4e38F, -0.0F}));
    table.columns.push_back(column("ID", std::vector<int64_t>{kMost, -kMost, 0}));
    table.columns.push_back(column("N", std::vector<int64_t>{5, -999, 7}));
    table.columns.push_back(
        column("NAME", std::vector<std::string>{"a, \"b\" & <c>", "", "M 31; it's 'x' # 1"}));
    table.columns.push_back(
        column("SPECTRUM", std::vector<float>{1.5F, 2.5F, 0.1F, -1.0F, 1e-20F, 3.0F}, 2));
    table.columns.push_back(column("PAIR", std::vector<int64_t>{1, 2, 3, 4, 5, 6}, 2));
    table.columns[0].unit = table.columns[1].unit = "deg";
    table.columns[0].ucd = "pos.eq.ra;meta.main";
    table.columns[1].ucd = "pos.eq.dec;meta.main";
    table.columns[2].unit = "mJy";
    table.columns[2].description = "flux at 30 GHz: \"peak\"";
    table.columns[4].null = -999;
    return table;
}

template <class T>
bool sameValues(const std::vector<T>& a, const std::vector<T>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(a[i]) && std::isnan(b[i])) continue;
            if (std::signbit(a[i]) != std::signbit(b[i])) return false;
        }
        if (a[i] != b[i]) return false;
    }
    return true;
}

bool sameValues(const TableColumn& a, const TableColumn& b) {
    if (a.values.index() != b.values.index() || a.width != b.width) return false;
    return std::visit(
        [&](const auto& values) {
            return sameValues(values, std::get<std::decay_t<decltype(values)>>(b.values));
        },
        a.values);
}

}  // namespace

class tst_table_io : public QObject {
    Q_OBJECT
    FileFolder folder_;
    std::string path(const std::string& name) const { return folder_.path(name); }
    Table read(const std::string& name, const TableReadOptions& options = {}) {
        JobContext job;
        return readTable(path(name), options, job);
    }
    void write(const Table& table, const std::string& name) {
        JobContext job;
        writeTable(table, path(name), {true, {"second line"}}, job);
    }
    std::string refusal(const std::string& name, const TableReadOptions& options = {}) {
        return testing::refusal([&] { read(name, options); });
    }

private slots:
    void roundTrips_data();
    void roundTrips();
    void csvRoundTrip();
    void fitsTypes();
    void fitsExtensions();
    void signsInHistory();
    void columnsOfOneName();
    void variableLength();
    void asciiTable();
    void voTableBinary();
    void voTableOrder();
    void longVoTable();
    void ecsvStyles();
    void ecsvRefusals();
    void csvGuesses();
    void textWithoutNames();
    void positionsByUsualNames();
    void chosenColumns();
    void suffixes();
};

void tst_table_io::roundTrips_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"table.fits", "table.vot", "table.ecsv"}) QTest::newRow(name) << name;
}

void tst_table_io::roundTrips() {
    QFETCH(QString, name);
    const Table before = sample();
    write(before, name.toStdString());
    const Table after = read(name.toStdString());
    QCOMPARE(after.name, before.name);
    QCOMPARE(after.frame, before.frame);
    QCOMPARE(after.rows(), before.rows());
    QCOMPARE(after.columns.size(), before.columns.size());
    for (size_t i = 0; i < before.columns.size(); ++i) {
        const TableColumn &a = before.columns[i], &b = after.columns[i];
        QCOMPARE(b.name, a.name);
        QCOMPARE(b.unit, a.unit);
        QCOMPARE(b.ucd, a.ucd);
        QCOMPARE(b.description, a.description);
        QVERIFY2(sameValues(a, b) || a.null.has_value(), a.name.c_str());
    }
    // ECSV has empty cells for missing integers, other formats the integer itself.
    QVERIFY(std::isnan(after.columns[4].number(1)));
    QCOMPARE(after.columns[4].number(2), 7.0);
    QCOMPARE(after.history.size(), size_t{3});
    QCOMPARE(after.history[1], before.history[1]);
    // A second conversion gives the same bytes.
    const std::string other = "again" + name.toStdString().substr(5);
    Table clean = after;
    clean.history = before.history;
    if (name.endsWith("ecsv"))
        clean.columns[4].null = -999, clean.columns[4].values = before.columns[4].values;
    test::setVariable("SOURCE_DATE_EPOCH", "1000000000");
    write(before, name.toStdString());
    write(clean, other);
    test::unsetVariable("SOURCE_DATE_EPOCH");
    QVERIFY(readBytes(path(other)) == readBytes(path(name.toStdString())));
}

void tst_table_io::csvRoundTrip() {
    Table before = sample();
    before.columns.resize(6);
    write(before, "table.csv");
    const Table after = read("table.csv");
    QCOMPARE(after.columns.size(), size_t{6});
    QVERIFY(sameValues(after.columns[0], before.columns[0]));
    QVERIFY(sameValues(after.columns[1], before.columns[1]));
    QCOMPARE(after.columns[2].number(0), 0.1);  // the shortest digits of a float, as a double
    QVERIFY(sameValues(after.columns[3], before.columns[3]));
    QVERIFY(std::isnan(after.columns[4].number(1)));
    QVERIFY(sameValues(after.columns[5], before.columns[5]));
}

// A reader notes the new names of columns with the name of an earlier one.
void tst_table_io::columnsOfOneName() {
    writeBytes(path("twice.csv"), "ra,dec,flux,ra,flux,flux_2\n10,20,1,11,2,3\n");
    JobContext job;
    std::vector<std::string> notes;
    const Catalog catalog = readCatalog(path("twice.csv"), job, &notes);
    QCOMPARE(notes, (std::vector<std::string>{"columns with the name of an earlier one are "
                                              "renamed: 'ra' to 'ra_2', 'flux' to 'flux_2_2'"}));
    std::vector<std::string> names;
    for (const TableColumn& column : catalog.table.columns) names.push_back(column.name);
    QCOMPARE(names, (std::vector<std::string>{"ra", "dec", "flux", "ra_2", "flux_2_2", "flux_2"}));
    TableReadOptions options;
    options.notes = &notes;
    notes.clear();
    readTable(path("twice.csv"), options, job);
    QCOMPARE(notes.size(), size_t{1});
    notes.clear();
    writeBytes(path("once.csv"), "ra,dec\n10,20\n");
    readCatalog(path("once.csv"), job, &notes);
    QVERIFY(notes.empty());
}

void tst_table_io::fitsTypes() {
    HduBytes hdu = tableHdu({{"L", "2L"},
                             {"X", "10X"},
                             {"B", "B"},
                             {"I", "I"},
                             {"U", "I"},
                             {"J", "J"},
                             {"K", "K"},
                             {"UK", "K"},
                             {"S", "I"},
                             {"C", "C"},
                             {"A", "6A"}},
                            2 + 2 + 1 + 2 + 2 + 4 + 8 + 8 + 2 + 8 + 6, 2);
    hdu.set("TZERO5", 32768).set("TNULL6", -1).set("TSCAL9", 0.5).set("TZERO9", 1.0);
    hdu.set("TZERO8", "9223372036854775808").setText("TDIM11", "(3,2)");
    for (int row = 0; row < 2; ++row) {
        hdu.data += row == 0 ? std::string("TF") : std::string("T\0", 2);
        append(hdu.data, uint16_t{0x8140});  // bits 0, 7 and 9
        append(hdu.data, uint8_t{200});
        append(hdu.data, int16_t{-3});
        append(hdu.data, int16_t{32767});  // 65535
        append(hdu.data, int32_t{-1});
        append(hdu.data, int64_t{1} << 60);
        append(hdu.data, std::numeric_limits<int64_t>::min() + 17);  // 17
        append(hdu.data, int16_t{3});                                // 2.5
        append(hdu.data, 1.5F);
        append(hdu.data, -2.5F);
        hdu.data += "ab cde";
    }
    writeBytes(path("types.fits"), primaryHdu().bytes() + hdu.bytes());
    const Table table = read("types.fits");
    const auto at = [&](const char* name) {
        return table.columns[static_cast<size_t>(*table.find(name))];
    };
    QCOMPARE(at("L").number(0, 0), 1.0);
    QCOMPARE(at("L").number(0, 1), 0.0);
    QVERIFY(std::isnan(at("L").number(1, 1)));
    QCOMPARE(at("X").width, int64_t{10});
    for (int bit = 0; bit < 10; ++bit)
        QCOMPARE(at("X").number(1, bit), bit == 0 || bit == 7 || bit == 9 ? 1.0 : 0.0);
    QCOMPARE(at("B").number(0), 200.0);
    QCOMPARE(at("I").number(0), -3.0);
    QCOMPARE(at("U").number(0), 65535.0);
    QVERIFY(std::isnan(at("J").number(0)));
    QCOMPARE(std::get<std::vector<int64_t>>(at("K").values)[0], int64_t{1} << 60);
    QCOMPARE(std::get<std::vector<int64_t>>(at("UK").values)[1], int64_t{17});
    QCOMPARE(at("S").number(0), 2.5);
    QCOMPARE(at("C").width, int64_t{2});
    QCOMPARE(at("C").number(1, 1), -2.5);
    QCOMPARE(at("A").width, int64_t{2});
    QCOMPARE(at("A").text(1, 0), std::string("ab"));
    QCOMPARE(at("A").text(1, 1), std::string("cde"));

    // Numbers beyond signed integers make the column texts of their digits. UK begins after the 21
    // bytes of the preceding columns.
    hdu.data.replace(21, 8, std::string("\x7f\xff\xff\xff\xff\xff\xff\xff", 8));
    writeBytes(path("large.fits"), primaryHdu().bytes() + hdu.bytes());
    const Table large = read("large.fits");
    const TableColumn& digits = large.columns[static_cast<size_t>(*large.find("UK"))];
    QCOMPARE(digits.text(0), std::string("18446744073709551615"));
    QCOMPARE(digits.text(1), std::string("17"));
    QCOMPARE(large.columns.size(), table.columns.size());
}

void tst_table_io::fitsExtensions() {
    Table second;
    second.name = "COVARIANCE";
    second.columns.push_back(column("C", std::vector<double>{1, 2, 3, 4}, 2));
    const std::vector<Table> tables{sample(), second};
    JobContext job;
    for (const char* name : {"two.fits", "two.vot"}) {
        writeTables(tables, path(name), {}, job);
        TableReadOptions options;
        options.table = QString(name).endsWith("fits") ? "COVARIANCE" : "2";
        const Table table = read(name, options);
        QCOMPARE(table.columns.size(), size_t{1});
        QCOMPARE(table.columns[0].number(1, 1), 4.0);
        QCOMPARE(read(std::string(name) + (QString(name).endsWith("fits") ? "[2]" : "[COVARIANCE]"))
                     .rows(),
                 int64_t{2});
    }
    QVERIFY_THROWS_EXCEPTION(InvalidArgument, writeTables(tables, path("two.csv"), {}, job));
    QVERIFY(!QFile::exists(QString::fromStdString(path("two.csv"))));
}

// Display titles contain characters that FITS does not allow.
void tst_table_io::signsInHistory() {
    Table table = sample();
    table.history = {"within 16.2\u2032, \u22123\u00b0, 5 \u03bcK, \u4e2d"};
    write(table, "signs.fits");
    const auto& history = read("signs.fits").history;
    QVERIFY(std::find(history.begin(), history.end(), "within 16.2', -3 deg, 5 uK, ?") !=
            history.end());
}

void tst_table_io::variableLength() {
    HduBytes hdu = tableHdu({{"RA", "D"}, {"DEC", "D"}, {"LIST", "1PE(3)"}}, 24, 1);
    append(hdu.data, 1.0);
    append(hdu.data, 2.0);
    append(hdu.data, int64_t{0});
    writeBytes(path("variable.fits"), primaryHdu().bytes() + hdu.bytes());
    QVERIFY(refusal("variable.fits").find("column 'LIST' of variable length") != std::string::npos);
    QCOMPARE(read("variable.fits", {{"DEC"}, {}, {}}).columns.size(), size_t{1});
    JobContext job;
    const Catalog catalog = readCatalog(path("variable.fits"), job);
    QCOMPARE(catalog.table.leftOut, std::vector<std::string>{"LIST"});
    QCOMPARE(catalog.at(0).lat, 2.0 * kDegree);
}

void tst_table_io::asciiTable() {
    HduBytes hdu;
    hdu.setText("XTENSION", "TABLE").set("BITPIX", 8).set("NAXIS", 2).set("NAXIS1", 20);
    hdu.set("NAXIS2", 2).set("PCOUNT", 0).set("GCOUNT", 1).set("TFIELDS", 3);
    hdu.setText("TTYPE1", "N").setText("TFORM1", "I5").set("TBCOL1", 1).setText("TNULL1", "-9");
    hdu.setText("TTYPE2", "X").setText("TFORM2", "E9.2").set("TBCOL2", 7);
    hdu.setText("TTYPE3", "S").setText("TFORM3", "A4").set("TBCOL3", 17);
    hdu.data = "   42  1.50E+02 abc    -9 -2.00D-01     ";
    writeBytes(path("ascii.fits"), primaryHdu().bytes() + hdu.bytes(' '));
    const Table table = read("ascii.fits");
    QCOMPARE(table.columns[0].number(0), 42.0);
    QVERIFY(table.columns[0].isInteger());
    QVERIFY(std::isnan(table.columns[0].number(1)));
    QCOMPARE(table.columns[1].number(0), 150.0);
    QCOMPARE(table.columns[1].number(1), -0.2);
    QCOMPARE(table.columns[2].text(0), std::string("abc"));
}

void tst_table_io::voTableBinary() {
    // Rows (1.5, 7, "A") and (-2, 9, "BC"); by hand: doubles 3ff8..., c000..., ints, counts,
    // letters.
    const std::string head =
        "<VOTABLE><RESOURCE><COOSYS ID='g' system='galactic'/><TABLE>"
        "<FIELD name='X' datatype='double' ref='g'/><FIELD name='I' datatype='int'/>"
        "<FIELD name='S' datatype='char' arraysize='*'/><DATA>";
    const std::string tail = "</DATA></TABLE></RESOURCE></VOTABLE>";
    writeBytes(path("b1.vot"),
               head +
                   "<BINARY><STREAM encoding='base64'>P/gAAAAAAAAAAAAHAAAAAUHAAAAAAAAAAAAAAAkA"
                   "AAACQkM=</STREAM></BINARY>" +
                   tail);
    // BINARY2: a byte of flags before each row; 0x40: the second field of the second row is null.
    writeBytes(path("b2.vot"),
               head +
                   "<BINARY2><STREAM encoding='base64'>AD/4AAAAAAAAAAAABwAAAAFBQMAAAAAAAAAAAAAA"
                   "CQAAAAJCQw==</STREAM></BINARY2>" +
                   tail);
    for (const char* name : {"b1.vot", "b2.vot"}) {
        const Table table = read(name);
        QCOMPARE(table.frame, Frame::Galactic);
        QCOMPARE(table.rows(), int64_t{2});
        QCOMPARE(table.columns[0].number(0), 1.5);
        QCOMPARE(table.columns[0].number(1), -2.0);
        QCOMPARE(table.columns[1].number(0), 7.0);
        if (name[1] == '1')
            QCOMPARE(table.columns[1].number(1), 9.0);
        else
            QVERIFY(std::isnan(table.columns[1].number(1)));
        QCOMPARE(table.columns[2].text(1), std::string("BC"));
    }
}

// The schema of VOTable has the children of a RESOURCE in this order.
void tst_table_io::voTableOrder() {
    Table table;
    table.frame = Frame::Galactic;
    table.history = {"first line"};
    TableColumn column;
    column.name = "X";
    column.values = std::vector<double>{1.0};
    table.columns.push_back(column);
    write(table, "order.vot");
    QFile file(QString::fromStdString(path("order.vot")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QCOMPARE(text.count("<INFO"), 2);
    QVERIFY(text.contains("<COOSYS"));
    QVERIFY(text.lastIndexOf("<INFO") < text.indexOf("<COOSYS"));
    QVERIFY(text.indexOf("<COOSYS") < text.indexOf("<TABLE"));
}

// Rows are parsed in pieces, and columns that are not chosen are not decoded. The text takes 10 MB,
// its elements 64 bytes each, 64 MB.
void tst_table_io::longVoTable() {
    constexpr int kRows = 40000, kFields = 24;
    const auto valueAt = [](int row, int field) { return row % 1000 + field; };
    std::string head =
        "<?xml version=\"1.0\"?>\n<vo:VOTABLE xmlns:vo=\"x\"><vo:RESOURCE>"
        "<vo:TABLE name=\"first\"><vo:FIELD name=\"a\" datatype=\"int\"/><vo:DATA>"
        "<vo:TABLEDATA><vo:TR><vo:TD>5</vo:TD></vo:TR></vo:TABLEDATA></vo:DATA>"
        "</vo:TABLE><vo:TABLE name=\"none\"><vo:FIELD name=\"a\" datatype=\"int\"/>"
        "<vo:DATA><vo:TABLEDATA/></vo:DATA></vo:TABLE><vo:TABLE name=\"long\">";
    for (int field = 0; field < kFields; ++field)
        head += "<vo:FIELD name=\"f" + std::to_string(field) +
                (field == 3 ? "\" datatype=\"char\" arraysize=\"*\"/>" : "\" datatype=\"int\"/>");
    const std::string foot = "</vo:TABLEDATA></vo:DATA></vo:TABLE></vo:RESOURCE></vo:VOTABLE>";
    std::string rows;
    for (int row = 0; row < kRows; ++row) {
        rows += row % 500 == 7 ? "<!-- </TR> --><vo:TR note='a > b'>" : "<vo:TR>";
        for (int field = 0; field < kFields; ++field)
            rows += "<vo:TD>" +
                    (field == 3               ? "<![CDATA[</TR>" + std::to_string(row) + "]]>&amp;"
                     : row == 9 && field == 5 ? std::string("x")
                                              : std::to_string(valueAt(row, field))) +
                    "</vo:TD>";
        rows += "</vo:TR>\n";
    }
    writeBytes(path("long.vot"), head + "<vo:DATA><vo:TABLEDATA>" + rows + foot);
    // One bad tag near the end, with its byte in the file.
    const std::string bad = head + "<vo:DATA><vo:TABLEDATA>" + rows + "<vo:TR></vo:TD></vo:TR>";
    writeBytes(path("bad.vot"), bad + foot);
    std::string().swap(rows);
    TableReadOptions options;
    options.columns = {"f3", "f7"};
    const auto found = refusal("bad.vot[long]", options);
    const size_t at = found.find("at byte ");
    QVERIFY2(at != std::string::npos, found.c_str());
    const auto byte = std::stoll(found.substr(at + 8));
    QVERIFY2(std::abs(byte - static_cast<long long>(bad.size())) < 30, found.c_str());
    QVERIFY(refusal("long.vot[long]").find("expected an integer in column 'f5', found 'x'") !=
            std::string::npos);
    const auto check = [&] {
        const Table table = read("long.vot[long]", options);
        QCOMPARE(table.rows(), int64_t{kRows});
        QCOMPARE(table.columns.size(), size_t{2});
        for (int row = 0; row < kRows; ++row) {
            QCOMPARE(table.columns[0].text(row), "</TR>" + std::to_string(row) + "&");
            QCOMPARE(table.columns[1].number(row), static_cast<double>(valueAt(row, 7)));
        }
    };
    check();
    QCOMPARE(read("long.vot").columns[0].number(0), 5.0);
    QCOMPARE(read("long.vot[none]").rows(), int64_t{0});
#if !defined(__SANITIZE_ADDRESS__)  // reserves terabytes of addresses
    const test::LessMemory less(int64_t{48} << 20);
    check();
#endif
}

void tst_table_io::ecsvStyles() {
    writeBytes(
        path("styles.ecsv"),
        "# %ECSV 0.9\n# ---\n# datatype:\n# - name: RA\n#   unit: deg\n#   datatype: float64\n"
        "#   description: right ascension,\n#     of the peak\n"
        "# - {name: 'DE C', datatype: float32, format: '%.2f', description: \"a: \\\"b\\\"\"}\n"
        "# - {name: ok, datatype: bool}\n# - {name: n, datatype: int16}\n"
        "# - name: v\n#   datatype: string\n#   subtype: float64[2,2]\n"
        "# meta: !!omap\n# - comments: [made, 'by hand']\n# - COORDSYS: G\n"
        "RA \"DE C\" ok n v\n1.5 nan True \"\" [[1,2],[3,null]]\n\n2.5 -1 False 3 "
        "[[1,2],[3,4e2]]\n");
    const Table table = read("styles.ecsv");
    QCOMPARE(table.rows(), int64_t{2});
    QCOMPARE(table.frame, Frame::Galactic);
    QCOMPARE(table.columns[0].unit, std::string("deg"));
    QCOMPARE(table.columns[0].description, std::string("right ascension, of the peak"));
    QCOMPARE(table.columns[1].name, std::string("DE C"));
    QCOMPARE(table.columns[1].description, std::string("a: \"b\""));
    QVERIFY(std::isnan(table.columns[1].number(0)));
    QCOMPARE(table.columns[2].number(0), 1.0);
    QVERIFY(std::isnan(table.columns[3].number(0)));
    QCOMPARE(table.columns[3].number(1), 3.0);
    QCOMPARE(table.columns[4].width, int64_t{4});
    QVERIFY(std::isnan(table.columns[4].number(0, 3)));
    QCOMPARE(table.columns[4].number(1, 3), 400.0);
}

void tst_table_io::ecsvRefusals() {
    const auto refused = [&](const std::string& text, const char* found) {
        writeBytes(path("bad.ecsv"), "# %ECSV 1.0\n# ---\n" + text);
        const std::string line = refusal("bad.ecsv");
        return line.find(found) != std::string::npos && line.find('\n') == std::string::npos;
    };
    QVERIFY(refused("# x: 1\na\n1\n", "a list 'datatype'"));
    QVERIFY(refused("# datatype:\n# - {name: a, datatype: date}\na\n1\n", "'date'"));
    QVERIFY(refused("# datatype:\n# - {name: a, datatype: int64}\na\nx\n", "'x'"));
    QVERIFY(refused("# datatype:\n# - {name: a, datatype: int64\na\n1\n",
                    "YAML, found an error in line"));
    QVERIFY(refused("# datatype:\n# - {name: a, datatype: int64}\na b\n1 2\n", "1 cell "));
}

void tst_table_io::csvGuesses() {
    writeBytes(path("guess.csv"), "id,zip,x,y,s\n1,007,1,,a\n,010,2.5,,b\n3,1,1e3,,\n");
    const Table table = read("guess.csv");
    QVERIFY(table.columns[0].isInteger());
    QVERIFY(std::isnan(table.columns[0].number(1)));
    QVERIFY(table.columns[1].isText());
    QCOMPARE(table.columns[2].number(2), 1000.0);
    QVERIFY(!table.columns[3].isInteger() && std::isnan(table.columns[3].number(0)));
    QVERIFY(table.columns[4].isText());
}

// Columns as catalogs of surveys and of programs name them, after a number that is no position.
void tst_table_io::positionsByUsualNames() {
    const std::pair<const char*, const char*> names[] = {
        {"RA", "DEC"},                        // Gaia and most others
        {"RAJD", "DECJD"},                    // pulsars of the ATNF
        {"RAJ2000", "DEJ2000"},               // CDS
        {"TARGET_RA", "TARGET_DEC"},          // DESI
        {"MEAN_FIBER_RA", "MEAN_FIBER_DEC"},  // DESI
        {"coord_ra", "coord_dec"},            // Rubin
        {"objra", "objdec"},                  // ZTF
        {"objectra", "objectdec"},
        {"raStack", "decStack"},                 // Pan-STARRS
        {"ALPHAWIN_J2000", "DELTAWIN_J2000"},    // SExtractor
        {"ALPHAPEAK_J2000", "DELTAPEAK_J2000"},  // SExtractor
        {"ALPHA_SKY", "DELTA_SKY"},              // SExtractor
        {"Right Ascension (deg)", "Declination (deg)"}};
    for (const auto& [lon, lat] : names) {
        writeBytes(path("names.csv"), "N," + std::string(lon) + "," + lat + "\n3,10,20\n4,11,21\n");
        const Table table = read("names.csv");
        const auto found = findPositions(table);
        QVERIFY2(found, lon);
        QCOMPARE(found->lon, 1);
        QCOMPARE(found->lat, 2);
        QCOMPARE(found->frame, Frame::Equatorial);
    }
    // World axes of SExtractor are those of its image, which a table does not name.
    writeBytes(path("world.csv"), "NUMBER,X_WORLD,Y_WORLD\n1,10,20\n2,11,21\n");
    const auto world = findPositions(read("world.csv"));
    QVERIFY(world && world->lon == 1 && world->lat == 2);
    QCOMPARE(world->frame, Frame::Unknown);
    writeBytes(path("unit.csv"), "N,glon_deg,glat_deg\n1,10,20\n");
    const auto galactic = findPositions(read("unit.csv"));
    QVERIFY(galactic && galactic->lon == 1 && galactic->lat == 2);
    QCOMPARE(galactic->frame, Frame::Galactic);
}

void tst_table_io::textWithoutNames() {
    writeBytes(path("plain.txt"), "# made by hand\n# ra dec z\n1 2 0.5\n  3   4  0.6  \n");
    const Table named = read("plain.txt");
    QCOMPARE(named.columns.size(), size_t{3});
    QCOMPARE(named.columns[2].name, std::string("z"));
    QCOMPARE(named.rows(), int64_t{2});
    QCOMPARE(named.columns[2].number(1), 0.6);
    writeBytes(path("bare.txt"), "1,2\n3,4\n");
    QCOMPARE(read("bare.txt").columns[1].name, std::string("col2"));
}

void tst_table_io::chosenColumns() {
    for (const char* name :
         {"chosen.fits", "chosen.vot", "chosen.ecsv", "chosen.csv", "chosen.parquet"}) {
        Table table = sample();
        if (QString(name).endsWith("csv") && !QString(name).endsWith("ecsv"))
            table.columns.resize(6);
        write(table, name);
        const Table some = read(name, {{"flux", "1"}, {}, {}});
        QCOMPARE(some.columns.size(), size_t{2});
        QCOMPARE(some.columns[0].name, std::string("FLUX"));
        QCOMPARE(some.columns[1].name, std::string("RA"));
        QVERIFY(refusal(name, {{"NONE"}, {}, {}}).find("RA, DEC, FLUX") != std::string::npos);
    }
}

void tst_table_io::suffixes() {
    JobContext job;
    for (const char* name : {"a.fits.fz", "a.png", "a", "a.hdf5"})
        QVERIFY_THROWS_EXCEPTION(IoError, writeTable(sample(), path(name), {}, job));
    QVERIFY_THROWS_EXCEPTION(IoError, requireTableName(std::string(252, 'x') + ".csv"));
    requireTableName(std::string(251, 'x') + ".csv");
}

QTEST_GUILESS_MAIN(tst_table_io)
#include "tst_table_io.moc"
