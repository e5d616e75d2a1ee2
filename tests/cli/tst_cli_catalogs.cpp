// SPDX-License-Identifier: GPL-3.0-or-later
// Values at positions, selected rows, and counts in pixels.
#include <QTest>
#include <cmath>
#include <limits>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr double kBad = std::numeric_limits<double>::quiet_NaN();

TableColumn columnOf(const char* name, std::vector<double> values, const char* unit = "") {
    TableColumn column;
    column.name = name;
    column.unit = unit;
    column.values = std::move(values);
    return column;
}

}  // namespace

class tst_cli_catalogs : public QObject {
    Q_OBJECT

    CliFixture cli_;

    void writeRows(const char* name, const std::vector<TableColumn>& columns) const {
        Table table;
        table.columns = columns;
        JobContext job;
        writeTable(table, cli_.path(name).toStdString(), {true, {}, {}}, job);
    }
    std::vector<double> column(const char* name, const char* file = "out.fits") const {
        JobContext job;
        const Table table = readTable(cli_.path(file).toStdString(), {}, job);
        const auto index = table.find(name);
        if (!index) return {};
        std::vector<double> values;
        for (int64_t row = 0; row < table.rows(); ++row)
            values.push_back(table.columns[static_cast<size_t>(*index)].number(row));
        return values;
    }
    void writeMap(const char* name, int64_t nside, const char* field, const char* unit,
                  std::vector<double> values, Frame frame = Frame::Galactic) const {
        Field made;
        made.name = field;
        made.unit = unit;
        made.diskType = DiskType::Float64;
        made.values = std::move(values);
        cli_.write(name, HealpixMap(nside, Ordering::Ring, frame, {made}));
    }

private slots:
    void initTestCase() {
        std::vector<double> values;
        for (int i = 0; i < 192; ++i) values.push_back(std::sin(static_cast<double>(i)));
        writeMap("sine.fits", 4, "TEMPERATURE", "K", values);
        values[136] = kBad;
        writeMap("holes.fits", 4, "TEMPERATURE", "K", values);
        // m = np.array([.05, .2, .1, .02, .03, .25, .04, .06, .01, .14, .07, .03])
        probability_ = {.05, .2, .1, .02, .03, .25, .04, .06, .01, .14, .07, .03};
        writeMap("prob.fits", 1, "PROB", "pix-1", probability_);
        writeRows("three.fits", {columnOf("GLON", {12.5, 200.0, 359.9}, "deg"),
                                 columnOf("GLAT", {-33.25, 80.0, 0.0}, "deg")});
        // The centers of the pixels of nside 1, and a row without a position:
        // hp.pix2ang(1, range(12), lonlat=True)
        writeRows(
            "twelve.fits",
            {columnOf("GLON", {45, 135, 225, 315, 0, 90, 180, 270, 45, 135, 225, 315, kBad}, "deg"),
             columnOf("GLAT",
                      {41.81, 41.81, 41.81, 41.81, 0, 0, 0, 0, -41.81, -41.81, -41.81, -41.81, 10},
                      "deg"),
             columnOf("FLUX", {0, 1, 2, 3, 4, 5, 6, kBad, 8, 9, 10, 11, 12}, "Jy")});
    }

    // m = np.sin(np.arange(192.0)); lon, lat = [12.5, 200, 359.9], [-33.25, 80, 0]
    void lookup() {
        QCOMPARE(cli_.run("lookup {sine.fits} {three.fits} {out.fits} --overwrite").status, 0);
        // m[hp.ang2pix(4, lon, lat, lonlat=True)]
        QCOMPARE(column("TEMPERATURE"),
                 (std::vector<double>{0.933320523748862, 0.9092974268256817, 0.6229886314423488}));
        QCOMPARE(cli_.run("lookup {sine.fits} {three.fits} {out.fits} --overwrite --interpolation "
                          "bilinear")
                     .status,
                 0);
        // hp.get_interp_val(m, lon, lat, lonlat=True)
        const double expected[] = {-0.37926499168213335, 0.8293137772937411, 0.33180497966004285};
        const std::vector<double> found = column("TEMPERATURE");
        // Weights differ by the rounding of angles, some 1e-16 of radians times nside.
        for (size_t i = 0; i < 3; ++i) QVERIFY(std::abs(found[i] - expected[i]) < 1e-14);
    }

