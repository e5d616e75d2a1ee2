// SPDX-License-Identifier: GPL-3.0-or-later
// HealSparse maps written in HDF5, against the layout that healsparse 1.15 reads
// (io_map_hdf5.py), read here by the library: row r of sparse_map holds the pixels of the cover
// whose number in cov_index_map is r tiles less its own first pixel.
#include <hdf5.h>

#include <QFile>
#include <QtEndian>
#include <QtTest>
#include <limits>

#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

// A file opened for reading.
class Hdf5File {
public:
    explicit Hdf5File(const std::string& path)
        : id_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {}
    ~Hdf5File() { H5Fclose(id_); }
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;

    std::vector<double> numbers(const char* set) const {
        const hid_t data = H5Dopen2(id_, set, H5P_DEFAULT), space = H5Dget_space(data);
        std::vector<double> values(static_cast<size_t>(H5Sget_simple_extent_npoints(space)));
        H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Sclose(space);
        H5Dclose(data);
        return values;
    }
    std::vector<hsize_t> size(const char* set) const {
        const hid_t data = H5Dopen2(id_, set, H5P_DEFAULT), space = H5Dget_space(data);
        std::vector<hsize_t> size(static_cast<size_t>(H5Sget_simple_extent_ndims(space)));
        H5Sget_simple_extent_dims(space, size.data(), nullptr);
        H5Sclose(space);
        H5Dclose(data);
        return size;
    }
    // Class, bytes and sign of the numbers of a data set, as "f4", "i8", "u1", "b1".
    std::string type(const char* set) const {
        const hid_t data = H5Dopen2(id_, set, H5P_DEFAULT), type = H5Dget_type(data);
        const H5T_class_t kind = H5Tget_class(type);
        const char letter = kind == H5T_FLOAT                   ? 'f'
                            : kind == H5T_ENUM                  ? 'b'
                            : H5Tget_sign(type) == H5T_SGN_NONE ? 'u'
                                                                : 'i';
        const std::string text = letter + std::to_string(H5Tget_size(type));
        H5Tclose(type);
        H5Dclose(data);
        return text;
    }
    double number(const char* name) const {
        const hid_t group = H5Gopen2(id_, "map", H5P_DEFAULT),
                    attribute = H5Aopen(group, name, H5P_DEFAULT), type = H5Aget_type(attribute);
        double value = kNan;
        if (H5Tget_class(type) == H5T_ENUM) {
            signed char flag = -1;
            H5Aread(attribute, type, &flag);
            value = flag;
        } else {
            H5Aread(attribute, H5T_NATIVE_DOUBLE, &value);
        }
        H5Tclose(type);
        H5Aclose(attribute);
        H5Gclose(group);
        return value;
    }
    bool hasAttribute(const char* name) const {
        return H5Aexists_by_name(id_, "map", name, H5P_DEFAULT) > 0;
    }

private:
    hid_t id_;
};

Field fieldOf(const char* name, DiskType type, std::vector<double> values) {
    Field field{name, "", type, {}};
    if (type == DiskType::Float32)
        field.values = std::vector<float>(values.begin(), values.end());
    else
        field.values = std::move(values);
    return field;
}

}  // namespace

class tst_healsparse_hdf5 : public MapFileTest {
    Q_OBJECT

