// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogs from FITS tables, VOTables and delimited text made here.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "compute/fits_bytes.h"

using namespace armilla;
using namespace armilla::testing;

class tst_catalog_io : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string write(const std::string& content, const char* name) const {
        const std::string path = (folder_.path() + '/' + name).toStdString();
        writeBytes(path, content);
        return path;
    }
    Catalog read(const std::string& path) {
        JobContext job;
        return readCatalog(path, job);
    }
    std::string refusal(const std::string& content, const char* name) {
        try {
            read(write(content, name));
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private slots:
    void positionNames_data();
    void positionNames();
    void fitsTable();
    void csv();
    void sexagesimal();
    void voTable();
    void voTableRefusals_data();
    void voTableRefusals();
    void refusals();
    void samplesAndCatalogs();
    void gaiaIdentifiers();
    void degreesOnce();
    void indexBeforePositions();
    void namesApart();
    void csvUnits();
    void rdbTypes();
    void otherLetters();
    void withoutValues();
    void imageBefore();
};

void tst_catalog_io::positionNames_data() {
    QTest::addColumn<QString>("heading");
    QTest::addColumn<double>("lon");  // radians, of the row "10,20"
    QTest::addColumn<double>("lat");
    QTest::addColumn<int>("frame");
    const auto row = [](const char* heading, double lon, double lat, Frame frame) {
        QTest::newRow(heading) << heading << lon << lat << static_cast<int>(frame);
    };
    const double lon = 10 * kDegree, lat = 20 * kDegree;
    row("RA,DEC", lon, lat, Frame::Equatorial);
    row("ra,dec", lon, lat, Frame::Equatorial);
    row("RAJ2000,DEJ2000", lon, lat, Frame::Equatorial);
    row("_RAJ2000,_DEJ2000", lon, lat, Frame::Equatorial);
    row("RA_ICRS,DE_ICRS", lon, lat, Frame::Equatorial);
    row("GLON,GLAT", lon, lat, Frame::Galactic);
    row("l,b", lon, lat, Frame::Galactic);
    row("ELON,ELAT", lon, lat, Frame::Ecliptic);
    row("lon,lat", lon, lat, Frame::Unknown);
    row("RA [hourangle],DEC [deg]", 15 * lon, lat, Frame::Equatorial);
    row("RA (J2000.0),Dec (J2000.0)", lon, lat, Frame::Equatorial);
    row("RA (J2000),Dec (J2000)", lon, lat, Frame::Equatorial);
    row("RA (J2000) [hourangle],DEC (J2000) (deg)", 15 * lon, lat, Frame::Equatorial);
    row("RA (arcmin),DEC (arcmin)", lon / 60, lat / 60, Frame::Equatorial);
}

void tst_catalog_io::positionNames() {
    QFETCH(QString, heading);
    QFETCH(double, lon);
    QFETCH(double, lat);
    QFETCH(int, frame);
    const Catalog catalog = read(write(heading.toStdString() + "\n10,20\n", "names.csv"));
    QCOMPARE(static_cast<int>(catalog.frame()), frame);
    QCOMPARE(catalog.rows(), int64_t{1});
    QCOMPARE(catalog.at(0).lon, lon);
    QCOMPARE(catalog.at(0).lat, lat);
}

void tst_catalog_io::fitsTable() {
    HduBytes table = tableHdu(
        {{"NAME", "4A"}, {"RA", "D"}, {"DEC", "E"}, {"FLUX", "E"}, {"N", "J"}, {"SPECTRUM", "2E"}},
        32, 3);
    table.setText("TUNIT2", "deg").setText("TUNIT4", "mJy").set("TNULL5", -1);
    const char* names[] = {"M31 ", "abc ", "x   "};
    for (int i = 0; i < 3; ++i) {
        table.data += names[i];
        append(table.data, i == 2 ? -10.0 : 100.0 * i);
        append(table.data, -30.0F * static_cast<float>(i));
        append(table.data, i == 1 ? std::nanf("") : 1.5F);
        append(table.data, static_cast<int32_t>(i - 1));
        append(table.data, 0.0F);
        append(table.data, 0.0F);
    }
    const std::string bytes = primaryHdu().bytes() + table.bytes();
    const Catalog catalog = read(write(bytes, "catalog.fits"));
    QCOMPARE(catalog.frame(), Frame::Equatorial);
    QCOMPARE(catalog.rows(), int64_t{3});
    QCOMPARE(catalog.at(1).lon, 100.0 * kDegree);
    QCOMPARE(catalog.at(2).lon, -10.0 * kDegree);
    QCOMPARE(catalog.at(2).lat, -60.0 * kDegree);
    QCOMPARE(catalog.table.columns.size(), size_t{6});
    QCOMPARE(catalog.table.columns[0].text(0), std::string("M31"));
    QCOMPARE(catalog.table.columns[3].unit, std::string("mJy"));
    QVERIFY(std::isnan(catalog.table.columns[3].number(1)));
    QVERIFY(std::isnan(catalog.table.columns[4].number(0)));
    QCOMPARE(catalog.table.columns[4].number(2), 1.0);
}

void tst_catalog_io::csv() {
    const Catalog catalog =
        read(write("# made by hand\r\nname;RA;DEC;mag\r\n\"Sirius; \"\"A\"\"\";"
                   "101.287;-16.716;-1.46\r\nVega;279.235;38.784;\r\n",
                   "stars.csv"));
    QCOMPARE(catalog.rows(), int64_t{2});
    QCOMPARE(catalog.table.columns[0].text(0), std::string("Sirius; \"A\""));
    QCOMPARE(catalog.table.columns[3].number(0), -1.46);
    QVERIFY(std::isnan(catalog.table.columns[3].number(1)));
    QCOMPARE(inspectFile((folder_.path() + "/stars.csv").toStdString()).kind, FileKind::Catalog);
}

void tst_catalog_io::sexagesimal() {
    const Catalog catalog =
        read(write("RA,DEC\n12:34:56.7,-01:02:03\n01h00m00s,+10d30m00s\n"
                   "10d30m0s,-00 30 00\n,\n",
                   "sexagesimal.csv"));
    QCOMPARE(catalog.at(0).lon, (12 + 34 / 60.0 + 56.7 / 3600) * 15.0 * kDegree);
    QCOMPARE(catalog.at(0).lat, -(1 + 2 / 60.0 + 3 / 3600.0) * kDegree);
    QCOMPARE(catalog.at(1).lon, 15.0 * kDegree);
    QCOMPARE(catalog.at(2).lon, 10.5 * kDegree);
    QCOMPARE(catalog.at(2).lat, -0.5 * kDegree);
    QVERIFY(std::isnan(catalog.at(3).lon));
    // Typographic signs: the minus, degrees, minutes and seconds, raised letters.
    const Catalog signs =
        read(write("RA,DEC\n10.5,\u221220.25\n1\u02b02\u1d503\u02e2,-12\u00b034\u203256\u2033\n",
                   "signs.csv"));
    QCOMPARE(signs.at(0).lon, 10.5 * kDegree);
    QCOMPARE(signs.at(0).lat, -20.25 * kDegree);
    QCOMPARE(signs.at(1).lon, (1 + 2 / 60.0 + 3 / 3600.0) * 15.0 * kDegree);
    QCOMPARE(signs.at(1).lat, -(12 + 34 / 60.0 + 56 / 3600.0) * kDegree);
    const Catalog galactic = read(write("l,b\n12:30:00,1:30:00\n", "galactic.csv"));
    QCOMPARE(galactic.at(0).lon, 12.5 * kDegree);
}

void tst_catalog_io::voTable() {
    const std::string document = R"(<?xml version="1.0"?>
<!-- a comment with <TD> inside -->
<v:VOTABLE version="1.4" xmlns:v="http://www.ivoa.net/xml/VOTable/v1.3"><v:RESOURCE>
<v:PARAM name="x" datatype="int" value="1"/>
<v:TABLE><v:FIELD name="ID" datatype="char" arraysize="*"/>
<v:FIELD name="RAJ2000" unit="deg" datatype="double"/>
<v:FIELD name='DEJ2000' unit='deg' datatype='double'><v:DESCRIPTION>a &gt; b</v:DESCRIPTION></v:FIELD>
<v:DATA><v:TABLEDATA>
<v:TR><v:TD>A &amp; &#66;</v:TD><v:TD> 10.5 </v:TD><v:TD>-5e0</v:TD></v:TR>
<v:TR><v:TD><![CDATA[<C>]]></v:TD><v:TD>20</v:TD><v:TD/></v:TR>
</v:TABLEDATA></v:DATA></v:TABLE></v:RESOURCE></v:VOTABLE>)";
    const Catalog catalog = read(write(document, "catalog.vot"));
    QCOMPARE(catalog.frame(), Frame::Equatorial);
    QCOMPARE(catalog.rows(), int64_t{2});
    QCOMPARE(catalog.at(0).lon, 10.5 * kDegree);
    QCOMPARE(catalog.at(0).lat, -5.0 * kDegree);
    QVERIFY(std::isnan(catalog.at(1).lat));
    QCOMPARE(catalog.table.columns[0].text(0), std::string("A & B"));
    QCOMPARE(catalog.table.columns[0].text(1), std::string("<C>"));
    const FileSummary summary = inspectFile((folder_.path() + "/catalog.vot").toStdString());
    QCOMPARE(summary.kind, FileKind::Catalog);
    QCOMPARE(summary.rows, int64_t{2});
}

