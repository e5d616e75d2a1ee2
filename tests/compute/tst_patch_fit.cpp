// SPDX-License-Identifier: GPL-3.0-or-later
// Fit of one source: beam and Gaussian fitted to the map around the source.
#include <QtTest>
#include <cmath>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/patch_fit.h"

using namespace armilla;

namespace {

constexpr int64_t kNside = 256;
constexpr double kFwhm = 60.0 * kArcmin;
constexpr double kSigmaPerFwhm = 0.42466090014400953;

// An elliptical Gaussian on a slope, with noise. `angle`: of the major axis, north to east.
HealpixMap skyWith(Vec3 center, double peak, double major, double minor, double angle, double noise,
                   Ordering ordering, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const Vec3 east = normalized(cross(Vec3{0.0, 0.0, 1.0}, center)), north = cross(center, east);
    Field field;
    field.name = "T";
    std::vector<float> values(static_cast<size_t>(pixelCount(kNside)), 0.0F);
    for (const PixelRange& run : queryDisc(kNside, ordering, center, 6.0 * kFwhm))
        for (int64_t p = run.begin; p < run.end; ++p) {
            const Vec3 d = directionFromPixel(kNside, ordering, p);
            const double r = angularDistance(center, d), e = dot(d, east), n = dot(d, north);
            const double s = std::hypot(e, n), stretch = s > 0.0 ? r / s : 0.0;
            const double along = stretch * (n * std::cos(angle) + e * std::sin(angle));
            const double across = stretch * (e * std::cos(angle) - n * std::sin(angle));
            const double u = along / (major * kSigmaPerFwhm), v = across / (minor * kSigmaPerFwhm);
            values[static_cast<size_t>(p)] = static_cast<float>(
                peak * std::exp(-0.5 * (u * u + v * v)) + 2.0 + 30.0 * e + noise * normal(random));
        }
    field.values = std::move(values);
    return HealpixMap(kNside, ordering, Frame::Galactic, {std::move(field)});
}

}  // namespace

class PatchFitTest : public QObject {
    Q_OBJECT
private slots:
    void findsPlacePeakAndShape() {
        const Vec3 center = direction({1.3, 0.4});
        const double angle = 0.6;
        const HealpixMap map =
            skyWith(center, 10.0, 1.4 * kFwhm, 0.9 * kFwhm, angle, 0.0, Ordering::Ring, 1);
        // From a start some minutes off.
        const Vec3 start = normalized(center + Vec3{0.002, -0.003, 0.001});
        const PatchFits fits = fitPatch(map, 0, start, kFwhm);
        QVERIFY(fits.gaussian && fits.beam);
        const PatchFit& fit = *fits.gaussian;
        // Without noise. Errors are the single precision of the map, means over groups of pixels
        // (which the model uses too), and the curvature of the sphere over 1.5 FWHM: 1e-4.
        QVERIFY2(angularDistance(fit.direction, center) < 1e-3 * kFwhm,
                 qPrintable(QString::number(angularDistance(fit.direction, center) / kFwhm)));
        QVERIFY2(std::abs(fit.peak - 10.0) < 0.01, qPrintable(QString::number(fit.peak)));
        QVERIFY(std::abs(fit.major / (1.4 * kFwhm) - 1.0) < 1e-3);
        QVERIFY(std::abs(fit.minor / (0.9 * kFwhm) - 1.0) < 1e-3);
        QVERIFY2(std::abs(fit.angle - angle) < 2e-3, qPrintable(QString::number(fit.angle)));
    }
    // Stated errors agree with the scatter over many noise realizations.
    void errorsAreThoseOfTheScatter() {
        const Vec3 center = direction({4.0, -0.8});
        constexpr int kSkies = 60;
        double pulls = 0.0, places = 0.0, bias = 0.0;
        for (int i = 0; i < kSkies; ++i) {
            const HealpixMap map = skyWith(center, 5.0, kFwhm, kFwhm, 0.0, 0.5, Ordering::Nested,
                                           static_cast<unsigned>(100 + i));
            const PatchFits fits = fitPatch(map, 0, center, kFwhm);
            QVERIFY(fits.beam.has_value());
            const double off = (fits.beam->peak - 5.0) / fits.beam->peakError;
            bias += off / kSkies;
            pulls += off * off / kSkies;
            const double away = angularDistance(fits.beam->direction, center);
            places += 0.5 * away * away / std::pow(fits.beam->positionError, 2) / kSkies;
            QVERIFY(std::abs(fits.beam->spread - 0.5) < 0.2);
        }
        // A mean of sixty squares of normal numbers has a deviation of sqrt(2 / 60) = 0.18 (of
        // twice as many 0.13): limit four of these. The mean of sixty numbers has 0.13.
        QVERIFY2(std::abs(pulls - 1.0) < 0.73, qPrintable(QString::number(pulls)));
        QVERIFY2(std::abs(places - 1.0) < 0.52, qPrintable(QString::number(places)));
        QVERIFY2(std::abs(bias) < 0.52, qPrintable(QString::number(bias)));
    }
    void holesAndEmptySkies() {
        const Vec3 center = direction({0.3, 0.1});
        const HealpixMap hole = skyWith(center, -10.0, kFwhm, kFwhm, 0.0, 0.0, Ordering::Ring, 1);
        const PatchFits fits = fitPatch(hole, 0, center, kFwhm);
        QVERIFY(fits.beam && std::abs(fits.beam->peak + 10.0) < 0.01);
        Field bad;
        bad.values = std::vector<float>(static_cast<size_t>(pixelCount(16)), NAN);
        const HealpixMap none(16, Ordering::Ring, Frame::Galactic, {bad});
        const PatchFits nothing = fitPatch(none, 0, center, 10.0 * kDegree);
        QVERIFY(!nothing.beam && !nothing.gaussian && nothing.pixels == 0);
        QVERIFY_EXCEPTION_THROWN(fitPatch(none, 3, center, kFwhm), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(fitPatch(none, 0, center, 0.0), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(PatchFitTest)
#include "tst_patch_fit.moc"
