// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of the parts of a window.
#include <QCoreApplication>
#include <QEvent>
#include <QScreen>
#include <QSettings>
#include <QStyle>
#include <algorithm>
#include <utility>

#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/color_panel.h"
#include "panels/data_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "window/window_actions.h"

namespace armilla {
namespace {

// Incremented when the docks of the program change, so that an old saved layout is not applied to
// new docks.
constexpr int kLayoutVersion = 3;
// Logical pixels. Below the first width the tool bar shows only icons. Below the second the left
// column folds and the tool rail shows only icons.
constexpr int kCompactWidth = 1500, kNarrowWidth = 1300;
constexpr QSize kFirstSize(1440, 900);
constexpr int kDataHeight = 210;
constexpr int kLeftWidth = 280, kRightWidth = 352, kRailWidth = 88;
// kRailWidth includes the separators beside the columns. The tools need kLeastRight; where the left
// column is open, they give up the rest to the sky.
constexpr int kLeastRight = 312;

}  // namespace

void MainWindow::resetLayout() {
    for (ToolDock* dock : leftDocks()) addDockWidget(Qt::LeftDockWidgetArea, dock);
    for (ToolDock* dock : rail_->tools()) addDockWidget(Qt::RightDockWidgetArea, dock);
    addDockWidget(Qt::RightDockWidgetArea, colorDock_);
    addDockWidget(Qt::BottomDockWidgetArea, dataDock_);
    for (ToolDock* dock : docks_) {
        dock->setFloating(false);
        dock->setCollapsed(false);
        dock->show();
    }
    dataDock_->setVisible(data_->hasData());
    rail_->open(smoothDock_);
    leftFolded_ = false;
    foldForWidth();
    fitDocks();
}

std::vector<ToolDock*> MainWindow::leftDocks() const {
    return {mapsDock_, historyDock_, jobsDock_};
}

void MainWindow::fitDocks() {
    foldForWidth();
    resizeDocks({mapsDock_, colorDock_}, {kLeftWidth, rightWidth()}, Qt::Horizontal);
    resizeDocks({mapsDock_, historyDock_, jobsDock_}, {2, 1, 1}, Qt::Vertical);
    resizeDocks({dataDock_}, {kDataHeight}, Qt::Vertical);
    fitHeights();
}

// Limited to the width that the sky leaves.
int MainWindow::rightWidth() const {
    const int line = style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, this);
    const int room = width() - (width() + 1) / 2 - rail_->width() - line;
    if (isNarrow_) return std::clamp(room, 1, kRightWidth);
    return std::clamp(room - mapsDock_->width() - line, kLeastRight, kRightWidth);
}

// Queued until the caller has finished.
void MainWindow::askHeights() {
    if (std::exchange(heightsAsked_, true)) return;
    QMetaObject::invokeMethod(this, &MainWindow::settleLayout, Qt::QueuedConnection);
}

void MainWindow::settleLayout() {
    constexpr int kRounds = 3;  // a change of heights may cause a layout, which may change heights
    for (int round = 0; round < kRounds; ++round) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        if (!std::exchange(heightsAsked_, false)) return;
        fitHeights();
    }
}

// Pending layouts precede a repaint. A repaint takes as long as a layout, and a step that moves
// docks would otherwise repaint three times.
bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::UpdateRequest) settleLayout();
    return QMainWindow::event(event);
}

// Heights of the open tool and the colors below: each as high as its content, and a growing tool
// takes the rest. Applies only in the default arrangement, not in one by the user.
void MainWindow::fitHeights() {
    // A column that a wide tool has widened becomes narrow again after it.
    if (2 * skyView_->width() < width() && colorDock_->width() > rightWidth())
        resizeDocks({colorDock_}, {rightWidth()}, Qt::Horizontal);
    ToolDock* tool = rail_->current();
    if (!tool || !tool->isVisible() || !colorDock_->isVisible() || colorDock_->isFloating() ||
        tool->x() != colorDock_->x() || colorDock_->y() <= tool->y())
        return;
    const int height = tool->height() + colorDock_->height();
    // If both exceed the space, the buttons of the open tool stay visible, and the last rows of the
    // colors must be scrolled to.
    constexpr double kLeastShare = 0.4;
    const int natural = colorDock_->maximumHeight();
    const int least = std::min(natural, static_cast<int>(kLeastShare * height));
    const bool grows = tool->maximumHeight() >= QWIDGETSIZE_MAX;
    const int wanted = grows ? tool->sizeHint().height() : tool->maximumHeight();
    const int color = std::clamp(height - wanted, least, std::min(natural, height));
    resizeDocks({tool, colorDock_}, {std::max(1, height - color), color}, Qt::Vertical);
}

