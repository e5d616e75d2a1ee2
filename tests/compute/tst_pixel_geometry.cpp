// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: HEALPix C++ and the closed forms of Gorski et al. 2005.
#include <healpix_base.h>

#include <QtTest>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"

using namespace armilla;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

vec3 asHealpix(Vec3 v) {
    return {v.x, v.y, v.z};
}

Vec3 randomDirection(std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    return normalized({normal(random), normal(random), normal(random)});
}

Vec3 fromHeight(double z, double phi) {
    const double s = std::sqrt((1.0 - z) * (1.0 + z));
    return {s * std::cos(phi), s * std::sin(phi), z};
}

// Distance of a direction from the nearest pixel border, in pixels, by the continuous coordinates
// of the paper in long double.
long double borderDistance(int64_t nside, Vec3 v) {
    const auto x = static_cast<long double>(v.x), y = static_cast<long double>(v.y);
    const auto z0 = static_cast<long double>(v.z);
    const long double across = std::sqrt(x * x + y * y),
                      length = std::sqrt(x * x + y * y + z0 * z0);
    const long double z = z0 / length, pi = 3.14159265358979323846264338327950288L;
    long double turns = std::atan2(y, x) * 2 / pi;
    if (turns < 0) turns += 4;
    const auto n = static_cast<long double>(nside);
    long double a = 0, b = 0;
    if (std::fabs(z) <= 2.0L / 3) {
        a = n * (turns + 0.5L + 0.75L * z);
        b = n * (turns + 0.5L - 0.75L * z);
    } else {
        const long double rings = n * (across / length) * std::sqrt(3 / (1 + std::fabs(z)));
        const long double share = turns - std::floor(turns);
        a = share * rings;
        b = (1 - share) * rings;
    }
    return std::min(std::fabs(a - std::round(a)), std::fabs(b - std::round(b)));
}

// Rounding of z and of the longitude (a few epsilon each, in units of the full circle of 4 nside
// pixels). In addition the slope of sqrt(3 (1 - |z|)) in HEALPix C++, at most 8.7 where it is used
// (|z| < 0.99). The sum is 4 * 4 + 8.7 epsilon times nside, rounded up.
long double borderTolerance(int64_t nside) {
    return 32.0L * kEpsilon * static_cast<long double>(nside);
}

// Gorski et al. equations 4 to 9, with the place counted from 0.
Vec3 centerInLongDouble(int64_t nside, RingPlace at) {
    const auto n = static_cast<long double>(nside);
    const int64_t fromPole = std::min({at.ring, 4 * nside - at.ring, nside});
    const auto length = static_cast<long double>(fromPole);
    long double depth = length * length / (3 * n * n);
    long double z = at.ring < 2 * nside ? 1 - depth : depth - 1, s = std::sqrt(depth * (2 - depth));
    if (fromPole == nside) {
        z = 4.0L / 3 - 2 * static_cast<long double>(at.ring) / (3 * n);
        s = std::sqrt((1 - z) * (1 + z));
    }
    const bool half = fromPole < nside || (at.ring - nside) % 2 == 0;
    const long double place = static_cast<long double>(at.place) + (half ? 0.5L : 0.0L);
    const long double phi = place / length * 3.14159265358979323846264338327950288L / 2;
    return {static_cast<double>(s * std::cos(phi)), static_cast<double>(s * std::sin(phi)),
            static_cast<double>(z)};
}

std::vector<Vec3> adversarialDirections() {
    std::vector<double> heights{0.0, 1e-300, -1e-300, 1e-17, -1e-17, 0.5, -0.5, 0.25, 0.99, -0.99};
    for (const double third : {2.0 / 3.0, -2.0 / 3.0, 0.99, -0.99})
        for (const double towards : {-2.0, 2.0}) {
            const double once = std::nextafter(third, towards);
            heights.insert(heights.end(), {third, once, std::nextafter(once, towards)});
        }
    std::vector<double> longitudes;
    for (int k = 0; k <= 16; ++k) {
        const double phi = k * kPi / 8.0;
        longitudes.insert(longitudes.end(),
                          {phi, std::nextafter(phi, -1.0), std::nextafter(phi, 10.0), -phi});
    }
    longitudes.insert(longitudes.end(), {kTwoPi - kEpsilon, 1e-300, -1e-300, 1e-17, -1e-17});
    std::vector<Vec3> result;
    for (const double phi : longitudes) {
        for (const double z : heights) result.push_back(fromHeight(z, phi));
        for (double theta = 1e-1; theta >= 1e-300; theta *= 1e-3)
            for (const double pole : {1.0, -1.0})
                result.push_back({std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                                  pole * std::cos(theta)});
    }
    for (const double a : {1.0, -1.0, 0.0})
        for (const double b : {1.0, -1.0, 0.0})
            for (const double c : {1.0, -1.0, 0.0})
                if (a != 0.0 || b != 0.0 || c != 0.0) result.push_back({a, b, c});
    return result;
}

