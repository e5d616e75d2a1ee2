// SPDX-License-Identifier: GPL-3.0-or-later
// Every control of the window and of every tool explains itself, and errors link to their page.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QSet>
#include <QToolButton>
#include <QWhatsThis>

#include "armilla/session/file_opener.h"
#include "armilla/session/session.h"
#include "dialogs/help_dialogs.h"
#include "dialogs/manual.h"
#include "panels/message_bar.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "window/file_commands.h"
#include "window/what_is_this.h"
#include "window/window_dialogs.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Whether a person operates the widget itself. Parts of a control, such as the line of a choice,
// belong to it.
bool isControl(const QWidget* widget) {
    if (widget->objectName().startsWith(QLatin1String("qt_"))) return false;
    if (qobject_cast<const QScrollBar*>(widget) || qobject_cast<const QHeaderView*>(widget))
        return false;
    if (widget->inherits("QComboBoxListView")) return false;
    const QWidget* parent = widget->parentWidget();
    if (qobject_cast<const QComboBox*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent) ||
        qobject_cast<const QLineEdit*>(parent) || qobject_cast<const QHeaderView*>(parent) ||
        qobject_cast<const QAbstractItemView*>(parent))
        return false;
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget) ||
           qobject_cast<const QLineEdit*>(widget) ||
           qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QAbstractSlider*>(widget) ||
           qobject_cast<const QAbstractItemView*>(widget);
}

QString describe(const QWidget* widget) {
    QString place;
    for (const QWidget* above = widget->parentWidget(); above; above = above->parentWidget())
        if (!above->objectName().isEmpty()) {
            place = above->objectName();
            break;
        }
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    return QStringLiteral("%1 '%2' '%3' in %4")
        .arg(QString::fromLatin1(widget->metaObject()->className()), widget->accessibleName(),
             button ? button->text() : QString(), place);
}

}  // namespace

