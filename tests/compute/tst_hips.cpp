// SPDX-License-Identifier: GPL-3.0-or-later
// HiPS folders of FITS tiles: the order of the pixels in a tile, maps written and read back,
// damaged folders.
#include <QtTest>
#include <filesystem>

#include "armilla/core/pixel_geometry.h"

#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

namespace fs = std::filesystem;

// A tile of floats, value 100 row + column, rows from the bottom.
HduBytes tileOf(int width) {
    HduBytes tile;
    tile.set("SIMPLE", "T").set("BITPIX", -32).set("NAXIS", 2);
    tile.set("NAXIS1", width).set("NAXIS2", width).setText("BUNIT", "MJy/sr");
    for (int row = 0; row < width; ++row)
        for (int column = 0; column < width; ++column)
            append(tile.data, static_cast<float>(100 * row + column));
    return tile;
}

// Values of a map: smooth in no order, exact in single precision.
float valueOf(int64_t pixel) {
    return static_cast<float>((pixel * 7919) % 10007) - 5000.0F;
}

HealpixMap mapOf(int64_t nside, Ordering ordering) {
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t i = 0; i < values.size(); ++i) values[i] = valueOf(static_cast<int64_t>(i));
    values[5] = std::numeric_limits<float>::quiet_NaN();
    std::vector<Field> fields{{"I", "K", DiskType::Float32, std::move(values)}};
    return {nside, ordering, Frame::Galactic, std::move(fields)};
}

}  // namespace

