// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the sky view compared with the map's own values, drawn by the graphics card and by
// the CPU, single and in comparison, with overlays.
#include <QPushButton>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>
#include <QWindow>
#include <cmath>
#include <random>
#include <set>

#include "armilla/core/units.h"
#include "armilla/ui/sky_view_widget.h"
#include "sky_pointer.h"
#include "support/comparisons.h"
#include "view/sky_overlay.h"
#include "view/sky_view_state.h"

using namespace armilla;
using namespace armilla::test;

namespace {

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
    void deepMapsAreDrawnByTheirOwnCells_data() { addWays(); }
    void deepMapsAreDrawnByTheirOwnCells();
    void labelsLieClear_data();
    void labelsLieClear();
    void colorBarLeavesTheSkyFree();
    void swipeShowsBothMaps_data() { addWays(); }
    void swipeShowsBothMaps();
    void sideBySideIsLinked_data() { addWays(); }
    void sideBySideIsLinked();
    void blinksByKeyAndByTime();
    void lastGoodPictureStays();
    void refusedWaysAreTold();
    void allMarkersAreDrawnAtRest();
    void screenShowsWhatIsOverTheSky();
};

void TstSkyView::pictureShowsTheMapsValues() {
    QFETCH(DrawChoice, way);
    Fixture f(way);
    QVERIFY(f.view->pathName().startsWith(way == DrawChoice::Cpu ? QStringLiteral("CPU")
                                                                 : QStringLiteral("OpenGL")));
    QVERIFY(f.picturesAgree());
    // Again after a drag, when coarse pictures have been replaced.
    drag(*f.view, f.middle(), f.middle() + QPointF(90, 40));
    QVERIFY(f.picturesAgree());
    QVERIFY(f.view->frameTime() > 0.0);
}

// Pixels of 0.2 arcsec, too many for any graphics card. In close views each pixel is drawn at its
// size, and the read-out agrees with the drawing.
void TstSkyView::deepMapsAreDrawnByTheirOwnCells() {
    QFETCH(DrawChoice, way);
    Fixture f(way);
    const int64_t nside = int64_t{1} << 20;
    const LonLat middle{2.0, 0.4};
    const int64_t first = nestedFromDirection(nside, direction(middle)) & ~int64_t{1023};
    std::vector<int64_t> pixels(1024);
    std::vector<float> values(1024);
    for (size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = first + static_cast<int64_t>(i);
        values[i] = static_cast<float>((i * 37) % 101);
    }
    const auto deep = std::make_shared<const HealpixMap>(HealpixMap::partial(
        nside, Ordering::Nested, Frame::Galactic, pixels, {{"I", "", DiskType::Float32, values}}));
    const LayerId id = f.document.addLayer(deep, QStringLiteral("deep"), Recipe{});
    JobContext job;
    auto drawable = std::make_shared<DrawableField>();
    drawable->cells = std::make_shared<const SparsePyramid>(SparsePyramid::build(*deep, 0, job));
    drawable->statistics = fieldStatistics(*deep, 0, job);
    for (int i = 0; i <= 100; ++i) drawable->sortedSample.push_back(static_cast<float>(i));
    drawable->revision = f.document.entry(id)->revision;
    f.document.drawings().setDrawable({id, 0}, drawable);
    setComparison(f.document, Comparison::Single);
    f.document.view().setShown({id, 0});
    Camera camera =
        f.document.view().camera().centeredOn(lonLat(directionFromNested(nside, first + 512)));
    camera.zoom = camera.zoomFor(kSize.width(), kSize.height(), 0.005 * kArcsec);
    camera.zoom = std::min(camera.zoom, Camera::kMaxZoom);
    f.document.view().setCamera(camera);
    const ColorScale scale = f.document.drawings().colorScale({id, 0});
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    int compared = 0, wrong = 0, pixelsSeen = 0;
    const auto agrees = [&] {
        const QImage image = f.view->grab().toImage();
        std::set<int64_t> seen;
        compared = wrong = 0;
        for (int y = 80; y < kSize.height() - 110; y += 3)
            for (int x = 60; x < kSize.width() - 60; x += 3) {
                const auto place = f.view->cursorAt(QPointF(x + 0.5, y + 0.5));
                const auto near = f.view->cursorAt(QPointF(x + 2.5, y + 2.5));
                const auto before = f.view->cursorAt(QPointF(x - 1.5, y - 1.5));
                if (!place || !near || !before) continue;
                const int64_t pixel = deep->pixelAt(place->direction);
                if (pixel != deep->pixelAt(near->direction) ||
                    pixel != deep->pixelAt(before->direction))
                    continue;
                seen.insert(pixel);
                ++compared;
                const Readout read = readOut(*deep, place->shown, place->direction);
                const Rgba want = colorOf(scale, table, static_cast<float>(read.value));
                const QColor got = image.pixelColor(x, y);
                if (std::max({std::abs(want.r - got.red()), std::abs(want.g - got.green()),
                              std::abs(want.b - got.blue())}) > 6)
                    ++wrong;
            }
        pixelsSeen = static_cast<int>(seen.size());
        return wrong == 0 && compared > 1000 && pixelsSeen > 20;
    };
    QVERIFY2(
        QTest::qWaitFor(agrees, kPatience),
        qPrintable(QString("%1 of %2 differ, %3 pixels").arg(wrong).arg(compared).arg(pixelsSeen)));
    // CPU threads draw such maps, with a message; another map returns to the previous method.
    QVERIFY(f.view->pathName().startsWith(QStringLiteral("CPU")));
    f.document.view().setShown({f.a, 0});
    Camera home = f.document.view().camera();
    home.zoom = 1.0;
    f.document.view().setCamera(home);
    QVERIFY(f.picturesAgree());
    QCOMPARE(f.view->pathName().startsWith(QStringLiteral("OpenGL")), way == DrawChoice::OpenGl);
}

