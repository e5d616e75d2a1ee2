// SPDX-License-Identifier: GPL-3.0-or-later
// Layout, keys and names in the window. Panels are complete and do not move, narrow windows fold,
// the keys of the sky work everywhere, and every control has a name.
#include <QAction>
#include <QCheckBox>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QSettings>
#include <QSlider>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QUndoStack>

#include "armilla/plot/plot_style.h"
#include "armilla/session/file_opener.h"
#include "armilla/ui/cursor_readout.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/opengl_question.h"
#include "armilla/ui/sky_view_widget.h"
#include "models/map_row_delegate.h"
#include "panels/color_panel.h"
#include "panels/maps_panel.h"
#include "panels/message_bar.h"
#include "panels/smooth_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "window/command_palette.h"
#include "window/file_commands.h"
#include "window/window_dialogs.h"
#include "window/window_layout.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestWindowLayout : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void panelsHaveRoom();
    void narrowWindowsFold();
    void smallScreensHoldATable();
    void panelsKeepStill();
    void keysOfTheSkyWorkEverywhere();
    void dialogsBlockNothing();
    void filesAreListedWhole();
    void everyCommandHasAName();
    void textsAreLegible();
    void frameUnknownIsOneClick();
    void frameOfASkyWithoutMaps();
    void asksWhoDrawsElsewhere();
    void searchFindsEverything();
};

