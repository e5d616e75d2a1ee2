// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the sky view, active wherever the focus in the window is.
#pragma once

#include <QObject>

class QKeyEvent;
class QMainWindow;
class QWidget;

namespace armilla {

// Sends sky view keys to the view while another widget of the window or of a detached tool has the
// focus. Text fields keep all keys. Lists, sliders and buttons keep the keys that they use (a
// slider its arrows, a button its space bar). Dialogs are excluded.
class SkyKeys : public QObject {
    Q_OBJECT
public:
    SkyKeys(QMainWindow* window, QWidget* sky);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QMainWindow* window_;
    QWidget* sky_;
};

}  // namespace armilla
