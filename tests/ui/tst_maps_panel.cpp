// SPDX-License-Identifier: GPL-3.0-or-later
// The list of layers and its model, without a display.
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>

#include "armilla/plot/plot_style.h"
#include "armilla/session/document_json.h"
#include "armilla/ui/theme.h"
#include "counting_map.h"
#include "models/layer_looks.h"
#include "models/map_row_delegate.h"
#include "models/maps_model.h"
#include "panels/maps_panel.h"

using namespace armilla;
using namespace armilla::test;

class TestMapsPanel : public QObject {
    Q_OBJECT
private slots:
    void modelShowsMapsAndFields();
    void liveResultKeepsTheRows();
    void modelRenames();
    void rowsShowWhatFits();
    void marksAreLegible();
    void marksAreLarge();
    void panelShowsComparesAndCloses();
    void layersAreMoved();
    void keysChooseTheLayer();
    void eyesLeaveTheCurrentRow();
    void longListsAreSearched();
    void manyMissingAreCounted();
};

void TestMapsPanel::modelShowsMapsAndFields() {
    Document document;
    MapsModel model(document);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const LayerId one =
        document.addLayer(countingMap({"I"}), QStringLiteral("one.fits"), opened("one.fits"));
    const LayerId iqu = document.addLayer(countingMap({"I_STOKES", "Q_STOKES", "U_STOKES"}),
                                          QStringLiteral("iqu.fits"), opened("iqu.fits"));
    QCOMPARE(model.rowCount(), 2);
    // A map with one field needs no field rows; I, Q, U, amplitude and angle do.
    QCOMPARE(model.rowCount(model.indexOfEntry(one)), 0);
    QCOMPARE(model.rowCount(model.indexOfEntry(iqu)), 5);
    const QModelIndex angle = model.indexOf({iqu, 1, Quantity::PolarizationAngle});
    QVERIFY(angle.isValid());
    QCOMPARE(model.shownAt(angle).quantity, Quantity::PolarizationAngle);
    document.view().setShown({iqu, 2, Quantity::Field});
    QVERIFY(model.indexOfEntry(iqu).data(MapsModel::ShownRole).toBool());
    QVERIFY(!model.indexOfEntry(one).data(MapsModel::ShownRole).toBool());
    QVERIFY(model.indexOf({iqu, 2, Quantity::Field}).data(MapsModel::ShownRole).toBool());
    QVERIFY(!model.indexOf({iqu, 1, Quantity::Field}).data(MapsModel::ShownRole).toBool());
    document.removeLayer(iqu);
    QCOMPARE(model.rowCount(), 1);
    document.history().stack()->undo();
    QCOMPARE(model.rowCount(), 2);
}

void TestMapsPanel::liveResultKeepsTheRows() {
    Document document;
    MapsModel model(document);
    const LayerId one =
        document.addLayer(countingMap({"I"}), QStringLiteral("one.fits"), opened("one.fits"));
    Recipe smooth;
    smooth.kind = RecipeKind::Smooth;
    smooth.smooth.fwhm = 1.0 * kDegree;
    smooth.input = one;
    const LayerId live =
        document.liveLayer().set(countingMap({"I"}), QStringLiteral("smoothed 60′"), smooth, one);
    const QModelIndex row = model.indexOfEntry(live);
    QCOMPARE(row.parent(), model.indexOfEntry(one));
    QVERIFY(row.data(MapsModel::LiveRole).toBool());
    QCOMPARE(historyOf(document, live).size(), 2);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    document.liveLayer().set(countingMap({"I"}), QStringLiteral("smoothed 90′"), smooth, one);
    QCOMPARE(resets.count(), 0);
    QVERIFY(changes.count() > 0);
    QCOMPARE(model.indexOfEntry(live).data().toString(), QStringLiteral("smoothed 90′"));
}

// The energy of a channel precedes its unit, which all channels share; a long name is elided in the
// middle.
void TestMapsPanel::rowsShowWhatFits() {
    const QFontMetrics metrics(QApplication::font());
    const QString energy = QStringLiteral("ENERGY1 · 100 MeV"), all = energy + " · ph/cm²/s/sr/MeV";
    QCOMPARE(fittingText(all, metrics, metrics.horizontalAdvance(all)), all);
    QCOMPARE(fittingText(all, metrics, metrics.horizontalAdvance(all) - 1), energy);
    const QString narrow = fittingText(all, metrics, metrics.horizontalAdvance(energy) - 1);
    QVERIFY2(narrow.startsWith('E') && narrow.endsWith(QStringLiteral("1 · 100 MeV")),
             qPrintable(narrow));
    const int name = metrics.horizontalAdvance(QStringLiteral("ENERGY1"));
    QCOMPARE(fittingText(all, metrics, name), QStringLiteral("ENERGY1"));
    const QString field = QStringLiteral("a_very_long_name_I");
    const QString cut = fittingText(field, metrics, metrics.horizontalAdvance(field) - 1);
    QVERIFY(cut.startsWith('a') && cut.endsWith('I') && cut.contains(QChar(0x2026)));
}