// On a screen of 1440 x 900 each open tool shows all of its content, beside the columns; a folded
// one keeps the width of its column.
void TestWindowLayout::panelsHaveRoom() {
    delete window_;
    openWindow({1440, 900});
    const auto inView = [this](ToolDock* dock) {
        QVERIFY2(!dock->isCollapsed(), qPrintable(dock->objectName()));
        QTRY_COMPARE_WITH_TIMEOUT(dock->content()->visibleRegion().boundingRect(),
                                  dock->content()->rect(), kPatience);
    };
    ToolRail* rail = window_->panels().rail();
    // Every tool is visible with its full name and a unique icon; its tip describes the purpose.
    QVERIFY(!rail->isCompact());
    QList<QImage> icons;
    for (QAction* action : rail->toolActions()) {
        const QImage icon = action->icon().pixmap(32).toImage();
        QVERIFY2(!icons.contains(icon), qPrintable(action->text()));
        icons << icon;
        QVERIFY(action->toolTip().size() > action->text().size());
    }
    for (QAction* action : rail->toolActions()) {
        const auto* button = qobject_cast<QToolButton*>(rail->widgetForAction(action));
        QVERIFY(button && button->isVisible());
        QVERIFY2(!action->iconText().contains(QChar(0x2026)), qPrintable(action->iconText()));
        QCOMPARE(action->iconText().simplified(), action->text());
        QVERIFY(button->width() >= button->sizeHint().width());
        QVERIFY(rail->rect().contains(button->geometry()));
    }
    for (ToolDock* tool : rail->tools()) {
        rail->open(tool);
        QCOMPARE(rail->current(), tool);
        int open = 0;
        for (ToolDock* dock : window_->panels().docks().all) {
            const bool isTool =
                std::find(rail->tools().begin(), rail->tools().end(), dock) != rail->tools().end();
            open += isTool && dock->isVisible() ? 1 : 0;
            // A tool with more rows than the column is high scrolls; the colors stay complete below
            // it.
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
    // A growing tool takes the height that a folded panel leaves.
    auto* spectrum = window_->findChild<ToolDock*>(QStringLiteral("spectrum"));
    QVERIFY(spectrum);
    rail->open(spectrum);
    for (ToolDock* dock : window_->panels().docks().all) {
        if (!dock->isVisible() || dock == spectrum) continue;
        const int width = dock->width();
        dock->setCollapsed(true);
        QTRY_COMPARE_WITH_TIMEOUT(dock->height(), dock->titleBarWidget()->height(), kPatience);
        QCOMPARE(dock->width(), width);
        QCOMPARE(dock->titleBarWidget()->width(), width);
        dock->setCollapsed(false);
    }
}

// A narrow window gives the space of the left column to the sky, and restores the column.
void TestWindowLayout::narrowWindowsFold() {
    QVERIFY(window_->arrangement().isLeftVisible());
    window_->resize(1024, 700);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->arrangement().isLeftVisible(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(window_->size(), QSize(1024, 700), kPatience);
    QVERIFY(window_->panels().rail()->isCompact());
    QTRY_VERIFY_WITH_TIMEOUT(2 * window_->skyView()->width() >= window_->width(), kPatience);
    window_->arrangement().setLeftVisible(true);
    // The menu of panels fits the screen.
    const QMenu* panels = nullptr;
    for (const QAction* action : window_->menuBar()->actions())
        if (action->text() == QLatin1String("&Window")) panels = action->menu();
    QVERIFY(panels && panels->sizeHint().height() < window_->height());
    window_->resize(1100, 700);
    QTRY_COMPARE_WITH_TIMEOUT(window_->size(), QSize(1100, 700), kPatience);
    QVERIFY(window_->arrangement().isLeftVisible());
    window_->arrangement().setLeftVisible(false);
    window_->resize(1500, 900);
    QTRY_COMPARE_WITH_TIMEOUT(window_->size(), QSize(1500, 900), kPatience);
    QVERIFY(!window_->arrangement().isLeftVisible());  // closed by the user
    window_->resize(1200, 800);
    window_->resize(1500, 900);
    window_->arrangement().setLeftVisible(true);
    // One tool at a time, by key; a floating one stays open.
    ToolRail* rail = window_->panels().rail();
    QVERIFY(rail->tools().size() >= 2);
    rail->toolActions()[1]->trigger();
    QCOMPARE(rail->current(), rail->tools()[1]);
    QVERIFY(!rail->tools()[0]->isVisible());
    rail->tools()[1]->setFloating(true);
    rail->toolActions()[0]->trigger();
    QVERIFY(rail->tools()[0]->isVisible() && rail->tools()[1]->isVisible());
    rail->tools()[1]->setFloating(false);
    QTRY_COMPARE_WITH_TIMEOUT(rail->current(), rail->tools()[1], kPatience);
    QVERIFY(!rail->tools()[0]->isVisible());
    rail->toolActions()[1]->trigger();
    QCOMPARE(rail->current(), nullptr);
}

// With both columns and the table of a catalog, the window still fits a small screen.
void TestWindowLayout::smallScreensHoldATable() {
    QFile file(inFolder(QStringLiteral("stars.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("RA,DEC,CZ\n10.68470833,41.26872222,-300\n11.88804167,-25.28877778,243\n");
    file.close();
    window_->openFiles({file.fileName(), writeFile(QStringLiteral("sky.fits"), 16, false, false)});
    waitUntilIdle();
    for (const Layer& layer : window_->session().document().entries())
        if (layer.catalog) window_->session().document().setActive(layer.id);
    QTRY_VERIFY_WITH_TIMEOUT(window_->panels().docks().data->isVisible(), kPatience);
    window_->resize(1024, 700);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->arrangement().isLeftVisible(), kPatience);
    window_->arrangement().setLeftVisible(true);
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY_WITH_TIMEOUT(window_->panels().docks().layers->isVisible(), kPatience);
    waitUntilIdle();
    QCOMPARE(window_->size(), QSize(1024, 700));
}

// Buttons do not move, whatever map is shown.
void TestWindowLayout::panelsKeepStill() {
    window_->openFiles({writeFile(QStringLiteral("plain.fits"), 16, false, false),
                        writeFile(QStringLiteral("polarized.fits"), 16, true, true)});
    Document& document = window_->session().document();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    const auto placesNow = [this] {
        QList<QRect> found;
        for (const QWidget* panel : {static_cast<const QWidget*>(window_->panels().smooth()),
                                     static_cast<const QWidget*>(window_->panels().color())})
            for (const auto* button : panel->findChildren<QPushButton*>())
                found += QRect(button->mapTo(window_, QPoint()), button->size());
        return found;
    };
    // Waits until nothing has moved for a while, on a machine of any speed.
    const auto places = [&] {
        QList<QRect> before, now = placesNow();
        do {
            before = now;
            QTest::qWait(200);
            now = placesNow();
        } while (now != before);
        return now;
    };
    const auto* together = window_->panels().smooth()->findChild<QCheckBox*>();
    QVERIFY(together);
    document.view().setShown({document.entries()[0].id, 0, Quantity::Field});
    waitForPicture();
    const QList<QRect> plain = places();
    QVERIFY(!together->isEnabled());
    document.view().setShown({document.entries()[1].id, 0, Quantity::Field});
    waitForPicture();
    QCOMPARE(places(), plain);
    QVERIFY(together->isEnabled());
    document.view().setShown({document.entries()[1].id, 0, Quantity::PolarizedAmplitude});
    waitForPicture();
    QCOMPARE(places(), plain);
}

// Wherever the focus is, unless a text field has it; lists and sliders keep their own keys.
void TestWindowLayout::keysOfTheSkyWorkEverywhere() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
    waitForPicture();
    waitUntilIdle();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_, kPatience));
    Document& document = window_->session().document();
    const auto zooms = [&](QWidget* on) {
        on->setFocus();
        const double before = document.view().camera().zoom;
        QTest::keyClick(on, Qt::Key_Plus);
        const bool zoomed =
            QTest::qWaitFor([&] { return document.view().camera().zoom > before; }, kPatience);
        // Until it is at rest: ticks of the movement are 12 ms apart.
        for (double last = 0.0; last != document.view().camera().zoom;) {
            last = document.view().camera().zoom;
            QTest::qWait(100);
        }
        return zoomed;
    };
    QVERIFY(zooms(window_->skyView()));
    QVERIFY(zooms(window_->panels().smooth()->slider()));
    QVERIFY(zooms(window_->panels().maps()->findChild<QTreeView*>()));
    QLineEdit* field = nullptr;
    for (auto* one : window_->findChildren<QLineEdit*>())
        if (one->isVisible() && one->accessibleName().contains(QLatin1String("position")))
            field = one;
    QVERIFY(field);
    const double zoom = document.view().camera().zoom;
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Plus);
    QCOMPARE(field->text(), QStringLiteral("+"));
    // Names that contain the typed text are offered while the text is there.
    QTRY_VERIFY_WITH_TIMEOUT(QApplication::activePopupWidget(), kPatience);
    field->clear();
    QTRY_VERIFY_WITH_TIMEOUT(!QApplication::activePopupWidget(), kPatience);
    QCOMPARE(document.view().camera().zoom, zoom);
    // The slider handles an arrow; the sky handles Home on a button.
    QSlider* slider = window_->panels().smooth()->slider();
    const int width = slider->value();
    const Camera camera = document.view().camera();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QVERIFY(slider->value() != width);
    QCOMPARE(document.view().camera().center().lon, camera.center().lon);
    QPushButton* button = nullptr;
    for (auto* one : window_->panels().color()->findChildren<QPushButton*>())
        if (one->isVisible() && one->isEnabled()) button = one;
    QVERIFY(button);
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Home);
    QTRY_COMPARE_WITH_TIMEOUT(document.view().camera().zoom, 1.0, kPatience);
}