class TestWhatIsThis : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void init() { openWindow({1600, 1000}); }
    void cleanup() { closeWindow(); }

    void everyControlExplainsItself() {
        explains();
        window_->session().files().openSampleSky(16);
        waitUntilIdle();
        for (ToolDock* dock : window_->panels().rail()->tools()) {
            window_->panels().rail()->open(dock);
            waitUntilIdle();
            // Parts that are folded hold controls too.
            for (auto* button : dock->findChildren<QToolButton*>())
                if (button->isVisible() && button->isCheckable() && !button->isChecked() &&
                    button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon)
                    button->click();
            waitUntilIdle();
            explains();
        }
        for (ToolDock* dock : window_->panels().docks().all) {
            dock->setCollapsed(false);
            dock->show();
            dock->raise();
            QCoreApplication::processEvents();
            explains();
        }
        // A walk that finds few controls has not opened the tools.
        QVERIFY2(seen_.size() > 150, qPrintable(QString::number(seen_.size())));
        QVERIFY2(missing_.isEmpty(),
                 qPrintable(QStringList(missing_.values()).join(QLatin1Char('\n'))));
    }

    // The text has the words of the operation's description and a link to its page.
    void aParameterHasItsDescription() {
        window_->session().files().openSampleSky(16);
        waitUntilIdle();
        QComboBox* method = nullptr;
        for (ToolDock* dock : window_->panels().rail()->tools())
            if (dock->objectName() == QLatin1String("operation-mask")) {
                window_->panels().rail()->open(dock);
                for (auto* choice : dock->findChildren<QWidget*>())
                    if (!WhatIsThis::explanation(*choice).isEmpty())
                        QCOMPARE(WhatIsThis::placeOf(*choice), QStringLiteral("tools/mask.md"));
                for (auto* choice : dock->findChildren<QComboBox*>())
                    if (!method && choice->toolTip().startsWith(QLatin1String("Profile of")))
                        method = choice;
            }
        QVERIFY(method);
        const QString text = WhatIsThis::explanation(*method);
        QVERIFY2(text.contains(QLatin1String("href=\"tools/mask.md\"")), qPrintable(text));
        QVERIFY(text.contains(method->toolTip().section(QLatin1Char('\n'), 0, 0).toHtmlEscaped()));
        QHelpEvent question(QEvent::QueryWhatsThis, QPoint(2, 2),
                            method->mapToGlobal(QPoint(2, 2)));
        QCoreApplication::sendEvent(method, &question);
        QVERIFY(question.isAccepted());
        QWhatsThisClickedEvent link(QStringLiteral("tools/mask.md"));
        QCoreApplication::sendEvent(method, &link);
        QCOMPARE(window_->findChild<GuideDialog*>()->page(), QStringLiteral("tools/mask.md"));
    }

    // Every entry of every menu, but those that a menu lists on demand, such as recent files.
    void everyEntryExplainsItself() {
        window_->session().files().openSampleSky(16);
        waitUntilIdle();
        QStringList missing;
        int count = 0;
        const auto look = [&](const auto& self, QMenu* menu) -> void {
            QShowEvent shown;
            QCoreApplication::sendEvent(menu, &shown);
            for (QAction* entry : menu->actions()) {
                if (entry->isSeparator()) continue;
                ++count;
                if (entry->whatsThis().isEmpty())
                    missing << menu->title() + QStringLiteral(": ") + entry->text();
                if (entry->menu() && !entry->menu()->property("filledOnDemand").toBool())
                    self(self, entry->menu());
            }
        };
        for (QAction* menu : window_->menuBar()->actions()) look(look, menu->menu());
        QVERIFY2(count > 100, qPrintable(QString::number(count)));
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
        QAction* mask = nullptr;
        for (QAction* tool : window_->panels().rail()->toolActions())
            if (tool->text() == QLatin1String("Mask")) mask = tool;
        QVERIFY(mask);
        QVERIFY2(mask->whatsThis().contains(QLatin1String("href=\"tools/mask.md\"")),
                 qPrintable(mask->whatsThis()));
    }

    // The key of the window is its menu's, which a dialog does not have.
    void everyControlOfADialogExplainsItself() {
        window_->session().files().openSampleSky(16);
        waitUntilIdle();
        window_->dialogs().showSettings();
        window_->dialogs().showManualAt(QStringLiteral("guide.md"));
        window_->files().composeFigure();
        window_->files().exportView();
        QStringList missing;
        int count = 0;
        for (QWidget* dialog : QApplication::topLevelWidgets()) {
            if (!qobject_cast<QDialog*>(dialog) || !dialog->isVisible()) continue;
            ++count;
            // Pages behind the first one hold controls too.
            for (const QWidget* widget : dialog->findChildren<QWidget*>())
                if (!widget->isHidden() && isControl(widget) && !widget->inherits("QTabBar") &&
                    WhatIsThis::explanation(*widget).isEmpty())
                    missing << dialog->windowTitle() + QStringLiteral(": ") + describe(widget);
            QTest::keyClick(dialog, Qt::Key_F1, Qt::ShiftModifier);
            QVERIFY2(QWhatsThis::inWhatsThisMode(), qPrintable(dialog->windowTitle()));
            QWhatsThis::leaveWhatsThisMode();
        }
        QCOMPARE(count, 4);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
    }

    void theMenuEntersTheMode() {
        QAction* entry = nullptr;
        for (QAction* menu : window_->menuBar()->actions())
            for (QAction* action : menu->menu()->actions())
                if (action->shortcut() == QKeySequence(Qt::SHIFT | Qt::Key_F1)) entry = action;
        QVERIFY(entry);
        entry->trigger();
        QVERIFY(QWhatsThis::inWhatsThisMode());
        QWhatsThis::leaveWhatsThisMode();
    }

    void anErrorOpensItsSection_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* line, const char* place) {
            QTest::newRow(place) << QString::fromUtf8(line) << QString::fromLatin1(place);
        };
        row("x.fits: expected a map in a known frame, found none; state it with stated frame",
            "messages.md#the-frame-is-unknown");
        row("x.fits: expected a file, found: No such file or directory",
            "messages.md#a-file-cannot-be-read");
        row("x.fits: expected a table, found a truncated or damaged file",
            "messages.md#a-file-is-damaged");
        row("CUDA: expected memory for a map, found: out of memory",
            "messages.md#too-little-memory");
        row("CUDA: expected a build with CUDA, found one without", "messages.md#the-gpu");
        row("internal error: vector", "messages.md#a-mistake-in-armilla");
        row("a line that no section quotes", "messages.md");
    }
    void anErrorOpensItsSection() {
        QFETCH(QString, line);
        QFETCH(QString, place);
        QVERIFY(Manual::has(place));
        QCOMPARE(Manual::placeOfMessage(line), place);
        window_->messages()->show(MessageTone::Error, line);
        QToolButton* link = nullptr;
        for (auto* button : window_->messages()->findChildren<QToolButton*>())
            if (button->text() == QLatin1String("What to do")) link = button;
        QVERIFY(link);
        link->click();
        const auto* guide = window_->findChild<GuideDialog*>();
        QVERIFY(guide && guide->isVisible());
        QCOMPARE(guide->page(), QStringLiteral("messages.md"));
        QVERIFY(window_->messages()->lines().contains(line));
    }
    void aNoteHasNoPage() {
        window_->messages()->show(MessageTone::Note, QStringLiteral("done"));
        for (auto* button : window_->messages()->findChildren<QToolButton*>())
            QVERIFY(button->text().isEmpty());
    }

private:
    void explains() {
        for (const QWidget* widget : window_->findChildren<QWidget*>()) {
            if (!widget->isVisible() || !isControl(widget)) continue;
            seen_.insert(describe(widget));
            if (WhatIsThis::explanation(*widget).isEmpty()) missing_.insert(describe(widget));
        }
    }
    QSet<QString> seen_, missing_;
};

QTEST_MAIN(TestWhatIsThis)
#include "tst_what_is_this.moc"
