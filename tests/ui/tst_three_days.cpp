// SPDX-License-Identifier: GPL-3.0-or-later
// Three days of work, step by step, as a person does them with pointer and keyboard, and the number
// of actions of each. An action is a click, a key combination, a choice in a list or a typed text.
// ARMILLA_SHOTS=FOLDER: a screenshot after each step.
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QKeyCombination>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QWheelEvent>
#include <QWindow>
#include <cmath>
#include <random>

#include "armilla/core/pixel_queries.h"
#include "armilla/io/table_io.h"
#include "armilla/session/session.h"
#include "armilla/session/source_review.h"
#include "dialogs/figure_composer.h"
#include "dialogs/file_dialog.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/spectrum_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "session/layer_samples.h"
#include "window/command_palette.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int64_t kNside = 64;

struct Spot {
    Vec3 at;
    double peak;
};

std::vector<Spot> randomSpots(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> even(-1.0, 1.0);
    std::vector<Spot> spots;
    for (int i = 0; i < count; ++i)
        spots.push_back({direction({kPi * even(random), std::asin(even(random))}), 30.0 + i});
    return spots;
}

// White noise of deviation 1 with spots of a Gaussian beam.
HealpixMap noisySky(unsigned seed, const std::vector<Spot>& spots, double fwhm) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(pixelCount(kNside)));
    for (float& value : values) value = normal(random);
    const double sigma = fwhm / std::sqrt(8.0 * std::log(2.0));
    for (const Spot& spot : spots)
        for (const PixelRange& range : queryDisc(kNside, Ordering::Ring, spot.at, 3.0 * fwhm))
            for (int64_t pixel = range.begin; pixel < range.end; ++pixel) {
                const double r = angularDistance(spot.at, directionFromRing(kNside, pixel));
                values[static_cast<size_t>(pixel)] +=
                    static_cast<float>(spot.peak * std::exp(-0.5 * r * r / (sigma * sigma)));
            }
    return {kNside,
            Ordering::Ring,
            Frame::Galactic,
            {{"TEMPERATURE", "uK", DiskType::Float32, std::move(values)}}};
}

}  // namespace

class TestThreeDays : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void init() {
        actions_ = 0;
        openWindow({1440, 900});
        QSettings().setValue(QStringLiteral("folder"), QFileInfo(inFolder("x")).path());
    }
    void cleanup() { closeWindow(); }
    void aSpectrumOutsideAMask();
    void sourcesByEye();
    void galaxiesOfAProbabilityMap();

