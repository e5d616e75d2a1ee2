// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window, driven as a hand would: open, turn, zoom, smooth, compare, cancel, undo,
// export, close. With ARMILLA_SHOTS=FOLDER the states it passes through are left there as pictures.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>
#include <QWheelEvent>
#include <cmath>
#include <ctime>

#include "core/units.h"
#include "dialogs/header_dialog.h"
#include "io/map_extensions.h"
#include "io/map_io.h"
#include "panels/color_panel.h"
#include "panels/maps_panel.h"
#include "panels/message_bar.h"
#include "panels/smooth_panel.h"
#include "panels/spectrum_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "ui/cursor_readout.h"
#include "ui/inspector_widget.h"
#include "ui/main_window.h"
#include "ui/sky_view_widget.h"
#include "ui/theme.h"

using namespace armilla;

namespace {

constexpr int kPatience = 60000;  // a loaded machine without a graphics card

double bump(Vec3 v, Vec3 center) {
    return std::exp(20.0 * (dot(v, center) - 1.0));
}

}  // namespace

class TestMainWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void showsTheSampleSky();
    void opensFilesAndTellsErrors();
    void dragsZoomsAndFinds();
    void smoothsComparesAndUndoes();
    void answersWhileSmoothing();
    void cancelsFromThePanel();
    void exportsAndReopens();
    void dialogsBlockNothing();
    void everyCommandHasAName();
    void closingStopsTheJobs();
    void panelsHaveRoom();
    void narrowWindowsFold();
    void panelsKeepStill();
    void keysOfTheSkyWorkEverywhere();
    void readoutFollowsTheSky();
    void severalHdusAreOffered();
    void missingFilesAreShown();
    void headersAreShown();
    void closeAllLeavesNothing();

private:
    QString writeFile(const QString& name, int64_t nside, bool partial, bool polarized);
    void waitForPicture();
    void waitUntilIdle();
    void shot(const QString& name);
    QPointer<MainWindow> window_;
    std::unique_ptr<QTemporaryDir> folder_;
    QTemporaryDir settings_;
};

void TestMainWindow::initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
    QCoreApplication::setOrganizationName(QStringLiteral("armilla-test"));
    QCoreApplication::setApplicationName(QStringLiteral("armilla-test"));
    const bool light = qEnvironmentVariable("ARMILLA_SHOTS_THEME") == QLatin1String("light");
    applyTheme(*qApp, light ? ThemeKind::Light : ThemeKind::Dark);
}

void TestMainWindow::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
    QSettings().clear();
    window_ = new MainWindow;
    window_->resize(1600, 1000);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_));
}

void TestMainWindow::cleanup() {
    if (!window_) return;
    window_->close();
    QTRY_VERIFY_WITH_TIMEOUT(window_.isNull(), kPatience);
}

// A smooth sky of known values, with a hole around the south pole where it is partial.
QString TestMainWindow::writeFile(const QString& name, int64_t nside, bool partial,
                                  bool polarized) {
    std::vector<std::string> names{"I_STOKES"};
    if (polarized) names.insert(names.end(), {"Q_STOKES", "U_STOKES"});
    std::vector<Field> fields;
    for (const auto& field : names)
        fields.push_back({field, "uK", DiskType::Float32,
                          std::vector<float>(static_cast<size_t>(pixelCount(nside)), 0.0F)});
    HealpixMap map(nside, Ordering::Ring, Frame::Galactic, std::move(fields));
    const Vec3 places[] = {direction({0.6, 0.4}), direction({4.0, -0.5}), direction({2.0, 1.0})};
    // Filled through pixelAt from a grid of directions finer than the pixels.
    const int rows = static_cast<int>(8 * nside), columns = 2 * rows;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const Vec3 v =
                direction({kTwoPi * (j + 0.5) / columns, kPi * ((i + 0.5) / rows - 0.5)});
            const auto pixel = static_cast<size_t>(map.pixelAt(v));
            for (int field = 0; field < map.fieldCount(); ++field)
                std::get<std::vector<float>>(map.field(field).values)[pixel] =
                    partial && v.z < -0.5
                        ? std::numeric_limits<float>::quiet_NaN()
                        : static_cast<float>(100.0 * bump(v, places[field]) - 20.0 * v.z * field);
        }
    const QString path = folder_->filePath(name);
    JobContext job;
    writeMap(map, path.toStdString(), {}, job);
    return path;
}

