// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "armilla/core/error.h"
#include "armilla/draw/camera.h"
#include "support/projections.h"

using namespace armilla;

namespace {

constexpr int kWidth = 1600, kHeight = 900;

void projectionRows() {
    QTest::addColumn<Projection>("projection");
    QTest::addColumn<double>("zoom");
    for (const auto& [name, projection] : kProjections)
        for (const double zoom : {1.0, 7.0, 3000.0})
            QTest::addRow("%s, zoom %g", name, zoom) << projection << zoom;
}

std::optional<Vec3> skyAt(const Camera& camera, double column, double row) {
    Vec3 d;
    if (!skyFromImage(camera.geometry(kWidth, kHeight, camera.frame), column, row, d)) return {};
    return d;
}

// Distance in pixels between a direction and its expected position.
double missBy(const Camera& camera, Vec3 d, double column, double row) {
    double c = 0, r = 0;
    if (!imageFromSky(camera.geometry(kWidth, kHeight, camera.frame), d, c, r)) return 1e9;
    return std::hypot(c - column, r - row);
}

double orthonormalityError(const Mat3& m) {
    const Mat3 unit = transposed(m) * m;
    double worst = 0.0;
    for (int i = 0; i < 9; ++i)
        worst = std::max(worst, std::fabs(unit.m[i] - (i % 4 == 0 ? 1.0 : 0.0)));
    return worst;
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)

class CameraTest : public QObject {
    Q_OBJECT
private slots:
    // The point stays under the pointer, to a thousandth of a pixel, at any position on the sky. At
    // zoom 3000 a pixel is 1e-6 rad and a direction is accurate to 1e-15, which leaves a wide
    // margin.
    void dragKeepsThePoint_data() { projectionRows(); }
    void dragKeepsThePoint() {
        QFETCH(Projection, projection);
        QFETCH(double, zoom);
        std::mt19937_64 random(23);
        std::uniform_real_distribution<double> column(0, kWidth), row(0, kHeight), angle(-3.0, 3.0),
            lat(-1.5, 1.5);
        int exact = 0, northKept = 0;
        for (int i = 0; i < 3000; ++i) {
            Camera camera;
            camera.projection = projection;
            camera.zoom = zoom;
            camera.flip = i % 3 == 0;
            camera.orientation =
                skyFromViewRotation({angle(random), lat(random)}, i % 2 == 0 ? 0.0 : angle(random));
            const double c0 = column(random), r0 = row(random);
            const double c1 = column(random), r1 = row(random);
            const auto held = skyAt(camera, c0, r0), under = skyAt(camera, c1, r1);
            if (!held || !under) continue;
            // The edge magnifies rounding, so the test stays a pixel away.
            if (!skyAt(camera, c1 + 1, r1 + 1) || !skyAt(camera, c1 - 1, r1 - 1)) continue;
            const Camera moved = camera.dragged(kWidth, kHeight, c0, r0, c1, r1);
            const double miss = missBy(moved, *held, c1, r1);
            QVERIFY2(miss < 1e-3, qPrintable(QString("missed by %1").arg(miss)));
            QVERIFY(orthonormalityError(moved.orientation) < 1e-14);
            const Camera free = camera.dragged(kWidth, kHeight, c0, r0, c1, r1, false);
            QVERIFY(missBy(free, *held, c1, r1) < 1e-3);
            ++exact;
            if (std::fabs(std::remainder(moved.rotation() - camera.rotation(), kTwoPi)) < 1e-6)
                ++northKept;
        }
        QVERIFY(exact > 500);
        // Only in wide views can a point be too far from the pole to be held with north up.
        QVERIFY(northKept > (zoom > 1000.0 ? exact * 99 / 100 : exact / 3));
    }

