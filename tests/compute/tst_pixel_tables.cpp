// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and images of HEALPix pixels with incomplete or contradictory headers: bands of gamma-ray
// cubes, indices without NSIDE, statements of the user. Files are made byte by byte here.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <functional>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/io/curve_io.h"
#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

// A table of pixels and values as "PIXEL" and "SIGNAL", without further keywords.
HduBytes listOf(const std::vector<int64_t>& pixels, const std::string& form = "K") {
    HduBytes table =
        tableHdu({{"PIXEL", form}, {"SIGNAL", "E"}}, 12, static_cast<int64_t>(pixels.size()));
    for (const int64_t pixel : pixels) {
        if (form == "D")
            append(table.data, static_cast<double>(pixel));
        else
            append(table.data, pixel);
        append(table.data, static_cast<float>(pixel) + 0.5F);
    }
    return table;
}

// The table of bands of gadf: a row for each plane.
HduBytes bandsOf(const std::vector<int64_t>& sides, const std::string& name = "BANDS") {
    HduBytes table = tableHdu({{"CHANNEL", "K"}, {"NSIDE", "K"}, {"E_MIN", "D"}, {"E_MAX", "D"}},
                              32, static_cast<int64_t>(sides.size()));
    table.setText("EXTNAME", name).setText("AXCOLS1", "E_MIN,E_MAX");
    table.setText("TUNIT3", "keV").setText("TUNIT4", "keV");
    double edge = 1e6;
    for (size_t i = 0; i < sides.size(); ++i) {
        append(table.data, static_cast<int64_t>(i));
        append(table.data, sides[i]);
        append(table.data, edge);
        append(table.data, edge *= 2.0);
    }
    return table;
}

HduBytes& gadf(HduBytes& table, const std::string& scheme) {
    table.setText("PIXTYPE", "HEALPIX").setText("ORDERING", "NESTED").setText("INDXSCHM", scheme);
    return table.setText("COORDSYS", "GAL").setText("BANDSHDU", "BANDS");
}

// Pixels whose centers a disc holds, by brute force.
std::vector<int64_t> disc(int64_t nside, double lon, double lat, double radius) {
    const Vec3 center = direction({lon * kDegree, lat * kDegree});
    std::vector<int64_t> inside;
    for (int64_t p = 0; p < pixelCount(nside); ++p)
        if (angularDistance(directionFromNested(nside, p), center) <= radius * kDegree)
            inside.push_back(p);
    return inside;
}

}  // namespace

class tst_pixel_tables : public MapFileTest {
    Q_OBJECT

private:
    HealpixMap stated(const std::string& file, const StatedPixels& facts) {
        return readMap(file, {{}, facts, nullptr}, job_);
    }
    JobContext job_;

private slots:
    // The header states NSIDE 32, the bands 16: gadf's sample hpx_cmap_explicit.fits is such a
    // file. An earlier reader placed its pixels 35 to 77 degrees away.
    void bandsSupersedeNside() {
        HduBytes table = tableHdu({{"PIX", "K"}, {"CHANNEL0", "D"}, {"CHANNEL1", "D"}}, 24, 3);
        gadf(table, "EXPLICIT").set("NSIDE", 32).set("ORDER", 5);
        for (const int64_t pixel : {595, 596, 700}) {
            append(table.data, pixel);
            append(table.data, static_cast<double>(pixel));
            append(table.data, 2.0 * static_cast<double>(pixel));
        }
        const std::string file = written(table.bytes() + bandsOf({16, 16}).bytes());
        const HealpixMap map = read(file);
        QCOMPARE(map.nside(), int64_t{16});
        QCOMPARE(map.value(0, 700), 700.0);
        QCOMPARE(map.field(0).name, std::string("CHANNEL0 1-2 GeV"));
        QCOMPARE(map.field(1).name, std::string("CHANNEL1 2-4 GeV"));
        QCOMPARE(read(file, {"channel1"}).value(0, 595), 1190.0);
        QCOMPARE(inspectFile(file).nside, int64_t{16});
        // A column of another length than the table of bands, whose planes agree.
        QCOMPARE(read(written(table.bytes() + bandsOf({16, 16, 16}).bytes())).nside(), int64_t{16});
        QVERIFY(refusal([&] {
                    read(written(table.bytes() + bandsOf({16, 8, 4}).bytes()));
                }).find("3 bands of different NSIDE") != std::string::npos);
    }

