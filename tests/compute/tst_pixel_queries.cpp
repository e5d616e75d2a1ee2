// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: brute force over all pixels, and HEALPix C++.
#include <healpix_base.h>

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"

using namespace armilla;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

Vec3 randomDirection(std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    return normalized({normal(random), normal(random), normal(random)});
}

pointing asPointing(Vec3 v) {
    return pointing(vec3(v.x, v.y, v.z));
}

Vec3 center(int64_t nside, Ordering ordering, int64_t pixel) {
    return ordering == Ordering::Ring ? directionFromRing(nside, pixel)
                                      : directionFromNested(nside, pixel);
}

std::set<int64_t> listed(const std::vector<PixelRange>& ranges) {
    std::set<int64_t> pixels;
    for (const PixelRange& range : ranges)
        for (int64_t p = range.begin; p < range.end; ++p) pixels.insert(p);
    return pixels;
}
std::set<int64_t> listed(const rangeset<int64>& ranges) {
    std::set<int64_t> pixels;
    for (tsize i = 0; i < ranges.nranges(); ++i)
        for (int64 p = ranges.ivbegin(i); p < ranges.ivend(i); ++p) pixels.insert(p);
    return pixels;
}
bool wellFormed(const std::vector<PixelRange>& ranges) {
    int64_t last = -1;
    for (const PixelRange& range : ranges) {
        if (range.begin <= last || range.end <= range.begin) return false;
        last = range.end;  // a gap between ranges: touching ones are joined
    }
    return true;
}
std::vector<int64_t> difference(const std::set<int64_t>& a, const std::set<int64_t>& b) {
    std::vector<int64_t> result;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                  std::back_inserter(result));
    return result;
}

void addGrids() {
    QTest::addColumn<qint64>("nside");
    QTest::addColumn<int>("ordering");
    for (const qint64 nside : {1, 2, 4, 8, 32})
        for (const int ordering : {0, 1})
            QTest::addRow("nside %lld %s", static_cast<long long>(nside),
                          ordering == 0 ? "ring" : "nested")
                << nside << ordering;
    for (const qint64 nside : {3, 5, 21})
        QTest::addRow("nside %lld ring", static_cast<long long>(nside)) << nside << 0;
}

// Poles, corners of faces, and random places.
std::vector<Vec3> someDirections(int count) {
    std::vector<Vec3> result{{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -1, 0}, {1, 1, 0}};
    for (int k = 0; k < 8; ++k) {
        const double s = std::sqrt(5.0) / 3.0, phi = k * kPi / 4.0;
        result.push_back(
            {s * std::cos(phi), s * std::sin(phi), k % 2 == 0 ? 2.0 / 3.0 : -2.0 / 3.0});
        result.push_back({1e-9 * std::cos(phi), 1e-9 * std::sin(phi), 1.0});
    }
    std::mt19937_64 random(9);
    for (int i = 0; i < count; ++i) result.push_back(randomDirection(random));
    return result;
}

}  // namespace

class PixelQueriesTest : public QObject {
    Q_OBJECT
private slots:
    void neighborsAsHealpix_data() { addGrids(); }
    void neighborsAsHealpix() {
        QFETCH(qint64, nside);
        QFETCH(int, ordering);
        const auto order = static_cast<Ordering>(ordering);
        const Healpix_Base2 base(nside, order == Ordering::Ring ? RING : NEST, SET_NSIDE);
        for (int64_t p = 0; p < pixelCount(nside); ++p) {
            fix_arr<int64, 8> theirs;
            base.neighbors(p, theirs);
            const auto ours = neighbors(nside, order, p);
            for (size_t i = 0; i < 8; ++i) QCOMPARE(ours[i], int64_t{theirs[i]});
        }
    }
    void neighborsOfLargeMaps() {
        const int64_t nside = 1 << 29;
        const Healpix_Base2 base(nside, NEST, SET_NSIDE);
        std::mt19937_64 random(8);
        std::uniform_int_distribution<int64_t> any(0, pixelCount(nside) - 1);
        for (int i = 0; i < 20000; ++i) {
            int64_t p = any(random);
            if (i % 2 == 0)
                p = p / (nside * nside) * nside * nside + (i % 4 == 0 ? 0 : nside * nside - 1);
            fix_arr<int64, 8> theirs;
            base.neighbors(p, theirs);
            const auto ours = neighbors(nside, Ordering::Nested, p);
            for (size_t k = 0; k < 8; ++k) QCOMPARE(ours[k], int64_t{theirs[k]});
        }
    }