    // In small steps along a path the sky never jumps, unless the pole is near.
    void dragIsContinuous_data() { projectionRows(); }
    void dragIsContinuous() {
        QFETCH(Projection, projection);
        QFETCH(double, zoom);
        Camera start;
        start.projection = projection;
        start.zoom = zoom;
        Camera last = start;
        for (int step = 1; step <= 200; ++step) {
            const Camera moved =
                start.dragged(kWidth, kHeight, 820, 430, 820 + step, 430 - 0.5 * step);
            const double turn =
                angularDistance(direction(moved.center()), direction(last.center()));
            // One step is 1.2 pixels; the globe's limb and Mollweide's shear may stretch it.
            QVERIFY(turn < 6.0 * start.radiansPerPixel(kWidth, kHeight));
            last = moved;
        }
    }

    void dragOffTheSphere() {
        Camera globe;
        globe.projection = Projection::Orthographic;
        // The pointer leaves to the far left: the held point stays at the limb next to it.
        const Vec3 held = *skyAt(globe, 900, 450);
        const Camera moved = globe.dragged(kWidth, kHeight, 900, 450, -4000, 450);
        const Vec3 seen = transposed(moved.orientation) * held;
        QVERIFY(angularDistance(seen, {0, 1, 0}) < 1e-7);  // the limb: root of an epsilon
        // A start off the sky rotates as from the center: 45 pixels of a radius of 450 are
        // asin(0.1).
        const Camera aside = globe.dragged(kWidth, kHeight, 10, 10, 55, 10);
        QVERIFY(std::fabs(angularDistance(direction(aside.center()), direction(globe.center())) -
                          std::asin(0.1)) < 1e-12);
        QVERIFY(orthonormalityError(aside.orientation) < 1e-14);
    }

    void zoomKeepsThePoint_data() { projectionRows(); }
    void zoomKeepsThePoint() {
        QFETCH(Projection, projection);
        QFETCH(double, zoom);
        std::mt19937_64 random(29);
        std::uniform_real_distribution<double> column(0, kWidth), row(0, kHeight), angle(-3.0, 3.0),
            lat(-1.2, 1.2), factor(0.7, 1.6);
        int kept = 0;
        for (int i = 0; i < 3000; ++i) {
            Camera camera;
            camera.projection = projection;
            camera.zoom = zoom;
            camera.orientation = skyFromViewRotation({angle(random), lat(random)}, 0.0);
            const double c = column(random), r = row(random);
            const auto held = skyAt(camera, c, r);
            const Camera moved = camera.zoomed(kWidth, kHeight, c, r, factor(random));
            QVERIFY(moved.zoom != camera.zoom);
            if (!held || !skyAt(moved, c, r)) continue;
            if (!skyAt(moved, c + 1, r + 1) || !skyAt(moved, c - 1, r - 1)) continue;
            // The limit in pixels guards against a visible shift: a thousandth of a pixel.
            QVERIFY(missBy(moved, *held, c, r) < 1e-3);
            ++kept;
        }
        QVERIFY(kept > 800);
    }

    // Zooming in and out again around one point returns to the start.
    void zoomThereAndBack_data() { projectionRows(); }
    void zoomThereAndBack() {
        QFETCH(Projection, projection);
        Camera start;
        start.projection = projection;
        Camera camera = start;
        for (int i = 0; i < 30; ++i) camera = camera.zoomed(kWidth, kHeight, 1000, 380, 1.25);
        // Each of 30 zooms is a rotation that rounds by a few machine epsilons; 1e-12 is 4500.
        QVERIFY(std::fabs(camera.rotation()) < 1e-12);
        for (int i = 0; i < 30; ++i) camera = camera.zoomed(kWidth, kHeight, 1000, 380, 0.8);
        // A product of 60 factors: 60 machine epsilons are 1.3e-14.
        QVERIFY(std::fabs(camera.zoom - 1.0) < 1e-12);
        for (int i = 0; i < 9; ++i)
            QVERIFY(std::fabs(camera.orientation.m[i] - start.orientation.m[i]) < 1e-9);
    }

    void zoomLimits() {
        const Camera camera;
        QCOMPARE(camera.zoomed(kWidth, kHeight, 800, 450, 1e30).zoom, Camera::kMaxZoom);
        QCOMPARE(camera.zoomed(kWidth, kHeight, 800, 450, 1e-30).zoom, Camera::kMinZoom);
    }

