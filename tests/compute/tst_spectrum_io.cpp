// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra from files made byte by byte here, and back; kinds of spectra and beams.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <stop_token>

#include "armilla/core/sky_vector.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/spectrum_io.h"
#include "compute/file_folder.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

HduBytes asciiTable(const std::vector<std::string>& names, const std::vector<std::string>& rows,
                    int width) {
    HduBytes hdu;
    hdu.setText("XTENSION", "TABLE").set("BITPIX", 8).set("NAXIS", 2);
    hdu.set("NAXIS1", static_cast<int>(rows[0].size()))
        .set("NAXIS2", static_cast<int>(rows.size()));
    hdu.set("PCOUNT", 0).set("GCOUNT", 1).set("TFIELDS", static_cast<int>(names.size()));
    for (size_t i = 0; i < names.size(); ++i) {
        const std::string n = std::to_string(i + 1);
        hdu.setText("TTYPE" + n, names[i]).setText("TFORM" + n, "E" + std::to_string(width) + ".7");
        hdu.set("TBCOL" + n, static_cast<int>(i) * (width + 1) + 1);
    }
    for (const std::string& row : rows) hdu.data += row;
    return hdu;
}

}  // namespace

class tst_spectrum_io : public QObject {
    Q_OBJECT
    FileFolder folder_;
    std::string path(const char* name) const { return folder_.path(name); }
    std::string file(const HduBytes& table) const {
        return folder_.write("file.fits", primaryHdu().bytes() + table.bytes());
    }
    std::string text(const std::string& content) const {
        return folder_.write("file.txt", content);
    }

private slots:
    void spectraByName_data();
    void spectraByName();
    void blankNumbers();
    void spectraFromText();
    void spectraRoundTrip();
    void namedTextSpectra();
    void headersOfOtherPrograms();
    void theoryCodes_data();
    void theoryCodes();
    void withoutNames_data();
    void withoutNames();
    void statedColumns();
    void asOthersWrite_data();
    void asOthersWrite();
    void gapsAndErrors();
    void asymmetricSpectra();
    void spectraAsText();
    void spectraOfUnequalLengths();
    void kinds();
};

void tst_spectrum_io::spectraByName_data() {
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QVector<int>>("kinds");  // kinds of the columns, TT = 0 ... EB = 5
    const QVector<int> fileOrder = {0, 1, 2, 3, 4, 5};
    QTest::newRow("by position") << QStringList{"A", "B", "C", "D", "E", "F"} << fileOrder;
    QTest::newRow("F90") << QStringList{"TEMPERATURE", "GRADIENT", "CURL", "TG", "TC", "GC"}
                         << fileOrder;
    QTest::newRow("older F90") << QStringList{"TEMPERATURE", "GRADIENT", "CURL", "G-T"}
                               << QVector<int>{0, 1, 2, 3};
    QTest::newRow("healpy") << QStringList{"TT", "EE", "BB", "TE", "EB", "TB"}
                            << QVector<int>{0, 1, 2, 3, 5, 4};
    QTest::newRow("T alone") << QStringList{"TEMPERATURE"} << QVector<int>{0};
}

void tst_spectrum_io::spectraByName() {
    QFETCH(QStringList, names);
    QFETCH(QVector<int>, kinds);
    std::vector<std::string> columnNames;
    std::vector<std::vector<double>> columns;
    for (qsizetype i = 0; i < names.size(); ++i) {
        columnNames.push_back(names[i].toStdString());
        columns.push_back({0.0, 0.5, 10.0 * static_cast<double>(i) + 1.0});
    }
    HduBytes table = doubleTable(columnNames, columns);
    table.set("MAX-LPOL", 2).setText("TUNIT1", "uK^2");
    // The same as text in a FITS ASCII table.
    std::vector<std::string> rows;
    for (size_t l = 0; l < 3; ++l) {
        std::string row;
        for (const auto& column : columns) {
            char cell[32];
            std::snprintf(cell, sizeof cell, "%15.7E ", column[l]);
            row += cell;
        }
        rows.push_back(row);
    }
    HduBytes ascii = asciiTable(columnNames, rows, 15);
    ascii.set("MAX-LPOL", 2).setText("TUNIT1", "uK^2");
    for (const HduBytes& hdu : {table, ascii}) {
        const Spectra spectra = readSpectra(file(hdu));
        QCOMPARE(spectra.unit, std::string("uK^2"));
        QCOMPARE(spectra.lmax(), 2);
        for (size_t i = 0; i < columns.size(); ++i) {
            const auto& cl = spectra.cl[static_cast<size_t>(kinds[static_cast<qsizetype>(i)])];
            QCOMPARE(cl.size(), size_t{3});
            QCOMPARE(cl[2], columns[i][2]);
        }
        QCOMPARE(inspectFile(file(hdu)).kind, FileKind::Spectrum);
    }
}

