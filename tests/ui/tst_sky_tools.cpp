// SPDX-License-Identifier: GPL-3.0-or-later
// Regions and masks drawn by pointer in the window, and polarization over the picture. With
// ARMILLA_SHOTS=FOLDER screenshots are saved there.
#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/map_io.h"
#include "armilla/io/region_io.h"
#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/mask_brush.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/region_book.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "panels/value_slider.h"
#include "tools/brush_tool.h"
#include "tools/mask_panel.h"
#include "tools/region_measures.h"
#include "tools/region_tool.h"
#include "tools/regions_panel.h"
#include "view/label_place.h"
#include "view/sky_overlay.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// T rises with longitude; Q and U rotate around the sky.
HealpixMap polarizedSky(int64_t nside) {
    std::vector<Field> fields(3);
    const char* names[] = {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"};
    for (size_t i = 0; i < 3; ++i) {
        fields[i].name = names[i];
        fields[i].unit = "uK";
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        for (int64_t p = 0; p < pixelCount(nside); ++p) {
            const Vec3 d = directionFromRing(nside, p);
            const double lon = std::atan2(d.y, d.x);
            values[static_cast<size_t>(p)] =
                static_cast<float>(i == 0   ? 10.0 * d.x + d.z
                                   : i == 1 ? 3.0 * std::cos(2.0 * lon) * (1.0 - d.z * d.z)
                                            : 3.0 * std::sin(2.0 * lon) * (1.0 - d.z * d.z));
        }
        fields[i].values = std::move(values);
    }
    return HealpixMap(nside, Ordering::Ring, Frame::Galactic, std::move(fields));
}

}  // namespace

class TestSkyTools : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void namesKeepClearOfEachOther();
    void linksLeaveMarkersAlone();
    void drawsRegions();
    void tableOfRegionsIsThatOfTheCommand();
    void largeRegionsAreCoarseFirst();
    void paintsMasks();
    void strokesWaitForTheirMask();
    void drapesPolarization();
    void theMaskFollowsItsSliders();

private:
    void open(QWidget* content);
    // A press, some moves and a release, in fractions of the view's size.
    void drag(QPointF from, QPointF to, Qt::KeyboardModifiers modifiers = {});
    QPoint at(QPointF share) const;
};

void TestSkyTools::initTestCase() {
    prepareSettings();
    openWindow();
    const QString path = inFolder(QStringLiteral("sky.fits"));
    JobContext job;
    writeMap(polarizedSky(64), path.toStdString(), {}, job);
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_, kPatience));
    // Without inertia, so that drawn positions are those of the pointer.
    window_->skyView()->setInertia(false);
    window_->openFiles({path});
    waitUntilIdle();
    QVERIFY(window_->session().document().view().shown().entry.isValid());
}

void TestSkyTools::cleanupTestCase() {
    closeWindow();
}

void TestSkyTools::open(QWidget* content) {
    for (ToolDock* tool : window_->panels().rail()->tools())
        if (tool->content() == content) window_->panels().rail()->open(tool);
    QTRY_VERIFY_WITH_TIMEOUT(content->isVisible(), kPatience);
}

QPoint TestSkyTools::at(QPointF share) const {
    const SkyViewWidget* view = window_->skyView();
    return QPointF(share.x() * view->width(), share.y() * view->height()).toPoint();
}

void TestSkyTools::drag(QPointF from, QPointF to, Qt::KeyboardModifiers modifiers) {
    SkyViewWidget* view = window_->skyView();
    QTest::mousePress(view, Qt::LeftButton, modifiers, at(from));
    for (int i = 1; i <= 8; ++i) {
        const QPointF here = from + (to - from) * (i / 8.0);
        // With the button held, which QTest::mouseMove does not set.
        QMouseEvent move(QEvent::MouseMove, at(here), view->mapToGlobal(at(here)), Qt::NoButton,
                         Qt::LeftButton, modifiers);
        QApplication::sendEvent(view, &move);
    }
    QTest::mouseRelease(view, Qt::LeftButton, modifiers, at(to));
}

