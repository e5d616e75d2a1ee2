// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_layout.h"

#include <QAction>
#include <QCoreApplication>
#include <QEvent>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>
#include <QStyle>
#include <algorithm>
#include <utility>

#include "panels/tool_dock.h"
#include "panels/tool_rail.h"

namespace armilla {
namespace {

// Incremented when the docks of the program change, so that an old saved layout is not applied to
// new docks.
constexpr int kLayoutVersion = 3;
// Logical pixels. Below this width the left column folds and the tool rail shows only icons.
constexpr int kNarrowWidth = 1300;
constexpr QSize kFirstSize(1440, 900);
constexpr int kDataHeight = 210;
constexpr int kLeftWidth = 280, kRightWidth = 352, kRailWidth = 88;
// kRailWidth includes the separators beside the columns. The tools need kLeastRight; while the
// left column is open, the sky gets the width that the tools do not need.
constexpr int kLeastRight = 312;

}  // namespace

WindowLayout::WindowLayout(QMainWindow& window, const WindowDocks& docks, ToolRail& rail,
                           QWidget& sky, std::function<bool()> hasData)
    : QObject(&window),
      window_(window),
      docks_(docks),
      rail_(rail),
      sky_(sky),
      hasData_(std::move(hasData)) {
    for (ToolDock* dock : docks_.all)
        connect(dock, &ToolDock::naturalHeightChanged, this, &WindowLayout::askHeights);
    for (ToolDock* tool : rail_.tools())
        connect(tool, &QDockWidget::visibilityChanged, this, &WindowLayout::askHeights);
    for (const ToolDock* dock : leftDocks()) {
        connect(dock, &QDockWidget::visibilityChanged, this, &WindowLayout::tellLeft);
        connect(dock, &QDockWidget::topLevelChanged, this, &WindowLayout::tellLeft);
        connect(dock->toggleViewAction(), &QAction::toggled, this, [this, dock](bool isOpen) {
            if (isOpen && isNarrow_ && !dock->isFloating()) foldRight();
        });
    }
    for (const ToolDock* dock : docks_.all)
        if (const auto left = leftDocks(); std::find(left.begin(), left.end(), dock) == left.end())
            connect(dock->toggleViewAction(), &QAction::toggled, this, [this, dock](bool isOpen) {
                if (!isOpen || !isInRight(*dock) || foldedRight_.empty()) return;
                setLeftVisible(false);
                leftFolded_ = true;
            });
}

void WindowLayout::reset() {
    // Tools stay hidden, except the first: some thirty of them would each be styled and laid out.
    for (ToolDock* tool : rail_.tools())
        if (tool != docks_.firstTool) tool->hide();
    for (ToolDock* dock : docks_.all) {
        dock->setFloating(false);
        dock->setCollapsed(false);
    }
    for (ToolDock* dock : leftDocks()) window_.addDockWidget(Qt::LeftDockWidgetArea, dock);
    for (ToolDock* dock : rail_.tools()) window_.addDockWidget(Qt::RightDockWidgetArea, dock);
    window_.addDockWidget(Qt::RightDockWidgetArea, docks_.color);
    window_.addDockWidget(Qt::BottomDockWidgetArea, docks_.data);
    for (ToolDock* dock : leftDocks()) dock->show();
    docks_.color->show();
    docks_.data->setVisible(hasData_());
    rail_.open(docks_.firstTool);
    // In a narrow window, the tool has taken the place of the left column.
    leftFolded_ = !isLeftVisible();
    foldForWidth();
    fitAll();
}

std::vector<ToolDock*> WindowLayout::leftDocks() const {
    return {docks_.layers, docks_.history, docks_.jobs};
}

void WindowLayout::fitAll() {
    foldForWidth();
    window_.resizeDocks({docks_.layers, docks_.color}, {kLeftWidth, rightWidth()}, Qt::Horizontal);
    window_.resizeDocks({docks_.layers, docks_.history, docks_.jobs}, {2, 1, 1}, Qt::Vertical);
    window_.resizeDocks({docks_.data}, {kDataHeight}, Qt::Vertical);
    fitHeights();
}

// Width of the right column, at most the width that the sky leaves.
int WindowLayout::rightWidth() const {
    const int line =
        window_.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, &window_);
    const int room = window_.width() - (window_.width() + 1) / 2 - rail_.width() - line;
    if (isNarrow_) return std::clamp(room, 1, kRightWidth);
    return std::clamp(room - docks_.layers->width() - line, kLeastRight, kRightWidth);
}

