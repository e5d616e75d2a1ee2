// SPDX-License-Identifier: GPL-3.0-or-later
// The panels around the sky and the models behind them, without a display.
#include <qcustomplot.h>
#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

#include "core/error.h"
#include "counting_map.h"
#include "dialogs/header_dialog.h"
#include "dialogs/help_dialogs.h"
#include "io/image_file.h"
#include "panels/color_panel.h"
#include "panels/data_panel.h"
#include "panels/jobs_panel.h"
#include "panels/look_panel.h"
#include "panels/message_bar.h"
#include "panels/smooth_panel.h"
#include "panels/spectrum_panel.h"
#include "panels/tool_dock.h"
#include "plots/curve_plot.h"
#include "plots/spectrum_plot.h"
#include "session/layer_samples.h"
#include "session/sky_names.h"
#include "ui/app_settings.h"
#include "ui/icons.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// The dismiss or cancel buttons under a widget, by their accessible names.
QAbstractButton* buttonNamed(QWidget* parent, const QString& begin) {
    for (auto* button : parent->findChildren<QAbstractButton*>())
        if (button->accessibleName().startsWith(begin) || button->text() == begin) return button;
    return nullptr;
}

}  // namespace

class TestPanels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void names();
    void messagesStayOrGo();
    void messagesMoveNothing();
    void guideAndHeaderAreRead();
    void questionOutlivesOthers();
    void jobsHaveCards();
    void failedJobStaysUntilDismissed();
    void timeLeft();
    void dockFolds();
    void wheelScrollsPanels();
    void sliderPlaces();
    void imagesHaveColors();
    void rangesOfCountsAreAutomatic();
    void spectrumValues();
    void spectrumWaitsForValues();
    void spectrumBesideAnAngle();
    void curvesArePlotted();
    void legendsFit();
    void rowsOfCatalogs();
    void settingsComeBack();
    void everyIconDraws();

private:
    QTemporaryDir settings_;
};

void TestPanels::initTestCase() {
    // The user's own settings are neither read nor changed.
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
    QCoreApplication::setOrganizationName(QStringLiteral("armilla-test"));
    QCoreApplication::setApplicationName(QStringLiteral("armilla-test"));
}

void TestPanels::names() {
    // l, b of M 31 in NED: 121.1744, -21.5733 degrees; the list is good to an arcminute.
    const LonLat andromeda = searchedPosition(QStringLiteral("m31"), Frame::Galactic);
    QVERIFY(std::abs(andromeda.lon / kDegree - 121.174) < 0.02);
    QVERIFY(std::abs(andromeda.lat / kDegree + 21.573) < 0.02);
    QVERIFY(namedPosition(QStringLiteral("Crab")));
    QVERIFY(!namedPosition(QStringLiteral("nowhere")));
    const LonLat typed = searchedPosition(QStringLiteral("83.63 −5.39"), Frame::Galactic);
    QCOMPARE(typed.lon / kDegree, 83.63);
    QCOMPARE(typed.lat / kDegree, -5.39);
    QVERIFY_EXCEPTION_THROWN(searchedPosition(QStringLiteral("nowhere"), Frame::Galactic),
                             InvalidArgument);
    QVERIFY_EXCEPTION_THROWN(searchedPosition(QStringLiteral("M 31"), Frame::Unknown),
                             InvalidArgument);
}