void TestSkyTools::namesKeepClearOfEachOther() {
    const QRectF room(0.0, 0.0, 400.0, 300.0);
    const QSizeF size(60.0, 14.0);
    const std::vector<QPointF> shape{
        {100.0, 150.0}, {150.0, 100.0}, {200.0, 150.0}, {150.0, 200.0}};
    const auto right = placeBeside(shape, size, room, {}, 8.0);
    QCOMPARE(right, std::optional(QRectF(208.0, 143.0, 60.0, 14.0)));
    const auto left = placeBeside(shape, size, room, {*right}, 8.0);
    QCOMPARE(left, std::optional(QRectF(32.0, 143.0, 60.0, 14.0)));
    const auto above = placeBeside(shape, size, room, {*right, *left}, 8.0);
    QCOMPARE(above, std::optional(QRectF(120.0, 78.0, 60.0, 14.0)));
    const auto below = placeBeside(shape, size, room, {*right, *left, *above}, 8.0);
    QCOMPARE(below, std::optional(QRectF(120.0, 208.0, 60.0, 14.0)));
    // No position is clear: the default one.
    QCOMPARE(placeBeside(shape, size, room, {*right, *left, *above, *below}, 8.0), right);
    // A partly visible shape has a fully visible name; an invisible shape has none.
    const auto part = placeBeside({{390.0, 150.0}, {500.0, 150.0}}, size, room, {}, 8.0);
    QCOMPARE(part, std::optional(QRectF(322.0, 143.0, 60.0, 14.0)));
    QVERIFY(!placeBeside({{150.0, -20.0}, {500.0, 150.0}}, size, room, {}, 8.0));
}

// Between positions closer than the width of a marker no link is drawn, until the view is closer.
void TestSkyTools::linksLeaveMarkersAlone() {
    SkyViewWidget* view = window_->skyView();
    auto* overlay = view->findChild<SkyOverlay*>();
    QVERIFY(overlay);
    const auto draw = [&](double apart) {
        view->decorations().setLines(QStringLiteral("links"),
                                     {{SkyLine::Ink::Link,
                                       Frame::Galactic,
                                       {direction(LonLat{0.0, 0.0}), direction(LonLat{0.0, apart})},
                                       {},
                                       {},
                                       0.0}});
        waitUntilIdle();
    };
    const auto count = [&] { return overlay->scene().drawn.size(); };
    // A whole sky is some 600 pixels high.
    draw(0.2 * kDegree);
    QTRY_COMPARE_WITH_TIMEOUT(count(), size_t{0}, kPatience);
    draw(20.0 * kDegree);
    QTRY_COMPARE_WITH_TIMEOUT(count(), size_t{1}, kPatience);
    Document& document = window_->session().document();
    const Camera before = document.view().camera();
    Camera near = before;
    near.zoom *= 40.0;
    document.view().setCamera(near);
    draw(0.2 * kDegree);
    QTRY_COMPARE_WITH_TIMEOUT(count(), size_t{1}, kPatience);
    document.view().setCamera(before);
    draw(0.2 * kDegree);
    QTRY_COMPARE_WITH_TIMEOUT(count(), size_t{0}, kPatience);
    view->decorations().setLines(QStringLiteral("links"), {});
}