// A blank number of an ASCII table is zero (FITS 4.0, section 7.2.5) unless TNULL declares it
// missing.
void tst_spectrum_io::blankNumbers() {
    const std::string blank(16, ' ');
    const std::string one = "  1.0000000E+00 ", three = "  3.0000000E+00 ";
    HduBytes table = asciiTable({"TT"}, {one, one, blank, three}, 15);
    table.set("MAX-LPOL", 3);
    const Spectra spectra = readSpectra(file(table));
    QVERIFY((spectra.cl[0] == std::vector<double>{1.0, 1.0, 0.0, 3.0}));
    table.setText("TNULL1", "");
    QVERIFY(refusal([&] { readSpectra(file(table)); }).find("finite values") != std::string::npos);
    table.setText("TNULL1", "3.0000000E+00");
    QVERIFY(refusal([&] { readSpectra(file(table)); }).find("row 4") != std::string::npos);
}

void tst_spectrum_io::spectraFromText() {
    const Spectra spectra =
        readSpectra(text("# C_l\n# l TT EE BB TE\n2 1.5 2.5 3.5 4.5\n3, 1 2 3 4\n\n"
                         "4 5 6 7 8 # end\n"));
    QCOMPARE(spectra.lmax(), 4);
    QVERIFY((spectra[SpectrumKind::TT] == std::vector<double>{0, 0, 1.5, 1, 5}));
    QVERIFY((spectra[SpectrumKind::TE] == std::vector<double>{0, 0, 4.5, 4, 8}));
    QVERIFY(spectra[SpectrumKind::TB].empty());
    QVERIFY((readSpectra(text("1\n2\n3D-1\n"), nullptr, {{"TT"}, false})[SpectrumKind::TT] ==
             std::vector<double>{1, 2, 0.3}));
    const auto why = [&](const char* content) {
        return refusal([&] { readSpectra(text(content)); });
    };
    QVERIFY(why("0 1\n1 x\n").find("'x' in line 2") != std::string::npos);
    QVERIFY(why("0 1\n1 2 3\n").find("3 in line 2") != std::string::npos);
    QVERIFY(why("3 1\n2 1\n4 1\n").find("ascending") != std::string::npos);
    QVERIFY(why("0 1\n1.5 1\n").find("a column of l") != std::string::npos);
    QVERIFY(why("0 1\n1 1\n2 nan\n").find("finite") != std::string::npos);
    QVERIFY(why("l,TT\n").find("rows of l and a value, found none") != std::string::npos);
}

// Headers of text files decide over order and meaning of their columns.
void tst_spectrum_io::namedTextSpectra() {
    std::vector<std::string> notes;
    const auto read = [&](const char* content) {
        notes.clear();
        return readSpectra(text(content), &notes);
    };
    const auto said = [&](const char* words) {
        return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
            return note.find(words) != std::string::npos;
        });
    };
    const Spectra planck =
        read("# a comment\n# L    TT  TE  EE  BB  PP\n2 1 2 3 4 5\n3 6 7 8 9 10\n");
    QVERIFY(said("'PP'"));
    // 2 pi / (l (l + 1)) is pi / 3 at l = 2 and pi / 6 at l = 3.
    QCOMPARE(planck[SpectrumKind::TE][2], 2.0 * kTwoPi / 6.0);
    QCOMPARE(planck[SpectrumKind::EE][3], 8.0 * kTwoPi / 12.0);
    QVERIFY(said("begin at l = 2") && said("taken as D_l (use --input-cl"));
    const Spectra divided = read("# l D_l\n0 5\n1 1\n2 12\n");
    QCOMPARE(divided[SpectrumKind::TT][0], 0.0);
    QCOMPARE(divided[SpectrumKind::TT][1], kPi);  // 2 pi / (1 * 2)
    QCOMPARE(divided[SpectrumKind::TT][2], 4.0 * kPi);
    QVERIFY(said("D_l"));
    const Spectra camb = read("# ell, D_TT [uK^2], D_EE [uK^2]\n2, 12, 6\n");
    QCOMPARE(camb[SpectrumKind::EE][2], 2.0 * kPi);
    QCOMPARE(read("0 5\n1 6\n")[SpectrumKind::TT][1], 6.0);
    QVERIFY(said("the file names no columns: taken as l and C_l of 'TT'"));
    const Spectra csv = read("l,EE,TT\n0,1,2\n1,3,4\n");
    QCOMPARE(csv[SpectrumKind::TT][1], 4.0);
    QCOMPARE(notes.size(), size_t{1});
    QVERIFY(said("taken as C_l"));
    // Comments declare the form if names do not; a file name in a comment declares nothing.
    for (const char* comment : {"D_l in uK^2", "l (l + 1) C_l / 2 pi", "l*(l+1)C_l/2pi", "made: Dl",
                                "D_l = l(l+1)/2pi C_l"}) {
        const std::string content = "# " + std::string(comment) + "\n# L TT EE\n2 12 6\n";
        QCOMPARE(read(content.c_str())[SpectrumKind::EE][2], 2.0 * kPi);
        QVERIFY(said("D_l divided") && !said("taken as"));
    }
    QCOMPARE(read("# D_ell\n2 12\n")[SpectrumKind::TT][2], 4.0 * kPi);
    QVERIFY(said("the file names no columns: taken as l and D_l of 'TT'"));
    QCOMPARE(read("# C_l\n# L TT\n2 12\n")[SpectrumKind::TT][2], 12.0);
    QVERIFY(notes.empty());
    QCOMPARE(read("# l C_TT\n2 12\n")[SpectrumKind::TT][2], 12.0);
    QVERIFY(notes.empty());
    QCOMPARE(
        read("# command: armilla anafast dl.fits Dl.txt\n# L TT\n0 1\n1 12\n")[SpectrumKind::TT][1],
        12.0);
    QVERIFY(said("taken as C_l"));
}