    // Pixel 136 is one of the four of the first row, and not the pixel that contains it:
    // p, w = hp.get_interp_weights(4, 12.5, -33.25, lonlat=True)
    // g = p != 136; (w[g] * m[p[g]]).sum() / w[g].sum()
    void lookupBesideBadPixels() {
        QCOMPARE(cli_.run("lookup {holes.fits} {three.fits} {out.fits} --overwrite --interpolation "
                          "bilinear")
                     .status,
                 0);
        const double weights[] = {0.40267601, 0.25989522, 0.01528795};
        const double sum = weights[0] * std::sin(137.0) + weights[1] * std::sin(152.0) +
                           weights[2] * std::sin(153.0);
        // The weights above have 8 digits.
        QVERIFY(std::abs(column("TEMPERATURE")[0] - sum / (weights[0] + weights[1] + weights[2])) <
                1e-7);
        QCOMPARE(cli_.run("lookup {holes.fits} {twelve.fits} {out.fits} --overwrite").status, 0);
        QVERIFY(std::isnan(column("TEMPERATURE")[12]));
    }

    // U of a file in IAU convention has the other sign in results, which is said.
    void lookupOfIau() {
        Field u;
        u.name = "U_STOKES";
        u.values = std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        HealpixMap map(1, Ordering::Ring, Frame::Galactic, {u});
        map.metadata().iauOnDisk = true;
        cli_.write("iau.fits", map);
        const Outcome outcome = cli_.run("lookup {iau.fits} {twelve.fits} {out.fits} --overwrite");
        QCOMPARE(outcome.status, 0);
        QCOMPARE(column("U_STOKES")[4], 5.0);
        QVERIFY2(outcome.error.contains("U_STOKES in COSMO convention"), outcome.error);
        const Outcome stats = cli_.run("stats {iau.fits} {out.csv} --overwrite");
        QVERIFY2(stats.error.contains("U_STOKES in COSMO convention"), stats.error);
        const Outcome mask = cli_.run("mask {iau.fits} {out.fits} --above 5 --overwrite");
        QVERIFY2(mask.error.contains("U_STOKES in COSMO convention"), mask.error);
        QCOMPARE(valuesOf(cli_.read("out.fits"), 0)[4], 1.0);
        QCOMPARE(valuesOf(cli_.read("out.fits"), 0)[5], 0.0);
        map = HealpixMap(16, Ordering::Ring, Frame::Galactic,
                         {{"U_STOKES", "", DiskType::Float64, std::vector<double>(3072)}});
        auto& noise = std::get<std::vector<double>>(map.field(0).values);
        for (size_t p = 0; p < noise.size(); ++p)
            noise[p] = std::sin(37.0 * static_cast<double>(p * p));
        map.metadata().iauOnDisk = true;
        cli_.write("noise.fits", map);
        const Outcome sources = cli_.run("sources {noise.fits} {out.csv} --fwhm 20deg --overwrite");
        QCOMPARE(sources.status, 0);
        QVERIFY2(sources.error.contains("U_STOKES in COSMO convention"), sources.error);
        const Outcome other = cli_.run("lookup {sine.fits} {twelve.fits} {out.fits} --overwrite");
        QVERIFY2(other.error.contains("1 row without") && !other.error.contains("COSMO"),
                 other.error);
    }

