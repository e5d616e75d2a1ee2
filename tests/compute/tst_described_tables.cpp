// SPDX-License-Identifier: GPL-3.0-or-later
// Text tables with a byte-by-byte description above the data.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "compute/file_folder.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

const std::string kRule = "----------------------------------------\n";

// A table described byte by byte: lines of columns, lines of values.
std::string byteTable(const std::string& columns, const std::string& rows) {
    return "Byte-by-byte Description of file: t.txt\n" + kRule +
           "   Bytes Format Units  Label  Explanations\n" + kRule + columns + kRule + rows;
}

// Each line behind a '#'.
std::string commented(const std::string& lines) {
    std::string result;
    for (size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1)
        result += "#" + lines.substr(at, lines.find('\n', at) + 1 - at);
    return result;
}

}  // namespace

class tst_described_tables : public QObject {
    Q_OBJECT
    FileFolder folder_;
    Table read(const std::string& name) const {
        JobContext job;
        return readTable(folder_.path(name), {}, job);
    }

private slots:
    void describedByteByByte();
    void bytesWithoutValue();
    void sentinelsOfNotes();
    void bytesOfAnotherFile();
    void bytesOfSignedDegrees();
    void bytesByFormat();
    void wordsOfADescription();
    void bytesOfOldEquinox();
    void coordinatesOfAstropy();
};

// In the format of the journals' machine-readable tables and, after '#', of the WMAP source
// catalog: adjacent cells, empty cells, names with blanks, positions from sexagesimal parts.
void tst_described_tables::describedByteByByte() {
    const std::string header = byteTable(
        "   1-  2 I2     h      RAh    Hour of right ascension\n"
        "   3-  4 I2     min    RAm    Minute\n"
        "   5-  8 F4.1   s      RAs    Second\n"
        "      10 A1     ---    DE-    Sign\n"
        "  11- 12 I2     deg    DEd    Degree of declination\n"
        "  13- 14 I2     arcmin DEm    Minute\n"
        "  15- 16 I2     arcsec DEs    Second\n"
        "  18- 23 F6.2   Jy     Flux  ?Flux density\n"
        "                              that goes on\n"
        "  25- 32 A8     ---    ID     Name\n",
        "");
    const std::string rows = "122906.7 -000308  23.17 3C 273  \n053432.0  220100        007\n";
    folder_.write("mrt.txt", "Title: A table\n" + header + "Note (1): of what\n" + kRule + rows);
    folder_.write("wmap.txt", "# A catalog\n" + commented(header) + "#Note\n" + rows);
    for (const char* name : {"mrt.txt", "wmap.txt"}) {
        JobContext job;
        const Catalog catalog = readCatalog(folder_.path(name), job);
        QCOMPARE(catalog.rows(), int64_t{2});
        QCOMPARE(catalog.frame(), Frame::Equatorial);
        // The expected degrees are printed to 1e-6, so their own error is up to 5e-7.
        QVERIFY(std::abs(catalog.at(0).lon / kDegree - 187.277917) < 1e-6);
        QVERIFY(std::abs(catalog.at(0).lat / kDegree + 0.052222) < 1e-6);
        QVERIFY(std::abs(catalog.at(1).lat / kDegree - 22.016667) < 1e-6);
        const auto& columns = catalog.table.columns;
        QCOMPARE(columns[7].name, std::string("Flux"));
        QCOMPARE(columns[7].unit, std::string("Jy"));
        QCOMPARE(columns[7].number(0), 23.17);
        QVERIFY(std::isnan(columns[7].number(1)));
        QCOMPARE(columns[8].text(0), std::string("3C 273"));
        QCOMPARE(columns[8].text(1), std::string("007"));
        QCOMPARE(inspectFile(folder_.path(name)).kind, FileKind::Catalog);
    }
    folder_.write("empty.txt", header);
    QVERIFY(refusal([&] { read("empty.txt"); }).find("values") != std::string::npos);
}

