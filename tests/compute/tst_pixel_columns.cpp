// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of HEALPix pixels whose columns are no plain numbers (bits, text, rows of different
// lengths), and maps whose fields lie in an HDU each. Files are made byte by byte here.
#include <QtTest>
#include <algorithm>

#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

// A map of one field: value `first` + pixel.
std::string fieldHdu(const std::string& hduName, const std::string& column, double first,
                     int64_t nside = 1, bool isIau = false) {
    const int64_t pixels = 12 * nside * nside;
    HduBytes table = tableHdu({{column, "E"}}, 4, pixels);
    mapKeywords(table, nside, "RING");
    if (!hduName.empty()) table.setText("EXTNAME", hduName);
    if (isIau) table.setText("POLCCONV", "IAU");
    for (int64_t p = 0; p < pixels; ++p)
        append(table.data, static_cast<float>(first + static_cast<double>(p)));
    return table.bytes();
}

// A list of the pixels 0 to 3 from `firstPixel` on.
std::string listHdu(const std::string& hduName, int32_t firstPixel) {
    HduBytes table = tableHdu({{"PIXEL", "J"}, {"VALUE", "E"}}, 8, 4);
    mapKeywords(table, 4, "NESTED").setText("INDXSCHM", "EXPLICIT").setText("EXTNAME", hduName);
    for (int32_t p = firstPixel; p < firstPixel + 4; ++p) {
        append(table.data, p);
        append(table.data, static_cast<float>(p));
    }
    return table.bytes();
}

}  // namespace

class tst_pixel_columns : public MapFileTest {
    Q_OBJECT

private:
    HealpixMap noted(const std::string& file, std::vector<std::string>& notes) {
        return readMap(file, {{}, {}, &notes}, job_);
    }
    static QStringList namesOf(const HealpixMap& map) {
        QStringList names;
        for (int f = 0; f < map.fieldCount(); ++f)
            names << QString::fromStdString(map.field(f).name);
        return names;
    }
    JobContext job_;

private slots:
    // FITS 4.0, section 7.3.3.1: the first bit is the highest one of its byte.
    void bitsAreFields() {
        HduBytes table =
            tableHdu({{"FLAGS", "10X"}, {"T", "E"}, {"NAME", "4A"}, {"SPECTRUM", "PE(2)"}}, 18, 12);
        mapKeywords(table, 1, "RING");
        for (int p = 0; p < 12; ++p) {
            table.data += static_cast<char>(p == 3 ? 0xA0 : 0x01);
            table.data += static_cast<char>(p == 3 ? 0x40 : 0x80);
            append(table.data, 1.5F);
            table.data += "name";
            append(table.data, int64_t{0});
        }
        const std::string file = written(table.bytes());
        QCOMPARE(inspectFile(file).columns.size(), size_t{11});
        std::vector<std::string> notes;
        const HealpixMap map = noted(file, notes);
        QCOMPARE(map.fieldCount(), 11);
        QCOMPARE(map.field(0).name, std::string("FLAGS[1]"));
        QCOMPARE(map.field(0).diskType, DiskType::Logical);
        for (int bit = 0; bit < 10; ++bit) {
            QCOMPARE(map.field(bit).at(3), bit == 0 || bit == 2 || bit == 9 ? 1.0 : 0.0);
            QCOMPARE(map.field(bit).at(4), bit == 7 || bit == 8 ? 1.0 : 0.0);
        }
        QCOMPARE(map.field(10).at(3), 1.5);
        QCOMPARE(notes.size(), size_t{1});
        for (const char* part : {"NAME (text)", "SPECTRUM (rows of different lengths)"})
            QVERIFY2(notes[0].find(part) != std::string::npos, notes[0].c_str());
        QCOMPARE(read(file, {"FLAGS[3]"}).field(0).at(3), 1.0);
    }
    // A table of bits alone is a map. In a list, each row is a pixel.
    void bitsOfAList() {
        HduBytes table = tableHdu({{"PIXEL", "J"}, {"FLAG", "X"}}, 5, 2);
        mapKeywords(table, 4, "RING").setText("INDXSCHM", "EXPLICIT");
        append(table.data, int32_t{7});
        table.data += '\x80';
        append(table.data, int32_t{9});
        table.data += '\x7f';
        const HealpixMap map = read(written(table.bytes()));
        QCOMPARE(namesOf(map), QStringList{QStringLiteral("FLAG")});
        QCOMPARE(map.value(0, 7), 1.0);
        QCOMPARE(map.value(0, 9), 0.0);
    }
    // Rows of several pixels: a bit for each of these. Bits of another number are named.
    void bitsOfPackedRows() {
        HduBytes table = tableHdu({{"GOOD", "12X"}, {"T", "12E"}, {"OTHER", "3X"}}, 51, 4);
        mapKeywords(table, 2, "RING");
        for (int row = 0; row < 4; ++row) {
            table.data += '\x80';
            table.data += '\x10';
            for (int p = 0; p < 12; ++p) append(table.data, static_cast<float>(12 * row + p));
            table.data += '\xff';
        }
        std::vector<std::string> notes;
        const HealpixMap map = noted(written(table.bytes()), notes);
        QCOMPARE(namesOf(map), QStringList({QStringLiteral("GOOD"), QStringLiteral("T")}));
        for (int64_t p = 0; p < 48; ++p) {
            QCOMPARE(map.field(0).at(p), p % 12 == 0 || p % 12 == 11 ? 1.0 : 0.0);
            QCOMPARE(map.field(1).at(p), static_cast<double>(p));
        }
        QCOMPARE(notes.size(), size_t{1});
        QVERIFY2(notes[0].find("OTHER (3 bits a row)") != std::string::npos, notes[0].c_str());
    }
    // More bits than a map has fields do not hide the other columns.
    void manyBits() {
        HduBytes table = tableHdu({{"T", "E"}, {"FLAGS", "2000X"}}, 254, 12);
        mapKeywords(table, 1, "RING");
        table.data.resize(254 * 12);
        std::vector<std::string> notes;
        QCOMPARE(noted(written(table.bytes()), notes).fieldCount(), 1);
        QCOMPARE(notes.size(), size_t{1});
        QVERIFY2(notes[0].find("FLAGS (2000 bits a row)") != std::string::npos, notes[0].c_str());
    }

