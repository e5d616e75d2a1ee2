// SPDX-License-Identifier: GPL-3.0-or-later
// The appearance of layers and the data panel, without a display.
#include <qcustomplot.h>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "armilla/io/image_file.h"
#include "armilla/plot/plot_style.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/session.h"
#include "armilla/ui/theme.h"
#include "counting_map.h"
#include "panels/color_panel.h"
#include "panels/data_panel.h"
#include "panels/look_panel.h"
#include "plots/curve_plot.h"
#include "session/layer_samples.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

class TestLayerPanels : public QObject {
    Q_OBJECT
private slots:
    void curvesArePlotted();
    void columnsHaveHues();
    void curvesStandOut();
    void legendsFit();
    void narrowRangesHaveTicks();
    void rowsOfCatalogs();
    void looksOfEachKind();
    void looksAreEquallyHigh();
    void rangesOfCountsAreAutomatic();
    void imagesHaveColors();
};

void TestLayerPanels::curvesArePlotted() {
    Document document;
    JobRunner jobs;
    DataPanel panel(document, jobs);
    Curve curve;
    curve.xName = "theta";
    curve.x = {0.1, 1.0, 10.0, 100.0};
    curve.series = {{"w", "", {1e-3, 1.0, 50.0, 900.0}, {1e-4, 0.1, 1.0, 10.0}}};
    curve.covariance.assign(16, 0.0);
    for (size_t i = 0; i < 16; ++i) curve.covariance[i] = i % 5 == 0 ? 4.0 : 1.0;
    document.addLayer(std::make_shared<const Curve>(curve), "w", {});
    QVERIFY(panel.hasData());
    QCOMPARE(panel.plot()->graphCount(), 1);
    QVERIFY(panel.plot()->axes().logarithmicX && panel.plot()->axes().logarithmicY);
    const auto matrix = correlations(curve);
    QCOMPARE(matrix[0], 1.0);
    QCOMPARE(matrix[1], 0.25);
    document.addLayer(std::make_shared<const Curve>(curve), "other", {});
    QCOMPARE(panel.plot()->graphCount(), 2);
    LayerStyle style = document.entry(LayerId(1))->style;
    style.visible = false;
    document.drawings().setStyle(LayerId(1), style);
    QCOMPARE(panel.plot()->graphCount(), 1);
    panel.plot()->setAxes({false, false, true});
    QCOMPARE(panel.plot()->graphCount(), 0);
}

// Columns of a layer have different hues, also for white markers.
void TestLayerPanels::columnsHaveHues() {
    Document document;
    JobRunner jobs;
    DataPanel panel(document, jobs);
    Curve spectra;
    spectra.x = {1.0, 2.0};
    for (const char* name : {"TT", "EE", "BB", "TE"})
        spectra.series.push_back({name, "", {1.0, 2.0}, {}});
    const LayerId id = document.addLayer(std::make_shared<const Curve>(spectra), "cl", {});
    const QCustomPlot* plot = panel.findChild<QCustomPlot*>();
    for (const Rgba color :
         {Rgba{245, 248, 252, 255}, Rgba{0, 0, 0, 255}, Rgba{120, 220, 255, 255}}) {
        LayerStyle style = document.entry(id)->style;
        style.marker.color = color;
        document.drawings().setStyle(id, style);
        QCOMPARE(plot->graphCount(), 4);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < i; ++j) {
                const QColor one = plot->graph(i)->pen().color().toHsv();
                const QColor other = plot->graph(j)->pen().color().toHsv();
                const float apart = std::abs(one.hsvHueF() - other.hsvHueF());
                // A step is 0.22 of the circle; the first may be gray.
                QVERIFY(other.hsvHueF() < 0.0F || std::min(apart, 1.0F - apart) > 0.2F);
            }
    }
}

