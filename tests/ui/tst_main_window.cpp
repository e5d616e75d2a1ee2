// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window, driven by simulated input: open, rotate, zoom, smooth, compare, cancel, undo,
// export, close. With ARMILLA_SHOTS=FOLDER screenshots are saved there.
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>
#include <ctime>

#include "armilla/core/units.h"
#include "armilla/io/image_file.h"
#include "armilla/io/map_extensions.h"
#include "armilla/io/map_io.h"
#include "armilla/ops/smooth_rows.h"
#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/project_keeper.h"
#include "armilla/ui/cursor_readout.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "dialogs/header_dialog.h"
#include "panels/color_panel.h"
#include "panels/maps_panel.h"
#include "panels/message_bar.h"
#include "panels/smooth_panel.h"
#include "panels/spectrum_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "support/image_cards.h"
#include "window/comparisons.h"
#include "window/file_commands.h"
#include "window/place_search.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int64_t kColumns = 72, kRows = 36;

// Complete rings of an equidistant grid from pole to pole, the bottom row in the south; in another
// projection the same pixels are no rings. A point on a slope, and a bad pixel.
Image ringsOfImage(const char* projection) {
    Image image;
    image.width = kColumns;
    image.height = kRows;
    image.planes.resize(1);
    image.frame = Frame::Galactic;
    image.unit = "K";
    const std::string kind = projection;
    image.wcsCards = {imageCard("CTYPE1", "'GLON-" + kind + '\''),
                      imageCard("CTYPE2", "'GLAT-" + kind + '\''),
                      imageCard("CRPIX1", 0.5 * (kColumns + 1)),
                      imageCard("CRPIX2", 0.5 * (kRows + 1)),
                      imageCard("CRVAL1", 0.0),
                      imageCard("CRVAL2", 0.0),
                      imageCard("CDELT1", -5.0),
                      imageCard("CDELT2", 5.0)};
    std::vector<double> values;
    for (int64_t row = 0; row < kRows; ++row)
        for (int64_t column = 0; column < kColumns; ++column)
            values.push_back(0.1 * static_cast<double>(row));
    values[20 * kColumns + 11] = 50.0;
    values[5 * kColumns + 3] = std::numeric_limits<double>::quiet_NaN();
    image.values = std::move(values);
    return image;
}

}  // namespace

class TestMainWindow : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void showsTheSampleSky();
    void opensFilesAndTellsErrors();
    void dragsZoomsAndFinds();
    void aCloseViewIsExactFirst();
    void smoothsComparesAndUndoes();
    void imagesAreSmoothedByAJob();
    void answersWhileSmoothing();
    void cancelsFromThePanel();
    void exportsAndReopens();
    void closingStopsTheJobs();
    void readoutFollowsTheSky();
    void severalHdusAreOffered();
    void missingFilesAreShown();
    void headersAreShown();
};

void TestMainWindow::initTestCase() {
    prepareSettings();
}

void TestMainWindow::init() {
    openWindow();
}

void TestMainWindow::cleanup() {
    closeWindow();
}