    // gadf's SPARSE: NSIDE only in the bands; 0 within the region where there is no row.
    void sparseOfARegion() {
        HduBytes table = tableHdu({{"PIX", "K"}, {"CHANNEL", "I"}, {"VALUE", "D"}}, 18, 3);
        gadf(table, "SPARSE").setText("HPX_REG", "DISK(260.0,57.9,20.0)");
        const std::vector<int64_t> inside = disc(16, 260.0, 57.9, 20.0);
        for (const auto& [pixel, channel] :
             {std::pair{inside[3], 0}, std::pair{inside[4], 1}, std::pair{inside[3], 1}}) {
            append(table.data, pixel);
            append(table.data, static_cast<int16_t>(channel));
            append(table.data, static_cast<double>(pixel + channel));
        }
        const std::string file = written(table.bytes() + bandsOf({16, 16}).bytes());
        const HealpixMap map = read(file);
        QVERIFY(std::ranges::equal(map.pixels(), inside));
        QCOMPARE(map.field(1).name, std::string("CHANNEL2 2-4 GeV"));
        QCOMPARE(map.value(0, inside[3]), static_cast<double>(inside[3]));
        QCOMPARE(map.value(1, inside[3]), static_cast<double>(inside[3] + 1));
        QCOMPARE(map.value(0, inside[4]), 0.0);
        QCOMPARE(inspectFile(file).columns.size(), size_t{2});
        QCOMPARE(read(file, {"2"}).fieldCount(), 1);
        // A region of 3.5e18 pixels, whose bytes exceed a 64-bit integer.
        HduBytes whole = tableHdu({{"PIX", "K"}, {"CHANNEL", "I"}, {"VALUE", "D"}}, 18, 1);
        gadf(whole, "SPARSE").setText("HPX_REG", "DISK(0,0,180)");
        append(whole.data, int64_t{1});
        append(whole.data, int16_t{0});
        append(whole.data, 1.0);
        const std::string vast =
            written(whole.bytes() + bandsOf({kMaxNside, kMaxNside, kMaxNside}).bytes());
        QVERIFY(!refusal([&] { read(vast); }).empty());
    }