private:
    Document& document() { return window_->session().document(); }
    QString write(const QString& name, const HealpixMap& map) {
        JobContext job;
        writeMap(map, inFolder(name).toStdString(), {}, job);
        return inFolder(name);
    }

    // The actions, each of which is counted. They pass through the windows as those of a person, so
    // that a covered, hidden or folded control is not reached.
    // A window manager does this for a window that opens or is clicked.
    static void activate(QWidget* window) {
        window->activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window->isActiveWindow(), kPatience);
    }
    void press(Qt::Key at, Qt::KeyboardModifiers with = Qt::NoModifier) {
        QTest::keyClick(QGuiApplication::focusWindow(), at, with);
    }
    void key(QKeyCombination keys) {
        ++actions_;
        activate(window_);
        press(keys.key(), keys.keyboardModifiers());
    }
    void clickAt(QWidget* widget, QPoint at, Qt::KeyboardModifiers with = Qt::NoModifier) {
        QWidget* top = widget->window();
        activate(top);
        QTest::mouseClick(top->windowHandle(), Qt::LeftButton, with, widget->mapTo(top, at));
    }
    static bool isInView(const QWidget* control) {
        return control->visibleRegion().contains(control->rect().center());
    }
    // Turns the wheel over a panel, one action, until its control is in view.
    void reach(QWidget* control) {
        QVERIFY(control && control->isVisible());
        QVERIFY2(control->isEnabled(), qPrintable(control->accessibleName()));
        if (isInView(control)) return;
        ++actions_;
        QWidget* panel = control->parentWidget();
        while (panel && !qobject_cast<QAbstractScrollArea*>(panel)) panel = panel->parentWidget();
        QVERIFY2(panel, qPrintable(control->accessibleName()));
        auto* area = qobject_cast<QAbstractScrollArea*>(panel);
        constexpr int kMostTurns = 100;
        for (int turn = 0; turn < kMostTurns && !isInView(control); ++turn) {
            const QPoint middle = area->viewport()->rect().center();
            const bool isBelow =
                control->mapTo(area->viewport(), QPoint()).y() > area->viewport()->height() / 2;
            QWheelEvent wheel(middle, area->viewport()->mapToGlobal(middle), {},
                              {0, isBelow ? -120 : 120}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(area->viewport(), &wheel);
            QCoreApplication::processEvents();
        }
        QVERIFY2(isInView(control), qPrintable(control->accessibleName()));
    }
    void click(QWidget* control) {
        reach(control);
        ++actions_;
        clickAt(control, control->rect().center());
    }
    // A click on the line, and the text.
    void type(QWidget* line, const QString& text) {
        reach(line);
        ++actions_;
        clickAt(line, line->rect().center());
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), line, kPatience);
        for (const QChar letter : text)
            QTest::keyClick(line->window()->windowHandle(), letter.toLatin1());
    }
    void enter() {
        ++actions_;
        press(Qt::Key_Return);
    }
    // An entry of a list, which a click opens and keys choose: one action.
    void choose(QComboBox* list, const QString& text) {
        reach(list);
        ++actions_;
        const int index = list->findText(text, Qt::MatchContains);
        QVERIFY2(index >= 0, qPrintable(text));
        clickAt(list, list->rect().center());
        QTRY_VERIFY_WITH_TIMEOUT(list->view()->isVisible(), kPatience);
        // Keys, because an open list ignores a release that may belong to the press before.
        QWindow* popup = list->view()->window()->windowHandle();
        for (int at = list->currentIndex(); at != index; at += at < index ? 1 : -1)
            QTest::keyClick(popup, at < index ? Qt::Key_Down : Qt::Key_Up);
        QTest::keyClick(popup, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!list->view()->isVisible(), kPatience);
        QCOMPARE(list->currentIndex(), index);
    }
    // Opens files of the folder that was used last: the key, a click on each, *Open*.
    void openByDialog(const QStringList& names) {
        key(Qt::CTRL | Qt::Key_O);
        QTRY_VERIFY_WITH_TIMEOUT(dialog(), kPatience);
        auto* files = dialog()->findChild<QTreeView*>(QStringLiteral("treeView"));
        QVERIFY(files);
        const auto rowOf = [files](const QString& name) {
            const QModelIndex folder = files->rootIndex();
            for (int row = 0; row < files->model()->rowCount(folder); ++row)
                if (const QModelIndex at = files->model()->index(row, 0, folder);
                    at.data().toString() == name)
                    return at;
            return QModelIndex();
        };
        for (const QString& name : names) {
            QTRY_VERIFY_WITH_TIMEOUT(rowOf(name).isValid(), kPatience);
            ++actions_;
            clickAt(files->viewport(), files->visualRect(rowOf(name)).center(),
                    name == names.front() ? Qt::NoModifier : Qt::ControlModifier);
        }
        click(button<QPushButton>(dialog(), QStringLiteral("&Open")));
        waitUntilIdle();
        QTRY_COMPARE_WITH_TIMEOUT(document().entries().size(), static_cast<size_t>(names.size()),
                                  kPatience);
    }
    // Types a name in place of the suggested one.
    void nameFile(const QString& name) {
        QTRY_VERIFY_WITH_TIMEOUT(dialog(), kPatience);
        auto* line = dialog()->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(line);
        activate(dialog());
        // The suggested name is selected, so that typing replaces the name.
        ++actions_;
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), line, kPatience);
        for (const QChar letter : name)
            QTest::keyClick(line->window()->windowHandle(), letter.toLatin1());
        enter();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog(), kPatience);
    }
    FileDialog* dialog() {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* found = qobject_cast<FileDialog*>(widget); found && found->isVisible())
                return found;
        return nullptr;
    }
    ToolDock* tool(const char* name) { return window_->findChild<ToolDock*>(QLatin1String(name)); }
    template <typename Widget>
    Widget* named(QWidget* in, const QString& name) {
        for (Widget* each : in->findChildren<Widget*>())
            if (each->accessibleName() == name && each->isVisible()) return each;
        return nullptr;
    }
    template <typename Button>
    Button* button(QWidget* in, const QString& text) {
        for (Button* each : in->findChildren<Button*>())
            if (each->text() == text && each->isVisible()) return each;
        return nullptr;
    }
    void run(ToolDock* of) {
        click(button<QPushButton>(of, QStringLiteral("Run")));
        waitUntilIdle();
    }
    // An entry of a menu that a button opens: two actions.
    void chooseOf(QToolButton* opener, const QString& entry) {
        reach(opener);
        QVERIFY(opener->menu());
        actions_ += 2;
        bool isChosen = false;
        // The open menu has an event loop of its own, in which the timer runs.
        QTimer look;
        QObject::connect(&look, &QTimer::timeout, opener, [&] {
            QMenu* menu = opener->menu();
            if (!menu->isVisible()) return;
            look.stop();
            for (QAction* action : menu->actions())
                if (action->text().remove(QLatin1Char('&')) == entry) {
                    isChosen = true;
                    QTest::mouseClick(menu->windowHandle(), Qt::LeftButton, {},
                                      menu->actionGeometry(action).center());
                }
            if (menu->isVisible()) menu->close();
        });
        look.start(1);
        clickAt(opener, opener->rect().center());
        QTRY_VERIFY_WITH_TIMEOUT(isChosen, kPatience);
    }
    // The number is in the log of the test, for the comparison with other programs.
    void showActions(int most) const {
        qInfo("%d actions", actions_);
        QVERIFY(actions_ <= most);
    }
    QString complaints() { return window_->messages()->lines().join(QLatin1Char('\n')); }

    int actions_ = 0;
};

