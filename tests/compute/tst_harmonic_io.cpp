// SPDX-License-Identifier: GPL-3.0-or-later
// alm from files made byte by byte here, and back; values that alm and spectrum files cannot hold,
// and compressed files.
#include <fitsio.h>

#include <QtTest>
#include <cmath>
#include <random>
#include <stop_token>

#include "armilla/io/harmonic_io.h"
#include "compute/file_folder.h"

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

}  // namespace

class tst_harmonic_io : public QObject, FileFolder {
    Q_OBJECT

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
    row(2, 0, 3.0F, 0.5F);  // the imaginary part is ignored at m = 0
    row(0, 0, 7.0F, 0.0F);
    row(4, -3, 1.0F, 1.0F);
    JobContext job;
    const Alm alm = readAlm(fits(table), job).at(0);
    QCOMPARE(alm.lmax(), 5);
    QCOMPARE(alm.mmax(), 4);
    double sum = 0.0;
    for (const auto& value : alm.values()) sum += std::abs(value.real()) + std::abs(value.imag());
    QCOMPARE(sum, 13.5);
    QCOMPARE(alm(4, 3), std::complex<double>(1.5, -2.0));
    QCOMPARE(alm(2, 0).real(), 3.0);
    // Without the keywords, the indices give the limits.
    table.remove("MAX-LPOL").remove("MAX-MPOL");
    QCOMPARE(readAlm(fits(table), job).at(0).lmax(), 4);
    QCOMPARE(readAlm(fits(table) + "[1]", job).at(0).mmax(), 3);
}

// A tile-compressed table is detected, and the file decompressed, while the preceding alm are
// already read.
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

// The second HDU lies behind 16 MB of unused data.
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
    QVERIFY(refusal([&] { readAlm(fits(table), job); }).find("3 twice") != std::string::npos);
    table.data.replace(0, 4, std::string(4, '\0'));
    QVERIFY(refusal([&] { readAlm(fits(table), job); }).find("at least 1") != std::string::npos);
    table.set("MAX-LPOL", 2000000000);
    table.data.replace(0, 4, std::string("\0\0\0\1", 4));
    QVERIFY(refusal([&] { readAlm(fits(table), job); }).find("MAX-LPOL") != std::string::npos);
    QVERIFY(refusal([&] { inspectFile(fits(table)); }).find("MAX-LPOL") != std::string::npos);
    table.set("MAX-LPOL", "4294967298");  // 2, if truncated to 32 bits
    QVERIFY(refusal([&] { inspectFile(fits(table)); }).find("4294967298") != std::string::npos);
    HduBytes undefined = tableHdu({{"INDEX", "J"}, {"REAL", "E"}, {"IMAG", "E"}}, 12, 2);
    for (const float x : {1.0F, std::numeric_limits<float>::quiet_NaN()}) {
        append(undefined.data, int32_t{x == 1.0F ? 1 : 2});
        append(undefined.data, 1.0F);
        append(undefined.data, x);
    }
    const std::string line = refusal([&] { readAlm(fits(undefined), job); });
    QVERIFY2(line.find("finite coefficients, found none in row 2") != std::string::npos,
             line.c_str());
    HduBytes other = tableHdu({{"RA", "D"}, {"DEC", "D"}}, 16, 0);
    QVERIFY(refusal([&] { readAlm(fits(other), job); }).find("(RA, DEC)") != std::string::npos);
    QVERIFY_THROWS_EXCEPTION(InvalidArgument, writeAlm({}, path("no.fits"), {}, job));
}

// Values that no reader would accept are not written.
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

QTEST_GUILESS_MAIN(tst_harmonic_io)
#include "tst_harmonic_io.moc"
