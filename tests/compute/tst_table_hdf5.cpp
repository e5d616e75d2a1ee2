// SPDX-License-Identifier: GPL-3.0-or-later
// Samples in HDF5 files, written here by the library.
#include <hdf5.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"

using namespace armilla;

class tst_table_hdf5 : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QVERIFY(folder_.isValid());
        path_ = folder_.filePath("samples.hdf5").toStdString();
        const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t group = H5Gcreate2(file, "coords", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        add(file, "coords/ra", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {3},
            std::vector{10.5F, 20.F, 359.F});
        // Big-endian on disk.
        add(file, "coords/dec", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, {3},
            std::vector{-90.0, 0.1, 45.0});
        add(file, "value", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {3, 2},
            std::vector{1.F, 2.F, 3.F, 4.F, 5.F, 6.F});
        add(file, "flag", H5T_STD_U8LE, H5T_NATIVE_INT, {3}, std::vector{0, 1, 255});
        add(file, "frequencies", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2}, std::vector{1.4e9, 1.5e9});
        add(file, "cube", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {1, 1, 1}, std::vector{1.F});
        H5Gclose(group);
        H5Fclose(file);
    }
    void columns() {
        JobContext job;
        const Table table = readTable(path_, {}, job);
        QCOMPARE(table.rows(), 3);
        QCOMPARE(table.columns.size(), size_t{4});
        QVERIFY(std::get<1>(table.columns[size_t(*table.find("ra"))].values) ==
                (std::vector<float>{10.5F, 20.F, 359.F}));
        const TableColumn& dec = table.columns[size_t(*table.find("dec"))];
        QVERIFY(std::get<0>(dec.values) == (std::vector<double>{-90.0, 0.1, 45.0}));
        QCOMPARE(dec.unit, std::string("deg"));
        const TableColumn& value = table.columns[size_t(*table.find("value"))];
        QCOMPARE(value.width, 2);
        QCOMPARE(value.number(2, 1), 6.0);
        QCOMPARE(table.columns[size_t(*table.find("flag"))].number(2), 255.0);
        QVERIFY(table.leftOut == (std::vector<std::string>{"cube", "frequencies"}));
    }
    void someColumns() {
        JobContext job;
        const Table table = readTable(path_, {{"value", "ra"}, {}}, job);
        QCOMPARE(table.columns.size(), size_t{2});
        QCOMPARE(table.columns[1].name, std::string("ra"));
        QVERIFY_EXCEPTION_THROWN(readTable(path_, {{"none"}, {}}, job), IoError);
    }
    void catalog() {
        JobContext job;
        const Catalog samples = readCatalog(path_, job);
        QCOMPARE(samples.frame(), Frame::Equatorial);
        QCOMPARE(samples.at(2).lat, 45.0 * kDegree);
        QCOMPARE(inspectFile(path_).kind, FileKind::Samples);
    }
    // A data set of records, as structured arrays are written: members are columns.
    void records() {
        struct Record {
            double ra, dec;
            float spectrum[3];
            int16_t flag;
            char name[4];
        };
        const std::vector<Record> rows{{1.5, -2.5, {1.F, 2.F, 3.F}, -7, {'a', 'b', 'c', 'd'}},
                                       {2.5, 3.5, {4.F, 5.F, 6.F}, 9, {'e', 0, 0, 0}}};
        const hsize_t three = 3;
        const hid_t array = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &three);
        const hid_t text = H5Tcopy(H5T_C_S1);
        H5Tset_size(text, 4);
        H5Tset_strpad(text, H5T_STR_NULLPAD);
        const hid_t record = H5Tcreate(H5T_COMPOUND, sizeof(Record));
        H5Tinsert(record, "RA", HOFFSET(Record, ra), H5T_NATIVE_DOUBLE);
        H5Tinsert(record, "DEC", HOFFSET(Record, dec), H5T_NATIVE_DOUBLE);
        H5Tinsert(record, "SPECTRUM", HOFFSET(Record, spectrum), array);
        H5Tinsert(record, "FLAG", HOFFSET(Record, flag), H5T_NATIVE_INT16);
        H5Tinsert(record, "NAME", HOFFSET(Record, name), text);
        const std::string path = folder_.filePath("records.h5").toStdString();
        const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        add(file, "table", record, record, {rows.size()}, rows);
        H5Tclose(record);
        H5Tclose(text);
        H5Tclose(array);
        H5Fclose(file);
        JobContext job;
        const Table table = readTable(path, {}, job);
        QCOMPARE(table.rows(), 2);
        QCOMPARE(table.columns.size(), size_t{5});
        const auto column = [&](const char* name) -> const TableColumn& {
            return table.columns[size_t(table.columnIndex(name))];
        };
        QVERIFY(std::get<0>(column("RA").values) == (std::vector<double>{1.5, 2.5}));
        QVERIFY(std::get<0>(column("DEC").values) == (std::vector<double>{-2.5, 3.5}));
        QVERIFY(std::get<1>(column("SPECTRUM").values) ==
                (std::vector<float>{1.F, 2.F, 3.F, 4.F, 5.F, 6.F}));
        QVERIFY(std::get<2>(column("FLAG").values) == (std::vector<int64_t>{-7, 9}));
        QVERIFY(std::get<3>(column("NAME").values) == (std::vector<std::string>{"abcd", "e"}));
    }
    // Data sets of l and C_l, as h5py writes them with f["l"] = ..., f["TT"] = ...: a curve, and a
    // spectrum.
    void spectra() {
        const std::string path = folder_.filePath("cl.h5").toStdString();
        const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        add(file, "l", H5T_STD_I64LE, H5T_NATIVE_INT, {4}, std::vector{0, 1, 2, 3});
        add(file, "TT", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {4}, std::vector{0.0, 0.0, 5.0, 7.0});
        add(file, "EE", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {4}, std::vector{0.0, 0.0, 2.0, 3.0});
        H5Fclose(file);
        JobContext job;
        const auto curve = findCurve(path, job);
        QVERIFY(curve.has_value());
        QCOMPARE(curve->kind, CurveKind::Spectrum);
        QVERIFY(curve->x == (std::vector<double>{0, 1, 2, 3}));
        const Spectra spectra = readSpectra(path);
        QVERIFY(spectra.cl[0] == (std::vector<double>{0, 0, 5, 7}));
        QVERIFY(spectra.cl[1] == (std::vector<double>{0, 0, 2, 3}));
    }
    // Unsigned integers up to the largest signed one; with larger ones the column becomes texts.
    void unsignedIntegers() {
        constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
        const std::string path = folder_.filePath("ids.h5").toStdString();
        const auto write = [&](const std::vector<uint64_t>& ids) {
            const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
            add(file, "id", H5T_STD_U64BE, H5T_NATIVE_UINT64, {2}, ids);
            add(file, "flux", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2}, std::vector{1.0, 2.0});
            H5Fclose(file);
        };
        JobContext job;
        write({7, kMost});
        const Table table = readTable(path, {}, job);
        QVERIFY(std::get<2>(table.columns[size_t(table.columnIndex("id"))].values) ==
                (std::vector<int64_t>{7, std::numeric_limits<int64_t>::max()}));
        write({7, kMost + 1});
        const Table large = readTable(path, {}, job);
        QVERIFY(std::get<3>(large.columns[size_t(large.columnIndex("id"))].values) ==
                (std::vector<std::string>{"7", "9223372036854775808"}));
    }
    // DataFrame.to_hdf of pandas with format='fixed': blocks of the columns of one type, beside
    // data sets with the names of the columns.
    void pandasFixed() {
        const std::string path = folder_.filePath("fixed.h5").toStdString();
        const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t group = H5Gcreate2(file, "df", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        const auto text = [](size_t size) {
            const hid_t type = H5Tcopy(H5T_C_S1);
            H5Tset_size(type, size);
            return type;
        };
        const hid_t three = text(3), one = text(1);
        add(file, "df/axis0", three, three, {3},
            std::vector<char>{'r', 'a', 0, 'd', 'e', 'c', 'k', 0, 0});
        add(file, "df/axis1", H5T_STD_I64LE, H5T_NATIVE_INT, {4}, std::vector{0, 1, 2, 3});
        add(file, "df/block0_items", three, three, {2},
            std::vector<char>{'r', 'a', 0, 'd', 'e', 'c'});
        add(file, "df/block0_values", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {4, 2},
            std::vector{1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0});
        add(file, "df/block1_items", one, one, {1}, std::vector<char>{'k'});
        add(file, "df/block1_values", H5T_STD_I64LE, H5T_NATIVE_INT, {4, 1},
            std::vector{5, 6, 7, 8});
        H5Tclose(three);
        H5Tclose(one);
        H5Gclose(group);
        H5Fclose(file);
        JobContext job;
        const Catalog catalog = readCatalog(path, job);
        QCOMPARE(catalog.at(2).lon, 3.0 * kDegree);
        QCOMPARE(catalog.at(2).lat, -3.0 * kDegree);
        const Table some = readTable(path, {{"k", "dec"}, {}}, job);
        QVERIFY(std::get<2>(some.columns[0].values) == (std::vector<int64_t>{5, 6, 7, 8}));
        QVERIFY(std::get<0>(some.columns[1].values) == (std::vector<double>{-1, -2, -3, -4}));
    }
    // The same with format='table': records with arrays, also of one value, whose names are an
    // attribute in Python's pickle.
    void pandasTable() {
        struct Record {
            int64_t index;
            double block0[2];
            int32_t block1[1];
            char block2[2][3];
        };
        const std::vector<Record> rows{{0, {1.0, -1.0}, {5}, {{'a', 'b', 'c'}, {'x', 0, 0}}},
                                       {1, {2.0, -2.0}, {6}, {{'d', 0, 0}, {'y', 'z', 0}}}};
        const hsize_t two = 2, single = 1;
        const hid_t text = H5Tcopy(H5T_C_S1);
        H5Tset_size(text, 3);
        H5Tset_strpad(text, H5T_STR_NULLPAD);
        const hid_t pair = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &two),
                    alone = H5Tarray_create2(H5T_NATIVE_INT32, 1, &single),
                    texts = H5Tarray_create2(text, 1, &two);
        const hid_t record = H5Tcreate(H5T_COMPOUND, sizeof(Record));
        H5Tinsert(record, "index", HOFFSET(Record, index), H5T_NATIVE_INT64);
        H5Tinsert(record, "values_block_0", HOFFSET(Record, block0), pair);
        H5Tinsert(record, "values_block_1", HOFFSET(Record, block1), alone);
        H5Tinsert(record, "values_block_2", HOFFSET(Record, block2), texts);
        const std::string path = folder_.filePath("pandas.h5").toStdString();
        const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t group = H5Gcreate2(file, "df", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        add(file, "df/table", record, record, {rows.size()}, rows);
        H5Gclose(group);
        addText(file, "df/table", "values_block_0_kind", "(lp0\nVra\np1\naVdec\np2\na.", false,
                H5T_CSET_ASCII, false);
        addText(file, "df/table", "values_block_1_kind", "(lp0\nVk\np1\na.", false, H5T_CSET_ASCII,
                false);
        addText(file, "df/table", "values_block_2_kind", "(lp0\nVname\np1\naVkind\np2\na.", false,
                H5T_CSET_ASCII, false);
        for (const hid_t type : {text, pair, alone, texts, record}) H5Tclose(type);
        H5Fclose(file);
        JobContext job;
        const Catalog catalog = readCatalog(path, job);
        QCOMPARE(catalog.at(1).lon, 2.0 * kDegree);
        QCOMPARE(catalog.at(1).lat, -2.0 * kDegree);
        const auto column = [&](const char* name) -> const TableColumn& {
            return catalog.table.columns[size_t(catalog.table.columnIndex(name))];
        };
        QVERIFY(std::get<2>(column("k").values) == (std::vector<int64_t>{5, 6}));
        QVERIFY(std::get<3>(column("name").values) == (std::vector<std::string>{"abc", "d"}));
        QVERIFY(std::get<3>(column("kind").values) == (std::vector<std::string>{"x", "yz"}));
    }
    // Records are read once for all columns, not once for each.
    void recordsReadOnce() {
        constexpr size_t kRows = 50000, kColumns = 20;
        const std::string path = folder_.filePath("wide.h5").toStdString();
        const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t record = H5Tcreate(H5T_COMPOUND, kColumns * sizeof(double));
        for (size_t c = 0; c < kColumns; ++c)
            H5Tinsert(record, ("c" + std::to_string(c)).c_str(), c * sizeof(double),
                      H5T_NATIVE_DOUBLE);
        std::vector<double> values(kRows * kColumns);
        for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
        add(file, "table", record, record, {kRows}, values);
        H5Tclose(record);
        H5Fclose(file);
        // Bytes that this process has read from files.
        const auto bytesRead = [] {
            QFile counts("/proc/self/io");
            if (!counts.open(QIODevice::ReadOnly)) return qint64{-1};
            return counts.readAll().split('\n').first().split(' ').last().toLongLong();
        };
        JobContext job;
        const qint64 before = bytesRead();
        const Table table = readTable(path, {}, job);
        const qint64 read = bytesRead() - before;
        QVERIFY(before > 0);
        QCOMPARE(table.columns.size(), kColumns);
        for (size_t c = 0; c < kColumns; ++c)
            QCOMPARE(
                table.columns[static_cast<size_t>(*table.find("c" + std::to_string(c)))].number(
                    kRows - 1),
                static_cast<double>((kRows - 1) * kColumns + c));
        // The values, and the starts and metadata of the file.
        const auto size = static_cast<qint64>(values.size() * sizeof(double));
        QVERIFY2(read >= size && read < size + (1 << 20), qPrintable(QString::number(read)));
    }
    // Text attributes in the format of h5py: of variable or fixed length, ASCII or UTF-8, a scalar
    // or an array of one; under common names.
    void units() {
        const std::string path = folder_.filePath("units.h5").toStdString();
        const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        std::vector<std::string> names;
        for (const char* key : {"unit", "units", "UNIT"})
            for (const bool isVariable : {true, false})
                for (const auto set : {H5T_CSET_ASCII, H5T_CSET_UTF8})
                    for (const bool isArray : {true, false}) {
                        names.push_back("c" + std::to_string(names.size()));
                        addPlain(file, names.back().c_str(), {0.5, 1.0});
                        addText(file, names.back().c_str(), key, "rad", isVariable, set, isArray);
                    }
        H5Fclose(file);
        JobContext job;
        const Table table = readTable(path, {}, job);
        QCOMPARE(table.columns.size(), names.size());
        for (const TableColumn& column : table.columns) QCOMPARE(column.unit, std::string("rad"));
    }
    void radians() {
        const std::string path = folder_.filePath("radians.h5").toStdString();
        const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        for (const char* name : {"ra", "dec"}) {
            addPlain(file, name, {0.5, 1.0});
            addText(file, name, "unit", "radian", true, H5T_CSET_UTF8, false);
        }
        H5Fclose(file);
        JobContext job;
        QCOMPARE(readCatalog(path, job).at(1).lon, 1.0);
    }
    // write_table_hdf5 of astropy 8.0 with serialize_meta: records in "data", and lines of YAML.
    void astropy() {
        struct Record {
            double ra, dec;
            float flux[3];
        };
        const std::vector<Record> rows{{0.1, 0.2, {1.F, 2.F, 3.F}}, {0.3, 0.4, {4.F, 5.F, 6.F}}};
        const std::vector<std::string> lines{
            "datatype:",
            "- {name: RA, unit: rad, datatype: float64, description: Right ascension}",
            "- {name: DEC, unit: rad, datatype: float64}",
            "- {name: S, unit: Jy / beam, datatype: string, subtype: 'float32[3]'}",
            "meta: !!omap",
            "- {X: 'y: \"z\"'}",
            "- __serialized_columns__:",
            "    DEC:",
            "      unit: &id001 !astropy.units.Unit {unit: rad}",
            "    RA:",
            "      unit: *id001"};
        const std::string path = folder_.filePath("astropy.h5").toStdString();
        const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hsize_t three = 3;
        const hid_t array = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &three);
        const hid_t record = H5Tcreate(H5T_COMPOUND, sizeof(Record));
        H5Tinsert(record, "RA", HOFFSET(Record, ra), H5T_NATIVE_DOUBLE);
        H5Tinsert(record, "DEC", HOFFSET(Record, dec), H5T_NATIVE_DOUBLE);
        H5Tinsert(record, "S", HOFFSET(Record, flux), array);
        addPlainOf(file, "data", record, rows.size(), rows.data());
        constexpr size_t kLetters = 72;
        std::vector<char> text(kLetters * lines.size(), '\0');
        for (size_t i = 0; i < lines.size(); ++i)
            std::copy(lines[i].begin(), lines[i].end(), text.begin() + long(kLetters * i));
        const hid_t letters = H5Tcopy(H5T_C_S1);
        H5Tset_size(letters, kLetters);
        H5Tset_strpad(letters, H5T_STR_NULLPAD);
        addPlainOf(file, "data.__table_column_meta__", letters, lines.size(), text.data());
        H5Tclose(letters);
        H5Tclose(record);
        H5Tclose(array);
        H5Fclose(file);
        JobContext job;
        const Catalog catalog = readCatalog(path, job);
        QCOMPARE(catalog.rows(), 2);
        QCOMPARE(catalog.at(1).lon, 0.3);
        QCOMPARE(catalog.at(1).lat, 0.4);
        const TableColumn& flux = catalog.table.columns[size_t(catalog.table.columnIndex("S"))];
        QCOMPARE(flux.unit, std::string("Jy / beam"));
        QCOMPARE(catalog.table.columns.front().description, std::string("Right ascension"));
        QVERIFY(catalog.table.leftOut.empty());
    }
    // Logical values as h5py writes them, as flags and as the mask of a column of astropy.
    void logicalValues() {
        const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t logical = H5Tenum_create(H5T_STD_I8LE);
        for (const auto& [name, value] : {std::pair{"FALSE", int8_t{0}}, {"TRUE", int8_t{1}}})
            H5Tenum_insert(logical, name, &value);
        add(file, "ra", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {3}, std::vector{1.0, 2.0, 3.0});
        add(file, "T", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {3}, std::vector{4.0, 5.0, 6.0});
        add(file, "T.mask", logical, logical, {3}, std::vector<int8_t>{0, 1, 0});
        add(file, "BAD", logical, logical, {3}, std::vector<int8_t>{1, 0, 0});
        H5Tclose(logical);
        H5Fclose(file);
        JobContext job;
        const Table table = readTable(path_, {}, job);
        QCOMPARE(table.columns.size(), size_t{3});
        const TableColumn& values = table.columns[size_t(*table.find("T"))];
        QVERIFY(values.number(0) == 4.0 && std::isnan(values.number(1)) && values.number(2) == 6.0);
        const TableColumn& bad = table.columns[size_t(*table.find("BAD"))];
        QVERIFY(bad.number(0) == 1.0 && bad.number(1) == 0.0);
    }
    // Truncated anywhere: an error line, no crash.
    void truncated() {
        QFile file(QString::fromStdString(path_));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        file.close();
        for (qsizetype length = 0; length < whole.size(); length += 97) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(whole.left(length));
            file.close();
            JobContext job;
            QVERIFY_EXCEPTION_THROWN(readTable(path_, {}, job), Error);
        }
    }

