// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of the analysis commands, and refused requests.
#include <QJsonArray>
#include <QTest>
#include <array>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/harmonic_io.h"
#include "cli/cli_fixture.h"
#include "support/direct_sht.h"

using namespace armilla;
using namespace armilla::test;

// AddressSanitizer reserves terabytes, more than `ulimit -v` would allow.
#if defined(__SANITIZE_ADDRESS__)
#define ARMILLA_SKIP_WITHOUT_ADDRESS_LIMIT() QSKIP("no limit of addresses under AddressSanitizer")
#else
#define ARMILLA_SKIP_WITHOUT_ADDRESS_LIMIT() static_cast<void>(0)
#endif

class tst_cli_analysis : public QObject {
    Q_OBJECT

    // 2.7255 K with fluctuations of 1e-4; optionally with a dipole and 40 bad pixels.
    void writeMicrowaveSky(const QString& name, bool bad) {
        std::vector<double> map;
        for (int64_t p = 0; p < pixelCount(8); ++p) {
            const auto [x, y, z] = directionFromRing(8, p);
            map.push_back(2.7255 + 1e-4 * std::sin(5.0 * x + 3.0 * y * z));
            if (bad) map.back() += 0.00336 * (0.8 * x - 0.6 * z);
            if (bad && p >= 100 && p < 140) map.back() = std::nan("");
        }
        cli_.write(name, HealpixMap(8, Ordering::Ring, Frame::Galactic,
                                    {{"TEMPERATURE", "K", DiskType::Float64, std::move(map)}}));
    }
    std::vector<double> spectrumOf(const QString& name) {
        return readSpectra(cli_.path(name).toStdString())[SpectrumKind::TT];
    }
    // healpy solves the same equations: 1e-13 of the mean.
    static void checkFit(const QJsonObject& fit, double monopole, std::array<double, 3> dipole) {
        QVERIFY(std::abs(fit["monopole"].toDouble() - monopole) < 1e-12);
        const QJsonObject found = fit["dipole"].toObject();
        const QJsonArray vector = found["vector"].toArray();
        double square = 0.0;
        for (qsizetype i = 0; i < 3; ++i) {
            const double part = dipole[static_cast<size_t>(i)];
            QVERIFY(std::abs(vector[i].toDouble() - part) < 1e-12);
            square += part * part;
        }
        QVERIFY(std::abs(found["amplitude"].toDouble() - std::sqrt(square)) < 1e-12);
        QVERIFY(std::abs(found["lat_deg"].toDouble() -
                         std::asin(dipole[2] / std::sqrt(square)) / kDegree) < 1e-7);
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
    // Two results cannot share a file.
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
        // The limit is the tolerance of the command line.
        QVERIFY(json["residual"].toDouble() > 0.0 && json["residual"].toDouble() <= 1e-9);
        QVERIFY(json["steps"].toInt() > 1 && json["steps"].toInt() < 50);
    }
    // 2.7255 and fluctuations 27,000 times smaller, like the microwave sky. In healpy 1.19: x, y, z
    // = hp.pix2vec(8, np.arange(768)); m = 2.7255 + 1e-4*np.sin(5*x + 3*y*z) hp.anafast(m -
    // m.mean(), iter=0)[:6]
    void aLargeMeanStaysInTheMonopole_data() {
        QTest::addColumn<QString>("options");
        QTest::newRow("double") << "";
        QTest::newRow("cross") << "{cmb.fits}";
        QTest::newRow("nested") << "nested";
    }
    void aLargeMeanStaysInTheMonopole() {
        QFETCH(QString, options);
        writeMicrowaveSky("cmb.fits", false);
        QString line = "anafast {cmb.fits} " + options + " {cl.fits} --overwrite";
        if (options == "nested") {
            QCOMPARE(
                cli_.run("convert {cmb.fits} {nest.fits} --ordering nested --overwrite").status, 0);
            line = "anafast {nest.fits} {cl.fits} --overwrite";
        }
        const Outcome outcome = cli_.run(line);
        QCOMPARE(outcome.status, 0);
        QVERIFY(!outcome.error.contains("--remove"));
        const std::vector<double> truth{2.17504705613905e-09, 1.08449063168532e-11,
                                        3.9088958910841e-09, 1.98417161735201e-09,
                                        6.49099753050429e-10};
        const std::vector<double> cl = spectrumOf("cl.fits");
        // Values of 2.7 are rounded to 2e-16: 4e-12 of the fluctuations, as noise of each pixel.
        for (size_t l = 1; l <= truth.size(); ++l)
            QVERIFY2(std::abs(cl[l] - truth[l - 1]) < 1e-11 * truth[0], qPrintable(options));
        QVERIFY(std::abs(cl[0] / (4.0 * kPi * 2.7255 * 2.7255) - 1.0) < 1e-12);
    }
    // Reference with 40 bad pixels and a dipole: hp.fit_monopole, hp.fit_dipole and hp.anafast of
    // the result of hp.remove_monopole and hp.remove_dipole, with bad pixels set to 0: m +=
    // 0.00336*(0.8*x - 0.6*z); m[100:140] = hp.UNSEEN
    void whatIsRemovedIsFittedToGoodPixels() {
        writeMicrowaveSky("bad.fits", true);
        const Outcome kept = cli_.run("anafast {bad.fits} {cl.fits} --overwrite");
        QVERIFY(says(kept,
                     "the good pixels have a mean of 2.73 K, 1.42e+03 times their rms, which "
                     "spreads over all l; --remove monopole subtracts it\n"));
        const QJsonObject one =
            cli_.run("anafast {bad.fits} {cl.fits} --overwrite --remove monopole --json").json();
        QVERIFY(std::abs(one["monopole"].toDouble() - 2.725581646811374) < 1e-12);
        std::vector<double> cl = spectrumOf("cl.fits");
        // hp.fit_monopole leaves 1e-15 of the mean.
        QVERIFY(std::abs(cl[1] - 1.38039982031196e-05) < 1e-12 * 1.4e-5);
        QVERIFY(std::abs(cl[5] - 1.46153532496091e-08) < 1e-12 * 1.4e-5);
        const Outcome two =
            cli_.run("anafast {bad.fits} {cl.fits} --overwrite --remove dipole --json");
        QVERIFY(!two.error.contains("--remove monopole"));
        checkFit(two.json(), 2.7255001400723393,
                 {0.002647479345366816, -2.464409784245364e-07, -0.0020157548577376394});
        cl = spectrumOf("cl.fits");
        const std::vector<double> truth{1.14628314064974e-11, 3.72474384039974e-09,
                                        1.67529686774841e-09, 6.79476820092913e-10};
        // 1e-14 of the mean in the fit, against fluctuations of 1e-4.
        for (size_t l = 2; l < 6; ++l) QVERIFY(std::abs(cl[l] - truth[l - 2]) < 1e-9 * truth[1]);
    }
    // The same map with a mask of weights, 1 in the north and 1/4 in the south. Reference: A =
    // np.stack([np.ones(768), x, y, z], 1) np.linalg.solve(A.T @ (w[:,None]*A), A.T @ (w*m)), w 0
    // where m is bad
    void convertRemoves() {
        writeMicrowaveSky("bad.fits", true);
        std::vector<double> mask;
        for (int64_t p = 0; p < 768; ++p)
            mask.push_back(directionFromRing(8, p).z > 0.0 ? 1.0 : 0.25);
        cli_.write("mask.fits", HealpixMap(8, Ordering::Ring, Frame::Galactic,
                                           {{"MASK", "", DiskType::Float64, mask}}));
        QCOMPARE(cli_.run("convert {bad.fits} {n.fits} --ordering nested --overwrite").status, 0);
        for (const char* map : {"bad.fits", "n.fits"}) {
            const auto removed = [&](const QString& options) {
                const Outcome outcome = cli_.run(QStringLiteral("convert {%1} {r.fits} --overwrite "
                                                                "--ordering ring --json ")
                                                     .arg(map) +
                                                 options);
                return outcome.json()["removed"].toArray().at(0).toObject();
            };
            const QJsonObject plain = removed("--remove dipole");
            QCOMPARE(plain["field"].toString(), "TEMPERATURE");
            checkFit(plain, 2.7255001400723393,
                     {0.002647479345366816, -2.464409784245364e-07, -0.0020157548577376394});
            const std::vector<double> left = valuesOf(cli_.read("r.fits"), 0);
            for (size_t p = 0; p < left.size(); ++p) {
                QCOMPARE(std::isnan(left[p]), p >= 100 && p < 140);
                if (!std::isnan(left[p])) QVERIFY(std::abs(left[p]) < 2e-4);
            }
            checkFit(removed("--remove dipole --mask {mask.fits}"), 2.725500161853525,
                     {0.002647790122802075, -2.299120859865272e-06, -0.0020157000256838574});
            const QJsonObject flat = removed("--remove monopole");
            QVERIFY(std::abs(flat["monopole"].toDouble() - 2.725581646811374) < 1e-12);
            QVERIFY(!flat.contains("dipole"));
        }
        QCOMPARE(cli_.run("convert {bad.fits} {r.fits} --mask {mask.fits} --overwrite").status, 2);
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
    // Refused before any work, so no other message precedes.
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
    // A dipole along the Galactic pole gives the height above the Galactic plane in either frame.
    // For a quadrupole of E about the pole, |P| is sqrt(15 / 2 pi) / 4 cos^2 b (M. Zaldarriaga & U.
    // Seljak 1997, arXiv:astro-ph/9609170, _2Y_20), perpendicular to the direction of the pole.
    // COSMO's angle is from south to east. The limit holds for values under 1, sums of a few terms.
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
                // Products and sums of a few numbers of order 1 round by a few machine epsilons;
                // 1e-14 is 45.
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
        // Refused before any work: the synthesis takes minutes of processor time, the process has
        // 20 s.
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
