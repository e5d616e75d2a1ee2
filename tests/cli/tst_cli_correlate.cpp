// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla correlate` as a process: exact counts, every file format and source of randoms, refused
// requests.
#include <QJsonArray>
#include <QtTest>
#include <cmath>

#include "armilla/io/curve_io.h"
#include "armilla/io/table_io.h"
#include "cli_fixture.h"
#include "support/table_columns.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// A square of 1 degree at the equator, and one point far away.
const char kData[] = "ra,dec,w\n0,0,1\n1,0,2\n0,1,3\n1,1,4\n100,45,5\n";
const char kRandom[] = "ra,dec\n0.25,0.25\n1.25,0.5\n10,10\n-10,-10\n";
const char kOther[] = "ra,dec\n0.5,0.25\n-1.25,0.5\n10,11\n";

}  // namespace

class TestCliCorrelate : public QObject {
    Q_OBJECT

private:
    CliFixture cli_;

    Table table(const QString& name) {
        JobContext job;
        return readTable(cli_.path(name).toStdString(), {}, job);
    }
    static std::vector<int64_t> integers(const Table& table, const char* name) {
        return std::get<std::vector<int64_t>>(columnOf(table, name).values);
    }

private slots:
    void initTestCase() {
        cli_.write("data.csv", kData);
        cli_.write("random.csv", kRandom);
        cli_.write("other.csv", kOther);
    }

    // For maps: both methods agree within the accuracy of bins of several pixels, and write equal
    // files.
    void maps() {
        cli_.writeSky("sky.fits", 16, Ordering::Nested, 1, true);
        cli_.writeSky("mask.fits", 16, Ordering::Ring);
        cli_.writeSky("fine.fits", 32, Ordering::Ring);
        QCOMPARE(cli_.run("mask {sky.fits} {mask.fits} --latitude 20deg --overwrite").status, 0);
        const QString options = " --bins 5deg,85deg,8 --overwrite --mask {mask.fits} --method ";
        QCOMPARE(cli_.run("correlate-maps {sky.fits} {s.fits}" + options + "spectrum").status, 0);
        QCOMPARE(cli_.run("correlate-maps {sky.fits} {p.csv}" + options + "pairs").status, 0);
        QCOMPARE(
            cli_.run("correlate-maps {sky.fits} {sky.fits} {x.vot}" + options + "spectrum").status,
            0);
        const Table spectrum = table("s.fits"), pairs = table("p.csv"), cross = table("x.vot");
        QVERIFY(pairs.find("NPAIRS") && !spectrum.find("NPAIRS"));
        const auto w = [](const Table& from, int64_t row) {
            return columnOf(from, "W").number(row);
        };
        double most = 0.0;
        for (int64_t row = 0; row < 8; ++row) most = std::max(most, std::abs(w(pairs, row)));
        for (int64_t row = 0; row < 8; ++row) {
            // The limit guards against a wrong weight or factor; it is not derived.
            QVERIFY(std::abs(w(spectrum, row) - w(pairs, row)) < 0.05 * most);
            QCOMPARE(w(cross, row), w(spectrum, row));
        }
        const auto says = [&](const QString& line, const char* text) {
            const Outcome outcome = cli_.run(line);
            return outcome.status != 0 && outcome.error.contains(text);
        };
        QVERIFY(
            says("correlate-maps {sky.fits} {fine.fits} {n.fits} --bins 1deg,9deg,8", "nside 16"));
        QVERIFY(says("correlate-maps {sky.fits} {n.fits} --bins 9deg,1deg,8", "bins"));
        QVERIFY(says("correlate-maps {sky.fits} {n.fits}", "bins"));
    }