    void discsAreExact_data() { addGrids(); }
    void discsAreExact() {
        QFETCH(qint64, nside);
        QFETCH(int, ordering);
        const auto order = static_cast<Ordering>(ordering);
        const Healpix_Base2 base(nside, order == Ordering::Ring ? RING : NEST, SET_NSIDE);
        std::vector<Vec3> centers;
        for (int64_t p = 0; p < pixelCount(nside); ++p) centers.push_back(center(nside, order, p));
        for (const Vec3 c : someDirections(10))
            for (const double radius : {0.0, 1e-9, 0.02, 0.1, 0.3, 1.0, 1.5707963, 2.5, 3.1, 3.2}) {
                const auto ranges = queryDisc(nside, order, c, radius);
                QVERIFY(wellFormed(ranges));
                const std::set<int64_t> found = listed(ranges);
                std::set<int64_t> brute;
                for (int64_t p = 0; p < pixelCount(nside); ++p)
                    if (angularDistance(normalized(c), centers[static_cast<size_t>(p)]) <= radius)
                        brute.insert(p);
                const auto wrong = difference(found, brute);
                // Rings entirely inside a disc around the pole are not tested pixel by pixel, so
                // rounding of the distance may decide differently for a ring exactly on the border.
                for (const int64_t p : wrong)
                    QVERIFY2(std::fabs(angularDistance(c, centers[static_cast<size_t>(p)]) -
                                       radius) < 8.0 * kEpsilon,
                             qPrintable(QString("radius %1 pixel %2").arg(radius).arg(p)));
                // HEALPix C++ 3.80 loses base pixels directly opposite the center in NESTED discs
                // that come within a base pixel's radius, 0.85, of the antipode.
                if (order == Ordering::Nested && radius > kPi - 0.85) continue;
                rangeset<int64> theirs;
                base.query_disc(asPointing(c), radius, theirs);
                for (const int64_t p : difference(found, listed(theirs)))
                    // HEALPix C++ takes distances from cosines: sqrt(epsilon) at radius 0 and pi.
                    QVERIFY2(std::fabs(angularDistance(c, centers[static_cast<size_t>(p)]) -
                                       radius) < (radius < 1e-3 || radius > 3.14 ? 1e-7 : 1e-12),
                             qPrintable(QString("radius %1 pixel %2").arg(radius).arg(p)));
            }
    }
    void discsOfLargeMaps() {
        for (const int64_t nside : {int64_t{2048}, int64_t{1} << 20, int64_t{1} << 29})
            for (const Vec3 c : someDirections(60)) {
                // About 300 pixels.
                const double radius = 10.0 / static_cast<double>(nside);
                const auto ring = listed(queryDisc(nside, Ordering::Ring, c, radius));
                const auto nested = listed(queryDisc(nside, Ordering::Nested, c, radius));
                std::set<int64_t> converted;
                for (const int64_t p : nested) converted.insert(ringFromNested(nside, p));
                QVERIFY(ring == converted);
                // Expected area: 12 nside^2 sin^2(radius / 2) = 300, give or take the border.
                QVERIFY(ring.size() > 250 && ring.size() < 350);
            }
    }
    void polygonsAreExact_data() { addGrids(); }
    void polygonsAreExact() {
        QFETCH(qint64, nside);
        QFETCH(int, ordering);
        const auto order = static_cast<Ordering>(ordering);
        const Healpix_Base2 base(nside, order == Ordering::Ring ? RING : NEST, SET_NSIDE);
        std::mt19937_64 random(12);
        for (const Vec3 c : someDirections(10))
            for (const double size : {0.05, 0.4, 1.2}) {
                // A regular polygon about c, with turned and reversed corners.
                const int count = 3 + static_cast<int>(random() % 4);
                const Vec3 axis = normalized(c),
                           u = normalized(cross(axis, randomDirection(random)));
                const Vec3 v = cross(axis, u);
                std::vector<Vec3> corners;
                std::vector<pointing> theirCorners;
                for (int i = 0; i < count; ++i) {
                    const double angle = (size > 1.0 ? -1.0 : 1.0) * kTwoPi * i / count;
                    corners.push_back(std::cos(size) * axis +
                                      std::sin(size) * (std::cos(angle) * u + std::sin(angle) * v));
                    theirCorners.push_back(asPointing(corners.back()));
                }
                const auto ranges = queryPolygon(nside, order, corners);
                QVERIFY(wellFormed(ranges));
                const auto found = listed(ranges);
                rangeset<int64> theirs;
                base.query_polygon(theirCorners, theirs);
                const auto margin = [&](int64_t p) {  // distance inside the nearest side
                    double least = kPi;
                    for (size_t i = 0; i < corners.size(); ++i) {
                        const Vec3 normal =
                            normalized(cross(corners[i], corners[(i + 1) % corners.size()]));
                        least = std::min(least, (size > 1.0 ? -1.0 : 1.0) *
                                                    dot(normal, center(nside, order, p)));
                    }
                    return least;
                };
                for (int64_t p = 0; p < pixelCount(nside); ++p)
                    QVERIFY(std::fabs(margin(p)) < 8.0 * kEpsilon ||
                            (margin(p) > 0.0) == found.contains(p));
                for (const int64_t p : difference(found, listed(theirs)))
                    QVERIFY(std::fabs(margin(p)) < 1e-12);
            }
    }
    void wrongPolygons() {
        const auto refused = [](const std::vector<Vec3>& corners) {
            try {
                queryPolygon(8, Ordering::Ring, corners);
            } catch (const InvalidArgument&) {
                return true;
            }
            return false;
        };
        const Vec3 a{1, 0, 0}, b{1, 0.2, 0}, c{1, 0.2, 0.2}, d{1, 0, 0.2};
        QVERIFY(!refused({a, b, c, d}) && !refused({d, c, b, a}));
        QVERIFY(!refused({a, {1, 0.1, 0}, b, c}));  // a corner along a side is harmless
        QVERIFY(refused({a, b}));
        QVERIFY(refused({a, a, b}));
        QVERIFY(refused({a, {-1, 0, 0}, b}));
        QVERIFY(refused({a, b, {1, 0.3, 0}}));
        QVERIFY(refused({a, c, b, d}));                   // sides that cross
        QVERIFY(refused({a, b, {1, 0.05, 0.05}, c, d}));  // a concave corner
        QVERIFY(refused({a, b, {0, 0, 0}}));
        // A short side, whose direction is uncertain by the rounding of its corners, excuses no
        // concave corner.
        QVERIFY(!refused({a, {1, 1e-8, 0}, b, c, d}));
        QVERIFY(refused({a, {1, 1e-8, 0}, b, {1, 0.199, 0.1}, c, d}));
        std::vector<Vec3> star;  // turns in the same sense at each corner, yet is no convex polygon
        for (int i = 0; i < 5; ++i)
            star.push_back(
                {1.0, 0.2 * std::cos(i * 2 * kTwoPi / 5), 0.2 * std::sin(i * 2 * kTwoPi / 5)});
        QVERIFY(refused(star));
    }

