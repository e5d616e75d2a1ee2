// SPDX-License-Identifier: GPL-3.0-or-later
// A libFuzzer target over all readers: for any bytes, each reader returns data or throws one of the
// program's own errors. `fuzz_readers --make-corpus FOLDER` writes small files of every kind as a
// start.
//
// Bytes that begin with "hips" are a HiPS: the properties up to the first zero byte, then a tile.
// Bytes that begin with "zarr" are an array of Zarr: its metadata behind this word up to the first
// zero byte, then a chunk.
#include <fitsio.h>
#include <hdf5.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/file_parts.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/image_file.h"
#include "armilla/io/map_io.h"
#include "armilla/io/moc_io.h"
#include "armilla/io/region_io.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/io/table_blocks.h"
#include "armilla/io/table_io.h"

using namespace armilla;

namespace {

Table catalog() {
    Table table;
    table.name = "CATALOG";
    const auto add = [&](const char* name, auto values, int64_t width) {
        table.columns.emplace_back();
        table.columns.back().name = name;
        table.columns.back().width = width;
        table.columns.back().values = std::move(values);
    };
    add("RA", std::vector<double>{1, 2, 3, 4}, 1);
    add("DEC", std::vector<double>{-5, 6.5, 7, std::nan("")}, 1);
    add("NAME", std::vector<std::string>{"a, b", "", "\"c\"", "d"}, 1);
    add("N", std::vector<int64_t>{1, -2, 3, 1LL << 40}, 1);
    add("S", std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}, 2);
    add("SOURCE_ID", std::vector<int64_t>{1LL << 40, 1LL << 50, 1LL << 60, 0}, 1);
    return table;
}

HealpixMap map(Coverage coverage) {
    std::vector<Field> fields{{"Q_STOKES", "K", DiskType::Float32, std::vector<float>(48, 1.5F)},
                              {"U_STOKES", "K", DiskType::Int32, std::vector<double>(48, 2.0)}};
    std::vector<int64_t> pixels;
    for (int64_t p = 0; p < 48; ++p) pixels.push_back(3 * p);
    if (coverage == Coverage::Full)
        return HealpixMap(2, Ordering::Ring, Frame::Galactic, std::move(fields));
    if (coverage == Coverage::Partial)
        return HealpixMap::partial(64, Ordering::Nested, Frame::Ecliptic, pixels,
                                   std::move(fields));
    for (int64_t& pixel : pixels) pixel = pixel / 3 * 4;
    return HealpixMap::multiOrder(4, Frame::Equatorial, pixels, std::vector<uint8_t>(48, 1),
                                  std::move(fields));
}

void packTiles(const std::string& from, const std::string& to) {
    fitsfile *in = nullptr, *out = nullptr;
    int status = 0;
    fits_open_diskfile(&in, from.c_str(), READONLY, &status);
    fits_create_diskfile(&out, to.c_str(), &status);
    fits_copy_hdu(in, out, 0, &status);
    fits_movabs_hdu(in, 2, nullptr, &status);
    fits_compress_table(in, out, &status);
    fits_close_file(in, &status);
    fits_close_file(out, &status);
}

// A map of TOAST in HDF5.
void makeHdf5(const std::string& path) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t size[] = {1, 12};
    const double values[12] = {1.0, 2.0};
    const hid_t space = H5Screate_simple(2, size, nullptr), one = H5Screate(H5S_SCALAR);
    const hid_t set =
        H5Dcreate2(file, "map", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 4);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    const hid_t ordering = H5Acreate2(set, "ORDERING", text, one, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(ordering, text, "RING");
    H5Aclose(ordering);
    H5Tclose(text);
    H5Dclose(set);
    H5Sclose(one);
    H5Sclose(space);
    H5Fclose(file);
}

