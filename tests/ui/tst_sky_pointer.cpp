// SPDX-License-Identifier: GPL-3.0-or-later
// The sky view under pointer input: every movement is compared with the geometry.
#include <QTest>
#include <QUndoStack>
#include <cmath>

#include "armilla/ui/sky_view_widget.h"
#include "sky_pointer.h"
#include "view/camera_pointer.h"
#include "view/sky_arcs.h"
#include "view/sky_overlay.h"
#include "view/sky_view_state.h"

using namespace armilla;
using namespace armilla::test;

class TstSkyPointer : public QObject {
    Q_OBJECT
private slots:
    void dragKeepsTheDirectionUnderThePointer_data();
    void dragKeepsTheDirectionUnderThePointer();
    void dragIsOneUndoStep();
    void glideEndsAtRest();
    void wheelZoomsTowardsTheCursor_data();
    void wheelZoomsTowardsTheCursor();
    void doubleClickCenters();
    void shiftDragMeasures();
    void measurementStaysOnTheSky();
    void keysTurnZoomAndReset();
    void flightIsARotationBetweenTheEnds();
    void arcsAndAnglesOfTheRuler();
};

void TstSkyPointer::dragKeepsTheDirectionUnderThePointer_data() {
    QTest::addColumn<Projection>("projection");
    QTest::addColumn<double>("zoom");
    for (const double zoom : {1.0, 30.0, 4000.0}) {
        const auto row = [&](const char* name, Projection projection) {
            QTest::addRow("%s, zoom %g", name, zoom) << projection << zoom;
        };
        row("Mollweide", Projection::Mollweide);
        row("gnomonic", Projection::Gnomonic);
        row("orthographic", Projection::Orthographic);
        row("Cartesian", Projection::Cartesian);
        row("Lambert", Projection::Lambert);
    }
}

void TstSkyPointer::dragKeepsTheDirectionUnderThePointer() {
    QFETCH(Projection, projection);
    QFETCH(double, zoom);
    Fixture f(DrawChoice::Cpu);
    Camera camera = f.document.view().camera().centeredOn({1.1, 0.35});
    camera.projection = projection;
    camera.zoom = zoom;
    f.document.view().setCamera(camera);
    const QPointF from = f.middle() + QPointF(20.5, -14.25);
    const Vec3 held = f.under(from);
    press(*f.view, from);
    for (const QPointF by :
         {QPointF(31, 8), QPointF(-40.5, 22), QPointF(-63, -35), QPointF(5, 1)}) {
        moveTo(*f.view, from + by);
        QVERIFY2(apart(f.under(from + by), held) < kDirectionLimit,
                 qPrintable(QString::number(apart(f.under(from + by), held))));
    }
    release(*f.view, from + QPointF(5, 1));
    // A drag does not change the zoom; 1e-14 is 45 machine epsilons.
    QVERIFY(std::abs(f.document.view().camera().zoom / zoom - 1.0) < 1e-14);
}

// Another drag that follows without a pause belongs to the same step.
void TstSkyPointer::dragIsOneUndoStep() {
    Fixture f(DrawChoice::Cpu);
    const Mat3 before = f.document.view().camera().orientation;
    const int steps = f.document.history().stack()->index();
    drag(*f.view, f.middle(), f.middle() + QPointF(80, 30));
    drag(*f.view, f.middle(), f.middle() + QPointF(-20, 50));
    QCOMPARE(f.document.history().stack()->index(), steps + 1);
    f.document.history().stack()->undo();
    for (int i = 0; i < 9; ++i) QCOMPARE(f.document.view().camera().orientation.m[i], before.m[i]);
}

void TstSkyPointer::glideEndsAtRest() {
    Fixture f(DrawChoice::Cpu);
    f.view->setInertia(true);
    const QPointF end = f.middle() + QPointF(72.0, 0.0);
    Vec3 atRelease{};
    const auto throwIt = [&] {
        press(*f.view, f.middle());
        for (int i = 1; i <= 6; ++i) {
            QTest::qWait(8);
            moveTo(*f.view, f.middle() + QPointF(12.0 * i, 0.0));
        }
        release(*f.view, end);
        atRelease = f.under(end);
    };
    const auto glides = [&] { return apart(f.under(end), atRelease) > 0.01; };
    throwIt();
    // If a busy machine delays two moves, the pointer counts as resting: try again.
    for (const HangWatch watch; !QTest::qWaitFor(glides, 10000) && !watch.isOver();) throwIt();
    QVERIFY(glides());
    Vec3 last{};
    // At rest once 60 ms (five ticks) change nothing.
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            const Vec3 now = f.under(end);
            QTest::qWait(60);
            last = now;
            return apart(now, f.under(end)) == 0.0;
        }(),
        kPatience);
    // The sphere continued in the direction of the drag, so the position now shows sky from the
    // left.
    QVERIFY(lonLat(last).lon > lonLat(atRelease).lon);
}

