// SPDX-License-Identifier: GPL-3.0-or-later
// Output of `armilla render` and `project`: fields rotated with the frame, maps of any depth, usual
// notations of positions.
#include <QImage>
#include <QJsonArray>
#include <QtTest>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/image_file.h"
#include "armilla/io/table_io.h"
#include "rendered_sky.h"
#include "support/image_cards.h"

using namespace armilla;
using namespace armilla::test;

class CliPicturesTest : public QObject {
    Q_OBJECT
    CliFixture cli_;

    // `place` may contain blanks.
    std::vector<double> projected(const QString& options, const QString& map = "{tqu.fits}",
                                  const QString& place = {}) {
        QStringList words =
            cli_.words("project " + map + " {p.fits} --overwrite --size 90x60 " + options);
        if (!place.isEmpty()) words << "--center" << place;
        const Outcome outcome = cli_.run(words);
        if (outcome.status != 0) {
            qWarning() << outcome.error;
            return {};
        }
        JobContext job;
        const Image image = readImage(cli_.path("p.fits").toStdString(), job);
        std::vector<double> values;
        std::visit([&](const auto& all) { values.assign(all.begin(), all.end()); }, image.values);
        return values;
    }
    QImage rendered(const QString& map, const QString& options) {
        return test::rendered(cli_, map, "--size 500x340 " + options);
    }

private slots:
    void initTestCase() { cli_.writeSky("tqu.fits", 32, Ordering::Ring, 3); }

    // A user-defined scale from dark red to red: the sky contains no other colors.
    void colorsOfOnesOwn() {
        const QImage own = rendered("{tqu.fits}", "--field 1 --colormap #200000,#ff0000");
        QVERIFY(!own.isNull());
        for (const QPoint at : {QPoint(243, 117), QPoint(203, 93), QPoint(307, 141)}) {
            const QRgb color = own.pixel(at);
            QVERIFY(qRed(color) >= 0x20 && qGreen(color) == 0 && qBlue(color) == 0);
        }
    }

    // A picture of U in another frame equals a map rotated to that frame. The interpolation of the
    // latter errs by 1 % of its rms on this smooth sky away from the poles.
    void polarizationTurnsWithTheFrame_data() {
        QTest::addColumn<QString>("field");
        QTest::newRow("Q") << "2";
        QTest::newRow("U") << "3";
    }
    void polarizationTurnsWithTheFrame() {
        QFETCH(QString, field);
        QCOMPARE(cli_.run("convert {tqu.fits} {c.fits} --frame C --overwrite").status, 0);
        const auto direct = projected("--frame C --field " + field);
        const auto turned = projected("--field " + field, "{c.fits}");
        const auto asItWas = projected("--field " + field);
        QVERIFY(!direct.empty() && direct.size() == turned.size());
        double difference = 0.0, size = 0.0, unturned = 0.0;
        for (size_t i = 0; i < direct.size(); ++i) {
            if (std::isnan(direct[i])) continue;
            difference += std::pow(direct[i] - turned[i], 2);
            size += std::pow(turned[i], 2);
            unturned += std::pow(asItWas[i] - turned[i], 2);
        }
        QVERIFY2(std::sqrt(difference / size) < 0.1,
                 qPrintable(QString::number(std::sqrt(difference / size))));
        QVERIFY(std::sqrt(unturned / size) > 0.3);
        const Outcome told =
            cli_.run("project {tqu.fits} {p.fits} --overwrite --frame C --field " + field);
        QVERIFY(told.out.contains("Q and U rotated"));
        QVERIFY(cli_.content("p.fits").contains("in equatorial (ICRS)'"));
        const QImage turnedPicture = rendered("{tqu.fits}", "--frame C --field " + field);
        QVERIFY(!turnedPicture.isNull());
        QVERIFY(turnedPicture != rendered("{c.fits}", "--frame G --field " + field));
    }
    void halfOfPolarizationIsNotTurned() {
        QCOMPARE(cli_.run("convert {tqu.fits} {q.fits} --fields 2 --overwrite").status, 0);
        for (const char* command : {"project {q.fits} {p.fits}", "render {q.fits} {r.png}"}) {
            const Outcome outcome = cli_.run(QString(command) + " --frame C --overwrite");
            QCOMPARE(outcome.status, 1);
            QVERIFY2(outcome.error.contains("expected both Q and U"), outcome.error.constData());
        }
    }