    void wholeSkyFits_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::newRow("wide") << 1600 << 300;
        QTest::newRow("usual") << 1600 << 900;
        QTest::newRow("square") << 700 << 700;
        QTest::newRow("tall") << 300 << 1400;
    }
    void wholeSkyFits() {
        QFETCH(int, width);
        QFETCH(int, height);
        for (const auto& [name, projection] : kProjections) {
            Camera camera;
            camera.projection = projection;
            const PlanePoint extent = planeExtent(projection);
            const double scale = camera.radiansPerPixel(width, height);
            QVERIFY(2 * extent.x / scale <= width * (1 + 1e-12));
            QVERIFY(2 * extent.y / scale <= height * (1 + 1e-12));
            QVERIFY(2 * extent.x / scale > width - 1e-6 || 2 * extent.y / scale > height - 1e-6);
            camera.zoom = camera.zoomFor(width, height, 1e-4);
            // The quotient of 1e-4 rounds by one unit in the last place, 1.4e-20; the limit allows
            // 70.
            QVERIFY(std::fabs(camera.radiansPerPixel(width, height) - 1e-4) < 1e-18);
        }
    }

    void centerAndRotation() {
        Camera camera;
        camera = camera.centeredOn({2.0, -0.7}).turned(0.4);
        // Rotations and their inverse trigonometric functions round by a few machine epsilons;
        // 1e-14 is 45.
        QVERIFY(std::fabs(camera.center().lon - 2.0) < 1e-14);
        QVERIFY(std::fabs(camera.center().lat + 0.7) < 1e-14);
        QVERIFY(std::fabs(camera.rotation() - 0.4) < 1e-14);
        QVERIFY(std::fabs(camera.centeredOn({1.0, 0.2}).rotation() - 0.4) < 1e-14);
        // At the pole, where longitude is degenerate.
        const Camera pole = Camera{}.centeredOn({1.0, kHalfPi});
        QVERIFY(std::fabs(pole.center().lat - kHalfPi) < 1e-15);
        QVERIFY(orthonormalityError(pole.turned(0.3).orientation) < 1e-14);
    }

    void frameChangeKeepsTheCenter() {
        const Camera camera = Camera{}.centeredOn({1.0, 0.3});
        const Camera other = camera.inFrame(Frame::Equatorial);
        QCOMPARE(other.frame, Frame::Equatorial);
        const Vec3 before = direction(camera.center());
        const Vec3 after =
            frameRotation(Frame::Galactic, Frame::Equatorial) * direction(other.center());
        // Two rotations round by a few machine epsilons; 1e-14 is 45.
        QVERIFY(angularDistance(before, after) < 1e-14);
        QVERIFY(std::fabs(other.rotation()) < 1e-14);  // north of the new frame is up
        const Camera back = other.inFrame(Frame::Galactic);
        for (int i = 0; i < 9; ++i)
            QVERIFY(std::fabs(back.orientation.m[i] - camera.orientation.m[i]) < 1e-14);
        QVERIFY_EXCEPTION_THROWN(camera.inFrame(Frame::Unknown), InvalidArgument);
    }

    // The same direction lies under the same pixel for any frame of the map.
    void geometryOfAMapInAnotherFrame() {
        const Camera camera = Camera{}.centeredOn({1.0, 0.3});
        Vec3 own, other;
        QVERIFY(skyFromImage(camera.geometry(kWidth, kHeight, Frame::Galactic), 700, 300, own));
        QVERIFY(skyFromImage(camera.geometry(kWidth, kHeight, Frame::Ecliptic), 700, 300, other));
        const Vec3 turned = frameRotation(Frame::Ecliptic, Frame::Galactic) * own;
        // Two rotations round by a few machine epsilons; 1e-14 is 45.
        QVERIFY(angularDistance(turned, other) < 1e-14);
        Camera unknown;
        unknown.frame = Frame::Unknown;
        QVERIFY(unknown.geometry(kWidth, kHeight, Frame::Unknown).radiansPerPixel > 0.0);
    }
};

QTEST_APPLESS_MAIN(CameraTest)
#include "tst_camera.moc"
