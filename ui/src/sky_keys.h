// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that move the sky, wherever in the window the focus is.
#pragma once

#include <QObject>

class QKeyEvent;
class QMainWindow;
class QWidget;

namespace armilla {

// Sends the keys of the sky view to it while another widget of the window, or of one of its
// detached tools, has the focus. Text fields keep all their keys; lists, sliders and buttons those
// that they act on themselves (a slider its arrows, a button its space bar). Dialogs are left
// alone.
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
