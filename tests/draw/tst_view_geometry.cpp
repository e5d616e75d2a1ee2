// SPDX-License-Identifier: GPL-3.0-or-later
#include <wcslib/prj.h>

#include <QtTest>
#include <random>

#include "armilla/core/view_geometry.h"
#include "support/projections.h"

using namespace armilla;

namespace {

void projectionRows() {
    QTest::addColumn<Projection>("projection");
    for (const auto& [name, projection] : kProjections) QTest::newRow(name) << projection;
}

Vec3 randomDirection(std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    return normalized({normal(random), normal(random), normal(random)});
}

int wcsInverse(Projection projection, prjprm* prj, double x, double y, double* phi, double* theta) {
    int bad = 0;
    switch (projection) {
        case Projection::Mollweide: return molx2s(prj, 1, 1, 1, 1, &x, &y, phi, theta, &bad);
        case Projection::Gnomonic: return tanx2s(prj, 1, 1, 1, 1, &x, &y, phi, theta, &bad);
        case Projection::Orthographic: return sinx2s(prj, 1, 1, 1, 1, &x, &y, phi, theta, &bad);
        case Projection::Cartesian: return carx2s(prj, 1, 1, 1, 1, &x, &y, phi, theta, &bad);
        case Projection::Lambert: return zeax2s(prj, 1, 1, 1, 1, &x, &y, phi, theta, &bad);
        case Projection::Hammer: return aitx2s(prj, 1, 1, 1, 1, &x, &y, phi, theta, &bad);
    }
    return -1;
}

// Native spherical coordinates as a direction in the view frame. Cylindrical projections have the
// center on the native equator. Zenithal ones have it at the native pole, with phi counted from
// south.
Vec3 viewFromNative(Projection projection, double phi, double theta) {
    const Vec3 native = direction({phi * kDegree, theta * kDegree});
    if (factsOf(projection).kind == ProjectionClass::Other) return native;
    return {native.z, native.y, -native.x};
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)

class ViewGeometryTest : public QObject {
    Q_OBJECT
private slots:
    // Plane to sky compared with wcslib. Its results are in degrees, and its tolerance is 1e-13 in
    // Mollweide's sine of the latitude: 1e-7 of an angle near the pole, 1e-12 away from it.
    void inverseAgreesWithWcslib_data() { projectionRows(); }
    void inverseAgreesWithWcslib() {
        QFETCH(Projection, projection);
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> share(-1.0, 1.0);
        prjprm prj;
        prjini(&prj);
        const PlanePoint extent = planeExtent(projection);
        int compared = 0;
        for (int i = 0; i < 20000; ++i) {
            const PlanePoint at{extent.x * share(random), 0.999 * extent.y * share(random)};
            Vec3 ours;
            if (!directionFromPlane(projection, false, at, ours)) continue;
            // The limb of the globe magnifies rounding without bound.
            if (projection == Projection::Orthographic && ours.x < 0.01) continue;
            double phi = 0.0, theta = 0.0;
            QCOMPARE(wcsInverse(projection, &prj, -at.x / kDegree, at.y / kDegree, &phi, &theta),
                     0);
            const double apart = angularDistance(ours, viewFromNative(projection, phi, theta));
            // The limb factor is at most 1 / 0.01 for the orthographic projection: 100 times a few
            // machine epsilons, with margin.
            QVERIFY2(apart < 1e-11,
                     qPrintable(QString("%1 at %2 %3").arg(apart).arg(at.x).arg(at.y)));
            ++compared;
        }
        QVERIFY(compared > 14000);
        prjfree(&prj);
    }

    // Sky -> plane -> sky. The forward formulas are accurate to a few epsilon in the plane; the
    // inverse magnifies these errors by the footprint: limit 1e-14 times the footprint.
    void roundTripFromSky_data() { projectionRows(); }
    void roundTripFromSky() {
        QFETCH(Projection, projection);
        std::mt19937_64 random(5);
        for (int i = 0; i < 50000; ++i) {
            const Vec3 d = randomDirection(random);
            PlanePoint at;
            if (!planeFromDirection(projection, i % 2 == 1, d, at)) {
                // Directions without a point on the plane lie behind the tangent point; the limit
                // allows rounding at the horizon.
                QVERIFY(d.x < 1e-9);
                continue;
            }
            Vec3 back;
            QVERIFY(directionFromPlane(projection, i % 2 == 1, at, back));
            const double reach = std::hypot(at.x, at.y);
            const double magnified =
                footprintScale(projection, planeRow(projection, at.y), at.x, back);
            const double limit = 2e-15 * std::max(1.0, reach) * magnified + 1e-14;
            QVERIFY2(angularDistance(d, back) < limit, qPrintable(QString("%1, limit %2, at %3 %4")
                                                                      .arg(angularDistance(d, back))
                                                                      .arg(limit)
                                                                      .arg(at.x)
                                                                      .arg(at.y)));
        }
    }