void TstSkyPointer::wheelZoomsTowardsTheCursor_data() {
    QTest::addColumn<int>("events");
    QTest::addColumn<int>("angle");
    QTest::addColumn<int>("pixels");
    QTest::addColumn<double>("factor");
    QTest::newRow("three notches in") << 3 << 120 << 0 << std::pow(1.25, 3);
    QTest::newRow("two notches out") << 2 << -120 << 0 << std::pow(1.25, -2);
    QTest::newRow("a fine wheel") << 16 << 15 << 0 << std::pow(1.25, 2);
    QTest::newRow("a touch pad") << 10 << 10 << 12 << std::pow(1.25, 2);
}

void TstSkyPointer::wheelZoomsTowardsTheCursor() {
    QFETCH(int, events);
    QFETCH(int, angle);
    QFETCH(int, pixels);
    QFETCH(double, factor);
    Fixture f(DrawChoice::Cpu);
    Camera camera = f.document.view().camera();
    camera.zoom = 6.0;
    f.document.view().setCamera(camera);
    const QPointF at = f.middle() + QPointF(-120.0, 60.0);
    const Vec3 held = f.under(at);
    for (int i = 0; i < events; ++i) wheel(*f.view, at, angle, pixels);
    // A product of a few powers rounds by machine epsilon each; 1e-12 is 4500.
    QTRY_VERIFY_WITH_TIMEOUT(
        std::abs(f.document.view().camera().zoom / (6.0 * factor) - 1.0) < 1e-12, kPatience);
    // Some twenty small steps, each within the limit of one.
    QVERIFY(apart(f.under(at), held) < 20.0 * kDirectionLimit);
}

void TstSkyPointer::doubleClickCenters() {
    Fixture f(DrawChoice::Cpu);
    const QPointF at = f.middle() + QPointF(110.0, -70.0);
    const Vec3 wanted = f.under(at);
    press(*f.view, at);
    release(*f.view, at);
    send(*f.view, QEvent::MouseButtonDblClick, at, Qt::LeftButton, Qt::LeftButton);
    release(*f.view, at);
    QTRY_VERIFY_WITH_TIMEOUT(
        apart(direction(f.document.view().camera().center()), wanted) < kDirectionLimit, kPatience);
    // The limit guards against a rotation of the view, far above the rounding of a few rotations.
    QVERIFY(std::abs(f.document.view().camera().rotation()) < 1e-9);
}

void TstSkyPointer::shiftDragMeasures() {
    Fixture f(DrawChoice::Cpu);
    const QPointF from = f.middle() + QPointF(-100, -40), to = f.middle() + QPointF(130, 60);
    const Camera before = f.document.view().camera();
    const double angle = apart(f.under(from), f.under(to));
    drag(*f.view, from, to, Qt::ShiftModifier);
    QVERIFY(f.view->measuredAngle().has_value());
    QVERIFY(std::abs(*f.view->measuredAngle() - angle) < kDirectionLimit);
    QVERIFY(looksSame(before, f.document.view().camera()));
    QTest::keyClick(f.view.get(), Qt::Key_Escape);
    QVERIFY(!f.view->measuredAngle().has_value());
    // A drag without Shift rotates the sphere and moves the ruler with it; a click removes the
    // ruler.
    drag(*f.view, from, to, Qt::ShiftModifier);
    drag(*f.view, to, from);
    QVERIFY(f.view->measuredAngle().has_value());
    press(*f.view, from);
    release(*f.view, from);
    QVERIFY(!f.view->measuredAngle().has_value());
    // A click with Shift measures nothing.
    press(*f.view, from, Qt::ShiftModifier);
    release(*f.view, from);
    QVERIFY(!f.view->measuredAngle().has_value());
}

void TstSkyPointer::measurementStaysOnTheSky() {
    Fixture f(DrawChoice::Cpu);
    const auto* overlay = f.view->findChild<SkyOverlay*>();
    drag(*f.view, f.middle() + QPointF(-100, -40), f.middle() + QPointF(130, 60),
         Qt::ShiftModifier);
    const OverlayScene::Ruler before = *overlay->scene().ruler;
    f.document.view().setCamera(f.document.view().camera().inFrame(Frame::Equatorial));
    const Mat3 turn = frameRotation(Frame::Equatorial, Frame::Galactic);
    QTRY_VERIFY_WITH_TIMEOUT(
        apart(overlay->scene().ruler->from, turn * before.from) < kDirectionLimit, kPatience);
    QVERIFY(apart(overlay->scene().ruler->to, turn * before.to) < kDirectionLimit);
}

