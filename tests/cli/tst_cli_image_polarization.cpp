// SPDX-License-Identifier: GPL-3.0-or-later
// I, Q and U of images on rings, smoothed together. The truth is the synthesis of coefficients
// times the B_l of a Gaussian, exp(-(l (l + 1) - s^2) sigma^2 / 2) for spin s; tst_cli_ring_images
// compares the synthesis with pixell.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <complex>

#include "armilla/core/nan.h"
#include "armilla/core/units.h"
#include "armilla/io/harmonic_io.h"
#include "image_cli.h"
#include "support/car_image.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr double kFwhm = 25.0 * kDegree;
constexpr int kLmax = 8;  // twice that is below the 18 rows: the quadrature is exact

std::vector<Alm> coefficients(bool isSmoothed) {
    const double sigma = kFwhm / std::sqrt(8.0 * std::log(2.0));
    std::vector<Alm> sets;
    for (int k = 0; k < 3; ++k) {
        Alm alm(kLmax, kLmax);
        const double spin = k == 0 ? 0.0 : 2.0;
        for (int m = 0; m <= kLmax; ++m)
            for (int l = std::max(m, k == 0 ? 0 : 2); l <= kLmax; ++l) {
                const double bl = std::exp(-0.5 * sigma * sigma * (l * (l + 1.0) - spin * spin));
                alm(l, m) =
                    (isSmoothed ? bl : 1.0) *
                    std::complex(std::cos(l + 2 * m + k), m > 0 ? std::sin(3 * l - m + k) : 0.0);
            }
        sets.push_back(std::move(alm));
    }
    return sets;
}

}  // namespace

class tst_cli_image_polarization : public QObject, ImageCli {
    Q_OBJECT