// CLASS numbers its columns; other programs write the factor of D_l into a name, or more after the
// names.
void tst_spectrum_io::headersOfOtherPrograms() {
    std::vector<std::string> notes;
    const auto read = [&](const char* content) {
        notes.clear();
        return readSpectra(text(content), &notes);
    };
    const Spectra numbered = read(
        "# dimensionless total [l(l+1)/2pi] C_l's\n"
        "#    1:l     2:TT     3:EE     4:TE     5:BB\n2 12 6 3 0.6\n");
    QCOMPARE(numbered[SpectrumKind::TT][2], 4.0 * kPi);
    QCOMPARE(numbered[SpectrumKind::TE][2], kPi);
    QCOMPARE(notes, std::vector<std::string>{"D_l divided by l (l + 1) / (2 pi)"});
    const Spectra factor = read("# l l(l+1)C_EE/2pi l(l+1)C_TT/(2pi)\n2 6 12\n");
    QCOMPARE(factor[SpectrumKind::TT][2], 4.0 * kPi);
    QCOMPARE(factor[SpectrumKind::EE][2], 2.0 * kPi);
    QCOMPARE(read("# l l(l+1)C_l/2pi\n2 12\n")[SpectrumKind::TT][2], 4.0 * kPi);
    QCOMPARE(read("# \u2113 TE TT\n0 1 2\n")[SpectrumKind::TT][0], 2.0);
    QCOMPARE(read("# l TE TT in muK^2\n0 1 2\n").unit, std::string("uK^2"));
    // Names for a different number of columns would require a guess.
    const std::string why = refusal([&] { read("# L TT TE EE BB PP TP\n2 1 2 3\n"); });
    QVERIFY(why.find("'L TT TE EE BB', found a different number") != std::string::npos);
}