    // A catalog with a fault is no FITS file for `moc`; a map without a frame is told how to state
    // it.
    void mocOfAFaultyCatalog() {
        QFile file(cli_.path("faulty.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("RA,DEC\n1,2\n3,x\n");
        file.close();
        const Outcome outcome = cli_.run("moc {faulty.csv} {out.fits} --overwrite");
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("expected positions in column 'DEC', found 'x' in row 2"),
                 outcome.error);
        writeMap("unknown.fits", 1, "MASK", "", std::vector<double>(12, 1.0), Frame::Unknown);
        const Outcome unknown = cli_.run("moc {unknown.fits} {out.fits} --overwrite");
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.error.contains("--input-frame G|E|C"), unknown.error);
    }

    // i = np.argsort(-m); c = np.empty(12); c[i] = np.cumsum(m[i])
    void credibleLevels() {
        QCOMPARE(cli_.run("lookup {prob.fits} {twelve.fits} {out.fits} --overwrite").status, 0);
        const double expected[] = {0.87, 0.45, 0.69, 0.99, 0.97, 0.25,
                                   0.91, 0.82, 1.0,  0.59, 0.76, 0.97};
        std::vector<double> found = column("CREDIBLE_LEVEL");
        // Pixels 4 and 11 have one probability, 0.03, and so one level. Sums of 12 terms.
        for (size_t i = 0; i < 12; ++i) QVERIFY(std::abs(found[i] - expected[i]) < 1e-14);
        QVERIFY(std::isnan(found[12]));
        QCOMPARE(column("PROB")[5], 0.25);
        // Twice the probability is normalized, and said.
        std::vector<double> twice = probability_;
        for (double& value : twice) value *= 2.0;
        writeMap("twice.fits", 1, "PROB", "pix-1", twice);
        const Outcome outcome =
            cli_.run("lookup {twice.fits} {twelve.fits} {out.fits} --overwrite");
        QVERIFY2(outcome.error.contains("sum to 2, normalized"), outcome.error);
        found = column("CREDIBLE_LEVEL");
        for (size_t i = 0; i < 12; ++i) QVERIFY(std::abs(found[i] - expected[i]) < 1e-14);
        // A density of the same sky.
        std::vector<double> density = probability_;
        for (double& value : density) value *= 12.0 / (4.0 * kPi);
        writeMap("density.fits", 1, "PROBDENSITY", "sr-1", density);
        QCOMPARE(cli_.run("lookup {density.fits} {twelve.fits} {out.fits} --overwrite").status, 0);
        found = column("CREDIBLE_LEVEL");
        for (size_t i = 0; i < 12; ++i) QVERIFY(std::abs(found[i] - expected[i]) < 1e-14);
    }