void TestMainWindow::showsTheSampleSky() {
    window_->session().files().openSampleSky(64);
    waitForPicture();
    const Document& document = window_->session().document();
    const Layer* entry = document.entry(document.view().shown().entry);
    QVERIFY(entry);
    QVERIFY(window_->windowTitle().contains(entry->name));
    QCOMPARE(document.view().camera().frame, Frame::Galactic);
    // The picture is not empty: the sky in the center of the view has many colors.
    const auto colors = [this] {
        const QImage image = window_->skyView()->grab().toImage();
        QSet<QRgb> seen;
        for (int y = image.height() / 3; y < 2 * image.height() / 3; y += 3)
            for (int x = image.width() / 3; x < 2 * image.width() / 3; x += 3)
                seen.insert(image.pixel(x, y));
        return seen.size();
    };
    QTRY_VERIFY_WITH_TIMEOUT(colors() > 100, kPatience);
    shot(QStringLiteral("start"));
    // The choice shows the source of the range.
    const QComboBox* percents = nullptr;
    for (const auto* box : window_->panels().color()->findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Percentiles of the range")) percents = box;
    QVERIFY(percents);
    QCOMPARE(percents->currentText(), QStringLiteral("automatic"));
    window_->panels().color()->applyRange({2.5, 97.5, false}, false);
    QCOMPARE(percents->currentText(), QStringLiteral("2.5–97.5 %"));
    ColorScale scale = document.drawings().colorScale(document.view().shown());
    scale.mapping.high *= 1.5F;
    window_->session().document().drawings().setColorScale(document.view().shown(), scale);
    QCOMPARE(percents->currentText(), QStringLiteral("custom"));
}

void TestMainWindow::opensFilesAndTellsErrors() {
    const QString full = writeFile(QStringLiteral("full.fits"), 16, false, true);
    const QString partial = writeFile(QStringLiteral("partial.fits"), 16, true, false);
    const QString broken = inFolder(QStringLiteral("broken.fits"));
    QFile file(broken);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("this is no FITS file");
    file.close();
    // Dropped on the window.
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
    QVERIFY(window_->session().files().recentFiles().contains(full));
    window_->openFiles({broken, inFolder(QStringLiteral("absent.fits"))});
    // Reported once, in one line, without a card of a failed job.
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

// The pointer rests while the sky rotates below it and another field is shown: the read-out
// follows.
void TestMainWindow::readoutFollowsTheSky() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, true)});
    waitForPicture();
    Document& document = window_->session().document();
    const QPoint middle = window_->skyView()->rect().center();
    QTest::mouseMove(window_->skyView(), middle - QPoint(40, 0));
    QTest::mouseMove(window_->skyView(), middle);
    QTRY_VERIFY_WITH_TIMEOUT(window_->readout()->readout(), kPatience);
    document.view().setCamera(document.view().camera().centeredOn({2.0, 0.5}));
    // Deferred: the read-out of the last pointer move may arrive first.
    QTRY_VERIFY_WITH_TIMEOUT(angularDistance(direction(window_->readout()->readout()->galactic),
                                             direction({2.0, 0.5})) < 1.0 * kDegree,
                             kPatience);
    document.view().setShown({document.view().shown().entry, 1});
    QTRY_COMPARE_WITH_TIMEOUT(window_->readout()->cursor()->shown.field, 1, kPatience);
}

// A file with several maps opens the first and offers the others.
void TestMainWindow::severalHdusAreOffered() {
    const QString path = inFolder(QStringLiteral("two.fits"));
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
    const auto offer = [&] { return window_->messages()->lines().value(0).section(':', 0, 0); };
    QCOMPARE(offer(), QStringLiteral("two.fits holds 2 more"));
    const auto take = [&](const char* words) {
        for (auto* button : window_->messages()->findChildren<QPushButton*>())
            if (button->isVisible() && button->text().contains(QLatin1String(words)))
                return button->click();
        QFAIL(words);
    };
    take("[3]");
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    QCOMPARE(offer(), QStringLiteral("two.fits holds 1 more"));
    take("[2]");
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{3}, kPatience);
}

// A layer that a session cannot find stays in the list, with its reason and possible actions.
void TestMainWindow::missingFilesAreShown() {
    const QString gone = writeFile(QStringLiteral("gone.fits"), 8, false, false);
    window_->openFiles({gone});
    waitForPicture();
    waitUntilIdle();
    const QString session = inFolder(QStringLiteral("s.armilla"));
    window_->session().project().saveSession(session);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(session), kPatience);
    waitUntilIdle();
    // Into another folder: within its own it would be found by its checksum.
    QVERIFY(QDir(inFolder({})).mkpath(QStringLiteral("away")));
    const QString moved = inFolder(QStringLiteral("away/elsewhere.fits"));
    QVERIFY(QFile::rename(gone, moved));
    window_->openFiles({session});
    Document& document = window_->session().document();
    QTRY_COMPARE_WITH_TIMEOUT(document.recovery().missing().size(), size_t{1}, kPatience);
    shot(QStringLiteral("missing"));
    const auto buttons = [&](const QString& name) {
        QAbstractButton* found = nullptr;
        for (auto* one : window_->panels().maps()->findChildren<QAbstractButton*>())
            if (one->accessibleName() == name && one->isVisible()) found = one;
        return found;
    };
    QTRY_VERIFY_WITH_TIMEOUT(buttons(QStringLiteral("Try gone.fits again")), kPatience);
    QVERIFY(buttons(QStringLiteral("Find the file of gone.fits…")));
    QVERIFY(QFile::rename(moved, gone));
    buttons(QStringLiteral("Try gone.fits again"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{1}, kPatience);
    QVERIFY(window_->findChild<MessageBar*>()->lines().filter("not restored").isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(!buttons(QStringLiteral("Try gone.fits again")), kPatience);
}

// Also for a file that no longer exists: a line with its name.
void TestMainWindow::headersAreShown() {
    const QString path = writeFile(QStringLiteral("cards.fits"), 8, false, false);
    window_->openFiles({path});
    waitForPicture();
    waitUntilIdle();
    const LayerId id = window_->session().document().entries().front().id;
    window_->files().showHeader(id);
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<HeaderDialog*>(), kPatience);
    QVERIFY(window_->findChild<HeaderDialog*>()->shownText().contains(QLatin1String("NSIDE")));
    delete window_->findChild<HeaderDialog*>();
    QVERIFY(QFile::remove(path));
    window_->files().showHeader(id);
    const auto told = [this] {
        return !window_->messages()->lines().filter(QStringLiteral("cards.fits: exp")).isEmpty();
    };
    QTRY_VERIFY2_WITH_TIMEOUT(told(), qPrintable(window_->messages()->lines().join('\n')),
                              kPatience);
}

