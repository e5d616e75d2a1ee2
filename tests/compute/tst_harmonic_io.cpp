// SPDX-License-Identifier: GPL-3.0-or-later
// alm, spectra, beams and kernels from files made byte by byte here, and back.
#include <fitsio.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <random>
#include <stop_token>

#include "compute/fits_bytes.h"
#include "core/error.h"
#include "core/sky_vector.h"
#include "io/curve_io.h"
#include "io/harmonic_io.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

Alm randomAlm(int lmax, int mmax, unsigned seed) {
    Alm alm(lmax, mmax);
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    for (auto& value : alm.values()) value = {normal(random), normal(random)};
    for (int l = 0; l <= lmax; ++l) alm(l, 0).imag(0.0);
    return alm;
}

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

HduBytes doubleTable(const std::vector<std::string>& names,
                     const std::vector<std::vector<double>>& columns) {
    std::vector<ColumnBytes> forms;
    for (const std::string& name : names) forms.push_back({name, "D"});
    HduBytes hdu = tableHdu(forms, static_cast<int64_t>(8 * names.size()),
                            static_cast<int64_t>(columns[0].size()));
    for (size_t row = 0; row < columns[0].size(); ++row)
        for (const auto& column : columns) append(hdu.data, column[row]);
    return hdu;
}

}  // namespace