// Files in the formats of the field's programs: D_l = 600 of TT and 60 of EE at l = 2, 1200 and 120
// at l = 3, which is C_l = 100 * 2 pi and 10 * 2 pi at both.
void tst_spectrum_io::theoryCodes_data() {
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("leftOut");
    QTest::addColumn<bool>("hasB");
    // CAMB (Fortran), open_file_header: '#', an A5, a blank, then A15 for each name.
    QTest::newRow("CAMB scalCls")
        << "#    L              TT             EE             TE             PP             TP\n"
           "     2   0.60000E+03   0.60000E+02   0.30000E+01   0.40000E+08   0.50000E+06\n"
           "     3   0.12000E+04   0.12000E+03   0.60000E+01   0.40000E+08   0.50000E+06\n"
        << "PP TP" << false;
    QTest::newRow("CAMB lensedCls")
        << "#    L              TT             EE             BB             TE\n"
           "     2   0.60000E+03   0.60000E+02   0.18000E+02   0.30000E+01\n"
           "     3   0.12000E+04   0.12000E+03   0.36000E+02   0.60000E+01\n"
        << "" << true;
    QTest::newRow("CAMB lenspotentialCls")
        << "#    L              TT             EE             BB             TE             PP"
           "             TP             EP\n"
           "     2   0.60000E+03   0.60000E+02   0.18000E+02   0.30000E+01 0.4E-07 0.5E+00 "
           "0.6E+00\n"
           "     3   0.12000E+04   0.12000E+03   0.36000E+02   0.60000E+01 0.4E-07 0.5E+00 "
           "0.6E+00\n"
        << "PP TP EP" << true;
    QTest::newRow("Planck minimum-theory")
        << "#    L    TT             TE             EE             BB             PP\n"
           "     2   0.600000E+03   0.300000E+01   0.600000E+02   0.180000E+02   0.500000E-07\n"
           "     3   0.120000E+04   0.600000E+01   0.120000E+03   0.360000E+02   0.500000E-07\n"
        << "PP" << true;
    // CLASS, output_open_cl_file.
    const char* const about =
        "# for l=2 to 3, i.e. number of multipoles equal to 2\n#\n"
        "# -> if you don't want to see such a header, set 'headers' to 'no' in input file\n";
    const char* const factors =
        "#    Remember the conversion factors:\n"
        "#    C_l^dd (deflection) = l(l+1) C_l^phi-phi\n"
        "#    C_l^gg (shear/convergence) = 1/4 (l(l+1))^2 C_l^phi-phi\n#\n";
    QTest::newRow("CLASS")
        << QString("# dimensionless total [l(l+1)/2pi] C_l's\n") + about +
               "# -> for CMB lensing (phi), these are C_l^phi-phi for the lensing potential.\n" +
               factors +
               "# 1:l     2:TT                   3:EE                   4:TE                   "
               "5:BB                   6:phiphi               7:TPhi                 8:Ephi\n"
               "   2  6.0e+02 6.0e+01 3.0e+00 1.8e+01 1.1e-08 2.2e-08 1.0e-10\n"
               "   3  1.2e+03 1.2e+02 6.0e+00 3.6e+01 1.1e-08 2.2e-08 1.0e-10\n"
        << "phiphi TPhi Ephi" << true;
    QTest::newRow("CLASS as CAMB")
        << QString("# total lensed [l(l+1)/2pi] C_l's (units: [microK]^2)\n") + about +
               "# -> for CMB lensing (d), these are C_l^dd for the deflection field.\n" + factors +
               "# 1:l     2:TT  3:EE  4:BB  5:TE  6:dd  7:dT  8:dE\n"
               "   2  600 60 18 3 1 1 1\n   3  1200 120 36 6 1 1 1\n"
        << "dd dT dE" << true;
    QTest::newRow("CLASS densities")
        << "# dimensionless total [l(l+1)/2pi] C_l's\n# 1:l   2:TT   3:EE   4:TE   "
           "5:dens[1]-dens[1]   6:T-dens[1]\n   2 600 60 3 1 1\n   3 1200 120 6 1 1\n"
        << "dens-dens T-dens" << false;
    QTest::newRow("names without a sign") << "L TT EE TE\n2 600 60 3\n3 1200 120 6\n"
                                          << "" << false;
    QTest::newRow("CSV below a comment") << "# D_l in muK^2\nl,TT,EE,TE\n2,600,60,3\n3,1200,120,6\n"
                                         << "" << false;
    QTest::newRow("mathematics")
        << "# $\\ell(\\ell+1)C_\\ell/(2\\pi)$\n# \\ell TT EE TE\n2 600 60 3\n3 1200 120 6\n"
        << "" << false;
}

void tst_spectrum_io::theoryCodes() {
    QFETCH(QString, content);
    QFETCH(QString, leftOut);
    QFETCH(bool, hasB);
    const std::string path = text(content.toStdString());
    std::vector<std::string> notes;
    const Spectra spectra = readSpectra(path, &notes);
    // Two roundings: of the factor and of the product.
    const auto isNear = [](double x, double y) { return std::abs(x / y - 1.0) < 5e-16; };
    for (size_t l : {2, 3}) {
        QVERIFY(isNear(spectra[SpectrumKind::TT].at(l), 100.0 * kTwoPi));
        QVERIFY(isNear(spectra[SpectrumKind::EE].at(l), 10.0 * kTwoPi));
        QVERIFY(isNear(spectra[SpectrumKind::TE].at(l), 0.5 * kTwoPi));
        if (hasB) QVERIFY(isNear(spectra[SpectrumKind::BB].at(l), 3.0 * kTwoPi));
    }
    QCOMPARE(spectra[SpectrumKind::BB].empty(), !hasB);
    const auto said = [&](const std::string& line) {
        return std::find(notes.begin(), notes.end(), line) != notes.end();
    };
    QVERIFY(said("D_l divided by l (l + 1) / (2 pi)"));
    if (!leftOut.isEmpty())
        QVERIFY2(said("columns omitted: '" + leftOut.toStdString() + "'"), notes[0].c_str());
    QCOMPARE(inspectFile(path).kind, FileKind::Spectrum);
    // The same values are C_l if that is stated.
    notes.clear();
    QCOMPARE(readSpectra(path, &notes, {{}, false})[SpectrumKind::TT].at(2), 600.0);
    QVERIFY(!said("D_l divided by l (l + 1) / (2 pi)"));
}

