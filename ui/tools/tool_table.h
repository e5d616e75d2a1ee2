// SPDX-License-Identifier: GPL-3.0-or-later
// The tools of the window that have a short name, an icon or a place in the rail.
#pragma once

#include <QString>
#include <string_view>

namespace armilla {

// Facts of one tool, by the id of its operation; "spectrum" is the tool for the map that is shown.
struct ToolFacts {
    QString icon, name;
    // Names of the same work in other programs, and further words for a search.
    QString synonyms;
    bool isInRail = false;
    int order = 0;  // in the rail and in menus
};

// Tools without an entry have the title of their operation and the icon "tool", after all others.
ToolFacts toolFacts(std::string_view id, const QString& title);

}  // namespace armilla
