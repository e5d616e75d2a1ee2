// SPDX-License-Identifier: GPL-3.0-or-later
// Tables with a vector in each pixel: livetime cubes, spectra, Stokes parameters in one column.
// Files are made byte by byte here.
#include <QtTest>

#include "armilla/io/file_parts.h"
#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

// Element i of the vector in row r.
double element(int64_t row, int64_t i) {
    return static_cast<double>(1000 * i + row);
}

// A table of one column with a vector of doubles in each row.
HduBytes vectorTable(const std::string& name, int64_t width, int64_t rows) {
    HduBytes table = tableHdu({{name, std::to_string(width) + "D"}}, 8 * width, rows);
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t i = 0; i < width; ++i) append(table.data, element(row, i));
    return table;
}

// True if field f holds element f of the vectors for the pixels of the map in rows 0, 1, ...
bool holdsElements(const HealpixMap& map, int64_t fields) {
    if (map.fieldCount() != fields) return false;
    for (int f = 0; f < map.fieldCount(); ++f)
        for (int64_t row = 0; row < map.elementCount(); ++row)
            if (map.field(f).at(row) != element(row, f)) return false;
    return true;
}

HduBytes edgesTable(const std::string& extension, const std::string& low, const std::string& high,
                    const std::vector<double>& edges) {
    const std::vector<double> lows(edges.begin(), edges.end() - 1),
        highs(edges.begin() + 1, edges.end());
    HduBytes table = doubleTable({low, high}, {lows, highs});
    table.setText("EXTNAME", extension);
    return table;
}

}  // namespace

class tst_pixel_vectors : public MapFileTest {
    Q_OBJECT

private:
    HealpixMap stated(const std::string& file, int64_t nside) {
        return readMap(file, {{}, {nside, {}, {}}, nullptr}, job_);
    }
    JobContext job_;

private slots:
    // Complex numbers, packed as healpy.write_map does and one in a row: two fields.
    void complexNumbers() {
        for (const int64_t width : {16, 1}) {
            HduBytes table = tableHdu(
                {{"SPIN", std::to_string(width) + "M"}, {"HITS", std::to_string(width) + "D"}},
                24 * width, 48 / width);
            for (int64_t row = 0; row < 48 / width; ++row) {
                for (int64_t i = 0; i < width; ++i) {
                    append(table.data, static_cast<double>(row * width + i));
                    append(table.data, -0.5 * static_cast<double>(row * width + i));
                }
                for (int64_t i = 0; i < width; ++i)
                    append(table.data, static_cast<double>(7 * (row * width + i)));
            }
            mapKeywords(table, 2, "RING");
            const HealpixMap map = read(written(table.bytes()));
            QCOMPARE(map.fieldCount(), 3);
            QCOMPARE(map.field(0).name, std::string("SPIN_REAL"));
            QCOMPARE(map.field(1).name, std::string("SPIN_IMAG"));
            for (int64_t p = 0; p < 48; ++p) {
                QCOMPARE(map.field(0).at(p), static_cast<double>(p));
                QCOMPARE(map.field(1).at(p), -0.5 * static_cast<double>(p));
                QCOMPARE(map.field(2).at(p), static_cast<double>(7 * p));
            }
        }
        // One column alone: rows follow each other without a gap.
        HduBytes table = tableHdu({{"", "4C"}}, 32, 12);
        for (int i = 0; i < 48; ++i) {
            append(table.data, static_cast<float>(i));
            append(table.data, static_cast<float>(100 + i));
        }
        mapKeywords(table, 2, "NESTED");
        const HealpixMap map = read(written(table.bytes()));
        QCOMPARE(map.fieldCount(), 2);
        for (int64_t p = 0; p < 48; ++p) {
            QCOMPARE(map.field(0).at(p), static_cast<double>(p));
            QCOMPARE(map.field(1).at(p), static_cast<double>(100 + p));
        }
    }