    Image synthesized(bool isSmoothed, const QString& name) {
        writeAlm(coefficients(isSmoothed), cli_.path("alm.fits").toStdString(),
                 {true, StoredPrecision::Double, {}}, job_, {Frame::Equatorial, "uK", 0});
        must("alm2map {alm.fits} {" + name + "} --like {like.fits} --precision double");
        return readBack(name);
    }
    static double farthest(Image a, Image b) {
        double most = 0.0;
        for (size_t i = 0; i < valuesOf(a).size(); ++i)
            most = std::max(most, std::abs(valuesOf(a)[i] - valuesOf(b)[i]));
        return most;
    }
    // Columns in the opposite order, with the same places on the sky.
    static Image reversed(Image image) {
        std::vector<double>& values = valuesOf(image);
        for (size_t row = 0; row < values.size(); row += size_t(image.width))
            std::reverse(values.begin() + long(row), values.begin() + long(row) + image.width);
        for (std::string& card : image.wcsCards) {
            if (card.starts_with("CDELT1")) card = imageCard("CDELT1", 10.0);
            // Column c becomes width + 1 - c.
            if (card.starts_with("CRPIX1")) card = imageCard("CRPIX1", 18.5);
        }
        return image;
    }
    static void flipU(Image& image) {
        const auto plane = static_cast<size_t>(image.planeSize());
        for (size_t i = 2 * plane; i < 3 * plane; ++i) valuesOf(image)[i] *= -1.0;
    }

private slots:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", cli_.path("cache").toLocal8Bit());
        writeImageAs(carImage(false, false, 3), "like.fits");
    }

    // In both conventions of U, and for columns that run east or west.
    void smoothedTogether() {
        const Image sky = synthesized(false, "sky.fits"), truth = synthesized(true, "truth.fits");
        QVERIFY(farthest(sky, truth) > 0.5);
        const QString options = " --fwhm 25deg --lmax 8 --polarization --precision double";
        QCOMPARE(must("smooth {sky.fits} {out.fits}" + options).status, 0);
        // Rounding of two transforms of values up to 100.
        QVERIFY2(farthest(readBack("out.fits"), truth) < 1e-10,
                 qPrintable(QString::number(farthest(readBack("out.fits"), truth))));
        writeImageAs(reversed(sky), "east.fits");
        must("smooth {east.fits} {out.fits}" + options);
        QVERIFY(farthest(reversed(readBack("out.fits")), truth) < 1e-10);
        Image iau = sky;
        flipU(iau);
        std::erase_if(iau.cards,
                      [](const std::string& card) { return card.starts_with("POLCCONV"); });
        iau.cards.push_back(imageCard("POLCCONV", "'IAU     '"));
        writeImageAs(iau, "iau.fits");
        must("smooth {iau.fits} {out.fits}" + options);
        Image back = readBack("out.fits");
        flipU(back);
        QVERIFY(farthest(back, truth) < 1e-10);
        // Planes smoothed as scalars are no such sky, and a note says so.
        const Outcome apart = must("smooth {sky.fits} {out.fits} --fwhm 25deg");
        QVERIFY(apart.error.contains("Q: taken as a scalar"));
        QVERIFY(farthest(readBack("truth.fits"), truth) == 0.0);
    }

    // Absent and bad pixels: a constant I stays one; Q and U are bad together.
    void badPixels() {
        Image sky = carImage(false, false, 3);
        const auto plane = static_cast<size_t>(sky.planeSize());
        for (size_t i = 0; i < plane; ++i) valuesOf(sky)[i] = 7.0;
        for (size_t i = 0; i < 3; ++i) valuesOf(sky)[i * plane + 5 * 36 + 9 + i] = kNan;
        writeImageAs(sky, "bad.fits");
        must("smooth {bad.fits} {out.fits} --fwhm 25deg --polarization --precision double");
        Image made = readBack("out.fits");
        for (size_t i = 0; i < plane; ++i) {
            const bool isBad = i == 5 * 36 + 9;
            QCOMPARE(std::isnan(valuesOf(made)[i]), isBad);
            // The same sums in numerator and denominator.
            QVERIFY(isBad || std::abs(valuesOf(made)[i] - 7.0) < 1e-9);
            const bool isHalfBad = i == 5 * 36 + 10 || i == 5 * 36 + 11;
            QCOMPARE(std::isnan(valuesOf(made)[plane + i]), isHalfBad);
            QCOMPARE(std::isnan(valuesOf(made)[2 * plane + i]), isHalfBad);
        }
    }

    // The first plane of a mask weighs all planes, and a note says so.
    void oneMaskForAll() {
        Image mask = carImage(false, false, 1);
        for (double& value : valuesOf(mask)) value = 0.5 + 0.5 * value;
        writeImageAs(mask, "one.fits");
        Image several = carImage(false, false, 3);
        std::copy(valuesOf(mask).begin(), valuesOf(mask).end(), valuesOf(several).begin());
        writeImageAs(several, "several.fits");
        QVERIFY(!must("anafast {like.fits} {a.txt} --lmax 8 --polarization --mask {one.fits}")
                     .error.contains("its first plane is the mask"));
        QVERIFY(must("anafast {like.fits} {b.txt} --lmax 8 --polarization --mask {several.fits}")
                    .error.contains("its first plane is the mask"));
        const auto numbers = [&](const QString& name) {
            QFile file(cli_.path(name));
            QByteArray lines;
            if (!file.open(QIODevice::ReadOnly)) return lines;
            while (!file.atEnd())
                if (const QByteArray line = file.readLine(); !line.startsWith('#')) lines += line;
            return lines;
        };
        QVERIFY(!numbers("a.txt").isEmpty());
        QCOMPARE(numbers("a.txt"), numbers("b.txt"));
    }

    void refusals() {
        const auto refuses = [&](const QString& line, const QByteArray& words) {
            const Outcome outcome = cli_.run(line);
            QVERIFY2(outcome.status != 0 && outcome.error.contains(words), outcome.error);
        };
        refuses("smooth {like.fits} {x.fits} --fwhm 25deg --polarization --method direct",
                "expected method harmonic for polarization, found direct");
        writeImageAs(carImage(false, false, 1), "single.fits");
        refuses("smooth {single.fits} {x.fits} --fwhm 25deg --polarization",
                "expected planes I, Q and U for --polarization, found 1 plane");
        QVERIFY(!QFile::exists(cli_.path("x.fits")));
    }
};

QTEST_GUILESS_MAIN(tst_cli_image_polarization)
#include "tst_cli_image_polarization.moc"