// For any marker color, the curve of a layer is visible on either ground.
void TestLayerPanels::curvesStandOut() {
    QCOMPARE(contrastOf(Qt::black, Qt::white), 21.0);
    for (const Theme* theme : {&Theme::darkTheme(), &Theme::lightTheme()})
        for (const QColor& color : {QColor(255, 216, 92), QColor(120, 220, 255), QColor(40, 40, 60),
                                    QColor(Qt::white), QColor(Qt::black), QColor(128, 128, 128)}) {
            const QColor ink = legible(color, theme->plotBackground);
            QVERIFY(contrastOf(ink, theme->plotBackground) >= 4.5);
            if (contrastOf(color, theme->plotBackground) >= 4.5) QCOMPARE(ink.rgb(), color.rgb());
        }
}

// The six spectra of a polarized map in the low panel below the sky: legend beside the curves.
void TestLayerPanels::legendsFit() {
    Curve spectra;
    spectra.xName = "l";
    spectra.x = {2.0, 20.0, 200.0};
    for (const char* name : {"TT", "EE", "BB", "TE", "EB", "TB"})
        spectra.series.push_back({name, "uK_CMB^2", {-1.0, 2.0, 3.0}, {}});
    CurvePlot curves;
    curves.resize(700, 130);
    const auto shared = std::make_shared<const Curve>(spectra);
    curves.setCurves({{"cl_out.fits", shared, Qt::yellow}});
    curves.show();
    auto* plot = curves.findChild<QCustomPlot*>();
    QVERIFY(plot);
    for (const int height : {130, 200, 400}) {
        curves.resize(700, height);
        QCoreApplication::processEvents();
        plot->replot();
        const QRect inside = plot->axisRect()->rect(), legend = plot->legend->outerRect();
        QVERIFY2(curves.rect().contains(legend) && !legend.intersects(inside),
                 qPrintable(QStringLiteral("%1: %2").arg(height).arg(legend.height())));
        QVERIFY(2 * inside.width() > curves.width());
    }
    // The file is named if there are several.
    QCOMPARE(plot->graph(0)->name(), QStringLiteral("TT"));
    QCOMPARE(plot->yAxis->label(), QStringLiteral("µKᴄᴍʙ²"));
    const QVector<QString> labels = plot->yAxis->tickVectorLabels();
    QVERIFY(labels.contains(QStringLiteral("−1")) && !labels.contains(QStringLiteral("-1")));
    curves.setCurves({{"a.fits", shared, Qt::yellow}, {"b.fits", shared, Qt::red}});
    QCOMPARE(plot->graph(6)->name(), QStringLiteral("TT · b.fits"));
    // In the column of the tools the names stand above the plot, which keeps its width, and return.
    const auto two = std::make_shared<const Curve>(*firstColumn(spectra));
    for (const QSize size : {QSize(312, 170), QSize(700, 200), QSize(330, 260)}) {
        curves.resize(size);
        curves.setCurves({{"w(θ)", two, Qt::yellow}, {"power law", two, Qt::red}});
        QCoreApplication::processEvents();
        plot->replot();
        const QRect inside = plot->axisRect()->rect(), legend = plot->legend->outerRect();
        const bool isNarrow = size.width() < 420;
        QCOMPARE(legend.bottom() < inside.top(), isNarrow);
        QCOMPARE(legend.left() > inside.right(), !isNarrow);
        QVERIFY(curves.rect().contains(legend));
        QVERIFY2(inside.width() > (isNarrow ? 0.75 : 0.5) * size.width(),
                 qPrintable(QString::number(inside.width())));
        if (isNarrow) QVERIFY(legend.height() < 2 * QFontMetrics(plot->legend->font()).height());
    }
    // Two long names have a row each.
    curves.resize(312, 260);
    curves.setCurves(
        {{"wmap_w_udgraded.fits", two, Qt::yellow}, {"planck_hfi143.fits", two, Qt::red}});
    plot->replot();
    QCOMPARE(plot->legend->rowCount(), 2);
    // Twelve curves leave two thirds of the height to the plot, at any width, and return.
    curves.setCurves(
        {{"planck_hfi143.fits", shared, Qt::yellow}, {"wmap_w.fits", shared, Qt::red}});
    for (const QSize size : {QSize(312, 190), QSize(400, 170), QSize(700, 400), QSize(280, 260)}) {
        curves.resize(size);
        QCoreApplication::processEvents();
        plot->replot();
        const QRect inside = plot->axisRect()->rect(), legend = plot->legend->outerRect();
        const bool isNarrow = size.width() < 420;
        QVERIFY2(!legend.intersects(inside) && curves.rect().contains(legend),
                 qPrintable(QString::number(size.width())));
        if (!isNarrow) QCOMPARE(plot->legend->itemCount(), 12);
        // A row may remain of the margins of the legend.
        if (isNarrow)
            QVERIFY2(3 * legend.height() <= size.height() + 3 * 12,
                     qPrintable(QString::number(legend.height())));
        if (isNarrow) QVERIFY(plot->legend->itemCount() > 0 && plot->legend->itemCount() < 12);
    }
    // One curve leaves no gap beside it.
    for (const int width : {312, 700}) {
        curves.resize(width, 400);
        QCoreApplication::processEvents();
        curves.setCurves({{"a.fits", firstColumn(spectra), Qt::yellow}});
        plot->replot();
        QVERIFY(plot->axisRect()->outerRect().right() > curves.width() - 12);
    }
}