// The sky keeps half of the window beside both columns; a large font makes the right column wide.
bool MainWindow::leftHasRoom() const {
    int right = kLeastRight;
    for (ToolDock* dock : docks_)
        if (dockWidgetArea(dock) == Qt::RightDockWidgetArea && !dock->isFloating() &&
            dock->toggleViewAction()->isChecked())
            right = std::max(right, dock->minimumSizeHint().width());
    return 2 * (kLeftWidth + right + kRailWidth) <= width();
}

// Below a width the sky needs the space of the left column. The column returns with the space
// unless the user closed it, and stays if the user reopened it.
void MainWindow::foldForWidth() {
    const bool isNarrow = width() < kNarrowWidth || !leftHasRoom();
    rail_->setNarrow(isNarrow);
    if (isNarrow == isNarrow_) return;
    isNarrow_ = isNarrow;
    if (isNarrow && !leftFolded_) {
        setLeftVisible(false);
        leftFolded_ = true;
    } else if (!isNarrow && leftFolded_) {
        setLeftVisible(true);
    }
}

bool MainWindow::isLeftVisible() const {
    const auto docks = leftDocks();
    return std::any_of(docks.begin(), docks.end(), [](const ToolDock* dock) {
        return !dock->isFloating() && dock->toggleViewAction()->isChecked();
    });
}

void MainWindow::setLeftVisible(bool visible) {
    for (ToolDock* dock : leftDocks())
        if (!dock->isFloating()) dock->setVisible(visible);
    leftFolded_ = false;
}

void MainWindow::restoreLayout() {
    const QSettings stored;
    // The first window fits its screen, including the frame.
    const QSize room = screen()->availableGeometry().size() - QSize(0, 40);
    resize(kFirstSize.boundedTo(room));
    restoreGeometry(stored.value(QStringLiteral("window/geometry")).toByteArray());
    layoutRestored_ =
        restoreState(stored.value(QStringLiteral("window/state")).toByteArray(), kLayoutVersion);
    // The present layers decide about the data dock, not the saved window state.
    if (!data_->hasData()) dataDock_->hide();
    if (layoutRestored_) foldForWidth();
    const QStringList folded = stored.value(QStringLiteral("window/collapsed")).toStringList();
    for (ToolDock* dock : docks_) dock->setCollapsed(folded.contains(dock->objectName()));
    skyView_->setInspectorVisible(stored.value(QStringLiteral("window/inspector"), true).toBool());
}

void MainWindow::saveLayout() const {
    QSettings stored;
    stored.setValue(QStringLiteral("window/geometry"), saveGeometry());
    stored.setValue(QStringLiteral("window/state"), saveState(kLayoutVersion));
    QStringList folded;
    for (const ToolDock* dock : docks_)
        if (dock->isCollapsed()) folded += dock->objectName();
    stored.setValue(QStringLiteral("window/collapsed"), folded);
    stored.setValue(QStringLiteral("window/inspector"), skyView_->isInspectorVisible());
}

// Heights of panels are known only after the window has its size and style.
void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    const auto fit =
        std::exchange(layoutRestored_, true) ? &MainWindow::foldForWidth : &MainWindow::fitDocks;
    QMetaObject::invokeMethod(this, fit, Qt::QueuedConnection);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    actions_->setCompact(width() < kCompactWidth);
    foldForWidth();
    askHeights();
    color_->setViewSize(skyView_->size());
}

}  // namespace armilla
