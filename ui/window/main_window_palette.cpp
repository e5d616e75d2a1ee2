// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the command palette: what the window can do, and where.
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

#include "armilla/session/file_opener.h"
#include "armilla/session/shown_text.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/main_window.h"
#include "dialogs/manual.h"
#include "panels/operation_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "tools/tool_table.h"
#include "window/command_palette.h"
#include "window/place_search.h"
#include "window/window_dialogs.h"
#include "window/window_panels.h"

namespace armilla {
namespace {

// The text of an action without its mnemonic and dots.
QString plainText(const QAction& action) {
    QString text = action.text();
    return text.remove(QLatin1Char('&')).remove(QChar(0x2026));
}

PaletteEntry entryOf(QAction* action, const QString& place) {
    return {
        .text = plainText(*action),
        .place = place,
        .keys = action->shortcut().toString(QKeySequence::NativeText),
        .synonyms = action->toolTip() + QLatin1Char(' ') + action->property("synonyms").toString(),
        .body = {},
        .icon = action->icon(),
        .action = action,
        .act = [action = QPointer(action)] {
            if (action) action->trigger();
        }};
}

// Actions of a menu and of the menus in it. Menus filled on demand are left out: until they are
// shown again, they hold what applied when they were last shown.
void collect(QList<PaletteEntry>& entries, const QList<QAction*>& actions, const QString& place,
             const QList<QAction*>& others) {
    for (QAction* action : actions) {
        if (action->isSeparator() || others.contains(action)) continue;
        if (const QMenu* menu = action->menu(); menu && menu->property("filledOnDemand").toBool())
            continue;
        if (action->menu())
            collect(entries, action->menu()->actions(), plainText(*action), others);
        else if (!action->text().isEmpty())
            entries << entryOf(action, place);
    }
}

QString idOf(const ToolDock& dock) {
    constexpr QLatin1String kPrefix("operation-");
    const QString name = dock.objectName();
    return name.startsWith(kPrefix) ? name.mid(kPrefix.size()) : name;
}

}  // namespace

void MainWindow::showPalette() {
    QList<PaletteEntry> entries;
    QList<QAction*> tools;
    ToolRail* rail = panels_->rail();
    for (ToolDock* dock : rail->tools()) {
        QAction* action = rail->actionOf(dock);
        PaletteEntry entry = entryOf(action, tr("Tool"));
        entry.synonyms +=
            QLatin1Char(' ') + toolFacts(idOf(*dock).toStdString(), action->text()).synonyms;
        entry.act = [rail, dock] { rail->open(dock); };
        entries << entry;
        tools << action << dock->toggleViewAction();
    }
    collect(entries, menuBar()->actions(), {}, tools);
    for (const QString& path : session_->files().recentFiles())
        entries << PaletteEntry{.text = QFileInfo(path).fileName(),
                                .place = tr("Recent file"),
                                .keys = {},
                                .synonyms = path,
                                .body = {},
                                .icon = lineIcon(QStringLiteral("open")),
                                .act = [this, path] { openFiles({path}); }};
    for (OperationPanel* panel : panels_->operations()) {
        ToolDock* dock = nullptr;
        for (ToolDock* each : rail->tools())
            if (each->isAncestorOf(panel)) dock = each;
        if (!dock) continue;
        const QStringList names = panel->parameters();
        ParameterSet parameters = panel->operation().defaults();
        for (const Parameter& row : parameters.rows()) {
            const QString name =
                QString::fromUtf8(row.name.data(), static_cast<qsizetype>(row.name.size()));
            if (!names.contains(name)) continue;
            entries << PaletteEntry{.text = shownText(row.label()),
                                    .place = rail->actionOf(dock)->text(),
                                    .keys = {},
                                    .synonyms = name + QLatin1Char(' ') + shownText(row.help),
                                    .body = {},
                                    .icon = rail->actionOf(dock)->icon(),
                                    .act = [rail, dock, panel, name] {
                                        rail->open(dock);
                                        panel->showParameter(name);
                                    }};
        }
    }
    for (const ManualSection& section : Manual::sections())
        entries << PaletteEntry{
            .text = section.heading,
            .place =
                section.anchor.isEmpty() ? tr("Manual") : tr("Manual: %1").arg(section.pageTitle),
            .keys = {},
            .synonyms = tr("help manual"),
            .body = section.text,
            .icon = lineIcon(QStringLiteral("info")),
            .act = [this, place = section.place()] { dialogs_->showManualAt(place); }};
    auto* palette = new CommandPalette(
        entries, [this](const QString& place) { search_->goTo(place); }, this);
    palette->show();
}

}  // namespace armilla