void TestMainWindow::waitForPicture() {
    Document& document = window_->session().document();
    QTRY_VERIFY_WITH_TIMEOUT(document.shown().entry >= 0, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(document.drawable(document.shown()) != nullptr, kPatience);
}

void TestMainWindow::waitUntilIdle() {
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().jobs().isIdle(), kPatience);
}

void TestMainWindow::shot(const QString& name) {
    const QString folder = qEnvironmentVariable("ARMILLA_SHOTS");
    if (folder.isEmpty()) return;
    QTest::qWait(1500);
    QDir().mkpath(folder);
    QVERIFY(window_->grab().save(QDir(folder).filePath(name + QStringLiteral(".png"))));
}

void TestMainWindow::showsTheSampleSky() {
    window_->session().openSampleSky(64);
    waitForPicture();
    const Document& document = window_->session().document();
    const Layer* entry = document.entry(document.shown().entry);
    QVERIFY(entry);
    QVERIFY(window_->windowTitle().contains(entry->name));
    QCOMPARE(document.camera().frame, Frame::Galactic);
    // The picture is not empty: the sky in the middle of the view has many colors.
    QTest::qWait(500);
    const QImage image = window_->skyView()->grab().toImage();
    QSet<QRgb> colors;
    for (int y = image.height() / 3; y < 2 * image.height() / 3; y += 3)
        for (int x = image.width() / 3; x < 2 * image.width() / 3; x += 3)
            colors.insert(image.pixel(x, y));
    QVERIFY2(colors.size() > 100, qPrintable(QString::number(colors.size())));
    shot(QStringLiteral("start"));
    // The choice of the range tells where the range comes from.
    const QComboBox* percents = nullptr;
    for (const auto* box : window_->colorPanel()->findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Percentiles of the range")) percents = box;
    QVERIFY(percents);
    QCOMPARE(percents->currentText(), QStringLiteral("automatic"));
    window_->colorPanel()->applyRange({2.5, 97.5, false}, false);
    QCOMPARE(percents->currentText(), QStringLiteral("2.5–97.5 %"));
    ColorScale scale = document.colorScale(document.shown());
    scale.mapping.high *= 1.5F;
    window_->session().document().setColorScale(document.shown(), scale);
    QCOMPARE(percents->currentText(), QStringLiteral("custom"));
}

// On a screen of 1440 x 900 each tool is open with all of its content in view, beside the columns;
// a folded one keeps the width of its column.
void TestMainWindow::panelsHaveRoom() {
    delete window_;
    window_ = new MainWindow;
    window_->resize(1440, 900);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_));
    const auto inView = [this](ToolDock* dock) {
        QVERIFY2(!dock->isCollapsed(), qPrintable(dock->objectName()));
        QTRY_COMPARE(dock->content()->visibleRegion().boundingRect(), dock->content()->rect());
    };
    ToolRail* rail = window_->rail();
    // Every tool is in view, and names are whole; where they would not be, there are none.
    for (QAction* action : rail->toolActions()) {
        const auto* button = qobject_cast<QToolButton*>(rail->widgetForAction(action));
        QVERIFY(button && button->isVisible());
        QVERIFY2(!action->iconText().contains(QChar(0x2026)), qPrintable(action->iconText()));
        QCOMPARE(action->iconText().simplified(), action->text());
        if (!rail->isCompact()) QVERIFY(button->width() >= button->sizeHint().width());
        QVERIFY(rail->rect().contains(button->geometry()));
    }
    for (ToolDock* tool : rail->tools()) {
        rail->open(tool);
        QCOMPARE(rail->current(), tool);
        int open = 0;
        for (ToolDock* dock : window_->docks()) {
            const bool isTool =
                std::find(rail->tools().begin(), rail->tools().end(), dock) != rail->tools().end();
            open += isTool && dock->isVisible() ? 1 : 0;
            // What has more rows than the column is high scrolls; the colors stay whole beside it.
            const bool scrolls = dock->objectName().startsWith(QStringLiteral("operation-"));
            if (dock->isVisible() && !scrolls && (!isTool || dock == tool)) inView(dock);
        }
        QCOMPARE(open, 1);
        QVERIFY2(2 * window_->skyView()->width() >= window_->width(),
                 qPrintable(QStringLiteral("%1: sky %2, rail %3, tool %4")
                                .arg(tool->objectName())
                                .arg(window_->skyView()->width())
                                .arg(rail->width())
                                .arg(tool->width())));
    }
    // A tool that grows takes the height that a folded panel leaves.
    ToolDock* spectrum = rail->tools()[1];
    rail->open(spectrum);
    for (ToolDock* dock : window_->docks()) {
        if (!dock->isVisible() || dock == spectrum) continue;
        const int width = dock->width();
        dock->setCollapsed(true);
        QTRY_COMPARE(dock->height(), dock->titleBarWidget()->height());
        QCOMPARE(dock->width(), width);
        QCOMPARE(dock->titleBarWidget()->width(), width);
        dock->setCollapsed(false);
    }
}