    // 2 gamma + sin(2 gamma) = pi sin(lat), in the form that keeps the pole: the residual is taken
    // in long double. t - sin(t) is computed to a few epsilon of itself.
    void mollweideEquation() {
        for (int i = 0; i <= 4000; ++i) {
            // From the equator to 1e-150 from the pole, evenly in the logarithm and in u.
            for (const double u : {i / 4000.0, std::pow(10.0, -i / 13.3)}) {
                const long double t = mollweidePolarAngle(u);
                long double residual = 0.0L;
                if (t > 1e-2L)
                    residual = t - sinl(t);
                else
                    residual = t * t * t / 6.0L * (1.0L - t * t / 20.0L + t * t * t * t / 840.0L);
                const long double target = 3.14159265358979323846L * u;
                QVERIFY2(fabsl(residual - target) <= 1.5e-15L * target,
                         qPrintable(QString::number(u, 'g', 17)));
            }
        }
    }

    void mollweideNearThePole_data() {
        QTest::addColumn<double>("distance");
        for (const double d : {1e-1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-100})
            QTest::newRow(qPrintable(QString::number(d))) << d;
    }
    // Close to the pole t^3 / 6 = pi d^2 / 2, so x = (2 sqrt 2 / pi) lon t / 2.
    void mollweideNearThePole() {
        QFETCH(double, distance);
        for (const double sign : {1.0, -1.0}) {
            const double lon = 2.0;
            const Vec3 d{std::sin(distance) * std::cos(lon), std::sin(distance) * std::sin(lon),
                         sign * std::cos(distance)};
            PlanePoint at;
            QVERIFY(planeFromDirection(Projection::Mollweide, false, d, at));
            const double t = std::cbrt(3.0 * kPi * distance * distance);
            const double expected = -(std::sqrt(2.0) / kPi) * lon * t;
            // The next terms of the series are of relative size d^2 and t^2.
            QVERIFY(std::fabs(at.x / expected - 1.0) < 1e-14 + distance * distance + t * t);
            QVERIFY(std::fabs(at.y) <= std::sqrt(2.0) * (1.0 + 3e-16));
        }
    }

    void knownPoints() {
        const double r2 = std::sqrt(2.0);
        const auto forward = [](Projection p, LonLat at, bool flip = false) {
            PlanePoint point{1e300, 1e300};
            planeFromDirection(p, flip, direction(at), point);
            return point;
        };
        const auto near = [](PlanePoint a, PlanePoint b) {
            return std::hypot(a.x - b.x, a.y - b.y) < 4e-16 * 4;
        };
        // East is to the left.
        QVERIFY(near(forward(Projection::Mollweide, {kHalfPi, 0}), {-r2, 0}));
        QVERIFY(near(forward(Projection::Mollweide, {kHalfPi, 0}, true), {r2, 0}));
        QVERIFY(near(forward(Projection::Mollweide, {0, kHalfPi}), {0, r2}));
        QVERIFY(near(forward(Projection::Gnomonic, {0.25 * kPi, 0}), {-1, 0}));
        QVERIFY(near(forward(Projection::Orthographic, {0, kHalfPi}), {0, 1}));
        QVERIFY(near(forward(Projection::Orthographic, {kPi / 6, 0}), {-0.5, 0}));
        QVERIFY(near(forward(Projection::Cartesian, {1, 0.5}), {-1, 0.5}));
        QVERIFY(near(forward(Projection::Lambert, {kHalfPi, 0}), {-r2, 0}));
        QVERIFY(near(forward(Projection::Lambert, {0, -kHalfPi}), {0, -r2}));
        QVERIFY(near(forward(Projection::Hammer, {kPi, 0}), {-2 * r2, 0}));
        QVERIFY(near(forward(Projection::Hammer, {0, -kHalfPi}), {0, -r2}));
        // cos(lon / 2) = 1/2 at 120 degrees: gamma = 2 / sqrt 3, x = 2 gamma sin 60 degrees.
        QVERIFY(near(forward(Projection::Hammer, {2.0 * kPi / 3.0, 0}), {-2.0, 0}));
    }