// Records of some pixels in HDF5.
void makeRecords(const std::string& path) {
    struct Record {
        int32_t pixel;
        float depth;
    };
    const Record records[3] = {{7, 1.0F}, {3, 2.0F}, {40, 3.0F}};
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t size[] = {3};
    const hid_t space = H5Screate_simple(1, size, nullptr), one = H5Screate(H5S_SCALAR),
                type = H5Tcreate(H5T_COMPOUND, sizeof(Record));
    H5Tinsert(type, "pixel", HOFFSET(Record, pixel), H5T_NATIVE_INT32);
    H5Tinsert(type, "depth", HOFFSET(Record, depth), H5T_NATIVE_FLOAT);
    const hid_t set = H5Dcreate2(file, "map", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, records);
    const int64_t nside = 2;
    const hid_t attribute = H5Acreate2(set, "NSIDE", H5T_STD_I64LE, one, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT64, &nside);
    H5Aclose(attribute);
    H5Dclose(set);
    H5Tclose(type);
    H5Sclose(one);
    H5Sclose(space);
    H5Fclose(file);
}

// Cards of 80 bytes in blocks of 2880, without data.
std::string headerOf(const std::vector<std::string>& cards) {
    std::string bytes;
    for (std::string card : cards) {
        card.resize(80, ' ');
        bytes += card;
    }
    bytes += "END";
    bytes.resize((bytes.size() + 2879) / 2880 * 2880, ' ');
    return bytes;
}

// I, Q and U in an HDU each, with bits and text beside them.
std::string stokesHdus() {
    std::string bytes = headerOf({"SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 0"});
    for (const char* name : {"I", "Q", "U"})
        bytes +=
            headerOf({"XTENSION= 'BINTABLE'", "BITPIX  = 8", "NAXIS   = 2", "NAXIS1  = 8",
                      "NAXIS2  = 12", "PCOUNT  = 0", "GCOUNT  = 1", "TFIELDS = 3", "TTYPE1  = 'T'",
                      "TFORM1  = 'E'", "TTYPE2  = 'FLAGS'", "TFORM2  = '5X'", "TTYPE3  = 'NAME'",
                      "TFORM3  = '3A'", "PIXTYPE = 'HEALPIX'", "NSIDE   = 1", "ORDERING= 'RING'",
                      std::string("EXTNAME = '") + name + "'"}) +
            std::string(2880, '?');
    return bytes;
}

// A cube with its spectral axis first.
std::string spectralCube() {
    return headerOf({"SIMPLE  = T", "BITPIX  = -32", "NAXIS   = 3", "NAXIS1  = 4", "NAXIS2  = 5",
                     "NAXIS3  = 6", "CTYPE1  = 'FREQ'", "CTYPE2  = 'RA---TAN'",
                     "CTYPE3  = 'DEC--TAN'", "CRVAL2  = 30.0", "CRVAL3  = 60.0", "CDELT2  = -0.1",
                     "CDELT3  = 0.1", "PC2_2   = 1.0", "PV3_1   = 0.0"}) +
           std::string(2880, '?');
}

// Text tables with a description of their columns, theory spectra, regions.
const std::pair<const char*, const char*> kTexts[] = {
    {"ipac.tbl",
     "\\EQUINOX = 'J2000'\n|  ra    |  dec   | name |\n| double | double | char |\n"
     "| deg    | deg    |      |\n| null   | null   | null |\n  10.5     -3.25    abc  \n"},
    {"sextractor.cat",
     "#   1 NUMBER       Running object number\n#   2 ALPHA_J2000  Right ascension [deg]\n"
     "#   3 DELTA_J2000  Declination [deg]\n#   5 MAG  Magnitude [mag]\n1 10.5 -3.5 1.0 2.0\n"},
    {"cds.txt",
     "Byte-by-byte Description of file: t.txt\n--------------------\n"
     "   Bytes Format Units  Label  Explanations\n--------------------\n"
     "   1-  2 I2     h      RAh    Hour of right ascension\n"
     "   3-  4 I2     min    RAm    Minute\n   5-  8 F4.1   s      RAs    Second\n"
     "       9 A1     ---    DE-    Sign\n  10- 11 I2     deg    DEd    [0/90]? Degree\n"
     "--------------------\n010203.5-04\n"},
    {"ds9.reg",
     "# Region file format: DS9 version 4.1\nglobal color=green\nfk5\n"
     "circle(10:30:00,-3:30:00,0.5\") # text={one}\ngalactic;box(10,20,1,2,30)\n"
     "polygon(1,2,3,4,5,6) || ellipse(1,2,3,4,5)\n-annulus(1d,2d,3',4')\n"},
    {"camb.dat",
     "#  L    TT      EE      BB      TE\n 2 0.10E+04 0.3E-01 0.1E-05 0.26E+01\n"
     " 3 0.96E+03 0.39E-01 0.36E-05 0.29E+01\n"},
    {"pipes.txt", "ra|dec|flux\n10:00:00|-3:30:00|1,5\n11:00:00|+4:30:00|2,5\n"}};