    // A column of I, Q and U; the sign of U follows POLCCONV.
    void stokesInOneColumn_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isDeclared");
        QTest::newRow("by name") << "IQU" << false;
        QTest::newRow("by POLCCONV") << "SKY" << true;
    }
    void stokesInOneColumn() {
        QFETCH(QString, name);
        QFETCH(bool, isDeclared);
        HduBytes table = vectorTable(name.toStdString(), 3, 48);
        mapKeywords(table, 2, "NESTED");
        if (isDeclared) table.setText("POLCCONV", "IAU");
        const HealpixMap map = read(written(table.bytes()));
        QCOMPARE(map.nside(), int64_t{2});
        QCOMPARE(map.fieldCount(), 3);
        QCOMPARE(map.field(0).name, std::string("I_STOKES"));
        QVERIFY(map.polarizationFields().has_value());
        for (int64_t p = 0; p < 48; ++p) {
            QCOMPARE(map.field(1).at(p), element(p, 1));
            QCOMPARE(map.field(2).at(p), isDeclared ? -element(p, 2) : element(p, 2));
        }
    }

    // The layout of Fermi's gtltcube: COSBINS beside positions, angles in their own table.
    void livetimeCube() {
        HduBytes table = tableHdu({{"COSBINS", "4E"}, {"RA", "E"}, {"DEC", "E"}}, 24, 12);
        table.setText("EXTNAME", "EXPOSURE").set("FIRSTPIX", 0).set("LASTPIX", 11);
        mapKeywords(table, 1, "NESTED").setText("COORDSYS", "EQU").setText("TUNIT1", "s");
        for (int64_t row = 0; row < 12; ++row) {
            for (int64_t i = 0; i < 4; ++i) append(table.data, static_cast<float>(element(row, i)));
            append(table.data, 0.0F);
            append(table.data, 1.0F);
        }
        const std::string angles =
            edgesTable("CTHETABOUNDS", "CTHETA_MIN", "CTHETA_MAX", {1.0, 0.75, 0.5, 0.25, 0.0})
                .bytes();
        const std::string file = written(table.bytes() + angles);
        const HealpixMap map = read(file);
        QCOMPARE(map.fieldCount(), 6);
        QCOMPARE(map.frame(), Frame::Equatorial);
        QCOMPARE(map.field(0).name, std::string("COSBINS[1] CTHETA 1-0.75"));
        QCOMPARE(map.field(3).name, std::string("COSBINS[4] CTHETA 0.25-0"));
        QCOMPARE(map.field(3).unit, std::string("s"));
        QCOMPARE(map.field(4).name, std::string("RA"));
        for (int f = 0; f < 4; ++f)
            for (int64_t row = 0; row < 12; ++row) QCOMPARE(map.field(f).at(row), element(row, f));
        const HealpixMap one = read(file, {"COSBINS[3]"});
        QCOMPARE(one.field(0).at(7), element(7, 2));
        QCOMPARE(inspectFile(file).columns.size(), size_t{6});
        // Without the table of angles, the names are numbers alone.
        QCOMPARE(read(written(table.bytes())).field(1).name, std::string("COSBINS[2]"));
    }

    void spectrumWithEnergies() {
        HduBytes table = vectorTable("FLUX", 2, 12);
        mapKeywords(table, 1, "RING");
        const std::string energies =
            edgesTable("EBOUNDS", "E_MIN", "E_MAX", {1e6, 2e6, 4e6}).bytes();
        const HealpixMap map = read(written(table.bytes() + energies));
        QCOMPARE(map.field(1).name, std::string("FLUX[2] 2-4 GeV"));
        QVERIFY(holdsElements(map, 2));
    }

    // The number of rows decides between a vector a pixel and several pixels a row.
    void packedOrVectors() {
        HduBytes table = vectorTable("V", 16, 768);
        mapKeywords(table, 8, "RING");
        const HealpixMap vectors = read(written(table.bytes()));
        QVERIFY(holdsElements(vectors, 16));
        const HealpixMap packed = read(written(table.set("NSIDE", 32).bytes()));
        QCOMPARE(packed.fieldCount(), 1);
        QCOMPARE(packed.field(0).at(16 * 5 + 3), element(5, 3));
        // Both are possible without NSIDE.
        const std::string file = written(table.remove("NSIDE").bytes());
        const std::string line = refusal([&] { read(file); });
        QVERIFY(line.find("--input-nside N states it") != std::string::npos);
        QVERIFY(line.find("8 for a vector in each row, 32 for a pixel in each value") !=
                std::string::npos);
        QVERIFY(holdsElements(stated(file, 8), 16));
        QCOMPARE(stated(file, 32).fieldCount(), 1);
        // Only one is possible.
        HduBytes five = vectorTable("V", 5, 48);
        mapKeywords(five, 2, "RING").remove("NSIDE");
        QVERIFY(holdsElements(read(written(five.bytes())), 5));
    }

    // 1024 values in a row are the usual packing; only NSIDE makes these a vector.
    void rowsOf1024() {
        HduBytes table = vectorTable("V", 1024, 12);
        mapKeywords(table, 32, "RING");
        QCOMPARE(read(written(table.bytes())).nside(), int64_t{32});
        QCOMPARE(read(written(table.remove("NSIDE").bytes())).nside(), int64_t{32});
        const std::string file = written(table.set("NSIDE", 1).bytes());
        const std::string line = refusal([&] { read(file); });
        QVERIFY(line.find("at most 999 fields (--field NAME chooses some), found 1024") !=
                std::string::npos);
        QCOMPARE(read(file, {"V[1024]"}).field(0).at(11), element(11, 1023));
    }

    void vectorsOfListedPixels() {
        HduBytes table = tableHdu({{"PIXEL", "J"}, {"V", "3D"}}, 28, 5);
        mapKeywords(table, 4, "NESTED").setText("INDXSCHM", "EXPLICIT");
        HduBytes cells = tableHdu({{"UNIQ", "K"}, {"V", "3D"}}, 32, 5);
        cells.setText("PIXTYPE", "HEALPIX").setText("ORDERING", "NUNIQ");
        for (int64_t row = 0; row < 5; ++row) {
            append(table.data, static_cast<int32_t>(7 * row));
            append(cells.data, int64_t{16} + row);  // UNIQ of order 1
            for (int64_t i = 0; i < 3; ++i) append(table.data, element(row, i));
            for (int64_t i = 0; i < 3; ++i) append(cells.data, element(row, i));
        }
        const HealpixMap listed = read(written(table.bytes()));
        QCOMPARE(listed.pixels()[4], int64_t{28});
        QVERIFY(holdsElements(listed, 3));
        const HealpixMap deep = read(written(cells.bytes()));
        QCOMPARE(deep.coverage(), Coverage::MultiOrder);
        QVERIFY(holdsElements(deep, 3));
        // The number of a stated column counts the columns of the file.
        HduBytes last = tableHdu({{"V", "2D"}, {"WHERE", "J"}}, 20, 2);
        mapKeywords(last, 4, "NESTED");
        for (int64_t row = 0; row < 2; ++row) {
            for (int64_t i = 0; i < 2; ++i) append(last.data, element(row, i));
            append(last.data, static_cast<int32_t>(50 + row));
        }
        const HealpixMap named = readMap(written(last.bytes()), {{}, {{}, {}, "2"}, nullptr}, job_);
        QCOMPARE(named.pixels()[1], int64_t{51});
        QVERIFY(holdsElements(named, 2));
        // Rows from FIRSTPIX to LASTPIX.
        HduBytes run = vectorTable("V", 2, 10);
        mapKeywords(run, 4, "NESTED").set("FIRSTPIX", 20).set("LASTPIX", 29);
        const HealpixMap part = read(written(run.bytes()));
        QCOMPARE(part.pixels()[9], int64_t{29});
        QVERIFY(holdsElements(part, 2));
    }

    void vectorsInParts() {
        HduBytes table = vectorTable("V", 4, 192);
        mapKeywords(table, 4, "RING");
        MapPartReader parts(written(table.bytes()), {{"V[2]", "V[4]"}, {}, nullptr}, job_);
        QVERIFY(parts.inParts());
        const std::vector<ElementRun> runs = {{5, 10}, {100, 3}};
        const std::vector<Field> fields = parts.read(runs, job_);
        QCOMPARE(fields[0].at(9), element(14, 1));
        QCOMPARE(fields[1].at(12), element(102, 3));
    }

    void damagedVectors() {
        // Rows of neither a map nor a packed one.
        HduBytes table = vectorTable("V", 16, 700);
        mapKeywords(table, 8, "RING");
        QVERIFY(refusal([&] { read(written(table.bytes())); }).find("700 rows of 16") !=
                std::string::npos);
        // A vector of 2^31 values in a header.
        HduBytes vast = tableHdu({{"V", "2147483647D"}}, 17179869176, 12);
        mapKeywords(vast, 1, "RING");
        QVERIFY(!refusal([&] { read(written(vast.bytes())); }).empty());
    }
};

QTEST_GUILESS_MAIN(tst_pixel_vectors)
#include "tst_pixel_vectors.moc"