// In low views with large fonts, too, where the title stands beside the bar.
void TstSkyView::colorBarLeavesTheSkyFree() {
    Fixture f(DrawChoice::Cpu);
    auto* overlay = f.view->findChild<SkyOverlay*>();
    QFont font = overlay->font();
    for (const auto& [points, size] : {std::pair{9.0, QSize(1000, 640)},
                                       {14.0, QSize(1000, 640)},
                                       {14.0, QSize(712, 560)},
                                       {14.0, QSize(905, 500)},
                                       {14.0, QSize(632, 470)}}) {
        font.setPointSizeF(points);
        overlay->setFont(font);
        f.view->resize(size);
        QTRY_COMPARE_WITH_TIMEOUT(overlay->size(), size, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(overlay->scene().bars.size() == 1 && overlay->scene().wholeSky &&
                                     overlay->scene().panels.front().size() == size,
                                 kPatience);
        QRectF bar;  // the lowest card at the left
        for (const QRectF& card : overlay->cards())
            if (card.left() < 0.25 * size.width() && card.bottom() > bar.bottom()) bar = card;
        QVERIFY(bar.height() > 20.0 && bar.top() > 0.5 * size.height());
        for (double x = bar.left(); x <= bar.right(); x += 1.0) {
            Vec3 direction;
            QVERIFY2(!skyFromImage(*overlay->scene().wholeSky, x, bar.top(), direction),
                     qPrintable(QStringLiteral("%1 points, %2").arg(points).arg(x)));
        }
    }
}

// No label covers a name, a color bar, the inspector, the divider's handle, or another label.
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
    setComparison(f.document, Comparison::Swipe);
    f.document.overlays().setGraticule(true, 0.0);
    const auto* overlay = f.view->findChild<SkyOverlay*>();
    size_t labels = 0;
    for (const double lat : {0.0, 0.6, 1.4}) {
        Camera camera = f.document.view().camera().centeredOn({0.4, lat});
        camera.projection = static_cast<Projection>(projection);
        camera.zoom = zoom;
        f.document.view().setCamera(camera);
        QTRY_VERIFY_WITH_TIMEOUT(looksSame(overlay->scene().camera, withEdge(camera)), kPatience);
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

void TstSkyView::swipeShowsBothMaps() {
    QFETCH(DrawChoice, way);
    Fixture f(way);
    setComparison(f.document, Comparison::Swipe);
    const LayerId b = f.b, a = f.a;
    QCOMPARE(f.view->cursorAt(f.middle() + QPointF(-50, 0))->shown.entry, a);
    QCOMPARE(f.view->cursorAt(f.middle() + QPointF(50, 0))->shown.entry, b);
    QVERIFY(f.picturesAgree());
    // The divider can be grabbed within a few pixels and follows the pointer; the sphere does not
    // move.
    const Camera before = f.document.view().camera();
    drag(*f.view, f.middle() + QPointF(3, 90), f.middle() + QPointF(-160, 90));
    QCOMPARE(f.document.view().swipe(), (0.5 * kSize.width() - 160.0) / kSize.width());
    QVERIFY(looksSame(before, f.document.view().camera()));
    QCOMPARE(f.view->cursorAt(f.middle() + QPointF(-50, 0))->shown.entry, b);
    QVERIFY(f.picturesAgree());
    drag(*f.view, f.middle() + QPointF(-160, 0), QPointF(-500, 0));
    QCOMPARE(f.document.view().swipe(), 0.0);
}

void TstSkyView::sideBySideIsLinked() {
    QFETCH(DrawChoice, way);
    Fixture f(way);
    setComparison(f.document, Comparison::SideBySide);
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
    setComparison(f.document, Comparison::Blink);
    const auto entry = [&] { return f.view->cursorAt(f.middle())->shown.entry; };
    QCOMPARE(entry(), f.a);
    QTest::keyClick(f.view.get(), Qt::Key_Space);
    QCOMPARE(entry(), f.b);
    QVERIFY(f.picturesAgree());
    QTest::keyClick(f.view.get(), Qt::Key_Space);
    QCOMPARE(entry(), f.a);
    f.setBlinkInterval(40);
    QTRY_COMPARE_WITH_TIMEOUT(entry(), f.b, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(entry(), f.a, kPatience);
    setComparison(f.document, Comparison::Single);
    QTest::qWait(100);
    QCOMPARE(entry(), f.a);
}

void TstSkyView::lastGoodPictureStays() {
    Fixture f(DrawChoice::Cpu);
    QVERIFY(f.picturesAgree());
    const QColor before = f.view->grab().toImage().pixelColor(300, 150);
    const auto third = waveMap(4, Frame::Galactic, -1.0);
    const LayerId id = f.document.addLayer(third, QStringLiteral("third"), Recipe{});
    setComparison(f.document, Comparison::Single);
    QCOMPARE(f.document.view().shown().entry, id);
    QTest::qWait(250);
    QCOMPARE(f.view->grab().toImage().pixelColor(300, 150), before);
    // The read-out belongs to the picture on the screen.
    QCOMPARE(f.view->cursorAt(f.middle())->shown.entry, f.a);
    f.document.drawings().setDrawable({id, 0, Quantity::Field},
                                      drawableOf(*third, 0, f.document.entry(id)->revision));
    QCOMPARE(f.view->cursorAt(f.middle())->shown.entry, id);
    QTRY_VERIFY_WITH_TIMEOUT(f.view->grab().toImage().pixelColor(300, 150) != before, kPatience);
}

void TstSkyView::refusedWaysAreTold() {
    Fixture f(DrawChoice::Cpu);
    QSignalSpy messages(f.view.get(), &SkyViewWidget::messageRaised);
    QSignalSpy paths(f.view.get(), &SkyViewWidget::pathChanged);
    f.view->setDrawChoice(DrawChoice::Cuda);
    QTRY_VERIFY_WITH_TIMEOUT(!paths.isEmpty(), kPatience);
    if (f.view->pathName().startsWith(QStringLiteral("CUDA"))) QSKIP("CUDA draws here");
    QTRY_VERIFY_WITH_TIMEOUT(f.view->pathName().startsWith(QStringLiteral("OpenGL")), kPatience);
    QCOMPARE(messages.count(), 1);
    QVERIFY(messages[0][0].toString().contains(QStringLiteral("CUDA")));
    QVERIFY(f.picturesAgree());
    // By default, the program does not draw with a software rasterizer in the window's thread.
    const bool software = f.view->pathName().contains(QStringLiteral("software"));
    f.view->setDrawChoice(DrawChoice::Automatic);
    if (software) {
        QTRY_VERIFY_WITH_TIMEOUT(f.view->pathName().startsWith(QStringLiteral("CPU")), kPatience);
        QVERIFY(f.view->whyThisPath().contains(QStringLiteral("software")));
    }
    QVERIFY(f.picturesAgree());
}

// More markers than are drawn while the view moves, for both methods: with software OpenGL by
// separate threads.
void TstSkyView::allMarkersAreDrawnAtRest() {
    constexpr int kRows = 40000;
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> even(-1.0, 1.0);
    std::vector<double> lons, lats;
    for (int i = 0; i < kRows; ++i) {
        lons.push_back(180.0 * (1.0 + even(random)));
        lats.push_back(std::asin(even(random)) / kDegree);
    }
    Catalog catalog;
    catalog.table.columns.resize(2);
    catalog.table.columns[0].name = "GLON";
    catalog.table.columns[1].name = "GLAT";
    catalog.table.columns[0].values = std::move(lons);
    catalog.table.columns[1].values = std::move(lats);
    catalog.position = {0, 1, Frame::Galactic};
    JobContext job;
    const auto set = MarkerSet::build(catalog, job);
    const auto markedIn = [](const Fixture& f) {
        const QImage image = f.view->grab().toImage();
        int marked = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                if (pixel.green() > 200 && pixel.red() < 60 && pixel.blue() < 60) ++marked;
            }
        return marked;
    };
    const auto show = [&](Fixture& f) {
        const LayerId id =
            f.document.addLayer(std::make_shared<const Catalog>(catalog), "many", Recipe{});
        LayerStyle style = f.document.entry(id)->style;
        style.marker = {MarkerShape::Disc, 3.0, {0, 255, 0, 255}};
        f.document.drawings().setStyle(id, style);
        f.document.drawings().setMarkers(id, set);
    };
    Fixture cpu(DrawChoice::Cpu), gl(DrawChoice::OpenGl);
    show(cpu);
    show(gl);
    // Once nothing changes any more.
    int all = 0, same = 0;
    const auto isSettled = [&] {
        const int now = markedIn(cpu);
        same = now > 0 && now == all ? same + 1 : 0;
        all = now;
        return same > 5;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSettled(), kPatience);
    // Discs between pixels change the count slightly; a sample of the rows has half as many.
    const auto isAll = [&] { return std::abs(markedIn(gl) - all) < all / 4; };
    QTRY_VERIFY2_WITH_TIMEOUT(
        isAll(), qPrintable(QStringLiteral("%1 of %2").arg(markedIn(gl)).arg(all)), kPatience);
    const int before = markedIn(gl);
    press(*gl.view, gl.middle());
    moveTo(*gl.view, gl.middle() + QPointF(30, 0));
    QTRY_VERIFY_WITH_TIMEOUT(markedIn(gl) > all / 20, kPatience);
    release(*gl.view, gl.middle() + QPointF(30, 0));
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(markedIn(gl) - before) < before / 10, kPatience);
    // While their color changes: no markers in the old color until the slider rests.
    LayerId id;
    for (const Layer& layer : gl.document.entries())
        if (layer.catalog) id = layer.id;
    LayerStyle style = gl.document.entry(id)->style;
    for (const Rgba color : {Rgba{0, 0, 255, 255}, Rgba{255, 0, 0, 255}}) {
        style.marker.color = color;
        gl.document.drawings().setStyle(id, style);
    }
    QCoreApplication::processEvents();
    QVERIFY(markedIn(gl) < all / 20);
}

// The picture is a native window and covers all widgets, so the overlay is drawn there.
void TstSkyView::screenShowsWhatIsOverTheSky() {
    Fixture f(DrawChoice::OpenGl);
    QTRY_VERIFY_WITH_TIMEOUT(f.view->frameTime() > 0.0, kPatience);
    f.document.overlays().setGraticule(true, 0.0);
    f.view->setInspectorVisible(true);
    const auto differ = [&] {
        const QImage screen = f.view->screen()->grabWindow(f.view->winId()).toImage();
        const QImage grabbed = f.view->grab().toImage();
        if (screen.size() != grabbed.size()) return -1;
        int differing = 0;
        for (int y = 0; y < screen.height(); ++y)
            for (int x = 0; x < screen.width(); ++x) {
                const QColor a = screen.pixelColor(x, y), b = grabbed.pixelColor(x, y);
                // Blended with the background by the graphics card here and by the CPU there.
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
    QTRY_COMPARE_WITH_TIMEOUT(differ(), 0, kPatience);
    // A card that appears and disappears, and receives pointer events although the picture's window
    // lies over it.
    auto* card = new QPushButton(QStringLiteral("Card"), f.view.get());
    card->setGeometry(60, 50, 120, 40);
    card->show();
    QTRY_COMPARE_WITH_TIMEOUT(differ(), 0, kPatience);
    int clicks = 0;
    connect(card, &QPushButton::clicked, this, [&] { ++clicks; });
    QTest::mouseClick(f.view->windowHandle(), Qt::LeftButton, {}, QPoint(100, 70));
    QCOMPARE(clicks, 1);
    QVERIFY(f.view->windowHandle()->findChild<QWindow*>()->flags() & Qt::WindowTransparentForInput);
    const QImage with = f.view->screen()->grabWindow(f.view->winId()).toImage();
    card->hide();
    QTRY_COMPARE_WITH_TIMEOUT(differ(), 0, kPatience);
    QVERIFY(f.view->screen()->grabWindow(f.view->winId()).toImage() != with);
    f.view->resize(kSize + QSize(60, 30));
    QTRY_COMPARE_WITH_TIMEOUT(differ(), 0, kPatience);
    // The CPU's picture is a widget again, with the overlay on the screen.
    f.view->setDrawChoice(DrawChoice::Cpu);
    QTRY_COMPARE_WITH_TIMEOUT(differ(), 0, kPatience);
    f.view->setDrawChoice(DrawChoice::OpenGl);
    QTRY_VERIFY_WITH_TIMEOUT(f.view->pathName().startsWith(QStringLiteral("OpenGL")), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(differ(), 0, kPatience);
}

QTEST_MAIN(TstSkyView)
#include "tst_sky_view.moc"
