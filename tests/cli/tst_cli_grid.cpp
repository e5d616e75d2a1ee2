// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla grid` on files, compared with exact sums.
#include <QFile>
#include <QTest>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/image_file.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "cli/cli_fixture.h"
#include "cli/fits_images.h"
#include "support/grid_cases.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

QByteArray csvOf(const SampleTable& table, size_t begin, size_t end) {
    QByteArray text = "RA,DEC,TA,W,FLAG,NAME\n";
    for (size_t i = begin; i < end; ++i) {
        const auto number = [](double value) { return QByteArray::number(value, 'g', 17); };
        text += number(table.lon[i]) + "," + number(table.lat[i]) + "," + number(table.values[i]) +
                "," + number(table.weights.empty() ? 1.0 : table.weights[i]) + "," +
                (i % 5 == 0 ? "1" : "0") + ",star\n";
    }
    return text;
}

}  // namespace

class tst_cli_grid : public QObject {
    Q_OBJECT

    static bool says(const Outcome& outcome, const QByteArray& text) {
        const bool found = outcome.error.contains(text) && outcome.error.count('\n') <= 2;
        if (!found) qWarning("found: %s", outcome.error.constData());
        return found;
    }
    std::vector<Vec3> cellsOf(const QString& name) const {
        JobContext job;
        return pixelDirections(readImageGrid(cli_.path(name).toStdString(), job), job);
    }

private slots:
    void initTestCase() {
        table_ = randomSamples(2500, {0.0, 60 * kDegree}, kDegree, 71);
        std::mt19937_64 random(5);
        std::uniform_real_distribution<double> weight(0.0, 2.0);
        weighted_ = table_;
        for (size_t i = 0; i < table_.lon.size(); ++i) weighted_.weights.push_back(weight(random));
        cli_.write("s.csv", csvOf(weighted_, 0, weighted_.lon.size()));
        cli_.write("s1.csv", csvOf(weighted_, 0, 1000));
        cli_.write("s2.csv", csvOf(weighted_, 1000, weighted_.lon.size()));
    }

    // A single-dish FITS table: positions are CRVALn of the axes that CTYPEn names; channels have
    // the frequencies of the first axis.
    void singleDish_data() {
        QTest::addColumn<QString>("types");
        QTest::addColumn<QString>("frame");
        QTest::newRow("equatorial") << "RA,DEC"
                                    << "C";
        QTest::newRow("galactic") << "GLON,GLAT"
                                  << "G";
        QTest::newRow("horizontal") << "AZ,EL"
                                    << "";
    }
    void singleDish() {
        QFETCH(QString, types);
        QFETCH(QString, frame);
        Table table;
        const auto rows = table_.lon.size();
        const auto text = [&](const char* name, const QString& word) {
            TableColumn column;
            column.name = name;
            column.values = std::vector<std::string>(rows, word.toStdString());
            table.columns.push_back(column);
        };
        const auto numbers = [&](const char* name, std::vector<double> values, int64_t width = 1) {
            TableColumn column;
            column.name = name;
            column.width = width;
            column.values = std::move(values);
            table.columns.push_back(column);
        };
        text("CTYPE1", "FREQ");
        text("CTYPE3", types.section(',', 0, 0));
        text("CTYPE2", types.section(',', 1, 1));
        numbers("CRVAL1", std::vector<double>(rows, 1.42e9));
        numbers("CDELT1", std::vector<double>(rows, -1e4));
        numbers("CRPIX1", std::vector<double>(rows, 2.0));
        numbers("CRVAL2", table_.lat);
        numbers("CRVAL3", table_.lon);
        std::vector<double> spectra;
        for (const double value : table_.values)
            for (const double factor : {1.0, 2.0, 3.0}) spectra.push_back(factor * value);
        numbers("DATA", spectra, 3);
        const QString in = cli_.path("sd.fits"), out = cli_.path("sd-out.fits");
        JobContext job;
        writeTable(table, in.toStdString(), {true, {}, {}}, job);
        const QString field = " --center 0deg,60deg --size 9x9 --resolution 10arcmin";
        const Outcome outcome =
            cli_.run("grid " + in + " " + out + " --overwrite --kernel-fwhm 15arcmin" + field);
        if (frame.isEmpty()) {
            QCOMPARE(outcome.status, 1);
            QVERIFY(says(outcome, "positions"));
            return;
        }
        QCOMPARE(outcome.status, 0);
        QVERIFY(cardOf(out, "CTYPE1").find(frame == "G" ? "GLON" : "RA--") != std::string::npos);
        QVERIFY(cardOf(out, "CTYPE3").find("FREQ") != std::string::npos);
        QCOMPARE(std::stod(cardOf(out, "CRVAL3")), 1.42e9 + 1e4);
        QCOMPARE(std::stod(cardOf(out, "CDELT3")), -1e4);
        const std::vector<double> found = imageOf(out);
        const GridTruth truth = gridTruth(table_, cellsOf("sd-out.fits"), {.fwhm = 15 * kArcmin});
        for (size_t c = 0; c < 3; ++c)
            for (size_t i = 0; i < truth.values.size(); ++i)
                // Values of up to three times those of the table; 1e-11 is 45000 machine epsilons,
                // more than the samples of a sum.
                QVERIFY(std::isnan(truth.values[i]) ||
                        std::abs(found[c * truth.values.size() + i] -
                                 static_cast<double>(c + 1) * truth.values[i]) < 1e-11);
    }