    // Four pixels of 0.2 arcsec, each one a quarter of the picture.
    void deepMapsAreDrawnAtTheirDepth() {
        const int64_t nside = int64_t{1} << 20;
        const int64_t first = nestedFromDirection(nside, direction({1.0, 0.5})) & ~int64_t{3};
        std::vector<float> values{0.0F, 1.0F, 2.0F, 3.0F};
        cli_.write("deep.fits", HealpixMap::partial(nside, Ordering::Nested, Frame::Equatorial,
                                                    {first, first + 1, first + 2, first + 3},
                                                    {{"PROB", "", DiskType::Float32, values}}));
        const LonLat middle = lonLat(directionFromNested(nside / 2, first / 4));
        const QImage picture = rendered(
            "{deep.fits}", QString("--projection gnomonic --resolution 0.001arcsec --min 0 --max 3 "
                                   "--colormap gray --center %1deg,%2deg")
                               .arg(middle.lon / kDegree, 0, 'f', 10)
                               .arg(middle.lat / kDegree, 0, 'f', 10));
        QVERIFY(!picture.isNull());
        // Around the corner shared by all four pixels lie all four values.
        QSet<int> grays;
        for (const QPoint step : {QPoint(0, -40), QPoint(0, 40), QPoint(-60, 0), QPoint(60, 0)})
            grays.insert(qGray(picture.pixel(QPoint(250, 120) + step)));
        QCOMPARE(grays.size(), 4);
    }

    void placesAreWrittenAsPeopleDo() {
        // Right ascension, whatever the frame of the picture.
        const auto decimal = projected("--projection gnomonic --center 187.5deg,-20.5deg,C");
        QCOMPARE(projected("--projection gnomonic --center 12h30m00s,-20d30m00s"), decimal);
        QCOMPARE(projected("--projection gnomonic --center 12:30:00,-20:30:00"), decimal);
        // With a blank between longitude and latitude.
        for (const char* place : {"12:30:00 -20:30:00", "12h30m00s -20d30m00s", "12h 30m -20d 30m"})
            QCOMPARE(projected("--projection gnomonic", "{tqu.fits}", place), decimal);
        QCOMPARE(projected("--projection gnomonic --frame C --center 187.5deg,-20.5deg").size(),
                 decimal.size());
        QVERIFY(projected("--projection gnomonic --center 187.5deg,-20.5deg") != decimal);
    }
    void severalFieldsInOneGo() {
        QCOMPARE(cli_.run("smooth {tqu.fits} {s.fits} --overwrite --fwhm 5deg --field 3,1").status,
                 0);
        const HealpixMap both = cli_.read("s.fits");
        QCOMPARE(both.fieldCount(), 2);
        QCOMPARE(cli_.run("smooth {tqu.fits} {t.fits} --overwrite --fwhm 5deg --field 1").status,
                 0);
        const auto alone = valuesOf(cli_.read("t.fits"), 0), second = valuesOf(both, 1);
        // Both commands run the same transform. One with several fields may add in another order,
        // with a few machine epsilons of difference.
        for (size_t i = 0; i < alone.size(); ++i) QVERIFY(std::fabs(alone[i] - second[i]) < 1e-12);
        QCOMPARE(cli_.run("smooth {tqu.fits} {s.fits} --overwrite --fwhm 5deg --field all").status,
                 0);
        QCOMPARE(cli_.read("s.fits").fieldCount(), 3);
    }
    void whatIsDubiousIsSaid() {
        const Outcome scalar =
            cli_.run("smooth {tqu.fits} {s.fits} --overwrite --fwhm 5deg --field 2");
        QCOMPARE(scalar.status, 0);
        QVERIFY2(scalar.error.contains("taken as a scalar"), scalar.error.constData());
        const Outcome band = cli_.run("anafast {tqu.fits} {cl.fits} --overwrite --lmax 200");
        QCOMPARE(band.status, 0);
        QVERIFY2(band.error.contains("beyond 3 nside - 1 = 95"), band.error.constData());
        for (const char* back : {"synfast {cl.fits} {b.fits} --nside 32 --lmax 200 --overwrite",
                                 "alm2map {alm.fits} {b.fits} --nside 32 --overwrite"}) {
            QCOMPARE(cli_.run("map2alm {tqu.fits} {alm.fits} --overwrite --lmax 200").status, 0);
            const Outcome sky = cli_.run(back);
            QCOMPARE(sky.status, 0);
            QVERIFY2(sky.error.contains("beyond 3 nside - 1 = 95"), sky.error.constData());
        }
        const Outcome filtered = cli_.run(
            "filter {tqu.fits} {s.fits} --overwrite --type mexican-hat --fwhm 5deg --field 2");
        QCOMPARE(filtered.status, 0);
        QVERIFY2(filtered.error.contains("taken as a scalar, which mixes E and B where meridians "
                                         "converge\n"),
                 filtered.error.constData());
    }
    // With little memory, a figure is made or an error is reported. Earlier, allocations in the
    // destructors of Qt's devices threw.
    void littleMemory() {
#if defined(__SANITIZE_ADDRESS__)
        QSKIP("no limit of addresses under AddressSanitizer");
#endif
        const auto within = [&](int megabytes, const QString& line) {
            return cli_.shell(
                QStringLiteral("ulimit -v %1; exec $A %2").arg(megabytes << 10).arg(line));
        };
        int least = 16;  // least size of a drawn picture
        while (least < 4096 &&
               within(least, "render tqu.fits few.png --overwrite --size 400x300").status != 0)
            least += 8;
        int made = 0, refused = 0;
        for (const char* name : {"few.pdf", "few.svg", "few.png"})
            for (int more = -36; more < 64; more += 10) {
                const Outcome outcome = within(
                    least + more,
                    QStringLiteral("render tqu.fits %1 --overwrite --size 800x500").arg(name));
                QVERIFY2(outcome.status == 0 || outcome.status == 1,
                         qPrintable(QStringLiteral("%1, %2 MiB").arg(name).arg(least + more)));
                if (outcome.status == 1) QCOMPARE(outcome.error.count('\n'), 1);
                ++(outcome.status == 0 ? made : refused);
            }
        QVERIFY2(made > 0 && refused > 0, qPrintable(QString::number(refused)));
        QVERIFY(cli_.leftovers().isEmpty());
    }
    void processorsAreThoseAllowed() {
        const Outcome one = cli_.shell(
            "taskset -c 0 $A smooth tqu.fits s.fits --overwrite --fwhm 5deg --method harmonic");
        QCOMPARE(one.status, 0);
        QVERIFY2(one.error.contains(", 1 thread\n"), one.error.constData());
    }