    // The border belongs to the sky, in steps around it; points slightly outside do not.
    void border_data() { projectionRows(); }
    void border() {
        QFETCH(Projection, projection);
        if (projection == Projection::Gnomonic) QSKIP("has no border");
        const PlanePoint extent = planeExtent(projection);
        for (int i = 0; i < 720; ++i) {
            const double angle = i * kTwoPi / 720.0;
            PlanePoint at{extent.x * std::cos(angle), extent.y * std::sin(angle)};
            if (projection == Projection::Cartesian) {
                const double stretch =
                    1.0 / std::max(std::fabs(std::cos(angle)), std::fabs(std::sin(angle)));
                at = {at.x * stretch, at.y * stretch};
            }
            Vec3 d;
            // Rounding of the point itself: 2e-16, magnified where the border is steep in y.
            const PlanePoint inner{at.x * (1 - 1e-12), at.y * (1 - 1e-12)};
            QVERIFY(directionFromPlane(projection, false, inner, d));
            QVERIFY(std::fabs(norm(d) - 1.0) < 1e-12);
            const PlanePoint outer{at.x * (1 + 1e-9), at.y * (1 + 1e-9)};
            QVERIFY(!directionFromPlane(projection, false, outer, d));
        }
        Vec3 d;
        QVERIFY(directionFromPlane(projection, false, {extent.x, 0.0}, d));
        QVERIFY(directionFromPlane(projection, false, {0.0, extent.y}, d));
        QVERIFY(directionFromPlane(projection, false, {0.0, -extent.y}, d));
        QVERIFY(!directionFromPlane(projection, false, {extent.x * 1.0001, 0.0}, d));
        QVERIFY(!directionFromPlane(projection, false, {std::nan(""), 0.0}, d));
        QVERIFY(!directionFromPlane(projection, false, {0.0, std::nan("")}, d));
    }

    void farSideIsHidden() {
        PlanePoint at;
        QVERIFY(!planeFromDirection(Projection::Orthographic, false, {-1, 0, 0}, at));
        QVERIFY(!planeFromDirection(Projection::Gnomonic, false, {-1, 0, 0}, at));
        QVERIFY(!planeFromDirection(Projection::Gnomonic, false, {0, 1, 0}, at));
        QVERIFY(planeFromDirection(Projection::Orthographic, false, {0, 1, 0}, at));
        QVERIFY(planeFromDirection(Projection::Lambert, false, {-1, 0, 0}, at));
        QCOMPARE(std::hypot(at.x, at.y), 2.0);
        // Close to the antipode the distance to the edge is the square of the angle.
        QVERIFY(planeFromDirection(Projection::Lambert, false, {-1, 1e-9, 0}, at));
        QVERIFY(std::fabs(at.x + 2.0) < 1e-15);
    }

    // Compared with differences of the inverse itself: the largest stretch over all directions.
    void footprint_data() { projectionRows(); }
    void footprint() {
        QFETCH(Projection, projection);
        std::mt19937_64 random(3);
        std::uniform_real_distribution<double> share(-0.97, 0.97);
        const PlanePoint extent = planeExtent(projection);
        const double h = 1e-5;  // differences err by h^2 times third derivatives: 1e-10 * 1e4
        for (int i = 0; i < 2000; ++i) {
            const PlanePoint at{extent.x * share(random), extent.y * share(random)};
            Vec3 d;
            if (!directionFromPlane(projection, false, {at.x * 1.03, at.y * 1.03}, d)) continue;
            if (!directionFromPlane(projection, false, at, d)) continue;
            double largest = 0.0;
            for (int k = 0; k < 360; ++k) {
                const double angle = k * kPi / 360.0;
                Vec3 a, b;
                const PlanePoint p{at.x + h * std::cos(angle), at.y + h * std::sin(angle)};
                const PlanePoint q{at.x - h * std::cos(angle), at.y - h * std::sin(angle)};
                if (directionFromPlane(projection, false, p, a) &&
                    directionFromPlane(projection, false, q, b))
                    largest = std::max(largest, angularDistance(a, b) / (2.0 * h));
            }
            const double ours = footprintScale(projection, planeRow(projection, at.y), at.x, d);
            // 360 senses come within (pi / 720)^2 / 2 = 1e-5 of the largest, times the anisotropy.
            QVERIFY2(
                std::fabs(ours / largest - 1.0) < 2e-3,
                qPrintable(QString("%1 %2 at %3 %4").arg(ours).arg(largest).arg(at.x).arg(at.y)));
        }
    }