    // The sides lie on the edge of 1 degree, the diagonal (slightly less than sqrt(2) deg) between
    // 1 and 2.
    void countsByHand() {
        const Outcome run = cli_.run(
            "correlate {data.csv} {out.fits} --random {random.csv} --bins 0.5deg,2deg,2 --json");
        QCOMPARE(run.status, 0);
        const Table result = table("out.fits");
        QCOMPARE(result.name, std::string("CORRELATION"));
        // Three of the sides are 1 degree; the one at latitude 1 is less.
        QCOMPARE(integers(result, "DD"), (std::vector<int64_t>{1, 5}));
        QCOMPARE(columnOf(result, "THETA_MAX").number(1), 2.0);
        const QJsonObject json = run.json();
        QCOMPARE(json["dd"].toObject()["pairs"].toArray()[1].toInt(), 5);
        QCOMPARE(json["data"].toInt(), 5);
        QCOMPARE(json["edges_deg"].toArray().size(), 3);
    }

    // The same numbers in each format, and for the same catalog in other formats and units.
    void formats() {
        const QString options = " --random {random.csv} --bins 0.1deg,20deg,4";
        QCOMPARE(cli_.run("correlate {data.csv} {a.fits}" + options).status, 0);
        const Table expected = table("a.fits");
        for (const QString suffix : {"csv", "ecsv", "vot", "fit"}) {
            const Outcome run = cli_.run("correlate {data.csv} {a." + suffix + "}" + options);
            QVERIFY2(run.status == 0, run.error.constData());
            QVERIFY(run.out.startsWith("wrote "));
            const Table found = table("a." + suffix);
            for (const char* name : {"DD", "DR", "RR"})
                QCOMPARE(integers(found, name), integers(expected, name));
        }
    }

    void whatHasNoPartIsSaid() {
        const Outcome run = cli_.run(
            "correlate {data.csv} {unused.fits} --random {random.csv} --bins 0.1deg,20deg,4 "
            "--random-factor 3 --patches 7");
        QVERIFY2(run.status == 0, run.error.constData());
        QVERIFY2(run.error.contains("--random-from") && run.error.contains("--patches"),
                 run.error.constData());
    }

    void columnsByName() {
        cli_.write("named.csv", "number,x,y\n1,0,0\n2,1,0\n3,0,1\n4,1,1\n5,100,45\n");
        const QString rest = " --random {named.csv} --bins 0.5deg,2deg,2 --overwrite";
        QVERIFY(cli_.run("correlate {named.csv} {n.fits}" + rest).status != 0);
        QCOMPARE(cli_.run("correlate {named.csv} {n.fits} --lon x --lat y" + rest).status, 0);
        QCOMPARE(integers(table("n.fits"), "RR"), (std::vector<int64_t>{1, 5}));
        QCOMPARE(cli_.run("correlate {named.csv} {n.fits} --lon x" + rest).status, 2);
    }

    void weights() {
        QCOMPARE(cli_.run("correlate {data.csv} {w.fits} --weight w --random {random.csv} "
                          "--bins 0.5deg,2deg,2 --device cpu")
                     .status,
                 0);
        const Table result = table("w.fits");
        QCOMPARE(integers(result, "NPAIRS_DD"), (std::vector<int64_t>{1, 5}));
        const TableColumn& dd = columnOf(result, "DD");
        // The upper side: 3 * 4; the other sides 1 * 2, 1 * 3, 2 * 4 and the diagonals 1 * 4, 2 *
        // 3.
        QCOMPARE(dd.number(0), 12.0);
        QCOMPARE(dd.number(1), 23.0);
    }

    void missingWeight() {
        cli_.write("gap.csv", "RA,DEC,w\n10,10,1\n10,11,\n11,10,2\n");
        const Outcome run = cli_.run(
            "correlate {gap.csv} {refused.fits} --weight w --random {random.csv} --bins "
            "0.5deg,2deg,2 --device cpu");
        QCOMPARE(run.status, 1);
        QVERIFY(run.error.contains("found none in row 2 of column w"));
    }

    void endlessLongitude() {
        cli_.write("inf.csv", "RA,DEC\n10,10\ninf,11\n");
        const Outcome run =
            cli_.run("correlate {inf.csv} {refused.fits} --random {random.csv} --bins 1deg,2deg,3");
        QCOMPARE(run.status, 1);
        QVERIFY2(run.error.contains("inf.csv: expected finite longitudes, found inf in row 2"),
                 run.error.constData());
    }

