// SPDX-License-Identifier: GPL-3.0-or-later
// The switcher of the right column: one tool open at a time, by its icon and name.
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

    // Adds a tool at the end; its key is Ctrl+Shift+1, 2, ... for the first nine.
    QAction* add(ToolDock* dock, const QString& icon, const QString& name, const QString& tip);
    // Opens this tool; another one that stands in the column makes room for it. One that was
    // detached stays where it is.
    void open(ToolDock* dock);
    ToolDock* current() const;
    const std::vector<ToolDock*>& tools() const { return tools_; }
    QList<QAction*> toolActions() const;
    // Icons alone, where the window is narrow or too low for all names: a tool behind an arrow is a
    // tool that nobody finds.
    void setNarrow(bool narrow);
    bool isCompact() const { return toolButtonStyle() == Qt::ToolButtonIconOnly; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void follow(ToolDock* dock, bool visible);
    void fit();
    void setCompact(bool compact);
    // What a tool takes of the rail with its name.
    int heightOf(QAction* tool) const;
    std::vector<ToolDock*> tools_;
    std::vector<QAction*> acts_;
    bool switching_ = false, isNarrow_ = false;
};

}  // namespace armilla
