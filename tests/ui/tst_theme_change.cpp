// SPDX-License-Identifier: GPL-3.0-or-later
// Another theme in a window whose tools have all been open. The change does no work for widgets
// that are out of view; they have its colors when they are shown.
#include <QMap>

#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestThemeChange : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void cleanup() { closeWindow(); }
    void hiddenWidgetsFollowLater();
    void toolsLookAsInAWindowOfTheTheme();

private:
    void openEveryTool() {
        for (ToolDock* tool : window_->panels().rail()->tools()) {
            window_->panels().rail()->open(tool);
            QCoreApplication::processEvents();
        }
    }
    // Pictures of the tools by name, each as it is when the tool is opened.
    QMap<QString, QImage> pictures() {
        QMap<QString, QImage> found;
        for (ToolDock* tool : window_->panels().rail()->tools()) {
            window_->panels().rail()->open(tool);
            tool->resize(360, 560);
            found[tool->objectName()] = tool->grab().toImage();
        }
        return found;
    }
    int unpolished() {
        int count = 0;
        for (const QWidget* widget : window_->findChildren<QWidget*>())
            count += widget->testAttribute(Qt::WA_WState_Polished) ? 0 : 1;
        return count;
    }
};

void TestThemeChange::hiddenWidgetsFollowLater() {
    applyTheme(*qApp, ThemeKind::Dark);
    openWindow();
    openEveryTool();
    QCOMPARE(unpolished(), 0);
    applyTheme(*qApp, ThemeKind::Light);
    // Nearly all widgets are in tools that are closed.
    const auto all = static_cast<int>(window_->findChildren<QWidget*>().size());
    QVERIFY2(2 * unpolished() > all, qPrintable(QString::number(unpolished())));
    for (const QWidget* widget : window_->findChildren<QWidget*>())
        if (widget->isVisible()) QVERIFY(widget->testAttribute(Qt::WA_WState_Polished));
    // A tool that is opened now is complete at once.
    ToolDock* tool = window_->panels().rail()->tools().back();
    window_->panels().rail()->open(tool);
    for (const QWidget* widget : tool->findChildren<QWidget*>())
        if (widget->isVisible()) QVERIFY(widget->testAttribute(Qt::WA_WState_Polished));
    // A second change before the first has reached everything.
    applyTheme(*qApp, ThemeKind::Dark);
    QTRY_COMPARE_WITH_TIMEOUT(unpolished(), 0, kPatience);
    for (const QWidget* widget : window_->findChildren<QWidget*>())
        QVERIFY2(!widget->testAttribute(Qt::WA_SetStyle), widget->metaObject()->className());
}

void TestThemeChange::toolsLookAsInAWindowOfTheTheme() {
    for (const auto& [before, after] : {std::pair{ThemeKind::Dark, ThemeKind::Light},
                                        std::pair{ThemeKind::Light, ThemeKind::Dark}}) {
        applyTheme(*qApp, after);
        openWindow();
        openEveryTool();
        const QMap<QString, QImage> expected = pictures();
        closeWindow();
        applyTheme(*qApp, before);
        openWindow();
        openEveryTool();
        applyTheme(*qApp, after);
        const QMap<QString, QImage> found = pictures();
        QCOMPARE(found.keys(), expected.keys());
        for (auto each = expected.begin(); each != expected.end(); ++each)
            QVERIFY2(found[each.key()] == each.value(), qPrintable(each.key()));
        closeWindow();
    }
}

QTEST_MAIN(TestThemeChange)
#include "tst_theme_change.moc"