private:
    static void addPlainOf(hid_t file, const char* name, hid_t type, hsize_t size,
                           const void* values) {
        const hid_t space = H5Screate_simple(1, &size, nullptr);
        const hid_t set =
            H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        H5Dclose(set);
        H5Sclose(space);
    }
    static void addPlain(hid_t file, const char* name, const std::vector<double>& values) {
        addPlainOf(file, name, H5T_NATIVE_DOUBLE, values.size(), values.data());
    }
    static void addText(hid_t file, const char* name, const char* key, const char* text,
                        bool isVariable, H5T_cset_t letters, bool isArray) {
        const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, isVariable ? H5T_VARIABLE : strlen(text));
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        if (isVariable) H5Tset_strpad(type, H5T_STR_NULLTERM);
        H5Tset_cset(type, letters);
        const hsize_t one = 1;
        const hid_t space = isArray ? H5Screate_simple(1, &one, nullptr) : H5Screate(H5S_SCALAR);
        const hid_t attribute = H5Acreate2(set, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(attribute, type, isVariable ? static_cast<const void*>(&text) : text);
        H5Aclose(attribute);
        H5Sclose(space);
        H5Tclose(type);
        H5Dclose(set);
    }
    template <typename Value>
    static void add(hid_t file, const char* name, hid_t stored, hid_t held,
                    const std::vector<hsize_t>& size, const std::vector<Value>& values) {
        const hid_t space = H5Screate_simple(int(size.size()), size.data(), nullptr);
        const hid_t set =
            H5Dcreate2(file, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(set, held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        const hid_t text = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
        H5Tset_size(text, 3);
        const hid_t unit = H5Acreate2(set, "unit", text, one, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(unit, text, "deg");
        H5Aclose(unit);
        H5Sclose(one);
        H5Tclose(text);
        H5Dclose(set);
        H5Sclose(space);
    }

    QTemporaryDir folder_;
    std::string path_;
};

QTEST_GUILESS_MAIN(tst_table_hdf5)
#include "tst_table_hdf5.moc"