// A narrow window gives the sky the room of the left column, and gives it back.
void TestMainWindow::narrowWindowsFold() {
    QVERIFY(window_->isLeftVisible());
    window_->resize(1024, 700);
    QTRY_VERIFY(!window_->isLeftVisible());
    QTRY_COMPARE(window_->size(), QSize(1024, 700));
    QVERIFY(window_->rail()->isCompact());
    QTRY_VERIFY(2 * window_->skyView()->width() >= window_->width());
    window_->setLeftVisible(true);
    window_->resize(1100, 700);
    QTest::qWait(50);
    QVERIFY(window_->isLeftVisible());
    window_->setLeftVisible(false);
    window_->resize(1500, 900);
    QTest::qWait(50);
    QVERIFY(!window_->isLeftVisible());  // put away by hand
    window_->resize(1200, 800);
    window_->resize(1500, 900);
    window_->setLeftVisible(true);
    // One tool at a time, by key; one that floats stays beside it.
    ToolRail* rail = window_->rail();
    QVERIFY(rail->tools().size() >= 2);
    rail->toolActions()[1]->trigger();
    QCOMPARE(rail->current(), rail->tools()[1]);
    QVERIFY(!rail->tools()[0]->isVisible());
    rail->tools()[1]->setFloating(true);
    rail->toolActions()[0]->trigger();
    QVERIFY(rail->tools()[0]->isVisible() && rail->tools()[1]->isVisible());
    rail->tools()[1]->setFloating(false);
    QTRY_COMPARE(rail->current(), rail->tools()[1]);
    QVERIFY(!rail->tools()[0]->isVisible());
    rail->toolActions()[1]->trigger();
    QCOMPARE(rail->current(), nullptr);
}

// Buttons stay under the hand whatever map is shown.
void TestMainWindow::panelsKeepStill() {
    window_->openFiles({writeFile(QStringLiteral("plain.fits"), 16, false, false),
                        writeFile(QStringLiteral("polarized.fits"), 16, true, true)});
    Document& document = window_->session().document();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    const auto placesNow = [this] {
        QList<QRect> found;
        for (const QWidget* panel : {static_cast<const QWidget*>(window_->smoothPanel()),
                                     static_cast<const QWidget*>(window_->colorPanel())})
            for (const auto* button : panel->findChildren<QPushButton*>())
                found += QRect(button->mapTo(window_, QPoint()), button->size());
        return found;
    };
    // Once nothing has moved for a while, however slow the machine.
    const auto places = [&] {
        QList<QRect> before, now = placesNow();
        do {
            before = now;
            QTest::qWait(200);
            now = placesNow();
        } while (now != before);
        return now;
    };
    const auto* together = window_->smoothPanel()->findChild<QCheckBox*>();
    QVERIFY(together);
    document.setShown({document.entries()[0].id, 0, Quantity::Field});
    waitForPicture();
    const QList<QRect> plain = places();
    QVERIFY(!together->isEnabled());
    document.setShown({document.entries()[1].id, 0, Quantity::Field});
    waitForPicture();
    QCOMPARE(places(), plain);
    QVERIFY(together->isEnabled());
    document.setShown({document.entries()[1].id, 0, Quantity::PolarizedAmplitude});
    waitForPicture();
    QCOMPARE(places(), plain);
}