void TestWindowLayout::dialogsBlockNothing() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 8, false, false)});
    waitForPicture();
    window_->files().chooseFiles();
    // The suggested name distinguishes two widths.
    Document& document = window_->session().document();
    const LayerId shown = document.view().shown().entry;
    document.renameLayer(shown, QStringLiteral("smoothed 1.77°"));
    window_->files().exportLayer(shown);
    QStringList offered;
    for (auto* one : window_->findChildren<QLineEdit*>(QStringLiteral("fileNameEdit")))
        offered << one->text();
    QVERIFY2(offered.contains(QStringLiteral("smoothed_1.77deg_copy.fits")),
             qPrintable(offered.join(QLatin1Char(' '))));
    window_->files().exportView();
    window_->files().composeFigure();
    window_->dialogs().showSettings();
    window_->showShortcuts();
    window_->dialogs().showAbout();
    const auto dialogs = window_->findChildren<QDialog*>();
    QVERIFY(dialogs.size() >= 6);
    for (QDialog* dialog : dialogs) QVERIFY2(!dialog->isModal(), dialog->metaObject()->className());
    QVERIFY(!QApplication::activeModalWidget());
    shot(QStringLiteral("dialogs"));
    // The program's own icons also in Qt's dialog.
    const QImage up = lineIcon(QStringLiteral("folder-up")).pixmap(16).toImage();
    for (QDialog* dialog : dialogs)
        if (const auto* button = dialog->findChild<QToolButton*>(QStringLiteral("toParentButton")))
            QCOMPARE(button->icon().pixmap(16).toImage(), up);
    for (QDialog* dialog : dialogs) dialog->close();
}

