// SPDX-License-Identifier: GPL-3.0-or-later
// The window's room, keys and names: panels are whole and keep still, narrow windows fold, the keys
// of the sky work everywhere, every control says what it is.
#include <QAction>
#include <QCheckBox>
#include <QDialog>
#include <QHash>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>
#include <QTreeView>

#include "panels/color_panel.h"
#include "panels/maps_panel.h"
#include "panels/smooth_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "ui/sky_view_widget.h"
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
    void panelsKeepStill();
    void keysOfTheSkyWorkEverywhere();
    void dialogsBlockNothing();
    void everyCommandHasAName();
};

// On a screen of 1440 x 900 each tool is open with all of its content in view, beside the columns;
// a folded one keeps the width of its column.
void TestWindowLayout::panelsHaveRoom() {
    delete window_;
    openWindow({1440, 900});
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
void TestWindowLayout::narrowWindowsFold() {
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
void TestWindowLayout::panelsKeepStill() {
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

// Wherever the focus is, unless a text field has it; lists and sliders keep what they use.
void TestWindowLayout::keysOfTheSkyWorkEverywhere() {
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
    // Names that hold what was typed are offered; a hand that goes elsewhere closes them.
    if (QWidget* offered = QApplication::activePopupWidget()) offered->close();
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

void TestWindowLayout::dialogsBlockNothing() {
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

QTEST_MAIN(TestWindowLayout)
#include "tst_window_layout.moc"