    // Contours of a Gaussian match the formula; colors, texts and veil change only their own parts.
    void contoursMaskAndTexts() {
        std::vector<double> values;
        for (int64_t p = 0; p < pixelCount(128); ++p) {
            const double d = angularDistance(directionFromRing(128, p), {1.0, 0.0, 0.0});
            values.push_back(std::exp(-0.5 * std::pow(d / (5.0 * kDegree), 2)));
        }
        cli_.write("prob.fits", HealpixMap(128, Ordering::Ring, Frame::Equatorial,
                                           {{"PROB", "pix-1", DiskType::Float64, values}}));
        const QString view = "--projection gnomonic --resolution 6arcmin --colormap gray ";
        const Outcome told =
            cli_.run("render {prob.fits} {r.png} --overwrite --json --size 500x340 " + view +
                     "--contours 50%,90%");
        QCOMPARE(told.status, 0);
        const QJsonArray levels = told.json()["contours"].toArray();
        QCOMPARE(levels.size(), 2);
        // 2 pi s^2 ln(1 / (1 - p)), to the 1 % of the sphere's curvature and the pixels.
        QVERIFY(std::fabs(levels[0]["area_deg2"].toDouble() / (2 * kPi * 25 * std::log(2.0)) - 1) <
                0.02);
        QVERIFY(std::fabs(levels[1]["area_deg2"].toDouble() / (2 * kPi * 25 * std::log(10.0)) - 1) <
                0.02);
        QVERIFY(std::fabs(levels[0]["value"].toDouble() - 0.5) < 0.01);
        const QImage plain = rendered("{prob.fits}", view);
        const QImage lines = rendered("{prob.fits}", view + "--contours 50%,90%");
        QVERIFY(plain != lines);
        QCOMPARE(lines, rendered("{prob.fits}", view + "--contours credible"));
        QVERIFY(plain != rendered("{prob.fits}", view + "--contours 0.3"));
        QVERIFY(plain != rendered("{prob.fits}", view + "--interpolation bilinear"));
        QVERIFY(plain != rendered("{prob.fits}", view + "--label p"));
        QVERIFY(plain != rendered("{prob.fits}", view + "--unit deg-2"));
        std::vector<float> mask(12, 1.0F);
        mask[4] = 0.0F;
        cli_.write("mask.fits", HealpixMap(1, Ordering::Ring, Frame::Equatorial,
                                           {{"MASK", "", DiskType::Float32, mask}}));
        const QImage veiled = rendered("{prob.fits}", view + "--min 0 --max 1 --mask {mask.fits}");
        // The bright center lies in base pixel 4, which is masked: 70 % of the way to gray.
        const int middle = qGray(veiled.pixel(250, 110));
        QVERIFY2(std::abs(middle - static_cast<int>(0.3 * 255 + 0.7 * 128)) < 12,
                 qPrintable(QString::number(middle)));
        const Outcome wrong =
            cli_.run("render {tqu.fits} {r.png} --overwrite --field 2 --contours 50%");
        QCOMPARE(wrong.status, 1);
        QVERIFY(wrong.error.contains("probabilities or counts"));
    }