// The number that stands for a missing value, also after a range; not in text.
void tst_described_tables::bytesWithoutValue() {
    folder_.write("null.txt", byteTable("   1-  6 F6.2  Jy   Flux  ?=-99.99 Flux density\n"
                                        "   8- 10 I3    ---  N     [0/100]?=-9 Count\n"
                                        "  12- 14 I3    ---  M     *? Other count\n"
                                        "  16- 20 E5.1  ---  W     ]0/9[ ?=9.D1, weight\n"
                                        "  22- 23 A2    ---  ID    ?=-9 Name\n"
                                        "  25- 26 I2    ---  Z     What is ?=-9 here\n",
                                        "-99.99  -9     9.0E1 -9 -9\n"
                                        " -99.9 -09  -9  90.0 12 3\n"
                                        " -9.99 100   7   9.0 13 4\n"));
    const auto columns = read("null.txt").columns;
    QVERIFY(std::isnan(columns[0].number(0)));
    QCOMPARE(columns[0].number(1), -99.9);
    QVERIFY(columns[1].isInteger() && std::isnan(columns[1].number(0)));
    QVERIFY(std::isnan(columns[1].number(1)));
    QCOMPARE(columns[1].number(2), 100.0);
    QVERIFY(std::isnan(columns[2].number(0)));
    QCOMPARE(columns[2].number(1), -9.0);
    QVERIFY(std::isnan(columns[3].number(0)) && std::isnan(columns[3].number(1)));
    QCOMPARE(columns[3].number(2), 9.0);
    QCOMPARE(columns[4].text(0), std::string("-9"));
    QCOMPARE(columns[5].number(0), -9.0);
}

// A number that a note below the columns calls a sentinel, in the columns that the note is on.
void tst_described_tables::sentinelsOfNotes() {
    const std::string header =
        commented(byteTable("   1-  5 F5.2  Jy   Flux_K    *Flux density\n"
                            "   7- 11 F5.2  Jy   Flux_W    *Flux density\n"
                            "  13- 17 F5.2  Jy   e_Flux_K  *Error\n"
                            "  19- 23 F5.2  ---  Alpha     Index\n",
                            ""));
    folder_.write(
        "sentinel.txt",
        header +
            "#Note on Flux_[band] and e_Flux_K:\n#    A sentinel value of -9.9 is entered "
            "for the flux and for the\n#    error where there is none; Alpha has none.\n"
            "#Note on Alpha:\n#    Values of 9.90 are values.\n"
            " 0.62 -9.90  0.02 -9.90\n-9.90  1.33 -9.90  9.90\n");
    const auto columns = read("sentinel.txt").columns;
    QCOMPARE(columns[0].number(0), 0.62);
    QVERIFY(std::isnan(columns[0].number(1)) && std::isnan(columns[1].number(0)));
    QCOMPARE(columns[2].number(0), 0.02);
    QVERIFY(std::isnan(columns[2].number(1)));
    QCOMPARE(columns[3].number(0), -9.9);
    QCOMPARE(columns[3].number(1), 9.9);
}

// A file of separated values may keep the description of the original table.
void tst_described_tables::bytesOfAnotherFile() {
    const std::string header =
        commented(byteTable("   1-  8 F8.4  deg  RA    Right ascension\n"
                            "  10- 17 F8.4  deg  DEC   Declination\n"
                            "  19- 26 A8    ---  ID    Name\n",
                            ""));
    for (const char separator : {',', ';', '\t'}) {
        std::string rows = "RA,DEC,ID\n83.6,22.01,Crab\n187.28,2.052,3C 273\n";
        std::replace(rows.begin(), rows.end(), ',', separator);
        folder_.write("separated.csv", header + rows);
        JobContext job;
        const Catalog catalog = readCatalog(folder_.path("separated.csv"), job);
        QCOMPARE(catalog.rows(), int64_t{2});
        // The file holds decimal degrees. Conversion to radians and back rounds by about 1e-13
        // degrees.
        QVERIFY(std::abs(catalog.at(1).lon / kDegree - 187.28) < 1e-9);
        QCOMPARE(catalog.table.columns[2].text(1), std::string("3C 273"));
    }
}