// Open, compare, a spectrum outside a mask, a figure.
void TestThreeDays::aSpectrumOutsideAMask() {
    write(QStringLiteral("first.fits"), noisySky(1, {}, kDegree));
    write(QStringLiteral("second.fits"), noisySky(2, {}, kDegree));
    std::vector<float> mask(static_cast<size_t>(pixelCount(kNside)));
    for (int64_t pixel = 0; pixel < std::ssize(mask); ++pixel)
        mask[static_cast<size_t>(pixel)] =
            std::abs(directionFromRing(kNside, pixel).z) < 0.5 ? 0.0F : 1.0F;
    write(QStringLiteral("mask.fits"), {kNside,
                                        Ordering::Ring,
                                        Frame::Galactic,
                                        {{"MASK", "", DiskType::Float32, std::move(mask)}}});
    openByDialog({"first.fits", "second.fits", "mask.fits"});
    shot(QStringLiteral("day1-1-open"));
    key(Qt::ALT | Qt::Key_2);
    QCOMPARE(document().view().comparison(), Comparison::Swipe);
    shot(QStringLiteral("day1-2-swipe"));
    key(Qt::ALT | Qt::Key_1);
    key(Qt::CTRL | Qt::Key_L);
    auto* panel = window_->findChild<SpectrumPanel*>();
    QVERIFY(panel && panel->isVisible());
    choose(named<QComboBox>(panel, QStringLiteral("Mask of the spectrum")), "mask.fits");
    QTRY_VERIFY_WITH_TIMEOUT(panel->result() && panel->result()->skyShare < 0.6, kPatience);
    waitUntilIdle();
    QVERIFY2(tool("spectrum")->status().startsWith(QLatin1String("50.5 % of the sky")),
             qPrintable(tool("spectrum")->status()));
    shot(QStringLiteral("day1-3-spectrum"));
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_E);
    auto* composer = window_->findChild<FigureComposer*>();
    QVERIFY(composer && composer->isVisible());
    waitUntilIdle();
    click(button<QPushButton>(composer, QStringLiteral("Save…")));
    nameFile(QStringLiteral("figure.png"));
    waitUntilIdle();
    QVERIFY2(QFileInfo(inFolder("figure.png")).size() > 10000, qPrintable(complaints()));
    // The dialog may cover the messages of the window.
    QVERIFY(composer->findChild<QLabel*>(QStringLiteral("note"))
                ->text()
                .startsWith(QLatin1String("saved ")));
    showActions(15);
}

// Filter, candidates, verdicts by key, catalog and mask. The verdicts are one key a candidate.
void TestThreeDays::sourcesByEye() {
    constexpr int kSources = 60, kReviewed = 50;
    write(QStringLiteral("sky.fits"), noisySky(3, randomSpots(kSources, 8), 3.0 * kDegree));
    openByDialog({"sky.fits"});
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_2);
    ToolDock* filter = tool("operation-filter");
    QVERIFY(filter && filter->isVisible());
    auto* width = named<QLineEdit>(filter, QStringLiteral("FWHM"));
    type(width, QStringLiteral("3deg"));
    enter();
    waitUntilIdle();
    QTRY_VERIFY_WITH_TIMEOUT(document().live(), kPatience);
    shot(QStringLiteral("day2-1-filter"));
    // The search has the beam of the filter.
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_3);
    ToolDock* sources = tool("operation-sources");
    QVERIFY(sources && sources->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(named<QLineEdit>(sources, QStringLiteral("FWHM"))->text(),
                              QStringLiteral("3°"), kPatience);
    run(sources);
    SourceReview& review = window_->session().review();
    QTRY_VERIFY_WITH_TIMEOUT(std::ssize(review.rows()) >= kReviewed, kPatience);
    shot(QStringLiteral("day2-2-candidates"));
    const LonLat before = document().view().camera().center();
    for (int i = 0; i < kReviewed; ++i) press(i % 5 == 4 ? Qt::Key_R : Qt::Key_A);
    // The whole sky is in view, so that the picture need not move.
    QCOMPARE(document().view().camera().center().lon, before.lon);
    QCOMPARE(document().view().camera().center().lat, before.lat);
    shot(QStringLiteral("day2-3-verdicts"));
    auto* home = button<QToolButton>(sources, QStringLiteral("Take home"));
    chooseOf(home, QStringLiteral("Catalog of the accepted…"));
    nameFile(QStringLiteral("accepted.fits"));
    waitUntilIdle();
    JobContext job;
    QCOMPARE(readTable(inFolder("accepted.fits").toStdString(), {}, job).rows(),
             int64_t{kReviewed * 4 / 5});
    chooseOf(home, QStringLiteral("Mask of the accepted, discs of 3 beams"));
    waitUntilIdle();
    QVERIFY(document().entries().back().map);
    key(Qt::CTRL | Qt::Key_E);
    nameFile(QStringLiteral("mask.fits"));
    waitUntilIdle();
    QVERIFY2(QFile::exists(inFolder("mask.fits")), qPrintable(complaints()));
    showActions(20);
}

