// SPDX-License-Identifier: GPL-3.0-or-later
// How the window draws what it repeats often: forms of Qt's calls that are fast by a factor of ten
// or more, counted instead of timed.
#include <qcustomplot.h>

#include <QHeaderView>
#include <QPaintEngine>
#include <QStandardItemModel>
#include <QStyleOptionHeader>
#include <QTableView>
#include <QtTest>

#include "armilla/ui/theme.h"
#include "plots/curve_plot.h"
#include "plots/spectrum_plot.h"
#include "support/patience.h"
#include "view/rod_strokes.h"

using namespace armilla;

namespace {

// Counts lines that are drawn as lines, and elements of paths.
class CountingEngine : public QPaintEngine {
public:
    CountingEngine() : QPaintEngine(AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState& now) override {
        if (now.state() & DirtyPen) pen_ = now.pen();
    }
    Type type() const override { return User; }
    void drawLines(const QLineF*, int count) override {
        lines += count;
        if (pen_.capStyle() == Qt::RoundCap) roundLines += count;
    }
    void drawPath(const QPainterPath& path) override {
        elements = std::max(elements, path.elementCount());
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawTextItem(const QPointF&, const QTextItem&) override {}
    int lines = 0, roundLines = 0, elements = 0;

private:
    QPen pen_;
};

class CountingDevice : public QPaintDevice {
public:
    explicit CountingDevice(QSize size) : size_(size) {}
    QPaintEngine* paintEngine() const override { return &engine; }
    mutable CountingEngine engine;

protected:
    int metric(PaintDeviceMetric which) const override {
        switch (which) {
            case PdmWidth: return size_.width();
            case PdmHeight: return size_.height();
            case PdmDevicePixelRatio: return 1;
            case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
            case PdmDepth: return 32;
            default: return 96;
        }
    }

private:
    QSize size_;
};

// Counts how often a widget is polished for another style.
class StyleCounter : public QWidget {
public:
    using QWidget::QWidget;
    int changes = 0;

protected:
    void changeEvent(QEvent* event) override {
        if (event->type() == QEvent::StyleChange) ++changes;
        QWidget::changeEvent(event);
    }
};

}  // namespace

class TestPainting : public QObject {
    Q_OBJECT
private slots:
    // Two lines a segment, the halo and the line, without the general stroker.
    void lineSegmentsAreDrawnAsLines() {
        constexpr int kSegments = 300;
        std::vector<Rod> rods;
        for (int i = 0; i < kSegments; ++i) {
            const double column = 10.0 + 20.0 * (i % 28), row = 10.0 + 20.0 * (i / 28);
            rods.push_back({{column, row}, {column + 12.0, row + 5.0}});
        }
        CountingDevice device({600, 400});
        QPainter painter(&device);
        painter.setRenderHint(QPainter::Antialiasing);
        strokeRods(painter, rods, {}, 1.0);
        painter.end();
        QCOMPARE(device.engine.lines, 2 * kSegments);
        QCOMPARE(device.engine.roundLines, 0);
        QCOMPARE(device.engine.elements, 0);
    }
    void curvesAreDrawnBySegments() {
        SpectrumPlot spectrum;
        CurvePlot curve;
        for (const QWidget* plot :
             {static_cast<QWidget*>(&spectrum), static_cast<QWidget*>(&curve)})
            QVERIFY(
                plot->findChild<QCustomPlot*>()->plottingHints().testFlag(QCP::phFastPolylines));
    }
    // The arrow of a sorted column has a place of its own beside the heading.
    void theSortArrowCoversNoHeading() {
        applyTheme(*qApp, ThemeKind::Light);
        QStandardItemModel model(3, 2);
        model.setHorizontalHeaderLabels({QStringLiteral("FLUX_143 (mJy)"), QStringLiteral("DEC")});
        QTableView table;
        table.setModel(&model);
        table.setSortingEnabled(true);
        table.sortByColumn(0, Qt::AscendingOrder);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table, armilla::test::kPatience));
        QHeaderView* header = table.horizontalHeader();
        QStyleOptionHeader option;
        option.initFrom(header);
        option.state |= QStyle::State_Horizontal;
        option.orientation = Qt::Horizontal;
        option.sortIndicator = QStyleOptionHeader::SortDown;
        option.rect = QRect(0, 0, 120, header->height());
        option.text = QStringLiteral("FLUX_143 (mJy)");
        const QRect label =
            header->style()->subElementRect(QStyle::SE_HeaderLabel, &option, header);
        const QRect arrow =
            header->style()->subElementRect(QStyle::SE_HeaderArrow, &option, header);
        QVERIFY(!label.isEmpty() && !arrow.isEmpty());
        QVERIFY2(!label.intersects(arrow), qPrintable(QStringLiteral("%1 to %2, arrow from %3")
                                                          .arg(label.left())
                                                          .arg(label.right())
                                                          .arg(arrow.left())));
    }
    // However deep a widget lies: once when the earlier sheet goes, once for the new one, and once
    // for each window.
    void aThemePolishesAWidgetOnce() {
        applyTheme(*qApp, ThemeKind::Dark);
        QWidget window;
        QWidget* inner = &window;
        constexpr int kDepth = 12;
        for (int i = 0; i < kDepth; ++i) inner = new QWidget(inner);
        auto* leaf = new StyleCounter(inner);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window, armilla::test::kPatience));
        leaf->changes = 0;
        applyTheme(*qApp, ThemeKind::Light);
        QVERIFY2(leaf->changes > 0 && leaf->changes <= 4,
                 qPrintable(QString::number(leaf->changes)));
    }
};

QTEST_MAIN(TestPainting)
#include "tst_painting.moc"