// The mark of a curve is visible on the list's ground, for any marker color.
void TestMapsPanel::marksAreLegible() {
    Document document;
    auto curve = std::make_shared<Curve>();
    curve->x = {1.0, 2.0};
    curve->series.push_back({"w", "", {1.0, 2.0}, {}});
    const LayerId id = document.addLayer(std::shared_ptr<const Curve>(curve), "w", {});
    for (const Theme* theme : {&Theme::darkTheme(), &Theme::lightTheme()})
        for (const Rgba color : {Rgba{245, 248, 252, 255}, Rgba{0, 0, 0, 255}}) {
            LayerStyle style = document.entry(id)->style;
            style.marker.color = color;
            document.drawings().setStyle(id, style);
            QImage image(64, 64, QImage::Format_RGB32);
            image.fill(theme->panel);
            {
                QPainter painter(&image);
                looksOf(LayerKind::Curve)
                    .paintMark(painter, QRectF(8, 8, 48, 48), *document.entry(id), *theme);
            }
            double most = 1.0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    most = std::max(most, contrastOf(image.pixelColor(x, y), theme->panel));
            QVERIFY2(most >= 3.0, qPrintable(QString::number(most)));  // WCAG 2.1 of graphics
        }
}

// Markers of a large catalog are points; its mark in the list is large enough to click.
void TestMapsPanel::marksAreLarge() {
    Layer layer;
    layer.style.marker.shape = MarkerShape::Disc;
    layer.style.marker.size = kLeastMarker;
    QImage image(24, 24, QImage::Format_RGB32);
    image.fill(Qt::black);
    {
        QPainter painter(&image);
        looksOf(LayerKind::Catalog)
            .paintMark(painter, QRectF(4, 4, 12, 12), layer, Theme::darkTheme());
    }
    int painted = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            painted += image.pixelColor(x, y) != QColor(Qt::black) ? 1 : 0;
    QVERIFY2(painted >= 16, qPrintable(QString::number(painted)));
}

void TestMapsPanel::modelRenames() {
    Document document;
    MapsPanel panel(document);
    const LayerId one =
        document.addLayer(countingMap({"I"}), QStringLiteral("one.fits"), opened("one.fits"));
    auto* model = panel.view()->model();
    const QModelIndex row = model->index(0, 0);
    QVERIFY(model->setData(row, QStringLiteral("  sky  "), Qt::EditRole));
    QCOMPARE(document.entry(one)->name, QStringLiteral("sky"));
    QVERIFY(!model->setData(model->index(0, 0), QStringLiteral("   "), Qt::EditRole));
    QCOMPARE(document.entry(one)->name, QStringLiteral("sky"));
    document.history().stack()->undo();
    QCOMPARE(document.entry(one)->name, QStringLiteral("one.fits"));
}

void TestMapsPanel::layersAreMoved() {
    Document document;
    MapsPanel panel(document);
    auto* model = qobject_cast<MapsModel*>(panel.view()->model());
    QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto add = [&](const char* name, LayerId parent) {
        return document.addLayer(countingMap({"I", "J"}), QString::fromLatin1(name), opened(name),
                                 parent);
    };
    const LayerId a = add("a", {}), b = add("b", {}), child = add("child", a), c = add("c", {}),
                  other = add("other", a);
    const auto rows = [&] {
        QStringList names;
        for (int row = 0; row < model->rowCount(); ++row)
            names << model->index(row, 0).data().toString();
        return names.join(QLatin1Char(' '));
    };
    document.setActive(c);
    panel.moveCurrent(-1);
    QCOMPARE(rows(), QStringLiteral("a c b"));
    QCOMPARE(panel.currentEntry(), c);
    panel.moveCurrent(-1);
    panel.moveCurrent(-1);  // already the first one
    QCOMPARE(rows(), QStringLiteral("c a b"));
    // Among layers of one parent, after its fields.
    const QModelIndex parent = model->indexOfEntry(a);
    QCOMPARE(model->beside(model->indexOfEntry(child), -1), QModelIndex());
    document.setActive(child);
    panel.moveCurrent(1);
    QCOMPARE(model->indexOfEntry(child).row(), model->indexOfEntry(other).row() + 1);
    document.history().stack()->undo();
    QCOMPARE(model->indexOfEntry(child).row() + 1, model->indexOfEntry(other).row());
    // Dragged: onto a row, between two, below all; not to rows of another parent.
    const auto drop = [&](LayerId layer, int row, const QModelIndex& upon) {
        const std::unique_ptr<QMimeData> data(model->mimeData({model->indexOfEntry(layer)}));
        const bool takes = model->canDropMimeData(data.get(), Qt::MoveAction, row, 0, upon);
        model->dropMimeData(data.get(), Qt::MoveAction, row, 0, upon);
        QCoreApplication::processEvents();
        return takes;
    };
    // The view accepts drops between and below rows only if their parent accepts drops.
    QVERIFY(model->flags({}) & Qt::ItemIsDropEnabled);
    QVERIFY(drop(b, -1, model->indexOfEntry(c)));
    QCOMPARE(rows(), QStringLiteral("b c a"));
    QVERIFY(drop(b, 2, {}));
    QCOMPARE(rows(), QStringLiteral("c b a"));
    QVERIFY(drop(c, -1, {}));
    QCOMPARE(rows(), QStringLiteral("b a c"));
    QVERIFY(!drop(c, 3, {}));
    QVERIFY(!drop(child, 0, {}));
    QVERIFY(!drop(b, 1, parent));
    QVERIFY(!drop(b, -1, model->indexOfEntry(child)));
    QCOMPARE(rows(), QStringLiteral("b a c"));
}