void tst_catalog_io::voTableRefusals_data() {
    QTest::addColumn<QString>("document");
    QTest::addColumn<QString>("found");
    const QString head = "<VOTABLE><TABLE><FIELD name='RA'/><FIELD name='DEC'/><DATA>";
    const QString tail = "</DATA></TABLE></VOTABLE>";
    QTest::newRow("no VOTable") << "<html><body/></html>"
                                << "an HTML page";
    QTest::newRow("other XML") << "<kml><Document/></kml>"
                               << "'kml'";
    QTest::newRow("no table") << "<VOTABLE></VOTABLE>"
                              << "found none";
    QTest::newRow("fits") << head + "<FITS><STREAM/></FITS>" + tail << "data as FITS";
    QTest::newRow("no type of binary")
        << head + "<BINARY><STREAM/></BINARY>" + tail << "found none";
    QTest::newRow("no base64") << "<VOTABLE><TABLE><FIELD name='RA' datatype='double'/><DATA>"
                                  "<BINARY><STREAM>!</STREAM></BINARY>" +
                                      tail
                               << "other characters";
    QTest::newRow("short stream") << "<VOTABLE><TABLE><FIELD name='RA' datatype='double'/><DATA>"
                                     "<BINARY><STREAM>AAAA</STREAM></BINARY>" +
                                         tail
                                  << "8 more bytes";
    QTest::newRow("entity bomb")
        << "<!DOCTYPE x [<!ENTITY a 'bbbbbbbbbb'><!ENTITY b '&a;&a;&a;&a;'>]>" + head +
               "<TABLEDATA><TR><TD>&b;</TD><TD>1</TD></TR></TABLEDATA>" + tail
        << "'&b;'";  // entities of a document are not expanded
    QTest::newRow("short row") << head + "<TABLEDATA><TR><TD>1</TD></TR></TABLEDATA>" + tail
                               << "1 in row 1";
    QTest::newRow("truncated") << head + "<TABLEDATA><TR><TD>1</TD>"
                               << "well-formed";
    QTest::newRow("crossed tags") << "<VOTABLE><TABLE></VOTABLE></TABLE>"
                                  << "well-formed";
}

