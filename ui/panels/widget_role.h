// SPDX-License-Identifier: GPL-3.0-or-later
// Roles that the style sheet of the theme knows: "muted", "success", "warning", "error", "card".
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace armilla {

// Has the style sheet read again for a property that has changed: Qt looks at properties only once.
inline void restyle(QWidget& widget) {
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
    QEvent changed(QEvent::StyleChange);
    QCoreApplication::sendEvent(&widget, &changed);
    widget.updateGeometry();
}

// Gives the widget a role and restyles it if that is a new one: Qt looks at properties only once.
inline void setRole(QWidget* widget, const char* role) {
    if (widget->property("role").toString() == QLatin1String(role)) return;
    widget->setProperty("role", role);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

}  // namespace armilla
