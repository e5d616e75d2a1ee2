// SPDX-License-Identifier: GPL-3.0-or-later
// The commands filter, sources and stats on images of several projections, against sources whose
// places and peaks are known. Directions of pixels are the formulas of the projections, not
// wcslib's.
#include <QJsonArray>
#include <QtTest>
#include <array>
#include <cmath>
#include <random>

#include "armilla/core/nan.h"
#include "armilla/core/units.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/table_io.h"
#include "image_skies.h"
#include "support/table_columns.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_image_sources : public QObject, ImageSkies {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", cli_.path("cache").toLocal8Bit()); }

    // Rotated axes, unequal pixels, a border of bad pixels, a mean and a slope.
    void rotatedTangentPlane() {
        const double fwhm = 36.0 * kArcsec;
        Sky sky = tangentImage(320, 240, 8.0 / 3600.0, 11.0 / 3600.0, 359.95, 55.0, 33.0);
        std::vector<double> values = noise(sky.centers.size(), 7);
        const std::vector<Truth> truth = fortySources(sky, 6.0);
        addGaussians(sky.centers, truth, fwhm, values);
        for (size_t p = 0; p < values.size(); ++p) {
            values[p] += 200.0 + 0.02 * static_cast<double>(p % 320);
            if (p % 320 < 9 || p / 320 >= 233) values[p] = kNan;
        }
        sky.image.values = values;
        writeImageAs(sky.image, "tan.fits");
        const Outcome done = must(
            "sources {tan.fits} {tan.csv} --fwhm 36arcsec --snr {snr.fits} "
            "--residual {left.fits} --json");
        QCOMPARE(done.status, 0);
        QCOMPARE(done.json()["transforms"].toString(), QString("patches"));
        checkRows("tan.csv", truth, fwhm, 1);
        // The position in pixels is that of RA and DEC: between the centers of four pixels.
        const Catalog catalog = catalogOf("tan.csv");
        const auto numberOf = [&](const char* name, int64_t row) {
            return columnOf(catalog.table, name).number(row);
        };
        for (int64_t row = 0; row < catalog.rows(); ++row) {
            const double x = numberOf("IMG_X", row) - 1.0, y = numberOf("IMG_Y", row) - 1.0;
            const auto i = int64_t(std::floor(x)), j = int64_t(std::floor(y));
            const double right = x - double(i), up = y - double(j);
            Vec3 at{};
            for (const int k : {0, 1, 2, 3})
                at = at + (k % 2 == 1 ? right : 1.0 - right) * (k / 2 == 1 ? up : 1.0 - up) *
                              sky.centers[size_t((j + k / 2) * 320 + i + k % 2)];
            // The mean of centers is off by the square of a step, 1e-9.
            QVERIFY(angularDistance(normalized(at),
                                    directionOf(numberOf("RA", row), numberOf("DEC", row))) < 1e-8);
        }
        // The residual is the noise with its mean and slope.
        Image left = readBack("left.fits");
        double squares = 0.0, count = 0.0;
        for (size_t p = 0; p < values.size(); ++p) {
            const double off = valuesOf(left)[p] - 200.0 - 0.02 * static_cast<double>(p % 320);
            if (std::isnan(off)) continue;
            squares += off * off;
            count += 1.0;
        }
        // 74000 deviates: 0.003, and what the errors of 40 sources leave.
        QVERIFY(std::abs(std::sqrt(squares / count) - 1.0) < 0.02);
    }

    // A beam of an interferometer: its window falls to 1e-6 at l = 710,000, far beyond the band of
    // any transform. Cut there, the peaks were 0.38 of the right ones.
    void beamOfArcseconds() {
        const double fwhm = 3.6 * kArcsec;
        Sky sky = tangentImage(320, 240, 0.8 / 3600.0, 1.1 / 3600.0, 359.95, 55.0, 33.0);
        std::vector<double> values = noise(sky.centers.size(), 7);
        const std::vector<Truth> truth = fortySources(sky, 6.0);
        addGaussians(sky.centers, truth, fwhm, values);
        sky.image.values = values;
        writeImageAs(sky.image, "arcsec.fits");
        QCOMPARE(must("sources {arcsec.fits} {arcsec.csv} --fwhm 3.6arcsec").status, 0);
        checkRows("arcsec.csv", truth, fwhm, 1);
    }

    // Beams of telescopes in space and of long baselines, by each filter, near a pole, where
    // directions take most digits. A window to l = 1e9 would take 10 GB.
    void beamsBelowAnArcsecond() {
        for (const double scale : {0.1, 0.002})
            for (const char* type : {"matched", "mexican-hat", "top-hat-difference"}) {
                if (scale < 0.1 && type != std::string_view("matched")) continue;
                const double fwhm = scale * kArcsec, step = scale / 4.0 / 3600.0;
                Sky sky = tangentImage(320, 240, step, 1.2 * step, 359.95, 75.0, 33.0);
                std::vector<double> values = noise(sky.centers.size(), 7);
                const std::vector<Truth> truth = fortySources(sky, 6.0);
                addGaussians(sky.centers, truth, fwhm, values);
                sky.image.values = values;
                writeImageAs(sky.image, "narrow.fits");
                const Outcome done =
                    must("sources {narrow.fits} {narrow.csv} --overwrite --json --type " +
                         QString(type) + QString(" --fwhm %1arcsec").arg(scale));
                QCOMPARE(done.status, 0);
                checkRows("narrow.csv", truth, fwhm, 1);
                // The solid angle of a Gaussian.
                const double area = kTwoPi * fwhm * fwhm / (8.0 * std::log(2.0));
                QVERIFY(std::abs(done.json()["beam_sr"].toDouble() / area - 1.0) < 1e-5);
            }
    }

    // White noise, with a background far below it: the filter's noise is that of the closed form.
    void backgroundOfNarrowBeam() {
        const double fwhm = 3.6 * kArcsec, step = 0.9 / 3600.0;
        Sky sky = tangentImage(200, 200, step, step, 30.0, -20.0, 0.0);
        const std::vector<double> values = noise(sky.centers.size(), 11);
        sky.image.values = values;
        writeImageAs(sky.image, "white.fits");
        Spectra flat;
        flat[SpectrumKind::TT].assign(400000, 1e-30);
        writeSpectra(flat, cli_.path("flat.txt").toStdString(), {}, job_);
        const Outcome done = must(
            "filter {white.fits} {f.fits} --fwhm 3.6arcsec --background {flat.txt} --noise 1 "
            "--json");
        // White noise of rms 1 in pixels of area A: f = b / C, variance A / (Omega^2 sum w b^2),
        // and sum w b^2 = 1 / (2 Omega).
        const double area = std::pow(step * kDegree, 2),
                     omega = kTwoPi * fwhm * fwhm / (8.0 * std::log(2.0));
        // The band of the pixels cuts the window where b^2 = 4e-13.
        const double expected = std::sqrt(2.0 * area / omega);
        QVERIFY2(
            std::abs(done.json()["expected_noise"].toDouble() / expected - 1.0) < 1e-3,
            qPrintable(
                QString("%1, %2").arg(done.json()["expected_noise"].toDouble()).arg(expected)));
    }

    // Sources near both poles and at the ends of the rows of a whole sky, by rings and, for a mask
    // that leaves too little sky, by patches.
    void wholeSky() {
        const double fwhm = 4.0 * kDegree;
        Sky sky = carSky(1.0);
        std::vector<double> values = noise(sky.centers.size(), 11);
        // White noise on the sky: its variance goes with one over the solid angle.
        for (size_t p = 0; p < values.size(); ++p)
            values[p] /= std::sqrt(std::hypot(sky.centers[p].x, sky.centers[p].y));
        std::vector<Truth> truth{{directionOf(70.0, 89.6), 40.0},
                                 {directionOf(200.0, -88.8), 25.0},
                                 {directionOf(180.02, 3.0), 90.0},
                                 {directionOf(179.7, -40.2), 12.0},
                                 {directionOf(0.3, 52.6), 300.0}};
        for (int k = 0; k < 35; ++k)
            truth.push_back({directionOf(20.0 + 45.37 * (k % 7), -62.0 + 27.3 * (k / 7) + k % 7),
                             9.0 * std::pow(1.08, k)});
        addGaussians(sky.centers, truth, fwhm, values);
        sky.image.values = values;
        writeImageAs(sky.image, "car.fits");
        const Outcome done = must("sources {car.fits} {car.csv} --fwhm 4deg --threshold 6 --json");
        QCOMPARE(done.status, 0);
        QCOMPARE(done.json()["transforms"].toString(), QString("rings"));
        checkRows("car.csv", truth, fwhm, 1);
        // The filtered image at a pixel near a source is its peak, within noise and the beam's
        // value at the pixel's center.
        QCOMPARE(must("filter {car.fits} {filtered.fits} --fwhm 4deg").status, 0);
        Image filtered = readBack("filtered.fits");
        const double here = valuesOf(filtered)[static_cast<size_t>(142 * 360 + 179)];
        QVERIFY2(std::abs(here - 300.0) < 15.0, qPrintable(QString::number(here)));
    }

    // The same flux density at several latitudes, in a unit per pixel: pixels near the poles are a
    // fraction of those at the equator.
    void unitPerPixel() {
        const double fwhm = 4.0 * kDegree, sigma = fwhm / std::sqrt(8.0 * std::log(2.0));
        const double step = 1.0 * kDegree;
        Sky sky = carSky(1.0);
        std::vector<double> values = noise(sky.centers.size(), 13);
        const std::vector<Truth> truth{{directionOf(30.0, 2.3), 100.0},
                                       {directionOf(150.2, 55.6), 100.0},
                                       {directionOf(260.4, -75.1), 100.0}};
        const auto cosineAt = [&](size_t p) {
            return std::hypot(sky.centers[p].x, sky.centers[p].y);
        };
        for (size_t p = 0; p < values.size(); ++p) values[p] /= std::sqrt(cosineAt(p));
        addGaussians(sky.centers, truth, fwhm, values);
        // Brightness in units of 1 Jy per beam, to Jy in a pixel.
        const double perBeam = step * step / (2.0 * kPi * sigma * sigma);
        for (size_t p = 0; p < values.size(); ++p) values[p] *= cosineAt(p) * perBeam;
        sky.image.values = values;
        sky.image.unit = "Jy/pix";
        writeImageAs(sky.image, "pix.fits");
        QCOMPARE(must("sources {pix.fits} {pix.csv} --fwhm 4deg --threshold 10 "
                      "--residual {pixleft.fits}")
                     .status,
                 0);
        const Catalog catalog = catalogOf("pix.csv");
        QCOMPARE(catalog.rows(), int64_t{3});
        const auto column = [&](const char* which) {
            return std::get<std::vector<double>>(columnOf(catalog.table, which).values);
        };
        const std::vector<double> flux = column("FLUX"), peak = column("PEAK"), dec = column("DEC");
        for (size_t i = 0; i < 3; ++i) {
            // Six errors of 0.33: noise of 1 per pixel, and 9 pixels in the square of the beam.
            QVERIFY2(std::abs(flux[i] - 100.0) < 2.0, qPrintable(QString::number(flux[i])));
            // The peak is that of the image at this place; a pixel is a degree high.
            const double expected = 100.0 * perBeam * std::cos(dec[i] * kDegree);
            QVERIFY2(std::abs(peak[i] / expected - 1.0) < 0.06,
                     qPrintable(QString("%1, %2").arg(peak[i]).arg(expected)));
        }
        Image left = readBack("pixleft.fits");
        for (const Truth& source : truth)
            for (size_t p = 0; p < values.size(); ++p)
                if (angularDistance(sky.centers[p], source.direction) < 0.5 * fwhm)
                    QVERIFY(std::abs(valuesOf(left)[p]) < 8.0 * perBeam * std::sqrt(cosineAt(p)));
        for (const bool isFlux : {true, false}) {
            must(QString("filter {pix.fits} {pixf.fits} --fwhm 4deg") + (isFlux ? " --flux" : ""));
            Image filtered = readBack("pixf.fits");
            for (const Truth& source : truth) {
                double most = 0.0;
                for (size_t p = 0; p < values.size(); ++p)
                    if (angularDistance(sky.centers[p], source.direction) < 0.75 * step)
                        most = std::max(
                            most, valuesOf(filtered)[p] / (isFlux ? 1.0 : perBeam * cosineAt(p)));
                QVERIFY2(std::abs(most - 100.0) < 8.0, qPrintable(QString::number(most)));
            }
        }
    }

    // An area of one value is blank if the value is rare elsewhere. Zero counts form such areas by
    // chance, and are data.
    void areasOfCounts() {
        Sky sky = carSky(1.0);
        std::mt19937 random(17);
        std::vector<double> values(sky.centers.size());
        // Bernoulli numbers: 0 in two of five pixels, less than what connects across the sky.
        for (double& value : values) value = random() % 5 < 2 ? 0.0 : 1.0 + double(random() % 4);
        const auto put = [&](double value) {
            for (int64_t j = 70; j < 110; ++j)
                for (int64_t i = 100; i < 140; ++i)
                    values[static_cast<size_t>(j * 360 + i)] = value;
        };
        const auto badOnes = [&] {
            sky.image.values = values;
            writeImageAs(sky.image, "counts.fits");
            must("filter {counts.fits} {countsf.fits} --fwhm 4deg");
            Image filtered = readBack("countsf.fits");
            int64_t bad = 0;
            for (const double value : valuesOf(filtered)) bad += std::isnan(value) ? 1 : 0;
            return bad;
        };
        put(0.0);
        QCOMPARE(badOnes(), int64_t{0});
        put(0.5);
        QVERIFY(badOnes() >= 1600);
    }

    // A mask hides pixels from the search. The residual keeps their values, less the sources, and
    // only bad pixels stay bad.
    void residualUnderMask() {
        const double fwhm = 4.0 * kDegree;
        Sky sky = carSky(1.0);
        std::vector<double> values = noise(sky.centers.size(), 19);
        // The last column of the masked ones is two degrees from the source.
        addGaussians(sky.centers, {{directionOf(0.5, 0.5), 200.0}}, fwhm, values);
        values[90 * 360 + 40] = kNan;
        sky.image.values = values;
        writeImageAs(sky.image, "whole.fits");
        Image mask = sky.image;
        mask.unit.clear();
        std::vector<double>& isGood = valuesOf(mask);
        for (size_t p = 0; p < isGood.size(); ++p) isGood[p] = p % 360 < 178 ? 0.0 : 1.0;
        writeImageAs(mask, "cut.fits");
        QCOMPARE(must("sources {whole.fits} {cut.csv} --fwhm 4deg --mask {cut.fits} --edge 0.2 "
                      "--threshold 10 --residual {cutleft.fits}")
                     .status,
                 0);
        QCOMPARE(catalogOf("cut.csv").rows(), int64_t{1});
        Image left = readBack("cutleft.fits");
        for (size_t p = 0; p < values.size(); ++p) {
            const double is = valuesOf(left)[p];
            QCOMPARE(std::isnan(is), std::isnan(values[p]));
            // Five sigma, and the errors of the source beside it.
            QVERIFY2(std::isnan(is) || std::abs(is) < 8.0, qPrintable(QString::number(is)));
        }
    }

    // The response of the Mexican hat of order 1 to a Gaussian beam of sigma s is (1 - r^2 / 2 S^2)
    // exp(-r^2 / 2 S^2), S^2 = s^2 + R^2.
    void mexicanHat() {
        const double fwhm = 1.0 * kDegree / 30.0, sigma = fwhm / std::sqrt(8.0 * std::log(2.0));
        Sky sky = tangentImage(200, 200, 0.01, 0.01, 30.0, -70.0, -20.0);
        std::vector<double> without = noise(sky.centers.size(), 3), with = without;
        const Truth source{sky.centers[100 * 200 + 100], 1000.0};
        addGaussians(sky.centers, {source}, fwhm, with);
        const auto filtered = [&](const std::vector<double>& values, const QString& name) {
            sky.image.values = values;
            writeImageAs(sky.image, name + ".fits");
            must("filter {" + name + ".fits} {" + name +
                 "f.fits} --fwhm 2arcmin --type mexican-hat --order 1 --scale 1");
            Image image = readBack(name + "f.fits");
            return valuesOf(image);
        };
        const std::vector<double> a = filtered(without, "a"), b = filtered(with, "b");
        for (const int off : {0, 1, 3, 5, 8, 12}) {
            const auto p = static_cast<size_t>(100 * 200 + 100 + off);
            const double r = angularDistance(sky.centers[p], source.direction) / sigma;
            const double expected = 1000.0 * (1.0 - r * r / 4.0) * std::exp(-r * r / 4.0);
            QVERIFY2(std::abs(b[p] - a[p] - expected) < 2.0,
                     qPrintable(QString("%1: %2, %3").arg(off).arg(b[p] - a[p]).arg(expected)));
        }
    }

    // Sources put into an image of white noise are found with the errors that the search states.
    void injection() {
        const double fwhm = 36.0 * kArcsec;
        Sky sky = tangentImage(320, 240, 8.0 / 3600.0, 11.0 / 3600.0, 120.0, -35.0, 20.0);
        std::vector<double> values = noise(sky.centers.size(), 23);
        addGaussians(sky.centers, {{sky.centers[100 * 320 + 90], 40.0}}, fwhm, values);
        // An area of one value stays bad in the search with sources.
        for (int64_t y = 180; y < 230; ++y)
            for (int64_t x = 200; x < 260; ++x) values[static_cast<size_t>(y * 320 + x)] = 0.25;
        sky.image.values = values;
        writeImageAs(sky.image, "inject.fits");
        const Outcome done = must(
            "sources {inject.fits} {inject.csv} --fwhm 36arcsec --inject 90 --json "
            "--curves {curves.csv}");
        QCOMPARE(done.status, 0);
        const QJsonObject found = done.json()["injection"].toObject();
        QCOMPARE(found["injected"].toInt(), 90);
        const QJsonArray shares = found["completeness"].toArray(), low = found["snr_min"].toArray();
        double bright = 0.0, bins = 0.0, faint = 0.0;
        for (qsizetype i = 0; i < shares.size(); ++i) {
            if (low[i].toDouble() < 2.9) faint = std::max(faint, shares[i].toDouble());
            if (low[i].toDouble() < 8.0 || shares[i].isNull()) continue;
            bright += shares[i].toDouble();
            bins += 1.0;
        }
        QVERIFY(bins >= 4.0 && bright / bins > 0.95);
        QVERIFY(faint < 0.3);
        // Root mean squares of about 60 deviates: 1 +- 0.09.
        for (const char* ratio : {"peak_error_ratio", "position_error_ratio"})
            QVERIFY2(std::abs(found[ratio].toDouble() - 1.0) < 0.35,
                     qPrintable(QString::number(found[ratio].toDouble())));
        QVERIFY(readTable(cli_.path("curves.csv").toStdString(), {}, job_).rows() > 5);
    }

    // Noise of 1 beside noise of 4: the signal-to-noise ratio has the rms 1 up to the border with a
    // map of noise, and not without.
    void noiseOfPixels() {
        Sky sky = tangentImage(240, 240, 0.01, 0.01, 200.0, 40.0, 0.0);
        std::vector<double> values = noise(sky.centers.size(), 29), sigma(values.size());
        for (size_t p = 0; p < values.size(); ++p) {
            sigma[p] = p % 240 < 120 ? 1.0 : 4.0;
            values[p] *= sigma[p];
        }
        // Pixels without a noise are bad.
        for (size_t p = 0; p < 240; ++p) sigma[p] = 0.0;
        sky.image.values = values;
        writeImageAs(sky.image, "halves.fits");
        Image rms = sky.image;
        valuesOf(rms) = sigma;
        writeImageAs(rms, "rms.fits");
        const auto strips = [&](const QString& options) {
            must("filter {halves.fits} {h.fits} --fwhm 2arcmin --snr {hsnr.fits} " + options);
            Image snr = readBack("hsnr.fits");
            std::array<double, 2> squares{}, count{};
            for (size_t p = 240 * 20; p < 240 * 220; ++p) {
                const size_t x = p % 240;
                const size_t side = x < 120 ? 0 : 1;
                if (x < 112 || x >= 128 || std::isnan(valuesOf(snr)[p])) continue;
                squares[side] += std::pow(valuesOf(snr)[p], 2);
                count[side] += 1.0;
            }
            return std::array{std::sqrt(squares[0] / count[0]), std::sqrt(squares[1] / count[1])};
        };
        const auto with = strips("--noise {rms.fits}"), without = strips("");
        // 1600 pixels are about 130 beams: an error of 0.06.
        QVERIFY2(std::abs(with[0] - 1.0) < 0.25 && std::abs(with[1] - 1.0) < 0.25,
                 qPrintable(QString("%1 %2").arg(with[0]).arg(with[1])));
        QVERIFY2(without[1] > 1.6 * without[0],
                 qPrintable(QString("%1 %2").arg(without[0]).arg(without[1])));
        must("filter {halves.fits} {h.fits} --fwhm 2arcmin --noise {rms.fits}");
        Image filtered = readBack("h.fits");
        QVERIFY(std::isnan(valuesOf(filtered)[100]) && !std::isnan(valuesOf(filtered)[24100]));
    }

    // Pixels that hold the mean of a Gaussian over their squares: with the window of the pixels the
    // source is a point of its flux. The mean is a product of two differences of error functions.
    void pixelWindow() {
        constexpr double kStep = 0.01, kFwhm = 0.025;
        const double sigma = kFwhm / std::sqrt(8.0 * std::log(2.0)) / kStep;  // pixels
        Sky sky = tangentImage(160, 160, kStep, kStep, 10.0, 5.0, 0.0);
        std::vector<double> values = noise(sky.centers.size(), 31);
        const auto mean = [&](double offset) {
            const double scale = std::sqrt(0.5) / sigma;
            return std::sqrt(0.5 * kPi) * sigma *
                   (std::erf((offset + 0.5) * scale) - std::erf((offset - 0.5) * scale));
        };
        for (size_t p = 0; p < values.size(); ++p)
            values[p] += 1000.0 * mean(static_cast<double>(p % 160) - 80.3) *
                         mean(static_cast<double>(p / 160) - 79.8);
        sky.image.values = values;
        sky.image.unit = "MJy/sr";
        writeImageAs(sky.image, "means.fits");
        const auto found = [&](const QString& options, const char* column) {
            must("sources {means.fits} {means.csv} --fwhm 90arcsec --threshold 20 " + options);
            const Catalog catalog = catalogOf("means.csv");
            return catalog.rows() == 1 ? columnOf(catalog.table, column).number(0) : kNan;
        };
        const double peak = 1000.0 * mean(0.0) * mean(0.0),
                     flux = 1e9 * kTwoPi * std::pow(sigma * kStep * kDegree, 2);
        // Five errors.
        QVERIFY2(std::abs(found("--pixel-window", "PEAK") - peak) < 3.0,
                 qPrintable(QString::number(found("--pixel-window", "PEAK"))));
        QVERIFY2(std::abs(found("--pixel-window", "FLUX") - flux) < 0.75,
                 qPrintable(QString::number(found("--pixel-window", "FLUX"))));
        // Without the window the source is wider than the beam.
        QCOMPARE(found("--pixel-window", "FLAGS"), 0.0);
        QCOMPARE(found("", "FLAGS"), 8.0);
    }

    // Means in rings of pixels of unequal solid angle, by their definition.
    void profile() {
        Sky sky = carSky(5.0);
        std::vector<double> values = noise(sky.centers.size(), 5);
        sky.image.values = values;
        writeImageAs(sky.image, "grid.fits");
        QCOMPARE(must("stats {grid.fits} {rows.csv} --center 40deg,70deg --radius 60deg --step "
                      "20deg --frame C --profile {profile.csv}")
                     .status,
                 0);
        const Curve curve = readCurve(cli_.path("profile.csv").toStdString(), job_);
        QCOMPARE(curve.size(), size_t{3});
        const Vec3 center = directionOf(40.0, 70.0);
        for (size_t ring = 0; ring < 3; ++ring) {
            double sum = 0.0, weights = 0.0;
            for (size_t p = 0; p < values.size(); ++p) {
                const double theta = angularDistance(center, sky.centers[p]) / kDegree;
                if (theta < 20.0 * static_cast<double>(ring) ||
                    theta >= 20.0 * static_cast<double>(ring + 1))
                    continue;
                // All rows have one height in latitude.
                const double weight = std::hypot(sky.centers[p].x, sky.centers[p].y);
                sum += weight * values[p];
                weights += weight;
            }
            // Rounding of a thousand terms; weights are solid angles, not cosines.
            QVERIFY(std::abs(curve.series[0].values[ring] - sum / weights) < 1e-12);
        }
    }

    void refusals() {
        Sky sky = carSky(10.0);
        sky.image.values = noise(sky.centers.size(), 1);
        writeImageAs(sky.image, "small.fits");
        const auto refuses = [&](const QString& line, int status, const QByteArray& words) {
            const Outcome outcome = cli_.run(line);
            QVERIFY2(outcome.status == status && outcome.error.contains(words), outcome.error);
        };
        refuses("filter {small.fits} {x.fits} --fwhm 30deg --pixel-window", 2,
                "--pixel-window: expected pixels whose solid angles");
        Sky other = carSky(15.0);
        other.image.values = std::vector<double>(other.centers.size(), 1.0);
        writeImageAs(other.image, "other.fits");
        refuses("filter {small.fits} {x.fits} --fwhm 30deg --noise {other.fits}", 1,
                "expected a map of noise with the pixels");
        refuses("filter {small.fits} {x.fits} --fwhm 30deg --field 2", 1, "expected a plane");
        refuses("filter {small.fits} {x.fits} --fwhm 0.5arcsec", 2,
                "--fwhm: expected 1\xe2\x80\xb3 or more for a map, an image on rings or beside the "
                "beam of "
                "a file, found 0.5");
        Sky plane = tangentImage(40, 30, 1e-4, 1e-4, 30.0, 20.0, 0.0);
        plane.image.values = noise(plane.centers.size(), 2);
        writeImageAs(plane.image, "plane.fits");
        refuses(
            "filter {plane.fits} {x.fits} --fwhm 1arcsec --map2 {plane.fits} --fwhm2 1.01deg "
            "--response2 1",
            2, "--fwhm2: expected at most 1\xc2\xb0 on tangent planes, 3600 times");
        // Pixels of 0.1 mas resolve l = 6e9, beyond the largest int.
        Sky tiny = tangentImage(40, 30, 1e-4 / 3.6e6, 1e-4 / 3.6e6, 30.0, 20.0, 0.0);
        tiny.image.values = noise(tiny.centers.size(), 2);
        writeImageAs(tiny.image, "tiny.fits");
        QByteArray beam;  // FWHM 2 degrees
        for (int l = 0; l <= 300; ++l)
            beam +=
                QByteArray::number(l) + " " + QByteArray::number(std::exp(-1.1e-4 * l * l)) + "\n";
        cli_.write("wide.txt", beam);
        for (const char* more : {"", " --map2 {tiny.fits} --beam2 {wide.txt} --response2 1"})
            refuses("filter {tiny.fits} {x.fits} --beam {wide.txt}" + QString(more), 1,
                    "expected an image at least a tenth of the beam");
        QVERIFY(!QFile::exists(cli_.path("x.fits")));
    }
};

QTEST_GUILESS_MAIN(tst_cli_image_sources)
#include "tst_cli_image_sources.moc"