void tst_spectrum_io::withoutNames_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<bool>("isRead");
    QTest::newRow("lensedCls") << QByteArray("  2 600 60 18 3\n  3 1200 120 36 6\n") << false;
    QTest::newRow("scalCls") << QByteArray("  2 600 60 3\n  3 1200 120 6\n") << false;
    QTest::newRow("l and TT from l = 2") << QByteArray("2 600\n3 1200\n") << false;
    QTest::newRow("several from l = 0") << QByteArray("0 0 0\n1 0 0\n2 1 1\n") << false;
    QTest::newRow("values alone") << QByteArray("0\n0\n1\n") << false;
    QTest::newRow("l and C_l from l = 0") << QByteArray("0 0\n1 0\n2 1\n") << true;
    QTest::newRow("D_l said") << QByteArray("# D_l\n2 600\n3 1200\n") << true;
    // CAMB's python module writes D_l from l = 0 on, CLASS' returns C_l with as many names.
    QTest::newRow("lensing from l = 0")
        << QByteArray("# L TT EE BB TE PP PT PE\n0 0 0 0 0 0 0 0\n1 0 0 0 0 0 0 0\n") << false;
    QTest::newRow("names of other things") << QByteArray("l,power,phase\n0,1,2\n1,2,3\n") << false;
}

void tst_spectrum_io::withoutNames() {
    QFETCH(QByteArray, content);
    QFETCH(bool, isRead);
    const std::string why = refusal([&] { readSpectra(text(content.toStdString())); });
    QCOMPARE(why.empty(), isRead);
    if (!isRead) QVERIFY2(why.find("--input-dl") != std::string::npos, why.c_str());
}

void tst_spectrum_io::statedColumns() {
    const std::string path = text("  2 600 60 18 3\n  3 1200 120 36 6\n");
    std::vector<std::string> notes;
    const Spectra camb = readSpectra(path, &notes, {{"L", "TT", "EE", "BB", "TE"}, true});
    QCOMPARE(camb[SpectrumKind::TE].at(2), 3.0 * kTwoPi / 6.0);
    QCOMPARE(notes, std::vector<std::string>{"D_l divided by l (l + 1) / (2 pi)"});
    // Another order, a column left out, and C_l.
    notes.clear();
    const Spectra other = readSpectra(path, &notes, {{"L", "EE", "-", "TT"}, false});
    QCOMPARE(notes, std::vector<std::string>{
                        "--columns has 4 names for 5 columns: the last one is omitted"});
    QCOMPARE(other[SpectrumKind::TT].at(3), 36.0);
    QCOMPARE(other[SpectrumKind::EE].at(3), 1200.0);
    QVERIFY(other[SpectrumKind::BB].empty() && other[SpectrumKind::TE].empty());
    // Names of the file are overruled, in FITS, too.
    HduBytes table = doubleTable({"TT", "EE"}, {{1, 2, 3}, {4, 5, 6}});
    table.set("MAX-LPOL", 2);
    QCOMPARE(readSpectra(file(table), nullptr, {{"EE", "BB"}, {}})[SpectrumKind::BB].at(2), 6.0);
    const auto why = [&](const SpectrumReading& stated) {
        return refusal([&] { readSpectra(path, nullptr, stated); });
    };
    QVERIFY(why({{"L", "TT", "EEE"}, {}}).find("'EEE'") != std::string::npos);
    QVERIFY(why({{"L", "-"}, {}}).find("a spectrum among") != std::string::npos);
    QVERIFY(why({{"L", "TT", "EE", "BB", "TE", "PP"}, {}}).find("found 5") != std::string::npos);
}

// The spectrum 4, 9, 16 of l = 2 to 4 in forms that scripts write.
void tst_spectrum_io::asOthersWrite_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("why");  // why it is refused; empty: it is read
    const auto row = [](const char* name, const char* content, const char* why = "") {
        QTest::newRow(name) << QByteArray(content) << QByteArray(why);
    };
    row("descending l", "# l C_TT\n4 16\n3 9\n2 4\n1 0\n0 0\n");
    row("NaN below l = 2", "# l C_TT\n0 nan\n1 inf\n2 4\n3 9\n4 16\n");
    row("NaN at l = 3", "# l C_TT\n0 0\n1 0\n2 4\n3 nan\n4 16\n", "finite values of TT");
    row("comments of Matlab", "% l C_TT\n0 0\n1 0\n% half\n2 4\n3 9\n4 16\n");
    row("comments of Fortran", "! l C_TT\n!\n0 0\n1 0\n2 4\n3 9\n4 16\n");
    row("comments behind numbers", "# l C_TT\n0 0 # mono\n1 0\n2 4\n3 9 #\n4 16\n");
    row("no column of l", "# C_TT C_EE\n0 0\n0.5 0\n4 1\n", "a column of l");
    row("bins without a word", "# ell TT EE\n4 1 1\n9 1 1\n14 1 1\n", "a spectrum in bins");
}