void TestMainWindow::opensFilesAndTellsErrors() {
    const QString full = writeFile(QStringLiteral("full.fits"), 16, false, true);
    const QString partial = writeFile(QStringLiteral("partial.fits"), 16, true, false);
    const QString broken = folder_->filePath(QStringLiteral("broken.fits"));
    QFile file(broken);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("this is no FITS file");
    file.close();
    // By dropping them on the window.
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(full), QUrl::fromLocalFile(partial)});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_, &drop);
    const Document& document = window_->session().document();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    QVERIFY(window_->messages()->lines().isEmpty());
    QVERIFY(window_->session().recentFiles().contains(full));
    window_->openFiles({broken, folder_->filePath(QStringLiteral("absent.fits"))});
    // Told once, in one line: no card of a failed job stays beside it.
    QTRY_COMPARE_WITH_TIMEOUT(window_->messages()->lines().size(), 1, kPatience);
    const QString told = window_->messages()->lines().front();
    QVERIFY(told.startsWith(QStringLiteral("2 files could not be opened: ")));
    QVERIFY(told.contains(QStringLiteral("expected")));
    QVERIFY(told.contains("broken.fits"));
    QVERIFY(told.contains("absent.fits"));
    for (const JobInfo& job : window_->session().jobs().jobs())
        QVERIFY2(job.state != JobState::Failed, qPrintable(job.name));
    QCOMPARE(document.entries().size(), size_t{2});
    waitForPicture();
    shot(QStringLiteral("error"));
    QTest::keyClick(window_, Qt::Key_Escape);
    QVERIFY(window_->messages()->lines().isEmpty());
}

// Wherever the focus is, unless a text field has it; lists and sliders keep what they use.
void TestMainWindow::keysOfTheSkyWorkEverywhere() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
    waitForPicture();
    waitUntilIdle();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_));
    Document& document = window_->session().document();
    const auto zooms = [&](QWidget* on) {
        on->setFocus();
        const double before = document.camera().zoom;
        QTest::keyClick(on, Qt::Key_Plus);
        const bool zoomed = QTest::qWaitFor([&] { return document.camera().zoom > before; }, 1000);
        QTest::qWait(400);  // until it has come to rest
        return zoomed;
    };
    QVERIFY(zooms(window_->skyView()));
    QVERIFY(zooms(window_->smoothPanel()->slider()));
    QVERIFY(zooms(window_->mapsPanel()->findChild<QTreeView*>()));
    QLineEdit* field = nullptr;
    for (auto* one : window_->findChildren<QLineEdit*>())
        if (one->isVisible() && one->accessibleName().contains(QLatin1String("position")))
            field = one;
    QVERIFY(field);
    QVERIFY(!zooms(field));
    QCOMPARE(field->text(), QStringLiteral("+"));
    field->clear();
    // An arrow on the slider is the slider's; Home on a button is the sky's.
    QSlider* slider = window_->smoothPanel()->slider();
    const int width = slider->value();
    const Camera camera = document.camera();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QVERIFY(slider->value() != width);
    QCOMPARE(document.camera().center().lon, camera.center().lon);
    QPushButton* button = nullptr;
    for (auto* one : window_->colorPanel()->findChildren<QPushButton*>())
        if (one->isVisible() && one->isEnabled()) button = one;
    QVERIFY(button);
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Home);
    QTRY_COMPARE(document.camera().zoom, 1.0);
}

