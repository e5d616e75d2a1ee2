// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QString>
#include <QWidget>

namespace armilla {

// The dismiss or cancel buttons under a widget, by their accessible names.
inline QAbstractButton* buttonNamed(QWidget* parent, const QString& begin) {
    for (auto* button : parent->findChildren<QAbstractButton*>())
        if (button->accessibleName().startsWith(begin) || button->text() == begin) return button;
    return nullptr;
}

}  // namespace armilla
