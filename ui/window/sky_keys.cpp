// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/sky_keys.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTextEdit>

#include "armilla/ui/histogram_widget.h"
#include "armilla/ui/inspector_widget.h"

namespace armilla {
namespace {

bool isArrow(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

bool isOfSky(int key) {
    return isArrow(key) || key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_Minus ||
           key == Qt::Key_BracketLeft || key == Qt::Key_BracketRight || key == Qt::Key_Home ||
           key == Qt::Key_Space || key == Qt::Key_P;
}

bool takesText(const QWidget* widget) {
    const auto* choice = qobject_cast<const QComboBox*>(widget);
    return qobject_cast<const QLineEdit*>(widget) ||
           qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QTextEdit*>(widget) || qobject_cast<const QPlainTextEdit*>(widget) ||
           (choice && choice->isEditable());
}

// True if the widget itself uses this key.
bool usesKey(const QWidget* widget, int key) {
    if (qobject_cast<const QAbstractSlider*>(widget)) return isArrow(key) || key == Qt::Key_Home;
    if (qobject_cast<const QAbstractItemView*>(widget) || qobject_cast<const QComboBox*>(widget))
        return isArrow(key) || key == Qt::Key_Home || key == Qt::Key_Space || key == Qt::Key_P;
    if (qobject_cast<const QAbstractButton*>(widget)) return key == Qt::Key_Space;
    if (qobject_cast<const QTabBar*>(widget) || qobject_cast<const HistogramWidget*>(widget))
        return key == Qt::Key_Left || key == Qt::Key_Right;
    if (qobject_cast<const InspectorWidget*>(widget))
        return key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_Minus ||
               key == Qt::Key_P;
    return false;
}

}  // namespace

SkyKeys::SkyKeys(QMainWindow* window, QWidget* sky) : QObject(window), window_(window), sky_(sky) {
    qApp->installEventFilter(this);
}

bool SkyKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress || !watched->isWidgetType()) return false;
    auto* widget = static_cast<QWidget*>(watched);
    const auto* key = static_cast<const QKeyEvent*>(event);
    // Shift makes steps fine, and some keyboards need it to type a plus.
    constexpr auto harmless = Qt::ShiftModifier | Qt::KeypadModifier;
    if (widget == sky_ || (key->modifiers() & ~harmless) || !isOfSky(key->key())) return false;
    const QWidget* top = widget->window();
    const bool isOurs =
        top == window_ || (qobject_cast<const QDockWidget*>(top) && top->parentWidget() == window_);
    // A key that the focused widget ignored was already offered to the sky.
    const QWidget* focus = QApplication::focusWidget();
    if (!isOurs || (focus && focus != widget) || QApplication::activePopupWidget() ||
        takesText(widget) || usesKey(widget, key->key()))
        return false;
    QKeyEvent copy(key->type(), key->key(), key->modifiers(), key->text(), key->isAutoRepeat());
    QApplication::sendEvent(sky_, &copy);
    return true;
}

}  // namespace armilla