    void stokesHdus_data() {
        QTest::addColumn<QStringList>("hdus");
        QTest::addColumn<QStringList>("columns");
        QTest::addColumn<QStringList>("names");
        const auto list = [](const char* text) { return QString::fromLatin1(text).split(','); };
        QTest::newRow("names of HDUs")
            << list("I,Q,U") << list("T,T,T") << list("I_STOKES,Q_STOKES,U_STOKES");
        QTest::newRow("names of columns")
            << list(",,") << list("TEMPERATURE,Q_POLARISATION,U_POLARISATION")
            << list("TEMPERATURE,Q_POLARISATION,U_POLARISATION");
        QTest::newRow("Q and U") << list("STOKES Q,STOKES U") << list("VALUE,VALUE")
                                 << list("Q_STOKES,U_STOKES");
        QTest::newRow("other words")
            << list("MAP_I,MAP_Q,MAP_U") << list("T,T,T") << list("I_STOKES,Q_STOKES,U_STOKES");
        QTest::newRow("two frequencies")
            << list("I 143 GHz,Q_143_GHz,U_143_GHz,I_217_GHz,Q_217_GHz,U_217_GHz")
            << list("T,T,T,T,T,T") << list("I_STOKES,Q_STOKES,U_STOKES");
        QTest::newRow("frequencies that differ")
            << list("I_143,Q_217,U_217") << list("T,T,T") << list("T");
        QTest::newRow("others between") << list("I,HITS,Q,U") << list("I,H,Q,U") << list("I,Q,U");
        QTest::newRow("Q without U") << list("I,Q") << list("I,Q") << list("I");
        QTest::newRow("three maps") << list("A,B,C") << list("T,T,T") << list("T");
    }
    void stokesHdus() {
        QFETCH(QStringList, hdus);
        QFETCH(QStringList, columns);
        QFETCH(QStringList, names);
        std::string bytes;
        for (qsizetype i = 0; i < hdus.size(); ++i)
            bytes += fieldHdu(hdus[i].toStdString(), columns[i].toStdString(),
                              100.0 * static_cast<double>(i));
        const std::string file = written(bytes);
        const HealpixMap map = read(file);
        QCOMPARE(namesOf(map), names);
        QCOMPARE(static_cast<int>(inspectFile(file).columns.size()), map.fieldCount());
        QCOMPARE(map.polarizationPair().has_value(), map.fieldCount() > 1);
        const qsizetype skipped = hdus.contains(QStringLiteral("HITS")) ? 1 : 0;
        for (int f = 0; f < map.fieldCount(); ++f)
            QCOMPARE(
                map.field(f).at(11),
                11.0 + 100.0 * static_cast<double>(f == 0 || names.size() < 3 ? f : f + skipped));
        // An HDU by its number is one field.
        QCOMPARE(read(file + "[1]").fieldCount(), 1);
        if (map.fieldCount() < 2) return;
        const HealpixMap last = read(file, {std::to_string(map.fieldCount())});
        QCOMPARE(last.field(0).name, names.last().toStdString());
        QCOMPARE(last.field(0).at(0), map.field(map.fieldCount() - 1).at(0));
    }
    // U in the convention of the IAU changes its sign, also under another name of its column.
    void stokesHdusOfIau() {
        const HealpixMap map =
            read(written(fieldHdu("I", "T", 1.0, 1, true) + fieldHdu("Q", "T", 1.0, 1, true) +
                         fieldHdu("U", "T", 1.0, 1, true)));
        QCOMPARE(map.field(1).at(5), 6.0);
        QCOMPARE(map.field(2).at(5), -6.0);
        QVERIFY(map.metadata().iauOnDisk);
    }
    void stokesHdusThatDiffer() {
        // Another nside, and a damaged HDU after the first one.
        const std::string one = fieldHdu("I", "T", 1.0);
        QCOMPARE(
            read(written(one + fieldHdu("Q", "T", 1.0, 2) + fieldHdu("U", "T", 1.0))).fieldCount(),
            1);
        std::vector<std::string> damage;
        QCOMPARE(noted(written(one + std::string(2880, 'x')), damage).fieldCount(), 1);
        QCOMPARE(damage.size(), size_t{1});
        QCOMPARE(damage[0],
                 std::string("the bytes behind HDU 1 are no HDU: Q and U, which they may "
                             "hold, are left out"));
        damage.clear();
        // Zeros behind the last HDU are no HDU.
        QCOMPARE(noted(written(one + std::string(2880, '\0')), damage).fieldCount(), 1);
        QVERIFY(damage.empty());
        // A damaged Q between I and U.
        std::string q = fieldHdu("Q", "T", 1.0);
        q.replace(q.find("TFORM1"), 6, "TFROM1");
        QCOMPARE(noted(written(one + q + fieldHdu("U", "T", 1.0)), damage).fieldCount(), 1);
        QCOMPARE(damage.size(), size_t{1});
        QVERIFY2(damage[0].starts_with("HDU 2, which may hold Q or U, cannot be read"),
                 damage[0].c_str());
        QCOMPARE(read(written(listHdu("I", 8) + listHdu("Q", 8) + listHdu("U", 8))).fieldCount(),
                 3);
        std::vector<std::string> notes;
        const HealpixMap map =
            noted(written(listHdu("I", 8) + listHdu("Q", 8) + listHdu("U", 9)), notes);
        QCOMPARE(map.fieldCount(), 2);
        QCOMPARE(map.value(1, 11), 11.0);
        QCOMPARE(notes.size(), size_t{1});
        QVERIFY2(notes[0].find("U_STOKES") != std::string::npos, notes[0].c_str());
    }
};

QTEST_GUILESS_MAIN(tst_pixel_columns)
#include "tst_pixel_columns.moc"
