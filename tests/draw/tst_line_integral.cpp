// SPDX-License-Identifier: GPL-3.0-or-later
// Directions of polarization on the sphere, and line integral convolution along these.
#include <QtTest>
#include <cmath>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/draw/line_integral.h"
#include "armilla/draw/polarization_rods.h"

using namespace armilla;

namespace {

Field field(const char* name, std::vector<double> values) {
    Field made;
    made.name = name;
    made.values = std::move(values);
    return made;
}

// Lines of polarization along the circles of latitude about `axis`, amplitude 1.
HealpixMap circlesAbout(Vec3 axis, int64_t nside) {
    std::vector<double> q, u;
    for (int64_t p = 0; p < pixelCount(nside); ++p) {
        const Vec3 at = directionFromRing(nside, p);
        const Vec3 along = cross(axis, at);
        const double r = norm(along);
        const Vec3 east = normalized(Vec3{-at.y, at.x, 0.0});
        const Vec3 south = cross(east, at);
        const double angle = std::atan2(dot(along, east), dot(along, south));
        q.push_back(r > 0.0 ? std::cos(2.0 * angle) : 0.0);
        u.push_back(r > 0.0 ? std::sin(2.0 * angle) : 0.0);
    }
    return HealpixMap(nside, Ordering::Ring, Frame::Galactic,
                      {field("Q", std::move(q)), field("U", std::move(u))});
}

struct Moments {
    double mean = 0.0, deviation = 0.0;
    int64_t count = 0;
};

}  // namespace