void addNsides(bool powersOfTwoOnly) {
    QTest::addColumn<qint64>("nside");
    std::vector<qint64> sizes{1, 2, 4, 8, 64, 512, 2048, 8192, 1 << 16, 1 << 20, 1 << 29};
    if (!powersOfTwoOnly) sizes.insert(sizes.end(), {3, 5, 7, 100, 1000, 1234567});
    for (const qint64 nside : sizes)
        QTest::addRow("nside %lld", static_cast<long long>(nside)) << nside;
}

std::vector<int64_t> somePixels(int64_t nside) {
    const int64_t count = pixelCount(nside);
    std::vector<int64_t> pixels;
    if (count <= 200000) {
        for (int64_t p = 0; p < count; ++p) pixels.push_back(p);
        return pixels;
    }
    const int64_t cap = 2 * nside * (nside - 1);
    for (const int64_t edge : {int64_t{0}, cap, count / 2, count - cap, count})
        for (int64_t p = edge - 20; p < edge + 20; ++p)
            if (p >= 0 && p < count) pixels.push_back(p);
    std::mt19937_64 random(7);
    std::uniform_int_distribution<int64_t> any(0, count - 1), inCap(0, cap - 1);
    for (int i = 0; i < 20000; ++i) {
        pixels.push_back(any(random));
        const int64_t p = inCap(random) >> (i % 40);  // every scale of rings near the poles
        pixels.push_back(p);
        pixels.push_back(count - 1 - p);
    }
    // The ends of polar rings, where the root must be exact.
    for (int i = 0; i < 2000; ++i) {
        const int64_t ring = 1 + (any(random) % (nside - 1));
        for (const int64_t p : {2 * ring * (ring - 1), 2 * ring * (ring + 1) - 1})
            pixels.insert(pixels.end(), {p, count - 1 - p});
    }
    return pixels;
}

}  // namespace

