// SPDX-License-Identifier: GPL-3.0-or-later
// The sky view under a hand: every movement is checked against the geometry, the pictures against
// the map's own values, on the graphics path and on the CPU's.
#include <QPushButton>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>
#include <QWheelEvent>
#include <QWindow>
#include <cmath>

#include "src/view/camera_hand.h"
#include "src/view/sky_overlay.h"
#include "src/view/sky_view_state.h"
#include "ui/inspector_widget.h"
#include "ui/sky_view_widget.h"
#include "ui/theme.h"
#include "view_fixture.h"

using namespace armilla;

namespace {

// Directions go once through the projection and back, each within 1e-13 (view_geometry.h), and a
// camera adds a few products of 3x3 matrices.
constexpr double kDirectionLimit = 1e-11;
constexpr QSize kSize(640, 420);

void send(QWidget& widget, QEvent::Type type, QPointF at, Qt::MouseButton button,
          Qt::MouseButtons buttons, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QMouseEvent event(type, at, widget.mapToGlobal(at), button, buttons, modifiers);
    QApplication::sendEvent(&widget, &event);
}
void press(QWidget& widget, QPointF at, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    send(widget, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton, modifiers);
}
void moveTo(QWidget& widget, QPointF at, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    send(widget, QEvent::MouseMove, at, Qt::NoButton, Qt::LeftButton, modifiers);
}
void release(QWidget& widget, QPointF at) {
    send(widget, QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
}
void drag(QWidget& widget, QPointF from, QPointF to, Qt::KeyboardModifiers mods = Qt::NoModifier) {
    press(widget, from, mods);
    for (int i = 1; i <= 5; ++i) moveTo(widget, from + (to - from) * (i / 5.0), mods);
    release(widget, to);
}
void wheel(QWidget& widget, QPointF at, int angle, int pixels = 0) {
    QWheelEvent event(at, widget.mapToGlobal(at), QPoint(0, pixels), QPoint(0, angle), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

struct Fixture {
    Document document;
    std::shared_ptr<const HealpixMap> first = test::waveMap(8), second = test::waveMap(4);
    int a = -1, b = -1;
    std::unique_ptr<SkyViewWidget> view;

    explicit Fixture(DrawChoice choice) {
        b = test::addReady(document, second, QStringLiteral("second"));
        a = test::addReady(document, first, QStringLiteral("first"));
        document.setCompared({b, 0, Quantity::Field});
        document.setComparison(Comparison::Single);
        document.setGraticule(false, 0.0);
        view = std::make_unique<SkyViewWidget>(document);
        view->setDrawChoice(choice);
        view->setInertia(false);
        view->setBlinkInterval(0);
        view->setInspectorVisible(false);
        view->resize(kSize);
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        QTRY_VERIFY(view->cursorAt(middle()).has_value());
    }
    QPointF middle() const { return QPointF(0.5 * kSize.width(), 0.5 * kSize.height()); }
    Vec3 under(QPointF at) const {
        const auto place = view->cursorAt(at);
        return place ? place->direction : Vec3{};
    }
    QColor expected(const SkyCursor& place) const {
        const HealpixMap& map = place.shown.entry == a ? *first : *second;
        const ColorScale scale = document.colorScale(place.shown);
        const Rgba c = colorOf(scale, colorTable(scale.colorMap, scale.reversed),
                               static_cast<float>(map.value(0, map.pixelAt(place.direction))));
        return {c.r, c.g, c.b};
    }
    // Image pixels whose whole neighborhood lies in one map pixel are compared; pixels at borders
    // may fall either way.
    int differences(const QImage& image, int& compared) const {
        int wrong = 0;
        compared = 0;
        for (int y = 70; y < kSize.height() - 110; y += 5)
            for (int x = 60; x < kSize.width() - 60; x += 5) {
                const auto place = view->cursorAt(QPointF(x + 0.5, y + 0.5));
                if (!place || nearDivider(x) || !alone(*place, x, y)) continue;
                ++compared;
                const QColor want = expected(*place), got = image.pixelColor(x, y);
                // One step of the 256-color table from rounding of the color position.
                const int off = std::max({std::abs(want.red() - got.red()),
                                          std::abs(want.green() - got.green()),
                                          std::abs(want.blue() - got.blue())});
                if (off > 6) ++wrong;
            }
        return wrong;
    }
    bool nearDivider(int x) const {
        return document.comparison() == Comparison::Swipe &&
               std::abs(x - document.swipe() * kSize.width()) < 20.0;
    }
    bool alone(const SkyCursor& place, int x, int y) const {
        const HealpixMap& map = place.shown.entry == a ? *first : *second;
        const int64_t pixel = map.pixelAt(place.direction);
        for (const QPointF step :
             {QPointF(-1, -1), QPointF(2, -1), QPointF(-1, 2), QPointF(2, 2)}) {
            const auto near = view->cursorAt(QPointF(x, y) + step);
            if (!near || !(near->shown == place.shown) || map.pixelAt(near->direction) != pixel)
                return false;
        }
        return true;
    }
    // Grabs until the picture agrees with the map: coarse and late pictures are on their way.
    bool picturesAgree() const {
        int compared = 0, wrong = 0;
        // Without the hand there are no linked crosses over the picture.
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(view.get(), &leave);
        for (int i = 0; i < 100; ++i) {
            QTest::qWait(50);
            wrong = differences(view->grab().toImage(), compared);
            if (wrong == 0 && compared > 100) return true;
        }
        qWarning("%d of %d pixels differ", wrong, compared);
        return false;
    }
};

double apart(Vec3 a, Vec3 b) {
    return angularDistance(a, b);
}

void addWays() {
    QTest::addColumn<DrawChoice>("way");
    QTest::newRow("opengl") << DrawChoice::OpenGl;
    QTest::newRow("cpu") << DrawChoice::Cpu;
}

}  // namespace

class TstSkyView : public QObject {
    Q_OBJECT
private slots:
    void pictureShowsTheMapsValues_data() { addWays(); }
    void pictureShowsTheMapsValues();
    void dragKeepsTheDirectionUnderTheHand_data();
    void dragKeepsTheDirectionUnderTheHand();
    void dragIsOneUndoStep();
    void glideEndsAtRest();
    void wheelZoomsTowardsTheCursor_data();
    void wheelZoomsTowardsTheCursor();
    void doubleClickCenters();
    void shiftDragMeasures();
    void measurementStaysOnTheSky();
    void labelsLieClear_data();
    void labelsLieClear();
    void keysTurnZoomAndReset();
    void swipeShowsBothMaps_data() { addWays(); }
    void swipeShowsBothMaps();
    void sideBySideIsLinked_data() { addWays(); }
    void sideBySideIsLinked();
    void blinksByKeyAndByTime();
    void lastGoodPictureStays();
    void refusedWaysAreTold();
    void screenShowsWhatIsOverTheSky();
    void flightIsARotationBetweenTheEnds();
    void arcsAndAnglesOfTheRuler();
};

void TstSkyView::pictureShowsTheMapsValues() {
    QFETCH(DrawChoice, way);
    Fixture f(way);
    QVERIFY(f.view->pathName().startsWith(way == DrawChoice::Cpu ? QStringLiteral("CPU")
                                                                 : QStringLiteral("OpenGL")));
    QVERIFY(f.picturesAgree());
    // And again after a drag, when coarse pictures have been replaced.
    drag(*f.view, f.middle(), f.middle() + QPointF(90, 40));
    QVERIFY(f.picturesAgree());
    QVERIFY(f.view->frameTime() > 0.0);
}

void TstSkyView::dragKeepsTheDirectionUnderTheHand_data() {
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

void TstSkyView::dragKeepsTheDirectionUnderTheHand() {
    QFETCH(Projection, projection);
    QFETCH(double, zoom);
    Fixture f(DrawChoice::Cpu);
    Camera camera = f.document.camera().centeredOn({1.1, 0.35});
    camera.projection = projection;
    camera.zoom = zoom;
    f.document.setCamera(camera);
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
    QVERIFY(std::abs(f.document.camera().zoom / zoom - 1.0) < 1e-14);
}

// And another drag that follows without a pause belongs to the same step.
void TstSkyView::dragIsOneUndoStep() {
    Fixture f(DrawChoice::Cpu);
    const Mat3 before = f.document.camera().orientation;
    const int steps = f.document.undoStack()->index();
    drag(*f.view, f.middle(), f.middle() + QPointF(80, 30));
    drag(*f.view, f.middle(), f.middle() + QPointF(-20, 50));
    QCOMPARE(f.document.undoStack()->index(), steps + 1);
    f.document.undoStack()->undo();
    for (int i = 0; i < 9; ++i) QCOMPARE(f.document.camera().orientation.m[i], before.m[i]);
}

void TstSkyView::glideEndsAtRest() {
    Fixture f(DrawChoice::Cpu);
    f.view->setInertia(true);
    press(*f.view, f.middle());
    for (int i = 1; i <= 6; ++i) {
        QTest::qWait(8);
        moveTo(*f.view, f.middle() + QPointF(12.0 * i, 0.0));
    }
    const QPointF end = f.middle() + QPointF(72.0, 0.0);
    release(*f.view, end);
    const Vec3 atRelease = f.under(end);
    QTRY_VERIFY(apart(f.under(end), atRelease) > 0.01);
    Vec3 last{};
    // At rest once 60 ms (five ticks) change nothing.
    QTRY_VERIFY([&] {
        const Vec3 now = f.under(end);
        QTest::qWait(60);
        last = now;
        return apart(now, f.under(end)) == 0.0;
    }());
    // The sphere went on the way the hand went: what was left of the place is there now.
    QVERIFY(lonLat(last).lon > lonLat(atRelease).lon);
}

void TstSkyView::wheelZoomsTowardsTheCursor_data() {
    QTest::addColumn<int>("events");
    QTest::addColumn<int>("angle");
    QTest::addColumn<int>("pixels");
    QTest::addColumn<double>("factor");
    QTest::newRow("three notches in") << 3 << 120 << 0 << std::pow(1.25, 3);
    QTest::newRow("two notches out") << 2 << -120 << 0 << std::pow(1.25, -2);
    QTest::newRow("a fine wheel") << 16 << 15 << 0 << std::pow(1.25, 2);
    QTest::newRow("a touch pad") << 10 << 10 << 12 << std::pow(1.25, 2);
}

void TstSkyView::wheelZoomsTowardsTheCursor() {
    QFETCH(int, events);
    QFETCH(int, angle);
    QFETCH(int, pixels);
    QFETCH(double, factor);
    Fixture f(DrawChoice::Cpu);
    Camera camera = f.document.camera();
    camera.zoom = 6.0;
    f.document.setCamera(camera);
    const QPointF at = f.middle() + QPointF(-120.0, 60.0);
    const Vec3 held = f.under(at);
    for (int i = 0; i < events; ++i) wheel(*f.view, at, angle, pixels);
    QTRY_VERIFY(std::abs(f.document.camera().zoom / (6.0 * factor) - 1.0) < 1e-12);
    // Some twenty small steps, each within the limit of one.
    QVERIFY(apart(f.under(at), held) < 20.0 * kDirectionLimit);
}

void TstSkyView::doubleClickCenters() {
    Fixture f(DrawChoice::Cpu);
    const QPointF at = f.middle() + QPointF(110.0, -70.0);
    const Vec3 wanted = f.under(at);
    press(*f.view, at);
    release(*f.view, at);
    send(*f.view, QEvent::MouseButtonDblClick, at, Qt::LeftButton, Qt::LeftButton);
    release(*f.view, at);
    QTRY_VERIFY(apart(direction(f.document.camera().center()), wanted) < kDirectionLimit);
    QVERIFY(std::abs(f.document.camera().rotation()) < 1e-9);
}

void TstSkyView::shiftDragMeasures() {
    Fixture f(DrawChoice::Cpu);
    const QPointF from = f.middle() + QPointF(-100, -40), to = f.middle() + QPointF(130, 60);
    const Camera before = f.document.camera();
    const double angle = apart(f.under(from), f.under(to));
    drag(*f.view, from, to, Qt::ShiftModifier);
    QVERIFY(f.view->measuredAngle().has_value());
    QVERIFY(std::abs(*f.view->measuredAngle() - angle) < kDirectionLimit);
    QVERIFY(looksSame(before, f.document.camera()));
    QTest::keyClick(f.view.get(), Qt::Key_Escape);
    QVERIFY(!f.view->measuredAngle().has_value());
    // A drag without Shift turns the sphere and takes the line along; a click leaves it.
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

void TstSkyView::measurementStaysOnTheSky() {
    Fixture f(DrawChoice::Cpu);
    const auto* overlay = f.view->findChild<SkyOverlay*>();
    drag(*f.view, f.middle() + QPointF(-100, -40), f.middle() + QPointF(130, 60),
         Qt::ShiftModifier);
    const OverlayScene::Ruler before = *overlay->scene().ruler;
    f.document.setCamera(f.document.camera().inFrame(Frame::Equatorial));
    const Mat3 turn = frameRotation(Frame::Equatorial, Frame::Galactic);
    QTRY_VERIFY(apart(overlay->scene().ruler->from, turn * before.from) < kDirectionLimit);
    QVERIFY(apart(overlay->scene().ruler->to, turn * before.to) < kDirectionLimit);
}

// Nothing is written upon a name, a color bar, the inspector, the divider's handle, or another
// label.
void TstSkyView::labelsLieClear_data() {
    QTest::addColumn<int>("projection");
    QTest::addColumn<double>("zoom");
    for (const Projection projection :
         {Projection::Mollweide, Projection::Gnomonic, Projection::Orthographic,
          Projection::Cartesian, Projection::Lambert})
        for (const double zoom : {1.0, 4.0, 300.0})
            QTest::addRow("projection %d, zoom %g", static_cast<int>(projection), zoom)
                << static_cast<int>(projection) << zoom;
}

void TstSkyView::labelsLieClear() {
    QFETCH(int, projection);
    QFETCH(double, zoom);
    Fixture f(DrawChoice::Cpu);
    f.view->setInspectorVisible(true);
    f.document.setComparison(Comparison::Swipe);
    f.document.setGraticule(true, 0.0);
    const auto* overlay = f.view->findChild<SkyOverlay*>();
    size_t labels = 0;
    for (const double lat : {0.0, 0.6, 1.4}) {
        Camera camera = f.document.camera().centeredOn({0.4, lat});
        camera.projection = static_cast<Projection>(projection);
        camera.zoom = zoom;
        f.document.setCamera(camera);
        QTRY_VERIFY(looksSame(overlay->scene().camera, withRim(camera)));
        const std::vector<QRectF> cards = overlay->cards();
        QVERIFY(cards.size() >= 4);
        const auto placed = overlay->placedLabels();
        labels += placed.size();
        for (size_t i = 0; i < placed.size(); ++i) {
            for (const QRectF& card : cards) QVERIFY(!card.intersects(placed[i].box));
            for (size_t j = 0; j < i; ++j) QVERIFY(!placed[j].box.intersects(placed[i].box));
        }
    }
    QVERIFY(labels >= 6);
}

void TstSkyView::keysTurnZoomAndReset() {
    Fixture f(DrawChoice::Cpu);
    f.document.setCamera(f.document.camera().centeredOn({1.0, 0.2}));
    const auto center = [&] { return f.document.camera().center(); };
    LonLat before = center();
    QTest::keyClick(f.view.get(), Qt::Key_Left);
    QVERIFY(center().lon > before.lon);  // east is to the left
    QTest::keyClick(f.view.get(), Qt::Key_Right);
    // Not quite back: a step is one of the hand, not one in longitude.
    QVERIFY(std::abs(center().lon - before.lon) < 0.02);
    QTest::keyClick(f.view.get(), Qt::Key_Up);
    QVERIFY(center().lat > before.lat);
    const double coarse = center().lat - before.lat;
    before = center();
    QTest::keyClick(f.view.get(), Qt::Key_Down, Qt::ShiftModifier);
    const double fine = before.lat - center().lat;
    QVERIFY(fine > 0.0 && fine < 0.25 * coarse);
    QTest::keyClick(f.view.get(), Qt::Key_BracketLeft);
    QVERIFY(std::abs(f.document.camera().rotation() - 5.0 * kDegree) < 1e-9);
    QTest::keyClick(f.view.get(), Qt::Key_Plus);
    QTRY_VERIFY(std::abs(f.document.camera().zoom - 1.25) < 1e-9);
    QTest::keyClick(f.view.get(), Qt::Key_Minus);
    QTRY_VERIFY(std::abs(f.document.camera().zoom - 1.0) < 1e-9);
    QTest::keyClick(f.view.get(), Qt::Key_Home);
    QTRY_VERIFY(f.document.camera().zoom == 1.0 && center().lon == 0.0 && center().lat == 0.0 &&
                f.document.camera().rotation() == 0.0);
}

void TstSkyView::swipeShowsBothMaps() {
    QFETCH(DrawChoice, way);
    Fixture f(way);
    f.document.setComparison(Comparison::Swipe);
    const int b = f.b, a = f.a;
    QCOMPARE(f.view->cursorAt(f.middle() + QPointF(-50, 0))->shown.entry, a);
    QCOMPARE(f.view->cursorAt(f.middle() + QPointF(50, 0))->shown.entry, b);
    QVERIFY(f.picturesAgree());
    // The divider is taken within a few pixels and follows the hand; the sphere stays.
    const Camera before = f.document.camera();
    drag(*f.view, f.middle() + QPointF(3, 90), f.middle() + QPointF(-160, 90));
    QCOMPARE(f.document.swipe(), (0.5 * kSize.width() - 160.0) / kSize.width());
    QVERIFY(looksSame(before, f.document.camera()));
    QCOMPARE(f.view->cursorAt(f.middle() + QPointF(-50, 0))->shown.entry, b);
    QVERIFY(f.picturesAgree());
    drag(*f.view, f.middle() + QPointF(-160, 0), QPointF(-500, 0));
    QCOMPARE(f.document.swipe(), 0.0);
}

void TstSkyView::sideBySideIsLinked() {
    QFETCH(DrawChoice, way);
    Fixture f(way);
    f.document.setComparison(Comparison::SideBySide);
    const QPointF left(150.0, 200.0), right = left + QPointF(0.5 * kSize.width(), 0.0);
    QCOMPARE(f.view->cursorAt(left)->shown.entry, f.a);
    QCOMPARE(f.view->cursorAt(right)->shown.entry, f.b);
    QVERIFY(apart(f.under(left), f.under(right)) < kDirectionLimit);
    const Vec3 held = f.under(left);
    drag(*f.view, right, right + QPointF(30, -25));
    QVERIFY(apart(f.under(left + QPointF(30, -25)), held) < kDirectionLimit);
    QVERIFY(f.picturesAgree());
}

void TstSkyView::blinksByKeyAndByTime() {
    Fixture f(DrawChoice::Cpu);
    f.document.setComparison(Comparison::Blink);
    const auto entry = [&] { return f.view->cursorAt(f.middle())->shown.entry; };
    QCOMPARE(entry(), f.a);
    QTest::keyClick(f.view.get(), Qt::Key_Space);
    QCOMPARE(entry(), f.b);
    QVERIFY(f.picturesAgree());
    QTest::keyClick(f.view.get(), Qt::Key_Space);
    QCOMPARE(entry(), f.a);
    f.view->setBlinkInterval(40);
    QTRY_COMPARE(entry(), f.b);
    QTRY_COMPARE(entry(), f.a);
    f.document.setComparison(Comparison::Single);
    QTest::qWait(100);
    QCOMPARE(entry(), f.a);
}

void TstSkyView::lastGoodPictureStays() {
    Fixture f(DrawChoice::Cpu);
    QVERIFY(f.picturesAgree());
    const QColor before = f.view->grab().toImage().pixelColor(300, 150);
    const auto third = test::waveMap(4, Frame::Galactic, -1.0);
    const int id = f.document.addLayer(third, QStringLiteral("third"), Recipe{});
    f.document.setComparison(Comparison::Single);
    QCOMPARE(f.document.shown().entry, id);
    QTest::qWait(250);
    QCOMPARE(f.view->grab().toImage().pixelColor(300, 150), before);
    // The read-out belongs to the picture that is there.
    QCOMPARE(f.view->cursorAt(f.middle())->shown.entry, f.a);
    f.document.setDrawable({id, 0, Quantity::Field},
                           test::drawableOf(*third, 0, f.document.entry(id)->revision));
    QCOMPARE(f.view->cursorAt(f.middle())->shown.entry, id);
    QTRY_VERIFY(f.view->grab().toImage().pixelColor(300, 150) != before);
}

void TstSkyView::refusedWaysAreTold() {
    Fixture f(DrawChoice::Cpu);
    QSignalSpy messages(f.view.get(), &SkyViewWidget::messageRaised);
    QSignalSpy paths(f.view.get(), &SkyViewWidget::pathChanged);
    f.view->setDrawChoice(DrawChoice::Cuda);
    QTRY_VERIFY(!paths.isEmpty());
    if (f.view->pathName().startsWith(QStringLiteral("CUDA"))) QSKIP("CUDA draws here");
    QTRY_VERIFY(f.view->pathName().startsWith(QStringLiteral("OpenGL")));
    QCOMPARE(messages.count(), 1);
    QVERIFY(messages[0][0].toString().contains(QStringLiteral("CUDA")));
    QVERIFY(f.picturesAgree());
    // Left to itself, the program does not draw with a software rasterizer in the window's thread.
    const bool software = f.view->pathName().contains(QStringLiteral("software"));
    f.view->setDrawChoice(DrawChoice::Automatic);
    if (software) {
        QTRY_VERIFY(f.view->pathName().startsWith(QStringLiteral("CPU")));
        QVERIFY(f.view->whyThisPath().contains(QStringLiteral("software")));
    }
    QVERIFY(f.picturesAgree());
}

// The picture is a window of its own, and covers all widgets: what lies over the sky is drawn
// there.
void TstSkyView::screenShowsWhatIsOverTheSky() {
    Fixture f(DrawChoice::OpenGl);
    QTRY_VERIFY(f.view->frameTime() > 0.0);
    f.document.setGraticule(true, 0.0);
    f.view->setInspectorVisible(true);
    const auto differ = [&] {
        QTest::qWait(100);
        const QImage screen = f.view->screen()->grabWindow(f.view->winId()).toImage();
        const QImage grabbed = f.view->grab().toImage();
        if (screen.size() != grabbed.size()) return -1;
        int differing = 0;
        for (int y = 0; y < screen.height(); ++y)
            for (int x = 0; x < screen.width(); ++x) {
                const QColor a = screen.pixelColor(x, y), b = grabbed.pixelColor(x, y);
                // Mixed with what is below by the card here and by the CPU there.
                if (std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                              std::abs(a.blue() - b.blue())}) > 3)
                    ++differing;
            }
        if (const QString folder = qEnvironmentVariable("ARMILLA_SHOTS"); !folder.isEmpty()) {
            screen.save(folder + QStringLiteral("/screen.png"));
            grabbed.save(folder + QStringLiteral("/grabbed.png"));
        }
        return differing;
    };
    QTRY_COMPARE(differ(), 0);
    // A card that comes, goes, and takes the hand although the picture's window lies over it.
    auto* card = new QPushButton(QStringLiteral("Card"), f.view.get());
    card->setGeometry(60, 50, 120, 40);
    card->show();
    QTRY_COMPARE(differ(), 0);
    int clicks = 0;
    connect(card, &QPushButton::clicked, this, [&] { ++clicks; });
    QTest::mouseClick(f.view->windowHandle(), Qt::LeftButton, {}, QPoint(100, 70));
    QCOMPARE(clicks, 1);
    QVERIFY(f.view->windowHandle()->findChild<QWindow*>()->flags() & Qt::WindowTransparentForInput);
    const QImage with = f.view->screen()->grabWindow(f.view->winId()).toImage();
    card->hide();
    QTRY_COMPARE(differ(), 0);
    QVERIFY(f.view->screen()->grabWindow(f.view->winId()).toImage() != with);
    f.view->resize(kSize + QSize(60, 30));
    QTRY_COMPARE(differ(), 0);
    // The CPU's picture is a widget again, with the overlay on the screen.
    f.view->setDrawChoice(DrawChoice::Cpu);
    QTRY_COMPARE(differ(), 0);
    f.view->setDrawChoice(DrawChoice::OpenGl);
    QTRY_VERIFY(f.view->pathName().startsWith(QStringLiteral("OpenGL")));
    QTRY_COMPARE(differ(), 0);
}

void TstSkyView::flightIsARotationBetweenTheEnds() {
    Camera start, end;
    start.orientation = skyFromViewRotation({0.3, -0.2}, 0.1);
    end.orientation = skyFromViewRotation({2.9, 0.8}, -0.4);
    start.zoom = 2.0;
    end.zoom = 50.0;
    const Camera half = between(start, end, 0.5);
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
    for (int i = 0; i < 9; ++i) QVERIFY(std::abs(back.m[i] - wanted[i]) < 1e-12);
}

void TstSkyView::arcsAndAnglesOfTheRuler() {
    const Vec3 from = direction({0.2, 0.1});
    QVERIFY(positionAngle(from, direction({0.2, 0.3})) < 1e-12);
    QVERIFY(std::abs(positionAngle(direction({0.2, 0.0}), direction({0.5, 0.0})) - kHalfPi) <
            1e-12);
    QVERIFY(std::abs(positionAngle(from, direction({0.2, -0.3})) - kPi) < 1e-12);
    // Every point of the arc lies on the great circle, and its ends are the ends.
    Camera camera;
    const ViewGeometry view = camera.geometry(800, 400, Frame::Galactic);
    const Vec3 to = direction({-1.1, -0.6});
    const auto arc = arcLines(view, from, to);
    QCOMPARE(arc.size(), size_t{1});
    const Vec3 normal = normalized(cross(from, to));
    for (const ImagePoint& p : arc[0]) {
        Vec3 v;
        QVERIFY(skyFromImage(view, p.column, p.row, v));
        QVERIFY(std::abs(dot(v, normal)) < 1e-12);
    }
    // Over the rim of the projection it is cut in two.
    QCOMPARE(arcLines(view, direction({3.0, 0.2}), direction({-3.0, 0.1})).size(), size_t{2});
    QVERIFY(arcLines(view, from, from).empty());
}

QTEST_MAIN(TstSkyView)
#include "tst_sky_view.moc"
