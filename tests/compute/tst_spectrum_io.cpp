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

class tst_spectrum_io : public QObject, FileFolder {
    Q_OBJECT

private slots:
    void spectraByName_data();
    void spectraByName();
    void blankNumbers();
    void spectraFromText();
    void spectraRoundTrip();
    void namedTextSpectra();
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
        const Spectra spectra = readSpectra(fits(hdu));
        QCOMPARE(spectra.unit, std::string("uK^2"));
        QCOMPARE(spectra.lmax(), 2);
        for (size_t i = 0; i < columns.size(); ++i) {
            const auto& cl = spectra.cl[static_cast<size_t>(kinds[static_cast<qsizetype>(i)])];
            QCOMPARE(cl.size(), size_t{3});
            QCOMPARE(cl[2], columns[i][2]);
        }
        QCOMPARE(inspectFile(fits(hdu)).kind, FileKind::Spectrum);
    }
}

// A blank number of an ASCII table is zero (FITS 4.0, section 7.2.5) unless TNULL declares it
// missing.
void tst_spectrum_io::blankNumbers() {
    const std::string blank(16, ' ');
    const std::string one = "  1.0000000E+00 ", three = "  3.0000000E+00 ";
    HduBytes table = asciiTable({"TT"}, {one, one, blank, three}, 15);
    table.set("MAX-LPOL", 3);
    const Spectra spectra = readSpectra(fits(table));
    QVERIFY((spectra.cl[0] == std::vector<double>{1.0, 1.0, 0.0, 3.0}));
    table.setText("TNULL1", "");
    QVERIFY(refusal([&] { readSpectra(fits(table)); }).find("finite values") != std::string::npos);
    table.setText("TNULL1", "3.0000000E+00");
    QVERIFY(refusal([&] { readSpectra(fits(table)); }).find("row 4") != std::string::npos);
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
    const Spectra nine = readSpectra(fits(table), &notes);
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
    const Spectra swapped = readSpectra(fits(healpy), &notes);
    QCOMPARE(swapped[SpectrumKind::EB][1], 4.0);
    QCOMPARE(swapped[SpectrumKind::TB][1], 5.0);
    QVERIFY(!notes.empty() && notes[0].find("healpy") != std::string::npos);

    const Spectra cxx = readSpectra(
        fits(doubleTable({"Temperature C_l", "E-mode C_l", "B-mode C_l", "T-E cross-corr."},
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
    QVERIFY(refusal([&] { inspectFile(fits(cells)); }).find("truncated") != std::string::npos);
    HduBytes strip;
    strip.setText("XTENSION", "IMAGE").set("BITPIX", -64).set("NAXIS", 2).set("NAXIS1", 9);
    strip.set("NAXIS2", 3).set("PCOUNT", 0).set("GCOUNT", 1);
    for (int i = 0; i < 27; ++i) append(strip.data, 1.0);
    QCOMPARE(readBeam(fits(strip)).lmax(), 8);
    QCOMPARE(inspectFile(fits(strip)).kind, FileKind::Beam);
    // 9 * 8 * 2^57 rows come to a multiple of 2^64.
    strip.set("GCOUNT", 0).set("NAXIS2", "144115188075855872");
    QVERIFY(refusal([&] { readBeam(fits(strip) + "[1]"); }).find("144115188075855872") !=
            std::string::npos);
    strip.set("GCOUNT", 1).set("NAXIS2", 1).set("NAXIS1", "4294967305");
    QVERIFY(inspectFile(fits(strip)).lmax > 1000000);
    QVERIFY(refusal([&] { inspectFile(text("0.5 1\n3 4\n")); }).find("first column") !=
            std::string::npos);
}

QTEST_GUILESS_MAIN(tst_spectrum_io)
#include "tst_spectrum_io.moc"