// A logarithmic axis of less than two decades has two labels or more, in a low plot as in a high
// one. Over a decade no number is more than 2.5 times the label before it.
void TestLayerPanels::narrowRangesHaveTicks() {
    constexpr double kDecade = 10.0, kMostFactor = 2.5 * (1.0 + 1e-9);
    QCustomPlot plot;
    QCPAxis& axis = *plot.xAxis;
    setLogarithmic(axis, true);
    for (const int height : {60, 400})
        for (double lower = 0.0101; lower < 0.1; lower *= 1.037)
            for (double span = 1.1; span < 30.0; span *= 1.13) {
                axis.ticker()->setTickCount(tickCount(height));
                axis.setRange(lower, lower * span);
                QVector<double> ticks;
                QVector<QString> labels;
                axis.ticker()->generate(axis.range(), QLocale::c(), u'g', 4, ticks, nullptr,
                                        &labels);
                const QString what = QStringLiteral("%1 to %2: %3")
                                         .arg(lower)
                                         .arg(lower * span)
                                         .arg(labels.join(u' '));
                QVERIFY2(ticks.size() >= 2 && labels.size() == ticks.size(), qPrintable(what));
                if (span < kDecade) continue;
                ticks.prepend(lower);
                ticks << lower * span;
                for (qsizetype i = 1; i < ticks.size(); ++i)
                    QVERIFY2(ticks[i] < kMostFactor * ticks[i - 1], qPrintable(what));
            }
    // Angles of a correlation function.
    axis.setRange(0.9, 20.0);
    QVector<double> ticks, between;
    QVector<QString> labels;
    axis.ticker()->generate(axis.range(), QLocale::c(), u'g', 4, ticks, &between, &labels);
    QCOMPARE(labels, (QVector<QString>{"1", "2", "5", "10", "20"}));
    QCOMPARE(between, (QVector<double>{3, 4, 6, 7, 8, 9}));
}

