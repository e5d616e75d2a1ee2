// SPDX-License-Identifier: GPL-3.0-or-later
// Places and sizes of the docks of a window: default arrangement, heights of the open tool, and the
// left column, which folds in a narrow window. There one column is open beside the sky, the one
// opened last, so that the sky keeps half of the width.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

class QMainWindow;
class QWidget;

namespace armilla {

class ToolDock;
class ToolRail;

// The docks with a fixed place. All docks of the window, tools included, are in `all`.
struct WindowDocks {
    ToolDock *layers = nullptr, *history = nullptr, *jobs = nullptr;  // left, top to bottom
    ToolDock* color = nullptr;                                        // right, below the tools
    ToolDock* data = nullptr;                                         // at the bottom
    ToolDock* firstTool = nullptr;  // open in the default arrangement
    ToolDock* spectrum = nullptr;
    std::vector<ToolDock*> all;
};

class WindowLayout : public QObject {
    Q_OBJECT
public:
    // Everything must outlive this object, which belongs to the window. `hasData` says whether the
    // selected layer has a table, a plot or an image for the dock at the bottom.
    WindowLayout(QMainWindow& window, const WindowDocks& docks, ToolRail& rail, QWidget& sky,
                 std::function<bool()> hasData);

    // Restores the default arrangement.
    void reset();
    // The column of layers, history and jobs.
    bool isLeftVisible() const;
    void setLeftVisible(bool visible);
    // Opens the jobs, with their column if that is closed.
    void showJobs();
    // Applies and stores the arrangement of the last window.
    void restore();
    void save();

    // Events of the window. Heights of panels are known only after it has its size and style.
    void fitShown();
    void fitResized();
    // Called before a repaint, which takes as long as a layout: a step that moves docks would
    // otherwise repaint three times.
    void settle();

signals:
    // The left column was opened or closed. A column whose docks are all detached counts as open,
    // because nothing can be opened.
    void leftChanged(bool isVisible);

private:
    std::vector<ToolDock*> leftDocks() const;
    bool leftHasRoom() const;
    int rightWidth() const;
    void foldForWidth();
    bool isInRight(const ToolDock& dock) const;
    void foldRight();
    void unfoldRight();
    void fitAll();
    void fitHeights();
    void askHeights();
    void tellLeft();

    QMainWindow& window_;
    const WindowDocks docks_;
    ToolRail& rail_;
    QWidget& sky_;
    std::function<bool()> hasData_;
    bool isRestored_ = false;
    bool isNarrow_ = false, leftFolded_ = false;  // depends on the width of the window
    std::vector<ToolDock*> foldedRight_;  // hidden while a narrow window shows the left column
    bool heightsAsked_ = false;           // fitHeights() is due
};

}  // namespace armilla