    // gammapy numbers the pixels of DISK_INC as healpy lists them:
    // hp.query_disc(nside, hp.ang2vec(lon, lat, lonlat=True), np.radians(radius), inclusive=True,
    //               nest=nest, fact=fact); len, sum, and sum of i * list[i] modulo 1000003
    void localOfOverlappedPixels_data() {
        QTest::addColumn<QString>("region");
        QTest::addColumn<int>("nside");
        QTest::addColumn<bool>("nested");
        QTest::addColumn<qlonglong>("count");
        QTest::addColumn<qlonglong>("sum");
        QTest::addColumn<qlonglong>("mixed");
        QTest::newRow("DISK_INC(83.0,22.0,8.0,4) nested")
            << "DISK_INC(83.0,22.0,8.0,4)" << 32 << true << 81LL << 490449LL << 698170LL;
        QTest::newRow("DISK_INC(83.0,22.0,8.0,3) ring")
            << "DISK_INC(83.0,22.0,8.0,3)" << 32 << false << 84LL << 320669LL << 263039LL;
        QTest::newRow("DISK_INC(83.0,22.0,8.0,1) nested")
            << "DISK_INC(83.0,22.0,8.0,1)" << 32 << true << 93LL << 539830LL << 962196LL;
        QTest::newRow("DISK_INC(83.0,22.0,8.0,1) ring")
            << "DISK_INC(83.0,22.0,8.0,1)" << 32 << false << 93LL << 354913LL << 550495LL;
        QTest::newRow("DISK_INC(12.0,89.0,6.0,8) nested")
            << "DISK_INC(12.0,89.0,6.0,8)" << 16 << true << 19LL << 11967LL << 139254LL;
        QTest::newRow("DISK_INC(12.0,89.0,6.0,8) ring")
            << "DISK_INC(12.0,89.0,6.0,8)" << 16 << false << 19LL << 186LL << 2364LL;
        QTest::newRow("DISK_INC(0.0,0.0,0.0,2) nested")
            << "DISK_INC(0.0,0.0,0.0,2)" << 8 << true << 4LL << 1150LL << 1780LL;
        QTest::newRow("DISK_INC(0.0,0.0,0.0,2) ring")
            << "DISK_INC(0.0,0.0,0.0,2)" << 8 << false << 4LL << 1503LL << 2366LL;
        QTest::newRow("DISK_INC(300.0,-85.0,5.0,4) nested")
            << "DISK_INC(300.0,-85.0,5.0,4)" << 64 << true << 123LL << 5338757LL << 779312LL;
        QTest::newRow("DISK_INC(300.0,-85.0,5.0,3) ring")
            << "DISK_INC(300.0,-85.0,5.0,3)" << 64 << false << 123LL << 6027697LL << 149236LL;
        QTest::newRow("DISK_INC(45.0,41.8,30.0,16) nested")
            << "DISK_INC(45.0,41.8,30.0,16)" << 16 << true << 243LL << 47073LL << 699946LL;
        QTest::newRow("DISK_INC(45.0,41.8,30.0,16) ring")
            << "DISK_INC(45.0,41.8,30.0,16)" << 16 << false << 243LL << 138487LL << 132809LL;
        QTest::newRow("DISK_INC(200.0,-30.0,100.0,4) nested")
            << "DISK_INC(200.0,-30.0,100.0,4)" << 8 << true << 487LL << 224188LL << 457479LL;
        QTest::newRow("DISK_INC(200.0,-30.0,100.0,3) ring")
            << "DISK_INC(200.0,-30.0,100.0,3)" << 8 << false << 491LL << 222841LL << 342582LL;
    }
    void localOfOverlappedPixels() {
        QFETCH(QString, region);
        QFETCH(int, nside);
        QFETCH(bool, nested);
        QFETCH(qlonglong, count);
        QFETCH(qlonglong, sum);
        QFETCH(qlonglong, mixed);
        HduBytes table = tableHdu({{"PIX", "J"}, {"CHANNEL0", "E"}}, 8, count);
        mapKeywords(table, nside, nested ? "NESTED" : "RING").setText("INDXSCHM", "LOCAL");
        table.setText("HPX_CONV", "GADF").setText("HPX_REG", region.toStdString());
        for (qlonglong i = 0; i < count; ++i) {
            append(table.data, static_cast<int32_t>(i));
            append(table.data, static_cast<float>(i));
        }
        const HealpixMap map = read(written(table.bytes()));
        QCOMPARE(std::ssize(map.pixels()), static_cast<std::ptrdiff_t>(count));
        qlonglong pixels = 0, product = 0;
        for (size_t i = 0; i < map.pixels().size(); ++i) {
            pixels += map.pixels()[i];
            product = (product + static_cast<qlonglong>(i) * map.pixels()[i]) % 1000003;
        }
        QCOMPARE(pixels, sum);
        QCOMPARE(product, mixed);
        QCOMPARE(map.value(0, map.pixels()[1]), 1.0);
        if (!nested) return;
        table.setText("HPX_REG", "DISK_INC(83.0,22.0,8.0,3)");
        QVERIFY(refusal([&] { read(written(table.bytes())); }).find("a power of two") !=
                std::string::npos);
    }

