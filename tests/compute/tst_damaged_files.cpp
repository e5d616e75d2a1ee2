// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files of formats other than plain FITS tables: HDF5, Parquet, HATS, HiPS, images, text
// tables, regions. Each is read, or refused in one line. The damage has a fixed seed;
// ARMILLA_MUTATIONS sets the number of damaged copies of each file.
#include <hdf5.h>

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <functional>

#include "armilla/io/curve_io.h"
#include "armilla/io/image_file.h"
#include "armilla/io/map_io.h"
#include "armilla/io/region_io.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/io/table_io.h"
#include "compute/fits_bytes.h"
#include "compute/hdf5_writer.h"
#include "compute/mutations.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

HealpixMap partialMap(int fields) {
    std::vector<int64_t> pixels;
    for (int64_t p = 0; p < 48; ++p) pixels.push_back(3 * p);
    std::vector<Field> all;
    for (int f = 0; f < fields; ++f)
        all.push_back(
            {"N" + std::to_string(f), "K", DiskType::Float32, std::vector<float>(48, 1.5F)});
    return HealpixMap::partial(64, Ordering::Nested, Frame::Galactic, pixels, std::move(all));
}

Table catalog() {
    Table table;
    const auto add = [&](const char* name, auto values) {
        table.columns.emplace_back();
        table.columns.back().name = name;
        table.columns.back().values = std::move(values);
    };
    add("RA", std::vector<double>{1, 2, 3, 4});
    add("DEC", std::vector<double>{-5, 6.5, 7, 8});
    add("NAME", std::vector<std::string>{"a, b", "", "\"c\"", "d"});
    add("N", std::vector<int64_t>{1, -2, 3, int64_t{1} << 40});
    return table;
}

std::string bitsAndStokes() {
    std::string bytes = primaryHdu().bytes();
    for (const char* name : {"I", "Q", "U"}) {
        HduBytes table = tableHdu({{"T", "E"}, {"FLAGS", "5X"}, {"S", "3A"}}, 8, 12);
        mapKeywords(table, 1, "RING").setText("EXTNAME", name);
        table.data.assign(8 * 12, '\x3f');
        bytes += table.bytes();
    }
    return bytes;
}

std::string cube(bool isSpectralFirst) {
    HduBytes hdu;
    hdu.set("SIMPLE", "T").set("BITPIX", -32).set("NAXIS", 3);
    const char* const types[] = {"FREQ", "RA---TAN", "DEC--TAN"};
    for (int i = 0; i < 3; ++i) {
        const std::string n = std::to_string((i + (isSpectralFirst ? 0 : 2)) % 3 + 1);
        hdu.set("NAXIS" + n, 4 + i).setText("CTYPE" + n, types[i]).set("CRPIX" + n, 2.0);
        hdu.set("CRVAL" + n, i == 0 ? 1e9 : 30.0).set("CDELT" + n, 0.1).set("PC1_" + n, 1.0);
    }
    hdu.data.assign(4 * 5 * 6 * 4, '\x3f');
    return hdu.bytes();
}

const char* const kIpac =
    "\\fixlen = T\n\\EQUINOX = 'J2000'\n|  ra    |  dec   | name |\n| double | double | char |\n"
    "| deg    | deg    |      |\n| null   | null   | null |\n  10.5     -3.25    abc  \n"
    "  11.5     -4.25    null \n";
const char* const kSExtractor =
    "#   1 NUMBER          Running object number\n#   2 ALPHA_J2000     Right ascension  [deg]\n"
    "#   3 DELTA_J2000     Declination      [deg]\n#   5 MAG             Magnitude [mag]\n"
    "1 10.5 -3.5 1.0 2.0\n2 11.5 -4.5 1.0 2.0\n";
const char* const kByteByByte =
    "Byte-by-byte Description of file: t.txt\n------------------------------------\n"
    "   Bytes Format Units  Label  Explanations\n------------------------------------\n"
    "   1-  2 I2     h      RAh    Hour of right ascension\n"
    "   3-  4 I2     min    RAm    Minute\n   5-  8 F4.1   s      RAs    Second\n"
    "       9 A1     ---    DE-    Sign\n  10- 11 I2     deg    DEd    Degree\n"
    "  12- 13 I2     arcmin DEm    [0/59]? Minute\n------------------------------------\n"
    "010203.5-0405\n020304.5+1011\n";
