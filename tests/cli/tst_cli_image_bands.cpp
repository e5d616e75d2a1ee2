// SPDX-License-Identifier: GPL-3.0-or-later
// The commands filter and sources on images of two frequencies. Both images hold white noise of
// their own and a common one; the least noise of their combination is known.
#include <QJsonArray>
#include <QtTest>
#include <cmath>

#include "image_skies.h"
#include "support/table_columns.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Rms of the own noise of both images and of the common noise, and the peak in the second of a
// source of peak 1 in the first.
constexpr double kOwn = 1.0, kCommon = 3.0, kResponse = 3.0;

// Ratio of the noise of both images together to that of the first alone, for one beam:
// (t^T C^-1 t)^-1/2 / C_11^1/2.
double leastNoise() {
    constexpr double own = kOwn * kOwn + kCommon * kCommon, both = kCommon * kCommon;
    constexpr double det = own * own - both * both;
    constexpr double signal = (own - 2.0 * kResponse * both + kResponse * kResponse * own) / det;
    return 1.0 / std::sqrt(signal * own);
}

}  // namespace

class tst_cli_image_bands : public QObject, ImageSkies {
    Q_OBJECT

    // Writes one.fits and two.fits. `scale`: of the noise at each pixel.
    void writeBands(Sky& sky, const std::vector<Truth>& truth, double fwhm,
                    const std::vector<double>& scale) {
        const std::vector<double> common = noise(sky.centers.size(), 5);
        std::vector<double> signal(sky.centers.size(), 0.0);
        addGaussians(sky.centers, truth, fwhm, signal);
        for (const int band : {0, 1}) {
            std::vector<double> values = noise(sky.centers.size(), 41 + unsigned(band));
            for (size_t p = 0; p < values.size(); ++p)
                values[p] = scale[p] * (kOwn * values[p] + kCommon * common[p]) +
                            (band == 0 ? 1.0 : kResponse) * signal[p];
            sky.image.values = values;
            writeImageAs(sky.image, band == 0 ? "one.fits" : "two.fits");
        }
    }
    // The noise that is left in the combination, relative to that of the first image alone.
    void checkNoise(const Outcome& both, const Outcome& alone) {
        QCOMPARE(both.json()["maps"].toInt(), 2);
        const double ratio =
            both.json()["median_noise"].toDouble() / alone.json()["median_noise"].toDouble();
        // The weights come from the spectra of one sky, whose modes are few.
        QVERIFY2(ratio > 0.95 * leastNoise() && ratio < 1.2 * leastNoise(),
                 qPrintable(QString("%1, %2").arg(ratio).arg(leastNoise())));
        QVERIFY(both.json()["noise_of_all"].toDouble() <
                0.5 * both.json()["noise_of_first_alone"].toDouble());
    }

private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", cli_.path("cache").toLocal8Bit()); }

    void tangentPlane() {
        const double fwhm = 36.0 * kArcsec;
        Sky sky = tangentImage(320, 240, 8.0 / 3600.0, 11.0 / 3600.0, 359.95, 55.0, 33.0);
        const std::vector<Truth> truth = fortySources(sky, 4.5);
        writeBands(sky, truth, fwhm, std::vector<double>(sky.centers.size(), 1.0));
        const Outcome done = must(
            "sources {one.fits} {both.csv} --fwhm 36arcsec --map2 {two.fits} --fwhm2 36arcsec "
            "--response2 3 --residual {left.fits} --json");
        QCOMPARE(done.status, 0);
        QCOMPARE(done.json()["transforms"].toString(), QString("patches"));
        checkRows("both.csv", truth, fwhm, 1);
        // The first image alone shows no source as faint.
        checkNoise(done, must("sources {one.fits} {alone.csv} --fwhm 36arcsec --json"));
        const int64_t alone = catalogOf("alone.csv").rows();
        QVERIFY2(alone < 38, qPrintable(QString::number(alone)));
        // A source bypasses the transforms: the combination without it is as even as elsewhere.
        Image left = readBack("left.fits");
        double squares = 0.0;
        for (const double value : valuesOf(left)) squares += value * value;
        const double rms = std::sqrt(squares / static_cast<double>(sky.centers.size()));
        for (const Truth& source : truth)
            for (size_t p = 0; p < sky.centers.size(); ++p)
                if (angularDistance(sky.centers[p], source.direction) < 0.5 * fwhm)
                    QVERIFY2(std::abs(valuesOf(left)[p]) < 5.0 * rms,
                             qPrintable(QString("%1, %2").arg(valuesOf(left)[p]).arg(rms)));
    }

    void rings() {
        const double fwhm = 4.0 * kDegree;
        Sky sky = carSky(1.0);
        std::vector<double> scale;
        for (const Vec3& at : sky.centers) scale.push_back(1.0 / std::sqrt(std::hypot(at.x, at.y)));
        std::vector<Truth> truth;
        for (int k = 0; k < 40; ++k)
            truth.push_back({directionOf(20.0 + 45.37 * (k % 8), -62.0 + 27.3 * (k / 8) + k % 7),
                             7.0 * std::pow(1.08, k)});
        writeBands(sky, truth, fwhm, scale);
        const Outcome done = must(
            "sources {one.fits} {both.csv} --fwhm 4deg --map2 {two.fits} --fwhm2 4deg "
            "--response2 3 --threshold 6 --json");
        QCOMPARE(done.status, 0);
        QCOMPARE(done.json()["transforms"].toString(), QString("rings"));
        checkNoise(done, must("sources {one.fits} {alone.csv} --fwhm 4deg --json"));
        checkRows("both.csv", truth, fwhm, 1);
    }

