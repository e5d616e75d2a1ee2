// SPDX-License-Identifier: GPL-3.0-or-later
// Tool switcher of the right column: one tool is open at a time, chosen by icon and name.
#pragma once

#include <QToolBar>
#include <vector>

class QAction;
class QMainWindow;

namespace armilla {

class ToolDock;

class ToolRail : public QToolBar {
    Q_OBJECT
public:
    explicit ToolRail(QMainWindow* window);

    // Appends a tool; its key is Ctrl+Shift+1, 2, ... for the first nine. A tool that is not in the
    // rail is opened by a menu.
    QAction* add(ToolDock* dock, const QString& icon, const QString& name, const QString& tip,
                 bool isInRail = true);
    // Opens a tool and closes the other one in the column. A detached tool stays in place.
    void open(ToolDock* dock);
    ToolDock* current() const;
    const std::vector<ToolDock*>& tools() const { return tools_; }
    // Opens this tool.
    QAction* actionOf(const ToolDock* dock) const;
    // Open the tools in the rail.
    QList<QAction*> toolActions() const;
    // Opens the tools that were added without a place in the rail.
    QList<QAction*> otherActions() const;
    // Shows only icons if the window is too narrow or too low for all names, because tools behind
    // an overflow arrow are not found.
    void setNarrow(bool narrow);
    bool isCompact() const { return toolButtonStyle() == Qt::ToolButtonIconOnly; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void follow(ToolDock* dock, bool visible);
    void fit();
    void setCompact(bool compact);
    // Height of a tool in the rail, with its name.
    int heightOf(QAction* tool) const;
    std::vector<ToolDock*> tools_;
    std::vector<QAction*> acts_;
    bool switching_ = false, isNarrow_ = false;
};

}  // namespace armilla