const char* const kRegions =
    "# Region file format: DS9 version 4.1\nglobal color=green\nfk5\n"
    "circle(10:30:00,-3:30:00,0.5\") # text={one}\nbox(10,20,1,2,30)\ngalactic\n"
    "polygon(1,2,3,4,5,6) || ellipse(1,2,3,4,5)\n-annulus(1d,2d,3',4')\npanda(1,2,3,4,5,6,7,8)\n";
const char* const kCamb =
    "#    L    TT             EE             BB             TE\n     2   0.1016732E+04  "
    "0.3000000E-01  0.1800000E-05   0.2600000E+01\n     3   0.9628E+03  0.3900E-01  0.36E-05  "
    "0.29E+01\n     4   0.9120E+03  0.4000E-01  0.50E-05  0.27E+01\n";
const char* const kHips =
    "hips_order = 1\nhips_order_min = 0\nhips_tile_width = 8\nhips_tile_format = fits\n"
    "hips_frame = galactic\ndataproduct_type = image\nhips_pixel_bitpix = -32\n";
const char* const kZarr =
    "{\"shape\": [48], \"chunks\": [48], \"dtype\": \"<f4\", \"fill_value\": 0.0,\n \"order\": "
    "\"C\", \"filters\": null, \"dimension_separator\": \".\",\n \"compressor\": null, "
    "\"zarr_format\": 2}                                                  ";

}  // namespace

class tst_damaged_files : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string path(const std::string& name) const {
        return folder_.path().toStdString() + '/' + name;
    }
    std::string written(const std::string& name,
                        const std::function<void(const std::string&)>& by) {
        by(path(name));
        return readBytes(path(name));
    }
    std::string mapBytes(const std::string& name, int fields) {
        return written(name, [&](const std::string& file) {
            JobContext job;
            writeMap(partialMap(fields), file, {true, {}, {}}, job);
        });
    }
    // A folder of a catalog or of tiles, whose file `inside` is damaged.
    void makeFolders();

private slots:
    void refusesInALine_data();
    void refusesInALine();
};

void tst_damaged_files::makeFolders() {
    JobContext job;
    const std::filesystem::path hats = path("hats"), hips = path("hips");
    std::filesystem::create_directories(hats / "dataset/Norder=0/Dir=0");
    writeBytes((hats / "hats.properties").string(),
               "hats_col_ra=RA\nhats_col_dec=DEC\ndataproduct_type=object\n");
    writeBytes((hats / "partition_info.csv").string(), "Norder,Npix,num_rows\n0,0,4\n");
    writeTable(catalog(), (hats / "dataset/Norder=0/Dir=0/Npix=0.parquet").string(), {true, {}},
               job);
    const std::filesystem::path zarr = path("zarr");
    std::filesystem::create_directories(zarr);
    writeBytes((zarr / ".zarray").string(), kZarr);
    writeBytes((zarr / "0").string(), std::string(192, '\x3f'));
    std::filesystem::create_directories(hips / "Norder1/Dir0");
    writeBytes((hips / "properties").string(), kHips);
    HduBytes tile;
    tile.set("SIMPLE", "T").set("BITPIX", -32).set("NAXIS", 2).set("NAXIS1", 8).set("NAXIS2", 8);
    tile.data.assign(256, '\x3f');
    writeBytes((hips / "Norder1/Dir0/Npix5.fits").string(), tile.bytes());
}