std::string bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The properties of a HiPS with tiles of 8 x 8 pixels, and one tile.
std::string hipsBytes(const std::string& folder) {
    JobContext job;
    Image tile;
    tile.width = tile.height = 8;
    tile.planes = {{"", 0.0}};
    tile.unit = "K";
    tile.values = std::vector<float>(64, 1.0F);
    const std::string path = folder + "/tile.fits";
    writeImage(tile, path, {true, {}, {}}, job);
    return std::string(
               "hips_order = 1\nhips_order_min = 0\nhips_tile_width = 8\n"
               "hips_tile_format = jpeg fits\nhips_frame = galactic\n"
               "dataproduct_type = image\n") +
           '\0' + bytesOf(path);
}

void makeCorpus(const std::string& folder) {
    JobContext job;
    const auto name = [&](const char* file) { return folder + "/" + file; };
    writeMap(map(Coverage::Full), name("full.fits"), {true, {}, {"made"}}, job);
    writeMap(map(Coverage::Full), name("packed.fits.gz"), {true, {}, {}}, job);
    writeMap(map(Coverage::Partial), name("partial.fits"), {true, {}, {}}, job);
    writeMap(map(Coverage::MultiOrder), name("cells.fits"), {true, {}, {}}, job);
    // HealSparse: records, numbers, flags and bits.
    writeMap(map(Coverage::Partial), name("records.hsp"), {true, {}, {}}, job);
    const std::vector<double> values(48, 1.0);
    const Field number{"N", "K", DiskType::Int16, values}, flag{"M", "", DiskType::Logical, values};
    const auto full = [](const std::vector<Field>& fields) {
        return HealpixMap(2, Ordering::Nested, Frame::Galactic, fields);
    };
    writeMap(full({number}), name("numbers.hsp"), {true, {}, {}}, job);
    writeMap(full({flag}), name("flags.hsp"), {true, {}, {}}, job);
    writeMap(full({flag, flag}), name("bits.hsp"), {true, {}, {}}, job);
    writeMoc(rangesWhere(map(Coverage::MultiOrder), 0, job), name("moc.fits"),
             {.overwrite = true, .form = MocForm::Nuniq}, job);
    for (const char* file : {"table.fits", "table.vot", "table.ecsv", "table.csv", "table.parquet"})
        writeTable(catalog(), name(file), {true, {"made"}}, job);
    std::filesystem::remove(name("tiles.fits"));
    packTiles(name("table.fits"), name("tiles.fits"));
    Spectra spectra;
    for (auto& cl : spectra.cl) cl = {0.0, 1.0, 0.5};
    for (const char* file : {"cl.fits", "cl.txt", "cl.csv"})
        writeSpectra(spectra, name(file), {true, StoredPrecision::Double, {}}, job);
    writeAlm({Alm(3, 3), Alm(3, 3), Alm(3, 3)}, name("alm.fits"), {true, {}, {}}, job);
    Curve curve;
    curve.xName = "THETA";
    curve.x = {1, 2, 3};
    curve.series = {{"W", "", {1, 2, 3}, {1, 1, 1}}};
    curve.covariance = std::vector<double>(9, 0.5);
    writeCurve(curve, name("curve.fits"), {true, {}}, job);
    Image image;
    image.width = 5;
    image.height = 4;
    image.planes = {{"a", 1.0}, {"b", 2.0}};
    image.values = std::vector<float>(40, 1.0F);
    for (const char* card :
         {"CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CRVAL1  = 30.0", "CRVAL2  = 60.0",
          "CRPIX1  = 2.0", "CRPIX2  = 2.0", "CDELT1  = -0.1", "CDELT2  = 0.1"})
        image.wcsCards.emplace_back(card);
    writeImage(image, name("image.fits"), {true, {}, {}}, job);
    std::string array = "{'descr': '<f4', 'fortran_order': False, 'shape': (12,), }";
    array.resize(117, ' ');
    writeFileAtomically(name("map.npy"),
                        std::string("\x93NUMPY\x01\0v\0", 10) + array + '\n' + std::string(48, '?'),
                        true);
    makeHdf5(name("map.h5"));
    makeRecords(name("records.h5"));
    // HealSparse in HDF5, of numbers and of records.
    writeMap(full({number}), name("numbers.hdf5"), {true, {}, {}}, job);
    writeMap(map(Coverage::Partial), name("sparse.hdf5"), {true, {}, {}}, job);
    writeFileAtomically(name("zarr"),
                        std::string("zarr{\"shape\": [12], \"chunks\": [12], \"dtype\": \"<f4\", "
                                    "\"fill_value\": 0.0, \"order\": \"C\", \"filters\": null, "
                                    "\"dimension_separator\": \".\", \"compressor\": null, "
                                    "\"zarr_format\": 2}") +
                            '\0' + std::string(48, '?'),
                        true);
    writeFileAtomically(name("stokes.fits"), stokesHdus(), true);
    writeFileAtomically(name("cube.fits"), spectralCube(), true);
    for (const auto& [file, text] : kTexts) writeFileAtomically(name(file), text, true);
    writeFileAtomically(name("partition_info.csv"), "Norder,Npix,num_rows\n0,0,4\n", true);
    writeFileAtomically(name("moc.txt"), "3/1-4 7 5/100,200-300\n", true);
    writeFileAtomically(name("moc.json"), "{\"3\": [1, 2], \"5\": [1000]}\n", true);
    writeFileAtomically(name("beam.txt"), "# l T\n0 1\n1 0.5\n2 0.1\n", true);
    writeFileAtomically(name("hips"), hipsBytes(folder), true);
    writeFileAtomically(name("kernel.txt"), "# angle deg\n0 1\n1 0.5\n2 0.1\n", true);
}