// In the file dialog, sizes and dates are shown in full, and names in the remaining width.
void TestWindowLayout::filesAreListedWhole() {
    QSettings().setValue(QStringLiteral("folder"), inFolder(QString()));
    writeFile(QStringLiteral("a_map_of_a_long_name_that_says_what_it_is.fits"), 8, false, false);
    window_->files().chooseFiles();
    auto* dialog = window_->findChild<QFileDialog*>();
    QVERIFY(dialog);
    const auto closing = qScopeGuard([dialog] { dialog->close(); });
    auto* files = dialog->findChild<QTreeView*>(QStringLiteral("treeView"));
    QVERIFY(files);
    QTRY_VERIFY_WITH_TIMEOUT(files->model()->rowCount(files->rootIndex()) > 0, kPatience);
    for (const int width : {dialog->width(), 560, 900}) {
        dialog->resize(width, dialog->height());
        const QAbstractItemView* view = files;
        for (int column = 1; column < files->model()->columnCount(); ++column) {
            if (files->isColumnHidden(column)) continue;  // the kind, which is the suffix
            QTRY_VERIFY2_WITH_TIMEOUT(
                files->columnWidth(column) >= view->sizeHintForColumn(column),
                qPrintable(QStringLiteral("column %1 of %2").arg(column).arg(width)), kPatience);
        }
        QCOMPARE(files->header()->length(), files->viewport()->width());
    }
}

// Keyboard and screen reader reach everything: menu commands have texts, standard commands their
// standard keys, keys are unique, and every control with focus has a name.
void TestWindowLayout::everyCommandHasAName() {
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
    for (const ToolDock* dock : window_->panels().docks().all)
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

// Contrast of at least 4.5 (WCAG 2.1, 1.4.3) in both themes, as drawn. Compared are the most
// frequent color of a text's area and the most different one. The scale is three, so that strokes
// have pixels of pure ink; disabled text may be fainter.
void TestWindowLayout::textsAreLegible() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 8, true, true)});
    waitForPicture();
    constexpr int scale = 3;
    const auto contrastIn = [](const QImage& image) {
        QHash<QRgb, int> counts;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) ++counts[image.pixel(x, y)];
        QRgb ground = 0;
        for (auto it = counts.cbegin(); it != counts.cend(); ++it)
            if (it.value() > counts.value(ground)) ground = it.key();
        double most = 0.0;
        for (const QRgb color : counts.keys())
            most = std::max(most, contrastOf(QColor(ground), QColor(color)));
        return most;
    };
    int texts = 0;
    QStringList faint;
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        applyTheme(*qApp, kind);
        for (ToolDock* tool : window_->panels().rail()->tools()) {
            window_->panels().rail()->open(tool);
            QCoreApplication::processEvents();
            QPixmap picture(tool->size() * scale);
            picture.setDevicePixelRatio(scale);
            tool->render(&picture);
            const QImage image = picture.toImage().convertToFormat(QImage::Format_RGB32);
            for (const QWidget* widget : tool->findChildren<QWidget*>()) {
                const auto* label = qobject_cast<const QLabel*>(widget);
                const auto* button = qobject_cast<const QAbstractButton*>(widget);
                const auto* line = qobject_cast<const QLineEdit*>(widget);
                const QString text = label    ? label->text()
                                     : button ? button->text()
                                     : line   ? line->text() + line->placeholderText()
                                              : QString();
                const QRect place = widget->visibleRegion().boundingRect();
                if (text.isEmpty() || !widget->isEnabled() || !widget->isVisible() ||
                    place != widget->rect())
                    continue;
                ++texts;
                const QRect at(widget->mapTo(tool, QPoint()) * scale, widget->size() * scale);
                const double contrast = contrastIn(image.copy(at));
                if (contrast < 4.5)
                    faint << QStringLiteral("%1: %2 in %3")
                                 .arg(contrast)
                                 .arg(text, tool->objectName());
            }
        }
    }
    QVERIFY2(faint.isEmpty(), qPrintable(faint.join(QStringLiteral("; "))));
    QVERIFY(texts > 300);
}