void TestSkyTools::drawsRegions() {
    RegionsPanel* panel = window_->panels().regions();
    RegionBook& book = window_->session().regions();
    Document& document = window_->session().document();
    SkyViewWidget* view = window_->skyView();
    QVERIFY(panel);
    open(panel);
    QCOMPARE(view->tool(), static_cast<SkyTool*>(panel->tool()));
    const Mat3 before = document.view().camera().orientation;
    panel->tool()->setShape(RegionShape::Circle);
    drag({0.5, 0.5}, {0.6, 0.5});
    QCOMPARE(book.all().size(), size_t{1});
    QVERIFY(!panel->tool()->shapeToDraw());  // one at a time
    const Region disc = book.all().front().region;
    QCOMPARE(disc.shape, RegionShape::Circle);
    QCOMPARE(disc.frame, Frame::Galactic);
    // The pointer positions.
    const auto center = view->cursorAt(at({0.5, 0.5})), edge = view->cursorAt(at({0.6, 0.5}));
    QVERIFY(center && edge);
    QVERIFY(angularDistance(direction(disc.points.front()), center->direction) < 1e-6);
    QVERIFY(std::abs(disc.first - angularDistance(center->direction, edge->direction)) < 1e-6);
    waitUntilIdle();
    // Live statistics: the mean of 10 x + z near longitude 0 is that of a cap of this radius.
    QVERIFY(panel->figures().good > 100);
    const double capMean = 10.0 * 0.5 * (1.0 + std::cos(disc.first)) *
                           dot(direction(disc.points.front()), Vec3{1.0, 0.0, 0.0});
    // Pixels are counted by their centers: an edge of one pixel width.
    QVERIFY2(std::abs(panel->figures().mean - capMean) < 0.1,
             qPrintable(QStringLiteral("%1 %2").arg(panel->figures().mean).arg(capMean)));
    // Edited by pointer: the radius, by its handle at the west.
    const double radius = disc.first;
    drag({0.6, 0.5}, {0.63, 0.5});
    QVERIFY(book.all().front().region.first > 1.1 * radius);
    drag({0.5, 0.52}, {0.52, 0.52});  // inside: the whole region moves
    QVERIFY(angularDistance(direction(book.all().front().region.points.front()),
                            center->direction) > 0.01);
    QUndoStack& undo = *document.history().stack();
    undo.undo();
    undo.undo();
    QCOMPARE(book.all().front().region.first, radius);
    // A polygon by clicks, ended with Return; a ring and an ellipse.
    panel->tool()->setShape(RegionShape::Polygon);
    for (const QPointF corner : {QPointF(0.3, 0.4), QPointF(0.38, 0.38), QPointF(0.4, 0.5)})
        QTest::mouseClick(view, Qt::LeftButton, {}, at(corner));
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(book.all().size(), size_t{2});
    QCOMPARE(book.all().back().region.points.size(), size_t{3});
    panel->tool()->setShape(RegionShape::Annulus);
    drag({0.65, 0.65}, {0.7, 0.65});
    panel->tool()->setShape(RegionShape::Ellipse);
    drag({0.42, 0.62}, {0.47, 0.66});
    QCOMPARE(book.all().size(), size_t{4});
    waitUntilIdle();
    QCOMPARE(panel->list()->model()->rowCount(), 4);
    shot(QStringLiteral("regions"));
    // By numbers, too.
    panel->numbers()->setText(QStringLiteral("ellipse(30,20,4d,2d,45)"));
    QTest::keyClick(panel->numbers(), Qt::Key_Return);
    QVERIFY(std::abs(book.all().back().region.first - 4.0 * kDegree) < 1e-12);
    panel->numbers()->setText(QStringLiteral("heart(1,2)"));
    QTest::keyClick(panel->numbers(), Qt::Key_Return);
    QVERIFY(!window_->messages()->lines().isEmpty());
    // The view has not rotated under the tool; with Ctrl it does, and so does a drag outside all
    // regions.
    const auto sameTurn = [&](const Mat3& a, const Mat3& b) {
        return std::equal(std::begin(a.m), std::end(a.m), std::begin(b.m));
    };
    QVERIFY(sameTurn(before, document.view().camera().orientation));
    drag({0.5, 0.5}, {0.52, 0.5}, Qt::ControlModifier);
    QVERIFY(!sameTurn(before, document.view().camera().orientation));
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Delete);
    QCOMPARE(book.all().size(), size_t{3});
    open(window_->panels().rail()->tools().front()->content());
    QVERIFY(view->tool() == nullptr);
}

