// SPDX-License-Identifier: GPL-3.0-or-later
#include "monkey/monkey_hand.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QTest>
#include <QUrl>
#include <QWheelEvent>
#include <QWidget>
#include <QWindow>

namespace armilla::test {
namespace {

// A time between two releases, so that two clicks are no double click (milliseconds).
constexpr int kBetweenClicks = 600;
constexpr int kNotch = 120;  // angle of a wheel's notch, in eighths of a degree

struct Place {
    QPointer<QWindow> window;
    QPoint at;
};

Place placeIn(QWidget* widget, QPoint at) {
    QWidget* top = widget->window();
    return {top->windowHandle(), widget->mapTo(top, at)};
}

}  // namespace

void MonkeyHand::next() {
    if (events_.empty()) return;
    const Event event = std::move(events_.front());
    events_.pop_front();
    event();
}

void MonkeyHand::mouse(const QPointer<QWindow>& window, QPoint at, int type, Qt::MouseButton button,
                       Qt::KeyboardModifiers keys) {
    if (!window || !window->isVisible()) {
        held_ = Qt::NoButton;
        return;
    }
    last_ = at;
    if (type == QEvent::MouseButtonPress) {
        held_ |= button;
        pressedIn_ = window;
    } else if (type == QEvent::MouseButtonRelease) {
        held_ &= ~Qt::MouseButtons(button);
    }
    ++time_;
    qt_handleMouseEvent(window, at, window->mapToGlobal(at), held_,
                        type == QEvent::MouseMove ? Qt::NoButton : button,
                        static_cast<QEvent::Type>(type), keys, time_);
    if (type == QEvent::MouseButtonRelease) time_ += kBetweenClicks;
}

void MonkeyHand::letGo() {
    if (held_ == Qt::NoButton) return;
    const QPointer<QWindow> window = pressedIn_;
    for (const Qt::MouseButton button : {Qt::LeftButton, Qt::RightButton})
        if (held_ & button) mouse(window, last_, QEvent::MouseButtonRelease, button, {});
    held_ = Qt::NoButton;
}

void MonkeyHand::move(QWidget* widget, QPoint to) {
    const Place place = placeIn(widget, to);
    then([this, place] { mouse(place.window, place.at, QEvent::MouseMove, Qt::NoButton, {}); });
}

void MonkeyHand::click(QWidget* widget, QPoint at, Qt::MouseButton button,
                       Qt::KeyboardModifiers keys) {
    const Place place = placeIn(widget, at);
    move(widget, at);
    then([=, this] { mouse(place.window, place.at, QEvent::MouseButtonPress, button, keys); });
    then([=, this] { mouse(place.window, place.at, QEvent::MouseButtonRelease, button, keys); });
}

void MonkeyHand::doubleClick(QWidget* widget, QPoint at) {
    click(widget, at);
    then([this] { time_ -= kBetweenClicks; });
    click(widget, at);
}

void MonkeyHand::drag(QWidget* widget, QPoint from, QPoint to, int steps,
                      Qt::KeyboardModifiers keys) {
    const Place begin = placeIn(widget, from), end = placeIn(widget, to);
    move(widget, from);
    then([=, this] {
        mouse(begin.window, begin.at, QEvent::MouseButtonPress, Qt::LeftButton, keys);
    });
    for (int step = 1; step <= steps; ++step) {
        const QPoint at = begin.at + (end.at - begin.at) * step / steps;
        then([=, this] { mouse(begin.window, at, QEvent::MouseMove, Qt::NoButton, keys); });
    }
    then([=, this] {
        mouse(begin.window, end.at, QEvent::MouseButtonRelease, Qt::LeftButton, keys);
    });
}

void MonkeyHand::wheel(QWidget* widget, QPoint at, int notches, Qt::KeyboardModifiers keys) {
    const Place place = placeIn(widget, at);
    for (int i = 0; i < std::abs(notches); ++i)
        then([=] {
            if (!place.window || !place.window->isVisible()) return;
            QWheelEvent event(place.at, place.window->mapToGlobal(place.at), {},
                              {0, notches > 0 ? kNotch : -kNotch}, Qt::NoButton, keys,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(place.window, &event);
        });
}

void MonkeyHand::press(const QString& text, int key, Qt::KeyboardModifiers keys) {
    QWindow* window = QGuiApplication::focusWindow();
    if (QWidget* popup = QApplication::activePopupWidget()) window = popup->windowHandle();
    if (!window && QApplication::activeWindow())
        window = QApplication::activeWindow()->windowHandle();
    if (!window) return;
    const QPointer<QWindow> kept = window;
    QTest::simulateEvent(window, true, key, keys, text, false);
    if (kept) QTest::simulateEvent(kept, false, key, keys, text, false);
}

void MonkeyHand::key(Qt::Key key, Qt::KeyboardModifiers keys) {
    const bool isText = key >= Qt::Key_Space && key <= Qt::Key_AsciiTilde &&
                        !(keys & (Qt::ControlModifier | Qt::AltModifier));
    const QString text = isText ? QString(QChar(key)).toLower() : QString();
    then([=, this] { press(text, key, keys); });
}

void MonkeyHand::type(const QString& text) {
    for (const QChar letter : text)
        then([=, this] { press(letter, letter.toUpper().unicode(), {}); });
}

void MonkeyHand::drop(QWidget* widget, QPoint at, const QStringList& paths) {
    const QPointer<QWidget> target = widget;
    then([=] {
        if (!target) return;
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &enter);
        if (!enter.isAccepted()) return;
        QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &drop);
    });
}

}  // namespace armilla::test