void TestMainWindow::dragsZoomsAndFinds() {
    window_->openFiles({writeFile(QStringLiteral("full.fits"), 16, false, false)});
    waitForPicture();
    Document& document = window_->session().document();
    // An event filter on the picture below the widget receives pointer events; find that widget.
    QWidget* view = window_->skyView();
    const QPoint middle = view->rect().center();
    QWidget* target = view->childAt(middle) ? view->childAt(middle) : view;
    const auto local = [&](QPoint p) { return target->mapFrom(view, p); };
    const LonLat before = document.view().camera().center();
    QTest::mousePress(target, Qt::LeftButton, {}, local(middle));
    for (int i = 1; i <= 10; ++i) QTest::mouseMove(target, local(middle + QPoint(12 * i, 0)));
    QTest::mouseRelease(target, Qt::LeftButton, {}, local(middle + QPoint(120, 0)));
    QTRY_VERIFY_WITH_TIMEOUT(
        angularDistance(direction(before), direction(document.view().camera().center())) >
            5.0 * kDegree,
        kPatience);
    const double zoom = document.view().camera().zoom;
    QWheelEvent wheel(local(middle), target->mapToGlobal(local(middle)), {}, {0, 240}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(target, &wheel);
    QTRY_VERIFY_WITH_TIMEOUT(document.view().camera().zoom > zoom, kPatience);

    QVERIFY(window_->search().goTo(QStringLiteral("120 30")));
    // The limit guards against another place; 1e-6 rad is 0.2 arcsec.
    QTRY_VERIFY_WITH_TIMEOUT(angularDistance(direction(document.view().camera().center()),
                                             direction({120 * kDegree, 30 * kDegree})) < 1e-6,
                             kPatience);
    QVERIFY(window_->skyView()->inspector()->isPinned());
    QVERIFY(!window_->search().goTo(QStringLiteral("not a place")));
    QCOMPARE(window_->messages()->lines().size(), 1);
    QVERIFY(window_->search().goTo(QStringLiteral("10 20")));
    QVERIFY(window_->messages()->lines().isEmpty());
}

// The window reports its viewed region, and shows the result there before the rest is ready.
void TestMainWindow::aCloseViewIsExactFirst() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 32, true, false)});
    waitForPicture();
    Document& document = window_->session().document();
    QVERIFY(!window_->skyView()->lookedAt());  // all of the sky
    Camera camera = document.view().camera().centeredOn({0.5, 0.3});
    camera.projection = Projection::Gnomonic;
    camera.zoom = 8.0;
    document.view().setCamera(camera);
    const auto looked = window_->skyView()->lookedAt();
    QVERIFY(looked);
    // The limit guards against another place; 1e-6 rad is 0.2 arcsec.
    QVERIFY(angularDistance(looked->center, direction({0.5, 0.3})) < 1e-6);
    QVERIFY(looked->radius > 1.0 * kDegree && looked->radius < 40.0 * kDegree);
    QStringList states;
    bool came = false;
    connect(&window_->session().preview(), &LivePreview::liveRegionChanged, this,
            [&](const LiveRegion& region) {
                came = came || region.mesh;
                states << window_->panels().smooth()->statusText();
            });
    window_->panels().smooth()->setFwhm(6.0 * kDegree);
    QTRY_VERIFY_WITH_TIMEOUT(document.live() != nullptr, kPatience);
    waitUntilIdle();
    QVERIFY(came);
    QVERIFY2(!states.isEmpty() && states.front().contains(QStringLiteral("exact in view")),
             qPrintable(states.join(QStringLiteral("; "))));
    QTRY_VERIFY_WITH_TIMEOUT(window_->panels().smooth()->statusText().contains(
                                 QString::fromStdString(window_->session().device().label())),
                             kPatience);
    QVERIFY(!window_->session().preview().liveRegion().mesh);
}

