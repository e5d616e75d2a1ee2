// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla smooth` for images whose rows are rings, for several maps, and with elliptical beams.
#include <QtTest>
#include <cmath>

#include "armilla/io/image_file.h"
#include "cli_fixture.h"
#include "support/image_cards.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_smooth : public QObject {
    Q_OBJECT
    // A CAR image with longitude 0 in the center, west or east to the right, south row first; `of`
    // is a function of longitude and latitude.
    template <typename Of>
    Image car(int64_t width, int64_t height, double firstLatitude, double step, const Of& of,
              bool runsEast = false) const {
        Image image;
        image.width = width;
        image.height = height;
        image.planes.resize(1);
        image.frame = Frame::Galactic;
        image.unit = "K";
        const double across = (runsEast ? 360.0 : -360.0) / static_cast<double>(width);
        // The reference point is in the center, because pixels lie up to half a turn from it.
        image.wcsCards = {imageCard("CTYPE1", "'GLON-CAR'"),
                          imageCard("CTYPE2", "'GLAT-CAR'"),
                          imageCard("CUNIT1", "'deg     '"),
                          imageCard("CUNIT2", "'deg     '"),
                          imageCard("CRPIX1", 0.5 * static_cast<double>(width) + 0.5),
                          imageCard("CRPIX2", 1.0 - firstLatitude / step),
                          imageCard("CRVAL1", 0.0),
                          imageCard("CRVAL2", 0.0),
                          imageCard("CDELT1", across),
                          imageCard("CDELT2", step)};
        std::vector<double> values;
        const double middle = 0.5 * static_cast<double>(width - 1);
        for (int64_t j = 0; j < height; ++j)
            for (int64_t i = 0; i < width; ++i)
                values.push_back(of(across * (static_cast<double>(i) - middle) * kDegree,
                                    (firstLatitude + step * static_cast<double>(j)) * kDegree));
        image.values = std::move(values);
        return image;
    }
    void writeImageAs(const Image& image, const QString& name) {
        FileWriteOptions options;
        options.overwrite = true;
        writeImage(image, cli_.path(name).toStdString(), options, job_);
    }
    std::vector<double> pixelsOf(const QString& name) {
        const Image image = readImage(cli_.path(name).toStdString(), job_);
        return std::get<std::vector<double>>(image.values);
    }