// The live table has the rows of `armilla stats MAP OUT --regions FILE`, bit for bit.
void TestSkyTools::tableOfRegionsIsThatOfTheCommand() {
    RegionsPanel* panel = window_->panels().regions();
    RegionBook& book = window_->session().regions();
    Document& document = window_->session().document();
    book.removeAll();
    book.add(
        parseNamedRegions("galactic\n"
                          "circle(10,5,12) # text={A}\n"
                          "box(-30,10,20,10,30) # text={B C}\n"
                          "-circle(12,5,3)\n"
                          "annulus(40,-20,2,9)\n"));
    open(panel);
    waitUntilIdle();
    const auto sameAsCommand = [&](const char* parameter, const QString& value,
                                   size_t firstColumn) {
        auto request = panel->statisticsRequest();
        QVERIFY(request);
        request->parameters.set("region", "");
        request->parameters.set(parameter, value.toStdString());
        const size_t before = document.entries().size();
        const Shown shown = document.view().shown();
        const auto live = panel->measures().table();
        window_->session().operations().runOperation(*request);
        waitUntilIdle();
        QCOMPARE(document.entries().size(), before + 1);
        const Table& made = document.entries().back().catalog->table;
        QCOMPARE(made.columns.size(), live->columns.size());
        QCOMPARE(live->rows(), int64_t{3});
        for (size_t i = firstColumn; i < made.columns.size(); ++i) {
            QCOMPARE(made.columns[i].name, live->columns[i].name);
            QCOMPARE(made.columns[i].unit, live->columns[i].unit);
            QVERIFY2(made.columns[i].values == live->columns[i].values,
                     made.columns[i].name.c_str());
        }
        document.removeLayer(document.entries().back().id);
        QCOMPARE(document.view().shown(), shown);
    };
    window_->session().exporter().exportRegions(inFolder(QStringLiteral("three.reg")), false, true);
    waitUntilIdle();
    sameAsCommand("regions", inFolder(QStringLiteral("three.reg")), 0);
    // The copied command holds the regions themselves, without their names.
    const auto request = panel->statisticsRequest();
    sameAsCommand(
        "region",
        QString::fromStdString(std::get<std::string>(request->parameters.value("region"))), 1);
    const QString command =
        window_->session().exporter().commandForOperation(*request, "regions.fits");
    QVERIFY2(command.startsWith("armilla stats ") && command.contains("--region "),
             qPrintable(command));
    const QStringList lines = panel->tableText().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith("REGION\tGLON (deg)\tGLAT (deg)\tAREA (deg2)"));
    QVERIFY(lines[2].startsWith("B C\t"));
    shot(QStringLiteral("region-table"));
    // The row of a region follows it, and equals the figures of the current region.
    book.setCurrent(book.all().front().id);
    Region moved = book.all().front().region;
    moved.points.front().lon += 0.2;
    book.change(book.all().front().id, moved);
    waitUntilIdle();
    const Table& table = *panel->measures().table();
    QCOMPARE(table.columns[static_cast<size_t>(table.columnIndex("MEAN"))].number(0),
             panel->figures().mean);
    QVERIFY(panel->measures().isExact(0));
    // Names are edited in the table.
    panel->list()->model()->setData(panel->list()->model()->index(0, 0), "Core", Qt::EditRole);
    QCOMPARE(book.all().front().name, QStringLiteral("Core"));
    QCOMPARE(panel->list()->model()->index(0, 0).data().toString(), QStringLiteral("Core"));
    book.removeAll();
    QVERIFY(!panel->measures().table());
}