    // Three pixels of nside 128 in covers 5 and 40 of nside 32, of 16 pixels each.
    HealpixMap mapOf(std::vector<Field> fields, Frame frame = Frame::Unknown) const {
        return HealpixMap::partial(128, Ordering::Nested, frame,
                                   {5 * 16 + 3, 40 * 16, 40 * 16 + 15}, std::move(fields));
    }
    std::string written(const HealpixMap& map, const char* name) {
        writeMap(map, path(name), {.overwrite = true, .history = {"made by a test"}}, job_);
        return path(name);
    }
    JobContext job_;

private slots:
    void numbers() {
        const std::string file =
            written(mapOf({fieldOf("A", DiskType::Float32, {1.5, kNan, -2.25})}, Frame::Equatorial),
                    "f4.hdf5");
        {
            const Hdf5File hdf5(file);
            QCOMPARE(hdf5.number("nside_sparse"), 128.0);
            QCOMPARE(hdf5.number("nside_coverage"), 32.0);
            QCOMPARE(hdf5.number("nest"), 1.0);
            for (const char* name : {"is_rec_array", "is_bit_packed", "is_wide_mask"})
                QCOMPARE(hdf5.number(name), 0.0);
            QCOMPARE(hdf5.number("wide_mask_width"), 0.0);
            QVERIFY(hdf5.hasAttribute("primary") && hdf5.hasAttribute("HISTORY"));
            QCOMPARE(hdf5.type("map/sparse_map"), std::string("f4"));
            QCOMPARE(hdf5.size("map/sparse_map"), (std::vector<hsize_t>{3, 16}));
            const auto index = hdf5.numbers("map/cov_index_map");
            QCOMPARE(index.size(), size_t{12 * 32 * 32});
            for (int cover = 0; cover < 50; ++cover)
                QCOMPARE(index[size_t(cover)], 16.0 * ((cover == 5    ? 1
                                                        : cover == 40 ? 2
                                                                      : 0) -
                                                       cover));
            const auto values = hdf5.numbers("map/sparse_map");
            const double sentinel = hdf5.number("sentinel");
            QCOMPARE(sentinel, double(float(kUnseen)));
            for (size_t i = 0; i < values.size(); ++i)
                QCOMPARE(values[i], i == 16 + 3 ? 1.5 : i == 32 + 15 ? -2.25 : sentinel);
        }
        const HealpixMap back = read(file);
        QCOMPARE(back.elementCount(), int64_t{2});
        QCOMPARE(back.frame(), Frame::Equatorial);
        QCOMPARE(back.value(0, 83), 1.5);
        QCOMPARE(back.value(0, 655), -2.25);
        QVERIFY(back.metadata().history.front().find("made by a test") != std::string::npos);
        // The same map gives the same bytes.
        QFile first(QString::fromStdString(file));
        QVERIFY(first.open(QIODevice::ReadOnly));
        const QByteArray bytes = first.readAll();
        QFile second(QString::fromStdString(
            written(mapOf({fieldOf("A", DiskType::Float32, {1.5, kNan, -2.25})}, Frame::Equatorial),
                    "again.h5")));
        QVERIFY(second.open(QIODevice::ReadOnly));
        QVERIFY(second.readAll() == bytes);
    }
    void integers() {
        for (const auto& [type, text] :
             {std::pair(DiskType::Int16, "i2"), std::pair(DiskType::Int32, "i4"),
              std::pair(DiskType::Int64, "i8")}) {
            const std::string file = written(mapOf({fieldOf("N", type, {7, -3, kNan})}), "i.h5");
            {
                const Hdf5File hdf5(file);
                QCOMPARE(hdf5.type("map/sparse_map"), std::string(text));
                const auto values = hdf5.numbers("map/sparse_map");
                QCOMPARE(values[16 + 3], 7.0);
                QCOMPARE(values[32], -3.0);
                QCOMPARE(values[32 + 15], hdf5.number("sentinel"));
                QCOMPARE(values[0], hdf5.number("sentinel"));
            }
            const HealpixMap back = read(file);
            QCOMPARE(back.elementCount(), int64_t{2});
            QCOMPARE(back.value(0, 83), 7.0);
        }
    }
    // One flag: bits, the lowest first, or logical values where a tile has four pixels.
    void flags() {
        const std::string file =
            written(mapOf({fieldOf("F", DiskType::Logical, {1, 0, 1})}), "b.h5");
        {
            const Hdf5File hdf5(file);
            QCOMPARE(hdf5.number("is_bit_packed"), 1.0);
            QCOMPARE(hdf5.number("sentinel"), 0.0);
            QCOMPARE(hdf5.type("map/sparse_map"), std::string("u1"));
            QCOMPARE(hdf5.numbers("map/sparse_map"), (std::vector<double>{0, 0, 8, 0, 0, 128}));
        }
        QCOMPARE(read(file).elementCount(), int64_t{2});
        QCOMPARE(read(file).value(0, 655), 1.0);
        HealpixMap small = HealpixMap::partial(64, Ordering::Nested, Frame::Unknown, {5 * 4 + 2},
                                               {fieldOf("F", DiskType::Logical, {1})});
        const std::string few = written(small, "few.h5");
        {
            const Hdf5File hdf5(few);
            QCOMPARE(hdf5.number("is_bit_packed"), 0.0);
            QCOMPARE(hdf5.type("map/sparse_map"), std::string("b1"));
        }
        QCOMPARE(read(few).value(0, 22), 1.0);
    }
    // Bit 8 is the lowest of the second byte.
    void wideMask() {
        std::vector<Field> fields;
        for (int bit = 0; bit < 9; ++bit)
            fields.push_back(fieldOf(("M" + std::to_string(bit)).c_str(), DiskType::Logical,
                                     {bit == 0 ? 1.0 : 0.0, 0.0, bit % 4 == 0 ? 1.0 : 0.0}));
        const std::string file = written(mapOf(std::move(fields)), "w.h5");
        {
            const Hdf5File hdf5(file);
            QCOMPARE(hdf5.number("is_wide_mask"), 1.0);
            QCOMPARE(hdf5.number("wide_mask_width"), 2.0);
            QCOMPARE(hdf5.size("map/sparse_map"), (std::vector<hsize_t>{3, 16, 2}));
            const auto values = hdf5.numbers("map/sparse_map");
            for (size_t i = 0; i < values.size(); ++i)
                QCOMPARE(values[i], i == 2 * 19       ? 1.0
                                    : i == 2 * 47     ? 17.0
                                    : i == 2 * 47 + 1 ? 1.0
                                                      : 0.0);
        }
        const HealpixMap back = read(file, {"M8", "M4"});
        QCOMPARE(back.value(0, 655), 1.0);
        QCOMPARE(back.value(1, 83), 0.0);
    }
    // A group for each field, units, and the sign of U in the convention of the file.
    void records() {
        HealpixMap map = mapOf({fieldOf("Q_POLARISATION", DiskType::Float64, {1, 2, 3}),
                                fieldOf("U_POLARISATION", DiskType::Float64, {4, 5, 6}),
                                fieldOf("N", DiskType::Int32, {7, 8, 9})},
                               Frame::Galactic);
        map.field(0).unit = map.field(1).unit = "uK";
        map.metadata().iauOnDisk = true;
        const std::string file = written(map, "r.h5");
        {
            const Hdf5File hdf5(file);
            QCOMPARE(hdf5.number("is_rec_array"), 1.0);
            QCOMPARE(hdf5.numbers("map/U_POLARISATION/sparse_map")[16 + 3], -4.0);
            QCOMPARE(hdf5.type("map/N/sparse_map"), std::string("i4"));
            QCOMPARE(hdf5.numbers("map/N/sparse_map")[32 + 15], 9.0);
        }
        const HealpixMap back = read(file);
        QCOMPARE(back.elementCount(), int64_t{3});
        QCOMPARE(back.frame(), Frame::Galactic);
        const int u = back.fieldIndex("U_POLARISATION");
        QCOMPARE(back.value(u, 655), 6.0);
        QCOMPARE(back.field(u).unit, std::string("uK"));
        QVERIFY(back.metadata().iauOnDisk);
    }
    // The library walks a heap of texts without end where the size of its free space is 0. The
    // process that meets the file first is ended after seconds of processor time.
    void endlessHeap() {
        HealpixMap map(64, Ordering::Nested, Frame::Galactic,
                       {{"N", "K", DiskType::Float32, std::vector<float>(12 * 64 * 64, 1.0F)}});
        writeMap(map, path("heap.h5"), {.overwrite = true, .history = {"made by a test"}}, job_);
        QFile file(QString::fromStdString(path("heap.h5")));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray bytes = file.readAll();
        // Each object has its number in 2 bytes and its size at byte 8 of a header of 16; the free
        // space has the number 0 (HDF5 File Format Specification, III.E).
        qsizetype at = bytes.indexOf("GCOL");
        QVERIFY(at > 0);
        at += 16;
        while (qFromLittleEndian<quint16>(bytes.constData() + at) != 0)
            at += 16 + (qFromLittleEndian<qint64>(bytes.constData() + at + 8) + 7) / 8 * 8;
        bytes.replace(at + 8, 8, QByteArray(8, '\0'));
        file.seek(0);
        QCOMPARE(file.write(bytes), bytes.size());
        file.close();
        const std::string words = refusal([&] { readMap(path("heap.h5"), {}, job_); });
        QVERIFY2(words.find("a damaged one") != std::string::npos, words.c_str());
    }

    void refusals() {
        const HealpixMap odd(3, Ordering::Ring, Frame::Unknown,
                             {fieldOf("A", DiskType::Float64, std::vector<double>(108, 1.0))});
        QVERIFY(refusal([&] { writeMap(odd, path("odd.h5"), {}, job_); }).find("a power of two") !=
                std::string::npos);
        QVERIFY(!QFile::exists(QString::fromStdString(path("odd.h5"))));
        // A file that exists is kept.
        const HealpixMap map = mapOf({fieldOf("A", DiskType::Float64, {1, 2, 3})});
        written(map, "kept.h5");
        QVERIFY(!refusal([&] { writeMap(map, path("kept.h5"), {}, job_); }).empty());
        QCOMPARE(read(path("kept.h5")).elementCount(), int64_t{3});
    }
};

QTEST_GUILESS_MAIN(tst_healsparse_hdf5)
#include "tst_healsparse_hdf5.moc"