// The words "frame unknown" in the list, in the status bar and in the tool bar are links. A table
// without a frame does not make the view Galactic; the frame can be stated in the tool bar, too.
void TestWindowLayout::frameOfASkyWithoutMaps() {
    const QString path = inFolder(QStringLiteral("places.csv"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("LON,LAT\n30,60\n120,-40\n");
    file.close();
    window_->openFiles({path});
    Document& document = window_->session().document();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{1}, kPatience);
    waitUntilIdle();
    QCOMPARE(document.view().camera().frame, Frame::Unknown);
    QToolButton* button = nullptr;
    for (QToolButton* each : window_->findChildren<QToolButton*>())
        if (each->accessibleName() == QStringLiteral("Frame of the view")) button = each;
    QVERIFY(button);
    QCOMPARE(button->text(), QStringLiteral("Frame unknown"));
    button->menu()->actions().at(1)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(document.view().camera().frame, Frame::Equatorial, kPatience);
    QCOMPARE(document.entries().front().catalog->frame(), Frame::Equatorial);
    QCOMPARE(button->text(), QStringLiteral("Equatorial (ICRS)"));
}

void TestWindowLayout::frameUnknownIsOneClick() {
    JobContext job;
    HealpixMap map =
        readMap(writeFile(QStringLiteral("g.fits"), 8, false, false).toStdString(), {}, job);
    map.setFrame(Frame::Unknown);
    const QString path = inFolder(QStringLiteral("u.fits"));
    writeMap(map, path.toStdString(), {}, job);
    window_->openFiles({path});
    waitForPicture();
    waitUntilIdle();
    Document& document = window_->session().document();
    const LayerId id = document.view().shown().entry;
    const auto frame = [&] { return document.entry(id)->map->frame(); };
    const auto choose = [&](int row) {
        QMenu* menu = nullptr;
        const auto find = [&] {
            menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            return menu != nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(find(), kPatience);
        QCOMPARE(menu->actions().size(), 3);
        // By key, because the pointer of the display also chooses rows.
        menu->setActiveAction(menu->actions().at(row));
        QTest::keyClick(menu, Qt::Key_Return);
    };
    const auto stated = [&](Frame wanted) {
        QTRY_VERIFY_WITH_TIMEOUT(frame() == wanted, kPatience);
        QCOMPARE(document.view().camera().frame, wanted);
        document.history().stack()->undo();
        QCOMPARE(frame(), Frame::Unknown);
        waitUntilIdle();
    };
    QTreeView* list = window_->findChild<MapsPanel*>()->view();
    const QModelIndex row = list->model()->index(0, 0);
    auto* delegate = qobject_cast<MapRowDelegate*>(list->itemDelegate());
    QStyleOptionViewItem option;
    option.widget = list;
    option.font = list->font();
    option.rect = list->visualRect(row);
    const QRect words = delegate->frameArea(option, row);
    QVERIFY(words.width() > 20 && list->viewport()->rect().contains(words));
    QCursor::setPos(list->viewport()->mapToGlobal(words.center()));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, words.center());
    choose(1);
    stated(Frame::Equatorial);
    auto* readout = window_->findChild<ReadoutWidget*>();
    QVERIFY(readout->rect().contains(readout->frameWords()) && !readout->frameWords().isEmpty());
    shot(QStringLiteral("frame-unknown"));
    QTest::mouseClick(readout, Qt::LeftButton, {}, readout->frameWords().center());
    choose(0);
    stated(Frame::Galactic);
    // In the tool bar and the menu View, which have keys.
    QToolButton* button = nullptr;
    for (QToolButton* each : window_->findChildren<QToolButton*>())
        if (each->accessibleName() == QStringLiteral("Frame of the view")) button = each;
    QVERIFY(button);
    QCOMPARE(button->text(), QStringLiteral("Frame unknown"));
    button->menu()->actions().at(2)->trigger();
    stated(Frame::Ecliptic);
    document.history().stack()->redo();
    QCOMPARE(frame(), Frame::Ecliptic);
    QVERIFY(readout->frameWords().isEmpty());
    QVERIFY(delegate->frameArea(option, row).isEmpty());
    QCOMPARE(button->text(), QStringLiteral("Ecliptic"));
    // The words serve a compared map without a frame, too.
    const QString second = inFolder(QStringLiteral("v.fits"));
    writeMap(map, second.toStdString(), {}, job);
    window_->openFiles({second});
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    waitUntilIdle();
    const LayerId other = document.entries().back().id;
    document.view().compare({.entry = id}, {.entry = other}, Comparison::Swipe);
    QVERIFY(!readout->frameWords().isEmpty());
    QTest::mouseClick(readout, Qt::LeftButton, {}, readout->frameWords().center());
    choose(1);
    QTRY_COMPARE_WITH_TIMEOUT(document.entry(other)->map->frame(), Frame::Equatorial, kPatience);
    QCOMPARE(frame(), Frame::Ecliptic);
    QVERIFY(readout->frameWords().isEmpty());
    document.view().compare({.entry = id}, {}, Comparison::Single);
}

// Another process queries the driver's name, and its outcome is reported.
void TestWindowLayout::asksWhoDrawsElsewhere() {
    QVERIFY(!OpenGlQuestion::answer());
    OpenGlQuestion::ask(QStringLiteral("/bin/echo"), {QStringLiteral("llvmpipe (LLVM 15)")});
    auto answer = OpenGlQuestion::answer();
    QVERIFY(answer && answer->isEnded);
    QCOMPARE(answer->renderer, std::string("llvmpipe (LLVM 15)"));
    QVERIFY(!OpenGlQuestion::answer());
    for (const char* crash : {"exit 1", "kill -SEGV $$"}) {
        OpenGlQuestion::ask(QStringLiteral("/bin/sh"),
                            {QStringLiteral("-c"), QLatin1String(crash)});
        answer = OpenGlQuestion::answer();
        QVERIFY(answer && !answer->isEnded && answer->renderer.empty());
    }
    OpenGlQuestion::ask(QStringLiteral("/no/such/program"), {});
    QVERIFY(!OpenGlQuestion::answer());
}

// Ctrl+K finds commands, tools and parameters by their names, and by names of other programs.
void TestWindowLayout::searchFindsEverything() {
    window_->session().files().openSampleSky();
    const auto palette = [this] {
        for (QAction* action : window_->findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_K)) action->trigger();
        return window_->findChild<CommandPalette*>();
    };
    const auto first = [](const CommandPalette* shown) {
        const QTreeWidgetItem* item = shown->list()->topLevelItem(0);
        return item ? item->text(0) : QString();
    };
    const std::pair<QString, QString> asked[] = {
        {QStringLiteral("mollv"), QStringLiteral("Mollweide")},
        {QStringLiteral("ud_grade"), QStringLiteral("Convert")},
        {QStringLiteral("xmatch"), QStringLiteral("Match catalogs")},
        {QStringLiteral("remove_dipole"), QStringLiteral("Convert")},
        {QStringLiteral("get_interp_val"), QStringLiteral("Look up")},
        {QStringLiteral("zscale"), QStringLiteral("Color")},
        {QStringLiteral("simbad"), QStringLiteral("Go to position")},
        {QStringLiteral("magnifier"), QStringLiteral("Inspector")},
        {QStringLiteral("row subset"), QStringLiteral("Select rows")},
        {QStringLiteral("match frames"), QStringLiteral("Side by side")},
        {QStringLiteral("savefig"), QStringLiteral("Figure")},
        {QStringLiteral("reset lay"), QStringLiteral("Reset layout")},
        {QStringLiteral("galaxies in 90%"), QStringLiteral("Select rows")},
        {QStringLiteral("apodize"), QStringLiteral("Apodize")}};
    for (const auto& [query, name] : asked) {
        CommandPalette* shown = palette();
        QVERIFY(shown);
        QTest::keyClicks(shown->line(), query);
        QCOMPARE(first(shown), name);
        QTest::keyClick(shown->line(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<CommandPalette*>(), kPatience);
    }
    // A parameter opens its tool and has the keyboard; a place is searched on the sky.
    CommandPalette* shown = palette();
    QTest::keyClicks(shown->line(), QStringLiteral("apodize"));
    QTest::keyClick(shown->line(), Qt::Key_Return);
    QVERIFY(window_->panels().rail()->current());
    QCOMPARE(window_->panels().rail()->current()->objectName(), QStringLiteral("operation-mask"));
    shown = palette();
    QTest::keyClicks(shown->line(), QStringLiteral("nothing has this name"));
    QCOMPARE(shown->list()->topLevelItemCount(), 1);
    QTest::keyClick(shown->line(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window_->messages()->isVisible(), kPatience);
}

QTEST_MAIN(TestWindowLayout)
#include "tst_window_layout.moc"