// Fits the heights once, after the caller has returned.
void WindowLayout::askHeights() {
    if (std::exchange(heightsAsked_, true)) return;
    QMetaObject::invokeMethod(this, &WindowLayout::settle, Qt::QueuedConnection);
}

void WindowLayout::settle() {
    constexpr int kRounds = 3;  // a change of heights may cause a layout, which may change heights
    for (int round = 0; round < kRounds; ++round) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        if (!std::exchange(heightsAsked_, false)) return;
        fitHeights();
    }
}

// Heights of the open tool and the colors below: each as high as its content, and a growing tool
// takes the rest. Applies only in the default arrangement, not in one by the user.
void WindowLayout::fitHeights() {
    // A column that a wide tool has widened becomes narrow again after it.
    if (2 * sky_.width() < window_.width() && docks_.color->width() > rightWidth())
        window_.resizeDocks({docks_.color}, {rightWidth()}, Qt::Horizontal);
    ToolDock* tool = rail_.current();
    if (!tool || !tool->isVisible() || !docks_.color->isVisible() || docks_.color->isFloating() ||
        tool->x() != docks_.color->x() || docks_.color->y() <= tool->y())
        return;
    const int height = tool->height() + docks_.color->height();
    // If both exceed the space, the buttons of the open tool stay visible, and the last rows of the
    // colors must be scrolled to.
    constexpr double kLeastShare = 0.4;
    const int natural = docks_.color->maximumHeight();
    const int least = std::min(natural, static_cast<int>(kLeastShare * height));
    const bool grows = tool->maximumHeight() >= QWIDGETSIZE_MAX;
    const int wanted = grows ? tool->sizeHint().height() : tool->maximumHeight();
    const int color = std::clamp(height - wanted, least, std::min(natural, height));
    window_.resizeDocks({tool, docks_.color}, {std::max(1, height - color), color}, Qt::Vertical);
}

// The sky keeps half of the window beside both columns; a large font makes the right column wide.
bool WindowLayout::leftHasRoom() const {
    int right = kLeastRight;
    for (const ToolDock* dock : docks_.all)
        if (isInRight(*dock)) right = std::max(right, dock->minimumSizeHint().width());
    for (const ToolDock* dock : foldedRight_)
        right = std::max(right, dock->minimumSizeHint().width());
    return 2 * (kLeftWidth + right + kRailWidth) <= window_.width();
}

// Below a width the sky needs the space of the left column. The column returns with the space
// unless the user closed it, and stays if the user reopened it.
void WindowLayout::foldForWidth() {
    const bool isNarrow = window_.width() < kNarrowWidth || !leftHasRoom();
    rail_.setNarrow(isNarrow);
    if (isNarrow == isNarrow_) return;
    isNarrow_ = isNarrow;
    if (isNarrow && isLeftVisible()) {
        setLeftVisible(false);
        leftFolded_ = true;
    } else if (!isNarrow) {
        unfoldRight();
        if (leftFolded_) setLeftVisible(true);
    }
}

bool WindowLayout::isInRight(const ToolDock& dock) const {
    return window_.dockWidgetArea(const_cast<ToolDock*>(&dock)) == Qt::RightDockWidgetArea &&
           !dock.isFloating() && !dock.isHidden();
}