void tst_catalog_io::voTableRefusals() {
    QFETCH(QString, document);
    QFETCH(QString, found);
    const std::string why = refusal(document.toStdString(), "bad.vot");
    QVERIFY2(QString::fromStdString(why).contains(found), why.c_str());
}

void tst_catalog_io::refusals() {
    QVERIFY(refusal("a,b,c\n1,2,3\n", "none.csv").find("columns a, b, c") != std::string::npos);
    QVERIFY(refusal("RA,DEC\n1,91\n", "lat.csv").find("latitude 91 in row 1") != std::string::npos);
    QVERIFY(refusal("RA,DEC\n1,2,3\n", "cells.csv").find("3 in record 2") != std::string::npos);
    QVERIFY(refusal("RA,DEC\nabc,2\n", "text.csv").find("'abc' in row 1") != std::string::npos);
    QVERIFY(refusal("RA (K),DEC\n1,2\n", "unit.csv").find("'K'") != std::string::npos);
    const std::string table =
        primaryHdu().bytes() + tableHdu({{"X", "E"}, {"Y", "E"}}, 8, 0).bytes();
    QVERIFY(refusal(table, "none.fits").find("(X, Y)") != std::string::npos);
}

void tst_catalog_io::samplesAndCatalogs() {
    const auto kind = [&](const std::vector<ColumnBytes>& columns, int rowBytes, const char* name) {
        HduBytes table = tableHdu(columns, rowBytes, 0);
        if (name != nullptr) table.setText("EXTNAME", name);
        return inspectFile(write(primaryHdu().bytes() + table.bytes(), "kind.fits")).kind;
    };
    const ColumnBytes ra{"RA", "D"}, dec{"DEC", "D"};
    QCOMPARE(kind({ra, dec, {"FLUX", "E"}}, 20, nullptr), FileKind::Catalog);
    QCOMPARE(kind({ra, dec, {"NAME", "20A"}}, 36, nullptr), FileKind::Catalog);
    QCOMPARE(kind({ra, dec, {"TIME", "D"}}, 24, nullptr), FileKind::Samples);
    QCOMPARE(kind({ra, dec, {"SPECTRUM", "64E"}}, 272, nullptr), FileKind::Samples);
    QCOMPARE(kind({ra, dec}, 16, "RM_SAMPLES"), FileKind::Samples);
}