// The sign belongs to the degrees, with or without leading zeros, and applies to all parts.
void tst_described_tables::bytesOfSignedDegrees() {
    for (const char* format : {"I3", "A3"}) {
        folder_.write("signed.txt",
                      byteTable("  7- 9 " + std::string(format) +
                                    " deg DEd Declination (J2000)\n"
                                    "   1-  2 I2    h      RAh   Right ascension (J2000)\n"
                                    "   4-  5 I2    min    RAm   Right ascension (J2000)\n"
                                    "  11- 12 I2    arcmin DEm   Declination (J2000)\n"
                                    "  14- 15 I2    arcsec DEs   Declination (J2000)\n",
                                "01 30 -12 30 36\n02 00 -05 15 00\n03 00 +22 30 00\n"
                                "04 00 -00 30 00\n05 00 +00 06 00\n"));
        JobContext job;
        const Catalog catalog = readCatalog(folder_.path("signed.txt"), job);
        const double expected[] = {-12.51, -5.25, 22.5, -0.5, 0.1};
        for (int64_t row = 0; row < 5; ++row)
            // The seconds are whole, so the expected degrees are exact; conversions round by about
            // 1e-13.
            QVERIFY(std::abs(catalog.at(row).lat / kDegree - expected[row]) < 1e-9);
        QVERIFY(std::abs(catalog.at(0).lon / kDegree - 22.5) < 1e-9);
        QCOMPARE(catalog.table.columns[0].isInteger(), format[0] == 'I');
    }
}

// Formats of numbers make numbers, what is none being missing; text of digits stays text.
void tst_described_tables::bytesByFormat() {
    folder_.write("formats.txt", byteTable("   1-  4 F4.1  mag  Mag   Magnitude\n"
                                           "   6- 12 D7.1  W    P     Power\n"
                                           "  14- 15 A2    ---  ID    Name\n"
                                           "  17- 19 I3    ---  N     Count,\n"
                                           "                          of all\n",
                                           " ... 1.5D+03 12 007\n00.5 2.5d-01 14 ---\n"));
    const auto columns = read("formats.txt").columns;
    QVERIFY(!columns[0].isText() && std::isnan(columns[0].number(0)));
    QCOMPARE(columns[0].number(1), 0.5);
    QCOMPARE(columns[1].number(0), 1500.0);
    QCOMPARE(columns[1].number(1), 0.25);
    QVERIFY(columns[2].isText() && columns[2].text(1) == "14");
    QVERIFY(columns[3].isInteger() && std::isnan(columns[3].number(1)));
    QCOMPARE(columns[3].number(0), 7.0);
    QCOMPARE(columns[3].description, std::string("Count, of all"));
}

// Other files may speak of such a description, also at the start of a line.
void tst_described_tables::wordsOfADescription() {
    for (const char* words : {"# Columns as in the Byte-by-byte Description of the paper\n",
                              "# Byte-by-byte Description: see the paper\n",
                              "# As in the Byte-by-byte Description of file\n# --------\n"}) {
        folder_.write("words.csv", std::string(words) + "ra,dec,name\n10,20,x\n30,40,y\n");
        QCOMPARE(read("words.csv").columns.size(), size_t{3});
        QCOMPARE(inspectFile(folder_.path("words.csv")).kind, FileKind::Catalog);
    }
    folder_.write(
        "words.ecsv",
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: ra, datatype: float64}\n"
        "# description: |\n#   Byte-by-byte Description of file\n#   -----------\nra\n10\n");
    QCOMPARE(read("words.ecsv").columns.size(), size_t{1});
    // A sentence in a note does not start a second description.
    folder_.write("note.txt", byteTable("   1-  2 I2    ---  N     Count\n",
                                        "Note: as in the byte-by-byte description\n"
                                        "-------\n12\n34\n"));
    QCOMPARE(read("note.txt").rows(), int64_t{2});
}

