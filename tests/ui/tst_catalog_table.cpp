// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a catalog in the window: filter, order, histogram, markers on the sky, command.
#include <QClipboard>
#include <QFile>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QImage>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTextStream>
#include <QToolButton>
#include <cmath>

#include "armilla/core/seen_frame.h"
#include "armilla/core/view_geometry.h"
#include "armilla/session/operation_runner.h"
#include "armilla/ui/sky_view_widget.h"
#include "models/catalog_model.h"
#include "panels/catalog_table.h"
#include "panels/column_card.h"
#include "panels/data_panel.h"
#include "panels/message_bar.h"
#include "view/picture.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kRows = 2000;

// A spiral over the sky with SNR 1 to 21 in steps of 0.01, and FLAGS 0 to 3 in turns.
double snrOf(int row) {
    return 1.0 + 0.01 * ((row * 7) % kRows);
}

QString spiral() {
    QString text;
    QTextStream out(&text);
    out << "NAME,RA,DEC,SNR,FLAGS\n";
    for (int row = 0; row < kRows; ++row)
        out << "S" << row << ',' << std::fmod(0.5 + 137.5 * row, 360.0) << ','
            << std::asin(1.0 - 2.0 * (row + 0.5) / kRows) / kDegree << ',' << snrOf(row) << ','
            << row % 4 << '\n';
    return text;
}

}  // namespace

class TestCatalogTable : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void filtersRowsAndMarkers();
    void namesErrorsOfTheFilter();
    void sortsByAHeading();
    void aRangeOfTheHistogramFilters();
    void rowsAndMarkersAreLinked();
    void severalRowsHaveRings();
    void copiesTheCommandAndKeepsALayer();
    void eachCatalogKeepsItsFilter();
    void tablesWithoutPositionsHaveRows();
    void anotherFrameRenewsTheMarkers();
    void manyRowsAreAnIndex();
    void rowNumbersAreWhole();

private:
    Document& document() { return window_->session().document(); }
    CatalogTable& table() { return *window_->panels().data()->catalog(); }
    CatalogModel& model() { return *qobject_cast<CatalogModel*>(table().view()->model()); }
    QToolButton* button(const QString& text);
    void filter(const QString& text);
    void write(const QString& name, const QString& text);
    // Numbers of markers by group.
    std::vector<int64_t> markers(LayerId layer);
    LayerId layer_;
};

void TestCatalogTable::initTestCase() {
    prepareSettings();
    openWindow();
    window_->skyView()->setInertia(false);
    write(QStringLiteral("stars.csv"), spiral());
    window_->openFiles({inFolder(QStringLiteral("stars.csv"))});
    QTRY_VERIFY_WITH_TIMEOUT(document().active().isValid(), kPatience);
    waitUntilIdle();
    layer_ = document().active();
    QTRY_VERIFY_WITH_TIMEOUT(document().drawings().markers(layer_), kPatience);
    QCOMPARE(table().countText(), QStringLiteral("2\u202f000 rows"));
    shot(QStringLiteral("table"));
}

void TestCatalogTable::cleanupTestCase() {
    closeWindow();
}

