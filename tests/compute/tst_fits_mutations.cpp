// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files of every kind: each is read or refused, without a crash, a hang or excessive
// memory. The damage has a fixed seed; ARMILLA_MUTATIONS sets the number of damaged copies of each
// base file.
#include <fitsio.h>
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QtTest>

#include "armilla/io/harmonic_io.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "compute/fits_bytes.h"
#include "compute/mutations.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

std::string fullMap() {
    HduBytes table = tableHdu({{"T", "16E"}, {"N", "16J"}}, 128, 12);
    mapKeywords(table, 4, "NESTED").setText("POLCCONV", "IAU").set("BAD_DATA", -1.6375e30);
    table.set("TNULL2", -1).set("TSCAL2", 1.0).set("TZERO2", 0.0);
    for (int i = 0; i < 192 * 2; ++i) append(table.data, static_cast<float>(i));
    return primaryHdu().bytes() + table.bytes();
}

std::string partialMap() {
    HduBytes table = tableHdu({{"PIXEL", "J"}, {"U_STOKES", "E"}, {"M", "L"}}, 9, 40);
    mapKeywords(table, 64, "RING").setText("INDXSCHM", "EXPLICIT");
    for (int i = 0; i < 40; ++i) {
        append(table.data, int32_t{7 * (40 - i)});
        append(table.data, 1.5F);
        table.data += 'T';
    }
    return primaryHdu().bytes() + table.bytes();
}

// HealSparse: tiles of 4 pixels of nside 4, coverage of nside 2. `table`: records instead of an
// image of a wide mask.
std::string healSparseMap(bool table) {
    HduBytes cover;
    cover.set("SIMPLE", "T").set("BITPIX", 64).set("NAXIS", 1).set("NAXIS1", 48);
    cover.setText("PIXTYPE", "HEALSPARSE").set("NSIDE", 2).setText("EXTNAME", "COV");
    for (int64_t i = 0; i < 48; ++i) append(cover.data, 4 * ((i < 9 ? i + 1 : 0) - i));
    HduBytes tiles = tableHdu({{"A", "E"}, {"N", "I"}}, 6, 40);
    tiles.setText("PRIMARY", "A").set("SENTINEL", -1.0);
    if (!table) {
        tiles = HduBytes();
        tiles.setText("XTENSION", "IMAGE").set("BITPIX", 8).set("NAXIS", 1).set("NAXIS1", 240);
        tiles.set("PCOUNT", 0).set("GCOUNT", 1).set("SENTINEL", 0);
        tiles.set("WIDEMASK", "T").set("WWIDTH", 6).setText("BIT3", "SATUR");
    }
    tiles.setText("PIXTYPE", "HEALSPARSE").set("NSIDE", 4).setText("EXTNAME", "SPARSE");
    for (int i = 0; i < 40; ++i) {
        append(tiles.data, i < 4 ? -1.0F : 1.5F);
        append(tiles.data, static_cast<int16_t>(i));
    }
    return cover.bytes() + tiles.bytes();
}

std::string npyMap() {
    std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 48), }";
    head.resize(117, ' ');
    return std::string("\x93NUMPY\x01\0v\0", 10) + head + '\n' + std::string(2 * 48 * 4, '\x3f');
}

std::string multiOrderMap() {
    HduBytes table = tableHdu({{"UNIQ", "K"}, {"P", "D"}}, 16, 12);
    table.setText("PIXTYPE", "HEALPIX").setText("ORDERING", "NUNIQ");
    for (int i = 0; i < 12; ++i) {
        append(table.data, int64_t{4 + i});
        append(table.data, 0.5);
    }
    return primaryHdu().bytes() + table.bytes();
}

std::string almFile() {
    HduBytes table = tableHdu({{"INDEX", "J"}, {"REAL", "E"}, {"IMAG", "E"}}, 12, 10);
    table.set("MAX-LPOL", 3).set("MAX-MPOL", 3);
    for (int l = 0; l < 4; ++l)
        for (int m = 0; m <= l; ++m) {
            append(table.data, int32_t{l * l + l + m + 1});
            append(table.data, 1.0F);
            append(table.data, 2.0F);
        }
    return primaryHdu().bytes() + table.bytes() + table.bytes();
}

std::string spectrumFile() {
    HduBytes hdu;
    hdu.setText("XTENSION", "TABLE").set("BITPIX", 8).set("NAXIS", 2).set("NAXIS1", 32);
    hdu.set("NAXIS2", 50).set("PCOUNT", 0).set("GCOUNT", 1).set("TFIELDS", 2);
    hdu.setText("TTYPE1", "TEMPERATURE").setText("TFORM1", "E15.7").set("TBCOL1", 1);
    hdu.setText("TTYPE2", "GRADIENT").setText("TFORM2", "E15.7").set("TBCOL2", 17);
    hdu.set("MAX-LPOL", 49);
    for (int l = 0; l < 50; ++l) {
        char row[40];
        std::snprintf(row, sizeof row, "%15.7E %15.7E ", 1.0 / (l + 1), 0.5);
        hdu.data += row;
    }
    HduBytes image = primaryHdu();
    return image.bytes() + hdu.bytes(' ');
}

