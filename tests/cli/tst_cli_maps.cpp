// SPDX-License-Identifier: GPL-3.0-or-later
// Map operations of the commands, end to end.
#include <QImage>
#include <QJsonArray>
#include <QProcess>
#include <QTest>
#include <cmath>
#include <cstring>

#include "armilla/core/job_context.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/harmonic_io.h"
#include "cli/cli_fixture.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

double worstDifference(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = a.size() == b.size() ? 0.0 : HUGE_VAL;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (std::isnan(a[i]) != std::isnan(b[i])) return HUGE_VAL;
        if (!std::isnan(a[i])) worst = std::max(worst, std::abs(a[i] - b[i]));
    }
    return worst;
}

}  // namespace

class tst_cli_maps : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        cli_.writeSky("ring.fits", 32, Ordering::Ring, 3);
        cli_.writeSky("nested.fits", 32, Ordering::Nested, 3);
        cli_.writeSky("bad.fits", 32, Ordering::Ring, 1, true);
        cli_.writeSky("single.fits", 32, Ordering::Ring, 1, true, DiskType::Float32);
    }

    // HealSparse in and out of commands that take partial maps.
    void healSparse() {
        const auto done = [&](const QString& line) {
            const Outcome outcome = cli_.run(line);
            return outcome.status == 0 ? QByteArray() : outcome.error + "(failed)";
        };
        QCOMPARE(done("convert {bad.fits} {sky.hsp} --ordering nested"), QByteArray());
        QCOMPARE(done("convert {sky.hsp} {sky.fits} --ordering ring"), QByteArray());
        QVERIFY(worstDifference(valuesOf(cli_.read("sky.fits"), 0),
                                valuesOf(cli_.read("bad.fits"), 0)) == 0.0);
        QCOMPARE(done("calc 2*a {twice.hsp} --let a=" + cli_.path("sky.hsp")), QByteArray());
        QCOMPARE(done("smooth {sky.hsp} {smooth.hsp} --fwhm 10deg"), QByteArray());
        QCOMPARE(done("render {sky.hsp} {sky.png}"), QByteArray());
        QCOMPARE(done("mask {sky.hsp} {mask.hsp} --above 0"), QByteArray());
        const QJsonObject info = cli_.run("info {twice.hsp} --json").json();
        QCOMPARE(info["kind"].toString(), QStringLiteral("partial map"));
        QCOMPARE(info["nside"].toInt(), 32);
    }

    // HiPS folders in and out of commands.
    void hips() {
        const auto done = [&](const QString& line) {
            const Outcome outcome = cli_.run(line);
            return outcome.status == 0 ? QByteArray() : outcome.error + "(failed)";
        };
        QCOMPARE(done("convert {bad.fits} {tiles/}"), QByteArray());
        QCOMPARE(done("convert {tiles} {untiled.fits} --ordering ring"), QByteArray());
        QVERIFY(worstDifference(valuesOf(cli_.read("untiled.fits"), 0),
                                valuesOf(cli_.read("bad.fits"), 0)) == 0.0);
        QCOMPARE(done("smooth {tiles} {smooth-tiles/} --fwhm 10deg"), QByteArray());
        QCOMPARE(done("render {smooth-tiles} {tiles.png}"), QByteArray());
        const Outcome again = cli_.run("convert {bad.fits} {tiles/}");
        QVERIFY(again.status == 1 && again.error.contains("--overwrite"));
        QCOMPARE(done("convert {single.fits} {tiles/} --overwrite"), QByteArray());
        QVERIFY(cli_.run("convert {ring.fits} {three/}").error.contains("--field"));
        QVERIFY(cli_.leftovers().isEmpty());
    }

    void convertThereAndBack_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("there");
        QTest::addColumn<QString>("back");
        QTest::newRow("ordering") << "ring.fits"
                                  << "--ordering nested"
                                  << "--ordering ring";
        QTest::newRow("single") << "single.fits"
                                << "--ordering nested"
                                << "--ordering ring";
        QTest::newRow("sparse") << "bad.fits"
                                << "--sparse"
                                << "";
        QTest::newRow("sparse, nested") << "bad.fits"
                                        << "--sparse --ordering nested"
                                        << "--ordering ring";
        QTest::newRow("finer") << "bad.fits"
                               << "--nside 64"
                               << "--nside 32";
    }
    void convertThereAndBack() {
        QFETCH(QString, name);
        QFETCH(QString, there);
        QFETCH(QString, back);
        must("convert {" + name + "} {there.fits} --overwrite " + there);
        must("convert {there.fits} {back.fits} --overwrite " + back);
        const HealpixMap before = cli_.read(name);
        const HealpixMap after = cli_.read("back.fits");
        QCOMPARE(after.nside(), before.nside());
        QCOMPARE(after.ordering(), before.ordering());
        QCOMPARE(after.fieldCount(), before.fieldCount());
        for (int f = 0; f < before.fieldCount(); ++f) {
            QCOMPARE(after.field(f).diskType, before.field(f).diskType);
            QCOMPARE(after.field(f).unit, before.field(f).unit);
            QCOMPARE(worstDifference(valuesOf(after, f), valuesOf(before, f)), 0.0);
        }
    }

    // RING pixels may have any nside that divides the map's or is a multiple of it. The nine
    // children of a pixel have its value, and their mean is that value except for rounding.
    void convertToAnyNside() {
        for (const QString name : {"bad.fits", "nested.fits"}) {
            QCOMPARE(
                cli_.run("convert {" + name + "} {96.fits} --nside 96 --ordering ring --overwrite")
                    .status,
                0);
            const HealpixMap before = cli_.read(name), fine = cli_.read("96.fits");
            QCOMPARE(fine.nside(), 96);
            for (int64_t p = 0; p < fine.elementCount(); p += 37) {
                const double value = before.value(0, before.pixelAt(directionFromRing(96, p)));
                QVERIFY(fine.value(0, p) == value ||
                        (std::isnan(fine.value(0, p)) && std::isnan(value)));
            }
            QCOMPARE(cli_.run("convert {96.fits} {32.fits} --nside 32 --overwrite --ordering " +
                              QString(before.ordering() == Ordering::Ring ? "ring" : "nested"))
                         .status,
                     0);
            // A mean of nine equal values of up to 16 rounds by a few machine epsilons of the
            // value.
            QVERIFY(worstDifference(valuesOf(cli_.read("32.fits"), 0), valuesOf(before, 0)) <
                    1e-15 * 16);
            QCOMPARE(cli_.run("convert {96.fits} {24.fits} --nside 24 --overwrite").status, 0);
            QCOMPARE(cli_.read("24.fits").nside(), 24);
        }
        const Outcome nested = cli_.run("convert {nested.fits} {no.fits} --nside 96");
        QCOMPARE(nested.status, 1);
        QVERIFY2(nested.error.contains("expected --ordering ring, or a power of two"),
                 nested.error);
        const Outcome apart = cli_.run("convert {bad.fits} {no.fits} --nside 24");
        QCOMPARE(apart.status, 1);
        QVERIFY2(apart.error.contains("expected an nside that divides 32 or is a multiple of it, "
                                      "found 24"),
                 apart.error);
    }
    void convertFields() {
        must("convert {ring.fits} {f.fits} --fields U_POLARISATION,1 --overwrite");
        const HealpixMap map = cli_.read("f.fits");
        QCOMPARE(map.fieldCount(), 2);
        QCOMPARE(map.field(0).name, std::string("U_POLARISATION"));
        QCOMPARE(map.field(1).name, std::string("TEMPERATURE"));
    }

    void convertFrameTurnsPolarization() {
        must("convert {ring.fits} {e.fits} --frame E --overwrite");
        must("convert {ring.fits} {q.fits} --frame E --fields Q_POLARISATION --overwrite");
        QCOMPARE(valuesOf(cli_.read("q.fits"), 0), valuesOf(cli_.read("e.fits"), 1));
        must("convert {ring.fits} {half.fits} --fields Q_POLARISATION --overwrite");
        const Outcome half = cli_.run("convert {half.fits} {no.fits} --frame E");
        QCOMPARE(half.status, 1);
        QVERIFY(half.error.contains("Q_POLARISATION alone"));
        const HealpixMap before = cli_.read("ring.fits");
        const HealpixMap after = cli_.read("e.fits");
        QCOMPARE(after.frame(), Frame::Ecliptic);
        // The polarized amplitude has no direction, so at the rotated place it is unchanged.
        // Bilinear interpolation of l <= 3 at nside 32 has a relative error of (3 * 0.032)^2 / 8.
        const Mat3 turn = frameRotation(Frame::Galactic, Frame::Ecliptic);
        for (int64_t p = 500; p < 12000; p += 777) {
            const Vec3 d = turn * directionFromRing(32, p);
            const double rho = d.x * d.x + d.y * d.y;
            const double amplitude = std::hypot(1.0, 0.5) * rho * std::abs(d.z);
            const double found = std::hypot(after.value(1, p), after.value(2, p));
            // The relative error of 1.2e-3 times the largest amplitude, 0.43, is 5e-4; the limit is
            // ten times that.
            QVERIFY(std::abs(found - amplitude) < 5e-3);
        }
        QCOMPARE(before.frame(), Frame::Galactic);
    }

    void nestedAndRingGiveTheSame_data() {
        QTest::addColumn<QString>("command");
        QTest::newRow("smooth") << "smooth {IN} {OUT} --fwhm 3deg";
        QTest::newRow("smooth polarized") << "smooth {IN} {OUT} --fwhm 3deg --polarization";
    }
    void nestedAndRingGiveTheSame() {
        QFETCH(QString, command);
        must(QString(command).replace("IN", "ring.fits").replace("OUT", "a.fits") + " --overwrite");
        must(QString(command).replace("IN", "nested.fits").replace("OUT", "b.fits") +
             " --overwrite");
        QCOMPARE(cli_.read("b.fits").ordering(), Ordering::Nested);
        must("convert {b.fits} {c.fits} --ordering ring --overwrite");
        const HealpixMap a = cli_.read("a.fits");
        const HealpixMap c = cli_.read("c.fits");
        for (int f = 0; f < a.fieldCount(); ++f) QCOMPARE(valuesOf(c, f), valuesOf(a, f));
    }

    void smoothingDampsEachMultipole() {
        // z is l = 1 alone, so smoothing multiplies it by exp(-l(l+1) sigma^2 / 2). HEALPix
        // quadrature with ring weights is accurate to 1e-6 for so low an l.
        std::vector<double> z(static_cast<size_t>(pixelCount(32)));
        for (size_t p = 0; p < z.size(); ++p)
            z[p] = directionFromRing(32, static_cast<int64_t>(p)).z;
        cli_.write("z.fits", HealpixMap(32, Ordering::Ring, Frame::Galactic,
                                        {{"Z", "K", DiskType::Float64, z}}));
        must("smooth {z.fits} {s.fits} --fwhm 40deg --overwrite");
        const double sigma = 40.0 * kDegree / std::sqrt(8.0 * std::log(2.0));
        const double factor = std::exp(-sigma * sigma);
        std::vector<double> expected = z;
        for (double& value : expected) value *= factor;
        // The quadrature accuracy stated above.
        QVERIFY(worstDifference(valuesOf(cli_.read("s.fits"), 0), expected) < 1e-6);
        QCOMPARE(cli_.read("s.fits").field(0).unit, std::string("K"));
        must("smooth {z.fits} {s1.fits} --fwhm 40deg --precision single --overwrite");
        QCOMPARE(cli_.read("s1.fits").field(0).diskType, DiskType::Float32);
    }

    void polarizationOnPixels() {
        // With the same weights and without pixel aliasing, the result through E and B is the same.
        const QString smooth =
            "smooth {ring.fits} {by-%1.fits} --fwhm 14deg --polarization "
            "--precision double --overwrite --method %1 --lmax 140";
        must(smooth.arg("harmonic"));
        for (const char* method : {"direct", "ring"})
            must(QString(smooth).remove(" --lmax 140").arg(method));
        const HealpixMap harmonic = cli_.read("by-harmonic.fits");
        double size = 0.0;
        for (int f = 0; f < 3; ++f)
            for (const double value : valuesOf(harmonic, f)) size = std::max(size, std::abs(value));
        // The truncation radius omits 3e-7 of the kernel, by rings 1e-10; normalization multiplies
        // the rest by as much again.
        for (const auto& [method, beyond] : {std::pair{"direct", 3e-7}, {"ring", 1e-10}})
            for (int f = 0; f < 3; ++f) {
                const HealpixMap found = cli_.read(QString("by-%1.fits").arg(method));
                const double worst = worstDifference(valuesOf(harmonic, f), valuesOf(found, f));
                QVERIFY2(worst < 2.0 * beyond * size,
                         qPrintable(QString("%1: %2").arg(method).arg(worst / size)));
            }
        const Outcome outcome = cli_.run(
            "smooth {ring.fits} {r.fits} --fwhm 14deg --polarization --method ring "
            "--truncate 10deg");
        QCOMPARE(outcome.status, 1);
        QCOMPARE(outcome.error.count('\n'), 1);
        QVERIFY(outcome.error.contains("expected a kernel without edges"));
    }

    void maskedPixelsStayBad() {
        for (const char* masked : {"ignore", "normalize"}) {
            must(QString("smooth {bad.fits} {m.fits} --fwhm 2deg --overwrite --masked ") + masked);
            const std::vector<double> before = valuesOf(cli_.read("bad.fits"), 0);
            const std::vector<double> after = valuesOf(cli_.read("m.fits"), 0);
            for (size_t i = 0; i < before.size(); ++i)
                QCOMPARE(std::isnan(after[i]), std::isnan(before[i]));
        }
    }

    void harmonicsThereAndBack() {
        const Outcome analysis = must(
            "map2alm {ring.fits} {a.fits} --lmax 40 --iterations 10 "
            "--polarization --json --overwrite");
        QCOMPARE(analysis.json()["lmax"].toInt(), 40);
        must("alm2map {a.fits} {back.fits} --nside 32 --overwrite");
        QVERIFY(cli_.read("ring.fits").frame() != Frame::Unknown);
        QCOMPARE(cli_.read("back.fits").frame(), cli_.read("ring.fits").frame());
        QCOMPARE(cli_.read("back.fits").field(0).unit, cli_.read("ring.fits").field(0).unit);
        // After ten iterations at lmax = 1.25 nside only rounding remains (8e-15 in healpy as
        // well).
        for (int f = 0; f < 3; ++f)
            QVERIFY(worstDifference(valuesOf(cli_.read("back.fits"), f),
                                    valuesOf(cli_.read("ring.fits"), f)) < 1e-12);
        must("alm2map {a.fits} {d.fits} --nside 32 --derivatives --overwrite");
        const HealpixMap derivatives = cli_.read("d.fits");
        QCOMPARE(derivatives.field(1).name, std::string("DX_T"));
        // T = 3 + z + 2xy - z^2; dT/dtheta along a meridian is analytic.
        for (int64_t p = 0; p < pixelCount(32); p += 311) {
            const Vec3 d = directionFromRing(32, p);
            const double s = std::hypot(d.x, d.y);
            const double phi = std::atan2(d.y, d.x);
            const double dTheta = -s + 2.0 * s * d.z * std::sin(2.0 * phi) + 2.0 * d.z * s;
            const double dPhi = 2.0 * s * std::cos(2.0 * phi);
            QVERIFY(std::abs(derivatives.value(1, p) - dTheta) < 1e-11);
            QVERIFY(std::abs(derivatives.value(2, p) - dPhi) < 1e-11);
        }
    }

    // RING order and the transforms take any nside; least squares find the same coefficients there.
    void harmonicsOfAnyNside() {
        must("map2alm {ring.fits} {a.fits} --lmax 40 --tolerance 1e-13 --overwrite");
        must("alm2map {a.fits} {odd.fits} --nside 30 --precision double --overwrite");
        QCOMPARE(cli_.read("odd.fits").nside(), int64_t{30});
        must("map2alm {odd.fits} {b.fits} --lmax 40 --tolerance 1e-13 --overwrite");
        must("alm2map {b.fits} {back.fits} --nside 32 --precision double --overwrite");
        // Two solutions to a tolerance of 1e-13 each; the limit is 50 times their sum.
        QVERIFY(worstDifference(valuesOf(cli_.read("back.fits"), 0),
                                valuesOf(cli_.read("ring.fits"), 0)) < 1e-11);
    }

    void badPixelsCountAsZeroAndAreTold() {
        const Outcome outcome = cli_.run("map2alm {bad.fits} {a.fits} --overwrite");
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.error.contains("count as zero"));
    }

    void spectraOfOneAndTwoMaps() {
        must("anafast {ring.fits} {auto.fits} --lmax 8 --iterations 3 --overwrite");
        must("anafast {ring.fits} {nested.fits} {cross.fits} --lmax 8 --iterations 3 --overwrite");
        const Spectra a = readSpectra(cli_.path("auto.fits").toStdString());
        const Spectra c = readSpectra(cli_.path("cross.fits").toStdString());
        QCOMPARE(a.lmax(), 8);
        for (int l = 0; l <= 8; ++l) {
            const auto i = static_cast<size_t>(l);
            // The maps have the same values in another order of pixels; 1e-12 is 4500 machine
            // epsilons.
            QVERIFY(std::abs(a[SpectrumKind::TT][i] - c[SpectrumKind::TT][i]) <
                    1e-12 * a[SpectrumKind::TT][0]);
        }
        // T = 3 + z + 2xy - z^2 = 8/3 + z + ...: a_00 = 8/3 sqrt(4 pi), a_10 = sqrt(4 pi / 3).
        QVERIFY(std::abs(a[SpectrumKind::TT][0] - 64.0 / 9.0 * 4.0 * kPi) < 1e-6);
        QVERIFY(std::abs(a[SpectrumKind::TT][1] - 4.0 * kPi / 9.0) < 1e-6);
        QVERIFY(a[SpectrumKind::TT][5] < 1e-10);
    }

    void randomSkiesDependOnTheSeedAlone() {
        must("anafast {ring.fits} {theory.fits} --lmax 8 --iterations 3 --overwrite");
        const QString line = "synfast {theory.fits} {OUT} --nside 16 --overwrite --seed ";
        must(QString(line).replace("OUT", "s1.fits") + "5");
        must(QString(line).replace("OUT", "s2.fits") + "5 --threads 1");
        must(QString(line).replace("OUT", "s3.fits") + "6");
        QCOMPARE(valuesOf(cli_.read("s1.fits"), 0), valuesOf(cli_.read("s2.fits"), 0));
        QVERIFY(valuesOf(cli_.read("s1.fits"), 0) != valuesOf(cli_.read("s3.fits"), 0));
    }

    void optionsWithoutEffectAreSaid() {
        const auto said = [&](const char* options) {
            const Outcome outcome =
                cli_.run(QString("convert {ring.fits} {idle.fits} --overwrite ") + options);
            return outcome.status == 0 ? outcome.error : QByteArray("failed");
        };
        QVERIFY(said("--degrade sum").contains("--degrade has no effect"));
        QVERIFY(said("--pessimistic --nside 32").contains("--pessimistic has no effect"));
        QVERIFY(said("--interpolation nearest")
                    .contains("--interpolation has no effect without --frame"));
        QCOMPARE(said("--pessimistic --degrade mean --nside 16"), QByteArray());
        QCOMPARE(said("--interpolation nearest --frame C"), QByteArray());
    }
    // A view without data gives a message; a map without data is refused.
    void nothingToShow() {
        Field blank{"T", "K", DiskType::Float32, std::vector<float>(12, std::nanf(""))};
        cli_.write("blank.fits", HealpixMap(1, Ordering::Ring, Frame::Galactic, {blank}));
        const Outcome none = cli_.run("project {blank.fits} {no.fits}");
        QCOMPARE(none.status, 1);
        QVERIFY2(
            none.error.contains("blank.fits: expected a good pixel in the field T, found none"),
            none.error.constData());
        blank.values = std::vector<float>{1.0F};
        cli_.write("one.fits",
                   HealpixMap::partial(4, Ordering::Ring, Frame::Galactic, {0}, {blank}));
        const Outcome away = cli_.run(
            "project {one.fits} {away.fits} --projection gnomonic --center 0deg,-80deg "
            "--resolution 1arcmin");
        QCOMPARE(away.status, 0);
        QVERIFY2(away.error.contains("no good pixel of T in the view"), away.error.constData());
    }
    // For a map with cells of several orders, the order of the analysis is reported.
    void severalOrdersAreSaid() {
        std::vector<int64_t> pixels;
        std::vector<uint8_t> orders;
        std::vector<double> values;
        for (int64_t p = 0; p < 48; ++p) {
            pixels.push_back(16 * p);
            orders.push_back(1);
            values.push_back(static_cast<double>(p % 5));
        }
        cli_.write("orders.fits", HealpixMap::multiOrder(8, Frame::Unknown, pixels, orders,
                                                         {{"T", "K", DiskType::Float64, values}}));
        for (const char* line :
             {"anafast {orders.fits} {cl.txt} --overwrite",
              "map2alm {orders.fits} {alm.fits} --overwrite",
              "correlate-maps {orders.fits} {w.csv} --bins 10deg,50deg,2",
              "mask {orders.fits} {m.fits} --above 2 --overwrite", "stats {orders.fits} {s.csv}"}) {
            const Outcome told = cli_.run(line);
            QVERIFY2(told.status == 0, told.error.constData());
            QVERIFY2(told.error.contains("orders.fits: cells of several orders, "), line);
        }
        // A cut in a known frame needs a map with a frame; the message names the map.
        const Outcome cut = cli_.run("mask {orders.fits} {m.fits} --latitude 20deg --overwrite");
        QCOMPARE(cut.status, 1);
        QVERIFY2(cut.error.contains("orders.fits: expected a map in a known frame"),
                 cut.error.constData());
    }

    void projectShowsTheMap() {
        const Outcome outcome = must(
            "project {ring.fits} {v.fits} --projection gnomonic --center "
            "120.5deg,-30deg --size 3x3 --resolution 1arcmin "
            "--json --overwrite");
        QCOMPARE(outcome.json()["filled"].toInt(), 9);
        const QByteArray bytes = cli_.content("v.fits");
        QVERIFY(bytes.contains("GLON-TAN"));
        // The middle one of nine big-endian values, after one block of header.
        const qsizetype start = bytes.size() - 2880 + 4 * 8;
        QByteArray middle = bytes.mid(start, 8);
        std::reverse(middle.begin(), middle.end());
        double value = 0.0;
        std::memcpy(&value, middle.constData(), sizeof value);
        const HealpixMap map = cli_.read("ring.fits");
        const double expected =
            map.value(0, map.pixelAt(direction({120.5 * kDegree, -30.0 * kDegree})));
        QCOMPARE(value, expected);  // double precision, to the last bit
    }

    void renderNeedsNoEnvironment_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("png") << "f.png";
        QTest::newRow("pdf") << "f.pdf";
        QTest::newRow("svg") << "f.svg";
    }
    void renderNeedsNoEnvironment() {
        QFETCH(QString, name);
        QByteArray first;
        for (int i = 0; i < 2; ++i) {
            QProcess process;
            process.setProcessEnvironment(QProcessEnvironment());
            process.start("/usr/bin/env",
                          QStringList{"-i", ARMILLA_BINARY} +
                              cli_.words("render {bad.fits} {" + name +
                                         "} --size 400x300 --graticule 30deg --title Sky "
                                         "--overwrite"));
            QVERIFY(process.waitForFinished(kPatience));
            QCOMPARE(process.exitCode(), 0);
            QCOMPARE(process.readAllStandardError(), QByteArray());
            QByteArray bytes = cli_.content(name);
            // the times of writing: CreationDate and, of Qt 6.8, ModDate
            for (qsizetype at = 0; (at = bytes.indexOf("Date (D:", at)) >= 0;) {
                const qsizetype end = bytes.indexOf(')', at);
                bytes.replace(at, end - at, QByteArray());
            }
            QVERIFY(bytes.size() > 2000);
            if (i == 0) first = bytes;
            if (bytes != first) {
                qsizetype at = 0;
                while (at < bytes.size() && at < first.size() && bytes[at] == first[at]) ++at;
                QFAIL(("byte " + QByteArray::number(at) + " differs: " + first.mid(at - 40, 80))
                          .constData());
            }
        }
        if (name.endsWith("png")) {
            const QImage image(cli_.path(name));
            QCOMPARE(image.size(), QSize(400, 300));
            QVERIFY(image.text("Description").contains("armilla render"));
        } else {
            QVERIFY(first.startsWith(name.endsWith("pdf") ? "%PDF" : "<?xml"));
        }
        if (name.endsWith("svg")) QVERIFY(first.contains("<text"));
    }

private:
    Outcome must(const QString& line) {
        const Outcome outcome = cli_.run(line);
        if (outcome.status != 0)
            QTest::qFail((line.toUtf8() + ": " + outcome.error).constData(), __FILE__, __LINE__);
        return outcome;
    }

    CliFixture cli_;
};

QTEST_APPLESS_MAIN(tst_cli_maps)
#include "tst_cli_maps.moc"