// The pointer rests; the sky turns below it, and another field is shown: the read-out tells what
// lies there now.
void TestMainWindow::readoutFollowsTheSky() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, true)});
    waitForPicture();
    Document& document = window_->session().document();
    const QPoint middle = window_->skyView()->rect().center();
    QTest::mouseMove(window_->skyView(), middle - QPoint(40, 0));
    QTest::mouseMove(window_->skyView(), middle);
    QTRY_VERIFY(window_->readout()->readout());
    document.setCamera(document.camera().centeredOn({2.0, 0.5}));
    // Not at once: the read-out of the last move of the pointer may come between.
    QTRY_VERIFY(angularDistance(direction(window_->readout()->readout()->galactic),
                                direction({2.0, 0.5})) < 1.0 * kDegree);
    document.setShown({document.shown().entry, 1});
    QTRY_COMPARE(window_->readout()->cursor()->shown.field, 1);
}

// A file with several maps opens the first and offers the others.
void TestMainWindow::severalHdusAreOffered() {
    const QString path = folder_->filePath(QStringLiteral("two.fits"));
    JobContext job;
    const HealpixMap one =
        readMap(writeFile(QStringLiteral("one.fits"), 4, false, false).toStdString(), {}, job);
    const HealpixMap* maps[] = {&one, &one, &one};
    writeMaps(maps, path.toStdString(), {}, job);
    window_->openFiles({path});
    waitForPicture();
    waitUntilIdle();
    Document& document = window_->session().document();
    QCOMPARE(document.entries().size(), size_t{1});
    QCOMPARE(window_->messages()->lines().size(), 1);
    QVERIFY2(window_->messages()->lines()[0].startsWith(QStringLiteral("two.fits holds 2 more")),
             qPrintable(window_->messages()->lines()[0]));
    QPushButton* all = nullptr;
    for (auto* button : window_->messages()->findChildren<QPushButton*>())
        if (button->text().contains(QLatin1String("all"))) all = button;
    QVERIFY(all);
    all->click();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{3}, kPatience);
}

// What a session cannot find stays in the list, with its reason and what can be done.
void TestMainWindow::missingFilesAreShown() {
    const QString gone = writeFile(QStringLiteral("gone.fits"), 8, false, false);
    window_->openFiles({gone});
    waitForPicture();
    waitUntilIdle();
    const QString session = folder_->filePath(QStringLiteral("s.armilla"));
    window_->session().saveSession(session);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(session), kPatience);
    waitUntilIdle();
    const QString moved = folder_->filePath(QStringLiteral("elsewhere.fits"));
    QVERIFY(QFile::rename(gone, moved));
    window_->openFiles({session});
    Document& document = window_->session().document();
    QTRY_COMPARE_WITH_TIMEOUT(document.missing().size(), size_t{1}, kPatience);
    shot(QStringLiteral("missing"));
    const auto buttons = [&](const QString& name) {
        QAbstractButton* found = nullptr;
        for (auto* one : window_->mapsPanel()->findChildren<QAbstractButton*>())
            if (one->accessibleName() == name && one->isVisible()) found = one;
        return found;
    };
    QTRY_VERIFY(buttons(QStringLiteral("Try gone.fits again")));
    QVERIFY(buttons(QStringLiteral("Find the file of gone.fits…")));
    QVERIFY(QFile::rename(moved, gone));
    buttons(QStringLiteral("Try gone.fits again"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{1}, kPatience);
    QVERIFY(document.missing().empty());
    QTRY_VERIFY(!buttons(QStringLiteral("Try gone.fits again")));
}