    // The colors are the initial ones of the window, for counts from 0 to percentile 99.5. In the
    // sorted 49152 pixels that is number 48905.2, and the values from 48752 to 48951 are 11.
    // Percentiles 1 to 99 are both 0.
    void colorsAreThoseOfTheWindow() {
        std::vector<float> values(static_cast<size_t>(pixelCount(64)), 0.0F);
        for (size_t i = 0; i < 200; ++i) {
            values[200 * i] = 11.0F;
            values[200 * i + 7] = 12.0F;
        }
        values[7] = 284.0F;
        cli_.write("counts.fits", HealpixMap(64, Ordering::Nested, Frame::Galactic,
                                             {{"COUNTS", "", DiskType::Float32, values}}));
        const auto range = [&](const QString& options) {
            const QJsonObject found =
                cli_.run("render {counts.fits} {r.png} --overwrite --json " + options).json();
            return std::pair(found["min"].toDouble(), found["max"].toDouble());
        };
        QCOMPARE(range(""), std::pair(0.0, 11.0));
        QCOMPARE(range("--colormap gray"), std::pair(0.0, 11.0));
        QCOMPARE(range("--min 1"), std::pair(1.0, 11.0));
        QCOMPARE(range("--max 40"), std::pair(0.0, 40.0));
        QCOMPARE(range("--min 2 --max 3"), std::pair(2.0, 3.0));
        QCOMPARE(range("--percentile 0,100"), std::pair(0.0, 284.0));
        QCOMPARE(range("--scale linear --percentile 0,100"), std::pair(0.0, 284.0));
        QVERIFY(rendered("{counts.fits}", "") == rendered("{counts.fits}", "--colormap viridis"));
    }

    // A map and a full-sky image of the same function, with rows on the poles, in dark red to red.
    // Both give the same picture in another frame, without a gray pixel. tst_image_seams has limits
    // for each pixel in all projections.
    void wholeSkyImagesHaveNoSeam() {
        const auto valueOf = [](Vec3 d) { return static_cast<float>(0.6 * d.x - 0.8 * d.y); };
        std::vector<float> values;
        for (int64_t pixel = 0; pixel < pixelCount(128); ++pixel)
            values.push_back(valueOf(directionFromRing(128, pixel)));
        cli_.write("smooth.fits", HealpixMap(128, Ordering::Ring, Frame::Galactic,
                                             {{"S", "", DiskType::Float32, values}}));
        Image image;
        image.width = 361;
        image.height = 181;
        image.frame = Frame::Galactic;
        image.planes = {{"", 0.0}};
        values.clear();
        for (int y = -90; y <= 90; ++y)
            for (int x = 180; x >= -180; --x)
                values.push_back(valueOf(direction({x * kDegree, y * kDegree})));
        image.values = values;
        image.wcsCards = {imageCard("CTYPE1", "'GLON-CAR'"), imageCard("CTYPE2", "'GLAT-CAR'"),
                          imageCard("CRPIX1", 181.0),        imageCard("CRPIX2", 91.0),
                          imageCard("CDELT1", -1.0),         imageCard("CDELT2", 1.0),
                          imageCard("CRVAL1", 0.0),          imageCard("CRVAL2", 0.0)};
        JobContext job;
        FileWriteOptions options;
        options.overwrite = true;
        writeImage(image, cli_.path("car.fits").toStdString(), options, job);
        for (const char* projection : {"mollweide", "hammer"}) {
            const QString view = QString(
                                     "--projection %1 --frame C --min -1 --max 1 "
                                     "--colormap #200000,#ff0000 --unit x --label x")
                                     .arg(projection);
            const QImage map = rendered("{smooth.fits}", view);
            const QImage found = rendered("{car.fits}", view);
            QVERIFY(!map.isNull() && map.size() == found.size());
            int worst = 0;
            for (int y = 0; y < map.height(); ++y)
                for (int x = 0; x < map.width(); ++x) {
                    const QColor a = map.pixelColor(x, y), b = found.pixelColor(x, y);
                    QVERIFY2(std::abs(a.green() - b.green()) < 2,
                             qPrintable(QString("%1, %2").arg(x).arg(y)));
                    worst = std::max(worst, std::abs(a.red() - b.red()));
                }
            // 111 levels make a radian. Pixels of the image extend 0.7 degrees from their centers,
            // those of the map 0.5. A pixel of the picture covers 4 degrees of the sky at its upper
            // and lower end, where it is averaged up to the image's pole.
            QVERIFY2(worst < 12, qPrintable(QString::number(worst)));
        }
    }