class LineIntegralTest : public QObject {
    Q_OBJECT
private slots:
    // Both directions at any position, also next to the poles; sums of tensors are sums of Q and U.
    void tensorsBringBackStokes() {
        std::mt19937_64 random(3);
        std::normal_distribution<double> normal;
        for (int i = 0; i < 2000; ++i) {
            Vec3 at = normalized({normal(random), normal(random), normal(random)});
            if (i % 4 == 0) at = normalized({1e-9 * normal(random), 1e-9, i % 8 == 0 ? 1.0 : -1.0});
            const double q = normal(random), u = normal(random);
            const PolarizationTensor t = polarizationTensor(at, q, u);
            const StokesQU back = stokesAt(at, 2.0 * t + polarizationTensor(at, 1.0, -1.0));
            // A dozen operations on numbers of order one, each with half an epsilon.
            QVERIFY(std::abs(back.q - (2.0 * q + 1.0)) < 1e-14 * (4.0 + std::abs(q) + std::abs(u)));
            QVERIFY(std::abs(back.u - (2.0 * u - 1.0)) < 1e-14 * (4.0 + std::abs(q) + std::abs(u)));
            const Vec3 along = polarizationDirection(at, t);
            QVERIFY(std::abs(norm(along) - 1.0) < 1e-14 && std::abs(dot(along, at)) < 1e-14);
        }
        // COSMO: Q > 0 is along the meridian, U > 0 from north west to south east.
        const Vec3 at{1.0, 0.0, 0.0};
        QVERIFY(std::abs(polarizationDirection(at, polarizationTensor(at, 1.0, 0.0)).z) > 0.999999);
        const Vec3 diagonal = polarizationDirection(at, polarizationTensor(at, 0.0, 1.0));
        QVERIFY(diagonal.y * diagonal.z < -0.499999);
    }
    // White noise, independent of the caller.
    void noiseIsUniform() {
        double sum = 0.0, squares = 0.0, products = 0.0, before = 0.5;
        constexpr int kCount = 100000;
        for (int64_t p = 0; p < kCount; ++p) {
            const double v = skyNoise(256, p);
            QVERIFY(v >= 0.0 && v < 1.0);
            sum += v;
            squares += v * v;
            products += (v - 0.5) * (before - 0.5);
            before = v;
        }
        // Five deviations of the means of kCount uniform numbers.
        const double limit = 5.0 / std::sqrt(static_cast<double>(kCount));
        QVERIFY(std::abs(sum / kCount - 0.5) < limit * std::sqrt(1.0 / 12.0));
        QVERIFY(std::abs(squares / kCount - 1.0 / 3.0) < limit * std::sqrt(4.0 / 45.0));
        QVERIFY(std::abs(products / kCount) < limit / 12.0);
        QVERIFY(skyNoise(256, 1) != skyNoise(512, 1));
    }
    // Anywhere on the sphere, neighbors along the lines are nearly equal, and neighbors across the
    // lines are not.
    void textureFollowsTheLines_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("z");
        QTest::newRow("about the pole") << 0.0 << 1.0;
        QTest::newRow("about the equator") << 1.0 << 0.0;
        QTest::newRow("oblique") << 0.6 << 0.8;
    }
    void textureFollowsTheLines() {
        QFETCH(double, x);
        QFETCH(double, z);
        const Vec3 axis = normalized({x, 0.0, z});
        constexpr int64_t kNside = 64;
        JobContext job;
        const auto texture = LineIntegralTexture::build(
            circlesAbout(axis, kNside), 0, 1, PolarizationConvention::Cosmo, kNside, {}, job);
        const double step = 3.0 * std::sqrt(kPi / 3.0) / kNside;
        // By region: the whole sphere, and the caps around both poles of the frame, where a seam
        // would be.
        for (const double cap : {-2.0, std::cos(20.0 * kDegree)}) {
            double along = 0.0, across = 0.0;
            Moments all;
            for (int64_t p = 0; p < pixelCount(kNside); ++p) {
                const Vec3 at = directionFromNested(kNside, p);
                if (std::abs(at.z) < cap || std::abs(dot(at, axis)) > 0.97) continue;
                const Vec3 line = normalized(cross(axis, at));
                const double v = texture->valueAt(at) - 0.5;
                // Along the circle itself: near the axis its tangent departs by a pixel.
                const double radius = norm(cross(axis, at)), turn = step / radius;
                const Vec3 foot = dot(axis, at) * axis;
                const Vec3 there =
                    foot + std::cos(turn) * (at - foot) + radius * std::sin(turn) * line;
                along += v * (texture->valueAt(there) - 0.5);
                across += v * (texture->valueAt(normalized(at + step * cross(at, line))) - 0.5);
                all.deviation += v * v;
                ++all.count;
            }
            QVERIFY(all.count > 300);
            // Three of Hann's 33 weights apart: the correlation is above 0.9 for white noise;
            // uneven pixels along a line reduce it. Across lines only the width of a pixel is
            // shared.
            QVERIFY2(along / all.deviation > 0.6,
                     qPrintable(QString::number(along / all.deviation)));
            QVERIFY2(std::abs(across / all.deviation) < 0.2,
                     qPrintable(QString::number(across / all.deviation)));
        }
    }
    void contrastIsThatOfTheNoise() {
        constexpr int64_t kNside = 64;
        JobContext job;
        const auto map = LineIntegralTexture::build(circlesAbout({0.0, 0.0, 1.0}, kNside), 0, 1,
                                                    PolarizationConvention::Cosmo, kNside, {}, job)
                             ->map();
        Moments m;
        for (int64_t p = 0; p < map.elementCount(); ++p) m.mean += map.field(0).at(p);
        m.mean /= static_cast<double>(map.elementCount());
        for (int64_t p = 0; p < map.elementCount(); ++p)
            m.deviation += std::pow(map.field(0).at(p) - m.mean, 2);
        m.deviation = std::sqrt(m.deviation / static_cast<double>(map.elementCount()));
        // 1/4 for independent noise; repeated pixels and the clipping change that by some tenths.
        QVERIFY2(std::abs(m.mean - 0.5) < 0.02, qPrintable(QString::number(m.mean)));
        QVERIFY2(m.deviation > 0.18 && m.deviation < 0.34,
                 qPrintable(QString::number(m.deviation)));
    }
    // The texture of a part equals that of the whole to the bit, and does not depend on threads.
    void partsAreOfTheWhole() {
        constexpr int64_t kNside = 64;
        const HealpixMap map = circlesAbout({0.6, 0.0, 0.8}, 32);
        JobContext job, alone({}, {}, 1);
        const auto whole =
            LineIntegralTexture::build(map, 0, 1, PolarizationConvention::Cosmo, kNside, {}, job);
        const TexturePart disc{normalized({0.3, -0.2, 0.9}), 0.2};
        const auto part = LineIntegralTexture::build(map, 0, 1, PolarizationConvention::Cosmo,
                                                     kNside, disc, alone);
        int64_t seen = 0;
        for (int64_t p = 0; p < pixelCount(kNside); ++p) {
            const Vec3 at = directionFromNested(kNside, p);
            if (angularDistance(at, disc.center) > disc.radius) continue;
            QCOMPARE(part->valueAt(at), whole->valueAt(at));
            ++seen;
        }
        QVERIFY(seen > 400);
        QVERIFY(std::isnan(part->valueAt(-1.0 * disc.center)));
        QVERIFY(part->map().coverage() == Coverage::Partial);
    }
    void badPixelsAndConventions() {
        JobContext job;
        HealpixMap map = circlesAbout({0.6, 0.0, 0.8}, 16);
        std::get<std::vector<double>>(map.field(0).values)[100] = NAN;
        const auto cosmo =
            LineIntegralTexture::build(map, 0, 1, PolarizationConvention::Cosmo, 64, {}, job);
        QVERIFY(std::isnan(cosmo->valueAt(directionFromRing(16, 100))));
        for (double& u : std::get<std::vector<double>>(map.field(1).values)) u = -u;
        const auto iau =
            LineIntegralTexture::build(map, 0, 1, PolarizationConvention::Iau, 64, {}, job);
        for (int64_t p = 0; p < pixelCount(64); p += 7) {
            const Vec3 at = directionFromNested(64, p);
            const float a = cosmo->valueAt(at), b = iau->valueAt(at);
            QVERIFY(a == b || (std::isnan(a) && std::isnan(b)));
        }
        QVERIFY_EXCEPTION_THROWN(
            LineIntegralTexture::build(map, 0, 2, PolarizationConvention::Cosmo, 64, {}, job),
            InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(
            LineIntegralTexture::build(map, 0, 1, PolarizationConvention::Cosmo, 48, {}, job),
            InvalidArgument);
    }
    // Full lightness in the middle of a streak, the least between two; full off the texture.
    void lightIsKept() {
        QCOMPARE(licLight(1.0), 1.0);
        QCOMPARE(licLight(0.0), kLicFloor);
        QCOMPARE(licLight(NAN), 1.0);
    }
    // Options of line segments: least amplitude, least SNR, the opposite sign of U.
    void rodsObeyTheirOptions() {
        const HealpixMap map = circlesAbout({0.6, 0.0, 0.8}, 64);
        ViewGeometry view;
        view.projection = Projection::Gnomonic;
        view.width = 400;
        view.height = 300;
        view.radiansPerPixel = 0.002;
        RodOptions options{.maxAmplitude = 1.0};
        const auto all = polarizationRods(map, 0, 1, view, options);
        QVERIFY(all.size() > 150);
        options.leastAmplitude = 1.1;
        QVERIFY(polarizationRods(map, 0, 1, view, options).empty());
        options.leastAmplitude = 0.0;
        options.noise = 1.0;
        options.leastSnr = 30.0;
        QVERIFY(polarizationRods(map, 0, 1, view, options).empty());
        options.noise = 0.01;
        options.leastSnr = 3.0;
        QCOMPARE(polarizationRods(map, 0, 1, view, options).size(), all.size());
        options = {.maxAmplitude = 1.0, .convention = PolarizationConvention::Iau};
        const auto other = polarizationRods(map, 0, 1, view, options);
        QCOMPARE(other.size(), all.size());
        // The sign of U mirrors a segment at the meridian, which is upright at the center of the
        // view.
        const size_t middle = all.size() / 2;
        const double dx = all[middle].to.column - all[middle].from.column;
        const double ox = other[middle].to.column - other[middle].from.column;
        QVERIFY(std::abs(dx) > 1.0 && dx * ox < 0.0);
    }
    // Differences of neighbors give the noise below a smooth polarization and with a few bright
    // pixels.
    void noiseIsThatOfNeighbors() {
        constexpr int64_t kNside = 128;
        std::mt19937 random(3);
        std::normal_distribution<double> normal(0.0, 0.02);
        const HealpixMap smooth = circlesAbout({0.0, 0.6, 0.8}, kNside);
        std::vector<double> q, u;
        for (int64_t p = 0; p < pixelCount(kNside); ++p) {
            const double bright = p % 97 == 0 ? 50.0 : 0.0;
            q.push_back(smooth.value(0, p) + normal(random) + bright);
            u.push_back(smooth.value(1, p) + normal(random));
        }
        const HealpixMap map(kNside, Ordering::Ring, Frame::Galactic,
                             {field("Q", q), field("U", u)});
        // The median of 8192 amplitudes is known to 1.2 % (1 / (2 f sqrt(n)), f = 0.42 there):
        // limit five times that. The two bright pixels in a hundred of Q move the median by up to 2
        // %.
        QVERIFY2(std::abs(pixelNoise(map, 0, 1) / 0.02 - 1.0) < 0.1,
                 qPrintable(QString::number(pixelNoise(map, 0, 1))));
        QVERIFY(pixelNoise(smooth, 0, 1) < 0.002);
        const HealpixMap odd(
            3, Ordering::Ring, Frame::Galactic,
            {field("Q", std::vector<double>(108, 1.0)), field("U", std::vector<double>(108, 1.0))});
        QCOMPARE(pixelNoise(odd, 0, 1), 0.0);
    }
    void amplitudesAreDebiased() {
        // Rice's bias at P = 3 s is about s / 6; far above it vanishes as s^2 / (2 P).
        QVERIFY(std::abs(debiasedAmplitude(3.0, 1.0) - (3.0 - (1.0 - std::exp(-9.0)) / 6.0)) <
                1e-15);
        QVERIFY(std::abs(debiasedAmplitude(100.0, 1.0) - 99.995) < 1e-12);
        // Near 0 it behaves as P / 2 and does not cancel.
        QVERIFY(std::abs(debiasedAmplitude(1e-9, 1.0) / 1e-9 - 0.5) < 1e-12);
        QCOMPARE(debiasedAmplitude(0.0, 1.0), 0.0);
        QCOMPARE(roundAmplitude(0.034), 0.02);
        QCOMPARE(roundAmplitude(7.0), 5.0);
        QCOMPARE(roundAmplitude(1000.0), 1000.0);
        QCOMPARE(roundAmplitude(0.0), 0.0);
    }
};

QTEST_GUILESS_MAIN(LineIntegralTest)
#include "tst_line_integral.moc"