class PixelGeometryTest : public QObject {
    Q_OBJECT
private slots:
    void directionToPixel_data() { addNsides(false); }
    void directionToPixel() {
        QFETCH(qint64, nside);
        const bool nested = isPowerOfTwoNside(nside);
        const Healpix_Base2 ring(nside, RING, SET_NSIDE);
        const Healpix_Base2 nest(nested ? nside : 1, NEST, SET_NSIDE);
        std::vector<Vec3> directions = adversarialDirections();
        std::mt19937_64 random(42);
        for (int i = 0; i < 100000; ++i) directions.push_back(randomDirection(random));
        int different = 0;
        for (const Vec3 v : directions) {
            const FacePixel face = faceFromDirection(nside, v);
            QVERIFY(face.face >= 0 && face.face < 12 && face.x >= 0 && face.x < nside &&
                    face.y >= 0 && face.y < nside);
            const int64_t ours = ringFromDirection(nside, v);
            bool same = ours == ring.vec2pix(asHealpix(v));
            if (nested) {
                const int64_t oursNested = nestedFromDirection(nside, v);
                QCOMPARE(ringFromNested(nside, oursNested), ours);
                same = same && oursNested == nest.vec2pix(asHealpix(v));
            }
            if (same) continue;
            ++different;
            QVERIFY2(borderDistance(nside, v) < borderTolerance(nside),
                     qPrintable(QString("(%1, %2, %3)")
                                    .arg(v.x, 0, 'g', 17)
                                    .arg(v.y, 0, 'g', 17)
                                    .arg(v.z, 0, 'g', 17)));
        }
        // Off the borders almost no direction may differ. Random ones do so with a probability of
        // about 2 * tolerance, and most adversarial ones lie on a border.
        QVERIFY(different < 3000 + 200000 * 2 * static_cast<double>(borderTolerance(nside)));
    }
    void lengthDoesNotMatter() {
        std::mt19937_64 random(3);
        for (int i = 0; i < 10000; ++i) {
            const Vec3 v = randomDirection(random);
            for (const double factor : {1024.0, 1.0 / 4096.0})
                QCOMPARE(ringFromDirection(512, factor * v), ringFromDirection(512, v));
        }
    }
    void tinyAnglesFromThePole() {
        // Within the first ring only the longitude decides: pixel k holds quarter turn k.
        for (const double theta : {1e-9, 1e-12, 1e-100, 1e-200, 1e-300})
            for (int k = 0; k < 4; ++k) {
                const double phi = (k + 0.3) * kHalfPi;
                const Vec3 v{theta * std::cos(phi), theta * std::sin(phi), 1.0};
                QCOMPARE(ringFromDirection(1 << 29, v), int64_t{k});
                QCOMPARE(ringFromDirection(1 << 29, Vec3{v.x, v.y, -1.0}),
                         pixelCount(1 << 29) - 4 + k);
            }
        // And ring 3 at nside 2^29, where z differs from 1 by less than an epsilon.
        const int64_t nside = 1 << 29;
        for (int64_t place = 0; place < 12; ++place) {
            const double theta = 2.5 / static_cast<double>(nside) * std::sqrt(2.0 / 3.0);
            const double phi = (static_cast<double>(place) + 0.5) / 12.0 * kTwoPi;
            const Vec3 v{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                         std::cos(theta)};
            QCOMPARE(ringFromDirection(nside, v), 12 + place);
        }
    }
    void pixelToDirection_data() { addNsides(false); }
    void pixelToDirection() {
        QFETCH(qint64, nside);
        const bool nested = isPowerOfTwoNside(nside);
        const Healpix_Base2 ring(nside, RING, SET_NSIDE);
        const Healpix_Base2 nest(nested ? nside : 1, NEST, SET_NSIDE);
        for (const int64_t p : somePixels(nside)) {
            const Vec3 v = directionFromRing(nside, p);
            const vec3 w = ring.pix2vec(p);
            // HEALPix C++ rounds the longitude three times, half an epsilon of up to 2 pi each: 9.4
            // epsilon; z, s, sin and cos add at most 4.
            const double error = norm(v - Vec3{w.x, w.y, w.z});
            QVERIFY2(error < 14.0 * kEpsilon, qPrintable(QString("%1: %2").arg(p).arg(error)));
            // This project's function compared with the closed form: the angle in its quarter, z,
            // s, and their products.
            QVERIFY(norm(v - centerInLongDouble(nside, ringPlaceFromRing(nside, p))) <
                    3.0 * kEpsilon);
            QVERIFY(std::fabs(norm(v) - 1.0) < 4.0 * kEpsilon);
            QCOMPARE(ringFromDirection(nside, v), p);
            if (!nested) continue;
            QCOMPARE(nestedFromDirection(nside, directionFromNested(nside, p)), p);
            const vec3 u = nest.pix2vec(p);
            QVERIFY(norm(directionFromNested(nside, p) - Vec3{u.x, u.y, u.z}) < 14.0 * kEpsilon);
        }
    }
    void numbering_data() { addNsides(false); }
    void numbering() {
        QFETCH(qint64, nside);
        const bool nested = isPowerOfTwoNside(nside);
        const Healpix_Base2 base(nside, RING, SET_NSIDE);
        for (const int64_t p : somePixels(nside)) {
            const FacePixel f = faceFromRing(nside, p);
            int x = 0, y = 0;
            int face = 0;
            if (nested) {
                QCOMPARE(nestedFromRing(nside, p), int64_t{base.ring2nest(p)});
                QCOMPARE(ringFromNested(nside, p), int64_t{base.nest2ring(p)});
                const Healpix_Base2 nest(nside, NEST, SET_NSIDE);
                nest.pix2xyf(p, x, y, face);
                const FacePixel g = faceFromNested(nside, p);
                QVERIFY(g.face == face && g.x == x && g.y == y);
                QCOMPARE(nestedFromFace(nside, g), p);
            }
            base.pix2xyf(p, x, y, face);
            QVERIFY(f.face == face && f.x == x && f.y == y);
            QCOMPARE(ringFromFace(nside, f), p);
            const RingPlace at = ringPlaceFromRing(nside, p);
            QCOMPARE(at.ring, int64_t{base.pix2ring(p)});
            int64 first = 0, count = 0;
            double cosTheta = 0.0, sinTheta = 0.0, z = 0.0, s = 0.0;
            bool shifted = false;
            base.get_ring_info(at.ring, first, count, cosTheta, sinTheta, shifted);
            QCOMPARE(at.place, p - int64_t{first});
            QCOMPARE(4 * detail::quarterLength(nside, at.ring), int64_t{count});
            QCOMPARE(detail::ringShift(nside, at.ring) == 1, shifted);
            ringHeight(nside, at.ring, z, s);
            QVERIFY(std::fabs(z - cosTheta) <= 2.0 * kEpsilon);
            QVERIFY(std::fabs(s - sinTheta) <= 4.0 * kEpsilon * sinTheta);
        }
    }
    void rings() {
        for (const int64_t nside : {int64_t{1}, int64_t{3}, int64_t{64}, int64_t{1} << 29}) {
            const Healpix_Base2 base(nside, RING, SET_NSIDE);
            for (int64_t ring = 1; ring < 4 * nside; ring += std::max<int64_t>(1, nside / 100)) {
                int64 first = 0, count = 0;
                double z = 0.0, s = 0.0, ownZ = 0.0, ownS = 0.0;
                bool shifted = false;
                base.get_ring_info(ring, first, count, z, s, shifted);
                ringHeight(nside, ring, ownZ, ownS);
                QCOMPARE(detail::firstPixelOfRing(nside, ring), int64_t{first});
                QCOMPARE(4 * detail::quarterLength(nside, ring), int64_t{count});
                QCOMPARE(detail::ringShift(nside, ring), int64_t{shifted ? 1 : 0});
                QVERIFY(std::fabs(ownZ - z) < 4.0 * kEpsilon);
                QVERIFY(std::fabs(ownS - s) <= 4.0 * kEpsilon * s);
            }
        }
    }
    void quarterTurns() {
        const long double pi = 3.14159265358979323846264338327950288L;
        std::mt19937_64 random(13);
        std::uniform_real_distribution<double> angle(0.0, kHalfPi), power(-300.0, 0.0);
        double worst = 0.0;
        for (int i = 0; i < 400000; ++i) {
            const double phi = i % 4 == 0 ? std::pow(10.0, power(random)) : angle(random);
            const double aside = std::sin(phi), along = std::cos(phi);
            const long double truth =
                std::atan2(static_cast<long double>(aside), static_cast<long double>(along)) * 2 /
                pi;
            const auto error =
                static_cast<double>(std::fabs(detail::quarterTurns(aside, along) - truth) / truth);
            worst = std::max(worst, error);
        }
        // Half an epsilon each for the quotient (and its terms, if they are sums), the series, its
        // product with t and the last subtraction: 3 epsilon at most.
        QVERIFY2(worst < 3.0 * kEpsilon, qPrintable(QString::number(worst)));
        QCOMPARE(detail::quarterTurns(0.0, 3.0), 0.0);
        QCOMPARE(detail::quarterTurns(0.3, 0.3), 0.5);
        QCOMPARE(detail::quarterTurns(1e-300, 0.0), 1.0);
        QCOMPARE(detail::quarterTurns(0.0, 0.0), 0.0);
    }
    // Longitudes that are multiples of 90 degrees belong to the pixels east of them, as for ang2pix
    // of HEALPix, although the cosine of 90 degrees is not 0 in double.
    void wholeQuarters() {
        for (const int64_t nside : {1, 3, 64, 2048, 1 << 29})
            for (int quarter = -4; quarter <= 4; ++quarter)
                for (const double z : {0.999, 0.8, -0.8, -0.999}) {
                    const Healpix_Base2 base(nside, RING, SET_NSIDE);
                    const double theta = std::acos(z);
                    const int64_t expected = base.ang2pix(pointing(theta, quarter * kHalfPi));
                    for (const double phi : {quarter * kHalfPi, quarter * 90.0 * kDegree})
                        QCOMPARE(ringFromDirection(nside, direction({phi, kHalfPi - theta})),
                                 expected);
                }
    }
    void bits() {
        std::mt19937_64 random(5);
        for (int i = 0; i < 1000; ++i) {
            const uint64_t v = random() & 0xFFFFFFFFULL;
            uint64_t spread = 0;
            for (int bit = 0; bit < 32; ++bit) spread |= ((v >> bit) & 1) << (2 * bit);
            QCOMPARE(detail::spreadBits(v), spread);
            QCOMPARE(detail::gatherBits(spread | (random() & 0xAAAAAAAAAAAAAAAAULL)), v);
        }
        for (int64_t root :
             {int64_t{1}, int64_t{94906267}, (int64_t{1} << 30) - 1, int64_t{1} << 30})
            for (int64_t step = -1; step <= 1; ++step)
                QCOMPARE(detail::integerRoot(root * root + step), step < 0 ? root - 1 : root);
    }
};

QTEST_APPLESS_MAIN(PixelGeometryTest)
#include "tst_pixel_geometry.moc"