private slots:
    // A file of B_l that ends while it is 0.5 removes all multipoles beyond, which a line reports.
    void beamsThatEnd() {
        cli_.writeSky("sky.fits", 16, Ordering::Ring);
        QByteArray ends, whole;
        for (int l = 0; l < 48; ++l) {
            const QByteArray row = QByteArray::number(std::exp2(-l / 10.0)) + "\n";
            whole += row;
            if (l <= 10) ends += row;
        }
        cli_.write("ends.txt", ends);
        cli_.write("whole.txt", whole);
        QCOMPARE(cli_.run("map2alm {sky.fits} {alm.fits}").status, 0);
        QCOMPARE(cli_.run("anafast {sky.fits} {cl.fits}").status, 0);
        for (const QString line : {"smooth {sky.fits}", "alm {alm.fits}", "filter {sky.fits}",
                                   "synfast {cl.fits} --nside 16"}) {
            const QString command = line + " {out.fits} --overwrite --beam ";
            const Outcome brief = cli_.run(command + "{ends.txt}");
            QVERIFY2(brief.status == 0, brief.error.constData());
            QVERIFY2(brief.error.contains("B_l ends at l = 10 with 0.5 of its peak"),
                     brief.error.constData());
            const Outcome full = cli_.run(command + "{whole.txt}");
            QVERIFY2(full.status == 0, full.error.constData());
            QVERIFY2(!full.error.contains("B_l ends"), full.error.constData());
        }
    }

    // A harmonic is multiplied by B_l, by every method; what is written is the same image.
    void imagesOfRings_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("poles");
        for (const char* method : {"direct", "ring", "harmonic", "auto"})
            for (const bool poles : {false, true})
                QTest::addRow("%s%s", method, poles ? ", poles" : "") << method << poles;
    }
    void imagesOfRings() {
        QFETCH(QString, method);
        QFETCH(bool, poles);
        const int64_t rows = poles ? 37 : 36;
        const auto harmonic = [](double lon, double lat) {  // l = 4, m = 2
            const double z = std::sin(lat);
            return (1 - z * z) * (7 * z * z - 1) * std::cos(2 * lon);
        };
        writeImageAs(car(72, rows, poles ? -90.0 : -87.5, 5.0, harmonic), "y.fits");
        const Outcome done = cli_.run(
            "smooth {y.fits} {ys.fits} --overwrite --json --fwhm 25deg "
            "--precision double --method " +
            method);
        QVERIFY2(done.status == 0, done.error.constData());
        QCOMPARE(done.json()["rows"].toInt(), static_cast<int>(rows));
        QCOMPARE(done.json()["columns"].toInt(), 72);
        const double sigma = 25 * kDegree / std::sqrt(8 * std::log(2.0));
        const double bl = std::exp(-0.5 * 4 * 5 * sigma * sigma);
        const std::vector<double> values = pixelsOf("y.fits"), found = pixelsOf("ys.fits");
        // The truncation of direct sums is 3e-7 of the kernel; positions have twelve digits.
        for (size_t i = 0; i < values.size(); ++i)
            QVERIFY(std::abs(found[i] - bl * values[i]) < 2e-6);
        const Image before = readImage(cli_.path("y.fits").toStdString(), job_);
        const Image after = readImage(cli_.path("ys.fits").toStdString(), job_);
        QCOMPARE(after.unit, before.unit);
        QVERIFY(after.wcsCards == before.wcsCards);
    }

    // Sums over pixels would change the map by 0.26 times its rms for a FWHM of 1.1 pixels
    // (tst_mean).
    void narrowKernelsAreRefused() {
        cli_.writeSky("n.fits", 64, Ordering::Nested);
        writeImageAs(car(72, 36, -87.5, 5.0, [](double, double) { return 1.0; }), "n-car.fits");
        const QByteArray end = " times the map's rms; use --method harmonic\n";
        for (const char* method : {"direct", "ring"}) {
            const QString options = QStringLiteral(" {refused.fits} --method ") + method;
            // 1.1 times 0.91611 degrees.
            const Outcome map = cli_.run("smooth {n.fits}" + options + " --fwhm 1.00772deg");
            QCOMPARE(map.status, 2);
            QVERIFY(says(map, QByteArray("n.fits: the kernel (FWHM 1.1 pixels) is too narrow for "
                                         "--method ") +
                                  method + ": expected error 0.26" + end));
            const Outcome image = cli_.run("smooth {n-car.fits}" + options + " --fwhm 2deg");
            QCOMPARE(image.status, 2);
            QVERIFY(says(image, "(FWHM 0.4 pixels) is too narrow") && says(image, end));
        }
        const Outcome ellipse =
            cli_.run("smooth {n.fits} {refused.fits} --fwhm 4deg --fwhm-minor 1deg");
        QCOMPARE(ellipse.status, 2);
        QVERIFY(says(ellipse, "convert --nside"));
        QVERIFY(!QFile::exists(cli_.path("refused.fits")));
        const Outcome chosen =
            cli_.run("smooth {n.fits} {fine.fits} --method auto --fwhm 1deg --json");
        QCOMPARE(chosen.json()["method"].toString(), "harmonic");
    }

    void partsOfTheSkyAndBadPixels() {
        Image image = car(120, 9, -13.5, 3.0, [](double, double) { return 2.0; });
        std::get<std::vector<double>>(image.values)[500] = std::nan("");
        writeImageAs(image, "belt.fits");
        const Outcome done =
            cli_.run("smooth {belt.fits} {belts.fits} --fwhm 10deg --precision double");
        QVERIFY2(done.status == 0, done.error.constData());
        const std::vector<double> found = pixelsOf("belts.fits");
        for (size_t i = 0; i < found.size(); ++i)
            if (i == 500)
                QVERIFY(std::isnan(found[i]));
            else
                // A constant divided by the smoothed mask: rounding of the transforms, amplified
                // near the edge.
                QVERIFY(std::abs(found[i] - 2.0) < 1e-10);
        QVERIFY(cli_.run("smooth {belt.fits} {b2.fits} --fwhm 10deg --masked ignore").status == 0);
        QVERIFY(std::abs(readImage(cli_.path("b2.fits").toStdString(), job_).at(60, 0)) < 1.5);
    }

    // The pixels of a part of each ring, with those of the whole rings where all others are bad.
    void partsOfRings() {
        Image whole = car(72, 36, -87.5, 5.0, [](double lon, double lat) {
            return 2.0 + std::cos(3.0 * lon) * std::cos(lat) + std::sin(5.0 * lat);
        });
        Image part = whole;
        part.width = 60;
        std::vector<double> kept;
        std::vector<double>& values = std::get<std::vector<double>>(whole.values);
        for (size_t p = 0; p < values.size(); ++p)
            if (p % 72 < 60)
                kept.push_back(values[p]);
            else
                values[p] = std::nan("");
        part.values = kept;
        writeImageAs(part, "part.fits");
        writeImageAs(whole, "holes.fits");
        for (const char* options :
             {"--method harmonic", "--method direct", "--method ring --masked ignore",
              "--method direct --fwhm-minor 18deg"}) {
            for (const QString name : {"part", "holes"}) {
                const Outcome done = cli_.run("smooth {" + name + ".fits} {" + name +
                                              "s.fits} --fwhm 20deg --precision double "
                                              "--overwrite " +
                                              options);
                QVERIFY2(done.status == 0, done.error.constData());
                QCOMPARE(done.error.contains("columns of a ring count as bad"), name == "part");
            }
            const std::vector<double> found = pixelsOf("parts.fits"),
                                      expected = pixelsOf("holess.fits");
            QCOMPARE(found.size(), size_t{60 * 36});
            for (size_t p = 0; p < found.size(); ++p)
                // Rounding of sums of 2000 terms of order 1, in another order.
                QVERIFY(std::abs(found[p] - expected[p / 60 * 72 + p % 60]) < 1e-12);
        }
    }

    void otherImagesAreRefused() {
        const auto zero = [](double, double) { return 0.0; };
        writeImageAs(car(70, 36, -87.5, 5.0, zero), "good.fits");
        writeImageAs(car(72, 30, -86.3, 5.0, zero), "off.fits");
        Image tangent = car(72, 36, -87.5, 5.0, zero);
        for (std::string& card : tangent.wcsCards)
            if (const size_t at = card.find("-CAR"); at != std::string::npos)
                card.replace(at, 4, "-SFL");
        writeImageAs(tangent, "sfl.fits");
        for (const char* name : {"off", "sfl"}) {
            const Outcome done =
                cli_.run("smooth {" + QString(name) + ".fits} {no.fits} --fwhm 10deg");
            QCOMPARE(done.status, 1);
            QVERIFY(says(done, "expected an image whose rows are whole rings"));
            QVERIFY(!QFile::exists(cli_.path("no.fits")));
        }
        const Outcome fields = cli_.run("smooth {good.fits} {no.fits} --fwhm 10deg --field 2");
        QCOMPARE(fields.status, 2);
        QVERIFY(cli_.leftovers().isEmpty());
    }

    // Each field with its own beam, of one map and of several, equals that field alone.
    void aBeamForEach() {
        cli_.writeSky("a.fits", 32, Ordering::Ring, 3);
        cli_.writeSky("b.fits", 32, Ordering::Ring, 1, true);
        const QString widths[] = {"3deg", "5deg", "8deg", "4deg"};
        const Outcome done = cli_.run(
            "smooth {a.fits} {b.fits} {all.fits} --all-fields --json --fwhms 3deg,5deg,8deg,4deg");
        QVERIFY2(done.status == 0, done.error.constData());
        const HealpixMap all = cli_.read("all.fits");
        QCOMPARE(all.fieldCount(), 4);
        QCOMPARE(done.json()["fields"].toArray().size(), 4);
        QCOMPARE(all.field(3).name, all.field(0).name + "_2");
        for (int i = 0; i < 4; ++i) {
            QVERIFY(cli_.run(QString("smooth {%1.fits} {one.fits} --overwrite --field %2 --fwhm %3")
                                 .arg(i < 3 ? "a" : "b")
                                 .arg(i < 3 ? i + 1 : 1)
                                 .arg(widths[i]))
                        .status == 0);
            const std::vector<double> alone = valuesOf(cli_.read("one.fits"), 0);
            const std::vector<double> found = valuesOf(all, i);
            for (size_t k = 0; k < alone.size(); ++k)
                QVERIFY(alone[k] == found[k] || (std::isnan(alone[k]) && std::isnan(found[k])));
        }
        QVERIFY(says(cli_.run("smooth {a.fits} {b.fits} {no.fits} --fwhms 1deg,2deg,3deg"),
                     "expected one beam for all, or 2"));
        cli_.writeSky("c.fits", 16, Ordering::Ring, 1);
        QVERIFY(says(cli_.run("smooth {a.fits} {c.fits} {no.fits} --fwhm 3deg"),
                     "expected the pixels of the first map"));
        QVERIFY(says(cli_.run("smooth {a.fits} {no.fits} --fwhm 3deg --fwhms 3deg,4deg"),
                     "found several"));
        QVERIFY(says(cli_.run("smooth {a.fits} {no.fits} --fwhm 3deg --field 1 --all-fields"),
                     "--field"));
    }

    void beamsFromFiles() {
        cli_.writeSky("a.fits", 16, Ordering::Ring, 2);
        QByteArray narrow, wide;
        for (int l = 0; l < 48; ++l) {
            narrow += QByteArray::number(std::exp(-0.001 * l * (l + 1)), 'g', 17) + "\n";
            wide += QByteArray::number(std::exp(-0.01 * l * (l + 1)), 'g', 17) + "\n";
        }
        cli_.write("narrow.txt", narrow);
        cli_.write("wide.txt", wide);
        const Outcome done = cli_.run(
            "smooth {a.fits} {two.fits} --all-fields --beam {narrow.txt} --beam {wide.txt}");
        QVERIFY2(done.status == 0, done.error.constData());
        QVERIFY(cli_.run("smooth {a.fits} {w.fits} --field 2 --beam {wide.txt}").status == 0);
        QCOMPARE(valuesOf(cli_.read("two.fits"), 1), valuesOf(cli_.read("w.fits"), 0));
    }

    // An elliptical beam preserves a constant, and lies along its angle.
    void ellipses() {
        writeImageAs(car(180, 90, -89.0, 2.0, [](double, double) { return 1.0; }), "one.fits");
        const Outcome flat = cli_.run(
            "smooth {one.fits} {flat.fits} --fwhm 20deg --fwhm-minor 8deg --position-angle 60deg "
            "--precision double");
        QVERIFY2(flat.status == 0, flat.error.constData());
        const Image ones = readImage(cli_.path("flat.fits").toStdString(), job_);
        // The beam ends at 3e-7 of its peak, and pixels on that border are entirely in or out. Its
        // half axes are sqrt(30) sigma, 46.5 and 18.6 degrees: 216 degrees of border, 2 degrees
        // wide, against 2 pi 8.49 3.40 square degrees of beam. The sum itself is exact to exp(-2
        // pi^2 (3.4 / 2)^2).
        for (int64_t y = 0; y < 90; ++y)
            for (int64_t x = 0; x < 180; ++x)
                QVERIFY(std::abs(ones.at(x, y) - 1.0) < 3e-7 * 216.0 * 2.0 / 181.0);
        for (const bool runsEast : {false, true}) {
            const auto point = [](double lon, double lat) {
                return std::abs(lon - 89.0 * kDegree) < 1e-6 && std::abs(lat - 1.0 * kDegree) < 1e-6
                           ? 1.0
                           : 0.0;
            };
            writeImageAs(car(180, 90, -89.0, 2.0, point, runsEast), "p.fits");
            const Outcome done = cli_.run(
                "smooth {p.fits} {e.fits} --overwrite --fwhm 20deg --fwhm-minor 8deg "
                "--position-angle 60deg --precision double");
            QVERIFY2(done.status == 0, done.error.constData());
            const Image image = readImage(cli_.path("e.fits").toStdString(), job_);
            const ImageWcs wcs(image);
            // 8 degrees from the point toward an angle from north through east.
            const auto at = [&](double angle) {
                const Vec3 d = direction({(89.0 + 8.0 * std::sin(angle * kDegree)) * kDegree,
                                          (1.0 + 8.0 * std::cos(angle * kDegree)) * kDegree});
                double x = 0.0, y = 0.0;
                wcs.pixels({&d, 1}, {&x, 1}, {&y, 1});
                return image.at(std::lround(x), std::lround(y));
            };
            QVERIFY(at(60) > 3 * at(-60) && at(60) > 5 * at(150));
            QVERIFY(at(240) > 3 * at(120));
        }
        cli_.writeSky("a.fits", 32, Ordering::Ring, 1);
        const Outcome map = cli_.run(
            "smooth {a.fits} {ae.fits} --fwhm 12deg --fwhm-minor 6deg --position-angle 30deg "
            "--json");
        QVERIFY2(map.status == 0, map.error.constData());
        QCOMPARE(map.json()["method"].toString(), QString("direct"));
        QVERIFY(says(cli_.run("smooth {a.fits} {no.fits} --fwhm 2deg --fwhm-minor 3deg"),
                     "expected at most the width of the major axis"));
        QVERIFY(says(cli_.run("smooth {a.fits} {no.fits} --fwhm-minor 3deg --beam {a.fits}"),
                     "expected --fwhm as well"));
        QVERIFY(says(cli_.run("smooth {a.fits} {no.fits} --fwhm 4deg --fwhm-minor 3deg --method "
                              "harmonic"),
                     "--method harmonic"));
    }

private:
    CliFixture cli_;
    JobContext job_;
};

QTEST_GUILESS_MAIN(tst_cli_smooth)
#include "tst_cli_smooth.moc"