class tst_harmonic_io : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string path(const char* name) const { return (folder_.path() + '/' + name).toStdString(); }
    std::string file(const HduBytes& table, const char* name = "file.fits") const {
        writeBytes(path(name), primaryHdu().bytes() + table.bytes());
        return path(name);
    }
    std::string text(const std::string& content, const char* name = "file.txt") const {
        writeBytes(path(name), content);
        return path(name);
    }
    template <class Call>
    std::string refusal(Call call) {
        try {
            call();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private slots:
    void almRoundTrip_data();
    void almRoundTrip();
    void almFromRows();
    void almWithPackedTable();
    void packedFiles();
    void packedFilesStop();
    void almRefusals();
    void valuesTheColumnsDoNotHold_data();
    void valuesTheColumnsDoNotHold();
    void spectraByName_data();
    void spectraByName();
    void blankNumbers();
    void spectraFromText();
    void spectraRoundTrip();
    void namedTextSpectra();
    void asymmetricSpectra();
    void spectraAsText();
    void spectraOfUnequalLengths();
    void beams();
    void kernels();
    void kinds();
};

void tst_harmonic_io::almRoundTrip_data() {
    QTest::addColumn<int>("lmax");
    QTest::addColumn<int>("mmax");
    QTest::addColumn<int>("sets");
    QTest::newRow("monopole") << 0 << 0 << 1;
    QTest::newRow("T") << 40 << 40 << 1;
    QTest::newRow("T, E, B") << 33 << 33 << 3;
    QTest::newRow("mmax < lmax") << 50 << 7 << 3;
    // Larger than a piece of the writer, so that the pieces must meet.
    QTest::newRow("large") << 700 << 650 << 1;
}

void tst_harmonic_io::almRoundTrip() {
    QFETCH(int, lmax);
    QFETCH(int, mmax);
    QFETCH(int, sets);
    std::vector<Alm> alm;
    for (int i = 0; i < sets; ++i) alm.push_back(randomAlm(lmax, mmax, static_cast<unsigned>(i)));
    JobContext job;
    writeAlm(alm, path("alm.fits"), {true, StoredPrecision::Double, {}}, job);
    const std::vector<Alm> back = readAlm(path("alm.fits"), job);
    QCOMPARE(back.size(), alm.size());
    for (size_t i = 0; i < alm.size(); ++i) {
        QCOMPARE(back[i].lmax(), lmax);
        QCOMPARE(back[i].mmax(), mmax);
        QVERIFY(back[i].values() == alm[i].values());
    }
    QCOMPARE(inspectFile(path("alm.fits")).frame, Frame::Unknown);
    writeAlm(alm, path("alm.fits"), {true, StoredPrecision::Double, {}}, job,
             {Frame::Ecliptic, "K_CMB"});
    const FileSummary summary = inspectFile(path("alm.fits"));
    QCOMPARE(summary.frame, Frame::Ecliptic);
    QCOMPARE(summary.columns.at(0).unit, std::string("K_CMB"));
    QCOMPARE(summary.columns.at(1).unit, std::string("K_CMB"));
    QCOMPARE(summary.kind, FileKind::Alm);
    QCOMPARE(summary.lmax, lmax);
    QCOMPARE(summary.mmax, mmax);
    writeAlm(alm, path("single.fits"), {true, StoredPrecision::Single, {}}, job);
    const std::vector<Alm> single = readAlm(path("single.fits"), job);
    for (size_t k = 0; k < alm[0].values().size(); ++k)
        QCOMPARE(single[0].values()[k].real(),
                 static_cast<double>(static_cast<float>(alm[0].values()[k].real())));
}

void tst_harmonic_io::almFromRows() {
    // Rows in any order, entries missing, 64-bit index, an entry with m < 0 that repeats another.
    HduBytes table = tableHdu({{"INDEX", "K"}, {"REAL", "E"}, {"IMAG", "E"}}, 16, 4);
    table.set("MAX-LPOL", 5).set("MAX-MPOL", 4);
    const auto row = [&](int64_t l, int64_t m, float re, float im) {
        append(table.data, l * l + l + m + 1);
        append(table.data, re);
        append(table.data, im);
    };
    row(4, 3, 1.5F, -2.0F);
    row(2, 0, 3.0F, 0.5F);  // the imaginary part means nothing at m = 0
    row(0, 0, 7.0F, 0.0F);
    row(4, -3, 1.0F, 1.0F);
    JobContext job;
    const Alm alm = readAlm(file(table), job).at(0);
    QCOMPARE(alm.lmax(), 5);
    QCOMPARE(alm.mmax(), 4);
    double sum = 0.0;
    for (const auto& value : alm.values()) sum += std::abs(value.real()) + std::abs(value.imag());
    QCOMPARE(sum, 13.5);
    QCOMPARE(alm(4, 3), std::complex<double>(1.5, -2.0));
    QCOMPARE(alm(2, 0).real(), 3.0);
    // Without the keywords the indices tell.
    table.remove("MAX-LPOL").remove("MAX-MPOL");
    QCOMPARE(readAlm(file(table), job).at(0).lmax(), 4);
    QCOMPARE(readAlm(file(table) + "[1]", job).at(0).mmax(), 3);
}

// A tile-compressed table is found, and the file unpacked, while the alm before it are in hand.
void tst_harmonic_io::almWithPackedTable() {
    const std::vector<Alm> alm = {randomAlm(20, 20, 1), randomAlm(20, 20, 2), randomAlm(20, 20, 3)};
    JobContext job;
    writeAlm(alm, path("plain.fits"), {true, StoredPrecision::Double, {}}, job);
    for (const int packedHdu : {2, 3}) {
        QFile::remove(QString::fromStdString(path("mixed.fits")));
        int status = 0;
        fitsfile *in = nullptr, *out = nullptr;
        fits_open_diskfile(&in, path("plain.fits").c_str(), READONLY, &status);
        fits_create_diskfile(&out, path("mixed.fits").c_str(), &status);
        for (int hdu = 0; hdu <= 3; ++hdu) {
            fits_movabs_hdu(in, hdu + 1, nullptr, &status);
            if (hdu == packedHdu)
                fits_compress_table(in, out, &status);
            else
                fits_copy_hdu(in, out, 0, &status);
        }
        fits_close_file(in, &status);
        fits_close_file(out, &status);
        QCOMPARE(status, 0);
        const std::vector<Alm> back = readAlm(path("mixed.fits"), job);
        QCOMPARE(back.size(), size_t{3});
        for (size_t i = 0; i < 3; ++i) QVERIFY(back[i].values() == alm[i].values());
    }
}

void tst_harmonic_io::packedFiles() {
    const auto pack = [&](const char* name) {
        QCOMPARE(QProcess::execute("gzip", {"-kf", QString::fromStdString(path(name))}), 0);
    };
    const std::vector<Alm> alm = {randomAlm(70, 70, 1), randomAlm(70, 70, 2), randomAlm(70, 70, 3)};
    JobContext job;
    writeAlm(alm, path("packed.fits"), {true, StoredPrecision::Double, {}}, job);
    pack("packed.fits");
    const std::vector<Alm> back = readAlm(path("packed.fits.gz"), job);
    QCOMPARE(back.size(), size_t{3});
    for (size_t i = 0; i < 3; ++i) QVERIFY(back[i].values() == alm[i].values());
    const std::string whole = readBytes(path("packed.fits.gz"));
    writeBytes(path("cut.fits.gz"), whole.substr(0, whole.size() - 4));
    QVERIFY(refusal([&] { readAlm(path("cut.fits.gz"), job); }).find("ends early") !=
            std::string::npos);

    Spectra spectra;
    for (size_t kind = 0; kind < 6; ++kind)
        for (int l = 0; l < 50; ++l)
            spectra.cl[kind].push_back(l + 100.0 * static_cast<double>(kind));
    writeSpectra(spectra, path("cl.fits"), {true, StoredPrecision::Double, {}}, job);
    pack("cl.fits");
    QVERIFY(readSpectra(path("cl.fits.gz")).cl == spectra.cl);
}

// The second HDU lies behind 16 MB that nobody wants.
void tst_harmonic_io::packedFilesStop() {
    HduBytes image = primaryHdu();
    image.set("NAXIS", 1).set("NAXIS1", 16'000'000);
    image.data = std::string(16'000'000, '\0');
    HduBytes table = tableHdu({{"TT", "1D"}}, 8, 1);
    append(table.data, 1.0);
    writeBytes(path("deep.fits"), image.bytes() + table.bytes());
    QCOMPARE(QProcess::execute("gzip", {"-1f", QString::fromStdString(path("deep.fits"))}), 0);
    std::stop_source source;
    QCOMPARE(inspectFile(path("deep.fits.gz"), source.get_token()).kind, FileKind::Spectrum);
    source.request_stop();
    QVERIFY_EXCEPTION_THROWN(inspectFile(path("deep.fits.gz"), source.get_token()), Cancelled);
    JobContext job(source.get_token(), {}, 1);
    QVERIFY_EXCEPTION_THROWN(readAlm(path("deep.fits.gz"), job), Cancelled);
}

void tst_harmonic_io::almRefusals() {
    JobContext job;
    HduBytes table = tableHdu({{"INDEX", "J"}, {"REAL", "D"}, {"IMAG", "D"}}, 20, 2);
    for (const int index : {3, 3}) {
        append(table.data, int32_t{index});
        append(table.data, 1.0);
        append(table.data, 0.0);
    }
    QVERIFY(refusal([&] { readAlm(file(table), job); }).find("3 twice") != std::string::npos);
    table.data.replace(0, 4, std::string(4, '\0'));
    QVERIFY(refusal([&] { readAlm(file(table), job); }).find("at least 1") != std::string::npos);
    table.set("MAX-LPOL", 2000000000);
    table.data.replace(0, 4, std::string("\0\0\0\1", 4));
    QVERIFY(refusal([&] { readAlm(file(table), job); }).find("MAX-LPOL") != std::string::npos);
    QVERIFY(refusal([&] { inspectFile(file(table)); }).find("MAX-LPOL") != std::string::npos);
    table.set("MAX-LPOL", "4294967298");  // 2, were it cut to 32 bits
    QVERIFY(refusal([&] { inspectFile(file(table)); }).find("4294967298") != std::string::npos);
    HduBytes undefined = tableHdu({{"INDEX", "J"}, {"REAL", "E"}, {"IMAG", "E"}}, 12, 2);
    for (const float x : {1.0F, std::numeric_limits<float>::quiet_NaN()}) {
        append(undefined.data, int32_t{x == 1.0F ? 1 : 2});
        append(undefined.data, 1.0F);
        append(undefined.data, x);
    }
    const std::string line = refusal([&] { readAlm(file(undefined), job); });
    QVERIFY2(line.find("finite coefficients, found none in row 2") != std::string::npos,
             line.c_str());
    HduBytes other = tableHdu({{"RA", "D"}, {"DEC", "D"}}, 16, 0);
    QVERIFY(refusal([&] { readAlm(file(other), job); }).find("(RA, DEC)") != std::string::npos);
    QVERIFY_THROWS_EXCEPTION(InvalidArgument, writeAlm({}, path("no.fits"), {}, job));
}

// What no reader would take is not written.
void tst_harmonic_io::valuesTheColumnsDoNotHold_data() {
    constexpr double kFloatMax = std::numeric_limits<float>::max();
    constexpr double kDoubleMax = std::numeric_limits<double>::max();
    QTest::addColumn<double>("value");
    QTest::addColumn<StoredPrecision>("precision");
    QTest::addColumn<bool>("isHeld");
    QTest::newRow("largest float") << kFloatMax << StoredPrecision::Single << true;
    QTest::newRow("beyond float") << 1e39 << StoredPrecision::Single << false;
    QTest::newRow("largest double") << kDoubleMax << StoredPrecision::Double << true;
    QTest::newRow("infinite") << 2.0 * kDoubleMax << StoredPrecision::Double << false;
    QTest::newRow("no number") << std::nan("") << StoredPrecision::Double << false;
}

void tst_harmonic_io::valuesTheColumnsDoNotHold() {
    QFETCH(double, value);
    QFETCH(StoredPrecision, precision);
    QFETCH(bool, isHeld);
    const std::string almPath = path("far_alm.fits"), clPath = path("far_cl.fits");
    for (const std::string& name : {almPath, clPath}) QFile::remove(QString::fromStdString(name));
    JobContext job;
    std::vector<Alm> alm{randomAlm(4, 3, 1)};
    alm[0](3, 2) = {0.0, -value};
    const std::string almLine = refusal([&] {
        writeAlm(alm, almPath, {true, precision, {}}, job);
    });
    Spectra spectra;
    spectra[SpectrumKind::TT] = {1.0, 2.0};
    spectra[SpectrumKind::EE] = {1.0, value};
    const std::string clLine = refusal([&] {
        writeSpectra(spectra, clPath, {true, precision, {}}, job);
    });
    QCOMPARE(almLine.find("l = 3, m = 2") == std::string::npos, isHeld);
    QCOMPARE(clLine.find("EE at l = 1") == std::string::npos, isHeld);
    for (const std::string& name : {almPath, clPath})
        QCOMPARE(QFile::exists(QString::fromStdString(name)), isHeld);
}

void tst_harmonic_io::spectraByName_data() {
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QVector<int>>("kinds");  // of the columns, TT = 0 ... EB = 5
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

void tst_harmonic_io::spectraByName() {
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

// A blank number of an ASCII table is zero (FITS 4.0, section 7.2.5) unless TNULL says it is none.
void tst_harmonic_io::blankNumbers() {
    const std::string blank(16, ' ');
    HduBytes table = asciiTable({"TT"}, {"  1.0000000E+00 ", blank, "  3.0000000E+00 "}, 15);
    table.set("MAX-LPOL", 2);
    const Spectra spectra = readSpectra(file(table));
    QVERIFY((spectra.cl[0] == std::vector<double>{1.0, 0.0, 3.0}));
    table.setText("TNULL1", "");
    QVERIFY(refusal([&] { readSpectra(file(table)); }).find("finite values") != std::string::npos);
    table.setText("TNULL1", "1.0000000E+00");
    QVERIFY(refusal([&] { readSpectra(file(table)); }).find("row 1") != std::string::npos);
}

void tst_harmonic_io::spectraFromText() {
    const Spectra spectra =
        readSpectra(text("# l TT EE BB TE\n2 1.5 2.5 3.5 4.5\n3, 1 2 3 4\n\n5 5 6 7 8 # end\n"));
    QCOMPARE(spectra.lmax(), 5);
    QVERIFY((spectra[SpectrumKind::TT] == std::vector<double>{0, 0, 1.5, 1, 0, 5}));
    QVERIFY((spectra[SpectrumKind::TE] == std::vector<double>{0, 0, 4.5, 4, 0, 8}));
    QVERIFY(spectra[SpectrumKind::TB].empty());
    QVERIFY(
        (readSpectra(text("1\n2\n3D-1\n"))[SpectrumKind::TT] == std::vector<double>{1, 2, 0.3}));
    const auto why = [&](const char* content) {
        return refusal([&] { readSpectra(text(content)); });
    };
    QVERIFY(why("0 1\n1 x\n").find("'x' in line 2") != std::string::npos);
    QVERIFY(why("0 1\n1 2 3\n").find("3 in line 2") != std::string::npos);
    QVERIFY(why("3 1\n2 1\n").find("ascending") != std::string::npos);
    QVERIFY(why("0 1\n1.5 1\n").find("whole l") != std::string::npos);
    QVERIFY(why("0 1\n1 nan\n").find("finite") != std::string::npos);
}

// Headers of text files decide over order and meaning of their columns.
void tst_harmonic_io::namedTextSpectra() {
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
    QCOMPARE(planck[SpectrumKind::TE][2], 2.0);
    QCOMPARE(planck[SpectrumKind::EE][3], 8.0);
    QVERIFY(said("'PP'"));
    const Spectra divided = read("# l D_l\n0 5\n1 1\n2 12\n");
    QCOMPARE(divided[SpectrumKind::TT][0], 0.0);
    QCOMPARE(divided[SpectrumKind::TT][1], kPi);  // 2 pi / (1 * 2)
    QCOMPARE(divided[SpectrumKind::TT][2], 4.0 * kPi);
    QVERIFY(said("D_l"));
    const Spectra camb = read("# ell, D_TT [uK^2], D_EE [uK^2]\n2, 12, 6\n");
    QCOMPARE(camb[SpectrumKind::EE][2], 2.0 * kPi);
    read("2 1 2 3 4\n");
    QVERIFY(said("'TT EE BB TE'"));
    const Spectra csv = read("l,EE,TT\n0,1,2\n1,3,4\n");
    QCOMPARE(csv[SpectrumKind::TT][1], 4.0);
    QVERIFY(notes.empty());
}

void tst_harmonic_io::asymmetricSpectra() {
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

void tst_harmonic_io::spectraAsText() {
    JobContext job;
    Spectra spectra;
    spectra.unit = "K^2";
    for (int l = 0; l <= 5; ++l) {
        spectra[SpectrumKind::TT].push_back(1.0 / (l + 3.0));
        spectra[SpectrumKind::TE].push_back(-0.1 * l);
    }
    for (const char* name : {"cl.txt", "cl.csv"}) {
        FileWriteOptions options{true, StoredPrecision::Double, {"made"}};
        writeSpectra(spectra, path(name), options, job);
        const Spectra back = readSpectra(path(name));
        QVERIFY(back[SpectrumKind::TT] == spectra[SpectrumKind::TT]);
        QVERIFY(back[SpectrumKind::TE] == spectra[SpectrumKind::TE]);
        QVERIFY(back[SpectrumKind::EE].empty());
        QCOMPARE(inspectFile(path(name)).kind, FileKind::Spectrum);
        options.asDl = true;
        writeSpectra(spectra, path(name), options, job);
        const Spectra dl = readSpectra(path(name));
        for (size_t l = 1; l <= 5; ++l)  // two roundings there, two back
            QVERIFY(std::abs(dl[SpectrumKind::TT][l] / spectra[SpectrumKind::TT][l] - 1.0) < 1e-15);
    }
}

// In each format: the precision asked for, zero beyond a shorter spectrum, refusal of what a float
// does not hold, an end when the job ends.
void tst_harmonic_io::spectraOfUnequalLengths() {
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
            // Text holds as many digits as bring a float back, not the double it stands for.
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

void tst_harmonic_io::spectraRoundTrip() {
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

void tst_harmonic_io::beams() {
    const std::vector<double> t = {1.0, 0.9, 0.5}, e = {1.0, 0.8, 0.4}, b = {1.0, 0.7, 0.3};
    const auto is = [](const Beam& beam, const auto& x, const auto& y, const auto& z) {
        return beam.bl[0] == x && beam.bl[1] == y && beam.bl[2] == z;
    };
    const auto table = [&](std::vector<std::string> names,
                           std::vector<std::vector<double>> columns) {
        HduBytes hdu = doubleTable(names, columns);
        hdu.setText("EXTNAME", "WINDOW FUNCTION");
        return file(hdu);
    };
    QVERIFY(is(readBeam(table({"TEMPERATURE"}, {t})), t, t, t));
    QVERIFY(is(readBeam(table({"TEMPERATURE", "POLARIZATION"}, {t, e})), t, e, e));
    QVERIFY(is(readBeam(table({"T", "E", "B"}, {t, e, b})), t, e, b));
    // Instrument models: error modes behind BL are no polarization; B_l may be one array.
    std::vector<std::string> notes;
    QVERIFY(is(readBeam(table({"BL", "EIGEN_1", "EIGEN_2"}, {t, e, b}), &notes), t, t, t));
    QCOMPARE(notes.size(), size_t{1});
    QCOMPARE(notes[0], std::string("left out of the beam: 'EIGEN_1 EIGEN_2'"));
    notes.clear();
    readBeam(table({"T", "E", "B"}, {t, e, b}), &notes);
    QVERIFY(notes.empty());
    readBeam(table({"T", "E", "B", ""}, {t, e, b, b}), &notes);
    QCOMPARE(notes.size(), size_t{1});
    QCOMPARE(notes[0], std::string("left out of the beam: 'column 4'"));
    HduBytes array = tableHdu({{"BL", "3D"}}, 24, 1);
    array.setText("EXTNAME", "BEAMWF_143X143");
    for (const double x : t) append(array.data, x);
    QVERIFY(is(readBeam(file(array)), t, t, t));
    QCOMPARE(inspectFile(path("file.fits")).kind, FileKind::Beam);
    QCOMPARE(inspectFile(path("file.fits")).lmax, 2);
    // An image of 4 rows, as IDL's gaussbeam writes.
    HduBytes image;
    image.set("SIMPLE", "T").set("BITPIX", -64).set("NAXIS", 2).set("NAXIS1", 9).set("NAXIS2", 4);
    std::vector<std::vector<double>> rows(4);
    for (int row = 0; row < 4; ++row)
        for (int l = 0; l < 9; ++l) {
            rows[static_cast<size_t>(row)].push_back(1.0 - 0.1 * l - 0.01 * row);
            append(image.data, rows[static_cast<size_t>(row)].back());
        }
    writeBytes(path("image.fits"), image.bytes());
    QVERIFY(is(readBeam(path("image.fits")), rows[0], rows[1], rows[2]));
    QCOMPARE(inspectFile(path("image.fits")).kind, FileKind::Beam);

    QVERIFY(is(readBeam(text("# beam\n0 1 1\n1 0.9 0.8\n2 0.5 0.4\n")), t, e, e));
    QCOMPARE(inspectFile(path("file.txt")).kind, FileKind::Beam);
    QVERIFY(is(readBeam(text("1\n0.9\n0.5\n")), t, t, t));
    QVERIFY(refusal([&] { readBeam(text("0 1\n2 0.5\n")); }).find("l = 1") != std::string::npos);
    QVERIFY(refusal([&] { readBeam(text("1 1\n2 0.5\n")); }).find("l = 0") != std::string::npos);
}

void tst_harmonic_io::kernels() {
    const RadialKernel kernel = readRadialKernel(text("# angle arcmin\n0 1\n30 0.5\n60 0\n"));
    QCOMPARE(kernel.angle[1], 30.0 * kArcmin);
    QCOMPARE(kernel.value[1], 0.5);
    HduBytes table = doubleTable({"THETA", "K"}, {{0, 1, 2}, {3, 2, 1}});
    QVERIFY(refusal([&] { readRadialKernel(file(table)); }).find("unit") != std::string::npos);
    table.setText("TUNIT1", "deg");
    QCOMPARE(readRadialKernel(file(table)).angle[2], 2.0 * kDegree);
    const auto why = [&](const char* content) {
        return refusal([&] { readRadialKernel(text(content)); });
    };
    QVERIFY(why("0 1\n1 0\n").find("unit") != std::string::npos);
    QVERIFY(why("# angle deg\n0.5 1\n1 0\n").find("ascending from 0") != std::string::npos);
    QVERIFY(why("# angle deg\n0 1\n2 0\n1 0\n").find("ascending") != std::string::npos);
    QVERIFY(why("# angle deg\n0 1\n181 0\n").find("180") != std::string::npos);
    QVERIFY(why("# angle deg\n0 1 2\n").find("two columns") != std::string::npos);
}

void tst_harmonic_io::kinds() {
    QCOMPARE(inspectFile(text("0 0\n1 0\n2 1234\n")).kind, FileKind::Spectrum);
    QCOMPARE(inspectFile(text("2 1000\n3 900\n")).lmax, 3);
    // Sizes that no file holds are refused, and take no memory before.
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

QTEST_GUILESS_MAIN(tst_harmonic_io)
#include "tst_harmonic_io.moc"