// Also of a file that is gone since: a line with its name.
void TestMainWindow::headersAreShown() {
    const QString path = writeFile(QStringLiteral("cards.fits"), 8, false, false);
    window_->openFiles({path});
    waitForPicture();
    waitUntilIdle();
    const int id = window_->session().document().entries().front().id;
    window_->showHeader(id);
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<HeaderDialog*>(), kPatience);
    QVERIFY(window_->findChild<HeaderDialog*>()->shownText().contains(QLatin1String("NSIDE")));
    delete window_->findChild<HeaderDialog*>();
    QVERIFY(QFile::remove(path));
    window_->showHeader(id);
    const auto told = [this] {
        return !window_->messages()->lines().filter(QStringLiteral("cards.fits: exp")).isEmpty();
    };
    QTRY_VERIFY2_WITH_TIMEOUT(told(), qPrintable(window_->messages()->lines().join('\n')),
                              kPatience);
}

void TestMainWindow::closeAllLeavesNothing() {
    window_->openFiles({writeFile(QStringLiteral("a.fits"), 8, false, false),
                        writeFile(QStringLiteral("b.fits"), 8, false, false)});
    Document& document = window_->session().document();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    QVERIFY(window_->memoryTip().contains(QLatin1String("a.fits: ")));
    window_->closeAll();
    QVERIFY(document.entries().empty());
    QVERIFY(window_->memoryTip().contains(QLatin1String("Undo: ")));
    document.undoStack()->undo();
    QCOMPARE(document.entries().size(), size_t{2});
}

void TestMainWindow::dragsZoomsAndFinds() {
    window_->openFiles({writeFile(QStringLiteral("full.fits"), 16, false, false)});
    waitForPicture();
    Document& document = window_->session().document();
    // An event filter on the picture below the widget takes the hand: find what lies there.
    QWidget* view = window_->skyView();
    const QPoint middle = view->rect().center();
    QWidget* target = view->childAt(middle) ? view->childAt(middle) : view;
    const auto local = [&](QPoint p) { return target->mapFrom(view, p); };
    const LonLat before = document.camera().center();
    QTest::mousePress(target, Qt::LeftButton, {}, local(middle));
    for (int i = 1; i <= 10; ++i) QTest::mouseMove(target, local(middle + QPoint(12 * i, 0)));
    QTest::mouseRelease(target, Qt::LeftButton, {}, local(middle + QPoint(120, 0)));
    QTRY_VERIFY(angularDistance(direction(before), direction(document.camera().center())) >
                5.0 * kDegree);
    const double zoom = document.camera().zoom;
    QWheelEvent wheel(local(middle), target->mapToGlobal(local(middle)), {}, {0, 240}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(target, &wheel);
    QTRY_VERIFY(document.camera().zoom > zoom);

    QVERIFY(window_->goTo(QStringLiteral("120 30")));
    QTRY_VERIFY(angularDistance(direction(document.camera().center()),
                                direction({120 * kDegree, 30 * kDegree})) < 1e-6);
    QVERIFY(window_->skyView()->inspector()->isPinned());
    QVERIFY(!window_->goTo(QStringLiteral("not a place")));
    QCOMPARE(window_->messages()->lines().size(), 1);
    QVERIFY(window_->goTo(QStringLiteral("10 20")));
    QVERIFY(window_->messages()->lines().isEmpty());
}

void TestMainWindow::smoothsComparesAndUndoes() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 32, true, false)});
    waitForPicture();
    Document& document = window_->session().document();
    const int original = document.shown().entry;
    // Alone, comparing has nothing to compare with, and says so.
    window_->compare(Comparison::Swipe);
    QCOMPARE(document.comparison(), Comparison::Single);
    QCOMPARE(window_->messages()->lines().size(), 1);

    QSlider* slider = window_->smoothPanel()->slider();
    slider->setFocus();
    for (int i = 0; i < 20; ++i) QTest::keyClick(slider, Qt::Key_Right);
    QTRY_VERIFY_WITH_TIMEOUT(document.live() != nullptr, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(document.live()->recipe.smooth.fwhm, window_->smoothPanel()->fwhm(),
                              kPatience);
    QVERIFY(window_->smoothPanel()->statusText().startsWith(QStringLiteral("LIVE")));
    window_->compare(Comparison::Swipe);
    QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Swipe"));
    QCOMPARE(document.shown().entry, original);
    QCOMPARE(document.compared().entry, document.live()->id);
    waitUntilIdle();
    shot(QStringLiteral("swipe"));
    window_->compare(Comparison::Single);
    QCOMPARE(document.shown().entry, document.live()->id);

    auto* keep = window_->smoothPanel()->findChildren<QPushButton*>().at(0);
    for (auto* button : window_->smoothPanel()->findChildren<QPushButton*>())
        if (button->property("primary").toBool()) keep = button;
    keep->click();
    QTRY_VERIFY_WITH_TIMEOUT(!document.live() && document.entries().size() == 2, kPatience);
    document.undoStack()->undo();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{1}, kPatience);
    document.undoStack()->redo();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    // A difference is a map of its own, and what is shown then.
    window_->showDifference();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{3}, kPatience);
    QCOMPARE(document.comparison(), Comparison::Single);
    QCOMPARE(document.shown().entry, document.entries().back().id);

    // A range of one's own is a step of the history.
    document.setShown({original, 0, Quantity::Field});
    waitForPicture();
    const float high = document.colorScale(document.shown()).mapping.high;
    window_->colorPanel()->applyRange({0.0, 100.0, false}, false);
    QVERIFY(document.colorScale(document.shown()).mapping.high != high);
    document.undoStack()->undo();
    QCOMPARE(document.colorScale(document.shown()).mapping.high, high);
}

