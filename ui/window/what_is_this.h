// SPDX-License-Identifier: GPL-3.0-or-later
// "What is this?" for every control: Shift+F1 and a click explain it, with a link to the manual. In
// a menu, F1 explains the entry that is highlighted.
#pragma once

#include <QObject>
#include <QString>

class QAction;
class QKeyEvent;
class QMenu;
class QWidget;

namespace armilla {

// Filters the events of the whole application; one instance is enough.
class WhatIsThis : public QObject {
    Q_OBJECT
public:
    static void install();
    // Rich text about a control: its name, its text for this purpose or else its tool tip, which
    // panels make of the descriptions of operations. Empty if the control has only a name.
    static QString explanation(const QWidget& control);
    // Rich text about an entry of a menu: its name and its tool tip. Empty if it has only a name.
    static QString explanation(const QAction& entry);
    // The page of the manual about the tool that contains the control; empty outside of tools.
    static QString placeOf(const QWidget& control);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
    static void explainEntries(QMenu* menu);
    static bool entersMode(const QWidget& control, const QKeyEvent& key);
};

}  // namespace armilla
