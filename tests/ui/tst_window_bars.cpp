// SPDX-License-Identifier: GPL-3.0-or-later
// The edges of the window at every width: the handle of the left column, the names of projections.
#include <QAbstractButton>
#include <QLineEdit>
#include <QToolBar>
#include <QToolButton>

#include "panels/tool_dock.h"
#include "window/window_layout.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestWindowBars : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void aClosedColumnHasAHandle();
    void projectionsAreNamed();
};

// A tab at the edge of the sky opens the left column, whoever closed the column. The tab covers no
// name, and the search stays in view.
void TestWindowBars::aClosedColumnHasAHandle() {
    auto* handle = window_->findChild<QAbstractButton*>(QStringLiteral("leftHandle"));
    QVERIFY(handle);
    QVERIFY(handle->isHidden());
    QVERIFY(handle->toolTip().contains(QLatin1String("F9")));
    for (const QSize size : {QSize(1024, 700), QSize(853, 480)}) {
        window_->resize(size);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->arrangement().isLeftVisible(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(window_->size(), size, kPatience);
        QVERIFY(handle->isVisible());
        QVERIFY(window_->centralWidget()->rect().contains(handle->geometry()));
        // Below the tab lies no other button, so that a click arrives.
        QCOMPARE(window_->childAt(handle->mapTo(window_, handle->rect().center())), handle);
        const QLineEdit* search = nullptr;
        for (const auto* one : window_->findChildren<QLineEdit*>())
            if (one->accessibleName().contains(QLatin1String("position"))) search = one;
        QVERIFY(search && search->isVisible());
        QVERIFY(window_->rect().contains(QRect(search->mapTo(window_, QPoint()), search->size())));
        QTest::mouseClick(handle, Qt::LeftButton);
        QVERIFY(window_->arrangement().isLeftVisible());
        QVERIFY(!handle->isVisible());
        window_->resize(1600, 1000);
        QTRY_COMPARE_WITH_TIMEOUT(window_->size(), QSize(1600, 1000), kPatience);
    }
    // Also in a wide window, after the last panel of the column was closed by its own button.
    const WindowDocks& docks = window_->panels().docks();
    docks.layers->close();
    docks.history->close();
    QVERIFY(!handle->isVisible());
    docks.jobs->close();
    QVERIFY(handle->isVisible());
    handle->click();
    QVERIFY(docks.layers->isVisible() && docks.history->isVisible() && docks.jobs->isVisible());
    // Panels that are all detached leave nothing to open.
    for (ToolDock* dock : {docks.layers, docks.history, docks.jobs}) dock->setFloating(true);
    QVERIFY(!handle->isVisible());
}

// At every width the bar names the projection: all of them from 1440 pixels on, the chosen one in a
// narrower window.
void TestWindowBars::projectionsAreNamed() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
    waitForPicture();
    auto* bar = window_->findChild<QToolBar*>(QStringLiteral("viewBar"));
    QVERIFY(bar);
    const auto names = [bar] {
        QStringList found;
        for (const auto* button : bar->findChildren<QToolButton*>())
            if (button->isVisible() && button->toolButtonStyle() == Qt::ToolButtonTextOnly &&
                bar->rect().contains(button->geometry()) &&
                button->width() >= button->sizeHint().width())
                found << button->text();
        return found;
    };
    const QStringList all{QStringLiteral("Mollweide"), QStringLiteral("Gnomonic"),
                          QStringLiteral("Globe"),     QStringLiteral("Cartesian"),
                          QStringLiteral("Lambert"),   QStringLiteral("Hammer")};
    Document& document = window_->session().document();
    for (const QSize size : {QSize(1440, 900), QSize(1600, 1000), QSize(1440, 900)}) {
        window_->resize(size);
        for (const QString& name : all) QTRY_VERIFY_WITH_TIMEOUT(names().contains(name), kPatience);
    }
    for (const QSize size : {QSize(1024, 700), QSize(853, 480)}) {
        window_->resize(size);
        QList<int> places;
        for (const auto& [projection, name] :
             {std::pair{Projection::Mollweide, all[0]}, {Projection::Lambert, all[4]}}) {
            Camera camera = document.view().camera();
            camera.projection = projection;
            document.view().setCamera(camera);
            QTRY_VERIFY2_WITH_TIMEOUT(names().contains(name), qPrintable(names().join(' ')),
                                      kPatience);
            for (const auto* button : bar->findChildren<QToolButton*>())
                if (button->isVisible() &&
                    button->accessibleName() == QLatin1String("Frame of the view"))
                    places << button->x();
        }
        // Nothing moves with the length of the name.
        QCOMPARE(places.size(), 2);
        QCOMPARE(places[0], places[1]);
    }
}

QTEST_MAIN(TestWindowBars)
#include "tst_window_bars.moc"