void TestCatalogTable::write(const QString& name, const QString& text) {
    QFile file(inFolder(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
}

QToolButton* TestCatalogTable::button(const QString& text) {
    for (auto* each : table().findChildren<QToolButton*>())
        if (each->text() == text) return each;
    return nullptr;
}

void TestCatalogTable::filter(const QString& text) {
    table().filter()->setFocus();
    table().filter()->selectAll();
    if (text.isEmpty())
        QTest::keyClick(table().filter(), Qt::Key_Delete);
    else
        QTest::keyClicks(table().filter(), text);
    QTest::keyClick(table().filter(), Qt::Key_Return);
    waitUntilIdle();
}

std::vector<int64_t> TestCatalogTable::markers(LayerId layer) {
    std::vector<int64_t> counts;
    for (const MarkerGroup& group : document().drawings().markerGroups(layer))
        counts.push_back(group.set->size());
    return counts;
}

// The height of an arrow for the order of rows once left the upper third of the digits.
void TestCatalogTable::rowNumbersAreWhole() {
    QHeaderView* header = table().view()->verticalHeader();
    const QImage image = header->viewport()->grab().toImage();
    const int row = header->visualIndexAt(image.height() / 2);
    QVERIFY(row >= 0);
    const int top = header->sectionViewportPosition(row);
    const int ground = qGray(image.pixel(1, top + 1));
    int first = image.height(), last = -1;
    // The last line of a section is its border.
    for (int y = top; y < top + header->sectionSize(row) - 1; ++y)
        for (int x = 0; x < image.width(); ++x)
            if (std::abs(qGray(image.pixel(x, y)) - ground) > 60) {
                first = std::min(first, y);
                last = y;
            }
    QVERIFY2(last - first + 1 >= QFontMetrics(header->font()).tightBoundingRect("1").height(),
             qPrintable(QString::number(last - first + 1)));
}

void TestCatalogTable::filtersRowsAndMarkers() {
    const auto before = document().entry(layer_)->catalog;
    filter(QStringLiteral("SNR > 20 and FLAGS == 0"));
    int expected = 0;
    for (int row = 0; row < kRows; ++row) expected += snrOf(row) > 20.0 && row % 4 == 0 ? 1 : 0;
    QCOMPARE(table().countText(), QStringLiteral("%1 of 2\u202f000 rows").arg(expected));
    QCOMPARE(model().rowCount(), expected);
    // The first row has the number of the file.
    int first = 0;
    while (!(snrOf(first) > 20.0 && first % 4 == 0)) ++first;
    QCOMPARE(model().headerData(0, Qt::Vertical, Qt::DisplayRole).toInt(), first + 1);
    QCOMPARE(model().index(0, 0).data().toString(), QStringLiteral("S%1").arg(first));
    QVERIFY(markers(layer_) == (std::vector<int64_t>{expected}));
    // The layer is as it was, and nothing is to be undone.
    QCOMPARE(document().entry(layer_)->catalog, before);
    shot(QStringLiteral("filtered"));
    filter({});
    QCOMPARE(table().countText(), QStringLiteral("2\u202f000 rows"));
    QVERIFY(markers(layer_) == (std::vector<int64_t>{kRows}));
}

void TestCatalogTable::namesErrorsOfTheFilter() {
    filter(QStringLiteral("SNR > 20"));
    const QString count = table().countText();
    filter(QStringLiteral("SNRR > 20"));
    QVERIFY2(table().errorText().contains(QStringLiteral("found 'SNRR'")),
             qPrintable(table().errorText()));
    QVERIFY(!table().errorText().contains(QStringLiteral("--")));
    // The rows of the last valid filter stay, but are not kept under a wrong one.
    QCOMPARE(table().countText(), count);
    QVERIFY(!button(QStringLiteral("Keep as layer"))->isEnabled());
    shot(QStringLiteral("error"));
    filter(QStringLiteral("SNR >"));
    QVERIFY(table().errorText().contains(QStringLiteral("at character 6")));
    filter(QStringLiteral("SNR > 19"));
    QVERIFY(table().errorText().isEmpty());
    QVERIFY(button(QStringLiteral("Keep as layer"))->isEnabled());
    filter({});
    QVERIFY(!button(QStringLiteral("Keep as layer"))->isEnabled());
}

void TestCatalogTable::sortsByAHeading() {
    QHeaderView* header = table().view()->horizontalHeader();
    const auto click = [&](int column) {
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(column) + 12, 8));
        waitUntilIdle();
    };
    click(3);
    double last = 0.0;
    for (int place = 0; place < kRows; ++place) {
        const double snr = snrOf(static_cast<int>(model().rowAt(place)));
        QVERIFY(snr >= last);
        last = snr;
    }
    // The histogram of the column is shown as well, with numbers of all rows.
    QVERIFY(table().card()->isVisible());
    QCOMPARE(table().card()->column(), 3);
    QCOMPARE(table().card()->summary().blanks, int64_t{0});
    // The values 1, 1.01, ... 20.99.
    QVERIFY(std::abs(table().card()->summary().mean - 10.995) < 1e-9);
    shot(QStringLiteral("sorted"));
    click(3);
    QCOMPARE(snrOf(static_cast<int>(model().rowAt(0))), 20.99);
    click(3);
    QVERIFY(!model().rows());
}

