// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla match`, `stats`, and the inputs of masks.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "armilla/core/pixel_queries.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/table_io.h"
#include "cli_fixture.h"
#include "support/image_cards.h"
#include "support/table_columns.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_regions : public QObject {
    Q_OBJECT
    double number(const Table& table, const char* column, int64_t row) const {
        return columnOf(table, column).number(row);
    }

private slots:
    void initTestCase() {
        cli_.write("a.csv", "NAME,GLON,GLAT,POS_ERR\nx,10,20,30\ny,50,-30,30\nz,200,80,30\n");
        // The same positions in ICRS, shifted 20 arc seconds to the north in Galactic latitude.
        const Mat3 turn = frameRotation(Frame::Equatorial, Frame::Galactic);
        QByteArray other = "NAME,RA,DEC,FLUX\n";
        for (const auto& [lon, lat] : {std::pair{10.0, 20.0}, {50.0, -30.0}, {120.0, 5.0}}) {
            const LonLat at =
                lonLat(turn * direction({lon * kDegree, lat * kDegree + 20 * kArcsec}));
            other += "n," + QByteArray::number(at.lon / kDegree, 'g', 17) + "," +
                     QByteArray::number(at.lat / kDegree, 'g', 17) + ",1.5\n";
        }
        cli_.write("b.csv", other);
        std::vector<double> values(static_cast<size_t>(pixelCount(64)));
        for (size_t p = 0; p < values.size(); ++p)
            values[p] = directionFromRing(64, static_cast<int64_t>(p)).z;
        cli_.write("z.fits", HealpixMap(64, Ordering::Ring, Frame::Galactic,
                                        {{"T", "K_CMB", DiskType::Float64, values}}));
    }

    void matches() {
        for (const char* name : {"m.fits", "m.vot", "m.ecsv", "m.csv"}) {
            const Outcome done = cli_.run("match {a.csv} {b.csv} {" + QString(name) +
                                          "} --radius 30arcsec --json --brightness FLUX");
            QVERIFY2(done.status == 0, done.error.constData());
            QCOMPARE(done.json()["pairs"].toInt(), 2);
            const Catalog found = readCatalog(cli_.path(name).toStdString(), job_);
            QCOMPARE(found.rows(), int64_t{2});
            // Arc seconds, from degrees with 17 digits.
            QVERIFY(std::abs(number(found.table, "XSEP", 0) - 20.0) < 1e-6);
            QVERIFY(found.table.find("NAME_2"));
            QVERIFY(number(found.table, "P_CHANCE", 1) < 1e-6);
            QVERIFY(found.frame() == Frame::Galactic);
        }
        const auto rows = [&](const QString& options) {
            const Outcome done =
                cli_.run("match {a.csv} {b.csv} {o.csv} --overwrite --json " + options);
            return done.status == 0 ? done.json()["rows"].toInt() : -1;
        };
        QCOMPARE(rows("--radius 10arcsec"), 0);
        QCOMPARE(rows("--radius 30arcsec --join all1"), 3);
        QCOMPARE(rows("--radius 30arcsec --join 1not2"), 1);
        QCOMPARE(rows("--radius 30arcsec --join 2not1"), 1);
        QCOMPARE(rows("--errors POS_ERR --errors2 1arcsec"), 2);
        QCOMPARE(rows("--errors POS_ERR --errors2 1arcsec --sigmas 0.5"), 0);
        QVERIFY(says(cli_.run("match {a.csv} {b.csv} {no.csv}"), "--radius"));
        QVERIFY(says(cli_.run("match {a.csv} {b.csv} {no.csv} --errors POS_ERR"), "POS_ERR"));
        QVERIFY(says(cli_.run("match {a.csv} {b.csv} {no.csv} --errors NAME"), "NAME"));
    }

    void statistics() {
        cli_.write("r.reg",
                   "galactic\ncircle(10,60,5) # text={high}\nbox(10,-60,4,4,0)\n"
                   "-circle(10,-60,1)\nfk5\nannulus(80,10,1,3)\n");
        const Outcome done = cli_.run(
            "stats {z.fits} {s.fits} --regions {r.reg} --histogram {h.csv} --bins 10 --profile "
            "{p.fits} --json");
        QVERIFY2(done.status == 0, done.error.constData());
        const Table table = readTable(cli_.path("s.fits").toStdString(), {}, job_);
        QCOMPARE(table.rows(), int64_t{3});
        QCOMPARE(table.columns[0].text(0), std::string("high"));
        QCOMPARE(columnOf(table, "MEAN").unit, std::string("K"));
        // A disc of 5 degrees on sin(latitude): cos(2.5 deg)^2 of the middle; pixels of a degree.
        const double truth = std::sin(60 * kDegree) * std::pow(std::cos(2.5 * kDegree), 2);
        QVERIFY(std::abs(number(table, "MEAN", 0) / truth - 1) < 2e-3);
        QVERIFY(std::abs(number(table, "AREA", 0) / 78.4 - 1) < 0.1);
        QVERIFY(std::abs(number(table, "GLAT", 1) + 60.0) < 1e-9);
        QVERIFY(number(table, "MAX_LAT", 0) > 64.0);
        // K times the solid angle, in sr.
        QCOMPARE(columnOf(table, "INTEGRAL").unit, std::string("K sr"));
        QVERIFY(std::abs(number(table, "INTEGRAL", 0) /
                             (number(table, "SUM", 0) * 4.0 * kPi / pixelCount(64)) -
                         1.0) < 1e-14);
        const Curve counts = readCurve(cli_.path("h.csv").toStdString(), job_);
        QCOMPARE(counts.size(), int64_t{10});
        QCOMPARE(counts.series.size(), size_t{3});
        double sum = 0.0;
        for (const double v : counts.series[0].values) sum += v;
        QCOMPARE(sum, number(table, "GOOD", 0));
        const Curve profile = readCurve(cli_.path("p.fits").toStdString(), job_);
        QVERIFY(profile.kind == CurveKind::Profile);
        // With numbers, in another frame.
        const Outcome numbers = cli_.run(
            "stats {z.fits} {n.csv} --frame C --center 80deg,10deg --inner 1deg --radius "
            "3deg --json");
        QVERIFY2(numbers.status == 0, numbers.error.constData());
        const auto mean = [](const Outcome& outcome, int row) {
            return outcome.json()["regions"].toArray()[row].toObject()["mean"].toDouble();
        };
        QCOMPARE(mean(numbers, 0), mean(done, 2));
        const Outcome words =
            cli_.run(QStringList{"stats", cli_.path("z.fits"), cli_.path("w.csv"), "--json",
                                 "--frame", "C", "--region", "annulus(80,10,1,3)"});
        QCOMPARE(mean(words, 0), mean(numbers, 0));
        cli_.write("half.txt", "0/0-3\n");
        const Outcome moc = cli_.run("stats {z.fits} {q.csv} --moc {half.txt} --json");
        QVERIFY2(moc.status == 0, moc.error.constData());
        // Four base pixels of twelve, to rounding of pixels at the border.
        const double pixels =
            moc.json()["regions"].toArray()[0].toObject()["pixels"].toDouble() / pixelCount(64);
        QVERIFY(std::abs(pixels * 3 - 1) < 0.02);
        QVERIFY(says(cli_.run("stats {z.fits} {no.csv} --profile {p2.csv}"), "--profile"));
        QVERIFY(says(cli_.run("stats {z.fits} {no.csv} --radius 1deg"), "--center"));
        QVERIFY(says(cli_.run(QStringList{"stats", cli_.path("z.fits"), cli_.path("no.csv"),
                                          "--region", "blob(1,2)"}),
                     "circle, ellipse, box"));
    }

    // A source of 3 Jy in a map per beam of 2 degrees, per steradian, and as counts.
    void integrals() {
        const double width = 2.0 * kDegree, k = -4.0 * std::log(2.0) / (width * width);
        const double beam = kPi / (4.0 * std::log(2.0)) * width * width;
        const Vec3 center = direction({1.0, 0.5});
        std::vector<double> values;
        for (int64_t p = 0; p < pixelCount(128); ++p) {
            const Vec3 at = directionFromRing(128, p);
            const double angle =
                std::atan2(std::sqrt(dot(cross(at, center), cross(at, center))), dot(at, center));
            values.push_back(3.0 * std::exp(k * angle * angle));
        }
        const auto integral = [&](const std::string& unit, double scale) {
            std::vector<double> scaled = values;
            for (double& value : scaled) value *= scale;
            HealpixMap map(128, Ordering::Ring, Frame::Galactic,
                           {{"FLUX", unit, DiskType::Float64, scaled}});
            map.metadata().cards = {imageCard("BMAJ", 2.0), imageCard("BMIN", 2.0)};
            cli_.write("flux.fits", map);
            const Outcome done = cli_.run("stats {flux.fits} {flux.csv} --json --overwrite");
            const QJsonObject row = done.json()["regions"].toArray()[0].toObject();
            return std::pair{row["integral"].toDouble(), row["integral_unit"].toString()};
        };
        // Curvature of the sphere: width^2 / 24 ln 2, 1e-4; pixels 0.0080 rad against a beam of
        // 0.035: sums of a Gaussian over them are exact to exp(-2 pi^2 (0.0148 / 0.0080)^2).
        const auto [jy, jyUnit] = integral("Jy/beam", 1.0);
        QVERIFY2(std::abs(jy / 3.0 - 1.0) < 2e-4, qPrintable(QString::number(jy)));
        QCOMPARE(jyUnit, QString("Jy"));
        const auto [mjy, mjyUnit] = integral("MJy/sr", 1e-6 / beam);
        QVERIFY(std::abs(mjy / 3e-6 - 1.0) < 2e-4);
        QCOMPARE(mjyUnit, QString("MJy"));
        // Other spellings of the same units.
        for (const char* unit : {"Jy beam-1", "beam-1 Jy", "JY/BEAM", "Jy / beam"}) {
            const auto [value, spelled] = integral(unit, 1.0);
            QVERIFY2(std::abs(value / 3.0 - 1.0) < 2e-4, unit);
            QCOMPARE(spelled, QString("Jy"));
        }
        const auto [line, lineUnit] = integral("Jy km/(s beam)", 1.0);
        QVERIFY(std::abs(line / 3.0 - 1.0) < 2e-4);
        QCOMPARE(lineUnit, QString("Jy km s-1"));
        for (const char* unit : {"Jy sr-1", "Jy/sr", "Jy sr^-1"})
            QCOMPARE(integral(unit, 1.0 / beam).second, QString("Jy"));
        const double degrees = std::pow(kDegree, 2);
        const auto [square, squareUnit] = integral("Jy deg-2", degrees / beam);
        QVERIFY(std::abs(square / 3.0 - 1.0) < 2e-4);
        QCOMPARE(squareUnit, QString("Jy"));
        QCOMPARE(integral("K", 1.0).second, QString("K sr"));
        QCOMPARE(integral("", 1.0).second, QString("sr"));
        const auto [count, countUnit] = integral("count", 1.0);
        QVERIFY(std::abs(count * (4.0 * kPi / pixelCount(128)) / (3.0 * beam) - 1.0) < 2e-4);
        QCOMPARE(countUnit, QString("count"));
    }

    // A purely excluding region removes its area from the whole sky, and is never ignored silently.
    void excludingAlone() {
        const auto stats = [&](const QString& region, const QStringList& more = {}) {
            return cli_.run(QStringList{"stats", cli_.path("z.fits"), cli_.path("apart.csv"),
                                        "--json", "--overwrite", "--region", region} +
                            more);
        };
        const auto pixels = [](const Outcome& outcome, int row) {
            return outcome.json()["regions"].toArray()[row].toObject()["pixels"].toInt(-1);
        };
        const Outcome disc = stats("circle(10,20,5)"), rest = stats("-circle(10,20,5)");
        QVERIFY2(rest.status == 0, rest.error.constData());
        QVERIFY(pixels(disc, 0) > 0);
        QCOMPARE(pixels(rest, 0), int(pixelCount(64)) - pixels(disc, 0));
        // With a region file, the excluding region is removed from the regions of the file.
        cli_.write("disc.reg", "galactic\ncircle(10,20,5)\ncircle(100,20,5)\n");
        const Outcome none = stats("-circle(10,20,6)", {"--regions", cli_.path("disc.reg")});
        QVERIFY2(none.status == 0, none.error.constData());
        QCOMPARE(pixels(none, 0), 0);
        QVERIFY(pixels(none, 1) > 0);
        QVERIFY(says(stats("-circle(10,20,5);circle(10,20,5)"), "region before"));
        // Only a disc has a center.
        QVERIFY(
            says(stats("-circle(10,20,5)", {"--profile", cli_.path("apart.fits")}), "--center"));
        const Outcome around = stats(
            "-circle(10,20,5)", {"--profile", cli_.path("apart.fits"), "--center", "10deg,20deg"});
        QVERIFY2(around.status == 0, around.error.constData());
        const Curve profile = readCurve(cli_.path("apart.fits").toStdString(), job_);
        // Rings in the hole are empty, those beyond are not.
        QVERIFY(!std::isfinite(profile.series[0].values[0]));
        QVERIFY(std::isfinite(profile.series[0].values[profile.series[0].values.size() / 2]));
    }

    // A repeatable option does not consume the output name after it.
    void maskOptionsBeforeNames() {
        QCOMPARE(cli_.run("mask --latitude 20deg --nside 16 {m1.fits}").status, 0);
        QCOMPARE(cli_.run("mask --latitude 40deg --nside 16 {m2.fits}").status, 0);
        // A single file is ambiguous, because the second one would be overwritten if OUT were
        // forgotten.
        const QByteArray kept = cli_.content("m2.fits");
        const Outcome forgotten = cli_.run("mask --with {m1.fits} {m2.fits} --overwrite");
        QCOMPARE(forgotten.status, 2);
        QVERIFY2(forgotten.error.contains("expected OUT after the files of --with"),
                 forgotten.error.constData());
        QCOMPARE(cli_.content("m2.fits"), kept);
        for (const char* line : {"mask --with {m1.fits} --with {m2.fits} {o.fits} --overwrite",
                                 "mask --with {m2.fits} {m1.fits} {o.fits} --overwrite",
                                 "mask {m1.fits} {o.fits} --overwrite --with {m2.fits}",
                                 "mask {m1.fits} --with {m2.fits} {o.fits} --overwrite",
                                 "mask --nside 16 --with {m2.fits} {o.fits} --overwrite"}) {
            const Outcome done = cli_.run(QString(line));
            QVERIFY2(done.status == 0, done.error.constData());
            const HealpixMap mask = cli_.read("o.fits"), truth = cli_.read("m2.fits");
            QCOMPARE(valuesOf(mask, 0), valuesOf(truth, 0));
        }
    }

    // x, y, z = hp.pix2vec(16, p); bad = np.sin(13*x+3*y)*np.cos(11*y-2*z)+0.6*np.sin(17*z) > 0.55
    // i = np.repeat(p, 8); j = hp.get_all_neighbours(16, p).T.ravel()
    // k = (j >= 0) & bad[i] & bad[j]
    // graph = coo_matrix((np.ones(k.sum()), (i[k], j[k])), shape=(p.size, p.size))
    // c, lab = scipy.sparse.csgraph.connected_components(graph, directed=False)
    // size = np.bincount(lab[bad], minlength=c)
    // s = (size > 0) & (size*hp.nside2pixarea(16, degrees=True) < A)
    // s.sum(), size[s].sum(), p[bad & s[lab]].sum()
    void fillHoles() {
        std::vector<double> values;
        for (int64_t p = 0; p < pixelCount(16); ++p) {
            const auto [x, y, z] = directionFromRing(16, p);
            const bool bad = std::sin(13.0 * x + 3.0 * y) * std::cos(11.0 * y - 2.0 * z) +
                                 0.6 * std::sin(17.0 * z) >
                             0.55;
            values.push_back(bad ? 0.0 : 1.0);
        }
        cli_.write("holes.fits", HealpixMap(16, Ordering::Ring, Frame::Galactic,
                                            {{"MASK", "", DiskType::Float64, values}}));
        QCOMPARE(cli_.run("convert {holes.fits} {nested.fits} --ordering nested").status, 0);
        struct Truth {
            const char* area;
            int holes, pixels;
            int64_t sum;
        };
        for (const Truth& truth :
             {Truth{"20deg2", 5, 5, 7587}, Truth{"360000arcmin2", 21, 76, 151050},
              Truth{"0.12184696791468343sr", 54, 500, 860161}})
            for (const char* from : {"holes.fits", "nested.fits"}) {
                const Outcome outcome =
                    cli_.run(QStringLiteral("mask {%1} {f.fits} --fill-holes %2 --ordering ring "
                                            "--overwrite --json")
                                 .arg(from, truth.area));
                QVERIFY2(outcome.status == 0, outcome.error.constData());
                QCOMPARE(outcome.json()["holes_filled"].toInt(), truth.holes);
                QCOMPARE(outcome.json()["pixels_filled"].toInt(), truth.pixels);
                QVERIFY(says(outcome, "filled " + QByteArray::number(truth.holes) + " holes of " +
                                          QByteArray::number(truth.pixels) + " pixels\n"));
                const std::vector<double> filled = valuesOf(cli_.read("f.fits"), 0);
                int64_t sum = 0;
                for (size_t p = 0; p < filled.size(); ++p)
                    if (filled[p] != values[p]) sum += static_cast<int64_t>(p);
                QCOMPARE(sum, truth.sum);
            }
        QCOMPARE(cli_.run("mask {holes.fits} {f.fits} --fill-holes 1e30sr --overwrite").status, 0);
        QCOMPARE(valuesOf(cli_.read("f.fits"), 0), std::vector<double>(values.size(), 1.0));
        for (const char* area : {"3", "3deg", "-1deg2", "x"})
            QCOMPARE(
                cli_.run(QStringLiteral("mask {holes.fits} {no.fits} --fill-holes ") + area).status,
                2);
    }

    // A shape without area cuts nothing: beside other shapes it is ignored, alone it is refused by
    // name.
    void regionsWithoutAnArea() {
        cli_.write("lines.reg",
                   "galactic\nline(1,2,3,4)\npoint(5,6)\npoint(7,8)\n# vector(1,2,3,4) width=1\n");
        const QByteArray line =
            "expected circle, ellipse, box, annulus or polygon, found only shapes without an area: "
            "line, point, vector";
        const Outcome file = cli_.run("mask {no.fits} --nside 8 --regions {lines.reg}");
        QCOMPARE(file.status, 1);
        QVERIFY(says(file, line));
        const Outcome typed =
            cli_.run({"mask", cli_.path("no.fits"), "--nside", "8", "--region", "point(1,2)"});
        QCOMPARE(typed.status, 1);
        QVERIFY(says(typed, "found only shapes without an area: point"));
        cli_.write("more.reg", "galactic\npoint(5,6)\ncircle(1,2,30)\n");
        QCOMPARE(cli_.run("mask {o.fits} --overwrite --nside 8 --regions {more.reg}").status, 0);
        cli_.write("none.reg", "# Region file format: DS9\ngalactic\n");
        QVERIFY(says(cli_.run("mask {no.fits} --nside 8 --regions {none.reg}"),
                     "expected a region, found none"));
    }
    // Requested double precision gives the digits of the formula.
    void apodizedInDoublePrecision() {
        const QString line = "mask {%1} --nside 16 --latitude 20deg --apodize 15deg --overwrite";
        QCOMPARE(cli_.run(line.arg("single.fits")).status, 0);
        QCOMPARE(cli_.run(line.arg("double.fits") + " --precision double").status, 0);
        const HealpixMap single = cli_.read("single.fits"), fine = cli_.read("double.fits");
        QVERIFY(fine.field(0).diskType == DiskType::Float64);
        int between = 0;
        for (int64_t p = 0; p < fine.elementCount(); ++p) {
            const double value = fine.field(0).at(p);
            QCOMPARE(static_cast<float>(value), static_cast<float>(single.field(0).at(p)));
            between += value != static_cast<double>(static_cast<float>(value)) ? 1 : 0;
        }
        QVERIFY2(between > 100, qPrintable(QString::number(between)));
    }

    // Soft masks keep their double precision through all operations that leave their values
    // unchanged.
    void softMasksInDoublePrecision_data() {
        QTest::addColumn<QString>("line");
        QTest::newRow("alone") << "mask {o.fits} --with {soft.fits}";
        QTest::newRow("beside values") << "mask {sky.fits} {o.fits} --with {soft.fits}";
        QTest::newRow("beside a mask") << "mask {hard.fits} {o.fits} --with {soft.fits}";
        QTest::newRow("of this size") << "mask {o.fits} --nside 16 --ordering nested "
                                         "--latitude 0deg --with {soft.fits}";
        QTest::newRow("grown and shrunk")
            << "mask {o.fits} --with {soft.fits} --shrink 1deg --grow 1deg";
        QTest::newRow("inverted") << "mask {o.fits} --with {not.fits} --invert";
    }
    void softMasksInDoublePrecision() {
        QFETCH(QString, line);
        std::vector<double> soft, inverted;
        for (int p = 0; p < 12 * 16 * 16; ++p) {
            soft.push_back(0.9 + 1e-9 * p);
            inverted.push_back(1.0 - soft.back());  // exact, because 1 minus this value is
        }
        const auto map = [](const char* name, std::vector<double> values) {
            return HealpixMap(16, Ordering::Nested, Frame::Galactic,
                              {{name, "", DiskType::Float64, std::move(values)}});
        };
        cli_.write("soft.fits", map("MASK", soft));
        cli_.write("not.fits", map("MASK", inverted));
        cli_.write("sky.fits", map("I", std::vector<double>(soft.size(), 7.0)));
        std::vector<double> hard(soft.size(), 1.0);
        hard[5] = 0.0;
        cli_.write("hard.fits", map("MASK", hard));
        const Outcome done = cli_.run(line + " --precision double --overwrite");
        QVERIFY2(done.status == 0, done.error);
        std::vector<double> wanted = soft;
        if (line.contains("hard")) wanted[5] = 0.0;
        QCOMPARE(valuesOf(cli_.read("o.fits"), 0), wanted);
        // With apodization: the same far from bad pixels.
        QCOMPARE(cli_.run(line + " --apodize 1deg --precision double --overwrite").status, 0);
        QCOMPARE(valuesOf(cli_.read("o.fits"), 0), wanted);
        // Without the option, the precision of the inputs.
        QCOMPARE(cli_.run(line + " --overwrite").status, 0);
        QVERIFY(cli_.read("o.fits").field(0).diskType == DiskType::Float64);
        QCOMPARE(valuesOf(cli_.read("o.fits"), 0), wanted);
        QCOMPARE(cli_.run(line + " --precision single --overwrite").status, 0);
        QVERIFY(cli_.read("o.fits").field(0).diskType == DiskType::Float32);
    }

    // Also if each slot has one file and further options follow.
    void outputsBehindRepeatedOptions() {
        cli_.write("a.moc.txt", "0/0-3\n");
        cli_.write("b.moc.txt", "0/3 4\n");
        cli_.write("c.moc.txt", "0/5\n");
        for (const auto& [line, share] :
             {std::pair{"moc {a.moc.txt} --with {b.moc.txt} {o.txt} --operation intersection", 1.0},
              {"moc --with {b.moc.txt} {a.moc.txt} {o.txt} --operation intersection", 1.0},
              {"moc {a.moc.txt} --with {b.moc.txt} --with {c.moc.txt} {o.txt} --order 0", 6.0},
              {"moc {a.moc.txt} {o.txt} --with {b.moc.txt} {c.moc.txt} --order 0", 6.0},
              {"moc {a.moc.txt} --with {b.moc.txt} {c.moc.txt} --order 0 {o.txt}", 6.0}}) {
            QFile::remove(cli_.path("o.txt"));
            const Outcome done = cli_.run(QString(line) + " --json --overwrite");
            QVERIFY2(done.status == 0, line);
            QCOMPARE(done.json()["share"].toDouble(), share / 12);
        }
        // An existing file is not taken as the output: OUT was forgotten.
        for (const char* overwrite : {"", " --overwrite"}) {
            const Outcome forgotten = cli_.run(
                QString("moc {a.moc.txt} --with {b.moc.txt} {c.moc.txt} --order 0") + overwrite);
            QCOMPARE(forgotten.status, 2);
            QVERIFY2(forgotten.error.contains("expected OUT, found none"),
                     forgotten.error.constData());
            QCOMPARE(cli_.content("c.moc.txt"), QByteArray("0/5\n"));
        }
        const Outcome none = cli_.run("moc {a.moc.txt} --with {b.moc.txt} --order 0");
        QCOMPARE(none.status, 2);
        QVERIFY2(none.error.contains("expected OUT, found none"), none.error.constData());
    }

    // A map of 0 and 1 is taken as a mask, with a message, unless its values are requested.
    void mapsThatAreMasks() {
        QCOMPARE(cli_.run("mask --latitude 20deg --nside 16 {m.fits} --overwrite").status, 0);
        const HealpixMap before = cli_.read("m.fits");
        const Outcome same = cli_.run("mask {m.fits} {o.fits} --overwrite");
        QCOMPARE(same.status, 0);
        QVERIFY(same.error.contains("nothing but 0 and 1"));
        QCOMPARE(valuesOf(cli_.read("o.fits"), 0), valuesOf(before, 0));
        QCOMPARE(cli_.run("mask {m.fits} {o.fits} --overwrite --grow 30deg --json").status, 0);
        QVERIFY(valuesOf(cli_.read("o.fits"), 0) != valuesOf(before, 0));
        QCOMPARE(cli_.run("mask {m.fits} {o.fits} --overwrite --below -1").status, 0);
        QCOMPARE(valuesOf(cli_.read("o.fits"), 0), std::vector<double>(3072, 1.0));
    }
    // Weights stay weights where no pixel is exactly 0 or none is exactly 1. A map with a unit, or
    // with a value outside 0 to 1, is good where it has values.
    void weightsWithoutTheirEnds() {
        std::vector<float> weights(3072);
        const auto made = [&](const char* unit, bool isWeights) {
            cli_.write("w.fits", HealpixMap(16, Ordering::Ring, Frame::Galactic,
                                            {{"W", unit, DiskType::Float32, weights}}));
            const Outcome done = cli_.run("mask {w.fits} {o.fits} --overwrite");
            if (done.error.contains("weights of a mask") != isWeights) return std::vector<double>{};
            return valuesOf(cli_.read("o.fits"), 0);
        };
        for (const auto& [least, most] : {std::pair{0.0F, 0.97F}, {0.1F, 1.0F}, {0.2F, 0.8F}}) {
            for (size_t p = 0; p < weights.size(); ++p)
                weights[p] = least + (most - least) * static_cast<float>(p) / 3071.0F;
            QCOMPARE(made("", true), std::vector<double>(weights.begin(), weights.end()));
            QCOMPARE(made("K", false), std::vector<double>(3072, 1.0));
        }
        weights[7] = 1.5F;
        QCOMPARE(made("", false), std::vector<double>(3072, 1.0));
    }
    // "or" joins the named masks; a resolution option does not add a mask that is good everywhere.
    void masksJoinedAtAResolution() {
        QCOMPARE(cli_.run("mask --latitude 20deg --nside 16 {m1.fits} --overwrite").status, 0);
        QCOMPARE(cli_.run("mask --latitude 40deg --nside 16 {m2.fits} --overwrite").status, 0);
        QCOMPARE(cli_.run("mask --with {m2.fits} --with {m1.fits} --combine or --nside 16 {o.fits} "
                          "--overwrite")
                     .status,
                 0);
        QCOMPARE(valuesOf(cli_.read("o.fits"), 0), valuesOf(cli_.read("m1.fits"), 0));
    }

    // Larger pixels are good if all their children are, unless the mean or the center is requested;
    // weights between 0 and 1 stay.
    void largerPixels() {
        std::vector<float> values(static_cast<size_t>(pixelCount(4)), 1.0F);
        values[0] = 0.0F;  // nested: a quarter of pixel 0 of nside 2, next to its center
        values[5] = 0.5F;
        cli_.write("fine.fits", HealpixMap(4, Ordering::Nested, Frame::Galactic,
                                           {{"MASK", "", DiskType::Float32, values}}));
        const auto made = [&](const QString& options) {
            const Outcome done =
                cli_.run("mask {fine.fits} {o.fits} --nside 2 --overwrite" + options);
            if (done.status != 0) qWarning("%s", done.error.constData());
            return valuesOf(cli_.read("o.fits"), 0);
        };
        std::vector<double> expected(48, 1.0);
        expected[0] = 0.0;
        expected[1] = 0.5;
        QCOMPARE(made(""), expected);
        QCOMPARE(made(" --children all"), expected);
        expected[0] = 0.75;
        expected[1] = 0.875;
        QCOMPARE(made(" --children mean"), expected);
        // The center of a pixel is the corner of four smaller ones, any of which may be chosen.
        QCOMPARE(made(" --children center")[2], 1.0);
        const Outcome with =
            cli_.run("mask --with {fine.fits} {o.fits} --nside 2 --latitude 0deg --overwrite");
        QVERIFY2(with.status == 0, with.error.constData());
        const std::vector<double> joined = valuesOf(cli_.read("o.fits"), 0);
        QCOMPARE(joined.size(), size_t{48});
        QCOMPARE(*std::min_element(joined.begin(), joined.end()), 0.0);
        QVERIFY(says(cli_.run("mask {fine.fits} {o.fits} --overwrite"), "weights of a mask"));
        QCOMPARE(valuesOf(cli_.read("o.fits"), 0)[5], 0.5);
    }

    // Set operations on MOCs in every serialization, and masks from MOCs.
    void coverages() {
        cli_.write("a.moc.txt", "0/0-3 1/16\n");
        cli_.write("b.moc.json", "{\"0\": [3, 4]}\n");
        const auto share = [&](const QString& line) {
            const Outcome done = cli_.run(line + " --json --overwrite");
            if (done.status != 0) qWarning("%s", done.error.constData());
            return done.status == 0 ? done.json()["share"].toDouble() : -1.0;
        };
        QCOMPARE(share("moc {a.moc.txt} {u.fits} --with {b.moc.json}"), 5.0 / 12);
        QCOMPARE(share("moc {a.moc.txt} {i.txt} --with {b.moc.json} --operation intersection"),
                 1.25 / 12);
        QCOMPARE(share("moc {a.moc.txt} {d.json} --with {b.moc.json} --operation difference"),
                 3.0 / 12);
        QCOMPARE(share("moc {d.json} {c.fits} --complement --serialization nuniq"), 9.0 / 12);
        QCOMPARE(share("moc {i.txt} {o.fits} --order 0"), 2.0 / 12);
        QCOMPARE(cli_.content("i.txt"), QByteArray("0/3 1/16\n"));
        // A mask from the coverage has the same area; pixels at borders would differ, but there are
        // none here.
        for (const char* moc : {"u.fits", "i.txt", "d.json", "c.fits"}) {
            const double truth = share("moc {" + QString(moc) + "} {again.fits}");
            const Outcome mask = cli_.run(
                "mask {mask.fits} --overwrite --nside 32 --frame C --inside keep --json "
                "--moc {" +
                QString(moc) + "}");
            QVERIFY2(mask.status == 0, mask.error.constData());
            // A quotient of two counts, in decimal digits: the limit is far below one pixel of
            // 12288 (8e-5).
            QVERIFY(std::abs(mask.json()["good_share"].toDouble() - truth) < 1e-12);
            QCOMPARE(share("moc {mask.fits} {again.fits}"), truth);
        }
        const Outcome both = cli_.run(
            "mask {mask.fits} --overwrite --nside 32 --frame C --inside keep --moc {d.json} --moc "
            "{b.moc.json} --json");
        // A quotient of two counts, in decimal digits: the limit is far below one pixel of 12288
        // (8e-5).
        QVERIFY(std::abs(both.json()["good_share"].toDouble() - 5.0 / 12) < 1e-12);
        QVERIFY(says(cli_.run("moc {a.moc.txt} {x.csv}"), ".json"));
        // Two disjoint coverages have an empty intersection, whose complement is the whole sky. The
        // declared orders stay.
        cli_.write("far.moc.txt", "0/9 6/\n");
        for (const char* name : {"e.fits", "e.txt", "e.json"}) {
            const QString file = QString("{%1}").arg(name);
            QCOMPARE(
                share("moc {a.moc.txt} --with {far.moc.txt} " + file + " --operation intersection"),
                0.0);
            QCOMPARE(share("moc " + file + " {all.fits} --complement"), 1.0);
            const Outcome info = cli_.run("info {all.fits} " + file + " --json");
            QVERIFY2(info.status == 0, info.error.constData());
            QCOMPARE(
                cli_.run("moc " + file + " {o.txt} --json --overwrite").json()["order"].toInt(), 6);
            QCOMPARE(cli_.content("o.txt"), QByteArray("6/\n"));
        }
        cli_.write("t.txt", "t61/1-4\n");
        QVERIFY(says(cli_.run("moc {t.txt} {x.fits}"), "TIME"));
    }

    // Catalogs in any format: the cells of an order that contain a row, wherever the order is
    // given.
    void coveragesOfCatalogs() {
        const auto share = [&](const QString& line) {
            const Outcome done = cli_.run(line + " --json --overwrite");
            if (done.status != 0) qWarning("%s", done.error.constData());
            return done.status == 0 ? done.json()["share"].toDouble() : -1.0;
        };
        // Two positions within one cell of order 3, in ICRS and in Galactic coordinates, one
        // elsewhere.
        const Vec3 n = directionFromNested(8, 100), other = directionFromNested(8, 500);
        QByteArray rows = "NAME,RA,DEC\n", galactic = "GLON,GLAT\n";
        for (const Vec3 v : {n, Vec3{n.x + 1e-4, n.y, n.z}, other}) {
            const LonLat c = lonLat(v),
                         g = lonLat(frameRotation(Frame::Galactic, Frame::Equatorial) * v);
            rows += "x," + QByteArray::number(c.lon / kDegree, 'g', 17) + "," +
                    QByteArray::number(c.lat / kDegree, 'g', 17) + "\n";
            galactic += QByteArray::number(g.lon / kDegree, 'g', 17) + "," +
                        QByteArray::number(g.lat / kDegree, 'g', 17) + "\n";
        }
        cli_.write("rows.csv", rows + "gone,,\n");
        cli_.write("galactic.csv", galactic);
        for (const QString name : {"rows.fits", "rows.vot", "rows.ecsv", "rows.parquet"})
            QCOMPARE(cli_.run("convert {rows.csv} {" + name + "} --overwrite").status, 0);
        for (const QString name :
             {"rows.csv", "rows.fits", "rows.vot", "rows.ecsv", "rows.parquet", "galactic.csv"}) {
            QCOMPARE(share("moc {" + name + "} {rows.txt} --order 3"), 2.0 / 768);
            QCOMPARE(cli_.content("rows.txt"), QByteArray("3/100 500\n"));
        }
        cli_.write("cell.moc.txt", "3/100\n");
        QCOMPARE(share("moc {cell.moc.txt} {rows.txt} --with {rows.csv} --order 3 --operation "
                       "intersection"),
                 1.0 / 768);
        QVERIFY(says(cli_.run("moc {rows.csv} {no.txt}"), "expected --order N for a catalog"));
        cli_.write("nowhere.csv", "LON,LAT\n1,2\n");
        QVERIFY(says(cli_.run("moc {nowhere.csv} {no.txt} --order 3"), "--input-frame"));
    }

private:
    CliFixture cli_;
    JobContext job_;
};

QTEST_GUILESS_MAIN(tst_cli_regions)
#include "tst_cli_regions.moc"
