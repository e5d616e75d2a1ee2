// SPDX-License-Identifier: GPL-3.0-or-later
// The commands filter, sources and mask on files.
#include <QJsonArray>
#include <QTest>
#include <cmath>

#include "armilla/io/region_io.h"
#include "armilla/io/table_io.h"
#include "cli/cli_fixture.h"
#include "compute/point_skies.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_sources : public QObject {
    Q_OBJECT

    static constexpr int64_t kNside = 64;
    const double fwhm_ = 4.2 * std::sqrt(kPi / 3) / kNside;
    const QString width_ = QString::number(fwhm_ / kDegree, 'g', 17) + "deg";

private slots:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", cli_.path("cache").toLocal8Bit());
        std::vector<double> values = whiteNoise(kNside, 3);
        uint32_t i = 0;
        for (const Vec3 d : randomDirections(20, 6 * fwhm_, 2))
            truth_.push_back({d, 8.0 + 2.0 * i++});
        addGaussians(values, kNside, truth_, fwhm_);
        cli_.write("sky.fits", *pointMap(kNside, values));
    }

    void filters() {
        const Outcome done = cli_.run("filter {sky.fits} {filtered.fits} --snr {snr.fits} --fwhm " +
                                      width_ + " --json");
        QVERIFY2(done.status == 0, done.error.constData());
        QCOMPARE(done.json()["type"].toString(), QString("matched"));
        const HealpixMap filtered = cli_.read("filtered.fits"), snr = cli_.read("snr.fits");
        QCOMPARE(QString::fromStdString(filtered.field(0).unit), QString("uK_CMB"));
        QVERIFY(snr.field(0).unit.empty());
        for (const PointSource& s : truth_) {
            const int64_t p = filtered.pixelAt(s.direction);
            // Noise of 0.3, and up to a tenth for a position off the pixel center.
            QVERIFY(std::abs(filtered.value(0, p) - s.peak) < 1.5 + 0.15 * s.peak);
            QVERIFY(snr.value(0, p) > 10.0);
        }
        for (const char* type :
             {"mexican-hat --order 1", "mexican-hat --order 4 --scale 1.2", "top-hat-difference"}) {
            const Outcome other =
                cli_.run("filter {sky.fits} {f2.fits} --overwrite --json --fwhm " + width_ +
                         " --type " + type);
            QVERIFY2(other.status == 0, other.error.constData());
            // The matched filter has the least noise.
            QVERIFY(other.json()["expected_noise"].toDouble() >
                    0.99 * done.json()["expected_noise"].toDouble());
        }
        QCOMPARE(
            cli_.run("filter {sky.fits} {f3.fits} --noise 1 --mask {sky.fits} --fwhm " + width_)
                .status,
            0);
    }

    // Skies from which no noise can be measured.
    void refusesSkiesWithoutNoise() {
        std::vector<double> values(static_cast<size_t>(pixelCount(kNside)), 3.0);
        cli_.write("flat.fits", *pointMap(kNside, values));
        values = whiteNoise(kNside, 3);
        for (double& v : values) v *= 1e200;
        cli_.write("huge.fits", *pointMap(kNside, values));
        for (const QString command : {"filter", "sources"}) {
            const Outcome flat = cli_.run(command + " {flat.fits} {no.fits} --fwhm " + width_);
            QCOMPARE(flat.status, 1);
            QVERIFY(says(flat, "expected a map with noise or background, found none"));
            const Outcome huge = cli_.run(command + " {huge.fits} {no.fits} --fwhm " + width_);
            QCOMPARE(huge.status, 1);
            QVERIFY(says(huge, "squares are within double precision"));
        }
    }

    void sources() {
        for (const char* name : {"cat.fits", "cat.vot", "cat.ecsv", "cat.csv", "cat.parquet"}) {
            const Outcome done = cli_.run("sources {sky.fits} {" + QString(name) + "} --fwhm " +
                                          width_ + " --frequency 30GHz --json");
            QVERIFY2(done.status == 0, done.error.constData());
            QCOMPARE(done.json()["sources"].toInt(), 20);
            const Catalog catalog = readCatalog(cli_.path(name).toStdString(), job_);
            QCOMPARE(catalog.rows(), int64_t{20});
            const Mat3 turn = frameRotation(Frame::Galactic, catalog.frame());
            for (const PointSource& s : truth_) {
                double nearest = kPi;
                for (int64_t row = 0; row < 20; ++row)
                    nearest = std::min(
                        nearest, angularDistance(turn * direction(catalog.at(row)), s.direction));
                // A tenth of the beam: five sigma of the faintest.
                QVERIFY(nearest < 0.1 * fwhm_);
            }
            const int flux = *catalog.table.find("FLUX");
            QVERIFY(catalog.table.columns[static_cast<size_t>(flux)].number(0) > 0.0);
        }
        QCOMPARE(cli_.run("sources {sky.fits} {cat.reg} --fwhm " + width_).status, 0);
        const std::vector<Region> regions =
            withoutTexts(readNamedRegions(cli_.path("cat.reg").toStdString()));
        QCOMPARE(regions.size(), size_t{20});
        const Outcome injected = cli_.run(
            "sources {sky.fits} {i.fits} --inject 60 --curves {curves.csv} --residual "
            "{left.fits} --json --fwhm " +
            width_);
        QVERIFY2(injected.status == 0, injected.error.constData());
        const QJsonObject told = injected.json()["injection"].toObject();
        QVERIFY(told["injected"].toInt() >= 40);
        QVERIFY(told["completeness"].toArray().size() == 12);
        QVERIFY(readTable(cli_.path("curves.csv").toStdString(), {}, job_).find("COMPLETENESS"));
        const QJsonObject curve = cli_.run("info {curves.csv} --json").json();
        QCOMPARE(curve["kind"].toString(), QString("curve"));
        QCOMPARE(curve["x"].toString(), QString("SNR"));
        QCOMPARE(cli_.run("render {curves.csv} {curves.png}").status, 0);
        const HealpixMap left = cli_.read("left.fits");
        for (const PointSource& s : truth_)
            QVERIFY(std::abs(left.value(0, left.pixelAt(s.direction))) < 5.0);
    }

    // A sky without its sources is the sky before the sources were added, within the errors of
    // their peaks. An inpainted disc contains no source, and the rest is unchanged.
    void removesSources() {
        QCOMPARE(cli_.run("sources {sky.fits} {found.fits} --overwrite --fwhm " + width_).status,
                 0);
        const Outcome done =
            cli_.run("remove {sky.fits} {found.fits} {without.fits} --json --fwhm " + width_);
        QVERIFY2(done.status == 0, done.error.constData());
        QCOMPARE(done.json()["sources"].toInt(), 20);
        const HealpixMap sky = cli_.read("sky.fits"), without = cli_.read("without.fits");
        const Outcome filled = cli_.run(
            "remove {sky.fits} {found.fits} {filled.fits} --how inpaint --beams 3 --json --fwhm " +
            width_);
        QVERIFY2(filled.status == 0, filled.error.constData());
        const HealpixMap inpainted = cli_.read("filled.fits");
        int64_t made = 0;
        for (int64_t p = 0; p < sky.pixelCount(); ++p) {
            const Vec3 at = directionFromRing(kNside, p);
            double away = kPi, peak = 0.0;
            for (const PointSource& s : truth_)
                if (const double r = angularDistance(at, s.direction); r < away) {
                    away = r;
                    peak = s.peak;
                }
            // White noise of 1. The error of a peak is a third of that. The error of a position is
            // a fortieth of the beam, over which the beam falls by a fiftieth. The limit is six
            // sigma in total.
            if (away < fwhm_) QVERIFY(std::abs(without.value(0, p)) < 6.0 * (1.1 + 0.02 * peak));
            // Positions were fitted, so the edge of a disc is known to a tenth of the beam.
            if (away < 1.4 * fwhm_) {
                ++made;
                // Means of the surroundings, where a Gaussian has 0.2 % of its peak left, or more
                // if another source is near.
                if (away < fwhm_) QVERIFY(inpainted.value(0, p) < 4.0 + 0.05 * peak);
            } else if (away > 1.6 * fwhm_) {
                QCOMPARE(inpainted.value(0, p), sky.value(0, p));
            }
        }
        QVERIFY(filled.json()["pixels"].toInt() >= made);
        QVERIFY(
            says(cli_.run("remove {sky.fits} {found.fits} {x.fits}"), "expected one of --fwhm"));
        QVERIFY(
            says(cli_.run("remove {sky.fits} {found.fits} {x.fits} --peak FLUX --fwhm " + width_),
                 "in the unit of the map"));
    }

    // Two maps of one sky: the noise decreases, and sources keep the peaks of the first map,
    // optionally in Jy.
    void severalMaps() {
        std::vector<double> values = whiteNoise(kNside, 9);
        std::vector<PointSource> doubled = truth_;
        for (PointSource& s : doubled) s.peak *= 2.0;
        addGaussians(values, kNside, doubled, fwhm_);
        cli_.write("sky2.fits", *pointMap(kNside, values));
        const QString both = "--map2 {sky2.fits} --fwhm " + width_ + " --fwhm2 " + width_;
        const Outcome done = cli_.run("sources {sky.fits} {two.fits} --json --response2 2 " + both);
        QVERIFY2(done.status == 0, done.error.constData());
        QCOMPARE(done.json()["sources"].toInt(), 20);
        // White noise of 1 in both; one map has twice the source: 1 / sqrt(5).
        const double gain =
            done.json()["noise_of_all"].toDouble() / done.json()["noise_of_first_alone"].toDouble();
        QVERIFY2(std::abs(gain * std::sqrt(5.0) - 1.0) < 0.05, qPrintable(QString::number(gain)));
        // The same flux density at two frequencies: nu^0 in K_CMB.
        const QString law = both + " --index 0 --frequency 30GHz --frequency2 30GHz";
        const Outcome filtered = cli_.run("filter {sky.fits} {jy.fits} --flux --json " + law);
        QVERIFY2(filtered.status == 0, filtered.error.constData());
        QCOMPARE(filtered.json()["response2"].toArray()[0].toDouble(), 1.0);
        QCOMPARE(cli_.read("jy.fits").field(0).unit, std::string("Jy"));
        for (const char* wrong :
             {"--response2 2,3", "--index 1 --frequency 30GHz", "--response2 2 --background auto"})
            QCOMPARE(cli_.run("sources {sky.fits} {no.fits} " + both + " " + wrong).status, 2);
        QCOMPARE(cli_.run("sources {sky.fits} {no.fits} --fwhm2 1deg --fwhm " + width_).status, 2);
    }

    void masks() {
        cli_.write("a.reg", QByteArray("galactic\ncircle(10,20,15d)\n-circle(10,20,5d)\n"));
        const Outcome done = cli_.run(
            "mask {m.fits} --nside 64 --regions {a.reg} --latitude 10deg "
            "--grow 2deg --json");
        QVERIFY2(done.status == 0, done.error.constData());
        const HealpixMap mask = cli_.read("m.fits");
        const auto at = [&](double lon, double lat) {
            return mask.value(0, mask.pixelAt(direction({lon * kDegree, lat * kDegree})));
        };
        QCOMPARE(at(100, 5), 0.0);
        QCOMPARE(at(100, 11), 0.0);
        QCOMPARE(at(100, 14), 1.0);
        QCOMPARE(at(10, 28), 0.0);
        QCOMPARE(at(10, 20), 1.0);
        QCOMPARE(at(10, 24), 0.0);
        double good = 0.0;
        for (int64_t p = 0; p < mask.pixelCount(); ++p) good += mask.value(0, p);
        // The limit is far below one pixel of 49152 (2e-5) and far above the rounding of the sum.
        QVERIFY(std::abs(done.json()["good_share"].toDouble() - good / mask.pixelCount()) < 1e-9);
        QCOMPARE(cli_.run("mask {sky.fits} {n.fits} --above 5 --with {m.fits} --apodize 5deg "
                          "--apodization c1 --ordering nested")
                     .status,
                 0);
        const HealpixMap soft = cli_.read("n.fits");
        double least = 2.0, most = -1.0;
        for (int64_t p = 0; p < soft.pixelCount(); ++p) {
            least = std::min(least, soft.value(0, p));
            most = std::max(most, soft.value(0, p));
        }
        QVERIFY(least == 0.0 && most > 0.5 && most <= 1.0);
        QCOMPARE(cli_.run("sources {sky.fits} {c.fits} --fwhm " + width_).status, 0);
        QCOMPARE(cli_.run("mask {d.fits} --nside 64 --catalog {c.fits} --beams 2 --fwhm " + width_)
                     .status,
                 0);
        const HealpixMap discs = cli_.read("d.fits");
        for (const PointSource& s : truth_)
            QCOMPARE(discs.value(0, discs.pixelAt(s.direction)), 0.0);
    }

    void refusals_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("part");
        QTest::newRow("no beam") << "filter {sky.fits} {r.fits}" << 2 << "expected one of --fwhm";
        for (const char* command : {"filter", "sources"})
            QTest::addRow("narrow beam of %s", command)
                << command + QString(" {sky.fits} {r.fits} --fwhm 0.5arcsec") << 2
                << "--fwhm: expected 1";
        QTest::newRow("narrow second beam")
            << "filter {sky.fits} {r.fits} --fwhm 3deg --map2 {sky.fits} --fwhm2 0.5arcsec "
               "--response2 1"
            << 2 << "--fwhm2: expected 1";
        for (const char* command : {"filter {sky.fits}", "remove {sky.fits} {truth.csv}"})
            QTest::addRow("B_0 of a beam for %s", command)
                << command + QString(" {r.fits} --beam {zero.txt}") << 1
                << "zero.txt: expected a beam with B_0 above 0, found 0";
        QTest::newRow("order")
            << "filter {sky.fits} {r.fits} --fwhm 3deg --type mexican-hat --order 7" << 2
            << "--order";
        QTest::newRow("frequency")
            << "sources {sky.fits} {r.fits} --fwhm 3deg --frequency 30" << 2 << "GHz";
        QTest::newRow("suffix") << "sources {sky.fits} {r.txt} --fwhm 3deg" << 2 << ".reg";
        QTest::newRow("curves") << "sources {sky.fits} {r.fits} --fwhm 3deg --curves {r.csv}" << 2
                                << "--inject";
        QTest::newRow("nothing") << "mask {r.fits}" << 2 << "--nside";
        QTest::newRow("radius") << "mask {r.fits} --nside 8 --catalog {sky.fits}" << 2
                                << "--radius";
        QTest::newRow("region") << "mask {r.fits} --nside 8 --regions {bad.reg}" << 1
                                << "line 1: expected a frame";
    }
    void refusals() {
        QFETCH(QString, line);
        QFETCH(int, status);
        QFETCH(QString, part);
        cli_.write("bad.reg", QByteArray("circle(1,2,3)\n"));
        cli_.write("zero.txt", QByteArray("0 0\n1 1\n2 1\n3 1\n"));
        cli_.write("truth.csv", QByteArray("GLON,GLAT,PEAK\n10,20,1\n"));
        const Outcome outcome = cli_.run(line);
        QCOMPARE(outcome.status, status);
        QVERIFY(says(outcome, part.toUtf8()));
        QCOMPARE(outcome.error.count('\n'), 1);
    }

private:
    CliFixture cli_;
    JobContext job_;
    std::vector<PointSource> truth_;
};

QTEST_GUILESS_MAIN(tst_cli_sources)
#include "tst_cli_sources.moc"