void TestMainWindow::smoothsComparesAndUndoes() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 32, true, false)});
    waitForPicture();
    Document& document = window_->session().document();
    const LayerId original = document.view().shown().entry;
    // With a single map, the comparison reports that there is no second one.
    window_->comparisons().compare(Comparison::Swipe);
    QCOMPARE(document.view().comparison(), Comparison::Single);
    QCOMPARE(window_->messages()->lines().size(), 1);

    QSlider* slider = window_->panels().smooth()->slider();
    slider->setFocus();
    for (int i = 0; i < 20; ++i) QTest::keyClick(slider, Qt::Key_Right);
    QTRY_VERIFY_WITH_TIMEOUT(document.live() != nullptr, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(document.live()->recipe.smooth.fwhm,
                              window_->panels().smooth()->fwhm(), kPatience);
    QVERIFY(window_->panels().smooth()->statusText().startsWith(QStringLiteral("LIVE")));
    window_->comparisons().compare(Comparison::Swipe);
    QCOMPARE(document.history().stack()->undoText(), QStringLiteral("Swipe"));
    QCOMPARE(document.view().shown().entry, original);
    QCOMPARE(document.view().compared().entry, document.live()->id);
    waitUntilIdle();
    shot(QStringLiteral("swipe"));
    window_->comparisons().compare(Comparison::Single);
    QCOMPARE(document.view().shown().entry, document.live()->id);

    window_->panels().smooth()->keepButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!document.live() && document.entries().size() == 2, kPatience);
    document.history().stack()->undo();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{1}, kPatience);
    document.history().stack()->redo();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    // A difference is a new map, which is then shown.
    window_->comparisons().showDifference();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{3}, kPatience);
    QCOMPARE(document.view().comparison(), Comparison::Single);
    QCOMPARE(document.view().shown().entry, document.entries().back().id);

    // A user-defined range is a step of the history.
    document.view().setShown({original, 0, Quantity::Field});
    waitForPicture();
    const float high = document.drawings().colorScale(document.view().shown()).mapping.high;
    window_->panels().color()->applyRange({0.0, 100.0, false}, false);
    QVERIFY(document.drawings().colorScale(document.view().shown()).mapping.high != high);
    document.history().stack()->undo();
    QCOMPARE(document.drawings().colorScale(document.view().shown()).mapping.high, high);
}

// The operation accepts an image instead of a map, and so does its tool: without live preview, with
// the reason.
void TestMainWindow::imagesAreSmoothedByAJob() {
    const Image rings = ringsOfImage("CAR");
    const QString path = inFolder(QStringLiteral("rings.fits"));
    const QString other = inFolder(QStringLiteral("other.fits"));
    JobContext job;
    writeImage(rings, path.toStdString(), {}, job);
    writeImage(ringsOfImage("SFL"), other.toStdString(), {}, job);
    SmoothPanel* panel = window_->panels().smooth();
    Document& document = window_->session().document();
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, true)});
    waitForPicture();
    QVERIFY(panel->runButton()->isHidden());
    window_->openFiles({path});
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    waitUntilIdle();
    const LayerId image = document.active();
    QVERIFY(panel->isEnabled() && panel->runButton()->isVisible());
    QVERIFY2(panel->imageText().contains(QStringLiteral("rings")), qPrintable(panel->imageText()));
    QCOMPARE(panel->statusText(), QStringLiteral("as a job"));
    shot(QStringLiteral("smooth-image"));
    // The slider makes no preview of the map behind the image.
    panel->slider()->setValue(SmoothPanel::placeOf(12.0 * kDegree));
    waitUntilIdle();
    QVERIFY(!document.live());
    panel->runButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{3}, kPatience);
    waitUntilIdle();
    const Layer& made = document.entries().back();
    QVERIFY(made.image);
    QCOMPARE(made.parent, image);
    const auto& smoothed = std::get<std::vector<double>>(made.image->values);
    SmoothParameters parameters;
    parameters.fwhm = panel->fwhm();
    RowSmoothPlan plan({kRows, kColumns, false, 0, kRows}, parameters, Device::cpu(), job);
    const auto flipped = [](const std::vector<double>& from) {
        std::vector<double> to;
        for (int64_t row = kRows - 1; row >= 0; --row)
            to.insert(to.end(), from.begin() + row * kColumns, from.begin() + (row + 1) * kColumns);
        return to;
    };
    const std::vector<double> wanted =
        flipped(plan.execute(flipped(std::get<std::vector<double>>(rings.values)), job));
    QCOMPARE(smoothed.size(), wanted.size());
    // The same sums on the session's device; values reach 50.
    for (size_t i = 0; i < wanted.size(); ++i)
        QVERIFY((std::isnan(smoothed[i]) && std::isnan(wanted[i])) ||
                std::abs(smoothed[i] - wanted[i]) < 1e-11);
    // Its recipe is a command, and is restored with undo and redo.
    document.setActive(image);
    QGuiApplication::clipboard()->clear();
    panel->copyButton()->click();
    const QString command = QGuiApplication::clipboard()->text();
    QVERIFY2(command.startsWith(QStringLiteral("armilla smooth")) &&
                 command.contains(QStringLiteral("rings.fits")),
             qPrintable(command));
    document.history().stack()->undo();
    QCOMPARE(document.entries().size(), size_t{2});
    // Rows that are no rings are refused with the found projection.
    window_->openFiles({other});
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{3}, kPatience);
    waitUntilIdle();
    panel->runButton()->click();
    waitUntilIdle();
    QCOMPARE(document.entries().size(), size_t{3});
    const QString lines = window_->messages()->lines().join(QLatin1Char('\n'));
    QVERIFY2(lines.contains(QStringLiteral("whole rings")), qPrintable(lines));
}

