// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of NumPy as maps. Headers are written here as numpy.save writes them: magic, version,
// length of the header, a dictionary padded with blanks to a multiple of 64 bytes.
#include <QtTest>
#include <cstring>
#include <functional>

#include "armilla/core/error.h"
#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

// head: "{'descr': '<f4', 'fortran_order': False, 'shape': (12,), }"
std::string npyHeader(std::string head, int version = 1) {
    const size_t before = version == 1 ? 10 : 12;
    head.resize((before + head.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
    head += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    for (size_t i = 0; i < before - 8; ++i)
        bytes += static_cast<char>(head.size() >> (8 * i) & 0xff);
    return bytes + head;
}

std::string dictionary(const std::string& type, const std::string& shape,
                       const std::string& fortran = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': (" + shape +
           "), }";
}

template <class T>
std::string littleEndian(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());  // every supported host
    return bytes;
}

template <class T>
std::vector<T> counting(size_t count, T first) {
    std::vector<T> values;
    for (size_t i = 0; i < count; ++i) values.push_back(static_cast<T>(first + static_cast<T>(i)));
    return values;
}

}  // namespace

class tst_npy_map : public MapFileTest {
    Q_OBJECT

    std::string written(const std::string& bytes) const {
        writeBytes(path("map.npy"), bytes);
        return path("map.npy");
    }
    template <class T>
    HealpixMap typed(const char* type, T first) const {
        return read(
            written(npyHeader(dictionary(type, "12,")) + littleEndian(counting<T>(12, first))));
    }

private slots:
    void types() {
        const auto check = [](const HealpixMap& map, DiskType type, double first) {
            QCOMPARE(map.nside(), int64_t{1});
            QCOMPARE(map.field(0).diskType, type);
            for (int64_t p = 0; p < 12; ++p)
                QCOMPARE(map.field(0).at(p), first + static_cast<double>(p));
        };
        check(typed<float>("<f4", 0.5F), DiskType::Float32, 0.5);
        check(typed<double>("<f8", 0.1), DiskType::Float64, 0.1);
        check(typed<int8_t>("|i1", -128), DiskType::Int16, -128);
        check(typed<uint8_t>("|u1", 200), DiskType::UInt8, 200);
        check(typed<int16_t>("<i2", -32768), DiskType::Int16, -32768);
        check(typed<uint16_t>("<u2", 65500), DiskType::Int32, 65500);
        check(typed<int32_t>("<i4", -7), DiskType::Int32, -7);
        check(typed<uint32_t>("<u4", 4294967000U), DiskType::Int64, 4294967000.0);
        check(typed<int64_t>("<i8", -7), DiskType::Int64, -7);
        std::string big;
        for (int p = 0; p < 12; ++p) append(big, 3.5 + p);
        check(read(written(npyHeader(dictionary(">f8", "12,"), 2) + big)), DiskType::Float64, 3.5);
    }
    // numpy: np.array([1, -2, 65504, 2**-24, 2**-14, 1/3, 0, -0.0]).view('u2'). An infinity and a
    // NaN are bad values.
    void halfPrecision() {
        const std::vector<uint16_t> bits = {0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0x3555,
                                            0x0000, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x3c00};
        const double third = 0.333251953125;
        const std::vector<double> expected = {
            1.0,  -2.0, 65504.0, 5.9604644775390625e-8, 6.103515625e-05, third, 0.0, 0.0, kNan,
            kNan, kNan, 1.0};
        std::string big;
        for (const uint16_t word : bits) append(big, word);
        for (const HealpixMap& map :
             {read(written(npyHeader(dictionary("<f2", "12,")) + littleEndian(bits))),
              read(written(npyHeader(dictionary(">f2", "1, 1, 12")) + big))}) {
            QCOMPARE(map.field(0).diskType, DiskType::Float32);
            QVERIFY(same(valuesOf(map, 0), expected));
        }
    }
    void badValues() {
        std::vector<float> values(12, 1.0F);
        values[3] = -1.6375e30F;
        values[5] = std::nanf("");
        const HealpixMap map =
            read(written(npyHeader(dictionary("<f4", "12,")) + littleEndian(values)));
        for (int64_t p = 0; p < 12; ++p) QCOMPARE(std::isnan(map.field(0).at(p)), p == 3 || p == 5);
    }
    void fieldsAndOrdering() {
        const std::string file = written(npyHeader(dictionary("<f8", "3, 48")) +
                                         littleEndian(counting<double>(144, 0.0)));
        const FileSummary summary = inspectFile(file);
        QCOMPARE(summary.nside, int64_t{2});
        QCOMPARE(summary.columns.size(), size_t{3});
        QVERIFY(!summary.assumed.empty());
        QVERIFY(claimsPixels(file));
        QVERIFY(listHdus(file).empty());
        const HealpixMap all = read(file);
        QCOMPARE(all.ordering(), Ordering::Ring);
        QCOMPARE(all.field(2).at(1), 97.0);
        JobContext job;
        MapReadOptions options;
        options.fields = {"FIELD2"};
        options.stated.ordering = Ordering::Nested;
        const HealpixMap one = readMap(file, options, job);
        QCOMPARE(one.fieldCount(), 1);
        QCOMPARE(one.ordering(), Ordering::Nested);
        QCOMPARE(one.field(0).at(0), 48.0);
    }
    // All fields of a pixel side by side: rows of pixels, and rows of fields in Fortran's order.
    void interleaved() {
        for (const auto& [shape, fortran, isInterleaved] :
             {std::tuple("48, 3", "False", true), std::tuple("3, 48", "True", true),
              std::tuple("48, 3", "True", false)}) {
            const HealpixMap map = read(written(npyHeader(dictionary("<f8", shape, fortran)) +
                                                littleEndian(counting<double>(144, 0.0))));
            QCOMPARE(map.fieldCount(), 3);
            for (int f = 0; f < 3; ++f)
                for (int64_t p = 0; p < 48; ++p)
                    QCOMPARE(map.field(f).at(p), isInterleaved ? static_cast<double>(3 * p + f)
                                                               : static_cast<double>(48 * f + p));
        }
    }
    void refuses_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& bytes, const char* says) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                                << QString::fromLatin1(says);
        };
        const std::string data(96, '\0');
        const auto made = [&](const std::string& head) { return npyHeader(head) + data; };
        row("size", made(dictionary("<f8", "11,")), "12 NSIDE^2 values");
        row("truncated", made(dictionary("<f8", "48,")), "truncated");
        row("overflow", made(dictionary("<f8", "4611686018427387904,")), "truncated");
        row("negative", made(dictionary("<f8", "-12,")), "the shape");
        row("cube", made(dictionary("<f4", "2, 2, 12")), "the shape");
        row("no number", made(dictionary("<f4", "12x,")), "the shape");
        row("no fields", made(dictionary("<f4", "0, 12")), "the shape");
        row("scalar", made(dictionary("<f4", "")), "the shape");
        row("complex", made(dictionary("<c8", "12,")), "a.real");
        row("long double", made(dictionary("<f16", "12,")), "astype");
        row("text", made(dictionary("<U4", "12,")), "the type");
        row("record", made("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (12,), }"),
            "records");
        row("no shape", made("{'descr': '<f4', }"), "'shape'");
        row("header", npyHeader(dictionary("<f4", "12,")).substr(0, 40), "the end of the file");
        row("version", npyHeader(dictionary("<f4", "12,"), 9) + data, "damaged");
        row("flags of 64 bits", npyHeader(dictionary("<i8", "12,")) + std::string(96, '\x70'),
            "2^53");
    }
    void refuses() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const std::string file = written(bytes.toStdString());
        JobContext job;
        std::string why;
        try {
            readMap(file, {}, job);
        } catch (const Error& error) {
            why = error.what();
        }
        QVERIFY2(QString::fromStdString(why).contains(says), why.c_str());
        QVERIFY(!QString::fromStdString(why).contains('\n'));
    }
};

QTEST_GUILESS_MAIN(tst_npy_map)
#include "tst_npy_map.moc"