// While the machine smooths, the window's loop answers within 50 ms. Measured as the processor time
// that the loop's thread spends between two pulses of a timer: on a machine that others use too,
// the wall clock tells more of them. The picture is made by the CPU's workers, since a software
// OpenGL would draw in the loop.
void TestMainWindow::answersWhileSmoothing() {
    window_->skyView()->setDrawChoice(DrawChoice::Cpu);
    window_->session().openSampleSky(256);
    waitForPicture();
    waitUntilIdle();
    QSlider* slider = window_->smoothPanel()->slider();
    const auto threadMilliseconds = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
    };
    QElapsedTimer wall;
    double busySince = threadMilliseconds(), worst = 0.0, worstWall = 0.0;
    int pulses = 0;
    QTimer pulse;
    pulse.setTimerType(Qt::PreciseTimer);
    pulse.setInterval(5);
    connect(&pulse, &QTimer::timeout, this, [&] {
        worst = std::max(worst, threadMilliseconds() - busySince);
        worstWall = std::max(worstWall, static_cast<double>(wall.nsecsElapsed()) * 1e-6);
        busySince = threadMilliseconds();
        wall.start();
        ++pulses;
    });
    wall.start();
    pulse.start();
    for (int step = 0; step < 40; ++step) {
        slider->setValue(slider->value() + 5);
        QTest::qWait(25);
    }
    waitUntilIdle();
    pulse.stop();
    qInfo("longest work of the event loop %.1f ms, longest wait %.1f ms", worst, worstWall);
    QVERIFY(pulses > 20);
    QVERIFY(window_->session().document().live());
    QVERIFY2(worst < 50.0, qPrintable(QString::number(worst)));
}

void TestMainWindow::cancelsFromThePanel() {
    window_->session().openSampleSky(64);
    waitForPicture();
    waitUntilIdle();
    JobRunner& jobs = window_->session().jobs();
    const int id = jobs.run<int>(QStringLiteral("Long work"), JobLane::Compute, {}, window_.data(),
                                 [](JobContext& job) -> int {
                                     for (;;) job.report(0.5, "stage");
                                 },
                                 {});
    QSignalSpy cancelled(&jobs, &JobRunner::jobCancelled);
    QAbstractButton* button = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            for (auto* one : window_->findChildren<QAbstractButton*>())
                if (one->accessibleName() == QLatin1String("Cancel Long work")) button = one;
            return button != nullptr;
        }(),
        kPatience);
    shot(QStringLiteral("job"));
    button->click();
    QTRY_COMPARE_WITH_TIMEOUT(cancelled.count(), 1, kPatience);
    QCOMPARE(cancelled.at(0).at(0).toInt(), id);
    QVERIFY(window_->isVisible());
}