// Without positions, Gaia's source_id contains the pixel of order 12. The values are those of
// healpy.pix2ang(4096, source_id >> 35, nest=True, lonlat=True) for Proxima Centauri and Barnard's
// star.
void tst_catalog_io::gaiaIdentifiers() {
    const std::string csv =
        write("source_id,flux\n5853498713190525696,1\n4472832130942575872,2\n", "gaia.csv");
    HduBytes table = tableHdu({{"SOURCE_ID", "K"}}, 8, 2);
    append(table.data, int64_t{5853498713190525696});
    append(table.data, int64_t{4472832130942575872});
    const std::string fits = write(primaryHdu().bytes() + table.bytes(), "gaia.fits");
    for (const std::string& file : {csv, fits}) {
        JobContext job;
        std::vector<std::string> notes;
        const Catalog catalog = readCatalog(file, job, &notes);
        QCOMPARE(inspectFile(file).kind, FileKind::Catalog);
        QCOMPARE(notes.size(), size_t{1});
        QVERIFY(notes[0].find("source_id") != std::string::npos);
        QCOMPARE(catalog.frame(), Frame::Equatorial);
        // Angles of 15 digits.
        const double most = 1e-13;
        QVERIFY(std::abs(catalog.at(0).lon / kDegree - 217.3860759493671) < 217.0 * most);
        QVERIFY(std::abs(catalog.at(0).lat / kDegree + 62.67315265417017) < 63.0 * most);
        QVERIFY(std::abs(catalog.at(1).lon / kDegree - 269.45068359375) < 270.0 * most);
        QVERIFY(std::abs(catalog.at(1).lat / kDegree - 4.695974680127222) < 63.0 * most);
    }
    // A table that has such columns already keeps them.
    const Catalog again =
        read(write("source_id,RA_PIXEL,DEC_PIXEL\n5853498713190525696,1,2\n", "again.csv"));
    QCOMPARE(again.table.columns.size(), size_t{5});
    QCOMPARE(again.table.columns[3].name, std::string("RA_PIXEL_2"));
    // Columns of positions come first; numbers of rows are no identifiers of Gaia.
    const Catalog placed =
        read(write("source_id,ra,dec\n5853498713190525696,10,20\n", "placed.csv"));
    QVERIFY(std::abs(placed.at(0).lon - 10.0 * kDegree) < 1e-15);
    QVERIFY(refusal("source_id,flux\n1,2\n2,3\n", "rows.csv").find("columns of positions") !=
            std::string::npos);
}