    // A source of one flux density at both frequencies, through a beam of twice the solid angle in
    // the second image: its peak there is half, and the peak of the catalog is that in the first.
    void beamsOfTwoWidths() {
        const double fwhm = 36.0 * kArcsec;
        Sky sky = tangentImage(240, 240, 10.0 / 3600.0, 10.0 / 3600.0, 120.0, -30.0, 0.0);
        const Truth source{sky.centers[100 * 240 + 90], 500.0};
        for (const int band : {0, 1}) {
            std::vector<double> values = noise(sky.centers.size(), 61 + unsigned(band));
            const double width = band == 0 ? fwhm : std::sqrt(2.0) * fwhm;
            addGaussians(sky.centers, {{source.direction, band == 0 ? 500.0 : 250.0}}, width,
                         values);
            sky.image.values = values;
            sky.image.unit = "MJy/sr";
            writeImageAs(sky.image, band == 0 ? "one.fits" : "two.fits");
        }
        const Outcome done = must(
            "sources {one.fits} {wide.csv} --fwhm 36arcsec --map2 {two.fits} --fwhm2 "
            "50.91169arcsec "
            "--index 0 --frequency 100GHz --frequency2 200GHz --threshold 20 --json");
        QCOMPARE(done.status, 0);
        // The second width is given to 1e-7 of itself.
        QVERIFY(std::abs(done.json()["response2"].toArray()[0].toDouble() - 0.5) < 1e-6);
        const Catalog found = catalogOf("wide.csv");
        QCOMPARE(found.rows(), int64_t{1});
        const double pull = (columnOf(found.table, "PEAK").number(0) - 500.0) /
                            columnOf(found.table, "PEAK_ERR").number(0);
        QVERIFY2(std::abs(pull) < 4.0, qPrintable(QString::number(pull)));
    }

    // A pixel that is bad in one image is bad in the result; a mask holds for both.
    void badPixels() {
        Sky sky = tangentImage(160, 160, 0.01, 0.01, 30.0, 10.0, 0.0);
        writeBands(sky, {}, 0.03 * kDegree, std::vector<double>(sky.centers.size(), 1.0));
        Image two = readBack("two.fits");
        valuesOf(two)[80 * 160 + 40] = kNan;
        writeImageAs(two, "two.fits");
        Image mask = two;
        for (size_t p = 0; p < valuesOf(mask).size(); ++p)
            valuesOf(mask)[p] = p % 160 < 100 ? 1.0 : 0.0;
        writeImageAs(mask, "good.fits");
        QCOMPARE(must("filter {one.fits} {both.fits} --fwhm 108arcsec --map2 {two.fits} --fwhm2 "
                      "108arcsec --response2 3 --mask {good.fits} --snr {snr.fits}")
                     .status,
                 0);
        Image both = readBack("both.fits"), snr = readBack("snr.fits");
        QVERIFY(std::isnan(valuesOf(both)[80 * 160 + 40]));
        QVERIFY(!std::isnan(valuesOf(both)[80 * 160 + 44]));
        QVERIFY(std::isnan(valuesOf(both)[80 * 160 + 104]));
        double squares = 0.0, count = 0.0;
        for (const double value : valuesOf(snr))
            if (!std::isnan(value)) {
                squares += value * value;
                count += 1.0;
            }
        // 16000 pixels are a thousand beams: 0.03.
        QVERIFY2(std::abs(std::sqrt(squares / count) - 1.0) < 0.15,
                 qPrintable(QString::number(std::sqrt(squares / count))));
    }

    void refusals() {
        Sky sky = carSky(10.0), other = carSky(15.0);
        sky.image.values = noise(sky.centers.size(), 1);
        other.image.values = noise(other.centers.size(), 2);
        writeImageAs(sky.image, "small.fits");
        writeImageAs(other.image, "other.fits");
        const auto refuses = [&](const QString& line, int status, const QByteArray& words) {
            const Outcome outcome = cli_.run(line + " --fwhm 30deg --fwhm2 30deg --response2 1");
            QVERIFY2(outcome.status == status && outcome.error.contains(words), outcome.error);
        };
        refuses("filter {small.fits} {x.fits} --map2 {other.fits}", 1, "expected the pixels of");
        must("convert {small.fits} {map.fits} --nside 8");
        refuses("filter {small.fits} {x.fits} --map2 {map.fits}", 2,
                "--map2: expected an image, as MAP is");
        refuses("filter {map.fits} {x.fits} --map2 {small.fits}", 2,
                "--map2: expected HEALPix maps, as MAP is");
        QVERIFY(!QFile::exists(cli_.path("x.fits")));
    }
};

QTEST_GUILESS_MAIN(tst_cli_image_bands)
#include "tst_cli_image_bands.moc"