void tst_spectrum_io::asOthersWrite() {
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, why);
    const std::string name = text(content.toStdString());
    std::vector<std::string> notes;
    Spectra found;
    const std::string refused = refusal([&] { found = readSpectra(name, &notes); });
    QVERIFY2(why.isEmpty() ? refused.empty() : refused.find(why.toStdString()) != std::string::npos,
             refused.c_str());
    if (!why.isEmpty()) return;
    QCOMPARE(found[SpectrumKind::TT], (std::vector<double>{0, 0, 4, 9, 16}));
    QCOMPARE(notes.size(), size_t{content.contains("nan") ? 1U : 0U});
    QCOMPARE(inspectFile(name).lmax, 4);
    QCOMPARE(readSpectra(text("0\n0\n4\n"), nullptr, {{"TT"}, false})[SpectrumKind::TT].at(2), 4.0);
    HduBytes table = doubleTable({"L", "TT"}, {{2, 1, 0}, {4, 0, 0}});
    QCOMPARE(readSpectra(file(table))[SpectrumKind::TT], (std::vector<double>{0, 0, 4}));
}

// No value is interpolated between rows, and none is dropped without a message.
void tst_spectrum_io::gapsAndErrors() {
    JobContext job;
    const std::string gaps = text("l,TT,TT_ERR\n2,6,0.6\n3,12,1.2\n6,42,4.2\n");
    std::vector<std::string> notes;
    const Curve curve = readSpectrumCurve(gaps, &notes);
    QCOMPARE(curve.kind, CurveKind::Spectrum);
    QCOMPARE(curve.x, (std::vector<double>{2, 3, 6}));
    // D_l = l (l + 1): C_l = 2 pi, with errors of a tenth.
    for (size_t i = 0; i < 3; ++i) {
        QVERIFY(std::abs(curve.series.at(0).values[i] / kTwoPi - 1.0) < 5e-16);
        QVERIFY(std::abs(curve.series.at(0).errors.at(i) / kTwoPi - 0.1) < 5e-16);
    }
    QVERIFY(notes.front().find("taken as D_l") != std::string::npos);
    QVERIFY2(notes.back().starts_with("l has gaps, 2 from 4 on: read as a curve"),
             notes.back().c_str());
    const std::string why = refusal([&] { readSpectra(gaps); });
    QVERIFY2(why.find("C_l at every l, found none at 2 multipoles, the first l = 4") !=
                 std::string::npos,
             why.c_str());
    // After writing and reading the values are the same: the column names state C_l.
    for (const char* name : {"gaps.csv", "gaps.txt", "gaps.ecsv", "gaps.vot", "gaps.fits"}) {
        writeCurve(curve, path(name), {true, {}}, job);
        const Curve back = std::string(name).ends_with("fits")
                               ? readCurve(path(name), job)
                               : readSpectrumCurve(path(name), nullptr);
        QCOMPARE(back.x, curve.x);
        QCOMPARE(back.series.at(0).name, std::string("TT"));
        QCOMPARE(back.series.at(0).values, curve.series[0].values);
        QCOMPARE(back.series.at(0).errors, curve.series[0].errors);
    }
    // Without gaps the errors stay beside the spectrum from l = 0.
    notes.clear();
    const Curve whole = readSpectrumCurve(text("# C_l\n# l TT TT_ERR\n2 6 1\n3 7 2\n"), &notes);
    QCOMPARE(whole.x, (std::vector<double>{0, 1, 2, 3}));
    QCOMPARE(whole.series.at(0).errors, (std::vector<double>{0, 0, 1, 2}));
    QVERIFY(notes.empty());
    readSpectra(path("file.txt"), &notes);
    QCOMPARE(notes, std::vector<std::string>{"error columns omitted"});
    // A beam has no gaps either, and begins with B_0.
    for (const char* beam : {"l,T\n0,1\n2,0.5\n", "l,T\n2,1\n3,0.5\n"})
        QVERIFY(refusal([&] { readBeam(text(beam)); }).find("B_l") != std::string::npos);
}

