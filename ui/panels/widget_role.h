// SPDX-License-Identifier: GPL-3.0-or-later
// Roles that the style sheet of the theme knows: "muted", "success", "warning", "error", "card".
#pragma once

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace armilla {

// Gives the widget a role and restyles it if that is a new one: Qt looks at properties only once.
inline void setRole(QWidget* widget, const char* role) {
    if (widget->property("role").toString() == QLatin1String(role)) return;
    widget->setProperty("role", role);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

}  // namespace armilla