void TestMapsPanel::panelShowsComparesAndCloses() {
    Document document;
    MapsPanel panel(document);
    panel.resize(240, 400);
    panel.show();
    QVERIFY(!panel.view()->isVisible());  // the empty state gives instructions
    const LayerId one =
        document.addLayer(countingMap({"I"}), QStringLiteral("one.fits"), opened("one.fits"));
    const LayerId two =
        document.addLayer(countingMap({"I"}), QStringLiteral("two.fits"), opened("two.fits"));
    QVERIFY(panel.view()->isVisible());
    QCOMPARE(document.view().shown().entry, two);
    auto* model = panel.view()->model();
    const QRect first = panel.view()->visualRect(model->index(0, 0));
    QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, first.center());
    QCOMPARE(document.view().shown().entry, one);
    const QRect second = panel.view()->visualRect(model->index(1, 0));
    QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, Qt::ShiftModifier, second.center());
    QCOMPARE(document.view().compared().entry, two);
    QCOMPARE(document.view().comparison(), Comparison::Swipe);
    panel.view()->setCurrentIndex(model->index(1, 0));
    panel.closeCurrent();
    QVERIFY(!document.entry(two));
    document.history().stack()->undo();
    QVERIFY(document.entry(two));
}

// The keyboard row is the active layer for the panels; the shown map changes on Return.
void TestMapsPanel::keysChooseTheLayer() {
    Document document;
    MapsPanel panel(document);
    panel.resize(240, 400);
    panel.show();
    const LayerId map = document.addLayer(countingMap({"I", "J"}), QStringLiteral("one.fits"), {});
    const LayerId other = document.addLayer(countingMap({"I"}), QStringLiteral("two.fits"), {});
    document.view().setShown({map, 0});
    document.setActive(other);
    auto* model = qobject_cast<MapsModel*>(panel.view()->model());
    QCOMPARE(panel.view()->currentIndex(), model->indexOfEntry(other));
    // Up to the second field of the map above: the keyboard row is that field, the panels show its
    // map.
    QTest::keyClick(panel.view(), Qt::Key_Up);
    QCOMPARE(panel.view()->currentIndex(), model->indexOf({map, 1}));
    QCOMPARE(document.active(), map);
    QCOMPARE(document.view().shown(), (Shown{map, 0}));
    QTest::keyClick(panel.view(), Qt::Key_Return);
    QCOMPARE(document.view().shown(), (Shown{map, 1}));
    QTest::keyClick(panel.view(), Qt::Key_Down);
    QCOMPARE(document.active(), other);
    QCOMPARE(document.view().shown(), (Shown{map, 1}));
    // External changes still move the keyboard row.
    document.setActive(map);
    QCOMPARE(panel.currentEntry(), map);
}