// A region of 1.9 million pixels first has the figures of a coarser map.
void TestSkyTools::largeRegionsAreCoarseFirst() {
    constexpr int64_t kNside = 1024;
    RegionsPanel* panel = window_->panels().regions();
    RegionBook& book = window_->session().regions();
    Document& document = window_->session().document();
    const Shown before = document.view().shown();
    Field field;
    field.name = "Z";
    std::vector<float> values(static_cast<size_t>(pixelCount(kNside)));
    for (int64_t p = 0; p < pixelCount(kNside); ++p)
        values[static_cast<size_t>(p)] = static_cast<float>(directionFromRing(kNside, p).z);
    field.values = std::move(values);
    const auto map = std::make_shared<const HealpixMap>(kNside, Ordering::Ring, Frame::Galactic,
                                                        std::vector{std::move(field)});
    const LayerId id = document.addLayer(map, QStringLiteral("z"), {});
    document.view().setShown({id, 0});
    open(panel);
    waitUntilIdle();
    const RegionMeasures& measures = panel->measures();
    std::vector<std::pair<bool, double>> seen;
    const auto watch = connect(&measures, &RegionMeasures::changed, this, [&] {
        if (!measures.table()) return;
        const double mean =
            measures.table()
                ->columns[static_cast<size_t>(measures.table()->columnIndex("MEAN"))]
                .number(0);
        if (std::isfinite(mean)) seen.emplace_back(measures.isExact(0), mean);
    });
    book.add(parseNamedRegions("galactic\ncircle(10,40,45)"));
    QTRY_VERIFY_WITH_TIMEOUT(!seen.empty() && seen.back().first, kPatience);
    disconnect(watch);
    QVERIFY(!seen.front().first);
    JobContext job;
    SkyPart part;
    part.region = book.all().front().region;
    const PartStatistics exact = partStatistics(*map, partValues(*map, 0, part, job));
    QCOMPARE(seen.back().second, exact.mean);
    // Pixels of nside 256 are 4e-3 across, and z changes by at most that much within one.
    QVERIFY(std::abs(seen.front().second - exact.mean) < 4e-3);
    book.removeAll();
    document.view().setShown(before);
    document.removeLayer(id);
    open(window_->panels().rail()->tools().front()->content());
}

void TestSkyTools::paintsMasks() {
    MaskPanel* panel = window_->panels().mask();
    Document& document = window_->session().document();
    MaskBrush& brush = window_->session().maskBrush();
    SkyViewWidget* view = window_->skyView();
    const Shown sky = document.view().shown();
    open(panel);
    QVERIFY(view->tool() == nullptr);
    panel->newMask();
    waitUntilIdle();
    const LayerId mask = panel->tool()->layer();
    QVERIFY2(mask.isValid(), qPrintable(window_->messages()->lines().join('\n')));
    QCOMPARE(view->tool(), static_cast<SkyTool*>(panel->tool()));
    // The map stays in the picture, below a veil.
    QCOMPARE(document.view().shown(), sky);
    QCOMPARE(view->decorations().veil().mask, document.entry(mask)->map);
    panel->tool()->setRadius(5.0 * kDegree);
    drag({0.4, 0.45}, {0.55, 0.5});
    drag({0.45, 0.6}, {0.5, 0.6}, Qt::AltModifier);
    QCOMPARE(brush.strokes(mask).size(), size_t{2});
    QVERIFY(!brush.strokes(mask)[0].good && brush.strokes(mask)[1].good);
    waitUntilIdle();
    QCOMPARE(brush.shownStrokes(mask), size_t{2});
    const auto under = view->cursorAt(at({0.5, 0.4833}));
    QVERIFY(under);
    const auto map = document.entry(mask)->map;
    QCOMPARE(map->value(0, map->pixelAt(under->direction)), 0.0);
    QCOMPARE(view->decorations().veil().mask, map);
    // Painted strokes are in the veil; only the brush is a line.
    const auto lines = panel->tool()->lines();
    QVERIFY(std::none_of(lines.begin(), lines.end(),
                         [](const SkyLine& line) { return line.width > 0.0; }));
    shot(QStringLiteral("mask-over-map"));
    document.view().setShown({mask, 0});
    waitUntilIdle();
    QVERIFY(!view->decorations().veil().mask);
    shot(QStringLiteral("mask"));
    document.history().stack()->undo();  // shown
    document.history().stack()->undo();
    document.history().stack()->undo();
    waitUntilIdle();
    QVERIFY(brush.strokes(mask).empty());
    const auto back = document.entry(mask)->map;
    QCOMPARE(back->value(0, back->pixelAt(under->direction)), 1.0);
    QTest::keyClick(view, Qt::Key_BracketRight);
    QVERIFY(panel->tool()->radius() > 5.0 * kDegree);
    QVERIFY(view->decorations().veil().mask);
    open(window_->panels().rail()->tools().front()->content());
    QVERIFY(view->tool() == nullptr);
    QVERIFY(!view->decorations().veil().mask);
}