// Positions of an old equinox are marked as FK4.
void tst_described_tables::bytesOfOldEquinox() {
    const auto yearSaid = [&](const std::string& ra, const std::string& dec) {
        folder_.write("equinox.txt",
                      byteTable("   1-  2 I2    h    RAh   Hours " + ra +
                                    "\n   4-  6 I3    deg  DEd   Degrees " + dec + "\n",
                                "01 -12\n02  34\n"));
        const Table table = read("equinox.txt");
        const auto said = table.columns[static_cast<size_t>(table.columnIndex("DEC"))].equatorial;
        return said && said->system == EquatorialSystem::Fk4 ? said->equinox : 0.0;
    };
    for (const char* old : {"(B1950)", "(1950)", "equinox 1950.0", "(FK4)", "of B1900",
                            "of the\n                          equinox B1950"}) {
        const double year = std::string(old).find("1900") == std::string::npos ? 1950.0 : 1900.0;
        QCOMPARE(yearSaid(old, ""), year);
        QCOMPARE(yearSaid("", old), year);
    }
    for (const char* usual : {"(J2000)", "(ICRS)", "", "of 119500 sources"})
        QCOMPARE(yearSaid(usual, usual), 0.0);
}

// A SkyCoord of astropy 8.0.2 in FK4 and in FK5, in ECSV, and the positions of its .icrs.
void tst_described_tables::coordinatesOfAstropy() {
    const auto written = [&](const std::string& frame, const std::string& times) {
        const std::string header =
            " datatype:\n - {name: c.ra, unit: deg, datatype: float64}\n"
            " - {name: c.dec, unit: deg, datatype: float64}\n meta: !!omap\n"
            " - __serialized_columns__:\n     c:\n"
            "       __class__: astropy.coordinates.sky_coordinate.SkyCoord\n"
            "       dec: !astropy.table.SerializedColumn\n"
            "         unit: &id001 !astropy.units.Unit {unit: deg}\n"
            "         value: !astropy.table.SerializedColumn {name: c.dec}\n" +
            times + "       frame: " + frame +
            "\n       ra: !astropy.table.SerializedColumn\n"
            "         unit: *id001\n"
            "         value: !astropy.table.SerializedColumn {name: c.ra}\n"
            "       representation_type: spherical\n schema: astropy-2.0\n";
        return "# %ECSV 1.0\n# ---\n" + commented(header) + "c.ra c.dec\n123.25 -45.5\n";
    };
    const auto isAt = [&](const std::string& text, double ra, double dec) {
        folder_.write("coordinate.ecsv", text);
        JobContext job;
        const Catalog catalog = readCatalog(folder_.path("coordinate.ecsv"), job);
        const auto value = [&](int column) {
            return catalog.table.columns[size_t(column)].number(0);
        };
        // 1e-4 arcsec, the accuracy of ToIcrs.
        const double limit = 1e-4 / 3600.0;
        return std::abs(value(catalog.position.lon) - ra) < limit &&
               std::abs(value(catalog.position.lat) - dec) < limit;
    };
    QVERIFY(isAt(
        written("fk4",
                "       equinox: !astropy.time.Time {format: byear_str, jd1: 2433282.0, jd2: "
                "0.4234590499982005, scale: tt}\n"
                "       obstime: !astropy.time.Time {format: jyear_str, jd1: 2444240.0, jd2: 0.0, "
                "scale: tt}\n"),
        123.6535742653703, -45.65346172136724));
    QVERIFY(isAt(written("fk5",
                         "       equinox: !astropy.time.Time {format: jyear_str, jd1: 2442413.75, "
                         "jd2: 0.0, scale: tt}\n"),
                 123.45178741245448, -45.57651583967503));
    QVERIFY(isAt(written("icrs", ""), 123.25, -45.5));
}

QTEST_GUILESS_MAIN(tst_described_tables)
#include "tst_described_tables.moc"
