// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Shortcuts and Help > About. Not modal.
#pragma once

#include <QDialog>

class QAction;

namespace armilla {

// All shortcuts of the actions given, and what hand and keys do in the sky view.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent);
};

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent);
};

}  // namespace armilla
