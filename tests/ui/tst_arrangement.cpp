// SPDX-License-Identifier: GPL-3.0-or-later
// Places and sizes of docks, in a window without a session: labels stand for panels.
#include <QLabel>
#include <QMainWindow>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "support/patience.h"
#include "window/window_layout.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kWide = 1440, kNarrow = 1200, kHeight = 800;

// A window that passes its events on, as the main window does.
class PlainWindow : public QMainWindow {
public:
    PlainWindow() {
        rail_ = new ToolRail(this);
        sky_ = new QLabel;
        setCentralWidget(sky_);
        docks_.layers = dock("layers", ToolDock::Height::Grows);
        docks_.history = dock("history", ToolDock::Height::Grows);
        docks_.jobs = dock("jobs", ToolDock::Height::Steady);
        docks_.color = dock("color", ToolDock::Height::Natural);
        docks_.data = dock("data", ToolDock::Height::Grows);
        for (const char* name : {"first", "second"}) {
            ToolDock* tool = dock(name, ToolDock::Height::Grows);
            rail_->add(tool, QStringLiteral("open"), QString::fromLatin1(name), {});
        }
        docks_.firstTool = rail_->tools().front();
        addToolBar(Qt::RightToolBarArea, rail_);
        arrangement_ = new WindowLayout(*this, docks_, *rail_, *sky_, [this] { return hasData_; });
        arrangement_->reset();
    }
    WindowDocks docks_;
    WindowLayout* arrangement_ = nullptr;
    ToolRail* rail_ = nullptr;
    bool hasData_ = false;

protected:
    void showEvent(QShowEvent* event) override {
        QMainWindow::showEvent(event);
        arrangement_->fitShown();
    }
    void resizeEvent(QResizeEvent* event) override {
        QMainWindow::resizeEvent(event);
        arrangement_->fitResized();
    }

private:
    ToolDock* dock(const char* name, ToolDock::Height height) {
        auto* made = new ToolDock(QString::fromLatin1(name), QString::fromLatin1(name),
                                  new QLabel(QString::fromLatin1(name)), height, this);
        docks_.all.push_back(made);
        return made;
    }
    QLabel* sky_ = nullptr;
};

}  // namespace

class TestArrangement : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void oneToolIsOpen();
    void theLeftColumnFolds();
    void aNarrowWindowBeginsFolded();
    void aMinimizedWindowFolds();
    void theLeftColumnReturnsWithTheWidth();
    void aMovedDockOpensInANarrowWindow();
    void aNarrowWindowHasOneColumn();
    void whatTheUserClosedStaysClosed();
    void dataNeedData();
    void theArrangementComesBack();

private:
    void open(PlainWindow& window, int width) {
        window.resize(width, kHeight);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window, kPatience));
        QCoreApplication::processEvents();
    }
    QTemporaryDir settings_;
};

void TestArrangement::initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
    QCoreApplication::setOrganizationName(QStringLiteral("armilla-test"));
    QCoreApplication::setApplicationName(QStringLiteral("armilla-test"));
}

void TestArrangement::init() {
    QSettings().clear();
}

void TestArrangement::oneToolIsOpen() {
    PlainWindow window;
    open(window, kWide);
    QVERIFY(window.docks_.firstTool->isVisible());
    QVERIFY(!window.rail_->tools()[1]->isVisible());
    for (const ToolDock* left : {window.docks_.layers, window.docks_.history, window.docks_.jobs})
        QCOMPARE(window.dockWidgetArea(const_cast<ToolDock*>(left)), Qt::LeftDockWidgetArea);
    QCOMPARE(window.dockWidgetArea(window.docks_.color), Qt::RightDockWidgetArea);
}

void TestArrangement::theLeftColumnFolds() {
    PlainWindow window;
    open(window, kWide);
    QVERIFY(window.arrangement_->isLeftVisible());
    QVERIFY(!window.rail_->isCompact());
    window.resize(kNarrow, kHeight);
    QTRY_VERIFY_WITH_TIMEOUT(!window.arrangement_->isLeftVisible(), kPatience);
    QVERIFY(window.rail_->isCompact());
    window.resize(kWide, kHeight);
    QTRY_VERIFY_WITH_TIMEOUT(window.arrangement_->isLeftVisible(), kPatience);
}

void TestArrangement::aNarrowWindowBeginsFolded() {
    PlainWindow window;
    window.arrangement_->restore();
    open(window, kNarrow);
    QVERIFY(window.rail_->isCompact());
    QVERIFY(!window.arrangement_->isLeftVisible());
    for (const ToolDock* left : {window.docks_.layers, window.docks_.history, window.docks_.jobs})
        QVERIFY(!left->isVisible());
    window.resize(kWide, kHeight);
    QTRY_VERIFY_WITH_TIMEOUT(window.arrangement_->isLeftVisible(), kPatience);
}

// A desktop that minimizes a window sends the docks an event as if they were hidden. If the window
// becomes narrow meanwhile, the column is folded when the window is back.
void TestArrangement::aMinimizedWindowFolds() {
    PlainWindow window;
    open(window, kWide);
    const auto sendToDocks = [&window](QEvent&& event) {
        for (ToolDock* dock : window.docks_.all)
            if (!dock->isHidden()) QCoreApplication::sendEvent(dock, &event);
    };
    sendToDocks(QHideEvent());
    QVERIFY(!window.docks_.layers->toggleViewAction()->isChecked());
    window.resize(kNarrow, kHeight);
    QVERIFY(window.rail_->isCompact());
    sendToDocks(QShowEvent());
    for (const ToolDock* left : {window.docks_.layers, window.docks_.history, window.docks_.jobs})
        QVERIFY2(!left->isVisible(), qPrintable(left->objectName()));
    QVERIFY(!window.arrangement_->isLeftVisible());
    window.resize(kWide, kHeight);
    QVERIFY(window.arrangement_->isLeftVisible() && window.docks_.layers->isVisible());
}