    // An image lies at the place of the map from which it was made, and alone fills the picture.
    void imagesAndCatalogsAreRendered() {
        QCOMPARE(cli_.run("project {tqu.fits} {p.fits} --projection gnomonic --center 30deg,10deg "
                          "--resolution 0.2deg --size 320x320 --overwrite")
                     .status,
                 0);
        // The same colors for the map and its part.
        const QJsonObject field =
            cli_.run("info {tqu.fits} --json").json()["fields"].toArray()[0].toObject();
        const QString view =
            QString(
                "--projection gnomonic --center 30deg,10deg --resolution 0.1deg --min %1 "
                "--max %2 --colormap planck")
                .arg(field["mean"].toDouble() - 2.0 * field["std"].toDouble())
                .arg(field["mean"].toDouble() + 2.0 * field["std"].toDouble());
        const QImage map = rendered("{tqu.fits}", view), image = rendered("{p.fits}", view);
        int same = 0, all = 0;
        for (int y = 60; y < 240; ++y)
            for (int x = 60; x < 440; ++x) {
                const QColor a = map.pixelColor(x, y), b = image.pixelColor(x, y);
                ++all;
                // Except for the steps of image pixels along the borders of map pixels.
                same += std::abs(a.red() - b.red()) + std::abs(a.blue() - b.blue()) < 4 ? 1 : 0;
            }
        // The picture reads the image 0.05 degrees aside along each axis. This fraction of the cell
        // size (1.83 degrees), times at most sqrt(2) for squares, falls into another cell of the
        // map.
        const double aside = 0.05 * std::sqrt(2.0);
        QVERIFY2(same > (1.0 - std::sqrt(2.0) * aside / 1.83) * all,
                 qPrintable(QString("%1 of %2").arg(same).arg(all)));
        const Outcome alone = cli_.run("render {p.fits} {r.png} --overwrite --json --size 500x500");
        QCOMPARE(alone.status, 0);
        QVERIFY(alone.json()["min"].toDouble() < alone.json()["max"].toDouble());
        const QImage whole(cli_.path("r.png"));
        const QColor corner = whole.pixelColor(90, 60), middle = whole.pixelColor(250, 220);
        QVERIFY(corner.isValid() && corner != QColor(Qt::white) && middle != QColor(Qt::white));

        cli_.write("cat.csv", "RA,DEC,NAME\n10.5,20.25,one\n83.5,-5.5,two\n");
        const Outcome marks = cli_.run("render {cat.csv} {m.png} --overwrite --json --frame G");
        QCOMPARE(marks.status, 0);
        QCOMPARE(marks.json()["markers"].toInt(), 2);
        QCOMPARE(marks.json()["frame"].toString(), QString("G"));
        QVERIFY(!marks.json().contains("min"));
        const Outcome wrong = cli_.run("render {cat.csv} {w.png} --overwrite --contours 1");
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.error.contains("--contours: expected a map, found a catalog"),
                 wrong.error.constData());
        const Outcome plane = cli_.run("render {p.fits} {w.png} --overwrite --field 2");
        QCOMPARE(plane.status, 1);
        QVERIFY2(plane.error.contains("expected a plane from 1 to 1"), plane.error.constData());
    }

    // Catalogs, curves, spectra and images are converted between formats, and info describes each.
    void allKindsAreToldAndConverted() {
        cli_.write("cat.csv", "RA,DEC,NAME\n10.5,20.25,one\n83.5,-5.5,two\n");
        QCOMPARE(cli_.run("convert {cat.csv} {cat.fits} --overwrite").status, 0);
        QCOMPARE(cli_.run("convert {cat.fits} {again.csv} --overwrite").status, 0);
        QVERIFY(cli_.content("again.csv").contains("10.5,20.25,one"));
        QCOMPARE(cli_.run("info {cat.fits} --json").json()["kind"].toString(), QString("catalog"));
        QCOMPARE(cli_.run("stats {tqu.fits} {st.csv} --center 10deg,20deg --radius 20deg "
                          "--profile {prof.fits} --histogram {hist.csv} --overwrite")
                     .status,
                 0);
        const QJsonObject profile = cli_.run("info {prof.fits} --json").json();
        QCOMPARE(profile["kind"].toString(), QString("curve"));
        QCOMPARE(profile["curve"].toString(), QString("profile"));
        QCOMPARE(cli_.run("info {hist.csv} --json").json()["curve"].toString(),
                 QString("histogram"));
        QCOMPARE(cli_.run("convert {prof.fits} {prof.csv} --overwrite").status, 0);
        QCOMPARE(cli_.run("info {prof.csv} --json").json()["points"], profile["points"]);
        QCOMPARE(cli_.run("project {tqu.fits} {p.fits} --size 90x60 --overwrite").status, 0);
        const QJsonObject image = cli_.run("info {p.fits} --json").json();
        QCOMPARE(image["kind"].toString(), QString("image"));
        QCOMPARE(image["width"].toInt(), 90);
        QCOMPARE(image["frame"].toString(), QString("G"));
        QCOMPARE(cli_.run("convert {p.fits} {p2.fits} --overwrite").status, 0);
        QCOMPARE(cli_.run("info {p2.fits} --json").json()["fields"], image["fields"]);
        QCOMPARE(cli_.run("anafast {tqu.fits} {cl.fits} --overwrite").status, 0);
        QCOMPARE(cli_.run("convert {cl.fits} {cl.txt} --overwrite").status, 0);
        QCOMPARE(cli_.run("info {cl.txt} --json").json()["lmax"].toInt(), 95);
        const QJsonValue spectrum = cli_.run("info {cl.fits} --json").json()["fields"];
        for (const char* name : {"cl.ecsv", "cl.vot"}) {
            QCOMPARE(cli_.run(QString("convert {cl.fits} {%1} --overwrite").arg(name)).status, 0);
            QCOMPARE(cli_.run(QString("info {%1} --json").arg(name)).json()["fields"], spectrum);
        }
        // A beam of intensity stays one column, whatever the format.
        cli_.write("beam.txt", "0 1\n1 0.875\n2 0.5\n");
        for (const char* name : {"beam.fits", "beam.csv", "beam.ecsv", "beam.vot"}) {
            const Outcome made = cli_.run(QString("convert {beam.txt} {%1} --overwrite").arg(name));
            QVERIFY2(made.status == 0, made.error.constData());
            const QJsonObject told = cli_.run(QString("info {%1} --json").arg(name)).json();
            QVERIFY2(told["kind"] == "beam" && told["lmax"] == 2, name);
            QCOMPARE(cli_.run(QString("convert {%1} {back.csv} --overwrite").arg(name)).status, 0);
            QCOMPARE(cli_.content("back.csv").trimmed(), QByteArray("l,T\n0,1\n1,0.875\n2,0.5"));
            QVERIFY2(
                cli_.run(QString("smooth {tqu.fits} {sm.fits} --overwrite --beam {%1}").arg(name))
                        .status == 0,
                name);
        }
        // Other programs read the first column of a beam in FITS as B_l from l = 0.
        JobContext job;
        const Table beam = readTable(cli_.path("beam.fits").toStdString(), {}, job);
        QCOMPARE(beam.columns.size(), size_t{1});
        QCOMPARE(beam.columns[0].name, std::string("T"));
        // Omitted parts of a beam file are reported.
        cli_.write("modes.csv", "l,BL,EIGEN_1\n0,1,0\n1,0.875,0.1\n2,0.5,0.2\n");
        for (const char* command :
             {"info {modes.csv}", "convert {modes.csv} {modes.fits} --overwrite",
              "smooth {tqu.fits} {sm.fits} --overwrite --beam {modes.csv}"}) {
            const Outcome made = cli_.run(command);
            QCOMPARE(made.status, 0);
            QVERIFY2(made.error.contains("omitted from the beam: 'EIGEN_1'"),
                     made.error.constData());
        }
        QCOMPARE(cli_.run("map2alm {tqu.fits} {alm.fits} --overwrite").status, 0);
        const Outcome drawn = cli_.run("render {alm.fits} {o.png} --overwrite");
        QCOMPARE(drawn.status, 1);
        QVERIFY2(drawn.error.contains("found alm"), drawn.error.constData());
        const Outcome wrong = cli_.run("convert {cat.csv} {cat.fits} --overwrite --nside 16");
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.error.contains("--nside: expected a map"), wrong.error.constData());
    }
    // A plot of the columns, whatever the format of the file.
    void curvesAreRendered() {
        cli_.write("w.csv", "theta,W,W_ERR,DD\n1,0.5,0.1,10\n2,0.25,0.1,20\n");
        QCOMPARE(cli_.run("anafast {tqu.fits} {spectra.fits} --overwrite --polarization").status,
                 0);
        QCOMPARE(cli_.run("convert {w.csv} {w.vot} --overwrite").status, 0);
        for (const auto& [name, columns] :
             {std::pair("w.csv", 1), std::pair("w.vot", 1), std::pair("spectra.fits", 6)}) {
            const QJsonObject told = cli_.run(QString("render {%1} {o.png} --overwrite --json "
                                                      "--size 700x500")
                                                  .arg(name))
                                         .json();
            QCOMPARE(told["columns"].toArray().size(), columns);
            QCOMPARE(QImage(cli_.path("o.png")).size(), QSize(700, 500));
        }
        QCOMPARE(cli_.run("render {w.csv} {o.png} --overwrite --json --field DD,1")
                     .json()["columns"]
                     .toArray(),
                 QJsonArray({"DD", "W"}));
        for (const char* out : {"{o.pdf}", "{o.svg}"})
            QCOMPARE(
                cli_.run(QString("render {w.csv} %1 --overwrite --background dark --x-axis log "
                                 "--min -1 --title Pairs")
                             .arg(out))
                    .status,
                0);
        // The same line gives the same bytes.
        QCOMPARE(cli_.run("render {w.csv} {o.png} --overwrite").status, 0);
        const QByteArray first = cli_.content("o.png");
        QCOMPARE(cli_.run("render {w.csv} {o.png} --overwrite").status, 0);
        QCOMPARE(cli_.content("o.png"), first);
        QVERIFY(QImage(cli_.path("o.png")).text("Description").contains("render"));
    }
    void optionsOfOtherKindsAreRefused() {
        cli_.write("w.csv", "theta,W,W_ERR,DD\n1,0.5,0.1,10\n2,0.25,0.1,20\n");
        cli_.write("cat.csv", "ra,dec\n10,20\n30,40\n");
        for (const auto& [line, said] :
             {std::pair("{w.csv} {x.png} --projection hammer --graticule 10deg",
                        "--projection, --graticule: expected a map, an image or a catalog, found a "
                        "curve"),
              std::pair("{w.csv} {x.png} --scale log", "--scale: expected a map"),
              std::pair("{w.csv} {x.png} --input-frame G", "--input-frame: expected a map"),
              std::pair("{cat.csv} {x.png} --x-axis log", "--x-axis: expected a curve, found a "),
              std::pair("{tqu.fits} {x.png} --y-axis linear", "--y-axis: expected a curve")}) {
            const Outcome refused = cli_.run(QString("render ") + line);
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.error.contains(said) && refused.error.count('\n') == 1,
                     refused.error.constData());
        }
        for (const auto& [line, said] :
             {std::pair("--field 3", "expected a column from 1 to 2, or its name (W, DD)"),
              std::pair("--y-axis log --min -1", "above 0 for a logarithmic one"),
              std::pair("--size 90x60", "space for axes")}) {
            const Outcome refused = cli_.run(QString("render {w.csv} {x.png} ") + line);
            QCOMPARE(refused.status, 1);
            QVERIFY2(refused.error.contains(said), refused.error.constData());
            QVERIFY(!QFile::exists(cli_.path("x.png")));
        }
    }
    // All planes of a cube, or the named ones, each with its original coordinate on the third axis.
    void planesOfCubes() {
        Image cube;
        cube.width = 3;
        cube.height = 2;
        cube.unit = "K";
        cube.axisName = "FREQ";
        cube.axisUnit = "Hz";
        std::vector<float> values;
        for (int plane = 0; plane < 5; ++plane) {
            cube.planes.push_back({"", 100.0 + 10.0 * plane});
            for (int i = 0; i < 6; ++i) values.push_back(static_cast<float>(10 * plane + i));
        }
        cube.values = values;
        for (const auto& [key, value] :
             {std::pair("CTYPE1", "'GLON-CAR'"), std::pair("CTYPE2", "'GLAT-CAR'"),
              std::pair("CDELT1", "-1.0"), std::pair("CDELT2", "1.0")})
            cube.wcsCards.push_back(
                QString("%1= %2").arg(key, -8).arg(value).leftJustified(80).toStdString());
        JobContext job;
        writeImage(cube, cli_.path("cube.fits").toStdString(), {}, job);
        const auto planesAfter = [&](const QString& options) {
            const Outcome made = cli_.run("convert {cube.fits} {part.fits} --overwrite " + options);
            if (made.status != 0) {
                qWarning() << made.error;
                return QList<double>();
            }
            const Image part = readImage(cli_.path("part.fits").toStdString(), job);
            QList<double> found;
            for (int64_t i = 0; i < std::ssize(part.planes); ++i) found << part.at(2, 1, i);
            return found;
        };
        QCOMPARE(planesAfter(""), (QList<double>{5, 15, 25, 35, 45}));
        QCOMPARE(planesAfter("--plane 2-4"), (QList<double>{15, 25, 35}));
        const Image middle = readImage(cli_.path("part.fits").toStdString(), job);
        QCOMPARE(middle.planes.front().axisValue, 110.0);
        QCOMPARE(middle.planes.back().axisValue, 130.0);
        QCOMPARE(middle.axisName, std::string("FREQ"));
        QCOMPARE(middle.planes[1].name, std::string("channel 3"));
        QCOMPARE(planesAfter("--plane 5,1"), (QList<double>{45, 5}));
        QCOMPARE(planesAfter("--field 3"), (QList<double>{25}));
        QVERIFY(cli_.run("convert {cube.fits} {part.fits} --overwrite --plane all")
                    .out.contains("all 5 planes"));
        const Outcome some = cli_.run("convert {cube.fits} {part.fits} --overwrite --plane 1,3");
        QVERIFY2(some.out.contains("2 of 5 planes"), some.out.constData());
        for (const auto& [planes, said] :
             {std::pair("6", "expected a plane from 1 to 5, found '6'"),
              std::pair("4-2", "found '4-2'"), std::pair("2,1-3", "found '1-3' again"),
              std::pair("dust", "found 'dust'")}) {
            const Outcome wrong =
                cli_.run(QString("convert {cube.fits} {x.fits} --plane %1").arg(planes));
            QCOMPARE(wrong.status, 1);
            QVERIFY2(wrong.error.contains(said), wrong.error.constData());
        }
        const Outcome map = cli_.run("convert {tqu.fits} {x.fits} --plane 1");
        QCOMPARE(map.status, 2);
        QVERIFY2(map.error.contains("--plane: expected an image, found map in"),
                 map.error.constData());
    }
    void choicesAreTakenAsOthersWriteThem() {
        for (const char* word : {"NESTED", "nest", "Nested"}) {
            QCOMPARE(cli_.run(QString("convert {tqu.fits} {n.fits} --overwrite --ordering ") + word)
                         .status,
                     0);
            QVERIFY(cli_.read("n.fits").ordering() == Ordering::Nested);
        }
    }
    void masksAreOfferedNearest() {
        std::vector<float> mask(static_cast<size_t>(pixelCount(16)));
        for (size_t p = 0; p < mask.size(); ++p)
            mask[p] = std::fabs(directionFromRing(16, static_cast<int64_t>(p)).z) > 0.3 ? 1 : 0;
        cli_.write("mask.fits", HealpixMap(16, Ordering::Ring, Frame::Galactic,
                                           {{"MASK", "", DiskType::UInt8, mask}}));
        const Outcome soft = cli_.run("convert {mask.fits} {m.fits} --frame C --overwrite");
        QCOMPARE(soft.status, 0);
        QVERIFY2(soft.error.contains("--interpolation nearest"), soft.error.constData());
        const Outcome hard =
            cli_.run("convert {mask.fits} {m.fits} --frame C --interpolation nearest --overwrite");
        QCOMPARE(hard.status, 0);
        QVERIFY(hard.error.isEmpty());
        const std::vector<double> turned = valuesOf(cli_.read("m.fits"), 0);
        for (const double value : turned) QVERIFY(value == 0.0 || value == 1.0);
    }
};

QTEST_APPLESS_MAIN(CliPicturesTest)
#include "tst_cli_pictures.moc"