// A file in memory, kept open, named by its descriptor.
const std::string& target(const uint8_t* data, size_t size) {
    static const int file = memfd_create("input", MFD_CLOEXEC);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
        std::abort();
    return path;
}

// A HATS catalog whose list of partitions and whose only partition are the input.
const std::string& hatsTarget(const std::string& input) {
    static const std::string folder = [&] {
        std::string made = std::filesystem::temp_directory_path() / "fuzz-hats-XXXXXX";
        if (mkdtemp(made.data()) == nullptr) std::abort();
        const std::filesystem::path root(made), files = root / "dataset/Norder=0/Dir=0";
        std::filesystem::create_directories(files);
        writeFileAtomically((root / "hats.properties").string(),
                            "hats_col_ra=RA\nhats_col_dec=DEC\n", true);
        std::filesystem::create_symlink(input, root / "partition_info.csv");
        std::filesystem::create_symlink(input, files / "Npix=0.parquet");
        return made;
    }();
    return folder;
}

// A folder in the temporary folder, removed at the end.
class OwnFolder {
public:
    OwnFolder() {
        if (mkdtemp(path_.data()) == nullptr) std::abort();
    }
    ~OwnFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;
    const std::string& path() const { return path_; }
    void write(const std::string& name, std::string_view part) const {
        const std::filesystem::path file = std::filesystem::path(path_) / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary)
            .write(part.data(), static_cast<std::streamsize>(part.size()));
    }

private:
    std::string path_ = (std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string();
};