void TestCatalogTable::aRangeOfTheHistogramFilters() {
    filter(QStringLiteral("FLAGS == 1"));
    QTRY_VERIFY_WITH_TIMEOUT(table().card()->summary().rows == kRows / 4, kPatience);
    RangeHistogram* histogram = table().card()->histogram();
    const auto drag = [&](double from, double to) {
        const auto at = [&](double value) {
            return QPointF(histogram->xOf(value), histogram->height() / 3.0);
        };
        QTest::mousePress(histogram, Qt::LeftButton, {}, at(from).toPoint());
        for (const double share : {0.5, 1.0}) {
            const QPointF here = at(from + share * (to - from));
            QMouseEvent move(QEvent::MouseMove, here, histogram->mapToGlobal(here), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(histogram, &move);
        }
        QTest::mouseRelease(histogram, Qt::LeftButton, {}, at(to).toPoint());
        QTest::keyClick(table().filter(), Qt::Key_Return);
        waitUntilIdle();
    };
    drag(5.0, 10.0);
    const ColumnRange range = histogram->range();
    QVERIFY(range.low && range.high);
    // A pixel of a plot of at least 140 pixels is 0.15 of the values; the press rounds to pixels.
    QVERIFY(std::abs(*range.low - 5.0) < 0.3 && std::abs(*range.high - 10.0) < 0.3);
    QCOMPARE(table().filter()->text(),
             QStringLiteral("FLAGS == 1 and %1 <= SNR <= %2").arg(*range.low).arg(*range.high));
    int expected = 0;
    for (int row = 1; row < kRows; row += 4)
        expected += snrOf(row) >= *range.low && snrOf(row) <= *range.high ? 1 : 0;
    QCOMPARE(model().rowCount(), expected);
    shot(QStringLiteral("range"));
    // The upper end moves alone, beyond the end of the axis.
    drag(*range.high, 22.0);
    QCOMPARE(table().filter()->text(), QStringLiteral("FLAGS == 1 and SNR >= %1").arg(*range.low));
    // A click drops the range.
    QTest::mouseClick(histogram, Qt::LeftButton, {}, QPoint(histogram->width() / 2, 10));
    QCOMPARE(table().filter()->text(), QStringLiteral("FLAGS == 1"));
    filter({});
    button(QStringLiteral("Histogram"))->click();
    QVERIFY(!table().card()->isVisible());
}

void TestCatalogTable::rowsAndMarkersAreLinked() {
    filter(QStringLiteral("SNR > 15"));
    table().view()->selectRow(7);
    const int64_t row = model().rowAt(7);
    QCOMPARE(document().view().selection(), (RowSelection{layer_, row}));
    button(QStringLiteral("Go to"))->click();
    const auto offCenter = [&](int64_t of) {
        const Catalog& catalog = *document().entry(layer_)->catalog;
        const Camera& camera = document().view().camera();
        const ViewGeometry view = geometryFor(camera, window_->skyView()->size(), camera.frame);
        Vec3 center{};
        if (!skyFromImage(view, 0.5 * view.width, 0.5 * view.height, center)) return 1.0;
        return angularDistance(
            center, seenRotation(camera.frame, catalog.frame()) * direction(catalog.at(of)));
    };
    // The center of a pixel is within half a pixel of the center of the view.
    const double pixel =
        geometryFor(document().view().camera(), window_->skyView()->size(), Frame::Equatorial)
            .radiansPerPixel;
    QTRY_VERIFY_WITH_TIMEOUT(offCenter(row) < pixel, kPatience);
    // A click on the marker in the center of the sky selects the row and scrolls to it.
    document().view().setSelection({});
    QVERIFY(table().view()->selectionModel()->selectedRows().isEmpty());
    QVERIFY(!button(QStringLiteral("Go to"))->isEnabled());
    SkyViewWidget* sky = window_->skyView();
    const QPoint center = sky->rect().center();
    // A click on a view that still moves only stops it.
    const auto isSelectedByClick = [&] {
        QTest::mouseMove(sky, center);
        QTest::mouseClick(sky, Qt::LeftButton, {}, center);
        return document().view().selection() == RowSelection{layer_, row};
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSelectedByClick(), kPatience);
    QCOMPARE(table().view()->currentIndex().row(), 7);
    QVERIFY(table().view()->viewport()->rect().intersects(
        table().view()->visualRect(table().view()->currentIndex())));
    shot(QStringLiteral("linked"));
    // A row outside the filter has no place in the table.
    int other = 0;
    while (snrOf(other) > 15.0) ++other;
    document().view().setSelection({layer_, other});
    QVERIFY(!table().view()->currentIndex().isValid());
    document().view().setSelection({});
    filter({});
}

void TestCatalogTable::severalRowsHaveRings() {
    table().view()->selectRow(10);
    table().view()->selectionModel()->select(
        QItemSelection(model().index(10, 0), model().index(14, 4)), QItemSelectionModel::Select);
    waitUntilIdle();
    QVERIFY(markers(layer_) == (std::vector<int64_t>{kRows, 5}));
    QVERIFY(table().countText().endsWith(QStringLiteral("5 selected")));
    // The rings follow the size of the markers.
    LayerStyle style = document().entry(layer_)->style;
    style.marker.size = 12.0;
    document().drawings().setStyle(layer_, style);
    QCOMPARE(document().drawings().markerGroups(layer_)[0].style.size, 12.0);
    QVERIFY(document().drawings().markerGroups(layer_)[1].style.size > 12.0);
    QTest::keyClick(table().view(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 6);
    QCOMPARE(lines[0], QStringLiteral("NAME\tRA\tDEC\tSNR\tFLAGS"));
    QVERIFY(lines[1].startsWith(QStringLiteral("S10\t")));
    shot(QStringLiteral("several"));
    table().view()->selectionModel()->select(
        model().index(3, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    waitUntilIdle();
    QVERIFY(markers(layer_) == (std::vector<int64_t>{kRows}));
}

void TestCatalogTable::copiesTheCommandAndKeepsALayer() {
    filter(QStringLiteral("SNR > 18 and NAME != 'S3'"));
    const int kept = model().rowCount();
    button(QStringLiteral("Copy as command"))->click();
    const QString command = QGuiApplication::clipboard()->text();
    QVERIFY2(command.startsWith(QStringLiteral("armilla select ")) &&
                 command.contains(QStringLiteral("--where")) &&
                 command.contains(QStringLiteral("stars.csv")),
             qPrintable(command));
    button(QStringLiteral("Keep as layer"))->click();
    waitUntilIdle();
    QCOMPARE(document().entries().size(), size_t{2});
    const Layer& made = document().entries().back();
    QCOMPARE(made.catalog->rows(), int64_t{kept});
    QCOMPARE(document().active(), made.id);
}

void TestCatalogTable::eachCatalogKeepsItsFilter() {
    const LayerId made = document().entries().back().id;
    QCOMPARE(document().active(), made);
    QVERIFY(table().filter()->text().isEmpty());
    document().setActive(layer_);
    QCOMPARE(table().filter()->text(), QStringLiteral("SNR > 18 and NAME != 'S3'"));
    QVERIFY(table().countText().contains(QStringLiteral(" of ")));
    document().removeLayer(made);
    filter({});
}

void TestCatalogTable::tablesWithoutPositionsHaveRows() {
    Catalog plain;
    for (const auto& [name, values] :
         {std::pair{"FREQ", std::vector<double>{100.0, 143.0, 217.0}},
          std::pair{"FLUX", std::vector<double>{1.5, std::nan(""), 3.25}}}) {
        TableColumn column;
        column.name = name;
        column.values = values;
        plain.table.columns.push_back(column);
    }
    const LayerId id = document().addLayer(std::make_shared<const Catalog>(plain), "plain", {});
    waitUntilIdle();
    QCOMPARE(model().rowCount(), 3);
    filter(QStringLiteral("FLUX > 2"));
    QCOMPARE(model().rowCount(), 1);
    table().view()->selectRow(0);
    QVERIFY(!button(QStringLiteral("Go to"))->isEnabled());
    document().removeLayer(id);
    document().setActive(layer_);
}

// Another frame replaces the value of the layer; rings of the former value would stay in its frame.
void TestCatalogTable::anotherFrameRenewsTheMarkers() {
    write(QStringLiteral("plain.csv"), QStringLiteral("LON,LAT\n10,20\n30,-40\n50,60\n"));
    window_->openFiles({inFolder(QStringLiteral("plain.csv"))});
    QTRY_VERIFY_WITH_TIMEOUT(document().active() != layer_, kPatience);
    waitUntilIdle();
    const LayerId id = document().active();
    QCOMPARE(document().entry(id)->catalog->frame(), Frame::Unknown);
    table().view()->selectAll();
    waitUntilIdle();
    QVERIFY(markers(id) == (std::vector<int64_t>{3, 3}));
    window_->session().operations().stateFrame(id, Frame::Galactic);
    waitUntilIdle();
    QVERIFY(markers(id) == (std::vector<int64_t>{3}));
    QCOMPARE(document().drawings().markerGroups(id).front().set->frame(), Frame::Galactic);
    document().removeLayer(id);
    document().setActive(layer_);
}

// The table shows an index of the rows: sorting and filtering leave the catalog and its memory
// alone, and the window's thread only replaces the index.
void TestCatalogTable::manyRowsAreAnIndex() {
    constexpr int64_t kMany = 1000000;
    auto catalog = std::make_shared<Catalog>();
    for (const char* name : {"LON", "LAT", "X"}) {
        TableColumn column;
        column.name = name;
        std::vector<float> values(kMany);
        for (int64_t i = 0; i < kMany; ++i)
            values[static_cast<size_t>(i)] =
                static_cast<float>((i * 7919) % kMany) / static_cast<float>(kMany);
        column.values = std::move(values);
        catalog->table.columns.push_back(std::move(column));
    }
    const LayerId id = document().addLayer(std::shared_ptr<const Catalog>(catalog), "many", {});
    waitUntilIdle();
    QCOMPARE(model().rowCount(), int(kMany));
    table().view()->horizontalHeader()->setSortIndicator(2, Qt::AscendingOrder);
    waitUntilIdle();
    QCOMPARE(model().rowAt(0), int64_t{0});
    // 7919 has the inverse 17679 modulo 1e6: pow(7919, -1, 10**6) in Python.
    QCOMPARE(model().rowAt(1), int64_t{17679});
    filter(QStringLiteral("X < 0.25"));
    QCOMPARE(model().rowCount(), int(kMany / 4));
    table().view()->scrollToBottom();
    QCOMPARE(model().catalog(), document().entry(id)->catalog);
    document().removeLayer(id);
}

QTEST_MAIN(TestCatalogTable)
#include "tst_catalog_table.moc"