// While the machine smooths, the window's event loop continues: a slider step returns before its
// picture is ready, and events are handled while jobs run. CPU workers draw the picture, because a
// software OpenGL would draw in the event loop.
void TestMainWindow::answersWhileSmoothing() {
    window_->skyView()->setDrawChoice(DrawChoice::Cpu);
    window_->session().files().openSampleSky(256);
    waitForPicture();
    waitUntilIdle();
    Document& document = window_->session().document();
    QSlider* slider = window_->panels().smooth()->slider();
    int pulsesBeside = 0, pulses = 0;
    QTimer pulse;
    connect(&pulse, &QTimer::timeout, this, [&] {
        ++pulses;
        if (!window_->session().jobs().isIdle()) ++pulsesBeside;
    });
    pulse.start(0);
    for (int step = 0; step < 40; ++step) {
        slider->setValue(slider->value() + 5);
        const double wanted = window_->panels().smooth()->fwhm();
        QVERIFY(!document.live() || document.live()->recipe.smooth.fwhm != wanted);
        const int before = pulses;
        QTRY_VERIFY_WITH_TIMEOUT(pulses > before, kPatience);
    }
    waitUntilIdle();
    pulse.stop();
    QVERIFY(pulsesBeside > 0);
    QVERIFY(document.live());
    QTRY_COMPARE_WITH_TIMEOUT(document.live()->recipe.smooth.fwhm,
                              window_->panels().smooth()->fwhm(), kPatience);
}

void TestMainWindow::cancelsFromThePanel() {
    window_->session().files().openSampleSky(64);
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
    const LayerId original = document.view().shown().entry;
    const QString out = inFolder(QStringLiteral("out.fits"));
    window_->session().exporter().exportLayer(original, out, false);
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
    // The recipe is copied as a command.
    window_->files().copyCommand(document.entries()[0].id);
    const QString figure = inFolder(QStringLiteral("view.png"));
    window_->session().exporter().exportFigure(figure, 400, 300, 100.0, false);
    const QString view = inFolder(QStringLiteral("view.fits"));
    window_->session().exporter().exportView(view, 400, 300, false);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(figure) && QFile::exists(view), kPatience);
    QCOMPARE(QImage(figure).size(), QSize(400, 300));
}

void TestMainWindow::closingStopsTheJobs() {
    window_->session().files().openSampleSky(64);
    waitForPicture();
    std::atomic<bool> began = false, left = false;
    window_->session().jobs().run<int>(QStringLiteral("Long work"), JobLane::Compute, {},
                                       window_.data(),
                                       [&](JobContext& job) -> int {
                                           began = true;
                                           try {
                                               for (;;) job.report(0.5, "stage");
                                           } catch (...) {
                                               left = true;
                                               throw;
                                           }
                                       },
                                       {});
    QTRY_VERIFY_WITH_TIMEOUT(began, kPatience);
    // The first request asks and changes nothing; the second one closes.
    window_->close();
    QVERIFY(window_->isVisible() && !left);
    QVERIFY2(window_->messages()->lines().join(' ').contains(QLatin1String("1 running job")),
             qPrintable(window_->messages()->lines().join('\n')));
    window_->close();
    QTRY_VERIFY_WITH_TIMEOUT(window_.isNull(), kPatience);
    QVERIFY(left);
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