// Columns in degrees that an earlier reading added to sexagesimal ones are used again.
void tst_catalog_io::degreesOnce() {
    const Catalog first =
        read(write("RAJ2000,DEJ2000\n12 34 56.7,-01 02 03\n01 00 00,+10 30 00\n", "texts.csv"));
    JobContext job;
    for (const char* name : {"again.csv", "again.fits", "again.vot", "again.ecsv"}) {
        const std::string path = (folder_.path() + '/' + name).toStdString();
        writeTable(first.table, path, {true, {}}, job);
        const Catalog again = read(path);
        QCOMPARE(again.table.columns.size(), size_t{4});
        QCOMPARE(again.table.columns[2].name, std::string("RAJ2000_DEG"));
        QCOMPARE(again.at(1).lon, 15.0 * kDegree);
        QCOMPARE(again.at(1).lat, 10.5 * kDegree);
    }
    // A column of that name with other values stays as it is.
    const Catalog other =
        read(write("RAJ2000,DEJ2000,RAJ2000_DEG\n12 00 00,-01 00 00,7\n", "other.csv"));
    QCOMPARE(other.at(0).lon, 180.0 * kDegree);
    QCOMPARE(other.table.columns[2].number(0), 7.0);
    QCOMPARE(other.table.columns[3].name, std::string("RAJ2000_DEG_2"));
}

// A column INDEX before positions is that of a table of pandas, not of coefficients.
void tst_catalog_io::indexBeforePositions() {
    const HduBytes table = doubleTable({"index", "ra", "dec"}, {{0, 1}, {10, 20}, {30, 40}});
    HduBytes whole = tableHdu({{"index", "K"}, {"ra", "D"}, {"dec", "D"}}, 24, 1);
    append(whole.data, int64_t{0});
    append(whole.data, 10.0);
    append(whole.data, 30.0);
    for (const HduBytes& each : {table, whole}) {
        const std::string path = write(primaryHdu().bytes() + each.bytes(), "pandas.fits");
        QCOMPARE(inspectFile(path).kind, FileKind::Catalog);
        QCOMPARE(read(path).at(0).lat, 30.0 * kDegree);
    }
}

// FITS of two columns of one name is not readable by astropy.
void tst_catalog_io::namesApart() {
    const Catalog catalog = read(write("RA,DEC,RA,,RA_2\n1,2,3,4,5\n", "names.csv"));
    std::vector<std::string> names;
    for (const TableColumn& column : catalog.table.columns) names.push_back(column.name);
    QVERIFY(names == (std::vector<std::string>{"RA", "DEC", "RA_2_2", "col4", "RA_2"}));
    QCOMPARE(catalog.at(0).lon, kDegree);
}

// CSV holds no units, but readers take positions without a unit as degrees.
void tst_catalog_io::csvUnits() {
    const std::string path = (folder_.path() + "/units.csv").toStdString();
    JobContext job;
    for (const auto& [unit, scale] : {std::pair("rad", 1.0), std::pair("hourangle", 15 * kDegree),
                                      std::pair("arcsec", kDegree / 3600)}) {
        Table table;
        for (const auto& [name, value] :
             {std::pair("RA", 1.0), std::pair("DEC", 0.5), std::pair("ERR", 2.0)}) {
            table.columns.emplace_back();
            table.columns.back().name = name;
            table.columns.back().unit = unit;
            table.columns.back().values = std::vector<double>{value};
        }
        writeTable(table, path, {true, {}}, job);
        QVERIFY(
            readBytes(path).starts_with(std::string("RA [") + unit + "],DEC [" + unit + "],ERR\n"));
        const Catalog again = read(path);
        QCOMPARE(again.at(0).lon, 1.0 * scale);
        QCOMPARE(again.at(0).lat, 0.5 * scale);
    }
}

