// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix maps in HDF5 files without the layout of a program: attributes that state NSIDE, and
// compression of h5py and of bitshuffle.
#include <hdf5.h>

#include <QtTest>
#include <random>

#include "armilla/io/table_io.h"
#include "compute/hdf5_writer.h"
#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

class tst_hdf5_labeled_map : public MapFileTest {
    Q_OBJECT

private:
    // h5py 3.16 and hdf5plugin 7.1: (np.arange(48) // 7).astype('<i2') in a chunk of
    // compression='lzf', and of Bitshuffle(nelems=16, cname='lz4').
    std::string packed(const char* name, bool isLzf, unsigned packing = 2) const {
        const std::string file = path(name);
        Hdf5Writer out(file);
        if (isLzf)
            out.addPacked(
                "sky", 32000, {4, 261, 96},
                {0x01, 0x00, 0x00, 0xe0, 0x03, 0x00, 0x00, 0x01, 0xe0, 0x04, 0x01, 0x00, 0x02,
                 0xe0, 0x04, 0x01, 0x00, 0x03, 0xe0, 0x04, 0x01, 0x00, 0x04, 0xe0, 0x04, 0x01,
                 0x00, 0x05, 0xe0, 0x04, 0x01, 0x00, 0x06, 0xe0, 0x00, 0x01, 0x01, 0x06, 0x00});
        else
            out.addPacked(
                "sky", 32008, {0, 4, 2, 16, packing},
                {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x60, 0x00, 0x00, 0x00, 0x20, 0x00,
                 0x00, 0x00, 0x0f, 0x5f, 0x80, 0x3f, 0x00, 0xc0, 0x00, 0x01, 0x00, 0x03, 0x50,
                 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x11, 0x7f, 0xe0, 0x0f, 0xff,
                 0x0f, 0x00, 0xf0, 0x00, 0x01, 0x00, 0x01, 0x50, 0x00, 0x00, 0x00, 0x00, 0x00,
                 0x00, 0x00, 0x00, 0x11, 0x7f, 0xf8, 0x03, 0x00, 0xfc, 0xff, 0xff, 0x00, 0x01,
                 0x00, 0x01, 0x50, 0x00, 0x00, 0x00, 0x00, 0x00});
        out.attribute("/", "nside", int64_t{2});
        return file;
    }
    // hdf5plugin 7.1: (np.arange(768) // 488).astype('<i2') in a chunk of Bitshuffle(cname='lz4'),
    // where the length of a copy ends in a byte of 15.
    std::string longCopies() const {
        const std::string file = path("long.h5");
        {
            Hdf5Writer out(file);
            out.addPacked("sky", 32008, {0, 4, 2, 0, 2},
                          {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x20, 0x00,
                           0x00, 0x00, 0x00, 0x1d, 0x1f, 0x00, 0x01, 0x00, 0x29, 0x1f, 0xff, 0x01,
                           0x00, 0x0f, 0x0f, 0x5f, 0x00, 0x29, 0x0f, 0x02, 0x00, 0xff, 0xff, 0xff,
                           0xff, 0xff, 0x51, 0x50, 0x00, 0x00, 0x00, 0x00, 0x00},
                          768);
            out.attribute("/", "nside", int64_t{8});
        }
        return file;
    }
    JobContext job_;
    std::string lzf_, bitshuffle_;

private slots:
    // Files are written before the first one is read: the readers' filters, which do not write, are
    // then those of the library in this process.
    void compressedChunks() {
        lzf_ = packed("l.h5", true);
        bitshuffle_ = packed("b.h5", false);
        const std::string zstd = packed("zstd.h5", false, 3), copies = longCopies();
        for (const std::string& each : {lzf_, bitshuffle_}) {
            const HealpixMap map = read(each);
            QCOMPARE(map.nside(), int64_t{2});
            QCOMPARE(map.field(0).diskType, DiskType::Int16);
            for (int64_t p = 0; p < 48; ++p) QCOMPARE(map.field(0).at(p), double(p / 7));
        }
        const HealpixMap copied = read(copies);
        for (int64_t p = 0; p < 768; ++p) QCOMPARE(copied.field(0).at(p), double(p / 488));
        const auto line = [&](const std::string& file) { return refusal([&] { read(file); }); };
        QVERIFY(line(zstd).find("bitshuffle of Zstandard") != std::string::npos);
        const std::string file = path("blosc.h5");
        {
            Hdf5Writer out(file);
            out.addPacked("sky", 32001, {2, 2}, {1, 2, 3});
            out.attribute("sky", "nside", int64_t{2});
        }
        QVERIFY(line(file).find("'sky' without compression") != std::string::npos);
        QVERIFY(line(file).find("found Blosc, which is not supported") != std::string::npos);
        QVERIFY(refusal([&] { readTable(file, {}, job_); }).find("Blosc") != std::string::npos);
    }
    // Attributes as people write them with h5py, on the data set, its group or the file.
    void labeledMaps() {
        const std::string file = path("labeled.h5");
        {
            Hdf5Writer out(file);
            out.group("maps");
            for (const char* name : {"maps/Q", "maps/T", "maps/U"})
                out.addDoubles(name, {48}, std::vector<double>(48, name[5]));
            out.attribute("maps/T", "units", "mK");
            std::vector<int64_t> pixels(48);
            std::iota(pixels.begin(), pixels.end(), 0);
            out.addIntegers("maps/pixel", {48}, pixels);
            out.attribute("maps", "nside", int64_t{2});
            out.attribute("maps", "ordering", "nest");
            out.attribute("/", "coordsys", "G");
        }
        QVERIFY(claimsPixels(file));
        const HealpixMap map = read(file);
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(map.frame(), Frame::Galactic);
        QCOMPARE(map.fieldCount(), 3);
        for (int f = 0; f < 3; ++f) QCOMPARE(map.field(f).at(47), double("TQU"[f]));
        QCOMPARE(map.field(0).unit, std::string("mK"));
        QCOMPARE(map.field(1).unit, std::string());
        // Pixels along the first axis.
        {
            Hdf5Writer out(file);
            out.addDoubles("IQU", {48, 3}, ramp(144));
            out.attribute("IQU", "NSIDE", 2.0);
            out.flag("IQU", "nest", true);
        }
        const HealpixMap rows = read(file);
        QCOMPARE(rows.ordering(), Ordering::Nested);
        QCOMPARE(rows.field(2).name, std::string("U_STOKES"));
        for (int f = 0; f < 3; ++f) QCOMPARE(rows.field(f).at(5), ramp(144)[size_t(3 * 5 + f)]);
        // Records, of which one member has another type.
        struct Record {
            float depth;
            int32_t hits;
        };
        {
            Hdf5Writer out(file);
            std::vector<Record> records(48);
            for (size_t p = 0; p < 48; ++p) records[p] = {0.5F * float(p), int32_t(p)};
            out.addRecords("data",
                           {{"depth", HOFFSET(Record, depth), H5T_NATIVE_FLOAT},
                            {"hits", HOFFSET(Record, hits), H5T_NATIVE_INT32}},
                           records);
            out.attribute("data", "pixtype", "HEALPIX");
        }
        const HealpixMap records = read(file);
        QCOMPARE(records.field(0).name, std::string("depth"));
        QVERIFY(records.field(0).isSingle());
        QCOMPARE(records.field(0).at(7), 3.5);
        QCOMPARE(records.field(1).diskType, DiskType::Int32);
        QCOMPARE(records.field(1).at(47), 47.0);
        // A list of pixels, by names of HDF5 files and of columns in FITS.
        for (const char* name : {"pixel", "hpx_inds", "HEALPIX_PIXEL"}) {
            {
                Hdf5Writer out(file);
                out.addIntegers(name, {3}, {40, 2, 17});
                out.addDoubles("value", {3}, ramp(3));
                out.attribute("/", "nside", int64_t{2});
            }
            const HealpixMap listed = read(file);
            QCOMPARE(listed.elementCount(), int64_t{3});
            QCOMPARE(listed.value(0, 17), 2.25);
        }
        // Without a label: one data set of 12 NSIDE^2 values from NSIDE 8 on, alone in its file.
        for (const bool isAlone : {true, false}) {
            {
                Hdf5Writer out(file);
                out.addDoubles("sky", {768}, ramp(768));
                if (!isAlone) out.addDoubles("x", {768}, ramp(768));
            }
            QCOMPARE(claimsPixels(file), isAlone);
        }
        {
            Hdf5Writer out(file);
            out.addDoubles("sky", {768}, ramp(768));
        }
        QVERIFY(inspectFile(file).assumed.find("RING ordering is assumed") != std::string::npos);
        // A catalog with an NSIDE, and an NSIDE that is none.
        {
            Hdf5Writer out(file);
            for (const char* name : {"ra", "dec"}) out.addDoubles(name, {5}, ramp(5));
            out.attribute("/", "nside", int64_t{2});
        }
        QVERIFY(!claimsPixels(file));
        {
            Hdf5Writer out(file);
            out.addDoubles("sky", {48}, ramp(48));
            out.attribute("sky", "nside", int64_t{-2});
        }
        QVERIFY(refusal([&] { read(file); }).find("NSIDE from 1 to 2^29") != std::string::npos);
    }
    // Numbers of all pixels in another order, in a data set and in a member of records.
    void permutedPixels() {
        const std::string file = path("permuted.h5");
        std::vector<int64_t> pixels(48);
        for (size_t i = 0; i < 48; ++i) pixels[i] = int64_t(5 * i % 48);
        {
            Hdf5Writer out(file);
            for (const char* group : {"a", "b"}) out.group(group);
            out.addIntegers("a/pixel", {48}, pixels);
            out.addDoubles("a/sky", {48}, ramp(48));
            out.addDoubles("b/sky", {48}, ramp(48));
            out.attribute("/", "nside", int64_t{2});
        }
        const HealpixMap map = read(file);
        QCOMPARE(map.fieldCount(), 1);
        QVERIFY(inspectFile(file).assumed.find("its pixel numbers is not that of 'a/sky'") !=
                std::string::npos);
        struct Record {
            int64_t pixel;
            double sky;
        };
        {
            Hdf5Writer out(file);
            std::vector<Record> records(48);
            for (size_t i = 0; i < 48; ++i) records[i] = {pixels[i], ramp(48)[i]};
            out.addRecords("data",
                           {{"PIXEL", HOFFSET(Record, pixel), H5T_NATIVE_INT64},
                            {"sky", HOFFSET(Record, sky), H5T_NATIVE_DOUBLE}},
                           records);
            out.attribute("data", "nside", int64_t{2});
        }
        const HealpixMap records = read(file);
        QCOMPARE(records.elementCount(), int64_t{48});
        for (size_t i = 0; i < 48; ++i) {
            QCOMPARE(map.field(0).at(pixels[i]), double(i) + 0.25);
            QCOMPARE(records.field(0).at(pixels[i]), double(i) + 0.25);
        }
    }
    // Records of some pixels, also in the data set "map" of TOAST and with facts of the file.
    void recordsOfSomePixels() {
        struct Record {
            int32_t pixel;
            float depth;
            int16_t hits;
        };
        const std::string file = path("records.h5");
        const std::vector<Record> records = {{40, 1.5F, 3}, {7, 2.5F, 4}, {8, 3.5F, 5}};
        for (const char* labeled : {"map", "/"}) {
            {
                Hdf5Writer out(file);
                for (const char* name : {"map", "other"})
                    out.addRecords(name,
                                   {{"pixel", HOFFSET(Record, pixel), H5T_NATIVE_INT32},
                                    {"depth", HOFFSET(Record, depth), H5T_NATIVE_FLOAT},
                                    {"hits", HOFFSET(Record, hits), H5T_NATIVE_INT16}},
                                   records);
                out.attribute(labeled, "NSIDE", int64_t{2});
                out.attribute(labeled, "ORDERING", "NESTED");
            }
            QVERIFY(claimsPixels(file));
            const FileSummary summary = inspectFile(file);
            QCOMPARE(summary.kind, FileKind::PartialMap);
            QCOMPARE(summary.assumed.find("'other'") != std::string::npos,
                     std::string(labeled) == "/");
            const HealpixMap map = read(file);
            QCOMPARE(map.fieldCount(), 2);
            QCOMPARE(map.ordering(), Ordering::Nested);
            QCOMPARE(map.elementCount(), int64_t{3});
            for (const Record& record : records) {
                QCOMPARE(map.value(0, record.pixel), double(record.depth));
                QCOMPARE(map.value(1, record.pixel), double(record.hits));
            }
        }
    }
    // Sets of other frames and orderings are omitted with a note. Words of one meaning agree.
    void contradictorySets() {
        const std::string file = path("contradictory.h5");
        {
            Hdf5Writer out(file);
            for (const char* name : {"a", "b", "c", "d"}) {
                out.addDoubles(name, {48}, ramp(48));
                out.attribute(name, "nside", int64_t{2});
            }
            out.attribute("a", "coordsys", "G");
            out.attribute("b", "coordsys", "C");
            out.attribute("c", "coordsys", "galactic");
            out.attribute("a", "ordering", "nest");
            out.attribute("c", "ordering", "NESTED");
            out.attribute("d", "ordering", "ring");
        }
        std::vector<std::string> notes;
        const HealpixMap map = readMap(file, {.notes = &notes}, job_);
        QCOMPARE(map.fieldCount(), 2);
        QCOMPARE(map.field(1).name, std::string("c"));
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(notes.size(), size_t{2});
        QCOMPARE(notes[0], std::string("omitted, because its coordsys is not that of 'a': "
                                       "data set 'b'"));
        QVERIFY(notes[1].find("ordering") != std::string::npos);
    }
    // One axis, and pixels along the first or the last of two, in one file.
    void mixedAxes() {
        const std::string file = path("mixed.h5");
        for (const bool isListed : {false, true}) {
            const hsize_t count = isListed ? 20 : 48;
            {
                Hdf5Writer out(file);
                out.addDoubles("hits", {count}, ramp(count));
                out.addDoubles("map", {count, 3}, ramp(3 * count));
                out.addDoubles("rows", {2, count}, ramp(2 * count));
                std::vector<int64_t> pixels(count);
                std::iota(pixels.begin(), pixels.end(), 0);
                out.addIntegers("pixel", {count}, pixels);
                out.attribute("/", "nside", int64_t{2});
            }
            const HealpixMap map = read(file);
            QCOMPARE(map.fieldCount(), 6);
            QCOMPARE(map.value(0, 7), 7.25);
            QCOMPARE(map.value(2, 7), 3 * 7 + 1 + 0.25);
            QCOMPARE(map.value(5, 7), double(count) + 7.25);
        }
        {
            Hdf5Writer out(file);
            out.addDoubles("sky", {3, 48}, ramp(144));
            out.attribute("sky", "nside", int64_t{2});
        }
        const std::string assumed = inspectFile(file).assumed;
        QVERIFY(assumed.find("the 3 maps of data set 'sky' are taken as I, Q and U") !=
                std::string::npos);
    }
    // The chunk cache of a data set lives until that data set is closed.
    void oneSetAtATime() {
        const std::string file = path("sets.h5");
        {
            Hdf5Writer out(file);
            for (const char* name : {"a", "b", "c"}) out.addDoubles(name, {768}, ramp(768), {256});
            out.attribute("/", "nside", int64_t{8});
        }
        ssize_t most = 0;
        JobContext job(
            {},
            [&](double, std::string_view) {
                most = std::max(most, H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_DATASET));
            },
            1);
        QCOMPARE(readMap(file, {}, job).fieldCount(), 3);
        QCOMPARE(most, ssize_t{1});
    }
    // Files with some bytes changed: data or an error of one line.
    void damagedFiles() {
        const std::vector<std::string> originals = {readBytes(lzf_), readBytes(bitshuffle_)};
        std::mt19937 random(7);
        const std::string file = path("damaged.h5");
        for (int round = 0; round < 200; ++round) {
            std::string bytes = originals[static_cast<size_t>(round) % originals.size()];
            for (int i = 0; i < 3; ++i)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            writeBytes(file, bytes);
            const std::string line = refusal([&] { read(file); });
            QVERIFY2(line.find('\n') == std::string::npos, line.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(tst_hdf5_labeled_map)
#include "tst_hdf5_labeled_map.moc"
