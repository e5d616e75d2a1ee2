// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector: followed position, content, and the sky view on a display without OpenGL.
#include <QPaintEvent>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "support/patience.h"
#include "view_fixture.h"

using namespace armilla;
using armilla::test::kPatience;

namespace {

struct Fixture {
    Document document;
    std::shared_ptr<const HealpixMap> map = test::waveMap(16);
    LayerId id = test::addReady(document, map, QStringLiteral("map"));
    InspectorWidget inspector{document};

    Fixture() {
        inspector.resize(inspector.sizeHint());
        inspector.show();
    }
    SkyCursor at(double lon, double lat) const {
        return {{id, 0}, direction({lon, lat}), Frame::Galactic};
    }
    QColor colorAt(Vec3 v) const {
        const ColorScale scale = document.drawings().colorScale({id, 0});
        const Rgba c = colorOf(scale, colorTable(scale.colorMap, scale.reversed),
                               static_cast<float>(map->value(0, map->pixelAt(v))));
        return {c.r, c.g, c.b};
    }
    // Center of the picture: between the header of 28 and the footer of 26 pixels.
    QPoint middle() const {
        return {inspector.width() / 2, 28 + (inspector.height() - 28 - 26) / 2};
    }
    // Inside the opening of the cross.
    bool middleHas(const QColor& want) {
        const QColor got = inspector.grab().toImage().pixelColor(middle());
        return std::abs(got.red() - want.red()) < 6 && std::abs(got.green() - want.green()) < 6 &&
               std::abs(got.blue() - want.blue()) < 6;
    }
};

void send(QWidget& widget, QEvent::Type type, QPointF at, Qt::MouseButtons buttons) {
    QMouseEvent event(type, at, widget.mapToGlobal(at),
                      type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, buttons,
                      Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

}  // namespace

class TstInspector : public QObject {
    Q_OBJECT
private slots:
    void followsUntilPinned();
    void showsTheValueAtItsCenter();
    void wheelChangesTheField();
    void closeViewsAreLookedAtCloser();
    void cursorInsideIsTold();
    void dragMovesAndPins();
    void folds();
    void forgetsClosedMaps();
    void looksAtTheMapThatIsShown();
    void namesPlacesOfAViewWithoutFrame_data();
    void namesPlacesOfAViewWithoutFrame();
    void paintsWhatALiveMapChanges();
    void aPartIsPaintedAsTheWhole();
    void skyViewWithoutOpenGl();
};

void TstInspector::followsUntilPinned() {
    Fixture f;
    QSignalSpy pinned(&f.inspector, &InspectorWidget::pinnedChanged);
    QVERIFY(!f.inspector.place().has_value());
    f.inspector.follow(f.at(0.4, 0.1));
    f.inspector.follow(std::nullopt);  // the cursor left the sky: the last position stays
    QVERIFY(angularDistance(f.inspector.place()->direction, direction({0.4, 0.1})) < 1e-15);
    f.inspector.pin(f.at(1.4, -0.3));
    f.inspector.follow(f.at(0.0, 0.0));
    QVERIFY(angularDistance(f.inspector.place()->direction, direction({1.4, -0.3})) < 1e-15);
    QVERIFY(f.inspector.isPinned());
    f.inspector.unpin();
    f.inspector.follow(f.at(0.0, 0.0));
    QVERIFY(angularDistance(f.inspector.place()->direction, direction({0.0, 0.0})) < 1e-15);
    QCOMPARE(pinned.count(), 2);
    QTest::keyClick(&f.inspector, Qt::Key_P);
    QVERIFY(f.inspector.isPinned());
}

void TstInspector::showsTheValueAtItsCenter() {
    Fixture f;
    // Centers of pixels, so that the middle of the picture lies well inside a cell.
    f.inspector.setFieldOfView(20.0 * kDegree);
    for (const int64_t pixel : {100, 700, 1500, 2900}) {
        const Vec3 v = directionFromRing(16, pixel);
        f.inspector.follow(SkyCursor{{f.id, 0}, v, Frame::Galactic});
        QTRY_VERIFY_WITH_TIMEOUT(f.middleHas(f.colorAt(v)), kPatience);
    }
    // New colors of the document are applied.
    ColorScale scale = f.document.drawings().colorScale({f.id, 0});
    scale.reversed = true;
    f.document.drawings().setColorScale({f.id, 0}, scale);
    QTRY_VERIFY_WITH_TIMEOUT(f.middleHas(f.colorAt(f.inspector.place()->direction)), kPatience);
}

void TstInspector::wheelChangesTheField() {
    Fixture f;
    f.inspector.follow(f.at(0.2, 0.2));
    const double before = f.inspector.fieldOfView();
    QWheelEvent in(QPointF(100, 100), f.inspector.mapToGlobal(QPointF(100, 100)), {}, {0, 240},
                   Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&f.inspector, &in);
    // Two factors of 1.25 round by a few machine epsilons.
    QVERIFY(std::abs(f.inspector.fieldOfView() * 1.25 * 1.25 / before - 1.0) < 1e-12);
    QTest::keyClick(&f.inspector, Qt::Key_Minus);
    // The same limit as above: one factor of 1.25 remains.
    QVERIFY(std::abs(f.inspector.fieldOfView() * 1.25 / before - 1.0) < 1e-12);
    f.inspector.setFieldOfView(1e9);
    QVERIFY(f.inspector.fieldOfView() < kPi);
    f.inspector.setFieldOfView(0.0);
    QVERIFY(f.inspector.fieldOfView() > 0.0);
    // A chosen field of view stays for any state of the sky view.
    f.inspector.setFieldOfView(3.0 * kDegree);
    Camera close = f.document.view().camera();
    close.zoom = 1e5;
    f.document.view().setCamera(close);
    QCOMPARE(f.inspector.fieldOfView(), 3.0 * kDegree);
}

// A partial map of some seconds of arc is not shown in a field of 12 degrees, which would be empty.
void TstInspector::closeViewsAreLookedAtCloser() {
    Fixture f;
    QVERIFY(std::abs(f.inspector.fieldOfView() / kDegree - 12.0) < 1e-12);
    Camera close = f.document.view().camera();
    close.projection = Projection::Gnomonic;
    for (const double width : {40.0 * kDegree, kDegree, 10.0 * kArcsec, 0.1 * kArcsec}) {
        close.zoom = close.zoomFor(600, 600, width / 600.0);
        f.document.view().setCamera(close);
        // At most a quarter of the view, whatever its shape, and not less than an eighth of that.
        QVERIFY(f.inspector.fieldOfView() <= 0.25 * width * 1.25);
        QVERIFY(f.inspector.fieldOfView() >= 0.1 * width);
    }
    // A pinned inspector does not change.
    f.inspector.pin(f.at(0.2, 0.2));
    const double field = f.inspector.fieldOfView();
    f.document.view().setCamera(Camera{});
    QCOMPARE(f.inspector.fieldOfView(), field);
    f.inspector.unpin();
}

void TstInspector::cursorInsideIsTold() {
    Fixture f;
    std::optional<SkyCursor> told;
    connect(&f.inspector, &InspectorWidget::cursorMoved, this,
            [&](const std::optional<SkyCursor>& place) { told = place; });
    f.inspector.follow(f.at(0.7, 0.3));
    const double field = f.inspector.fieldOfView();
    const QPointF middle =
        QRectF(1, 28, f.inspector.width() - 2, f.inspector.height() - 54).center();
    send(f.inspector, QEvent::MouseMove, middle, Qt::NoButton);
    // The limit guards against a shift: a pixel of the inspector is far larger than 1e-9 rad.
    QVERIFY(told && angularDistance(told->direction, direction({0.7, 0.3})) < 1e-9);
    // A quarter of the width to the left is east by that part of the tangent plane, exactly.
    const double width = f.inspector.width() - 2;
    send(f.inspector, QEvent::MouseMove, middle - QPointF(0.25 * width, 0.0), Qt::NoButton);
    QVERIFY(told);
    const double angle = angularDistance(told->direction, direction({0.7, 0.3}));
    // The limit guards against a shift: a pixel of the inspector is far larger than 1e-9 rad.
    QVERIFY(std::abs(angle - std::atan(0.25 * field)) < 1e-9);
    QVERIFY(lonLat(told->direction).lon > 0.7);
    send(f.inspector, QEvent::MouseMove, QPointF(20, 5), Qt::NoButton);  // the header
    QVERIFY(!told.has_value());
}

void TstInspector::dragMovesAndPins() {
    Fixture f;
    f.inspector.follow(f.at(0.7, 0.3));
    const QPointF from(120, 120), to(150, 120);
    send(f.inspector, QEvent::MouseButtonPress, from, Qt::LeftButton);
    send(f.inspector, QEvent::MouseMove, to, Qt::LeftButton);
    send(f.inspector, QEvent::MouseButtonRelease, to, Qt::NoButton);
    QVERIFY(f.inspector.isPinned());
    // The sky moved right with the pointer, so the center moved east.
    QVERIFY(lonLat(f.inspector.place()->direction).lon > 0.7);
}

void TstInspector::folds() {
    Fixture f;
    QSignalSpy layout(&f.inspector, &InspectorWidget::layoutChanged);
    const int full = f.inspector.sizeHint().height();
    QTest::keyClick(&f.inspector, Qt::Key_Return);
    QVERIFY(f.inspector.isCollapsed());
    QVERIFY(f.inspector.sizeHint().height() < full / 4);
    QCOMPARE(layout.count(), 1);
    QTest::mouseDClick(&f.inspector, Qt::LeftButton, Qt::NoModifier, QPoint(60, 12));
    QVERIFY(!f.inspector.isCollapsed());
}

void TstInspector::forgetsClosedMaps() {
    Fixture f;
    f.inspector.pin(f.at(0.7, 0.3));
    f.document.removeLayer(f.id);
    QVERIFY(!f.inspector.isPinned());
    QVERIFY(!f.inspector.place().has_value());
    f.inspector.grab();
}

void TstInspector::looksAtTheMapThatIsShown() {
    Fixture f;
    f.inspector.follow(f.at(0.7, 0.3));
    const Vec3 before =
        frameRotation(Frame::Equatorial, Frame::Galactic) * f.inspector.place()->direction;
    Field field;
    field.name = "OTHER";
    field.values = std::vector<float>(12 * 8 * 8, 42.0F);
    auto other = std::make_shared<HealpixMap>(8, Ordering::Nested, Frame::Equatorial,
                                              std::vector<Field>{field});
    const LayerId id = f.document.addLayer(other, "other", Recipe{});
    f.document.view().setShown({id, 0, Quantity::Field});
    QVERIFY(f.inspector.place().has_value());
    QCOMPARE(f.inspector.place()->shown.entry, id);
    QCOMPARE(f.inspector.place()->frame, Frame::Equatorial);
    // The position stays fixed on the sky.
    QVERIFY(angularDistance(f.inspector.place()->direction, before) < 1e-12);
    QCOMPARE(readOut(*other, f.inspector.place()->shown, f.inspector.place()->direction).value,
             42.0);
}

// The camera or the map may lack a frame. A footer too narrow for a full position has a short one
// or none.
void TstInspector::namesPlacesOfAViewWithoutFrame_data() {
    QTest::addColumn<Frame>("first");
    QTest::addColumn<Frame>("second");
    for (const Frame first : {Frame::Unknown, Frame::Galactic, Frame::Equatorial})
        for (const Frame second : {Frame::Unknown, Frame::Galactic, Frame::Ecliptic})
            QTest::addRow("%s then %s", frameName(first).data(), frameName(second).data())
                << first << second;
}
void TstInspector::namesPlacesOfAViewWithoutFrame() {
    QFETCH(Frame, first);
    QFETCH(Frame, second);
    Document document;
    const LayerId id = test::addReady(document, test::waveMap(4, second), QStringLiteral("second"));
    Camera camera = document.view().camera();
    camera.frame = first;  // frame of another map
    document.view().setCamera(camera);
    QCOMPARE(document.view().camera().frame, first);
    InspectorWidget inspector(document);
    inspector.show();
    for (const int width : {60, 120, 160, 200, 240, 320}) {
        inspector.resize(width, inspector.sizeHint().height());
        inspector.pin({{id, 0}, direction({3.6, -0.6}), second, {}});
        QVERIFY(!inspector.grab().isNull());
        inspector.unpin();
    }
}

void TstInspector::paintsWhatALiveMapChanges() {
    class Painted : public QObject {
    public:
        QRegion region;
        bool eventFilter(QObject*, QEvent* event) override {
            if (event->type() == QEvent::Paint)
                region += static_cast<QPaintEvent*>(event)->region();
            return false;
        }
    };
    Fixture f;
    QVERIFY(QTest::qWaitForWindowExposed(&f.inspector, kPatience));
    Painted painted;
    f.inspector.installEventFilter(&painted);
    const auto tell = [&](const char* name) {
        QCoreApplication::processEvents();
        painted.region = {};
        Recipe recipe;
        recipe.kind = RecipeKind::Smooth;
        recipe.input = f.id;
        f.document.liveLayer().set(test::waveMap(16), QString::fromLatin1(name), recipe, f.id);
        QCoreApplication::processEvents();
    };
    // Without a position it shows nothing of a map.
    tell("one");
    QVERIFY(painted.region.isEmpty());
    // For a position: the value at once if it has changed, the picture when it is computed, and
    // never the header.
    f.inspector.follow(f.at(0.7, 0.3));
    QTRY_VERIFY_WITH_TIMEOUT(!painted.region.isEmpty(), kPatience);
    QTest::qWait(300);
    const int height = f.inspector.height();
    const QRect header(0, 0, f.inspector.width(), 28),
        footer(0, height - 26, f.inspector.width(), 26);
    tell("two");
    QVERIFY(!painted.region.intersects(header | footer));
    painted.region = {};
    f.inspector.follow(f.at(0.9, 0.2));
    QCoreApplication::processEvents();
    QVERIFY(painted.region.intersects(footer));
    QVERIFY(!painted.region.intersects(header));
}

// Over the sky it is painted without QWidget::render, and only in changed areas.
void TstInspector::aPartIsPaintedAsTheWhole() {
    Fixture f;
    f.inspector.setNote(QStringLiteral("Frame unknown: not at its place on this sky"));
    f.inspector.pin(f.at(0.7, 0.3));
    const double ratio = f.inspector.devicePixelRatioF();
    QImage whole((QSizeF(f.inspector.size()) * ratio).toSize(),
                 QImage::Format_ARGB32_Premultiplied);
    whole.setDevicePixelRatio(ratio);
    // The parts side by side equal the whole, once the picture is complete.
    const auto agree = [&] {
        whole.fill(Qt::transparent);
        QImage parts = whole;
        f.inspector.render(&whole, {}, {}, {});
        for (int x = 0; x < f.inspector.width(); x += 37)
            for (int y = 0; y < f.inspector.height(); y += 23) {
                QPainter painter(&parts);
                painter.setClipRect(QRect(x, y, 37, 23));
                f.inspector.paintOver(painter, QRect(x, y, 37, 23));
            }
        const QRect picture = f.inspector.rect().adjusted(20, 40, -20, -40);
        QSet<QRgb> colors;
        for (int x = picture.left(); x < picture.right(); x += 3)
            for (int y = picture.top(); y < picture.bottom(); y += 3)
                colors.insert(whole.pixel((QPointF(x, y) * ratio).toPoint()));
        return colors.size() > 10 && parts == whole;
    };
    QTRY_VERIFY_WITH_TIMEOUT(agree(), kPatience);
}

void TstInspector::skyViewWithoutOpenGl() {
    // This executable runs on Qt's offscreen platform, which has no OpenGL widgets.
    Fixture f;
    SkyViewWidget view(f.document);
    QSignalSpy messages(&view, &SkyViewWidget::messageRaised);
    view.resize(500, 360);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(view.pathName().startsWith(QStringLiteral("CPU")), kPatience);
    QVERIFY(!view.whyThisPath().isEmpty());
    QCOMPARE(messages.count(), 0);  // an automatic choice gives no message
    QTRY_VERIFY_WITH_TIMEOUT(view.cursorAt(QPointF(250, 180)).has_value(), kPatience);
    // The inspector starts at the center of the view, to a pixel (0.012 rad), and follows the
    // cursor.
    QTRY_VERIFY_WITH_TIMEOUT(view.inspector()->place().has_value(), kPatience);
    QVERIFY(angularDistance(view.inspector()->place()->direction, {1.0, 0.0, 0.0}) < 0.02);
    const QPointF at(180, 150);
    QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&view, &move);
    QVERIFY(angularDistance(view.inspector()->place()->direction, view.cursorAt(at)->direction) <
            1e-15);
    // If OpenGL is requested by name, its failure is reported.
    view.setDrawChoice(DrawChoice::OpenGl);
    QCOMPARE(messages.count(), 1);
    QVERIFY(view.pathName().startsWith(QStringLiteral("CPU")));
}

QTEST_MAIN(TstInspector)
#include "tst_inspector.moc"