// The visibility of a catalog does not affect the active layer and the keyboard row.
void TestMapsPanel::eyesLeaveTheCurrentRow() {
    Document document;
    MapsPanel panel(document);
    panel.resize(240, 400);
    panel.show();
    Catalog few;
    few.table.columns.resize(2);
    few.table.columns[0].name = "GLON";
    few.table.columns[0].values = std::vector<double>{10.0, 20.0};
    few.table.columns[1].name = "GLAT";
    few.table.columns[1].values = std::vector<double>{0.0, 5.0};
    few.position = positionsNamed(few.table, "GLON", "GLAT");
    const LayerId catalog = document.addLayer(std::make_shared<const Catalog>(std::move(few)),
                                              QStringLiteral("few.csv"), opened("few.csv"));
    const LayerId map =
        document.addLayer(countingMap({"I"}), QStringLiteral("one.fits"), opened("one.fits"));
    QCOMPARE(document.active(), map);
    auto* model = qobject_cast<MapsModel*>(panel.view()->model());
    const QRect row = panel.view()->visualRect(model->indexOfEntry(catalog));
    const QPoint eye = MapRowDelegate::markArea(row).center();
    QCursor::setPos(panel.view()->viewport()->mapToGlobal(eye));
    QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, eye);
    QVERIFY(!document.entry(catalog)->style.visible);
    QCOMPARE(document.active(), map);
    QCOMPARE(panel.view()->currentIndex(), model->indexOfEntry(map));
    // By keyboard only.
    document.setActive(catalog);
    QTest::keyClick(panel.view(), Qt::Key_Space);
    QVERIFY(document.entry(catalog)->style.visible);
    QTest::keyClick(panel.view(), Qt::Key_Space);
    QVERIFY(!document.entry(catalog)->style.visible);
}

// Fields of the shown map are visible; those of other maps stay folded until opened. A long list
// can be searched.
void TestMapsPanel::longListsAreSearched() {
    Document document;
    MapsPanel panel(document);
    panel.resize(260, 500);
    panel.show();
    const auto many = [](const char* prefix) {
        std::vector<Field> fields;
        for (int i = 1; i <= 9; ++i)
            fields.push_back(
                {prefix + std::to_string(i), "K", DiskType::Float32, std::vector<float>(12, 1.0F)});
        return std::make_shared<const HealpixMap>(1, Ordering::Ring, Frame::Galactic,
                                                  std::move(fields));
    };
    document.addLayer(many("RED"), QStringLiteral("a"), {});
    auto* search = panel.findChild<QLineEdit*>();
    QVERIFY(search && !search->isVisible());
    document.addLayer(many("BLUE"), QStringLiteral("b"), {});
    QVERIFY(search->isVisible());
    auto* view = panel.view();
    const auto row = [&](int layer) { return view->model()->index(layer, 0); };
    QVERIFY(!view->isExpanded(row(0)) && view->isExpanded(row(1)));
    document.view().setShown({LayerId(1), 3});
    QVERIFY(view->isExpanded(row(0)) && !view->isExpanded(row(1)));
    view->expand(row(1));
    document.view().setShown({LayerId(2), 0});
    document.view().setShown({LayerId(1), 0});
    QVERIFY(view->isExpanded(row(1)));  // unfolded by the user
    search->setText(QStringLiteral("blue7"));
    const auto isSeen = [&](int layer, int child) { return !view->isRowHidden(child, row(layer)); };
    QVERIFY(view->isRowHidden(0, {}) && !view->isRowHidden(1, {}));
    QVERIFY(isSeen(1, 6) && !isSeen(1, 5));
    search->clear();
    QVERIFY(!view->isRowHidden(0, {}) && isSeen(1, 5));
}

// A session with many missing layers: a row for a few, a count for the rest, so that the window
// keeps its size.
void TestMapsPanel::manyMissingAreCounted() {
    constexpr int kMany = 300;
    Document saved;
    for (int i = 0; i < kMany; ++i)
        saved.addLayer(countingMap({"I"}), QString::number(i), opened("/nowhere/gone.fits"));
    Document document;
    MapsPanel panel(document);
    panel.resize(260, 500);
    panel.show();
    restoreDocument(document, jsonWriter(saved)());
    std::vector<LayerId> awaited;
    for (const AwaitedLayer& layer : document.recovery().awaited()) awaited.push_back(layer.id);
    QCOMPARE(awaited.size(), size_t{kMany});
    for (const LayerId id : awaited) document.recovery().setMissing(id, "no such file");
    QCOMPARE(document.recovery().missing().size(), size_t{kMany});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    int closers = 0;
    for (const auto* button : panel.findChildren<QToolButton*>())
        closers += button->accessibleName().startsWith("Close ") ? 1 : 0;
    QCOMPARE(closers, 12);
    QStringList lines;
    for (const auto* label : panel.findChildren<QLabel*>()) lines << label->text();
    QVERIFY2(lines.contains("and 288 more"), qPrintable(lines.join('|')));
    QVERIFY(panel.minimumSizeHint().height() < 1000);
    document.recovery().removeMissing(awaited.back());
    QCOMPARE(document.recovery().missing().size(), size_t{kMany - 1});
}

QTEST_MAIN(TestMapsPanel)
#include "tst_maps_panel.moc"