    void severalSetsAndTwoCatalogs() {
        const QString bins = " --bins 0.1deg,20deg,3";
        QCOMPARE(cli_.run("correlate {data.csv} {1.fits} --random {random.csv}" + bins).status, 0);
        QCOMPARE(cli_.run("correlate {data.csv} {2.fits} --random {other.csv}" + bins).status, 0);
        QCOMPARE(cli_.run("correlate {data.csv} {12.fits} --random {random.csv} --random "
                          "{other.csv}" +
                          bins)
                     .status,
                 0);
        for (const char* name : {"DR", "RR"}) {
            const auto a = integers(table("1.fits"), name), b = integers(table("2.fits"), name),
                       sum = integers(table("12.fits"), name);
            for (size_t k = 0; k < sum.size(); ++k) QCOMPARE(sum[k], a[k] + b[k]);
        }
        QCOMPARE(cli_.run("correlate {data.csv} {x.fits} --cross {other.csv} --random {random.csv} "
                          "--random2 {other.csv}" +
                          bins)
                     .status,
                 0);
        const Table cross = table("x.fits");
        // the second random set equals the second data set
        QCOMPARE(integers(cross, "DD"), integers(cross, "DR"));
        QVERIFY(cross.find("RD").has_value());
    }

    // Catalogs without pairs.
    void emptyCatalogs() {
        cli_.write("empty.csv", "RA,DEC\n");
        cli_.write("placeless.csv", "RA,DEC\n,\n");
        const QString bins = " --bins 1deg,2deg,2";
        for (const QString file : {"empty.csv", "placeless.csv"})
            for (const QString line :
                 {"{%1} {no.fits} --random {random.csv}", "{data.csv} {no.fits} --random {%1}",
                  "{data.csv} {no.fits} --cross {%1} --random {random.csv}"}) {
                const Outcome run = cli_.run("correlate " + line.arg(file) + bins);
                QCOMPARE(run.status, 1);
                QVERIFY2(run.error.contains(file.toUtf8() +
                                            ": expected rows with a position, found none"),
                         run.error);
            }
        cli_.writeSky("m.fits", 4, Ordering::Ring);
        const Outcome few = cli_.run(
            "correlate {data.csv} {no.fits} --random-from {m.fits} --input-frame C "
            "--random-factor 0.01" +
            bins);
        QCOMPARE(few.status, 1);
        QVERIFY2(few.error.contains("--random-factor: expected at least one random point"),
                 few.error);
    }
    void randomsFromAMask() {
        std::vector<float> mask(768, 0.0F);
        for (size_t i = 0; i < 200; ++i) mask[i] = 1.0F;
        cli_.write("mask.fits", HealpixMap(8, Ordering::Ring, Frame::Equatorial,
                                           {{"MASK", "", DiskType::Float32, mask}}));
        const QString line =
            "correlate {data.csv} {%1.fits} --random-from {mask.fits} "
            "--random-factor 40 --random-sets 2 --bins 1deg,100deg,5 --seed 7";
        QCOMPARE(cli_.run(line.arg("m1") + " --threads 1").status, 0);
        const Outcome again = cli_.run(line.arg("m2") + " --threads 2 --json");
        QCOMPARE(again.status, 0);
        QCOMPARE(again.json()["random"].toInt(), 400);
        QCOMPARE(integers(table("m2.fits"), "RR"), integers(table("m1.fits"), "RR"));
    }