// A stroke may precede the job that makes the mask; if the job fails, the stroke is dropped.
void TestSkyTools::strokesWaitForTheirMask() {
    MaskPanel* panel = window_->panels().mask();
    Document& document = window_->session().document();
    MaskBrush& brush = window_->session().maskBrush();
    open(panel);
    panel->tool()->setLayer({});
    const auto buttons = panel->findChildren<QToolButton*>();
    const auto cut = std::find_if(buttons.begin(), buttons.end(),
                                  [](const QToolButton* each) { return each->text() == "Cut"; });
    QVERIFY(cut != buttons.end());
    const Mat3 before = document.view().camera().orientation;
    const auto unturned = [&] {
        return std::equal(std::begin(before.m), std::end(before.m),
                          std::begin(document.view().camera().orientation.m));
    };
    const auto press = [&] {
        if ((*cut)->isChecked()) (*cut)->click();
        (*cut)->click();
        QVERIFY(!panel->tool()->layer().isValid());
        QCOMPARE(window_->skyView()->tool(), static_cast<SkyTool*>(panel->tool()));
        drag({0.4, 0.45}, {0.55, 0.5});
        QVERIFY(!panel->tool()->layer().isValid());
        QVERIFY(unturned());
    };
    press();
    waitUntilIdle();
    const LayerId mask = panel->tool()->layer();
    QVERIFY2(mask.isValid(), qPrintable(window_->messages()->lines().join('\n')));
    QCOMPARE(brush.strokes(mask).size(), size_t{1});
    QVERIFY(unturned());
    panel->tool()->setLayer({});
    press();
    window_->session().jobs().cancelAll();
    waitUntilIdle();
    QVERIFY(!panel->tool()->layer().isValid());
    QVERIFY(window_->skyView()->tool() == nullptr);
    open(window_->panels().rail()->tools().front()->content());
}

// A threshold and a slider of the mask are a veil over the map before Run.
void TestSkyTools::theMaskFollowsItsSliders() {
    Document& document = window_->session().document();
    // A fresh map, because other tests leave their masks.
    window_->session().files().openSampleSky(32);
    waitUntilIdle();
    const Shown sky = document.view().shown();
    const size_t layers = document.entries().size();
    MaskPanel* tool = window_->panels().mask();
    open(tool);
    SkyViewWidget* view = window_->skyView();
    auto* rows = tool->findChild<OperationPanel*>();
    QVERIFY(rows);
    QCOMPARE(rows->input(QStringLiteral("MAP")), sky.entry);
    const DrawableField& drawn = *document.drawings().drawable(sky);
    QVERIFY(
        rows->setText(QStringLiteral("above"),
                      QString::number(drawn.statistics.mean + drawn.statistics.standardDeviation)));
    QTRY_VERIFY_WITH_TIMEOUT(view->decorations().veil().mask, kPatience);
    waitUntilIdle();
    const auto cut = [&] {
        const HealpixMap& mask = *view->decorations().veil().mask;
        int64_t count = 0;
        for (int64_t p = 0; p < mask.pixelCount(); ++p) count += mask.value(0, p) == 0.0 ? 1 : 0;
        return count;
    };
    const int64_t before = cut();
    const auto first = view->decorations().veil().mask;
    const auto sliders = rows->findChildren<ValueSlider*>();
    const auto grow = std::find_if(sliders.begin(), sliders.end(), [](const ValueSlider* each) {
        return each->accessibleName().contains(QLatin1String("row"));
    });
    QVERIFY(grow != sliders.end());
    ValueSlider* slider = *grow;
    slider->setValue(slider->maximum());  // 20 degrees
    QTRY_VERIFY_WITH_TIMEOUT(
        view->decorations().veil().mask && view->decorations().veil().mask != first, kPatience);
    waitUntilIdle();
    QVERIFY(cut() > before);
    QCOMPARE(document.entries().size(), layers);
    shot(QStringLiteral("mask-live"));
    // The veil is the mask that Run makes.
    const auto preview = view->decorations().veil().mask;
    rows->runButton()->click();
    waitUntilIdle();
    QCOMPARE(document.entries().size(), layers + 1);
    const HealpixMap& made = *document.entries().back().map;
    for (int64_t p = 0; p < made.pixelCount(); ++p)
        QCOMPARE(made.value(0, p), preview->value(0, p));
    open(window_->panels().rail()->tools().front()->content());
    QVERIFY(!view->decorations().veil().mask);
    document.view().setShown(sky);
    waitUntilIdle();
}