// A probability map, the galaxies in its 90 % region, their w(theta), a file.
void TestThreeDays::galaxiesOfAProbabilityMap() {
    std::vector<double> values(static_cast<size_t>(pixelCount(kNside)));
    const Vec3 middle = direction({1.0, 0.3});
    double sum = 0.0;
    for (int64_t pixel = 0; pixel < std::ssize(values); ++pixel) {
        const double r = angularDistance(middle, directionFromRing(kNside, pixel));
        sum += values[static_cast<size_t>(pixel)] = std::exp(-0.5 * r * r / (0.3 * 0.3));
    }
    for (double& value : values) value /= sum;
    write(QStringLiteral("event.fits"),
          {kNside,
           Ordering::Ring,
           Frame::Equatorial,
           {{"PROB", "pix-1", DiskType::Float64, std::move(values)}}});
    constexpr int kGalaxies = 4000;
    QFile table(inFolder(QStringLiteral("galaxies.csv")));
    QVERIFY(table.open(QIODevice::WriteOnly));
    table.write("RA,DEC\n");
    for (const Spot& spot : randomSpots(kGalaxies, 12)) {
        const LonLat at = lonLat(spot.at);
        table.write(QStringLiteral("%1,%2\n")
                        .arg(std::fmod(at.lon / kDegree + 360.0, 360.0), 0, 'f', 6)
                        .arg(at.lat / kDegree, 0, 'f', 6)
                        .toLatin1());
    }
    table.close();
    openByDialog({"event.fits", "galaxies.csv"});
    shot(QStringLiteral("day3-1-open"));
    // A tool outside the rail, by the search.
    key(Qt::CTRL | Qt::Key_K);
    auto* palette = window_->findChild<CommandPalette*>();
    QVERIFY(palette);
    auto* search = palette->findChild<QLineEdit*>();
    type(search, QStringLiteral("Select rows"));
    enter();
    ToolDock* select = tool("operation-select");
    QTRY_VERIFY_WITH_TIMEOUT(select && select->isVisible(), kPatience);
    choose(named<QComboBox>(select, QStringLiteral("Credible region")), "event.fits");
    type(named<QLineEdit>(select, QStringLiteral("Level")), QStringLiteral("90%"));
    run(select);
    QVERIFY2(document().entries().size() == 3, qPrintable(complaints()));
    const Layer& chosen = document().entries().back();
    // The disc of 90 % has a radius of 0.63, near 0.3 sqrt(2 ln 10) of the plane: 9.7 % of the
    // sphere, so 389 of the galaxies, with a deviation of 19.
    QVERIFY2(std::abs(chosen.catalog->rows() - 389) < 5 * 19,
             qPrintable(QString::number(chosen.catalog->rows())));
    shot(QStringLiteral("day3-2-galaxies"));
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_4);
    ToolDock* mask = tool("operation-mask");
    type(named<QLineEdit>(mask, QStringLiteral("Credible region")), QStringLiteral("90%"));
    run(mask);
    QVERIFY2(document().entries().size() == 4, qPrintable(complaints()));
    const QString maskName = document().entries().back().name;
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_7);
    ToolDock* correlate = tool("operation-correlate");
    choose(named<QComboBox>(correlate, QStringLiteral("Data")), "select");
    choose(named<QComboBox>(correlate, QStringLiteral("Randoms within")), maskName);
    waitUntilIdle();
    run(correlate);
    QVERIFY2(document().entries().back().curve, qPrintable(complaints()));
    shot(QStringLiteral("day3-3-correlation"));
    key(Qt::CTRL | Qt::Key_E);
    nameFile(QStringLiteral("w.csv"));
    waitUntilIdle();
    QVERIFY2(QFileInfo(inFolder("w.csv")).size() > 100, qPrintable(complaints()));
    showActions(20);
}

QTEST_MAIN(TestThreeDays)
#include "tst_three_days.moc"