void TestLayerPanels::rowsOfCatalogs() {
    Document document;
    JobRunner jobs;
    DataPanel panel(document, jobs);
    Catalog catalog;
    for (const char* name : {"GLON", "GLAT"}) {
        TableColumn column;
        column.name = name;
        column.unit = "deg";
        // The last one was a number of single precision.
        column.values = std::vector<double>{1.5, 2.5, -124.38484419889407, 0.067F};
        catalog.table.columns.push_back(column);
    }
    catalog.position = positionsNamed(catalog.table, "GLON", "GLAT");
    const LayerId id = document.addLayer(std::make_shared<const Catalog>(catalog), "c", {});
    const QAbstractItemModel* model = panel.table()->model();
    QCOMPARE(model->rowCount(), 4);
    QCOMPARE(model->columnCount(), 2);
    QCOMPARE(model->index(1, 0).data().toString(), QString("2.5"));
    QCOMPARE(model->index(3, 0).data().toString(), QString("0.067"));
    // The cell has the digits that an angle needs; the tool tip has those of the file.
    const QModelIndex long_ = model->index(2, 1);
    QCOMPARE(long_.data().toString(), QStringLiteral("−124.3848442"));
    QCOMPARE(long_.data(Qt::ToolTipRole).toString(), QStringLiteral("−124.38484419889407"));
    document.view().setSelection({id, 2});
    QCOMPARE(panel.table()->currentIndex().row(), 2);
    QSignalSpy chosen(&panel, &DataPanel::rowChosen);
    panel.table()->setCurrentIndex(model->index(0, 0));
    QCOMPARE(document.view().selection().row, int64_t{0});
    QCOMPARE(chosen.count(), 1);
    LookPanel look(document);
    look.setShape(MarkerShape::Plus);
    look.setSize(12.0);
    look.setColor(QColor(10, 20, 30));
    look.setOpacity(0.5);
    const LayerStyle style = document.entry(id)->style;
    QCOMPARE(style.marker, (MarkerStyle{MarkerShape::Plus, 12.0, {10, 20, 30, 255}}));
    QCOMPARE(style.opacity, 0.5);
    while (document.history().stack()->count() > 1 && document.history().stack()->index() > 1)
        document.history().stack()->undo();
    QVERIFY(document.entry(id)->style != style);
    document.setActive(LayerId());
    QVERIFY(!panel.hasData());
}

// Only applicable rows: a curve has a color, but no shape, size or opacity.
void TestLayerPanels::looksOfEachKind() {
    Document document;
    LookPanel look(document);
    look.show();
    const auto texts = [&] {
        QStringList seen;
        for (const QLabel* label : look.findChildren<QLabel*>())
            if (label->isVisible()) seen << label->text();
        return seen;
    };
    document.addLayer(sampleLayer(LayerKind::Catalog), "catalog", {});
    for (const char* row : {"Shape", "Size", "Opacity"}) QVERIFY(texts().contains(row));
    QVERIFY(!texts().contains("Color"));
    document.addLayer(sampleLayer(LayerKind::Curve), "curve", {});
    QCOMPARE(texts(), QStringList{"Color"});
    const QToolButton* color = nullptr;
    for (const auto* button : look.findChildren<QToolButton*>())
        if (button->isVisible() && button->accessibleName() == "Color of the curve") color = button;
    QVERIFY(color && color->isEnabled());
    look.setColor(QColor(10, 20, 30));
    const Layer* curve = document.entry(document.active());
    QCOMPARE(curve->style.marker.color, (Rgba{10, 20, 30, 255}));
}

// Choosing a layer or a scale, and a refused number, leave the height: nothing beside them moves.
void TestLayerPanels::looksAreEquallyHigh() {
    applyTheme(*qApp, ThemeKind::Light);
    Document document;
    LookPanel look(document);
    look.show();
    QStringList heights;
    const auto note = [&](const char* what) {
        QCoreApplication::processEvents();
        heights << QStringLiteral("%1 at %2").arg(look.sizeHint().height()).arg(what);
    };
    const LayerId map =
        document.addLayer(countingMap({"I"}, 16), QStringLiteral("one.fits"), opened("one"));
    document.view().setShown({map, 0});
    const LayerId image = document.addLayer(sampleLayer(LayerKind::Image), "image", {});
    const LayerId catalog = document.addLayer(sampleLayer(LayerKind::Catalog), "catalog", {});
    const LayerId curve = document.addLayer(sampleLayer(LayerKind::Curve), "curve", {});
    for (const LayerId id : {map, image, catalog, curve}) {
        document.setActive(id);
        note("a layer");
    }
    document.setActive(map);
    for (const Scale scale : {Scale::Linear, Scale::SymLog}) {
        ColorScale scaled = document.drawings().colorScale({map, 0});
        scaled.mapping.scale = scale;
        document.drawings().setColorScale({map, 0}, scaled);
        note("a scale");
    }
    auto* low = look.findChild<QLineEdit*>();
    QVERIFY(low);
    low->setFocus();
    low->selectAll();
    QTest::keyClicks(low, QStringLiteral("many"));
    QTest::keyClick(low, Qt::Key_Return);
    const auto labels = look.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("“many”"));
    }));
    note("a refusal");
    for (const QString& each : heights)
        QVERIFY2(each.section(u' ', 0, 0) == heights.front().section(u' ', 0, 0),
                 qPrintable(heights.join(u';')));
}

