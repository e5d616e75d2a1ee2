// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/tool_rail.h"

#include <QAction>
#include <QMainWindow>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QToolButton>
#include <algorithm>

#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"
#include "panels/tool_dock.h"
#include "panels/widget_role.h"

namespace armilla {

namespace {

// Splits a name of several words into two lines of similar length, because the longest line sets
// the width of the rail.
QString onTwoLines(const QString& name) {
    const QStringList words = name.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words.size() < 2) return name;
    qsizetype best = 1, least = name.size();
    for (qsizetype first = 1; first < words.size(); ++first) {
        const auto longer = std::max(words.mid(0, first).join(QLatin1Char(' ')).size(),
                                     words.mid(first).join(QLatin1Char(' ')).size());
        if (longer < least) {
            least = longer;
            best = first;
        }
    }
    return words.mid(0, best).join(QLatin1Char(' ')) + QLatin1Char('\n') +
           words.mid(best).join(QLatin1Char(' '));
}

// Spacing level of the icons, from 0.
void setTightness(ToolRail& rail, int level) {
    if (rail.property("tight").toInt() == level) return;
    rail.setProperty("tight", level);
    restyle(rail);
    for (QAction* tool : rail.toolActions()) restyle(*rail.widgetForAction(tool));
}

}  // namespace

ToolRail::ToolRail(QMainWindow* window) : QToolBar(tr("Tools"), window) {
    setObjectName(QStringLiteral("toolRail"));
    setMovable(false);
    setOrientation(Qt::Vertical);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setIconSize({16, 16});
    setProperty("rail", true);
    setFont(Theme::of(this).smallFont(font()));
    setAccessibleName(tr("Tools"));
    setCompact(false);
}

QAction* ToolRail::add(ToolDock* dock, const QString& icon, const QString& name, const QString& tip,
                       bool isInRail) {
    auto* action = new QAction(lineIcon(icon), name, this);
    if (isInRail) addAction(action);
    action->setCheckable(true);
    action->setProperty("tool", dock->objectName());
    action->setIconText(onTwoLines(name));
    tools_.push_back(dock);
    acts_.push_back(action);
    if (tools_.size() <= 9) {
        const QKeySequence keys(Qt::CTRL | Qt::SHIFT |
                                static_cast<Qt::Key>(Qt::Key_0 + static_cast<int>(tools_.size())));
        action->setShortcut(keys);
        action->setToolTip(
            QStringLiteral("%1 (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
    } else {
        action->setToolTip(tip);
    }
    connect(action, &QAction::triggered, this, [this, dock](bool on) {
        if (on)
            open(dock);
        else
            dock->hide();
    });
    connect(dock->toggleViewAction(), &QAction::toggled, this,
            [this, dock](bool visible) { follow(dock, visible); });
    connect(dock, &QDockWidget::topLevelChanged, this, [this, dock](bool floats) {
        // A dock that returns to the column becomes the open one.
        if (!floats && dock->toggleViewAction()->isChecked()) open(dock);
    });
    return action;
}

void ToolRail::open(ToolDock* dock) {
    const QScopedValueRollback guard(switching_, true);
    for (ToolDock* other : tools_)
        if (other != dock && !other->isFloating()) other->hide();
    dock->setCollapsed(false);
    dock->show();
    dock->raise();
    for (size_t i = 0; i < tools_.size(); ++i)
        acts_[i]->setChecked(tools_[i]->toggleViewAction()->isChecked());
}

void ToolRail::follow(ToolDock* dock, bool visible) {
    actionOf(dock)->setChecked(visible);
    if (visible && !switching_ && !dock->isFloating()) open(dock);
}

ToolDock* ToolRail::current() const {
    const auto found = std::find_if(tools_.begin(), tools_.end(), [](const ToolDock* dock) {
        return dock->toggleViewAction()->isChecked() && !dock->isFloating();
    });
    return found == tools_.end() ? nullptr : *found;
}

QAction* ToolRail::actionOf(const ToolDock* dock) const {
    const auto at = std::find(tools_.begin(), tools_.end(), dock) - tools_.begin();
    return acts_[static_cast<size_t>(at)];
}

QList<QAction*> ToolRail::toolActions() const {
    QList<QAction*> found;
    for (QAction* action : acts_)
        if (actions().contains(action)) found << action;
    return found;
}

QList<QAction*> ToolRail::otherActions() const {
    QList<QAction*> found;
    for (QAction* action : acts_)
        if (!actions().contains(action)) found << action;
    return found;
}

void ToolRail::setNarrow(bool narrow) {
    isNarrow_ = narrow;
    fit();
}

// Computed from the number of text lines, because buttons have no size hint before they are styled.
int ToolRail::heightOf(QAction* tool) const {
    constexpr int kAround = 15;  // padding, border, between picture and name
    const auto lines = static_cast<int>(tool->iconText().count(QLatin1Char('\n'))) + 1;
    const QWidget* button = widgetForAction(tool);
    const QFontMetrics metrics = button ? button->fontMetrics() : fontMetrics();
    return iconSize().height() + kAround + lines * metrics.lineSpacing();
}

// Shows all names or none: a partial row of names looks broken.
void ToolRail::fit() {
    constexpr int kEnds = 12;
    int room = height() - kEnds;
    for (QAction* tool : toolActions()) room -= heightOf(tool);
    setCompact(isNarrow_ || room < 0);
    if (!isCompact()) return;
    // Spacing shrinks before an icon moves into the overflow arrow.
    constexpr int kTightest = 2;
    for (int level = 0; level <= kTightest; ++level) {
        setTightness(*this, level);
        int rest = height() - kEnds;
        for (QAction* tool : toolActions()) {
            QWidget* button = widgetForAction(tool);
            button->ensurePolished();
            rest -= button->sizeHint().height();
        }
        if (rest >= 0) return;
    }
}

void ToolRail::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    if (event->oldSize().height() != event->size().height()) fit();
}

void ToolRail::setCompact(bool compact) {
    if (property("compact").toBool() != compact) {
        setProperty("compact", compact);
        // The style sheet depends on a property of the rail; the buttons must be restyled too.
        restyle(*this);
        for (QAction* tool : toolActions()) restyle(*widgetForAction(tool));
    }
    setToolButtonStyle(compact ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextUnderIcon);
}

}  // namespace armilla