// The guide stands without its pictures, and has those that are there.
void TestPanels::guideAndHeaderAreRead() {
    const QString plain = GuideDialog::text({});
    QVERIFY(plain.contains(QStringLiteral("## Open")) && !plain.contains(QStringLiteral("![")));
    QTemporaryDir folder;
    QFile picture(folder.filePath(QStringLiteral("guide-window.png")));
    QVERIFY(picture.open(QIODevice::WriteOnly));
    const QString pictured = GuideDialog::text({folder.path()});
    QCOMPARE(pictured.count(QStringLiteral("![")), 1);
    // Its tables are columns of words: without a grid, or a row of empty headings.
    GuideDialog guide(nullptr);
    int tables = 0;
    for (QTextFrame* frame :
         guide.findChild<QTextBrowser*>()->document()->rootFrame()->childFrames())
        if (const auto* table = qobject_cast<const QTextTable*>(frame)) {
            ++tables;
            QCOMPARE(table->format().border(), 0.0);
            QVERIFY(!table->cellAt(0, 0).firstCursorPosition().block().text().isEmpty());
        }
    QVERIFY(tables > 0);
    HeaderDialog header(QStringLiteral("h"), QStringLiteral("SIMPLE  = T\nNSIDE   = 64\nEND"),
                        nullptr);
    QCOMPARE(header.shownText().count(QLatin1Char('\n')), 2);
    header.search()->setText(QStringLiteral("nside"));
    QCOMPARE(header.shownText(), QStringLiteral("NSIDE   = 64"));
}

