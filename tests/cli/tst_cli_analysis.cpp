// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands say of an analysis, and how they refuse one.
#include <QTest>
#include <cmath>

#include "cli/cli_fixture.h"
#include "core/pixel_geometry.h"
#include "io/harmonic_io.h"
#include "support/direct_sht.h"

using namespace armilla;
using namespace armilla::test;

// AddressSanitizer maps terabytes, more than `ulimit -v` would leave it.
#if defined(__SANITIZE_ADDRESS__)
#define ARMILLA_SKIP_WITHOUT_ADDRESS_LIMIT() QSKIP("no limit of addresses under AddressSanitizer")
#else
#define ARMILLA_SKIP_WITHOUT_ADDRESS_LIMIT() static_cast<void>(0)
#endif

class tst_cli_analysis : public QObject {
    Q_OBJECT

    static bool says(const Outcome& outcome, const QByteArray& text) {
        if (!outcome.error.contains(text)) qWarning("found: %s", outcome.error.constData());
        return outcome.error.contains(text);
    }

private slots:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", cli_.path("cache").toLocal8Bit());
        for (const int nside : {8, 64}) {
            Field field{"TEMPERATURE", "K", DiskType::Float64, whiteMap(nside, 21)};
            cli_.write(QStringLiteral("white%1.fits").arg(nside),
                       HealpixMap(nside, Ordering::Ring, Frame::Galactic, {std::move(field)}));
        }
    }

    void theWayIsSaid_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("way");
        QTest::newRow("default") << "map2alm {white8.fits} {out}"
                                 << "map2alm: no weights, 0 iterations\n";
        QTest::newRow("ring") << "map2alm {white8.fits} {out} --weights ring --iterations 1"
                              << "map2alm: ring weights, 1 iteration\n";
        QTest::newRow("anafast") << "anafast {white8.fits} {out} --iterations 3"
                                 << "anafast: no weights, 3 iterations\n";
        QTest::newRow("smooth") << "smooth {white8.fits} {out} --fwhm 20deg"
                                << "smooth: ring weights, 0 iterations\n";
    }
    void theWayIsSaid() {
        QFETCH(QString, line);
        QFETCH(QString, way);
        const Outcome outcome = cli_.run(line + " --overwrite");
        QCOMPARE(outcome.status, 0);
        QVERIFY(says(outcome, way.toUtf8()));
    }
    // Two results in one file would be one.
    void eachOutputHasItsName() {
        const Outcome twice =
            cli_.run("filter {white8.fits} {f.fits} --fwhm 20deg --snr {f.fits} --overwrite");
        QCOMPARE(twice.status, 2);
        QVERIFY(says(twice, "f.fits: expected a name of its own for each output"));
        QCOMPARE(twice.error.count('\n'), 1);
        QVERIFY(!QFile::exists(cli_.path("f.fits")));
        const Outcome none = cli_.run("map2alm {white8.fits} {out} --lmax");
        QCOMPARE(none.status, 2);
        QVERIFY(says(none, "map2alm: expected --lmax N, found no value (see"));
    }
    void theResidualIsSaid() {
        const QString line = "map2alm {white8.fits} {out} --lmax 16 --tolerance 1e-9 --overwrite";
        QVERIFY(says(cli_.run(line), "no weights, tolerance 1e-09: residual "));
        const QJsonObject json = cli_.run(line + " --json").json();
        QVERIFY(json["residual"].toDouble() > 0.0 && json["residual"].toDouble() <= 1e-9);
        QVERIFY(json["steps"].toInt() > 1 && json["steps"].toInt() < 50);
    }
    void noConvergenceIsOneLine() {
        for (const char* way : {"--tolerance 1e-9", "--lmax 256 --iterations 100"}) {
            const Outcome outcome =
                cli_.run(QStringLiteral("map2alm {white64.fits} {refused} ") + way);
            QCOMPARE(outcome.status, 1);
            QCOMPARE(outcome.error.count('\n'), 1);
            QVERIFY(says(outcome, "expected") && says(outcome, "lmax = "));
            QVERIFY(!QFile::exists(cli_.path("refused")));
        }
    }
    void usage_data() {
        QTest::addColumn<QString>("line");
        QTest::newRow("mmax, default lmax") << "map2alm {white64.fits} {o} --mmax 192";
        QTest::newRow("mmax, lmax") << "map2alm {white64.fits} {o} --mmax 192 --lmax 191";
        QTest::newRow("tolerance") << "map2alm {white64.fits} {o} --tolerance 1e-300";
        QTest::newRow("one file") << "anafast {o}";
        QTest::newRow("field and polarization")
            << "map2alm {white8.fits} {o} --polarization --field 2";
        QTest::newRow("field and polarization, smooth")
            << "smooth {white8.fits} {o} --fwhm 1deg --polarization --field 2";
        QTest::newRow("nside") << "synfast {o} {o} --nside 32769";
        QTest::newRow("four files") << "anafast {white8.fits} {white8.fits} {white8.fits} {o}";
    }
    void usage() {
        QFETCH(QString, line);
        const Outcome outcome = cli_.run(line);
        QCOMPARE(outcome.status, 2);
        QCOMPARE(outcome.error.count('\n'), 1);
        QVERIFY(!outcome.error.contains("0.000"));
    }
    void outputWithoutName() {
        const Outcome outcome = cli_.run(QStringList{"map2alm", cli_.path("white8.fits"), ""});
        QCOMPARE(outcome.status, 2);
        QVERIFY(says(outcome, "found an empty one"));
    }
    // Before the work, of which nothing is said then.
    void packedOutputIsRefusedFirst() {
        const Outcome outcome = cli_.run("map2alm {none.fits} {a.fits.fz}");
        QCOMPARE(outcome.status, 2);
        QVERIFY(says(outcome, "a.fits.fz: expected a name for a FITS file, plain or .fits.gz"));
    }
    void helpCountsNoFiles() {
        QVERIFY(!cli_.run("help anafast").out.contains("2x"));
        QVERIFY(!cli_.run("help anafast").out.contains("x 2"));
    }
    void pixelWeightsTellWhereTheyAre() {
        const QString line = "map2alm {white8.fits} {out} --weights pixel --overwrite";
        const QByteArray path = cli_.path("cache/armilla/pixel_weights_8.bin").toUtf8();
        QVERIFY(says(cli_.run(line), "pixel weights kept in " + path));
        const Outcome outcome = cli_.shell(
            "XDG_CACHE_HOME=/dev/null $A map2alm white8.fits out --weights pixel --overwrite");
        QCOMPARE(outcome.status, 0);
        QVERIFY(says(outcome, "computed each time, since they cannot be kept in /dev/null/"));
    }
    void smoothInTheAskedPrecision() {
        QCOMPARE(cli_.run("smooth {white8.fits} {s1} --fwhm 9deg --precision single").status, 0);
        QCOMPARE(cli_.run("convert {s1} {d1} --precision double").status, 0);
        for (const char* line : {"smooth {s1} {s2} --fwhm 9deg --precision double",
                                 "smooth {d1} {d2} --fwhm 9deg --precision double"})
            QCOMPARE(cli_.run(line).status, 0);
        QCOMPARE(valuesOf(cli_.read("s2"), 0), valuesOf(cli_.read("d2"), 0));
    }
    void mapsTooLargeForTheirPrecision() {
        std::vector<double> values = whiteMap(8, 3);
        for (double& value : values) value *= 1e100;
        cli_.write("far.fits", HealpixMap(8, Ordering::Ring, Frame::Galactic,
                                          {{"T", "K", DiskType::Float64, std::move(values)}}));
        QCOMPARE(cli_.run("map2alm {far.fits} {far_alm}").status, 0);
        QCOMPARE(cli_.run("alm2map {far_alm} {far_map} --nside 8").status, 0);
        for (const char* line : {"map2alm {far.fits} {no} --precision single",
                                 "alm2map {far_alm} {no} --nside 8 --precision single"}) {
            const Outcome outcome = cli_.run(line);
            QCOMPARE(outcome.status, 1);
            QVERIFY(says(outcome, "within single precision"));
            QVERIFY(!QFile::exists(cli_.path("no")));
        }
    }
    // Of a dipole along the Galactic pole the map is the height above the Galactic plane in either
    // frame; of a quadrupole of E about it |P| is sqrt(15 / 2 pi) / 4 cos^2 b (M. Zaldarriaga & U.
    // Seljak 1997, arXiv:astro-ph/9609170, _2Y_20), across the direction to the pole. COSMO's angle
    // is from south to east. Values under 1, sums of a few terms.
    void otherFrames() {
        std::vector<Alm> alm(3, Alm(2, 2));
        alm[0](1, 0) = std::sqrt(4.0 * kPi / 3.0);
        alm[1](2, 0) = 1.0;
        JobContext job;
        writeAlm(alm, cli_.path("g_alm").toStdString(), {true, StoredPrecision::Double, {}}, job,
                 {Frame::Galactic, "K"});
        const double most = 0.25 * std::sqrt(15.0 / (2.0 * kPi));
        for (const Frame frame : {Frame::Galactic, Frame::Equatorial, Frame::Ecliptic}) {
            const Outcome outcome = cli_.run(QStringLiteral("alm2map {g_alm} {turned} --nside 4 "
                                                            "--precision double --overwrite "
                                                            "--frame ") +
                                             QLatin1Char(frameLetter(frame)));
            QVERIFY2(outcome.status == 0, outcome.error);
            const HealpixMap map = cli_.read("turned");
            QCOMPARE(map.frame(), frame);
            const Vec3 pole = frameRotation(frame, Frame::Galactic) * Vec3{0, 0, 1};
            for (int64_t p = 0; p < map.elementCount(); ++p) {
                const Vec3 n = directionFromRing(4, p);
                const double height = pole.x * n.x + pole.y * n.y + pole.z * n.z;
                const double phi = std::atan2(n.y, n.x);
                const double toSouth = n.z * (std::cos(phi) * pole.x + std::sin(phi) * pole.y) -
                                       std::hypot(n.x, n.y) * pole.z;
                const double toEast = -std::sin(phi) * pole.x + std::cos(phi) * pole.y;
                const double q = -most * (toSouth * toSouth - toEast * toEast);
                const double u = -most * 2.0 * toSouth * toEast;
                QVERIFY(std::abs(map.field(0).at(p) - height) < 1e-14);
                QVERIFY(std::abs(map.field(1).at(p) - q) < 1e-14);
                QVERIFY(std::abs(map.field(2).at(p) - u) < 1e-14);
            }
        }
    }
    void otherFilesAreNoCoefficients() {
        cli_.write("words", QByteArray("hello\n"));
        for (const char* name : {"words", "white8.fits"}) {
            const Outcome outcome =
                cli_.run(QStringLiteral("alm2map {%1} {no} --nside 8").arg(name));
            QCOMPARE(outcome.status, 1);
            QCOMPARE(outcome.error.count('\n'), 1);
            QVERIFY(says(outcome, ": expected a ") && !outcome.error.contains("positions"));
        }
    }
    void derivativesArePerRadian() {
        QCOMPARE(cli_.run("map2alm {white8.fits} {unit_alm}").status, 0);
        QCOMPARE(cli_.run("alm2map {unit_alm} {slopes} --nside 8 --derivatives").status, 0);
        const HealpixMap map = cli_.read("slopes");
        QCOMPARE(map.field(0).unit, std::string("K"));
        QCOMPARE(map.field(1).unit, std::string("K/rad"));
        QCOMPARE(map.field(2).unit, std::string("K/rad"));
    }
    void spectraEnd() {
        QCOMPARE(cli_.run("anafast {white8.fits} {cl} --lmax 10").status, 0);
        const QString line = "synfast {cl} {sky} --nside 8 --overwrite --lmax ";
        QVERIFY(says(cli_.run(line + "11"), "a spectrum to l = 10"));
        QVERIFY(!cli_.run(line + "10").error.contains("a spectrum to"));
    }
    void tuningThatCannotBeKeptIsPrinted() {
        const Outcome outcome = cli_.shell(
            "env -u HOME -u XDG_CACHE_HOME $A bench --tune --device cpu --nside 8 "
            "--repeat 1");
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.contains("tune.map2alm"));
        QVERIFY(says(outcome, "not kept: expected a folder"));
    }
    // Stacks of 300 threads take 2.5 GB.
    void threadsThatDoNotStart() {
        ARMILLA_SKIP_WITHOUT_ADDRESS_LIMIT();
        const Outcome outcome = cli_.shell(
            "ulimit -v 2048000; exec $A map2alm white64.fits few --device cpu --threads 300");
        QVERIFY2(outcome.status == 0, outcome.error.constData());
        QCOMPARE(cli_.run("map2alm {white64.fits} {many} --device cpu").status, 0);
    }
    void memoryIsAskedFirst() {
        ARMILLA_SKIP_WITHOUT_ADDRESS_LIMIT();
        QCOMPARE(cli_.run("map2alm {white8.fits} {small} --overwrite").status, 0);
        // Before any work: the synthesis takes minutes of processor time, the process has 20 s.
        const Outcome outcome = cli_.shell(
            "ulimit -v 20000000; ulimit -t 20; exec $A alm2map small large --nside 32768");
        QCOMPARE(outcome.status, 1);
        QVERIFY(says(outcome, "a map of nside 32768: expected data that fit"));
    }

private:
    CliFixture cli_;
};

QTEST_GUILESS_MAIN(tst_cli_analysis)
#include "tst_cli_analysis.moc"