void tst_spectrum_io::asymmetricSpectra() {
    std::vector<std::vector<double>> columns;
    for (int i = 0; i < 9; ++i) columns.push_back({0.0, 1.0 * i, 2.0 * i});
    HduBytes table = doubleTable(
        {"TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-T", "C-G", "T-G", "T-C", "G-C"}, columns);
    table.set("MAX-LPOL", 2).set("ASYMCL", "T");
    std::vector<std::string> notes;
    const Spectra nine = readSpectra(file(table), &notes);
    QCOMPARE(nine[SpectrumKind::TE][1], 3.0);
    QCOMPARE(nine[SpectrumKind::TB][1], 4.0);
    QCOMPARE(nine[SpectrumKind::EB][1], 5.0);
    QVERIFY(!notes.empty() && notes[0].find("T-G T-C G-C") != std::string::npos);

    // The same six names by healpy, whose order is TT EE BB TE EB TB.
    columns.resize(6);
    HduBytes healpy =
        doubleTable({"TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-T", "C-G"}, columns);
    healpy.setText("CREATOR", "healpy");
    notes.clear();
    const Spectra swapped = readSpectra(file(healpy), &notes);
    QCOMPARE(swapped[SpectrumKind::EB][1], 4.0);
    QCOMPARE(swapped[SpectrumKind::TB][1], 5.0);
    QVERIFY(!notes.empty() && notes[0].find("healpy") != std::string::npos);

    const Spectra cxx = readSpectra(
        file(doubleTable({"Temperature C_l", "E-mode C_l", "B-mode C_l", "T-E cross-corr."},
                         {columns[0], columns[1], columns[2], columns[3]})));
    QCOMPARE(cxx[SpectrumKind::TE][2], 6.0);
    QCOMPARE(cxx[SpectrumKind::BB][2], 4.0);
}

void tst_spectrum_io::spectraAsText() {
    JobContext job;
    Spectra spectra;
    spectra.unit = "K^2";
    for (int l = 0; l <= 5; ++l) {
        spectra[SpectrumKind::TT].push_back(1.0 / (l + 3.0));
        spectra[SpectrumKind::TE].push_back(-0.1 * l);
    }
    for (const char* name : {"cl.txt", "cl.csv", "cl.ecsv", "cl.vot"}) {
        FileWriteOptions options{true, StoredPrecision::Double, {"made"}};
        writeSpectra(spectra, path(name), options, job);
        std::vector<std::string> notes;
        const Spectra back = readSpectra(path(name), &notes);
        // Each file declares its content, so nothing is assumed.
        QVERIFY2(notes.empty(), notes.empty() ? "" : notes.front().c_str());
        QCOMPARE(back.unit, spectra.unit);
        QVERIFY(back[SpectrumKind::TT] == spectra[SpectrumKind::TT]);
        QVERIFY(back[SpectrumKind::TE] == spectra[SpectrumKind::TE]);
        QVERIFY(back[SpectrumKind::EE].empty());
        QCOMPARE(inspectFile(path(name)).kind, FileKind::Spectrum);
        options.asDl = true;
        writeSpectra(spectra, path(name), options, job);
        const Spectra dl = readSpectra(path(name));
        QCOMPARE(dl.unit, spectra.unit);
        for (size_t l = 1; l <= 5; ++l)  // two roundings in each direction
            QVERIFY(std::abs(dl[SpectrumKind::TT][l] / spectra[SpectrumKind::TT][l] - 1.0) < 1e-15);
    }
}

// In each format: the requested precision, zero beyond a shorter spectrum, refusal of values out of
// float range, an end when the job ends.
void tst_spectrum_io::spectraOfUnequalLengths() {
    JobContext job;
    Spectra spectra;
    spectra[SpectrumKind::TT] = {0.1, 0.2, 0.3};
    spectra[SpectrumKind::EE] = {0.7};
    for (const char* name : {"un.fits", "un.txt", "un.csv", "un.ecsv", "un.vot"}) {
        writeSpectra(spectra, path(name), {true, StoredPrecision::Single, {}}, job);
        const Curve found = std::string(name).ends_with(".fits") ? curveOf(readSpectra(path(name)))
                                                                 : readCurve(path(name), job);
        QCOMPARE(found.series.size(), size_t{2});
        for (size_t l = 0; l < 3; ++l) {
            const double expected = static_cast<double>(static_cast<float>(0.1 * (l + 1.0)));
            // Text has enough digits to restore a float, not those of the equivalent double.
            QVERIFY2(static_cast<float>(found.series[0].values[l]) == static_cast<float>(expected),
                     name);
            QVERIFY2(found.series[0].values[l] != spectra[SpectrumKind::TT][l] ||
                         std::string(name) != "un.fits",
                     name);
        }
        QVERIFY2((found.series[1].values[1] == 0.0 && found.series[1].values[2] == 0.0), name);
        Spectra large = spectra;
        large[SpectrumKind::TT][1] = 1e39;
        QVERIFY_THROWS_EXCEPTION(
            InvalidArgument,
            writeSpectra(large, path(name), {true, StoredPrecision::Single, {}}, job));
    }
    std::stop_source stopped;
    stopped.request_stop();
    JobContext ended(stopped.get_token(), {}, 1);
    QVERIFY_THROWS_EXCEPTION(Cancelled,
                             writeSpectra(spectra, path("un.ecsv"), {true, {}, {}}, ended));
}