void TestSkyTools::drapesPolarization() {
    Document& document = window_->session().document();
    LayerId sky;
    for (const Layer& layer : document.entries())
        if (layer.map && layer.map->polarizationPair()) sky = layer.id;
    document.view().setShown({sky, 0});
    document.overlays().setRodsVisible(true);
    auto* overlay = window_->skyView()->findChild<SkyOverlay*>();
    QVERIFY(overlay);
    waitUntilIdle();
    QTRY_COMPARE_WITH_TIMEOUT(overlay->scene().rods.size(), size_t{1}, kPatience);
    QVERIFY(overlay->scene().rods.front().scaleText.contains(QStringLiteral("COSMO")));
    QVERIFY(overlay->scene().rods.front().scaleLength > 1.0);
    // Length proportional to T: none where 10 x + z is below 0, which is half of the sky.
    PolarizationLook lengths;
    lengths.lengthLayer = sky;
    document.overlays().setPolarizationLook(lengths);
    QVERIFY(overlay->scene().rods.front().scaleText.contains(QStringLiteral("TEMPERATURE")));
    const size_t some = overlay->scene().rods.front().rods.size();
    // A closed layer sets no length.
    lengths.lengthLayer = LayerId(1 << 20);
    document.overlays().setPolarizationLook(lengths);
    QVERIFY(some > 50 && some < overlay->scene().rods.front().rods.size() * 3 / 4);
    document.overlays().setPolarizationLook({});
    const size_t all = overlay->scene().rods.front().rods.size();
    QVERIFY(all > 100);
    // The scale of the line segments has its own place, also below a sentence about the layers.
    OverlayScene scene = overlay->scene();
    scene.chips.push_back({0, false, QStringLiteral("2 layers are elsewhere"), false, 1});
    overlay->setScene(scene);
    const std::vector<QRectF> cards = overlay->cards();
    scene.rods.clear();
    overlay->setScene(scene);
    QCOMPARE(cards.size(), overlay->cards().size() + 1);
    for (size_t i = 0; i < cards.size(); ++i)
        for (size_t j = 0; j < i; ++j) QVERIFY(!cards[i].intersects(cards[j]));
    PolarizationLook look;
    look.lic = true;
    look.convention = PolarizationConvention::Iau;
    document.overlays().setPolarizationLook(look);
    QVERIFY(overlay->scene().rods.front().scaleText.contains(QStringLiteral("IAU")));
    QTRY_VERIFY_WITH_TIMEOUT(!overlay->scene().shades.empty(), kPatience);
    // At rest with the resolution of the picture.
    QTRY_COMPARE_WITH_TIMEOUT(overlay->scene().shades.front().image.width(),
                              overlay->scene().panels.front().width(), kPatience);
    shot(QStringLiteral("polarization"));
    // While the view rotates there is a shade for every step.
    Camera camera = document.view().camera();
    for (int i = 0; i < 5; ++i) {
        camera = camera.turned(0.02);
        document.view().setCamera(camera);
        QTRY_VERIFY_WITH_TIMEOUT(!overlay->scene().shades.empty(), kPatience);
    }
    // A close view has its own finer texture.
    camera.projection = Projection::Gnomonic;
    camera.zoom = 20.0;
    document.view().setCamera(camera);
    QTRY_COMPARE_WITH_TIMEOUT(overlay->scene().shades.size(), size_t{1}, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(overlay->scene().shades.front().image.width(),
                              overlay->scene().panels.front().width(), kPatience);
    shot(QStringLiteral("polarization-close"));
    look.lic = false;
    document.overlays().setPolarizationLook(look);
    QVERIFY(overlay->scene().shades.empty());
    document.history().stack()->undo();
    QVERIFY(document.overlays().polarizationLook().lic);
}

QTEST_MAIN(TestSkyTools)
#include "tst_sky_tools.moc"