    void errorsAndCovariance() {
        QString points = "ra,dec\n";
        for (int i = 0; i < 60; ++i)
            points += QString("%1,%2\n").arg(i * 1.7).arg(std::fmod(i * 7.3, 40.0));
        cli_.write("many.csv", points.toUtf8());
        const QString line = "correlate {data.csv} {%1} --random {many.csv} --bins 1deg,100deg,3 ";
        QCOMPARE(cli_.run(line.arg("jack.fits") + "--errors jackknife --patches 6").status, 0);
        QVERIFY(cli_.content("jack.fits").contains("COVARIANCE"));
        // The matrix HDU is no image of the sky; after reading, its diagonal is that of W_ERR.
        QVERIFY(cli_.run("info {jack.fits}").out.contains("curve, correlation"));
        JobContext job;
        const Curve curve = readCurve(cli_.path("jack.fits").toStdString(), job);
        QCOMPARE(curve.covariance.size(), size_t{9});
        const CurveSeries& w = curve.series.front();
        QCOMPARE(w.name, std::string("W"));
        QCOMPARE(w.errors.size(), size_t{3});
        // The limit covers a square root and a product of doubles; bins without pairs of a sample
        // are NaN.
        int known = 0;
        for (size_t k = 0; k < 3; ++k) {
            const double variance = curve.covariance[4 * k];
            QCOMPARE(std::isnan(variance), std::isnan(w.errors[k]));
            if (std::isnan(variance)) continue;
            // One square of a square root: each rounds by half a machine epsilon, relatively.
            QVERIFY(std::abs(variance - w.errors[k] * w.errors[k]) <= 1e-15 * variance);
            ++known;
        }
        QVERIFY(known > 0);
        const Outcome text = cli_.run(line.arg("jack.csv") + "--errors jackknife --patches 6");
        QCOMPARE(text.status, 0);
        QVERIFY(text.error.contains("covariance"));
        QCOMPARE(cli_.run(line.arg("p.fits") + "--errors poisson").status, 0);
        QVERIFY(!cli_.content("p.fits").contains("COVARIANCE"));
    }

    void edgesOfAFile() {
        cli_.write("edges.txt", "# deg\n0.5\n1.0, 60arcmin\n");
        QVERIFY(cli_.run("correlate {data.csv} {e.fits} --random {random.csv} --edges {edges.txt}")
                    .status != 0);  // an edge twice
        cli_.write("edges.txt", "# deg\n0.5\n1.0, 120arcmin\n");
        QCOMPARE(cli_.run("correlate {data.csv} {e.fits} --random {random.csv} --edges {edges.txt}")
                     .status,
                 0);
        QCOMPARE(integers(table("e.fits"), "DD"), (std::vector<int64_t>{1, 5}));
        // The bin edges come from the result's own table.
        QCOMPARE(cli_.run("correlate {data.csv} {e2.fits} --random {random.csv} --edges {e.fits}")
                     .status,
                 0);
        QCOMPARE(integers(table("e2.fits"), "DD"), (std::vector<int64_t>{1, 5}));
    }

    void refusals_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<int>("status");
        QTest::newRow("no bins") << "--random {random.csv}" << 2;
        QTest::newRow("no unit") << "--random {random.csv} --bins 1,2,3" << 2;
        QTest::newRow("reversed") << "--random {random.csv} --bins 2deg,1deg,3" << 2;
        QTest::newRow("no randoms") << "--bins 1deg,2deg,3" << 2;
        QTest::newRow("both")
            << "--bins 1deg,2deg,3 --random {random.csv} --random-from {random.csv}" << 2;
        QTest::newRow("random2 alone")
            << "--bins 1deg,2deg,3 --random {random.csv} --random2 {other.csv}" << 2;
        QTest::newRow("estimator")
            << "--bins 1deg,2deg,3 --random {random.csv} --estimator ls" << 2;
        QTest::newRow("sizes") << "--bins 1deg,2deg,3 --random {random.csv} --estimator report"
                               << 1;
        QTest::newRow("absent") << "--bins 1deg,2deg,3 --random {absent.csv}" << 1;
        QTest::newRow("weight") << "--bins 1deg,2deg,3 --random {random.csv} --weight absent" << 1;
    }
    void refusals() {
        QFETCH(QString, options);
        QFETCH(int, status);
        const Outcome run = cli_.run("correlate {data.csv} {refused.fits} " + options);
        QCOMPARE(run.status, status);
        QVERIFY(run.error.contains("expected"));
        QVERIFY(!QFile::exists(cli_.path("refused.fits")));
    }
};

QTEST_GUILESS_MAIN(TestCliCorrelate)
#include "tst_cli_correlate.moc"