void TstSkyPointer::keysTurnZoomAndReset() {
    Fixture f(DrawChoice::Cpu);
    f.document.view().setCamera(f.document.view().camera().centeredOn({1.0, 0.2}));
    const auto center = [&] { return f.document.view().camera().center(); };
    LonLat before = center();
    QTest::keyClick(f.view.get(), Qt::Key_Left);
    QVERIFY(center().lon > before.lon);  // east is to the left
    QTest::keyClick(f.view.get(), Qt::Key_Right);
    // Not exactly back: a step is one of the pointer, not one in longitude.
    QVERIFY(std::abs(center().lon - before.lon) < 0.02);
    QTest::keyClick(f.view.get(), Qt::Key_Up);
    QVERIFY(center().lat > before.lat);
    const double coarse = center().lat - before.lat;
    before = center();
    QTest::keyClick(f.view.get(), Qt::Key_Down, Qt::ShiftModifier);
    const double fine = before.lat - center().lat;
    QVERIFY(fine > 0.0 && fine < 0.25 * coarse);
    QTest::keyClick(f.view.get(), Qt::Key_BracketLeft);
    QVERIFY(std::abs(f.document.view().camera().rotation() - 5.0 * kDegree) < 1e-9);
    QTest::keyClick(f.view.get(), Qt::Key_Plus);
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(f.document.view().camera().zoom - 1.25) < 1e-9, kPatience);
    QTest::keyClick(f.view.get(), Qt::Key_Minus);
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(f.document.view().camera().zoom - 1.0) < 1e-9, kPatience);
    QTest::keyClick(f.view.get(), Qt::Key_Home);
    QTRY_VERIFY_WITH_TIMEOUT(f.document.view().camera().zoom == 1.0 && center().lon == 0.0 &&
                                 center().lat == 0.0 &&
                                 f.document.view().camera().rotation() == 0.0,
                             kPatience);
}

void TstSkyPointer::flightIsARotationBetweenTheEnds() {
    Camera start, end;
    start.orientation = skyFromViewRotation({0.3, -0.2}, 0.1);
    end.orientation = skyFromViewRotation({2.9, 0.8}, -0.4);
    start.zoom = 2.0;
    end.zoom = 50.0;
    const Camera half = between(start, end, 0.5);
    // The geometric mean of 2 and 50: a logarithm and an exponential round by a few machine
    // epsilons of 10.
    QVERIFY(std::abs(half.zoom - 10.0) < 1e-12);
    // Half of the rotation twice is all of it.
    const Mat3 step = transposed(start.orientation) * half.orientation;
    const Mat3 twice = start.orientation * (step * step);
    for (int i = 0; i < 9; ++i) QVERIFY(std::abs(twice.m[i] - end.orientation.m[i]) < 1e-13);
    QVERIFY(looksSame(between(start, end, 1.0), end));
    QVERIFY(std::abs(between(start, end, 0.0).orientation.m[4] - start.orientation.m[4]) < 1e-15);
    // Half a turn, where the axis cannot be taken from the antisymmetric part.
    end.orientation = start.orientation * Mat3{{-1, 0, 0, 0, 1, 0, 0, 0, -1}};
    const Mat3 quarter = transposed(start.orientation) * between(start, end, 0.5).orientation;
    const Mat3 back = quarter * quarter;
    const double wanted[] = {-1, 0, 0, 0, 1, 0, 0, 0, -1};
    // Rotations round by a few machine epsilons; near half a turn the axis amplifies that.
    for (int i = 0; i < 9; ++i) QVERIFY(std::abs(back.m[i] - wanted[i]) < 1e-12);
}

void TstSkyPointer::arcsAndAnglesOfTheRuler() {
    const Vec3 from = direction({0.2, 0.1});
    // Angles from products of unit vectors round by a few machine epsilons of up to pi.
    QVERIFY(positionAngle(from, direction({0.2, 0.3})) < 1e-12);
    QVERIFY(std::abs(positionAngle(direction({0.2, 0.0}), direction({0.5, 0.0})) - kHalfPi) <
            1e-12);
    QVERIFY(std::abs(positionAngle(from, direction({0.2, -0.3})) - kPi) < 1e-12);
    // Every point of the arc lies on the great circle, and its ends are the given ones.
    Camera camera;
    const ViewGeometry view = camera.geometry(800, 400, Frame::Galactic);
    const Vec3 to = direction({-1.1, -0.6});
    const auto arc = arcLines(view, from, to);
    QCOMPARE(arc.size(), size_t{1});
    const Vec3 normal = normalized(cross(from, to));
    for (const ImagePoint& p : arc[0]) {
        Vec3 v;
        QVERIFY(skyFromImage(view, p.column, p.row, v));
        // Projection and its inverse round by a few machine epsilons, amplified near the edge of
        // the view.
        QVERIFY(std::abs(dot(v, normal)) < 1e-12);
    }
    // Across the edge of the projection it is cut in two.
    QCOMPARE(arcLines(view, direction({3.0, 0.2}), direction({-3.0, 0.1})).size(), size_t{2});
    QVERIFY(arcLines(view, from, from).empty());
}

QTEST_MAIN(TstSkyPointer)
#include "tst_sky_pointer.moc"