void TestMainWindow::exportsAndReopens() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, true, false)});
    waitForPicture();
    Document& document = window_->session().document();
    const int original = document.shown().entry;
    const QString out = folder_->filePath(QStringLiteral("out.fits"));
    window_->session().exportLayer(original, out, false);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(out), kPatience);
    waitUntilIdle();
    window_->openFiles({out});
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    const HealpixMap& before = *document.entries()[0].map;
    const HealpixMap& after = *document.entries()[1].map;
    QCOMPARE(after.nside(), before.nside());
    QCOMPARE(after.elementCount(), before.elementCount());
    for (int64_t i = 0; i < before.elementCount(); ++i) {
        const double a = before.field(0).at(i), b = after.field(0).at(i);
        QVERIFY(a == b || (std::isnan(a) && std::isnan(b)));
    }
    // The recipe travels as a command.
    window_->copyCommand(document.entries()[0].id);
    const QString figure = folder_->filePath(QStringLiteral("view.png"));
    window_->session().exportFigure(figure, 400, 300, 100.0, false);
    const QString view = folder_->filePath(QStringLiteral("view.fits"));
    window_->session().exportView(view, 400, 300, false);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(figure) && QFile::exists(view), kPatience);
    QCOMPARE(QImage(figure).size(), QSize(400, 300));
}

void TestMainWindow::dialogsBlockNothing() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 8, false, false)});
    waitForPicture();
    window_->chooseFiles();
    window_->exportMap(window_->session().document().shown().entry);
    window_->exportView(false);
    window_->showSettings();
    window_->showShortcuts();
    window_->showAbout();
    const auto dialogs = window_->findChildren<QDialog*>();
    QVERIFY(dialogs.size() >= 6);
    for (QDialog* dialog : dialogs) QVERIFY2(!dialog->isModal(), dialog->metaObject()->className());
    QVERIFY(!QApplication::activeModalWidget());
    shot(QStringLiteral("dialogs"));
    for (QDialog* dialog : dialogs) dialog->close();
}

// Keyboard and screen reader reach everything: menu commands have texts, standard commands their
// standard keys, no key is given twice, and every control that takes the focus says what it is.
void TestMainWindow::everyCommandHasAName() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 8, false, true)});
    waitForPicture();
    QHash<QKeySequence, QString> keys;
    for (const QAction* action : window_->findChildren<QAction*>()) {
        for (const QKeySequence& key : action->shortcuts()) {
            QVERIFY2(!keys.contains(key) || keys[key] == action->text(),
                     qPrintable(QStringLiteral("%1: %2 and %3")
                                    .arg(key.toString(), keys[key], action->text())));
            keys[key] = action->text();
        }
    }
    for (const auto standard : {QKeySequence::Open, QKeySequence::New, QKeySequence::Undo,
                                QKeySequence::Redo, QKeySequence::Copy, QKeySequence::Close,
                                QKeySequence::Quit, QKeySequence::ZoomIn, QKeySequence::ZoomOut})
        QVERIFY(keys.contains(QKeySequence(standard)));
    for (const ToolDock* dock : window_->docks())
        for (const QWidget* widget : dock->findChildren<QWidget*>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisibleTo(window_)) continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool named =
                !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
            QVERIFY2(named,
                     qPrintable(QStringLiteral("%1 in %2")
                                    .arg(widget->metaObject()->className(), dock->objectName())));
        }
}

void TestMainWindow::closingStopsTheJobs() {
    window_->session().openSampleSky(64);
    waitForPicture();
    std::atomic<bool> left = false;
    window_->session().jobs().run<int>(QStringLiteral("Long work"), JobLane::Compute, {},
                                       window_.data(),
                                       [&left](JobContext& job) -> int {
                                           try {
                                               for (;;) job.report(0.5, "stage");
                                           } catch (...) {
                                               left = true;
                                               throw;
                                           }
                                       },
                                       {});
    QTest::qWait(50);
    window_->close();
    QTRY_VERIFY_WITH_TIMEOUT(window_.isNull(), kPatience);
    QVERIFY(left);
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