    void pyramidLevels() {
        const double cell = std::sqrt(kPi / 3.0) / 1024.0;
        const double root2 = std::sqrt(2.0);
        QCOMPARE(pyramidLevel(0.01 * cell, 1024, 11).level, 0);
        QCOMPARE(pyramidLevel(0.01 * cell, 1024, 11).blend, 0.0F);
        QCOMPARE(pyramidLevel(0.999 * cell / root2, 1024, 11).blend, 0.0F);
        const PyramidLevel three = pyramidLevel(8.0001 * cell / root2, 1024, 11);
        QCOMPARE(three.level, 3);
        // log2(8.0001 / 8) is 1.8e-5.
        QVERIFY(three.blend < 2e-5F);
        const PyramidLevel half = pyramidLevel(8.0 * cell, 1024, 11);
        QCOMPARE(half.level, 3);
        // Single precision rounds a level of 3.5 by 1.2e-7.
        QVERIFY(std::fabs(half.blend - 0.5F) < 3e-7F);
        QCOMPARE(pyramidLevel(1e6 * cell, 1024, 11).level, 10);
        QCOMPARE(pyramidLevel(1e6 * cell, 1024, 11).blend, 0.0F);
        const float bad = std::nanf("");
        QVERIFY(std::isnan(blendedValue(bad, 1.0F, 0.4F)));
        QCOMPARE(blendedValue(bad, 1.0F, 0.6F), 1.0F);
        QCOMPARE(blendedValue(2.0F, 4.0F, 0.5F), 3.0F);
    }

    void imageAndSky_data() { projectionRows(); }
    void imageAndSky() {
        QFETCH(Projection, projection);
        ViewGeometry view;
        view.projection = projection;
        view.width = 640;
        view.height = 400;
        view.radiansPerPixel = 1e-3;
        view.offset = {0.05, -0.02};
        view.skyFromView = skyFromViewRotation({4.0, -1.1}, 0.3);
        std::mt19937_64 random(17);
        std::uniform_real_distribution<double> column(0, 640), row(0, 400);
        for (int i = 0; i < 2000; ++i) {
            const double c = column(random), r = row(random);
            Vec3 d;
            double c2 = 0, r2 = 0;
            QVERIFY(skyFromImage(view, c, r, d));
            QVERIFY(imageFromSky(view, d, c2, r2));
            // Positions are hundreds of pixels and round by 1e-13 pixels; the limit allows for the
            // projection's slope near its edge.
            QVERIFY(std::hypot(c - c2, r - r2) < 1e-9);
        }
    }

    void viewRotation() {
        const LonLat center{1.234, 0.4};
        const Mat3 northUp = skyFromViewRotation(center, 0.0);
        // The center's sines and cosines round by half a machine epsilon each.
        QVERIFY(angularDistance(northUp * Vec3{1, 0, 0}, direction(center)) < 1e-15);
        // A step up goes north, a step to the left (+y) goes east.
        const LonLat up = lonLat(northUp * normalized({1, 0, 1e-3}));
        QVERIFY(up.lat > center.lat && std::fabs(up.lon - center.lon) < 1e-12);
        QVERIFY(lonLat(northUp * normalized({1, 1e-3, 0})).lon > center.lon);
        // Turned a quarter, up is east.
        const Mat3 eastUp = skyFromViewRotation(center, kHalfPi);
        QVERIFY(norm(eastUp * Vec3{0, 0, 1} - northUp * Vec3{0, 1, 0}) < 1e-15);
        const Mat3 unit = transposed(eastUp) * eastUp;
        for (int i = 0; i < 9; ++i) QVERIFY(std::fabs(unit.m[i] - (i % 4 == 0 ? 1 : 0)) < 1e-15);
    }
};

QTEST_APPLESS_MAIN(ViewGeometryTest)
#include "tst_view_geometry.moc"
