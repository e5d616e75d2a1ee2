// SPDX-License-Identifier: GPL-3.0-or-later
// Beams and radial kernels from files made byte by byte here.
#include <QtTest>

#include "armilla/core/sky_vector.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/spectrum_io.h"
#include "compute/file_folder.h"

using namespace armilla;
using namespace armilla::testing;

class tst_beam_io : public QObject, FileFolder {
    Q_OBJECT

private slots:
    void beams();
    void kernels();
};

void tst_beam_io::beams() {
    const std::vector<double> t = {1.0, 0.9, 0.5}, e = {1.0, 0.8, 0.4}, b = {1.0, 0.7, 0.3};
    const auto is = [](const Beam& beam, const auto& x, const auto& y, const auto& z) {
        return beam.bl[0] == x && beam.bl[1] == y && beam.bl[2] == z;
    };
    const auto table = [&](std::vector<std::string> names,
                           std::vector<std::vector<double>> columns) {
        HduBytes hdu = doubleTable(names, columns);
        hdu.setText("EXTNAME", "WINDOW FUNCTION");
        return fits(hdu);
    };
    QVERIFY(is(readBeam(table({"TEMPERATURE"}, {t})), t, t, t));
    QVERIFY(is(readBeam(table({"TEMPERATURE", "POLARIZATION"}, {t, e})), t, e, e));
    QVERIFY(is(readBeam(table({"T", "E", "B"}, {t, e, b})), t, e, b));
    // Instrument models: error modes behind BL are no polarization; B_l may be one array.
    std::vector<std::string> notes;
    QVERIFY(is(readBeam(table({"BL", "EIGEN_1", "EIGEN_2"}, {t, e, b}), &notes), t, t, t));
    QCOMPARE(notes.size(), size_t{1});
    QCOMPARE(notes[0], std::string("omitted from the beam: 'EIGEN_1 EIGEN_2'"));
    notes.clear();
    readBeam(table({"T", "E", "B"}, {t, e, b}), &notes);
    QVERIFY(notes.empty());
    readBeam(table({"T", "E", "B", ""}, {t, e, b, b}), &notes);
    QCOMPARE(notes.size(), size_t{1});
    QCOMPARE(notes[0], std::string("omitted from the beam: 'column 4'"));
    // A header may name missing columns.
    QVERIFY(is(readBeam(text("# l bT bE bB\n0 1 1\n1 0.9 0.8\n2 0.5 0.4\n")), t, e, e));
    HduBytes array = tableHdu({{"BL", "3D"}}, 24, 1);
    array.setText("EXTNAME", "BEAMWF_143X143");
    for (const double x : t) append(array.data, x);
    QVERIFY(is(readBeam(fits(array)), t, t, t));
    QCOMPARE(inspectFile(path("file.fits")).kind, FileKind::Beam);
    QCOMPARE(inspectFile(path("file.fits")).lmax, 2);
    // An image of 4 rows, as IDL's gaussbeam writes.
    HduBytes image;
    image.set("SIMPLE", "T").set("BITPIX", -64).set("NAXIS", 2).set("NAXIS1", 9).set("NAXIS2", 4);
    std::vector<std::vector<double>> rows(4);
    for (int row = 0; row < 4; ++row)
        for (int l = 0; l < 9; ++l) {
            rows[static_cast<size_t>(row)].push_back(1.0 - 0.1 * l - 0.01 * row);
            append(image.data, rows[static_cast<size_t>(row)].back());
        }
    writeBytes(path("image.fits"), image.bytes());
    QVERIFY(is(readBeam(path("image.fits")), rows[0], rows[1], rows[2]));
    QCOMPARE(inspectFile(path("image.fits")).kind, FileKind::Beam);

    QVERIFY(is(readBeam(text("# beam\n0 1 1\n1 0.9 0.8\n2 0.5 0.4\n")), t, e, e));
    QCOMPARE(inspectFile(path("file.txt")).kind, FileKind::Beam);
    QVERIFY(is(readBeam(text("1\n0.9\n0.5\n")), t, t, t));
    QVERIFY(refusal([&] { readBeam(text("0 1\n2 0.5\n")); }).find("l = 1") != std::string::npos);
    QVERIFY(refusal([&] { readBeam(text("1 1\n2 0.5\n")); }).find("l = 0") != std::string::npos);
}

void tst_beam_io::kernels() {
    const RadialKernel kernel = readRadialKernel(text("# angle arcmin\n0 1\n30 0.5\n60 0\n"));
    QCOMPARE(kernel.angle[1], 30.0 * kArcmin);
    QCOMPARE(kernel.value[1], 0.5);
    HduBytes table = doubleTable({"THETA", "K"}, {{0, 1, 2}, {3, 2, 1}});
    QVERIFY(refusal([&] { readRadialKernel(fits(table)); }).find("unit") != std::string::npos);
    table.setText("TUNIT1", "deg");
    QCOMPARE(readRadialKernel(fits(table)).angle[2], 2.0 * kDegree);
    const auto why = [&](const char* content) {
        return refusal([&] { readRadialKernel(text(content)); });
    };
    QVERIFY(why("0 1\n1 0\n").find("unit") != std::string::npos);
    QVERIFY(why("# angle deg\n0.5 1\n1 0\n").find("ascending from 0") != std::string::npos);
    QVERIFY(why("# angle deg\n0 1\n2 0\n1 0\n").find("ascending") != std::string::npos);
    QVERIFY(why("# angle deg\n0 1\n181 0\n").find("180") != std::string::npos);
    QVERIFY(why("# angle deg\n0 1 2\n").find("two columns") != std::string::npos);
}

QTEST_GUILESS_MAIN(tst_beam_io)
#include "tst_beam_io.moc"
