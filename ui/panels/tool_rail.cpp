// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/tool_rail.h"

#include <QAction>
#include <QMainWindow>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

#include "panels/tool_dock.h"
#include "ui/icons.h"
#include "ui/theme.h"

namespace armilla {

namespace {

// A name of several words on two lines, as even as they get: the rail is as wide as its longest
// word.
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

}  // namespace

ToolRail::ToolRail(QMainWindow* window) : QToolBar(tr("Tools"), window) {
    setObjectName(QStringLiteral("toolRail"));
    setMovable(false);
    setOrientation(Qt::Vertical);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setIconSize({18, 18});
    setProperty("rail", true);
    setFont(Theme::of(this).smallFont(font()));
    setAccessibleName(tr("Tools"));
    setCompact(false);
}

QAction* ToolRail::add(ToolDock* dock, const QString& icon, const QString& name,
                       const QString& tip) {
    auto* action = addAction(lineIcon(icon), name);
    action->setCheckable(true);
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
        // Put back into the column, it is the one that is open there.
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
    const auto at = std::find(tools_.begin(), tools_.end(), dock) - tools_.begin();
    acts_[static_cast<size_t>(at)]->setChecked(visible);
    if (visible && !switching_ && !dock->isFloating()) open(dock);
}

ToolDock* ToolRail::current() const {
    const auto found = std::find_if(tools_.begin(), tools_.end(), [](const ToolDock* dock) {
        return dock->toggleViewAction()->isChecked() && !dock->isFloating();
    });
    return found == tools_.end() ? nullptr : *found;
}

QList<QAction*> ToolRail::toolActions() const {
    return {acts_.begin(), acts_.end()};
}

void ToolRail::setNarrow(bool narrow) {
    isNarrow_ = narrow;
    fit();
}

// By the lines of the names: what buttons ask for is not known before they have their style.
int ToolRail::heightOf(const QAction& tool, bool named) const {
    constexpr int kAroundIcon = 14, kAroundName = 20;  // padding, border, spacing
    const auto lines = static_cast<int>(tool.iconText().count(QLatin1Char('\n'))) + 1;
    return iconSize().height() +
           (named ? kAroundName + lines * fontMetrics().lineSpacing() : kAroundIcon);
}

// The first tools, those of every day, keep their names as long as all have their place.
void ToolRail::fit() {
    constexpr int kEnds = 12, kFewest = 4;
    int room = height() - kEnds;
    for (const QAction* tool : acts_) room -= heightOf(*tool, false);
    size_t named = 0;
    for (; named < acts_.size(); ++named) {
        room -= heightOf(*acts_[named], true) - heightOf(*acts_[named], false);
        if (room < 0) break;
    }
    const bool compact = isNarrow_ || named < kFewest;
    setCompact(compact);
    for (size_t i = 0; i < acts_.size(); ++i)
        if (auto* button = qobject_cast<QToolButton*>(widgetForAction(acts_[i])))
            button->setToolButtonStyle(compact || i >= named ? Qt::ToolButtonIconOnly
                                                             : Qt::ToolButtonTextUnderIcon);
}

void ToolRail::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    if (event->oldSize().height() != event->size().height()) fit();
}

void ToolRail::setCompact(bool compact) {
    if (property("compact").toBool() != compact) {
        setProperty("compact", compact);
        style()->unpolish(this);
        style()->polish(this);
    }
    setToolButtonStyle(compact ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextUnderIcon);
}

}  // namespace armilla