    void insideMasksAndMocs() {
        std::vector<double> mask(12, 0.0);
        mask[1] = mask[5] = 1.0;
        writeMap("mask.fits", 1, "MASK", "", mask);
        QCOMPARE(cli_.run("lookup {mask.fits} {twelve.fits} {out.fits} --overwrite").status, 0);
        const std::vector<double> expected{0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
        QCOMPARE(column("INSIDE"), expected);
        QCOMPARE(
            cli_.run("select {twelve.fits} {out.fits} --inside {mask.fits} --overwrite").status, 0);
        QCOMPARE(column("FLUX"), (std::vector<double>{1, 5}));
        // Order 5 is finer than what the two frames differ by at the centers.
        const Outcome moc = cli_.run("moc {mask.fits} {moc.fits} --order 5");
        QCOMPARE(moc.status, 0);
        QVERIFY2(!moc.error.contains("not a mask"), moc.error.constData());
        // A map of another quantity is taken, and a line says how.
        mask[2] = 7.0;
        writeMap("counts.fits", 1, "COUNTS", "", mask);
        QVERIFY(
            cli_.run("moc {counts.fits} {counts.moc.fits}")
                .error.contains("not a mask, its values go beyond 0 to 1; the pixels above 0.5"));
        QCOMPARE(cli_.run("lookup {moc.fits} {twelve.fits} {out.fits} --overwrite").status, 0);
        JobContext job;
        const Table table = readTable(cli_.path("out.fits").toStdString(), {}, job);
        QCOMPARE(table.columns.size(), size_t(4));  // INSIDE alone is added
    }

    void select() {
        const auto rows = [&](const QString& options) {
            const Outcome outcome =
                cli_.run(cli_.words("select {twelve.fits} {out.fits} --overwrite") +
                         QProcess::splitCommand(options));
            if (outcome.status != 0) qWarning("%s", outcome.error.constData());
            return column("FLUX");
        };
        QCOMPARE(rows("--where \"FLUX > 8 and GLAT < 0\""), (std::vector<double>{9, 10, 11}));
        QCOMPARE(rows("--where \"not good(FLUX)\"").size(), size_t(1));
        QCOMPARE(rows("--where \"FLUX > 9 ? GLON > 300 : FLUX == 2\""),
                 (std::vector<double>{2, 11}));
        QCOMPARE(rows("--region circle(90,0,10)"), (std::vector<double>{5}));
        QCOMPARE(rows("--region circle(90,0,10) --where \"FLUX < 5\""), std::vector<double>());
        cli_.write("disc.reg", QByteArray("galactic\ncircle(180,0,100)\n-circle(180,0,5)\n"));
        QCOMPARE(rows("--inside " + cli_.path("disc.reg") + " --where \"GLAT == 0\"").size(),
                 size_t(2));
        QCOMPARE(rows("--credible " + cli_.path("prob.fits") + " --level 0.6"),
                 (std::vector<double>{1, 5, 9}));
        QCOMPARE(rows("--credible " + cli_.path("prob.fits") + " --level 69.1%"),
                 (std::vector<double>{1, 2, 5, 9}));
        QCOMPARE(rows("--columns FLUX,GLON --where \"FLUX < 2\""), (std::vector<double>{0, 1}));
        JobContext job;
        const Table table = readTable(cli_.path("out.fits").toStdString(), {}, job);
        QCOMPARE(table.columns.size(), size_t(2));
        QCOMPARE(table.columns[0].name, std::string("FLUX"));
        // No row is no failure.
        QCOMPARE(rows("--where \"FLUX > 1000\""), std::vector<double>());
    }
    // All pixels alike: the volume of 0.5 is a shell of 6.81 Mpc on both sides of 100 Mpc, since
    // erf(0.681 / sqrt 2) (100^2 + 10^2) - 2 10^2 0.681 phi(0.681) is half of (100^2 + 10^2).
    void selectVolume() {
        const auto filled = [](const char* name, const char* unit, double value) {
            return Field{name, unit, DiskType::Float64, std::vector<double>(12, value)};
        };
        JobContext job;
        armilla::writeMap(
            HealpixMap(
                1, Ordering::Ring, Frame::Galactic,
                {filled("PROB", "pix-1", 1.0 / 12.0), filled("DISTMU", "Mpc", 100.0),
                 filled("DISTSIGMA", "Mpc", 10.0), filled("DISTNORM", "Mpc-2", 1.0 / 10100.0)}),
            cli_.path("volume.fits").toStdString(), {}, job);
        QFile file(cli_.path("far.ecsv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: GLON, unit: deg, datatype: float64}\n"
            "# - {name: GLAT, unit: deg, datatype: float64}\n"
            "# - {name: D, unit: kpc, datatype: float64}\n# - {name: FLUX, datatype: float64}\n"
            "GLON GLAT D FLUX\n1 2 93000 0\n90 30 94000 1\n200 -60 100000 2\n10 80 106000 3\n"
            "0 0 107000 4\n0 0 -5 5\n");
        file.close();
        const auto selected = [&](const char* options) {
            return cli_.run(QString("select {far.ecsv} {out.fits} --overwrite --credible "
                                    "{volume.fits} --level 0.5 --distance ") +
                            options);
        };
        const Outcome outcome = selected("D");
        QVERIFY2(outcome.status == 0, outcome.error);
        QCOMPARE(column("FLUX"), (std::vector<double>{1, 2, 3}));
        // Not a distance; no distances in the map; no map.
        QCOMPARE(selected("GLON").status, 1);
        QCOMPARE(cli_.run("select {far.ecsv} {out.fits} --overwrite --credible {prob.fits} --level "
                          "0.5 --distance D")
                     .status,
                 1);
        QCOMPARE(cli_.run("select {far.ecsv} {out.fits} --overwrite --distance D").status, 2);
    }
    // Conditions on columns need no positions; places do.
    void selectFromTables() {
        cli_.write("plain.csv", QByteArray("NAME,A,B\nx,1,2\ny,3,4\nz,5,6\n"));
        Outcome outcome = cli_.run(cli_.words("select {plain.csv} {out.fits} --overwrite") +
                                   QStringList{"--where", "A > 1", "--columns", "B,NAME"});
        QVERIFY2(outcome.status == 0, outcome.error);
        QCOMPARE(column("B"), (std::vector<double>{4, 6}));
        QCOMPARE(column("A"), std::vector<double>());
        outcome = cli_.run(cli_.words("select {plain.csv} {out.fits} --overwrite") +
                           QStringList{"--region", "circle(90,0,10)"});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("expected columns of positions") &&
                     outcome.error.contains("found columns NAME, A, B"),
                 outcome.error);
    }
    void selectRefusals() {
        const auto status = [&](const QString& options) {
            return cli_
                .run(cli_.words("select {twelve.fits} {out.fits} --overwrite") +
                     QProcess::splitCommand(options))
                .status;
        };
        QCOMPARE(status("--where \"FLUX >\""), 2);
        QCOMPARE(status("--credible " + cli_.path("prob.fits")), 2);
        QCOMPARE(status("--level 0.9"), 2);
        QCOMPARE(status("--credible " + cli_.path("prob.fits") + " --level 1.5"), 2);
        QCOMPARE(status("--region wibble"), 2);
        QCOMPARE(status("--lon GLON"), 2);
        QCOMPARE(status("--where \"NONE > 1\""), 1);
    }

    void count() {
        Outcome outcome = cli_.run("count {twelve.fits} {out.fits} --nside 1 --overwrite");
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(outcome.error.contains("1 row without a position"), outcome.error);
        HealpixMap map = cli_.read("out.fits");
        QVERIFY(map.frame() == Frame::Galactic);
        QCOMPARE(map.field(0).name, std::string("COUNTS"));
        QCOMPARE(valuesOf(map, 0), std::vector<double>(12, 1.0));
        outcome = cli_.run("count {twelve.fits} {out.fits} --nside 2 --weight FLUX --overwrite");
        QVERIFY2(outcome.status == 0, outcome.error);
        map = cli_.read("out.fits");
        double sum = 0.0;
        int empty = 0;
        for (const double value : valuesOf(map, 0)) {
            sum += value;
            if (value == 0.0) ++empty;
        }
        QCOMPARE(sum, 59.0);  // 0 + 1 + ... + 11 without 7
        QCOMPARE(empty, 38);  // 48 pixels, 10 of them with a flux above 0
        QCOMPARE(map.field(0).unit, std::string("Jy"));
        // Memory limits the resolution: 4e19 bytes are more than any machine has.
        outcome = cli_.run("count {twelve.fits} {huge.fits} --nside 536870912");
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.count('\n') == 1 && outcome.error.contains("memory"), outcome.error);
    }

    // Positions in columns that no rule finds.
    void namedPositions() {
        writeRows("odd.fits", {columnOf("GLON", {0.0}, "deg"), columnOf("GLAT", {0.0}, "deg"),
                               columnOf("X", {90.0}, "deg"), columnOf("Y", {0.0}, "deg")});
        QCOMPARE(
            cli_.run("count {odd.fits} {out.fits} --nside 1 --lon X --lat Y --overwrite").status,
            0);
        QCOMPARE(cli_.read("out.fits").value(0, 5), 1.0);
    }

private:
    std::vector<double> probability_;
};

QTEST_GUILESS_MAIN(tst_cli_catalogs)
#include "tst_cli_catalogs.moc"