// The initial range of a map is not a choice of the user.
void TestLayerPanels::rangesOfCountsAreAutomatic() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    Document& document = session.document();
    const LayerId id =
        document.addLayer(countingMap({"COUNTS"}, 16), QStringLiteral("n.fits"), opened("n"));
    document.view().setShown({id, 0});
    QTRY_VERIFY_WITH_TIMEOUT(document.drawings().drawable({id, 0}), kPatience);
    QCOMPARE(document.drawings().colorScale({id, 0}).mapping.low, 0.0F);
    ColorPanel panel(document);
    panel.show();
    const QComboBox* range = nullptr;
    for (const auto* box : panel.findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Percentiles of the range")) range = box;
    QVERIFY(range);
    QCOMPARE(range->currentText(), QStringLiteral("automatic"));
    // The line of the linear width shows all digits of a small width.
    ColorScale small = document.drawings().colorScale({id, 0});
    small.mapping.scale = Scale::Asinh;
    for (const float width : {0.00076683F, 7.6683e-5F}) {
        small.mapping.linear = width;
        document.drawings().setColorScale({id, 0}, small);
        const QLineEdit* linear = nullptr;
        for (const auto* line : panel.findChildren<QLineEdit*>())
            if (line->accessibleName().startsWith(QLatin1String("Half width"))) linear = line;
        QVERIFY(linear && linear->isVisible());
        QVERIFY2(linear->fontMetrics().horizontalAdvance(linear->text()) + 8 < linear->width(),
                 qPrintable(linear->text()));
        QCOMPARE(linear->cursorPosition(), 0);
    }
}

// An image has its own colors, also beside a shown map.
void TestLayerPanels::imagesHaveColors() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    Document& document = session.document();
    Image image = placedImage();
    image.width = image.height = 20;
    image.planes.resize(1);
    std::vector<float> ramp(400);
    std::iota(ramp.begin(), ramp.end(), 0.0F);
    image.values = ramp;
    JobContext job;
    writeImage(image, folder.filePath("image.fits").toStdString(), {}, job);
    const LayerId map =
        document.addLayer(countingMap({"I"}, 16), QStringLiteral("one.fits"), opened("one"));
    document.view().setShown({map, 0});
    session.files().openFiles({folder.filePath("image.fits")});
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    const LayerId id = document.entries().back().id;
    QTRY_VERIFY_WITH_TIMEOUT(document.drawings().imageMesh(id), kPatience);
    LookPanel look(document);
    look.show();
    document.setActive(map);
    const ColorScale ofMap = document.drawings().colorScale({map});
    document.setActive(id);
    QVERIFY(look.colors()->isVisible());
    QVERIFY(!look.findChild<QSlider*>(QStringLiteral("markerSize"))->isVisible());
    look.colors()->setColorMap(QStringLiteral("gray"));
    look.colors()->setScaleKind(Scale::Asinh);
    look.colors()->applyRange({10.0, 90.0, false}, false);
    const ColorScale& scale = document.drawings().colorScale({id});
    QCOMPARE(QString::fromStdString(scale.colorMap), QStringLiteral("gray"));
    QCOMPARE(scale.mapping.scale, Scale::Asinh);
    QVERIFY(std::abs(scale.mapping.low - 39.9F) < 1.0F);
    QVERIFY(std::abs(scale.mapping.high - 359.1F) < 1.0F);
    QCOMPARE(document.drawings().colorScale({map}).colorMap, ofMap.colorMap);
    document.setActive(map);
    look.colors()->setColorMap(QStringLiteral("plasma"));
    QCOMPARE(QString::fromStdString(document.drawings().colorScale({id}).colorMap),
             QStringLiteral("gray"));
    QCOMPARE(QString::fromStdString(document.drawings().colorScale({map}).colorMap),
             QStringLiteral("plasma"));
}

QTEST_MAIN(TestLayerPanels)
#include "tst_layer_panels.moc"