    void interpolationAsHealpix_data() { addGrids(); }
    void interpolationAsHealpix() {
        QFETCH(qint64, nside);
        QFETCH(int, ordering);
        const auto order = static_cast<Ordering>(ordering);
        const Healpix_Base2 base(nside, order == Ordering::Ring ? RING : NEST, SET_NSIDE);
        const Interpolator interpolator(nside, order);
        for (const Vec3 v : someDirections(2000)) {
            fix_arr<int64, 4> pixels;
            fix_arr<double, 4> weights;
            base.get_interpol(asPointing(v), pixels, weights);
            const Interpolation ours = interpolation(nside, order, v);
            const Interpolation tabulated = interpolator(v);
            QVERIFY(ours.pixels == tabulated.pixels && ours.weights == tabulated.weights);
            // If a direction lies on a ring, the adjacent ring may occur with weight 0; weights are
            // compared pixel by pixel.
            std::map<int64_t, double> error;
            double sum = 0.0;
            for (size_t i = 0; i < 4; ++i) {
                error[ours.pixels[i]] += ours.weights[i];
                error[pixels[i]] -= weights[i];
                sum += ours.weights[i];
                QVERIFY(ours.weights[i] >= 0.0);
            }
            QVERIFY(std::fabs(sum - 1.0) < 4.0 * kEpsilon);
            // The angle is rounded at 2 pi epsilon, in units of a pixel of the ring.
            for (const auto& [pixel, e] : error)
                QVERIFY2(std::fabs(e) < 32.0 * kEpsilon * static_cast<double>(4 * nside),
                         qPrintable(QString("pixel %1: %2").arg(pixel).arg(e)));
        }
        for (int64_t p = 0; p < pixelCount(nside); p += 1 + pixelCount(nside) / 1000) {
            const Interpolation at = interpolation(nside, order, center(nside, order, p));
            double own = 0.0;
            for (size_t i = 0; i < 4; ++i) own += at.pixels[i] == p ? at.weights[i] : 0.0;
            QVERIFY(own > 1.0 - 32.0 * kEpsilon * static_cast<double>(4 * nside));
        }
    }
    void corners_data() { addGrids(); }
    void corners() {
        QFETCH(qint64, nside);
        QFETCH(int, ordering);
        const auto order = static_cast<Ordering>(ordering);
        const Healpix_Base2 base(nside, order == Ordering::Ring ? RING : NEST, SET_NSIDE);
        double farthest = 0.0;
        for (int64_t p = 0; p < pixelCount(nside); ++p) {
            std::vector<vec3> theirs;
            base.boundaries(p, 1, theirs);
            const auto ours = pixelCorners(nside, order, p);
            for (size_t i = 0; i < 4; ++i) {
                QVERIFY(norm(ours[i] - Vec3{theirs[i].x, theirs[i].y, theirs[i].z}) <
                        16.0 * kEpsilon);
                farthest = std::max(farthest, angularDistance(ours[i], center(nside, order, p)));
            }
        }
        // The bound is reached by some pixel and passed by none.
        QVERIFY(std::fabs(farthest - maximumPixelRadius(nside)) < 16.0 * kEpsilon);
        QVERIFY(std::fabs(maximumPixelRadius(nside) - base.max_pixrad()) < 16.0 * kEpsilon);
    }
    void refused() {
        QVERIFY_EXCEPTION_THROWN(neighbors(3, Ordering::Nested, 0), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(neighbors(4, Ordering::Ring, 192), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(neighbors(4, Ordering::Ring, -1), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(neighbors(0, Ordering::Ring, 0), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(queryDisc(4, Ordering::Ring, {0, 0, 0}, 1.0), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(queryDisc(4, Ordering::Ring, {0, 0, 1}, -1.0), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(queryDisc(4, Ordering::Ring, {0, 0, 1}, std::nan("")),
                                 InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(pixelCorners(4, Ordering::Nested, 192), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(Interpolator(6, Ordering::Nested), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(PixelQueriesTest)
#include "tst_pixel_queries.moc"