// `opened`: what readers open; `damaged`: the file within it that is damaged, empty for itself.
void tst_damaged_files::refusesInALine_data() {
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QString>("opened");
    QTest::addColumn<QString>("damaged");
    const auto row = [](const char* name, const std::string& bytes,
                        const std::string& opened = "mutant",
                        const std::string& damaged = "mutant") {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                            << QString::fromStdString(opened) << QString::fromStdString(damaged);
    };
    row("HealSparse in HDF5", mapBytes("sparse.hdf5", 1));
    row("HealSparse records in HDF5", mapBytes("records.hdf5", 2));
    row("HealSparse in FITS", mapBytes("sparse.hsp", 1));
    row("TOAST", written("toast.h5", [](const std::string& file) {
            Hdf5Writer out(file);
            out.addDoubles("map", {3, 12}, std::vector<double>(36, 1.5));
            out.attribute("map", "ORDERING", "RING");
            out.attribute("map", "NSIDE", int64_t{1});
        }));
    row("list in HDF5", written("list.h5", [](const std::string& file) {
            Hdf5Writer out(file);
            out.addDoubles("sky", {4}, {1.0, 2.0, 3.0, 4.0});
            out.addIntegers("pixel", {4}, {7, 3, 40, 1});
            out.attribute("/", "nside", int64_t{2});
            out.attribute("sky", "unit", "K");
        }));
    row("records in HDF5", written("records.h5", [](const std::string& file) {
            struct Record {
                int32_t pixel;
                float depth;
            };
            Hdf5Writer out(file);
            out.addRecords("map",
                           {{"pixel", HOFFSET(Record, pixel), H5T_NATIVE_INT32},
                            {"depth", HOFFSET(Record, depth), H5T_NATIVE_FLOAT}},
                           std::vector<Record>{{4, 1.0F}, {2, 3.0F}});
            out.attribute("map", "NSIDE", int64_t{1});
        }));
    row("table in HDF5", written("table.h5", [](const std::string& file) {
            Hdf5Writer out(file);
            for (const char* name : {"ra", "dec", "flux"})
                out.addDoubles(name, {4}, {1.0, 2.0, 3.0, 4.0});
            out.attribute("ra", "unit", "rad");
        }));
    for (const char* name : {"table.parquet", "table.vot", "table.ecsv"})
        row(name, written(name, [](const std::string& file) {
                JobContext job;
                writeTable(catalog(), file, {true, {}}, job);
            }));
    makeFolders();
    const auto part = [&](const char* name, const char* folder, const std::string& inside) {
        const std::string file = std::string(folder) + '/' + inside;
        row(name, readBytes(path(file)), folder, file);
    };
    part("properties of HATS", "hats", "hats.properties");
    part("partitions of HATS", "hats", "partition_info.csv");
    part("rows of HATS", "hats", "dataset/Norder=0/Dir=0/Npix=0.parquet");
    part("properties of HiPS", "hips", "properties");
    part("tile of HiPS", "hips", "Norder1/Dir0/Npix5.fits");
    part("metadata of Zarr", "zarr", ".zarray");
    part("chunk of Zarr", "zarr", "0");
    row("bits and Stokes parameters", bitsAndStokes());
    row("cube", cube(false));
    row("cube with its spectral axis first", cube(true));
    row("IPAC", kIpac);
    row("SExtractor", kSExtractor);
    row("byte by byte", kByteByByte);
    row("regions", kRegions);
    row("theory spectra", kCamb);
    row("MOC in text", std::string("3/1-4 7 5/100,200-300\n6/\n") + std::string(150, ' '));
    row("MOC in JSON",
        std::string("{\"3\": [1, 2], \"5\": [1000], \"6\": []}\n") + std::string(150, ' '));
}

void tst_damaged_files::refusesInALine() {
    QFETCH(QByteArray, base);
    QFETCH(QString, opened);
    QFETCH(QString, damaged);
    const std::string name = path(opened.toStdString()), file = path(damaged.toStdString());
    readMutants(file, base.toStdString(), 60, 20261129, [&](const auto& attempt) {
        attempt([&](JobContext&) { inspectFile(name); });
        attempt([&](JobContext&) { claimsPixels(name); });
        // A deep order without tiles is a large map of bad pixels, which takes long to fill.
        constexpr int64_t kMostNside = 512;
        attempt([&](JobContext& job) {
            if (inspectFile(name).nside <= kMostNside) readMap(name, {}, job);
        });
        attempt([&](JobContext& job) { readCatalog(name, job); });
        attempt([&](JobContext& job) { readTable(name, {}, job); });
        if (opened == damaged) {
            attempt([&](JobContext& job) { readImage(name, job); });
            attempt([&](JobContext&) { readNamedRegions(name); });
            attempt([&](JobContext&) { readSpectra(name); });
            attempt([&](JobContext& job) { readCurve(name, job); });
        }
    });
    writeBytes(file, base.toStdString());
}

QTEST_GUILESS_MAIN(tst_damaged_files)
#include "tst_damaged_files.moc"
