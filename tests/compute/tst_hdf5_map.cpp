// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix maps in HDF5 files with the layouts of TOAST 3.0 (pixels_io_healpix.py), pyradiosky 1.1
// (SkyModel.write_skyh5) and cora (makesky.py), written here by the library.
#include <hdf5.h>

#include <QtTest>
#include <functional>
#include <numeric>
#include <random>

#include "compute/hdf5_writer.h"
#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

// True if the field holds `values` from position `first` on.
bool holds(const Field& field, const std::vector<double>& values, size_t first) {
    for (int64_t i = 0; i < field.size(); ++i)
        if (field.at(i) != values[first + static_cast<size_t>(i)]) return false;
    return true;
}

}  // namespace

class tst_hdf5_map : public MapFileTest {
    Q_OBJECT

private:
    // Values count the data set; the second row of 48 pixels is Q.
    std::string toast(const char* name, int64_t fields, const char* ordering, int64_t nside = 2,
                      const std::vector<hsize_t>& chunk = {}, bool areFixed = false) const {
        const std::string file = path(name);
        Hdf5Writer out(file, areFixed);
        out.addDoubles("map", {hsize_t(fields), 48}, ramp(size_t(48 * fields)), chunk);
        out.attribute("map", "ORDERING", ordering);
        out.attribute("map", "NSIDE", nside);
        out.attribute("map", "UNITS", "K");
        out.attribute("map", "COORDSYS", "G");
        return file;
    }
    // `listed`: the numbers of the pixels.
    std::string skyH5(const std::vector<int64_t>& listed, const char* order, int64_t nside,
                      bool areFixed = false) const {
        const std::string file = path("sky.skyh5");
        const hsize_t count = listed.size();
        Hdf5Writer out(file, areFixed);
        out.group("Header");
        out.group("Data");
        out.addText("Header/component_type", "healpix");
        out.addIntegers("Header/nside", {}, {nside});
        if (order != nullptr) out.addText("Header/hpx_order", order);
        out.addIntegers("Header/hpx_inds", {count}, listed);
        out.group("Header/hpx_frame");
        out.addText("Header/hpx_frame/frame", "icrs");
        out.addDoubles("Header/freq_array", {2}, {50e6, 1.4204e9});
        out.attribute("Header/freq_array", "unit", "Hz");
        out.addDoubles("Data/stokes", {4, 2, count}, ramp(8 * listed.size()));
        out.attribute("Data/stokes", "unit", "K");
        return file;
    }
    std::string cora(uint64_t pixels = 12) const {
        const std::string file = path("cora.h5");
        Hdf5Writer out(file);
        out.addDoubles("map", {2, 4, 12}, ramp(96));
        out.group("index_map");
        struct Channel {
            double centre, width;
        };
        out.addRecords("index_map/freq",
                       {{"centre", HOFFSET(Channel, centre), H5T_NATIVE_DOUBLE},
                        {"width", HOFFSET(Channel, width), H5T_NATIVE_DOUBLE}},
                       std::vector<Channel>{{800.0, 0.390625}, {799.609375, 0.390625}});
        out.addTexts("index_map/pol", {"I", "Q", "U", "V"});
        std::vector<int64_t> numbers(pixels);
        std::iota(numbers.begin(), numbers.end(), 0);
        out.addIntegers("index_map/pixel", {pixels}, numbers);
        return file;
    }
    // A group as healsparse 1.15 writes it: nside 8 and a coverage of nside 2 with the tiles of the
    // pixels 40 (row 1) and 5 (row 2), of 16 pixels each.
    static void addTiles(Hdf5Writer& out, const std::string& group, const char* kind) {
        out.group(group.c_str());
        std::vector<int64_t> index(48);
        for (int64_t cover = 0; cover < 48; ++cover) index[size_t(cover)] = -16 * cover;
        index[40] += 16;
        index[5] += 32;
        out.addIntegers((group + "/cov_index_map").c_str(), {48}, index);
        out.attribute(group.c_str(), "nside_sparse", int64_t{8});
        out.attribute(group.c_str(), "nside_coverage", int64_t{2});
        for (const char* name : {"is_rec_array", "is_bit_packed", "is_wide_mask"})
            out.flag(group.c_str(), name, std::string_view(name) == kind);
        out.attribute(group.c_str(), "wide_mask_width",
                      int64_t{std::string_view(kind) == "is_wide_mask" ? 2 : 0});
    }
    JobContext job_;

private slots:
    void healSparseMaps() {
        const std::string file = path("tiles.hsp.h5");
        std::vector<double> values(48, kUnseen);
        values[16 + 3] = 1.5;   // row 1: pixel 40 * 16 + 3
        values[32 + 15] = 2.5;  // row 2: pixel 5 * 16 + 15
        {
            Hdf5Writer out(file);
            addTiles(out, "map", "");
            out.attribute("map", "sentinel", kUnseen);
            out.attribute("map", "primary", "");
            out.add("map/sparse_map", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, {3, 16}, values, {1, 16});
        }
        QVERIFY(claimsPixels(file));
        const FileSummary summary = inspectFile(file);
        QCOMPARE(summary.kind, FileKind::PartialMap);
        QCOMPARE(summary.nside, int64_t{8});
        QCOMPARE(summary.rows, int64_t{32});
        const HealpixMap map = read(file);
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(map.elementCount(), int64_t{2});
        QCOMPARE(map.value(0, 643), 1.5);
        QCOMPARE(map.value(0, 95), 2.5);
        QVERIFY(map.field(0).isSingle());
    }
    void healSparseKinds() {
        const std::string file = path("kinds.h5");
        // Records: a tile has data where the primary column has.
        {
            Hdf5Writer out(file);
            addTiles(out, "deep", "is_rec_array");
            out.attribute("deep", "sentinel", int64_t{-1});
            out.attribute("deep", "primary", "b");
            std::vector<int64_t> b(48, -1);
            b[16] = 7;
            out.group("deep/a");
            out.group("deep/b");
            out.addDoubles("deep/a/sparse_map", {3, 16}, ramp(48), {1, 16});
            out.add("deep/b/sparse_map", H5T_STD_I32LE, H5T_NATIVE_INT64, {3, 16}, b, {1, 16});
        }
        const HealpixMap records = read(file);
        QCOMPARE(records.fieldCount(), 2);
        QCOMPARE(records.elementCount(), int64_t{1});
        QCOMPARE(records.value(records.fieldIndex("a"), 640), 16.25);
        QCOMPARE(records.value(records.fieldIndex("b"), 640), 7.0);
        QCOMPARE(read(file, {"a"}).fieldCount(), 1);
        // Packed bits: bit 1 of byte 0 of row 1.
        {
            Hdf5Writer out(file);
            addTiles(out, "map", "is_bit_packed");
            out.flag("map", "sentinel", false);
            std::vector<int64_t> bytes(6, 0);
            bytes[2] = 2;
            out.add("map/sparse_map", H5T_STD_U8LE, H5T_NATIVE_INT64, {3, 2}, bytes, {1, 2});
        }
        QCOMPARE(read(file).elementCount(), int64_t{1});
        QCOMPARE(read(file).value(0, 641), 1.0);
        // Logical values.
        {
            Hdf5Writer out(file);
            addTiles(out, "map", "");
            out.flag("map", "sentinel", false);
            std::vector<signed char> flags(48, 0);
            flags[32] = 1;
            const hid_t type = Hdf5Writer::logicalType();
            out.add("map/sparse_map", type, type, {3, 16}, flags, {1, 16});
            H5Tclose(type);
        }
        QCOMPARE(read(file).elementCount(), int64_t{1});
        QCOMPARE(read(file).value(0, 80), 1.0);
        // A wide mask: bit 9 is bit 1 of the second byte.
        {
            Hdf5Writer out(file);
            addTiles(out, "map", "is_wide_mask");
            out.attribute("map", "sentinel", int64_t{0});
            std::vector<int64_t> bytes(96, 0);
            bytes[2 * 16 + 1] = 2;
            out.add("map/sparse_map", H5T_STD_U8LE, H5T_NATIVE_INT64, {3, 16, 2}, bytes);
        }
        QCOMPARE(read(file, {"BIT9"}).value(0, 640), 1.0);
        QCOMPARE(read(file, {"BIT8"}).value(0, 640), 0.0);
    }
    void healSparseRefusals() {
        const std::string file = path("wrong.h5");
        const auto words = [&](hsize_t rows, hsize_t pixels, int64_t shift) {
            {
                Hdf5Writer out(file);
                addTiles(out, "map", "");
                out.attribute("map", "sentinel", kUnseen);
                out.addDoubles("map/sparse_map", {rows, pixels}, ramp(rows * pixels));
                if (shift != 0) {
                    H5Ldelete(out.id(), "map/cov_index_map", H5P_DEFAULT);
                    out.addIntegers("map/cov_index_map", {48}, std::vector<int64_t>(48, shift));
                }
            }
            return refusal([&] { read(file); });
        };
        QVERIFY(words(3, 15, 0).find("tiles of 16 values") != std::string::npos);
        QVERIFY(words(2, 16, 0).find("values of tile 2") != std::string::npos);
        QVERIFY(words(3, 16, 3).find("multiples of 16") != std::string::npos);
        QVERIFY(words(3, 16, -16).find("multiples of 16") != std::string::npos);
        {
            Hdf5Writer out(file);
            for (const char* group : {"one", "two"}) addTiles(out, group, "");
        }
        QVERIFY(refusal([&] { read(file); }).find("'one', 'two'") != std::string::npos);
    }
    void toastMaps() {
        const std::string file = toast("map.h5", 3, "NESTED", 2, {3, 16});
        const FileSummary summary = inspectFile(file);
        QCOMPARE(summary.kind, FileKind::Map);
        QCOMPARE(summary.nside, int64_t{2});
        QCOMPARE(summary.columns.size(), size_t{3});
        QVERIFY(claimsPixels(file));
        const HealpixMap map = read(file);
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(map.frame(), Frame::Galactic);
        QCOMPARE(map.field(1).name, std::string("Q_STOKES"));
        QCOMPARE(map.field(1).unit, std::string("K"));
        for (int f = 0; f < 3; ++f) QVERIFY(holds(map.field(f), ramp(144), size_t(48 * f)));
        QVERIFY(holds(read(file, {"U_STOKES"}).field(0), ramp(144), 96));
        QVERIFY(holds(read(file, {"2"}).field(0), ramp(144), 48));
        QCOMPARE(read(toast("one.h5", 1, "RING")).field(0).name, std::string("MAP"));
        QCOMPARE(read(toast("six.h5", 6, "RING")).field(5).name, std::string("MAP[6]"));
        // POLCCONV = 'IAU' is U of the other sign.
        const std::string iau = path("iau.h5");
        {
            Hdf5Writer out(iau);
            out.addDoubles("map", {3, 48}, ramp(144));
            out.attribute("map", "ORDERING", "RING");
            out.attribute("map", "POLCCONV", "IAU");
        }
        const HealpixMap turned = read(iau);
        QVERIFY(turned.metadata().iauOnDisk);
        QVERIFY(holds(turned.field(1), ramp(144), 48));
        QCOMPARE(turned.field(2).at(5), -ramp(144)[96 + 5]);
    }
    void typesAndBadPixels() {
        const std::string file = path("types.h5");
        std::vector<float> values(12, 1.5F);
        values[3] = -1.6375e30F;
        values[4] = std::numeric_limits<float>::infinity();
        {
            Hdf5Writer out(file);
            out.add("map", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, {12}, values);
            out.attribute("map", "ORDERING", "RING");
        }
        const HealpixMap map = read(file);
        QVERIFY(map.field(0).isSingle());
        QVERIFY(std::isnan(map.field(0).at(3)));
        QVERIFY(std::isnan(map.field(0).at(4)));
        QCOMPARE(map.field(0).at(5), 1.5);
        const auto integers = [&](int64_t value) {
            Hdf5Writer out(file);
            out.addIntegers("map", {1, 12}, std::vector<int64_t>(12, value));
            out.attribute("map", "ORDERING", "RING");
        };
        integers((int64_t{1} << 53) - 1);
        QCOMPARE(read(file).field(0).at(0), 9007199254740991.0);
        QCOMPARE(read(file).field(0).diskType, DiskType::Int64);
        integers((int64_t{1} << 53) + 1);
        QVERIFY(refusal([&] { read(file); }).find("below 2^53") != std::string::npos);
    }
    void skyH5Maps() {
        // Part of the sky, in another order than that of the pixels.
        const std::string file = skyH5({17, 5, 9}, "ring", 2);
        QCOMPARE(inspectFile(file).kind, FileKind::PartialMap);
        const HealpixMap map = read(file);
        QCOMPARE(map.coverage(), Coverage::Partial);
        QCOMPARE(map.frame(), Frame::Equatorial);
        QCOMPARE(map.fieldCount(), 8);
        QCOMPARE(map.field(0).name, std::string("I_STOKES 50 MHz"));
        QCOMPARE(map.field(3).name, std::string("Q_STOKES 1.4204 GHz"));
        QCOMPARE(map.field(3).unit, std::string("K"));
        // Stokes Q at the second frequency begins at value 3 * 3.
        QCOMPARE(map.value(3, 17), 9.25);
        QCOMPARE(map.value(3, 5), 10.25);
        QCOMPARE(map.value(3, 9), 11.25);
        QCOMPARE(read(file, {"V_STOKES"}).field(0).name, std::string("V_STOKES 50 MHz"));
        // Q and U of each frequency form a pair.
        const auto pairs = map.polarizationPairs();
        QCOMPARE(pairs.size(), size_t{2});
        QCOMPARE(pairs[1].first, 3);
        QCOMPARE(pairs[1].second, 5);
        // All pixels are a full map.
        const HealpixMap full = read(skyH5({11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, "nested", 1));
        QCOMPARE(full.coverage(), Coverage::Full);
        QCOMPARE(full.ordering(), Ordering::Nested);
        QCOMPARE(full.field(0).at(11), 0.25);
        QCOMPARE(read(skyH5({0}, nullptr, 3)).ordering(), Ordering::Ring);
    }
    void coraMaps() {
        const std::string file = cora();
        const FileSummary summary = inspectFile(file);
        QVERIFY(summary.assumed.find("RING ordering is assumed") != std::string::npos);
        const HealpixMap map = read(file);
        QCOMPARE(map.nside(), int64_t{1});
        QCOMPARE(map.fieldCount(), 8);
        QCOMPARE(map.field(0).name, std::string("I_STOKES 800 MHz"));
        QCOMPARE(map.field(6).name, std::string("U_STOKES 799.6094 MHz"));
        for (int f = 0; f < 8; ++f) QVERIFY(holds(map.field(f), ramp(96), size_t(12 * f)));
        const HealpixMap nested = readMap(file, {{"1"}, {{}, Ordering::Nested, {}}, nullptr}, job_);
        QCOMPARE(nested.ordering(), Ordering::Nested);
    }
    void refusals() {
        const auto holdsLine = [&](const std::string& file, const char* words) {
            const std::string line = refusal([&] { read(file); });
            const bool isThere = line.find(words) != std::string::npos &&
                                 line.find('\n') == std::string::npos &&
                                 !refusal([&] { inspectFile(file); }).empty();
            if (!isThere) qWarning("%s", line.c_str());
            return isThere;
        };
        QVERIFY(holdsLine(toast("a.h5", 1, "SPIRAL"), "the ordering RING or NESTED"));
        QVERIFY(holdsLine(toast("b.h5", 1, "RING", 4), "for NSIDE = 4"));
        QVERIFY(holdsLine(cora(13), "12 pixels in data set 'index_map/pixel', found 13"));
        QVERIFY(holdsLine(skyH5({1, 2, 3}, "nested", 3), "a power of two"));
        QVERIFY(holdsLine(skyH5({1, 2, 3}, "ring", 0), "NSIDE from 1"));
        const auto line = [&](const std::string& file, std::vector<std::string> fields = {}) {
            return refusal([&] { read(file, fields); });
        };
        QVERIFY(line(skyH5({1, 2, 2}, "ring", 2)).find("2 twice") != std::string::npos);
        QVERIFY(line(skyH5({1, 2, 48}, "ring", 2)).find("from 0 to 47") != std::string::npos);
        QVERIFY(line(toast("c.h5", 3, "RING"), {"W"}).find("a number from 1 to 3") !=
                std::string::npos);
        // Facts that contradict the file.
        QVERIFY(!refusal([&] {
                     readMap(toast("d.h5", 1, "RING"), {{}, {4, {}, {}}, nullptr}, job_);
                 }).empty());
        // A table in HDF5 is no map.
        const std::string table = path("table.h5");
        {
            Hdf5Writer out(table);
            out.addDoubles("ra", {4}, ramp(4));
            out.addDoubles("dec", {4}, ramp(4));
        }
        QVERIFY(!claimsPixels(table));
        QVERIFY(line(table).find("a HEALPix map in HDF5") != std::string::npos);
        // Links to a map in another file.
        const std::string other = toast("other.h5", 1, "RING");
        QVERIFY(claimsPixels(other));
        for (const bool isSoft : {false, true}) {
            const std::string linked = path("linked.h5");
            {
                Hdf5Writer out(linked);
                H5Lcreate_external(other.c_str(), "/map", out.id(), isSoft ? "far" : "map",
                                   H5P_DEFAULT, H5P_DEFAULT);
                if (isSoft) H5Lcreate_soft("/far", out.id(), "map", H5P_DEFAULT, H5P_DEFAULT);
            }
            QVERIFY(!claimsPixels(linked));
        }
        // 2^40 planes, none of which the file holds.
        const std::string vast = path("vast.h5");
        {
            Hdf5Writer out(vast);
            out.addDoubles("map", {hsize_t{1} << 40, 12}, {}, {1, 12});
            out.attribute("map", "ORDERING", "RING");
        }
        QVERIFY(line(vast).find("1 to 65536 planes") != std::string::npos);
    }
    // Types that claim more bits than their bytes hold, in data sets, records and attributes: the
    // library converts them beyond its buffers, to wrong values.
    void damagedTypes() {
        struct Record {
            int32_t pixel;
            float depth;
        };
        {
            Hdf5Writer out(path("types.h5"));
            out.addRecords("list",
                           {{"pixel", HOFFSET(Record, pixel), H5T_STD_I16LE},
                            {"depth", HOFFSET(Record, depth), H5T_IEEE_F32BE}},
                           std::vector<Record>(2));
            out.add("whole", H5T_STD_I32LE, H5T_NATIVE_INT32, {48}, std::vector<int32_t>(48));
            out.add("map", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {48}, std::vector<float>(48));
            out.attribute("map", "NSIDE", int64_t{2});
        }
        const std::string original = readBytes(path("types.h5")), file = path("damaged.h5");
        // Version and class, three bytes of flags, the size, the offset and the number of bits.
        const auto number = [](char flags, char bytes) {
            return std::string{'\x10', flags, 0, 0, bytes, 0, 0, 0, 0, 0, char(8 * bytes), 0};
        };
        const auto real = [](char order) {
            return std::string{
                '\x11', char(0x20 + order), '\x1f', 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23};
        };
        const auto isRefused = [&](const std::string& type, size_t at, char byte) {
            const size_t start = original.find(type);
            if (start == std::string::npos || original.find(type, start + 1) != std::string::npos)
                return false;
            std::string bytes = original;
            bytes[start + at] = byte;
            writeBytes(file, bytes);
            return refusal([&] { read(file); }).find("a damaged one") != std::string::npos;
        };
        writeBytes(file, original);
        QVERIFY(refusal([&] { read(file); }).find("damaged") == std::string::npos);
        for (const char bytes : {2, 4, 8}) {
            QVERIFY(isRefused(number(8, bytes), 8, 1));      // first bit
            QVERIFY(isRefused(number(8, bytes), 10, 0));     // none
            QVERIFY(isRefused(number(8, bytes), 11, 0x7f));  // 32,000 bits
        }
        for (const char order : {0, 1})
            for (const size_t at : {12, 13, 14, 15})  // exponent and mantissa
                QVERIFY(isRefused(real(order), at, '\xfa'));
    }
    // Files with some bytes changed, and cut ones: data or an error of one line. HDF5 1.10 ends its
    // process at some of them: at a damaged heap of texts of variable length, for one.
    void damagedFiles() {
        const std::vector<std::string> originals = {
            readBytes(toast("m.h5", 3, "RING", 2, {3, 16}, true)),
            readBytes(toast("v.h5", 3, "RING", 2, {3, 16})),
            readBytes(skyH5({17, 5, 9}, "ring", 2, true)), readBytes(cora())};
        std::mt19937 random(7);
        const std::string file = path("damaged.h5");
        for (int round = 0; round < 300; ++round) {
            std::string bytes = originals[static_cast<size_t>(round) % originals.size()];
            for (int i = 0; i < 3; ++i)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            if (round % 5 == 0) bytes.resize(random() % bytes.size());
            writeBytes(file, bytes);
            const std::string line = refusal([&] { read(file); });
            QVERIFY2(line.find('\n') == std::string::npos, line.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(tst_hdf5_map)
#include "tst_hdf5_map.moc"