void WindowLayout::foldRight() {
    // The user may have moved a dock of the left column to the right.
    const auto left = leftDocks();
    for (ToolDock* dock : docks_.all)
        if (isInRight(*dock) && std::find(left.begin(), left.end(), dock) == left.end())
            foldedRight_.push_back(dock);
    for (ToolDock* dock : foldedRight_) dock->hide();
    window_.resizeDocks({docks_.layers}, {kLeftWidth}, Qt::Horizontal);
}

// A tool that was opened meanwhile takes the place of the earlier one.
void WindowLayout::unfoldRight() {
    if (foldedRight_.empty()) return;
    const auto tools = rail_.tools();
    for (ToolDock* dock : std::exchange(foldedRight_, {}))
        if (!rail_.current() || std::find(tools.begin(), tools.end(), dock) == tools.end())
            dock->show();
    window_.resizeDocks({docks_.color}, {rightWidth()}, Qt::Horizontal);
}

bool WindowLayout::isLeftVisible() const {
    const auto docks = leftDocks();
    // The actions that show the docks are not checked while the window is not shown or is
    // minimized.
    return std::any_of(docks.begin(), docks.end(), [](const ToolDock* dock) {
        return !dock->isFloating() && !dock->isHidden();
    });
}

void WindowLayout::setLeftVisible(bool visible) {
    for (ToolDock* dock : leftDocks())
        if (!dock->isFloating()) dock->setVisible(visible);
    leftFolded_ = false;
    tellLeft();
}

void WindowLayout::showJobs() {
    if (!docks_.jobs->isFloating() && docks_.jobs->isHidden()) setLeftVisible(true);
    docks_.jobs->setCollapsed(false);
    docks_.jobs->show();
    docks_.jobs->raise();
}

void WindowLayout::tellLeft() {
    if (!isLeftVisible() || !isNarrow_) unfoldRight();
    const auto docks = leftDocks();
    const bool areDetached = std::all_of(docks.begin(), docks.end(),
                                         [](const ToolDock* dock) { return dock->isFloating(); });
    emit leftChanged(areDetached || isLeftVisible());
}

void WindowLayout::restore() {
    const QSettings stored;
    // The first window fits its screen, including the frame.
    const QSize room = window_.screen()->availableGeometry().size() - QSize(0, 40);
    window_.resize(kFirstSize.boundedTo(room));
    window_.restoreGeometry(stored.value(QStringLiteral("window/geometry")).toByteArray());
    isRestored_ = window_.restoreState(stored.value(QStringLiteral("window/state")).toByteArray(),
                                       kLayoutVersion);
    // The present layers decide about the data dock, not the saved window state.
    if (!hasData_()) docks_.data->hide();
    if (isRestored_) foldForWidth();
    tellLeft();
    const QStringList folded = stored.value(QStringLiteral("window/collapsed")).toStringList();
    for (ToolDock* dock : docks_.all) dock->setCollapsed(folded.contains(dock->objectName()));
}

// A narrow window begins with the right column.
void WindowLayout::save() {
    if (!foldedRight_.empty()) setLeftVisible(false);
    QSettings stored;
    stored.setValue(QStringLiteral("window/geometry"), window_.saveGeometry());
    stored.setValue(QStringLiteral("window/state"), window_.saveState(kLayoutVersion));
    QStringList folded;
    for (const ToolDock* dock : docks_.all)
        if (dock->isCollapsed()) folded += dock->objectName();
    stored.setValue(QStringLiteral("window/collapsed"), folded);
}

void WindowLayout::fitShown() {
    // A restored arrangement keeps its heights.
    const auto fit =
        std::exchange(isRestored_, true) ? &WindowLayout::foldForWidth : &WindowLayout::fitAll;
    QMetaObject::invokeMethod(this, fit, Qt::QueuedConnection);
}

void WindowLayout::fitResized() {
    foldForWidth();
    askHeights();
}

}  // namespace armilla
