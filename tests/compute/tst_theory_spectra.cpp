// SPDX-License-Identifier: GPL-3.0-or-later
// Theory spectra in texts as other programs write them: C_l or D_l, order and names of columns.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "armilla/core/sky_vector.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/spectrum_io.h"
#include "compute/file_folder.h"

using namespace armilla;
using namespace armilla::testing;

class tst_theory_spectra : public QObject, FileFolder {
    Q_OBJECT

private slots:
    void headersOfOtherPrograms();
    void theoryCodes_data();
    void theoryCodes();
    void withoutNames_data();
    void withoutNames();
    void statedColumns();
    void asOthersWrite_data();
    void asOthersWrite();
};

// CLASS numbers its columns; other programs write the factor of D_l into a name, or more after the
// names.
void tst_theory_spectra::headersOfOtherPrograms() {
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
void tst_theory_spectra::theoryCodes_data() {
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

void tst_theory_spectra::theoryCodes() {
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

void tst_theory_spectra::withoutNames_data() {
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

void tst_theory_spectra::withoutNames() {
    QFETCH(QByteArray, content);
    QFETCH(bool, isRead);
    const std::string why = refusal([&] { readSpectra(text(content.toStdString())); });
    QCOMPARE(why.empty(), isRead);
    if (!isRead) QVERIFY2(why.find("--input-dl") != std::string::npos, why.c_str());
}

void tst_theory_spectra::statedColumns() {
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
    QCOMPARE(readSpectra(fits(table), nullptr, {{"EE", "BB"}, {}})[SpectrumKind::BB].at(2), 6.0);
    const auto why = [&](const SpectrumReading& stated) {
        return refusal([&] { readSpectra(path, nullptr, stated); });
    };
    QVERIFY(why({{"L", "TT", "EEE"}, {}}).find("'EEE'") != std::string::npos);
    QVERIFY(why({{"L", "-"}, {}}).find("a spectrum among") != std::string::npos);
    QVERIFY(why({{"L", "TT", "EE", "BB", "TE", "PP"}, {}}).find("found 5") != std::string::npos);
}

// The spectrum 4, 9, 16 of l = 2 to 4 in forms that scripts write.
void tst_theory_spectra::asOthersWrite_data() {
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

void tst_theory_spectra::asOthersWrite() {
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
    QCOMPARE(readSpectra(fits(table))[SpectrumKind::TT], (std::vector<double>{0, 0, 4}));
}

QTEST_GUILESS_MAIN(tst_theory_spectra)
#include "tst_theory_spectra.moc"
