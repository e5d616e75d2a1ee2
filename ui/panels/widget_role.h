// SPDX-License-Identifier: GPL-3.0-or-later
// Roles defined in the theme's style sheet: "muted", "success", "warning", "error", "card".
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace armilla {

// Re-evaluates the style sheet after a property has changed; Qt evaluates properties only once.
inline void restyle(QWidget& widget) {
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
    QEvent changed(QEvent::StyleChange);
    QCoreApplication::sendEvent(&widget, &changed);
    widget.updateGeometry();
}

// Sets the role of a widget and restyles the widget if the role is new; Qt evaluates properties
// only once.
inline void setRole(QWidget* widget, const char* role) {
    if (widget->property("role").toString() == QLatin1String(role)) return;
    widget->setProperty("role", role);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

}  // namespace armilla