// The left column that a narrow window has closed returns with the width, also after a tool was
// opened in its place, and after a reset.
void TestArrangement::theLeftColumnReturnsWithTheWidth() {
    PlainWindow window;
    open(window, kNarrow);
    window.arrangement_->showJobs();
    window.rail_->toolActions()[1]->trigger();
    QVERIFY(!window.arrangement_->isLeftVisible());
    window.resize(kWide, kHeight);
    QTRY_VERIFY_WITH_TIMEOUT(window.arrangement_->isLeftVisible(), kPatience);
    window.resize(kNarrow, kHeight);
    QTRY_VERIFY_WITH_TIMEOUT(!window.arrangement_->isLeftVisible(), kPatience);
    window.arrangement_->reset();
    window.resize(kWide, kHeight);
    QTRY_VERIFY_WITH_TIMEOUT(window.arrangement_->isLeftVisible(), kPatience);
}

// A dock of the left column that the user moved to the right opens in a narrow window.
void TestArrangement::aMovedDockOpensInANarrowWindow() {
    PlainWindow window;
    open(window, kNarrow);
    window.addDockWidget(Qt::RightDockWidgetArea, window.docks_.layers);
    window.arrangement_->showJobs();
    QVERIFY(window.docks_.jobs->isVisible());
    window.docks_.layers->hide();
    window.docks_.layers->toggleViewAction()->trigger();
    QVERIFY(window.docks_.layers->isVisible());
}

// The sky keeps half of a narrow window: the column that is opened closes the other one.
void TestArrangement::aNarrowWindowHasOneColumn() {
    PlainWindow window;
    open(window, kNarrow);
    const auto skyHasHalf = [&window] {
        return 2 * window.centralWidget()->width() >= window.width();
    };
    QVERIFY(window.docks_.color->isVisible());
    const int width = window.docks_.color->width();
    window.arrangement_->showJobs();
    QVERIFY(window.docks_.jobs->isVisible() && window.docks_.layers->isVisible());
    QVERIFY(!window.docks_.color->isVisible() && !window.docks_.firstTool->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(skyHasHalf(), kPatience);
    // A tool takes the place of the left column, and of the earlier tool.
    window.rail_->toolActions()[1]->trigger();
    QVERIFY(!window.arrangement_->isLeftVisible() && window.docks_.color->isVisible());
    QCOMPARE(window.rail_->current(), window.rail_->tools()[1]);
    QVERIFY(!window.docks_.firstTool->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(skyHasHalf(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(window.docks_.color->width(), width, kPatience);
    // The right column returns when the left one is closed, also by its own buttons.
    window.arrangement_->setLeftVisible(true);
    QCOMPARE(window.rail_->current(), nullptr);
    for (ToolDock* left : {window.docks_.layers, window.docks_.history, window.docks_.jobs})
        left->close();
    QCOMPARE(window.rail_->current(), window.rail_->tools()[1]);
    QVERIFY(window.docks_.color->isVisible());
    // A wide window has both.
    window.arrangement_->setLeftVisible(true);
    window.resize(kWide, kHeight);
    QTRY_VERIFY_WITH_TIMEOUT(window.docks_.color->isVisible(), kPatience);
    QVERIFY(window.arrangement_->isLeftVisible());
}

void TestArrangement::whatTheUserClosedStaysClosed() {
    PlainWindow window;
    open(window, kWide);
    window.arrangement_->setLeftVisible(false);
    window.resize(kNarrow, kHeight);
    QTRY_VERIFY_WITH_TIMEOUT(window.rail_->isCompact(), kPatience);
    window.resize(kWide, kHeight);
    QTRY_VERIFY_WITH_TIMEOUT(!window.rail_->isCompact(), kPatience);
    QVERIFY(!window.arrangement_->isLeftVisible());
    // reset() opens everything.
    window.arrangement_->reset();
    QVERIFY(window.arrangement_->isLeftVisible());
}

void TestArrangement::dataNeedData() {
    PlainWindow window;
    open(window, kWide);
    QVERIFY(!window.docks_.data->isVisible());
    window.hasData_ = true;
    window.arrangement_->reset();
    QVERIFY(window.docks_.data->isVisible());
    QCOMPARE(window.dockWidgetArea(window.docks_.data), Qt::BottomDockWidgetArea);
}

void TestArrangement::theArrangementComesBack() {
    {
        PlainWindow window;
        open(window, kWide);
        window.rail_->open(window.rail_->tools()[1]);
        window.docks_.history->setCollapsed(true);
        window.arrangement_->save();
    }
    PlainWindow window;
    window.arrangement_->restore();
    QVERIFY(window.docks_.history->isCollapsed());
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, kPatience));
    QVERIFY(window.rail_->tools()[1]->isVisible());
    QVERIFY(!window.docks_.firstTool->isVisible());
}

QTEST_MAIN(TestArrangement)
#include "tst_arrangement.moc"