    // Fermi's source maps: KEY = channel * pixels + pixel.
    void sparseByKeys() {
        HduBytes table = tableHdu({{"KEY", "J"}, {"VALUE", "E"}}, 8, 3);
        mapKeywords(table, 4, "RING").setText("INDXSCHM", "SPARSE").setText("COORDSYS", "CEL");
        for (const int32_t key : {5, 192 + 5, 192 + 100}) {
            append(table.data, key);
            append(table.data, static_cast<float>(key));
        }
        const HealpixMap map = read(written(table.bytes()));
        QCOMPARE(map.fieldCount(), 2);
        QCOMPARE(map.value(0, 5), 5.0);
        QCOMPARE(map.value(1, 5), 197.0);
        QCOMPARE(map.value(1, 100), 292.0);
        QCOMPARE(map.value(0, 100), 0.0);
        // Without a region, the list covers the sky: all other pixels are 0.
        QCOMPARE(map.coverage(), Coverage::Full);
        QCOMPARE(map.value(0, 0), 0.0);
        QCOMPARE(map.value(1, 191), 0.0);
    }

    // Planes of different nside in gammapy's format: rows for the largest, the rest is padding.
    void planesOfDifferentNside() {
        HduBytes table = tableHdu({{"CHANNEL1", "E"}, {"CHANNEL2", "E"}}, 8, 192);
        gadf(table, "IMPLICIT").set("NSIDE", 4);
        for (int p = 0; p < 192; ++p) {
            append(table.data, p < 48 ? static_cast<float>(p) : -1.0F);
            append(table.data, 2.0F * static_cast<float>(p));
        }
        const std::string file = written(table.bytes() + bandsOf({2, 4}).bytes());
        std::vector<std::string> notes;
        const HealpixMap first = readMap(file, {{}, {}, &notes}, job_);
        QCOMPARE(first.nside(), int64_t{2});
        QCOMPARE(first.fieldCount(), 1);
        QCOMPARE(first.value(0, 47), 47.0);
        QCOMPARE(notes.size(), size_t{1});
        QVERIFY2(notes[0].find("CHANNEL2 (NSIDE 4)") != std::string::npos, notes[0].c_str());
        const HealpixMap second = read(file, {"2"});
        QCOMPARE(second.nside(), int64_t{4});
        QCOMPARE(second.value(0, 191), 382.0);
        QVERIFY(refusal([&] {
                    read(file, {"1", "2"});
                }).find("fields of one NSIDE") != std::string::npos);
    }

    void localPlanesOfDifferentNside() {
        const std::vector<int64_t> few = disc(8, 110.0, 75.0, 10.0),
                                   many = disc(16, 110.0, 75.0, 10.0);
        const auto rows = static_cast<int64_t>(many.size());
        QVERIFY(few.size() > 2 && many.size() > few.size());
        HduBytes table = tableHdu({{"PIX", "J"}, {"CHANNEL1", "E"}, {"CHANNEL2", "E"}}, 12, rows);
        gadf(table, "LOCAL").set("NSIDE", 16).setText("HPX_REG", "DISK(110.,75.,10.)");
        for (int64_t i = 0; i < rows; ++i) {
            append(table.data, static_cast<int32_t>(i));
            append(table.data, static_cast<float>(i) + 1.0F);
            append(table.data, static_cast<float>(i) + 100.0F);
        }
        const std::string file = written(table.bytes() + bandsOf({8, 16}).bytes());
        const HealpixMap first = read(file), second = read(file, {"CHANNEL2"});
        QVERIFY(std::ranges::equal(first.pixels(), few));
        QVERIFY(std::ranges::equal(second.pixels(), many));
        QCOMPARE(first.value(0, few.back()), static_cast<double>(few.size()));
        QCOMPARE(second.value(0, many[2]), 102.0);
    }