void TestPanels::messagesStayOrGo() {
    MessageBar bar;
    QVERIFY(bar.isHidden());
    bar.show(MessageTone::Error, QStringLiteral("expected a map, found a table"));
    bar.show(MessageTone::Error, QStringLiteral("expected a map, found a table"));
    QCOMPARE(bar.lines().size(), 1);
    QCOMPARE(bar.count(QStringLiteral("expected a map, found a table")), 2);
    QVERIFY(!bar.isHidden());
    bar.show(MessageTone::Note, QStringLiteral("copied"));
    QCOMPARE(bar.lines().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(bar.lines().size(), 1, MessageBar::kNoteMilliseconds + 2000);
    QAbstractButton* close = buttonNamed(&bar, QStringLiteral("Dismiss message"));
    QVERIFY(close);
    close->click();
    QVERIFY(bar.lines().isEmpty());
    QVERIFY(bar.isHidden());
}

// Messages lie over the upper edge of their host, in its middle; its layout does not move.
void TestPanels::messagesMoveNothing() {
    QWidget host;
    auto* layout = new QVBoxLayout(&host);
    auto* sky = new QWidget(&host);
    layout->addWidget(sky);
    auto* bar = new MessageBar(&host);
    host.resize(900, 500);
    host.show();
    QVERIFY(QTest::qWaitForWindowExposed(&host));
    const QRect before = sky->geometry();
    bar->show(MessageTone::Error, QString(300, QLatin1Char('x')).replace(20, 1, QLatin1Char(' ')));
    bar->show(MessageTone::Note, QStringLiteral("copied"));
    QTest::qWait(50);
    QCOMPARE(sky->geometry(), before);
    QCOMPARE(bar->width(), MessageBar::kMostWidth);
    QCOMPARE(bar->geometry().center().x(), host.rect().center().x());
    QVERIFY(bar->height() < 120);
    host.resize(400, 500);
    QTRY_VERIFY(host.rect().contains(bar->geometry()));
    // A note with something to click waits.
    bar->show(MessageTone::Note, QStringLiteral("more"), {{QStringLiteral("Open"), [] {}}});
    QTest::qWait(MessageBar::kNoteMilliseconds + 800);
    QVERIFY(bar->lines().contains(QStringLiteral("more")));
    QVERIFY(!bar->lines().contains(QStringLiteral("copied")));
}

void TestPanels::questionOutlivesOthers() {
    MessageBar bar;
    bool answered = false;
    bar.show(MessageTone::Question, QStringLiteral("restore?"),
             {{QStringLiteral("Restore"), [&] { answered = true; }}});
    for (int i = 0; i < 2 * MessageBar::kMostLines; ++i)
        bar.show(MessageTone::Error, QString::number(i));
    QCOMPARE(bar.lines().size(), MessageBar::kMostLines);
    QCOMPARE(bar.lines().front(), QStringLiteral("restore?"));
    QCOMPARE(bar.lines().back(), QString::number(2 * MessageBar::kMostLines - 1));
    for (int i = 0; i < 10; ++i) bar.dismissOldest();
    QCOMPARE(bar.lines(), QStringList{QStringLiteral("restore?")});
    buttonNamed(&bar, QStringLiteral("Restore"))->click();
    QVERIFY(answered);
    QVERIFY(bar.lines().isEmpty());
}

void TestPanels::jobsHaveCards() {
    JobRunner runner;
    JobsPanel panel(runner);
    QSignalSpy counts(&panel, &JobsPanel::activeCountChanged);
    std::atomic<bool> left = false;
    runner.run<int>(QStringLiteral("Pair counts"), JobLane::Compute, {}, this,
                    [&left](JobContext& job) -> int {
                        try {
                            for (;;) {
                                job.report(0.25, "DD");
                                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                            }
                        } catch (...) {
                            left = true;
                            throw;
                        }
                    },
                    {});
    QTRY_COMPARE(panel.activeCount(), 1);
    QTRY_VERIFY(panel.findChild<QProgressBar*>());
    QTRY_COMPARE(panel.findChild<QProgressBar*>()->value(), 250);
    QAbstractButton* cancel = buttonNamed(&panel, QStringLiteral("Cancel Pair counts"));
    QVERIFY(cancel);
    cancel->click();
    QTRY_VERIFY(left);
    QTRY_COMPARE(panel.activeCount(), 0);
    QTRY_VERIFY(!panel.findChild<QProgressBar*>());
    QVERIFY(runner.isIdle());
}

void TestPanels::failedJobStaysUntilDismissed() {
    JobRunner runner;
    JobsPanel panel(runner);
    runner.run<int>(QStringLiteral("Open"), JobLane::Io, {}, this,
                    [](JobContext&) -> int { throw IoError("expected a map, found nothing"); }, {});
    QTRY_VERIFY(buttonNamed(&panel, QStringLiteral("Dismiss Open")));
    bool told = false;
    for (const auto* label : panel.findChildren<QLabel*>())
        told = told || label->text() == QLatin1String("expected a map, found nothing");
    QVERIFY(told);
    QCOMPARE(panel.activeCount(), 0);
    buttonNamed(&panel, QStringLiteral("Dismiss Open"))->click();
    QTRY_VERIFY(!buttonNamed(&panel, QStringLiteral("Dismiss Open")));
    QVERIFY(runner.jobs().empty());
}

void TestPanels::timeLeft() {
    QCOMPARE(timeLeftText(-1.0), QString());
    QCOMPARE(timeLeftText(1.23), QStringLiteral("1.2 s left"));
    QCOMPARE(timeLeftText(42.4), QStringLiteral("42 s left"));
    QCOMPARE(timeLeftText(600.0), QStringLiteral("10 min left"));
}

void TestPanels::dockFolds() {
    auto* content = new QLabel(QStringLiteral("content"));
    content->setFixedHeight(200);
    ToolDock dock(QStringLiteral("Smooth"), QStringLiteral("smooth"), content,
                  ToolDock::Height::Natural, nullptr);
    dock.show();
    const int open = dock.maximumHeight();
    QVERIFY(open >= 200);
    QAbstractButton* toggle = buttonNamed(&dock, QStringLiteral("Smooth panel"));
    QVERIFY(toggle);
    toggle->click();
    QVERIFY(dock.isCollapsed());
    QVERIFY(dock.maximumHeight() < 60);
    QVERIFY(!content->isVisible());
    dock.setCollapsed(false);
    QCOMPARE(dock.maximumHeight(), open);
    QVERIFY(content->isVisible());
}

// Over a slider or a choice, too: a value that happens to come below the pointer stays.
void TestPanels::wheelScrollsPanels() {
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    auto* slider = new QSlider(Qt::Horizontal, content);
    slider->setValue(50);
    layout->addWidget(slider);
    layout->addSpacing(600);
    ToolDock dock(QStringLiteral("Filter"), QStringLiteral("filter"), content,
                  ToolDock::Height::Natural, nullptr);
    // Made later.
    auto* choice = new QComboBox(content);
    choice->addItems({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    layout->insertWidget(1, choice);
    dock.show();
    dock.resize(300, 250);
    auto* area = dock.findChild<QScrollArea*>();
    QVERIFY(area);
    QTRY_VERIFY(area->verticalScrollBar()->maximum() > 100);
    int before = area->verticalScrollBar()->value();
    for (QWidget* under : {static_cast<QWidget*>(slider), static_cast<QWidget*>(choice)}) {
        under->setFocus();
        const QPointF middle(under->rect().center());
        QWheelEvent wheel(middle, under->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        // As from the window system: others are not passed on to parents.
        QSpontaneKeyEvent::setSpontaneous(&wheel);
        qApp->notify(under, &wheel);
        QVERIFY(area->verticalScrollBar()->value() > before);
        before = area->verticalScrollBar()->value();
    }
    QCOMPARE(slider->value(), 50);
    QCOMPARE(choice->currentIndex(), 0);
}

void TestPanels::sliderPlaces() {
    QCOMPARE(SmoothPanel::placeOf(SmoothPanel::kLeast), 0);
    QCOMPARE(SmoothPanel::placeOf(SmoothPanel::kMost), SmoothPanel::kSteps);
    double last = 0.0;
    for (int place = 0; place <= SmoothPanel::kSteps; ++place) {
        const double fwhm = SmoothPanel::fwhmAt(place);
        // Rounded to three digits (half a unit: 0.5 %), steps of a factor 3600^(1/1000) = 0.82 %:
        // never back, and never more than one place away.
        QVERIFY(fwhm >= last);
        QVERIFY(std::abs(SmoothPanel::placeOf(fwhm) - place) <= 1);
        last = fwhm;
    }
}

void TestPanels::curvesArePlotted() {
    Document document;
    DataPanel panel(document);
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
    LayerStyle style = document.entry(1)->style;
    style.visible = false;
    document.setStyle(1, style);
    QCOMPARE(panel.plot()->graphCount(), 1);
    panel.plot()->setAxes({false, false, true});
    QCOMPARE(panel.plot()->graphCount(), 0);
}

// The six spectra of a polarized map in the low panel below the sky: beside the curves.
void TestPanels::legendsFit() {
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
    // The file is named where there are several.
    QCOMPARE(plot->graph(0)->name(), QStringLiteral("TT"));
    QCOMPARE(plot->yAxis->label(), QStringLiteral("µKᴄᴍʙ²"));
    const QVector<QString> labels = plot->yAxis->tickVectorLabels();
    QVERIFY(labels.contains(QStringLiteral("−1")) && !labels.contains(QStringLiteral("-1")));
    curves.setCurves({{"a.fits", shared, Qt::yellow}, {"b.fits", shared, Qt::red}});
    QCOMPARE(plot->graph(6)->name(), QStringLiteral("TT · b.fits"));
    // One curve leaves no gap beside it.
    curves.setCurves({{"a.fits", firstColumn(spectra), Qt::yellow}});
    plot->replot();
    QVERIFY(plot->axisRect()->outerRect().right() > curves.width() - 12);
}

void TestPanels::rowsOfCatalogs() {
    Document document;
    DataPanel panel(document);
    Catalog catalog;
    for (const char* name : {"GLON", "GLAT"}) {
        TableColumn column;
        column.name = name;
        column.unit = "deg";
        column.values = std::vector<double>{1.5, 2.5, -124.38484419889407};
        catalog.table.columns.push_back(column);
    }
    catalog.position = positionsNamed(catalog.table, "GLON", "GLAT");
    const int id = document.addLayer(std::make_shared<const Catalog>(catalog), "c", {});
    const QAbstractItemModel* model = panel.table()->model();
    QCOMPARE(model->rowCount(), 3);
    QCOMPARE(model->columnCount(), 2);
    QCOMPARE(model->index(1, 0).data().toString(), QString("2.5"));
    // As many digits as an angle deserves; the tool tip has those of the file.
    const QModelIndex long_ = model->index(2, 1);
    QCOMPARE(long_.data().toString(), QStringLiteral("−124.3848442"));
    QCOMPARE(long_.data(Qt::ToolTipRole).toString(), QStringLiteral("−124.38484419889407"));
    document.setSelection({id, 2});
    QCOMPARE(panel.table()->currentIndex().row(), 2);
    QSignalSpy chosen(&panel, &DataPanel::rowChosen);
    panel.table()->setCurrentIndex(model->index(0, 0));
    QCOMPARE(document.selection().row, int64_t{0});
    QCOMPARE(chosen.count(), 1);
    LookPanel look(document);
    look.setShape(MarkerShape::Plus);
    look.setSize(12.0);
    look.setColor(QColor(10, 20, 30));
    look.setOpacity(0.5);
    const LayerStyle style = document.entry(id)->style;
    QCOMPARE(style.marker, (MarkerStyle{MarkerShape::Plus, 12.0, {10, 20, 30, 255}}));
    QCOMPARE(style.opacity, 0.5);
    while (document.undoStack()->count() > 1 && document.undoStack()->index() > 1)
        document.undoStack()->undo();
    QVERIFY(document.entry(id)->style != style);
    document.setActive(-1);
    QVERIFY(!panel.hasData());
}

// What a map opens with is no choice of the user's.
void TestPanels::rangesOfCountsAreAutomatic() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    Document& document = session.document();
    const int id =
        document.addLayer(countingMap({"COUNTS"}, 16), QStringLiteral("n.fits"), opened("n"));
    document.setShown({id, 0});
    QTRY_VERIFY_WITH_TIMEOUT(document.drawable({id, 0}), 60000);
    QCOMPARE(document.colorScale({id, 0}).mapping.low, 0.0F);
    ColorPanel panel(document);
    panel.show();
    const QComboBox* range = nullptr;
    for (const auto* box : panel.findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Percentiles of the range")) range = box;
    QVERIFY(range);
    QCOMPARE(range->currentText(), QStringLiteral("automatic"));
}

// The colors of an image are its own, also beside a map that is shown.
void TestPanels::imagesHaveColors() {
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
    const int map =
        document.addLayer(countingMap({"I"}, 16), QStringLiteral("one.fits"), opened("one"));
    document.setShown({map, 0});
    session.openFiles({folder.filePath("image.fits")});
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, 60000);
    const int id = document.entries().back().id;
    QTRY_VERIFY_WITH_TIMEOUT(document.imageMesh(id), 60000);
    LookPanel look(document);
    look.show();
    document.setActive(map);
    const ColorScale ofMap = document.colorScale({map});
    document.setActive(id);
    QVERIFY(look.colors()->isVisible());
    QVERIFY(!look.findChild<QSlider*>(QStringLiteral("markerSize"))->isVisible());
    look.colors()->setColorMap(QStringLiteral("gray"));
    look.colors()->setScaleKind(Scale::Asinh);
    look.colors()->applyRange({10.0, 90.0, false}, false);
    const ColorScale& scale = document.colorScale({id});
    QCOMPARE(QString::fromStdString(scale.colorMap), QStringLiteral("gray"));
    QCOMPARE(scale.mapping.scale, Scale::Asinh);
    QVERIFY(std::abs(scale.mapping.low - 39.9F) < 1.0F);
    QVERIFY(std::abs(scale.mapping.high - 359.1F) < 1.0F);
    QCOMPARE(document.colorScale({map}).colorMap, ofMap.colorMap);
    document.setActive(map);
    look.colors()->setColorMap(QStringLiteral("plasma"));
    QCOMPARE(QString::fromStdString(document.colorScale({id}).colorMap), QStringLiteral("gray"));
    QCOMPARE(QString::fromStdString(document.colorScale({map}).colorMap), QStringLiteral("plasma"));
}

void TestPanels::spectrumValues() {
    SpectrumAxes axes;
    axes.bandPower = true;
    QCOMPARE(spectrumValue(axes, 10, kTwoPi), 110.0);
    axes.bandPower = false;
    QCOMPARE(spectrumValue(axes, 10, 3.0), 3.0);
}

// A live map whose values are still on the device covers no pixel: nothing is asked, and nobody is
// told of a failure.
void TestPanels::spectrumWaitsForValues() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    const auto map = countingMap({"I"}, 16);
    const int one = session.document().addLayer(map, QStringLiteral("one.fits"), opened("one"));
    session.document().setShown({one, 0});
    int failures = 0;
    std::vector<int> of;
    connect(&session, &Session::messageRaised, this, [&] { ++failures; });
    connect(&session, &Session::spectrumReady, this,
            [&](const SpectrumResult& result) { of.push_back(result.of.entry); });
    SpectrumPanel panel(session);
    panel.show();
    QTRY_COMPARE_WITH_TIMEOUT(of.size(), size_t{1}, 60000);
    const auto live = [&](std::vector<int64_t> pixels) {
        Field field{"I", "K", DiskType::Float32, std::vector<float>(pixels.size(), 1.0F)};
        return session.document().setLive(
            std::make_shared<const HealpixMap>(HealpixMap::partial(
                16, Ordering::Ring, Frame::Galactic, std::move(pixels), {std::move(field)})),
            QStringLiteral("smoothed"), {}, one);
    };
    live({});
    QTest::qWait(600);
    QTRY_VERIFY_WITH_TIMEOUT(session.jobs().isIdle(), 60000);
    QCOMPARE(failures, 0);
    QCOMPARE(of, (std::vector<int>{one}));
    const int id = live({5, 6, 7});
    QTRY_COMPARE_WITH_TIMEOUT(of, (std::vector<int>{one, id}), 60000);
}

// An angle has no spectrum: that of the field it is made of is named, and goes by its name again.
void TestPanels::spectrumBesideAnAngle() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    const auto map = countingMap({"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"}, 16);
    const int id = session.document().addLayer(map, QStringLiteral("p.fits"), opened("p"));
    session.document().setShown({id, 1, Quantity::PolarizationAngle});
    QString status;
    SpectrumPanel panel(session);
    connect(&panel, &SpectrumPanel::statusChanged, this,
            [&](const QString& text) { status = text; });
    panel.show();
    QTRY_VERIFY_WITH_TIMEOUT(status.startsWith(QStringLiteral("of Q_POLARISATION · ")), 60000);
    session.document().setShown({id, 1, Quantity::Field});
    QTRY_VERIFY_WITH_TIMEOUT(status.startsWith(QStringLiteral("whole sky")), 60000);
}

void TestPanels::settingsComeBack() {
    QVERIFY(AppSettings::load() == AppSettings{});
    AppSettings settings;
    settings.theme = ThemeKind::Light;
    settings.draw = DrawChoice::Cpu;
    settings.device = QStringLiteral("cpu");
    settings.threads = 3;
    settings.save();
    QVERIFY(AppSettings::load() == settings);
    QSettings().setValue(QStringLiteral("theme"), QStringLiteral("purple"));
    QSettings().setValue(QStringLiteral("threads"), -5);
    QCOMPARE(AppSettings::load().theme, ThemeKind::System);
    QCOMPARE(AppSettings::load().threads, 0);
    QVERIFY(!themeFromText(QStringLiteral("purple")));
    QCOMPARE(themeFromText(QStringLiteral("Dark")), std::optional(ThemeKind::Dark));
}

void TestPanels::everyIconDraws() {
    for (const char* name :
         {"open",    "save",       "add",       "close",    "undo",         "redo",
          "search",  "graticule",  "rods",      "single",   "side-by-side", "swipe",
          "blink",   "difference", "mollweide", "gnomonic", "orthographic", "cartesian",
          "lambert", "hammer",     "frame",     "export",   "copy",         "settings",
          "float",   "warning",    "info",      "mask",     "home"}) {
        const QImage image = lineIcon(QString::fromLatin1(name)).pixmap(32, 32).toImage();
        int drawn = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) drawn += image.pixelColor(x, y).alpha() > 64;
        QVERIFY2(drawn > 20, name);
    }
    QVERIFY(lineIcon(QStringLiteral("no such icon")).isNull());
}

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