std::string catalogFile() {
    HduBytes table = tableHdu({{"NAME", "8A"}, {"RA", "D"}, {"DEC", "D"}}, 24, 30);
    for (int i = 0; i < 30; ++i) {
        table.data += "abcdefg ";
        append(table.data, 10.0 * i);
        append(table.data, 2.0 * i);
    }
    return primaryHdu().bytes() + table.bytes();
}

std::string csvFile() {
    std::string text = "name,RA,DEC\n";
    for (int i = 0; i < 40; ++i)
        text += "\"a,b\"," + std::to_string(i) + "," + std::to_string(-i) + "\n";
    return text;
}

std::string voTableFile() {
    std::string text =
        "<?xml version='1.0'?><VOTABLE><RESOURCE><TABLE><FIELD name='RA' unit='deg'/>"
        "<FIELD name='DEC' unit='deg'/><DATA><TABLEDATA>\n";
    for (int i = 0; i < 40; ++i)
        text += "<TR><TD>" + std::to_string(i) + "</TD><TD>1&#46;5</TD></TR>\n";
    return text + "</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>\n";
}

std::string ecsvFile() {
    std::string text =
        "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
        "# - {name: RA, unit: deg, datatype: float64, description: \"a, b\"}\n"
        "# - name: DEC\n#   datatype: float32\n#   meta: !!omap\n#   - {ucd: pos.eq.dec}\n"
        "# - {name: V, datatype: string, subtype: 'int64[2]'}\n# meta:\n#   history:\n"
        "#   - made here\n# schema: astropy-2.0\nRA,DEC,V\n";
    for (int i = 0; i < 40; ++i)
        text += std::to_string(i) + "," + std::to_string(-i) + ",\"[1,null]\"\n";
    return text;
}

std::string binaryVoTableFile() {
    // Two rows of a double and an int: 1.5, 7 and -2.0, 9.
    return "<?xml version='1.0'?><VOTABLE><RESOURCE><COOSYS ID='a' system='ICRS'/><TABLE>"
           "<FIELD name='RA' unit='deg' datatype='double' ref='a'/>"
           "<FIELD name='DEC' unit='deg' datatype='int'/><FIELD name='N' datatype='char' "
           "arraysize='*'/><DATA><BINARY2><STREAM encoding='base64'>AD/4AAAAAAAAAAAABwAAAAFBAMAA"
           "AAAAAAAAAAAACQAAAAJBQg==</STREAM></BINARY2></DATA></TABLE></RESOURCE></VOTABLE>\n";
}

}  // namespace

class tst_fits_mutations : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string path(const char* name) const { return (folder_.path() + '/' + name).toStdString(); }
    std::string packed(const std::string& bytes) const;

private slots:
    void survives_data();
    void survives();
    void staysSmall();
};

// The same file with its table tile-compressed.
std::string tst_fits_mutations::packed(const std::string& bytes) const {
    writeBytes(path("plain.fits"), bytes);
    QFile::remove(QString::fromStdString(path("packed.fits")));
    fitsfile *in = nullptr, *out = nullptr;
    int status = 0;
    fits_open_diskfile(&in, path("plain.fits").c_str(), READONLY, &status);
    fits_create_diskfile(&out, path("packed.fits").c_str(), &status);
    fits_copy_hdu(in, out, 0, &status);
    fits_movabs_hdu(in, 2, nullptr, &status);
    fits_compress_table(in, out, &status);
    fits_close_file(in, &status);
    fits_close_file(out, &status);
    return status == 0 ? readBytes(path("packed.fits")) : std::string();
}

void tst_fits_mutations::survives_data() {
    QTest::addColumn<QByteArray>("base");
    const auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
    };
    row("full map", fullMap());
    row("partial map", partialMap());
    row("multi-order map", multiOrderMap());
    row("HealSparse mask", healSparseMap(false));
    row("HealSparse records", healSparseMap(true));
    row("array of NumPy", npyMap());
    row("alm", almFile());
    row("spectrum", spectrumFile());
    row("catalog", catalogFile());
    row("CSV", csvFile());
    row("VOTable", voTableFile());
    row("binary VOTable", binaryVoTableFile());
    row("ECSV", ecsvFile());
    row("tile-compressed map", packed(fullMap()));
    writeBytes(path("packed_map.fits"), fullMap());
    QProcess::execute("gzip", {"-f", QString::fromStdString(path("packed_map.fits"))});
    row("gzip map", readBytes(path("packed_map.fits.gz")));
}

void tst_fits_mutations::survives() {
    QFETCH(QByteArray, base);
    QVERIFY(base.size() > 200);
    const std::string name = path("mutant");
    readMutants(name, base.toStdString(), 150, 20240229, [&](const auto& attempt) {
        attempt([&](JobContext&) { inspectFile(name); });
        attempt([&](JobContext& job) { readMap(name, {}, job); });
        attempt([&](JobContext& job) { readAlm(name, job); });
        attempt([&](JobContext&) { readSpectra(name); });
        attempt([&](JobContext&) { readBeam(name); });
        attempt([&](JobContext& job) { readCatalog(name, job); });
        attempt([&](JobContext& job) { readTable(name, {}, job); });
    });
}

void tst_fits_mutations::staysSmall() {
    struct rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
    QVERIFY2(usage.ru_maxrss < 2L * 1024 * 1024, "more than 2 GB were used");
}

QTEST_GUILESS_MAIN(tst_fits_mutations)
#include "tst_fits_mutations.moc"