// A folder with the properties and the tile at two orders.
const std::string& hipsFolder(std::string_view bytes) {
    static const OwnFolder folder;
    const size_t end = std::min(bytes.find('\0'), bytes.size());
    folder.write("properties", bytes.substr(0, end));
    const std::string_view tile = bytes.substr(std::min(end + 1, bytes.size()));
    folder.write("Norder0/Dir0/Npix0.fits", tile);
    folder.write("Norder1/Dir0/Npix5.fits", tile);
    return folder.path();
}

// A folder with the metadata and the chunk of an array of Zarr.
const std::string& zarrFolder(std::string_view bytes) {
    static const OwnFolder folder;
    const size_t end = std::min(bytes.find('\0'), bytes.size());
    folder.write(".zarray", bytes.substr(0, end));
    folder.write("0", bytes.substr(std::min(end + 1, bytes.size())));
    return folder.path();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
    if (*count == 3 && std::string_view((*arguments)[1]) == "--make-corpus") {
        try {
            makeCorpus((*arguments)[2]);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
            std::exit(1);
        }
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const auto attempt = [&](const auto& read) {
        JobContext job({}, {}, 1);
        try {
            read(job);
        } catch (const Error& error) {
            // One line, and no internal failure reported as an error of the file.
            if (error.code() == ErrorCode::Internal ||
                std::string_view(error.what()).find('\n') != std::string_view::npos)
                std::abort();
        }
    };
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (bytes.starts_with("hips")) {
        const std::string& folder = hipsFolder(bytes);
        // A deep order without tiles is a large map of bad pixels, which takes long to fill.
        constexpr int64_t kMostNside = 256;
        attempt([&](JobContext& job) {
            if (inspectFile(folder).nside <= kMostNside) readMap(folder, {}, job);
        });
        return 0;
    }
    if (bytes.starts_with("zarr")) {
        const std::string& folder = zarrFolder(bytes.substr(4));
        attempt([&](JobContext&) { inspectFile(folder); });
        attempt([&](JobContext& job) { readMap(folder, {}, job); });
        return 0;
    }
    const std::string& path = target(data, size);
    attempt([&](JobContext&) { inspectFile(path); });
    attempt([&](JobContext&) { listHdus(path); });
    attempt([&](JobContext& job) { readMap(path, {}, job); });
    attempt([&](JobContext& job) { readAlm(path, job); });
    attempt([&](JobContext&) { claimsPixels(path); });
    attempt([&](JobContext& job) {
        MapPartReader reader(path, {}, job);
        const ElementRun some[] = {{0, 5}, {7, 2}};
        if (reader.inParts()) reader.read(some, job);
    });
    attempt([&](JobContext& job) {
        const auto blocks = TableBlocks::open(path, TableBlocks::Choice::FirstTable, job);
        if (!blocks) return;
        for (const TableBlocks::Block& block : blocks->blocks(2, {}, job))
            blocks->read(block, {}, job);
    });
    attempt([&](JobContext&) { readNamedRegions(path); });
    attempt([&](JobContext& job) { readImageGrid(path, job); });
    attempt([&](JobContext&) { readSpectrumCurve(path); });
    attempt([&](JobContext&) { readSpectra(path); });
    attempt([&](JobContext&) { readBeam(path); });
    attempt([&](JobContext&) { readRadialKernel(path); });
    attempt([&](JobContext& job) { readTable(path, {}, job); });
    attempt([&](JobContext& job) { readCatalog(path, job); });
    attempt([&](JobContext& job) { readCurve(path, job); });
    attempt([&](JobContext&) { inspectFile(hatsTarget(path)); });
    attempt([&](JobContext& job) { readCatalog(hatsTarget(path), job); });
    attempt([&](JobContext& job) {
        const Image image = readImage(path, job);
        const ImageWcs wcs(image);
        const double x[] = {0.0, 1.5}, y[] = {0.0, -2.0};
        Vec3 at[2];
        wcs.directions(x, y, at);
        double backX[2], backY[2];
        wcs.pixels(at, backX, backY);
    });
    return 0;
}
