// SPDX-License-Identifier: GPL-3.0-or-later
// The tools of the window: name, icon, place in the rail, class of the panel. The table is the only
// place in the window with ids of operations.
#pragma once

#include <QString>
#include <QStringList>
#include <string_view>

namespace armilla {

// Class of the panel of a tool.
enum class ToolPanel {
    None,  // the operation has no tool
    Rows,  // OperationPanel alone
    Smooth,
    Spectrum,
    Filter,
    Sources,
    Mask,
    Grid,
    Correlate,
    Regions
};

// Facts of one tool, by the id of its operation; "spectrum" is the tool for the map that is shown.
struct ToolFacts {
    QString icon, name;
    // Names of the same work in other programs, and further words for a search.
    QString synonyms;
    bool isInRail = false;
    int order = 0;  // in the rail and in menus
    ToolPanel panel = ToolPanel::Rows;
    // Names of the inputs and parameters that a form shows first, in order; all others are folded
    // under "More". Empty if the description of the operation decides.
    QStringList firstRows;
};

// Tools without an entry have the title of their operation and the icon "tool", after all others.
ToolFacts toolFacts(std::string_view id, const QString& title);

}  // namespace armilla
