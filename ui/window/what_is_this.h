// SPDX-License-Identifier: GPL-3.0-or-later
// "What is this?" for every control: Shift+F1 and a click explain it, with a link to the manual.
#pragma once

#include <QObject>
#include <QString>

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
    // The page of the manual about the tool that contains the control; empty outside of tools.
    static QString placeOf(const QWidget& control);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

}  // namespace armilla