void tst_catalog_io::rdbTypes() {
    // Table.write(format='ascii.rdb') of astropy.
    const Catalog catalog = read(
        write("ID\tRA\tDEC\tNAME\n8N\tN\t12N\t6S\n0\t10.5\t-20.0\tsrc 0\n1\t30.0\t40.0\tsrc 1\n",
              "table.rdb"));
    QCOMPARE(catalog.rows(), int64_t{2});
    QCOMPARE(catalog.at(0).lat, -20.0 * kDegree);
    QCOMPARE(catalog.table.columns[3].text(1), std::string("src 1"));
    // Rows of texts that look like types are rows.
    QCOMPARE(read(write("NAME\tRA\tDEC\nN\t1\t2\nS\t3\t4\n", "names.tsv")).rows(), int64_t{2});
}

// Texts that are not UTF-8 are Windows-1252, in CSV as in FITS.
void tst_catalog_io::otherLetters() {
    const Catalog csv = read(write("na\xefve;RA;DEC;S (\xb5Jy)\nB\x80\xe9;1;2;3\n", "latin.csv"));
    QCOMPARE(csv.table.columns[0].name, std::string("na\xc3\xafve"));
    QCOMPARE(csv.table.columns[0].text(0), std::string("B\xe2\x82\xac\xc3\xa9"));
    QCOMPARE(csv.table.columns[3].unit, std::string("\xc2\xb5Jy"));
    const Catalog same = read(write("\xc3\xa9;RA;DEC\n\xc2\xb5;1;2\n", "utf8.csv"));
    QCOMPARE(same.table.columns[0].name, std::string("\xc3\xa9"));
    QCOMPARE(same.table.columns[0].text(0), std::string("\xc2\xb5"));
    HduBytes hdu = doubleTable({"RA", "DEC", "S"}, {{1.0}, {2.0}, {3.0}});
    hdu.setText("TUNIT3", "\xb5Jy");
    const Catalog table = read(write(primaryHdu().bytes() + hdu.bytes(), "latin.fits"));
    QCOMPARE(table.table.columns[2].unit, std::string("\xc2\xb5Jy"));
}

// A column of no values, which the standard allows, does not close the file.
void tst_catalog_io::withoutValues() {
    HduBytes hdu = tableHdu({{"RA", "D"}, {"NONE", "0E"}, {"DEC", "D"}, {"EMPTY", "0A"}}, 16, 2);
    for (const double value : {1.0, 2.0, 3.0, 4.0}) append(hdu.data, value);
    const Catalog catalog = read(write(primaryHdu().bytes() + hdu.bytes(), "none.fits"));
    QCOMPARE(catalog.at(1).lat, 4.0 * kDegree);
    QVERIFY(!catalog.table.find("NONE"));
    QVERIFY(catalog.table.leftOut.front() == "NONE");
}

// An image without world coordinates does not hide the table after it.
void tst_catalog_io::imageBefore() {
    HduBytes image;
    image.setText("XTENSION", "IMAGE").set("BITPIX", 8).set("NAXIS", 2).set("NAXIS1", 20);
    image.set("NAXIS2", 20).set("PCOUNT", 0).set("GCOUNT", 1);
    image.data = std::string(400, '\0');
    const HduBytes table = doubleTable({"RA", "DEC"}, {{1.0}, {2.0}});
    const std::string path =
        write(primaryHdu().bytes() + image.bytes() + table.bytes(), "behind.fits");
    QCOMPARE(inspectFile(path).kind, FileKind::Catalog);
    QCOMPARE(inspectFile(write(primaryHdu().bytes() + image.bytes(), "alone.fits")).kind,
             FileKind::Image);
    image.setText("CTYPE1", "RA---TAN").setText("CTYPE2", "DEC--TAN");
    QCOMPARE(inspectFile(write(primaryHdu().bytes() + image.bytes() + table.bytes(), "placed.fits"))
                 .kind,
             FileKind::Image);
}

QTEST_GUILESS_MAIN(tst_catalog_io)
#include "tst_catalog_io.moc"