    // The region of a larger pixel: by its order as in the format, by its nside as in gammapy.
    void localWithinAPixel() {
        for (const char* region : {"HPX_PIXEL(NESTED,1,10)", "HPX_PIXEL(NESTED,2,10)"}) {
            HduBytes table = tableHdu({{"PIX", "J"}, {"CHANNEL1", "E"}}, 8, 64);
            mapKeywords(table, 16, "NESTED").setText("INDXSCHM", "LOCAL");
            table.setText("HPX_REG", region);
            for (int32_t i = 0; i < 64; ++i) {
                append(table.data, i);
                append(table.data, static_cast<float>(i));
            }
            const HealpixMap map = read(written(table.bytes()));
            QCOMPARE(map.pixels().front(), int64_t{640});  // 10 * (16 / 2)^2
            QCOMPARE(map.value(0, 640 + 63), 63.0);
        }
    }

    // Earlier versions opened each of these as a curve or as a beam.
    void neverAnotherKind_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const HduBytes& hdu, const char* says) {
            const std::string bytes = hdu.bytes();
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                                << says;
        };
        const std::vector<int64_t> pixels{3, 17, 40};
        row("PIXTYPE, no NSIDE",
            listOf(pixels).setText("PIXTYPE", "HEALPIX").setText("INDXSCHM", "EXPLICIT"),
            "--input-nside");
        row("a scheme alone", listOf(pixels).setText("INDXSCHM", "EXPLICIT"), "--input-nside");
        row("an ordering alone", listOf(pixels).setText("ORDERING", "NESTED"), "--input-nside");
        row("unknown ordering",
            listOf(pixels)
                .setText("PIXTYPE", "HEALPIX")
                .setText("ORDERING", "HILBERT")
                .set("NSIDE", 4),
            "--input-ordering");
        row("NSIDE no number",
            listOf(pixels).setText("PIXTYPE", "HEALPIX").setText("NSIDE", "unknown"),
            "--input-nside");
        HduBytes strip;
        strip.setText("XTENSION", "IMAGE").set("BITPIX", -32).set("NAXIS", 2).set("NAXIS1", 100);
        strip.set("NAXIS2", 3).set("PCOUNT", 0).set("GCOUNT", 1).setText("PIXTYPE", "HEALPIX");
        for (int i = 0; i < 300; ++i) append(strip.data, 1.0F);
        row("three rows of an image", strip, "12 NSIDE^2 pixels");
    }
    void neverAnotherKind() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const std::string file = written(bytes.toStdString());
        const std::string why = refusal([&] { inspectFile(file); });
        QVERIFY2(QString::fromStdString(why).contains(says), why.c_str());
        QVERIFY(!findCurve(file, job_).has_value());
        QVERIFY(!refusal([&] { readCurve(file, job_); }).empty());
        QVERIFY(claimsPixels(file));
    }
    // Numbers over a column named PIXEL are a curve, unless the file refers to the sky.
    void aSpectrumOfPixels() {
        const std::string file = written(listOf({3, 17, 40}).bytes());
        QVERIFY(findCurve(file, job_).has_value());
        QVERIFY(!claimsPixels(file));
    }

    // DESI: HPXNSIDE and HPXNEST, in tables of pixels and also in catalogs of targets.
    void keywordsOfDesi() {
        HduBytes pixels = tableHdu({{"HPXPIXEL", "J"}, {"EBV", "E"}}, 8, 2);
        pixels.set("HPXNSIDE", 64).set("HPXNEST", "T");
        for (const int32_t pixel : {40000, 17}) {
            append(pixels.data, pixel);
            append(pixels.data, static_cast<float>(pixel) + 0.5F);
        }
        const std::string file = written(pixels.bytes());
        const HealpixMap map = readMap(file, {}, job_);
        QCOMPARE(map.nside(), int64_t{64});
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(map.value(0, 40000), 40000.5);
        HduBytes targets = tableHdu({{"RA", "D"}, {"DEC", "D"}, {"HPXPIXEL", "J"}}, 20, 1);
        targets.set("HPXNSIDE", 64).set("HPXNEST", "T");
        append(targets.data, 10.0);
        append(targets.data, 20.0);
        append(targets.data, int32_t{5});
        QCOMPARE(inspectFile(written(targets.bytes())).kind, FileKind::Catalog);
    }

    void factsThatAPersonStates() {
        const std::string bare = written(listOf({40, 3, 17}).bytes());
        StatedPixels facts;
        facts.nside = 4;
        facts.ordering = Ordering::Nested;
        const HealpixMap map = stated(bare, facts);
        QCOMPARE(map.nside(), int64_t{4});
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(map.value(0, 17), 17.5);
        QCOMPARE(inspectFile(bare, {}, facts).kind, FileKind::PartialMap);
        // A column of another name, by its name and by its number.
        HduBytes table = listOf({40, 3, 17}).setText("TTYPE1", "WHERE");
        const std::string other = written(table.bytes());
        for (const char* index : {"where", "1"}) {
            facts.index = index;
            QCOMPARE(stated(other, facts).value(0, 3), 3.5);
        }
        facts.index = "THERE";
        table.set("NSIDE", 4).setText("ORDERING", "NESTED");
        const std::string why = refusal([&] { stated(written(table.bytes()), facts); });
        QVERIFY2(why.find("'THERE'") != std::string::npos, why.c_str());
        // A full map with a declared number of values, and an unknown ordering.
        HduBytes full = tableHdu({{"T", "E"}}, 4, 48);
        full.setText("PIXTYPE", "HEALPIX").setText("ORDERING", "HILBERT");
        for (int p = 0; p < 48; ++p) append(full.data, static_cast<float>(p));
        facts = {};
        facts.ordering = Ordering::Nested;
        QCOMPARE(stated(written(full.bytes()), facts).ordering(), Ordering::Nested);
        // Facts of the file take precedence: others are refused, or ignored with `fileDecides`.
        full.setText("ORDERING", "RING").set("NSIDE", 2);
        const std::string file = written(full.bytes());
        QCOMPARE(QString::fromStdString(refusal([&] { stated(file, facts); })),
                 QString("expected no --input-ordering, or ring as the file states, found nested"));
        facts.nside = 4;
        facts.fileDecides = true;
        QCOMPARE(stated(file, facts).nside(), int64_t{2});
        QCOMPARE(stated(file, facts).ordering(), Ordering::Ring);
    }

    void indexAsRealNumbers() {
        HduBytes table = tableHdu({{"PIXEL", "D"}, {"SIGNAL", "E"}}, 12, 3);
        mapKeywords(table, 4, "RING").setText("INDXSCHM", "EXPLICIT");
        const HduBytes rows = listOf({40, 3, 17}, "D");
        table.data = rows.data;
        const HealpixMap map = read(written(table.bytes()));
        QCOMPARE(map.coverage(), Coverage::Partial);
        QCOMPARE(map.fieldCount(), 1);
        QCOMPARE(map.value(0, 40), 40.5);
        table.data.clear();
        for (const double pixel : {1.0, 2.5, 3.0}) {
            append(table.data, pixel);
            append(table.data, 1.0F);
        }
        QVERIFY(refusal([&] { read(written(table.bytes())); }).find("found 2.5") !=
                std::string::npos);
        // Without a keyword for an index list, a column with this name holds values.
        HduBytes full = tableHdu({{"HEALPIX", "E"}}, 4, 48);
        mapKeywords(full, 2, "RING");
        for (int p = 0; p < 48; ++p) append(full.data, 0.25F);
        QCOMPARE(read(written(full.bytes())).value(0, 5), 0.25);
    }

    // NHI of HI4PI follows the coordinates of its pixels.
    void valuesComeBeforePositions() {
        HduBytes table = tableHdu(
            {{"RA2000", "D"}, {"DEC2000", "D"}, {"GLON", "D"}, {"GLAT", "D"}, {"NHI", "D"}}, 40,
            12);
        mapKeywords(table, 1, "RING");
        for (int p = 0; p < 12; ++p)
            for (int k = 0; k < 5; ++k) append(table.data, 100.0 * k + p);
        const std::string file = written(table.bytes());
        const HealpixMap map = read(file, {"1"});
        QCOMPARE(map.field(0).name, std::string("NHI"));
        QCOMPARE(map.value(0, 7), 407.0);
        QCOMPARE(read(file).field(1).name, std::string("RA2000"));
    }

    // One column of 64-bit flags used to make the whole file unreadable.
    void flagsOf64Bits() {
        HduBytes table = tableHdu({{"I", "E"}, {"FLAGS", "K"}, {"N", "K"}}, 20, 12);
        mapKeywords(table, 1, "RING");
        for (int64_t p = 0; p < 12; ++p) {
            append(table.data, static_cast<float>(p));
            append(table.data, (int64_t{1} << 60) + p);
            append(table.data, p);
        }
        const std::string file = written(table.bytes());
        std::vector<std::string> notes;
        const HealpixMap map = readMap(file, {{}, {}, &notes}, job_);
        QCOMPARE(map.fieldCount(), 2);
        QCOMPARE(map.field(1).name, std::string("N"));
        QCOMPARE(map.value(1, 11), 11.0);
        QCOMPARE(notes.size(), size_t{1});
        QVERIFY2(notes[0].find("FLAGS") != std::string::npos, notes[0].c_str());
        QVERIFY(refusal([&] { read(file, {"FLAGS"}); }).find("below 2^53") != std::string::npos);
    }

    // Three fields as an image: pixels along the first axis, or along the second; and one field in
    // rows of 16.
    void mapsAsImages_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::newRow("planes") << 48 << 3;
        QTest::newRow("side by side") << 3 << 48;
        QTest::newRow("rows") << 16 << 3;
        QTest::newRow("one axis") << 48 << 0;
    }
    void mapsAsImages() {
        QFETCH(int, first);
        QFETCH(int, second);
        const int count = first * std::max(1, second);
        HduBytes image;
        image.set("SIMPLE", "T").set("BITPIX", 16).set("NAXIS", second > 0 ? 2 : 1);
        image.set("NAXIS1", first);
        if (second > 0) image.set("NAXIS2", second);
        image.set("BSCALE", 0.5).set("BLANK", -7).setText("BUNIT", "K");
        image.setText("PIXTYPE", "HEALPIX").setText("ORDERING", "NESTED");
        if (first == 16) image.set("NSIDE", 2);
        for (int i = 0; i < count; ++i) append(image.data, static_cast<int16_t>(i == 5 ? -7 : i));
        const std::string file = path("image.fits");
        writeBytes(file, image.bytes());
        const HealpixMap map = read(file);
        const int fields = count / 48;
        QCOMPARE(map.nside(), int64_t{2});
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(map.fieldCount(), fields);
        QCOMPARE(map.field(0).unit, std::string("K"));
        for (int f = 0; f < fields; ++f)
            for (int p = 0; p < 48; ++p) {
                const int at = first == 3 ? 3 * p + f : 48 * f + p;
                if (at == 5)
                    QVERIFY(std::isnan(map.value(f, p)));
                else
                    QCOMPARE(map.value(f, p), 0.5 * at);
            }
        QCOMPARE(inspectFile(file).kind, FileKind::Map);
        if (fields == 3) QCOMPARE(read(file, {"2"}).value(0, 1), map.value(1, 1));
    }
};

QTEST_GUILESS_MAIN(tst_pixel_tables)
#include "tst_pixel_tables.moc"