void tst_spectrum_io::spectraRoundTrip() {
    JobContext job;
    Spectra spectra;
    spectra.unit = "K^2";
    for (size_t kind = 0; kind < 6; ++kind)
        for (int l = 0; l <= 20; ++l)
            spectra.cl[kind].push_back(
                std::sin(static_cast<double>(l) + 30.0 * static_cast<double>(kind)));
    writeSpectra(spectra, path("cl.fits"), {true, StoredPrecision::Double, {"made"}}, job);
    const Spectra back = readSpectra(path("cl.fits"));
    for (size_t kind = 0; kind < 6; ++kind) QVERIFY(back.cl[kind] == spectra.cl[kind]);
    QCOMPARE(back.unit, spectra.unit);
    for (size_t kind = 3; kind < 6; ++kind) spectra.cl[kind].clear();
    writeSpectra(spectra, path("cl.fits"), {true, StoredPrecision::Double, {}}, job);
    QVERIFY(readSpectra(path("cl.fits"))[SpectrumKind::TE].empty());
    QVERIFY_THROWS_EXCEPTION(IoError, writeSpectra(spectra, path("cl.fits"), {false, {}, {}}, job));
}

void tst_spectrum_io::kinds() {
    QCOMPARE(inspectFile(text("0 0\n1 0\n2 1234\n")).kind, FileKind::Spectrum);
    QCOMPARE(inspectFile(text("2 1000\n3 900\n")).lmax, 3);
    // A comment takes precedence over the appearance of the numbers.
    QCOMPARE(inspectFile(text("# l TT\n0 1\n1 0.5\n")).kind, FileKind::Spectrum);
    QCOMPARE(inspectFile(text("# l bT bE\n0 0.9 0.9\n1 0.5 0.4\n")).kind, FileKind::Beam);
    QCOMPARE(inspectFile(text("# beam\n0 0.9\n1 0.5\n")).kind, FileKind::Beam);
    QCOMPARE(inspectFile(text("0 1\n1 0.5\n")).assumed,
             std::string("the file names no columns: taken as l and B_l"));
    QVERIFY(inspectFile(text("# l bT\n0 1\n1 0.5\n")).assumed.empty());
    QCOMPARE(inspectFile(text("1 2 3\n2 3 4\n")).kind, FileKind::Spectrum);
    for (const char* curve : {"# r value\n0 1\n1 0.5\n", "1 1\n2 0.5\n"})
        QVERIFY(refusal([&] { inspectFile(text(curve)); }).find("curve") != std::string::npos);
    // Impossible sizes are refused, without allocation.
    HduBytes cells = tableHdu({{"UNIQ", "1000000000000K"}}, 8000000000000, 1);
    QVERIFY(refusal([&] { inspectFile(file(cells)); }).find("truncated") != std::string::npos);
    HduBytes strip;
    strip.setText("XTENSION", "IMAGE").set("BITPIX", -64).set("NAXIS", 2).set("NAXIS1", 9);
    strip.set("NAXIS2", 3).set("PCOUNT", 0).set("GCOUNT", 1);
    for (int i = 0; i < 27; ++i) append(strip.data, 1.0);
    QCOMPARE(readBeam(file(strip)).lmax(), 8);
    QCOMPARE(inspectFile(file(strip)).kind, FileKind::Beam);
    // 9 * 8 * 2^57 rows come to a multiple of 2^64.
    strip.set("GCOUNT", 0).set("NAXIS2", "144115188075855872");
    QVERIFY(refusal([&] { readBeam(file(strip) + "[1]"); }).find("144115188075855872") !=
            std::string::npos);
    strip.set("GCOUNT", 1).set("NAXIS2", 1).set("NAXIS1", "4294967305");
    QVERIFY(inspectFile(file(strip)).lmax > 1000000);
    QVERIFY(refusal([&] { inspectFile(text("0.5 1\n3 4\n")); }).find("first column") !=
            std::string::npos);
}

QTEST_GUILESS_MAIN(tst_spectrum_io)
#include "tst_spectrum_io.moc"