class tst_hips : public MapFileTest {
    Q_OBJECT

private:
    // A folder with tiles of 8 x 8 pixels and these properties.
    std::string folder(const char* name, const std::string& properties,
                       const std::vector<std::string>& tiles, const HduBytes& tile) const {
        const std::string root = path(name);
        fs::create_directories(root);
        writeBytes(root + "/properties", properties);
        for (const std::string& each : tiles) {
            const fs::path file = fs::path(root) / each;
            fs::create_directories(file.parent_path());
            writeBytes(file.string(), tile.bytes());
        }
        return root;
    }
    static std::string facts(int order, const std::string& more = {}) {
        return "# a HiPS\nhips_order           = " + std::to_string(order) +
               "\nhips_tile_width = 8\nhips_tile_format = jpeg fits\nhips_frame = galactic\n"
               "dataproduct_type = image\n" +
               more;
    }
    JobContext job_;

private slots:
    // reproject 0.21 and healpy 1.20, for tiles 5 and 40 of order 1:
    // w = WCS(reproject.hips._utils.tile_header(level=1, index=5, frame=ICRS(), tile_dims=8))
    // c = w.pixel_to_world(x, y); healpy.ang2pix(16, c.ra.deg, c.dec.deg, nest=True, lonlat=True)
    void orderOfTiles() {
        struct Place {
            int column, row;
            int64_t pixelOf5, pixelOf40;
        };
        const Place places[] = {{0, 0, 341, 2581}, {7, 0, 383, 2623}, {0, 7, 320, 2560},
                                {7, 7, 362, 2602}, {2, 5, 332, 2572}, {5, 2, 371, 2611},
                                {1, 3, 338, 2578}};
        const std::string root = folder(
            "order", facts(1), {"Norder1/Dir0/Npix5.fits", "Norder1/Dir0/Npix40.fits"}, tileOf(8));
        const HealpixMap map = read(root);
        QCOMPARE(map.nside(), int64_t{16});
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(map.frame(), Frame::Galactic);
        QCOMPARE(map.field(0).unit, std::string("MJy/sr"));
        for (const Place& place : places) {
            QCOMPARE(map.value(0, place.pixelOf5), 100.0 * place.row + place.column);
            QCOMPARE(map.value(0, place.pixelOf40), 100.0 * place.row + place.column);
        }
        // Tiles that do not exist have no data.
        QVERIFY(std::isnan(map.value(0, 0)));
        const FileSummary summary = inspectFile(root);
        QCOMPARE(summary.kind, FileKind::Map);
        QCOMPARE(summary.nside, int64_t{16});
        QVERIFY(claimsPixels(root));
        QVERIFY(listHdus(root).empty());
    }
    void orders() {
        const std::string root = folder(
            "orders", facts(1), {"Norder0/Dir0/Npix3.fits", "Norder1/Dir0/Npix5.fits"}, tileOf(8));
        QCOMPARE(read(root).nside(), int64_t{16});
        const HealpixMap coarse = readMap(root, {{}, {8, {}, {}}, nullptr}, job_);
        QCOMPARE(coarse.nside(), int64_t{8});
        QVERIFY(!std::isnan(coarse.value(0, 3 * 64)));
        QVERIFY(!refusal([&] { readMap(root, {{}, {32, {}, {}}, nullptr}, job_); }).empty());
        // Order 10 with tiles of 512 has 3.3e12 pixels; the deepest order of at most 2^28 pixels is
        // order 3, here without tiles.
        const std::string deep =
            folder("deep", "hips_order = 10\nhips_tile_width = 512\nhips_tile_format = fits\n",
                   {"Norder10/Dir0/Npix0.fits"}, tileOf(512));
        QVERIFY(refusal([&] { read(deep); }).find("Norder0 to Norder10") != std::string::npos);
        const std::string both =
            folder("both", "hips_order = 10\nhips_tile_width = 512\nhips_tile_format = fits\n",
                   {"Norder10/Dir0/Npix0.fits", "Norder0/Dir0/Npix0.fits"}, tileOf(512));
        std::vector<std::string> notes;
        QCOMPARE(readMap(both, {{}, {}, &notes}, job_).nside(), int64_t{512});
        QCOMPARE(notes.size(), size_t{1});
        QVERIFY(notes[0].find("read at order 0, NSIDE 512") != std::string::npos);
    }
    void writtenAndRead_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<bool>("isNested");
        QTest::newRow("one order") << 16 << false;
        QTest::newRow("two orders") << 1024 << true;
    }
    void writtenAndRead() {
        QFETCH(int, nside);
        QFETCH(bool, isNested);
        const HealpixMap map = mapOf(nside, isNested ? Ordering::Nested : Ordering::Ring);
        const std::string root = path("written") + std::to_string(nside) + "/";
        write(map, root);
        const HealpixMap back = read(root);
        QCOMPARE(back.nside(), int64_t{nside});
        QCOMPARE(back.frame(), Frame::Galactic);
        QCOMPARE(back.field(0).unit, std::string("K"));
        QVERIFY(back.field(0).isSingle());
        for (int64_t nested = 0; nested < pixelCount(nside); ++nested) {
            const int64_t pixel = isNested ? nested : ringFromNested(nside, nested);
            const double value = back.field(0).at(nested);
            if (pixel == 5)
                QVERIFY(std::isnan(value));
            else if (value != static_cast<double>(valueOf(pixel)))
                QFAIL(qPrintable(QString("pixel %1").arg(pixel)));
        }
        // cfitsio reads a tile, and no folder of the work remains.
        Opened tile(root + "Norder0/Dir0/Npix0.fits");
        int axes = 0;
        fits_get_img_dim(tile.file, &axes, &tile.status);
        QCOMPARE(tile.status, 0);
        QCOMPARE(axes, 2);
        for (const auto& entry : fs::directory_iterator(path("")))
            QVERIFY(entry.path().filename().string().find(".part") == std::string::npos);
        // Coarser orders are means of the good pixels.
        if (nside == 1024) {
            const HealpixMap coarse = readMap(root, {{}, {512, {}, {}}, nullptr}, job_);
            QCOMPARE(
                coarse.field(0).at(0),
                (static_cast<double>(valueOf(0)) + valueOf(1) + valueOf(2) + valueOf(3)) / 4.0);
            // Pixel 5 of the map is bad. A float has 24 bits.
            const double mean = (static_cast<double>(valueOf(4)) + valueOf(6) + valueOf(7)) / 3.0;
            QVERIFY(std::abs(coarse.field(0).at(1) - mean) <= std::abs(mean) * 0x1p-24);
        }
    }
    void partOfTheSky() {
        std::vector<Field> fields{{"I", "", DiskType::Float64, std::vector<double>{1.5, 2.5}}};
        const HealpixMap map =
            HealpixMap::partial(1024, Ordering::Nested, Frame::Equatorial, {7, 9}, fields);
        const std::string root = path("part/");
        write(map, root);
        QVERIFY(fs::exists(root + "Norder1/Dir0/Npix0.fits"));
        QVERIFY(!fs::exists(root + "Norder1/Dir0/Npix1.fits"));
        const HealpixMap back = read(root);
        QCOMPARE(back.value(0, 9), 2.5);
        QVERIFY(std::isnan(back.value(0, 8)));
    }
    void replacement() {
        const std::string root = path("again/");
        const MapWriteOptions careful{false, StoredPrecision::AsRead, {}};
        writeMap(mapOf(4, Ordering::Ring), root, careful, job_);
        const auto line = [&] {
            return refusal([&] { writeMap(mapOf(8, Ordering::Ring), root, careful, job_); });
        };
        QVERIFY(line().find("--overwrite") != std::string::npos);
        QCOMPARE(read(root).nside(), int64_t{4});
        write(mapOf(8, Ordering::Ring), root);
        QCOMPARE(read(root).nside(), int64_t{8});
        // A folder of other files is never replaced.
        const std::string other = path("other/");
        fs::create_directories(other);
        writeBytes(other + "letter.txt", "Dear ...");
        QVERIFY(!refusal([&] { write(mapOf(4, Ordering::Ring), other); }).empty());
        QVERIFY(fs::exists(other + "letter.txt"));
        // A catalog in the format HATS has a file of the same name.
        writeBytes(other + "properties", "hats_order = 1\n");
        QVERIFY(!refusal([&] { write(mapOf(4, Ordering::Ring), other); }).empty());
        QVERIFY(fs::exists(other + "letter.txt"));
    }
    void refusedMaps() {
        HealpixMap unknown = mapOf(4, Ordering::Ring);
        unknown.setFrame(Frame::Unknown);
        QVERIFY(refusal([&] { write(unknown, path("u/")); }).find("--input-frame") !=
                std::string::npos);
        QVERIFY(!refusal([&] { write(mapOf(3, Ordering::Ring), path("u/")); }).empty());
        std::vector<Field> fields(2, mapOf(4, Ordering::Ring).field(0));
        const HealpixMap two(4, Ordering::Ring, Frame::Galactic, fields);
        QVERIFY(refusal([&] { write(two, path("u/")); }).find("--field") != std::string::npos);
        QVERIFY(!fs::exists(path("u")));
    }
    void damagedFolders() {
        const auto line = [&](const std::string& root) {
            const std::string text = refusal([&] { read(root); });
            return text.find('\n') == std::string::npos ? text : std::string();
        };
        const std::vector<std::string> one = {"Norder1/Dir0/Npix5.fits"};
        QVERIFY(line(folder("none", facts(1), {}, tileOf(8))).find("folders of tiles") !=
                std::string::npos);
        QVERIFY(line(folder("size", facts(1), one, tileOf(4))).find("8 x 8 values, found 4 x 4") !=
                std::string::npos);
        QVERIFY(line(folder("jpeg", "hips_order = 1\nhips_tile_format = jpeg\n", one, tileOf(8)))
                    .find("FITS tiles") != std::string::npos);
        QVERIFY(line(folder("deep", "hips_order = 99\nhips_tile_format = fits\n", one, tileOf(8)))
                    .find("hips_order from 0 to 29") != std::string::npos);
        QVERIFY(line(folder("odd", "hips_order = 1\nhips_tile_width = 9\nhips_tile_format = fits\n",
                            one, tileOf(9)))
                    .find("a power of two") != std::string::npos);
        QVERIFY(line(folder("cube",
                            "hips_order = 1\nhips_tile_format = fits\n"
                            "dataproduct_type = cube\n",
                            one, tileOf(8)))
                    .find("a HiPS of an image") != std::string::npos);
        HduBytes cut = tileOf(8);
        cut.data.clear();
        QVERIFY(!line(folder("cut", facts(1), one, cut)).empty());
        fs::create_directories(path("empty"));
        QVERIFY(line(path("empty")).find("found a folder") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_hips)
#include "tst_hips.moc"
