// SPDX-License-Identifier: GPL-3.0-or-later
// Maps in gzip files and in tables that cfitsio compressed by tiles.
#include <fitsio.h>

#include <QtTest>

#include "armilla/core/error.h"
#include "compute/fits_bytes.h"
#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

class tst_map_packed : public MapFileTest {
    Q_OBJECT

private slots:
    void gzip();
    void gzipMembers();
    void tileCompressed();
};

void tst_map_packed::gzip() {
    // Larger than any buffer involved: nside 512 in float is 12.6 MB.
    const int64_t count = pixelCount(512);
    HduBytes table = tableHdu({{"T", "1024E"}}, 4096, count / 1024);
    mapKeywords(table, 512, "RING");
    for (int64_t p = 0; p < count; ++p) append(table.data, static_cast<float>(p));
    writeBytes(path("plain.fits"), primaryHdu().bytes() + table.bytes());
    QCOMPARE(QProcess::execute("gzip", {"-1", "-k", QString::fromStdString(path("plain.fits"))}),
             0);
    const HealpixMap map = read(path("plain.fits.gz"));
    const auto& values = std::get<std::vector<float>>(map.field(0).values);
    for (int64_t p = 0; p < count; ++p)
        if (values[static_cast<size_t>(p)] != static_cast<float>(p)) QFAIL("wrong value");
    QCOMPARE(inspectFile(path("plain.fits.gz")).nside, int64_t{512});
}

// `cat a.gz b.gz` is a gzip file; bgzip writes one member for each 64 KiB and an empty one at last.
void tst_map_packed::gzipMembers() {
    HduBytes table = tableHdu({{"T", "E"}}, 4, 49152);
    mapKeywords(table, 64, "RING");
    table.data = columnData<float>(49152);
    const std::string whole = primaryHdu().bytes() + table.bytes();
    std::string packed;
    // Cuts within a header, within the data and within a value; the last member is empty.
    const std::vector<size_t> cuts = {0, 100, 40000, 100001, whole.size(), whole.size()};
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
        writeBytes(path("part"), whole.substr(cuts[i], cuts[i + 1] - cuts[i]));
        QCOMPARE(QProcess::execute("gzip", {"-f", QString::fromStdString(path("part"))}), 0);
        packed += readBytes(path("part.gz"));
    }
    std::vector<double> expected;
    for (int64_t p = 0; p < 49152; ++p) expected.push_back(plain(p));
    writeBytes(path("members.fits.gz"), packed);
    QVERIFY(same(valuesOf(read(path("members.fits.gz")), 0), expected));
    // Tape blocks are padded with zeros.
    writeBytes(path("members.fits.gz"), packed + std::string(3000, '\0'));
    QVERIFY(same(valuesOf(read(path("members.fits.gz")), 0), expected));
}

void tst_map_packed::tileCompressed() {
    const int64_t count = pixelCount(16);
    HduBytes table = tableHdu({{"T", "E"}, {"N", "J"}}, 8, count);
    mapKeywords(table, 16, "NESTED").setText("EXTNAME", "SKY");
    for (int64_t p = 0; p < count; ++p) {
        append(table.data, static_cast<float>(p) * 0.5F);
        append(table.data, static_cast<int32_t>(p));
    }
    writeBytes(path("to_pack.fits"), primaryHdu().bytes() + table.bytes());
    int status = 0;
    fitsfile *in = nullptr, *out = nullptr;
    fits_open_diskfile(&in, path("to_pack.fits").c_str(), READONLY, &status);
    fits_create_diskfile(&out, path("packed.fits.fz").c_str(), &status);
    fits_copy_hdu(in, out, 0, &status);
    fits_movabs_hdu(in, 2, nullptr, &status);
    fits_compress_table(in, out, &status);
    fits_close_file(in, &status);
    fits_close_file(out, &status);
    QCOMPARE(status, 0);
    QCOMPARE(keyword(path("packed.fits.fz"), 1, "ZTABLE"), std::string("T"));
    const HealpixMap map = read(path("packed.fits.fz"));
    QCOMPARE(map.nside(), int64_t{16});
    for (int64_t p = 0; p < count; ++p) {
        QCOMPARE(map.field(0).at(p), 0.5 * static_cast<double>(p));
        QCOMPARE(map.field(1).at(p), static_cast<double>(p));
    }
    QCOMPARE(read(path("packed.fits.fz") + "[SKY]").nside(), int64_t{16});
}

QTEST_GUILESS_MAIN(tst_map_packed)
#include "tst_map_packed.moc"