    // A column for each channel, selected by a pattern, in the order of the numbers in the names.
    void columnsByPattern() {
        QByteArray text = "RA,DEC,f_10,F_2,f_1,other\n";
        for (size_t i = 0; i < 200; ++i) {
            for (const double value : {table_.lon[i], table_.lat[i]})
                text += QByteArray::number(value, 'g', 17) + ",";
            for (const int channel : {10, 2, 1})
                text += QByteArray::number(channel * table_.values[i], 'g', 17) + ",";
            text += "1\n";
        }
        cli_.write("channels.csv", text);
        const QString target = " --nside 64 --kernel-fwhm 0.5deg";
        QCOMPARE(cli_.run("grid {channels.csv} {star.fits} --value f_*" + target).status, 0);
        QCOMPARE(cli_.run("grid {channels.csv} {named.fits} --value f_1,F_2,f_10" + target).status,
                 0);
        const HealpixMap star = cli_.read("star.fits"), named = cli_.read("named.fits");
        QCOMPARE(star.fieldCount(), 3);
        for (int c = 0; c < 3; ++c) {
            QCOMPARE(star.field(c).name, named.field(c).name);
            const std::vector<double> a = valuesOf(star, c), b = valuesOf(named, c);
            for (size_t i = 0; i < a.size(); ++i)
                QVERIFY(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])));
        }
        QVERIFY(says(cli_.run("grid {channels.csv} {x.fits} --value g_*" + target), "g_*"));
    }

    void images_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<int>("kernel");
        const QString field = " --center 0deg,60deg --size 23x19 --resolution 5arcmin";
        QTest::newRow("gnomonic") << "--kernel-fwhm 10arcmin" + field << 0;
        QTest::newRow("orthographic, from the beam")
            << "--beam 20arcmin --projection orthographic" + field << 0;
        QTest::newRow("gaussian2d")
            << "--kernel gaussian2d --kernel-axes 15arcmin,0.1,30" + field << 1;
        QTest::newRow("tapered-sinc") << "--kernel tapered-sinc --beam 20arcmin" + field << 2;
        QTest::newRow("bessel-gauss") << "--kernel bessel-gauss --beam 20arcmin" + field << 3;
        QTest::newRow("nearest") << "--kernel nearest --radius 4arcmin" + field << 4;
        QTest::newRow("weights and flags")
            << "--weight W --flag FLAG --kernel-fwhm 10arcmin --projection lambert" + field << 5;
        QTest::newRow("another frame")
            << "--kernel-fwhm 10arcmin --frame G --center 117.1deg,-2.2deg --size 23x19 "
               "--resolution 5arcmin"
            << 6;
    }
    void images() {
        QFETCH(QString, options);
        QFETCH(int, kernel);
        const Outcome outcome =
            cli_.run("grid {s.csv} {o.fits} --value TA --overwrite --device cpu " + options);
        if (outcome.status != 0) qWarning("found: %s", outcome.error.constData());
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.startsWith("wrote "));
        std::vector<GridKernel> kernels(7);
        for (GridKernel& each : kernels) each.fwhm = 10 * kArcmin;
        kernels[1] = {GridKernelKind::Gaussian2d, 15 * kArcmin, 0.1 * kDegree, 30 * kDegree, 0, 0};
        kernels[2] = {GridKernelKind::TaperedSinc, 0, 0, 0, 20 * kArcmin, 0};
        kernels[3] = {GridKernelKind::BesselGauss, 0, 0, 0, 20 * kArcmin, 0};
        kernels[4] = {GridKernelKind::Nearest, 0, 0, 0, 0, 4 * kArcmin};
        SampleTable used = kernel == 5 ? weighted_ : table_;
        if (kernel == 5)
            for (size_t i = 0; i < used.lon.size(); i += 5) used.weights[i] = NAN;
        const Mat3 turn = kernel == 6 ? frameRotation(Frame::Galactic, Frame::Equatorial) : Mat3{};
        const GridTruth truth =
            gridTruth(used, cellsOf("o.fits"), kernels[static_cast<size_t>(kernel)], 0, turn);
        int bitpix = 0;
        const std::vector<double> values = imageOf(cli_.path("o.fits"), "", nullptr, &bitpix);
        const std::vector<double> weights = imageOf(cli_.path("o.fits"), "WEIGHTS");
        const Outcome told = cli_.run("info {o.fits}");
        QVERIFY2(told.out.contains("o.fits[WEIGHTS] image"), told.out);
        const std::vector<double> counts = imageOf(cli_.path("o.fits"), "COUNTS");
        QCOMPARE(bitpix, DOUBLE_IMG);
        // The digits of world coordinates are accurate to 1e-13 of a degree and better. Weights of
        // either sign next to zeros of the sinc are excluded.
        if (kernel != 2 && kernel != 3)
            ARMILLA_VERIFY_BELOW(gridError(values, truth.values), 3e-12);
        ARMILLA_VERIFY_BELOW(gridError(weights, truth.weights), 3e-12);
        QCOMPARE(std::vector<int64_t>(counts.begin(), counts.end()), truth.counts);
    }

    void cubesAndFiles() {
        const QString target =
            " --kernel-fwhm 10arcmin --center 0deg,60deg --size 9x7 "
            "--resolution 10arcmin --device cpu --overwrite";
        QCOMPARE(cli_.run("grid {s.csv} {one.fits} --value TA" + target).status, 0);
        QCOMPARE(cli_.run("grid {s1.csv} {s2.csv} {two.fits} --value TA,W" + target).status, 0);
        std::vector<long> axes;
        const std::vector<double> one = imageOf(cli_.path("one.fits"));
        const std::vector<double> two = imageOf(cli_.path("two.fits"), "", &axes);
        QCOMPARE(axes, (std::vector<long>{9, 7, 2}));
        // The same samples in another order: 1e-13 is 450 machine epsilons.
        QVERIFY(gridError({two.data(), one.size()}, one) < 1e-13);
        QCOMPARE(imageOf(cli_.path("two.fits"), "COUNTS").size(), two.size());

        // On the pixels of an existing image.
        QCOMPARE(cli_.run("grid {s.csv} {like.fits} --value TA --kernel-fwhm 10arcmin --like "
                          "{one.fits} --device cpu --precision single")
                     .status,
                 0);
        int bitpix = 0;
        const std::vector<double> like = imageOf(cli_.path("like.fits"), "", nullptr, &bitpix);
        QCOMPARE(bitpix, FLOAT_IMG);
        QVERIFY(gridError(like, one) < 0x1p-23);
    }

    // An image without a frame gets the stated one; the error message explains how to state it.
    void likeAnImageOfAnUnknownFrame() {
        const QString line =
            "grid {s.csv} {%1} --value TA --kernel-fwhm 10arcmin --device cpu --overwrite ";
        QCOMPARE(cli_.run(line.arg("framed.fits") +
                          "--center 0deg,60deg --size 9x7 --resolution 5arcmin")
                     .status,
                 0);
        QByteArray bytes = cli_.content("framed.fits");
        for (const char* axis : {"RA---", "DEC--"}) {
            const auto at = bytes.indexOf(axis);
            QVERIFY(at > 0);
            bytes.replace(at, 5, axis[0] == 'R' ? "XLON-" : "XLAT-");
        }
        cli_.write("unframed.fits", bytes);
        const Outcome refused = cli_.run(line.arg("x.fits") + "--like {unframed.fits}");
        QCOMPARE(refused.status, 1);
        QVERIFY(says(refused, "--frame G, E or C states"));
        const Outcome taken =
            cli_.run(line.arg("stated.fits") + "--like {unframed.fits} --frame C");
        QVERIFY2(taken.status == 0, taken.error.constData());
        const std::vector<double> one = imageOf(cli_.path("framed.fits"));
        const std::vector<double> stated = imageOf(cli_.path("stated.fits"));
        QVERIFY(gridError(stated, one) < 0x1p-23);
        const Outcome ofInputs =
            cli_.run(line.arg("input.fits") + "--like {unframed.fits} --input-frame C");
        QVERIFY2(ofInputs.status == 0, ofInputs.error.constData());
        QVERIFY(gridError(imageOf(cli_.path("input.fits")), one) < 0x1p-23);
        const Outcome two =
            cli_.run(line.arg("x.fits") + "--like {unframed.fits} --input-frame C --frame G");
        QCOMPARE(two.status, 2);
        QVERIFY(says(two, "found --frame G and --input-frame C"));
        const Outcome other = cli_.run(line.arg("x.fits") + "--like {framed.fits} --frame G");
        QCOMPARE(other.status, 1);
        QVERIFY(says(other, "expected no --frame, or C"));
    }

    // Points at and near (10, 20) of a frame are gridded in that frame, so the frame assumed for
    // the samples is that of the image.
    void framesStated_data() {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("axis");  // axis type of the image; empty: refused
        QTest::addColumn<QByteArray>("line");
        const QByteArray rows = "10,20,1\n10.1,20,2\n10,20.1,3\n";
        const QByteArray lonLat = "LON,LAT,TA\n" + rows, raDec = "RA,DEC,TA\n" + rows;
        const QByteArray votable = R"(<VOTABLE version="1.4"><RESOURCE><TABLE>
<FIELD name="X" datatype="double" unit="deg" ucd="pos.eq.ra"/>
<FIELD name="Y" datatype="double" unit="deg" ucd="pos.eq.dec"/>
<FIELD name="TA" datatype="double"/><DATA><TABLEDATA><TR><TD>10</TD><TD>20</TD><TD>1</TD></TR>
<TR><TD>10.1</TD><TD>20</TD><TD>2</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>)";
        const QByteArray ecsv =
            "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
            "# - {name: LON, datatype: float64}\n"
            "# - {name: LAT, datatype: float64}\n"
            "# - {name: TA, datatype: float64}\n"
            "# meta: {COORDSYS: C}\n" +
            lonLat;
        const QByteArray both = "RA,DEC,GLON,GLAT,TA\n80,-20,10,20,1\n80,-20,10.1,20,2\n";
        QTest::newRow("none") << lonLat << ""
                              << "" << QByteArray("--samples-frame G, E or C");
        QTest::newRow("of the samples") << lonLat << "--samples-frame G"
                                        << "GLON-TAN" << QByteArray();
        QTest::newRow("of all inputs") << lonLat << "--input-frame G"
                                       << "GLON-TAN" << QByteArray();
        QTest::newRow("both") << lonLat << "--samples-frame G --input-frame G"
                              << "GLON-TAN" << QByteArray();
        QTest::newRow("that of the samples alone holds")
            << lonLat << "--samples-frame E --input-frame G"
            << "ELON-TAN"
            << QByteArray("taken as ecliptic (--samples-frame), where --input-frame says Galactic");
        QTest::newRow("names are a habit") << raDec << "--samples-frame G"
                                           << "GLON-TAN" << QByteArray();
        QTest::newRow("names are a frame to what is said of all inputs")
            << raDec << "--input-frame G"
            << "" << QByteArray("expected no --input-frame, or C");
        QTest::newRow("as named") << raDec << "--input-frame C"
                                  << "RA---TAN" << QByteArray();
        QTest::newRow("a UCD is contradicted")
            << votable << "--samples-frame G"
            << "GLON-TAN"
            << QByteArray("taken as Galactic (--samples-frame), where the file says equatorial");
        QTest::newRow("a UCD of a column that is named, too")
            << votable << "--samples-frame G --lon X --lat Y"
            << "GLON-TAN" << QByteArray("where the file says equatorial");
        QTest::newRow("as the UCD says") << votable << "--samples-frame C"
                                         << "RA---TAN" << QByteArray();
        QTest::newRow("a UCD and all inputs")
            << votable << "--input-frame G"
            << "" << QByteArray("expected no --input-frame, or C");
        QTest::newRow("a table's own word")
            << ecsv << "--samples-frame G"
            << "GLON-TAN"
            << QByteArray("taken as Galactic (--samples-frame), where the file says equatorial");
        QTest::newRow("a table's own word and all inputs")
            << ecsv << "--input-frame G"
            << "" << QByteArray("expected no --input-frame, or C");
        QTest::newRow("of two pairs that of the frame") << both << "--samples-frame G"
                                                        << "GLON-TAN" << QByteArray();
    }
    void framesStated() {
        QFETCH(QByteArray, table);
        QFETCH(QString, options);
        QFETCH(QString, axis);
        QFETCH(QByteArray, line);
        cli_.write("framed", table);
        const Outcome outcome = cli_.run(
            "grid {framed} {f.fits} --value TA --kernel-fwhm 10arcmin --center 10deg,20deg "
            "--size 3x3 --resolution 6arcmin --device cpu --overwrite --json " +
            options);
        QVERIFY(says(outcome, line));
        QCOMPARE(outcome.error.contains("where"), line.contains("where"));
        QCOMPARE(outcome.status, axis.isEmpty() ? 1 : 0);
        if (axis.isEmpty()) return;
        QCOMPARE(cardOf(cli_.path("f.fits"), "CTYPE1"), axis.toStdString());
        QVERIFY(std::isfinite(imageOf(cli_.path("f.fits")).at(4)));
    }

    void header() {
        QCOMPARE(cli_.run("grid {s.csv} {h.fits} --value TA --beam 8arcmin --kernel-fwhm 6arcmin "
                          "--center 0deg,60deg --size 9x7 --resolution 3arcmin --device cpu")
                     .status,
                 0);
        // The card holds the value in decimal digits of double precision; 1e-12 allows two digits
        // fewer.
        QVERIFY(std::abs(std::stod(cardOf(cli_.path("h.fits"), "BMAJ")) - 10.0 / 60) < 1e-12);
        QCOMPARE(cardOf(cli_.path("h.fits"), "CTYPE1"), std::string("RA---TAN"));
    }

    void maps() {
        const QString options = " --value TA --kernel-fwhm 40arcmin --nside 128 --device cpu";
        QCOMPARE(cli_.run("grid {s.csv} {full.fits}" + options).status, 0);
        QCOMPARE(cli_.run("grid {s.csv} {sparse.fits} --sparse" + options).status, 0);
        QCOMPARE(
            cli_.run("grid {s.csv} {nested.fits} --ordering nested --frame G" + options).status, 0);
        const HealpixMap full = cli_.read("full.fits"), sparse = cli_.read("sparse.fits");
        QVERIFY(full.ordering() == Ordering::Ring && full.frame() == Frame::Equatorial);
        QVERIFY(sparse.coverage() == Coverage::Partial);
        std::vector<Vec3> cells;
        for (int64_t p = 0; p < full.pixelCount(); ++p) cells.push_back(directionFromRing(128, p));
        const GridKernel kernel{GridKernelKind::Gaussian, 40 * kArcmin, 0, 0, 0, 0};
        const GridTruth truth = gridTruth(table_, cells, kernel);
        // A sum of n samples rounds by n machine epsilons at most, and 1e-12 is 4500.
        QVERIFY(gridError(valuesOf(full, 0), truth.values) < 1e-12);
        int64_t listed = 0;
        for (int64_t p = 0; p < full.pixelCount(); ++p) {
            const bool has = truth.counts[static_cast<size_t>(p)] > 0;
            listed += has ? 1 : 0;
            QCOMPARE(sparse.elementOf(p).has_value(), has);
            if (has) QCOMPARE(sparse.value(0, p), full.value(0, p));
        }
        QVERIFY(listed > 10);
        QCOMPARE(sparse.elementCount(), listed);
        const HealpixMap nested = cli_.read("nested.fits");
        QVERIFY(nested.ordering() == Ordering::Nested && nested.frame() == Frame::Galactic);
        JobContext job;
        MapReadOptions counts;
        const HealpixMap found = readMap(cli_.path("full.fits[COUNTS]").toStdString(), counts, job);
        for (int64_t p = 0; p < full.pixelCount(); ++p)
            QCOMPARE(found.value(0, p), static_cast<double>(truth.counts[static_cast<size_t>(p)]));
    }

    void sightlines() {
        cli_.write("lines.csv", "NAME,RA,DEC\na,0.1,60.2\nb,359.7,59.9\nc,180,0\n");
        for (const QString& out : QStringList{"{l.fits}", "{l.csv}"}) {
            const Outcome outcome = cli_.run("grid {s.csv} " + out +
                                             " --value TA --kernel-fwhm 10arcmin --sightlines "
                                             "{lines.csv} --device cpu");
            if (outcome.status != 0) qWarning("found: %s", outcome.error.constData());
            QCOMPARE(outcome.status, 0);
        }
        std::vector<Vec3> cells;
        for (const auto& [ra, dec] : {std::pair{0.1, 60.2}, {359.7, 59.9}, {180.0, 0.0}})
            cells.push_back(direction({ra * kDegree, dec * kDegree}));
        const GridTruth truth =
            gridTruth(table_, cells, {GridKernelKind::Gaussian, 10 * kArcmin, 0, 0, 0, 0});
        JobContext job;
        for (const QString& name : QStringList{"l.fits", "l.csv"}) {
            const Table table = readTable(cli_.path(name).toStdString(), {}, job);
            const TableColumn& column =
                table.columns[static_cast<size_t>(table.find("TA").value())];
            std::vector<double> values;
            for (int64_t i = 0; i < table.rows(); ++i) values.push_back(column.number(i));
            // A sum of n samples rounds by n machine epsilons at most, and 1e-12 is 4500.
            QVERIFY(gridError(values, truth.values) < 1e-12);
        }
    }

    void refusals_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("text");
        const QString rest = " --kernel-fwhm 10arcmin --nside 64";
        QTest::newRow("no target")
            << "{s.csv} {x.fits} --kernel-fwhm 10arcmin" << 2 << QByteArray("target");
        QTest::newRow("two targets")
            << "{s.csv} {x.fits} --like {s.csv}" + rest << 2 << QByteArray("target");
        QTest::newRow("no kernel") << "{s.csv} {x.fits} --nside 64" << 2 << QByteArray("width");
        QTest::newRow("no beam") << "{s.csv} {x.fits} --nside 64 --kernel bessel-gauss" << 2
                                 << QByteArray("beam");
        QTest::newRow("suffix") << "{s.csv} {x.csv} --value TA" + rest << 2 << QByteArray(".fits");
        QTest::newRow("image without size")
            << "{s.csv} {x.fits} --kernel-fwhm 10arcmin --center 0deg,60deg" << 2
            << QByteArray("--size");
        QTest::newRow("no such column")
            << "{s.csv} {x.fits} --value FLUX" + rest << 1 << QByteArray("'FLUX'");
        QTest::newRow("text") << "{s.csv} {x.fits} --value NAME" + rest << 1 << QByteArray("text");
        QTest::newRow("a word among positions")
            << "{word.csv} {x.fits} --value TA" + rest << 1 << QByteArray("'1O' in row 3");
        QTest::newRow("a word among values")
            << "{value.csv} {x.fits} --value TA" + rest << 1 << QByteArray("'x' in row 2");
        QTest::newRow("no file") << "{none.csv} {x.fits} --value TA" + rest << 1
                                 << QByteArray("none.csv");
        QTest::newRow("latitude") << "{bad.csv} {x.fits} --value TA" + rest << 1
                                  << QByteArray("row 2");
        QTest::newRow("nothing near")
            << "{s.csv} {x.fits} --value TA --kernel-fwhm 10arcmin --center 90deg,0deg --size 9x9 "
               "--resolution 5arcmin"
            << 1 << QByteArray("none of 2500");
        QTest::newRow("weights of 0") << "{zero.csv} {x.fits} --value TA --weight W" + rest << 1
                                      << QByteArray("weight above 0");
        QTest::newRow("no image") << "{s.csv} {x.fits} --value TA --kernel-fwhm 10arcmin --like "
                                     "{s.csv}"
                                  << 1 << QByteArray("s.csv");
    }
    void refusals() {
        QFETCH(QString, line);
        QFETCH(int, status);
        QFETCH(QByteArray, text);
        cli_.write("bad.csv", "RA,DEC,TA\n1,2,3\n1,95,3\n");
        cli_.write("word.csv", "RA,DEC,TA\n1,2,3\n1,3,3\n1,1O,3\n");
        cli_.write("zero.csv", "RA,DEC,TA,W\n1,2,3,0\n1,3,3,0\n");
        cli_.write("value.csv", "RA,DEC,TA\n1,2,3\n1,3,x\n");
        const Outcome outcome = cli_.run("grid " + line + " --device cpu");
        QCOMPARE(outcome.status, status);
        QVERIFY(says(outcome, text));
        QVERIFY(!QFile::exists(cli_.path("x.fits")));
    }

    // A sample of 1, and a second one of 5 in the same cell that the file marks as bad, in forms
    // that people write.
    void samplesAsOthersWrite_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("options");
        QTest::addColumn<double>("value");
        const auto row = [](const char* name, const char* text, const char* options = "",
                            double value = 1.0) {
            QTest::newRow(name) << QByteArray(text) << options << value;
        };
        row("both good", "RA,DEC,T\n30,40,1\n30,40,5\n", "", 3.0);
        row("UNSEEN", "RA,DEC,T\n30,40,1\n30,40,-1.6375e30\n");
        row("a word for no value", "RA,DEC,T\n30,40,1\n30,40,INDEF\n");
        row("flags as words", "RA,DEC,T,BAD\n30,40,1,False\n30,40,5,True\n", "--flag BAD");
        row("flags as letters", "RA,DEC,T,BAD\n30,40,1,F\n30,40,5,T\n", "--flag BAD");
        row("mask of astropy", "RA,DEC,T,T.mask\n30,40,1,0\n30,40,5,1\n");
        row("hours in a name", "ra_hours,dec_deg,T\n2,40,1\n30,40,5\n");
        row("hours in a stated name", "ra_hours,y,T\n2,40,1\n30,40,5\n",
            "--lon ra_hours --lat y --samples-frame C");
        row("sexagesimal", "RA,DEC,T\n02:00:00,+40:00:00,1\n02:10:00,+40:00:00,5\n");
        row("sexagesimal in stated columns", "a_h,d,T\n2h0m0s,40d0m0s,1\n2h10m,40d,5\n",
            "--lon a_h --lat d --samples-frame C");
        row("comments of Matlab", "% RA DEC T\n30 40 1\n% a comment\n30 41 5\n");
    }
    void samplesAsOthersWrite() {
        QFETCH(QByteArray, text);
        QFETCH(QString, options);
        QFETCH(double, value);
        cli_.write("other.csv", text);
        const Outcome outcome = cli_.run(
            "grid {other.csv} {o.fits} --value T --kernel gaussian --kernel-fwhm "
            "1arcmin --center 30deg,40deg --size 1x1 --resolution 1arcmin --device cpu "
            "--overwrite " +
            options);
        QVERIFY2(outcome.status == 0, outcome.error);
        QCOMPARE(imageOf(cli_.path("o.fits")).at(0), value);
    }
    void duplicateNames() {
        cli_.write("twice.csv", "RA,DEC,T,T\n30,40,1,5\n");
        const QString line =
            "grid {twice.csv} {o.fits} --kernel nearest --center 30deg,40deg "
            "--size 1x1 --resolution 1arcmin --device cpu --overwrite --value ";
        const Outcome outcome = cli_.run(line + "T");
        QCOMPARE(outcome.status, 0);
        QCOMPARE(imageOf(cli_.path("o.fits")).at(0), 1.0);
        for (const QString second : {"T_2", "4"}) {
            QCOMPARE(cli_.run(line + second).status, 0);
            QCOMPARE(imageOf(cli_.path("o.fits")).at(0), 5.0);
        }
    }

    void narrowKernel() {
        const Outcome outcome = cli_.run(
            "grid {s.csv} {n.fits} --value TA --kernel-fwhm 1arcmin --center 0deg,60deg --size 9x9 "
            "--resolution 5arcmin --device cpu");
        QCOMPARE(outcome.status, 0);
        // A disc of 3 sigma, 1.27 arcmin, in a square of 5: all but 20 %.
        QVERIFY(says(outcome, "80 % of the area"));
    }

private:
    CliFixture cli_;
    SampleTable table_, weighted_;
};

QTEST_GUILESS_MAIN(tst_cli_grid)
#include "tst_cli_grid.moc"
