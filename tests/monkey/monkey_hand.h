// SPDX-License-Identifier: GPL-3.0-or-later
// A hand that sends mouse, wheel, key and drop events through the windowing layer of Qt, as a
// display server does: to a window and a place in it, whatever is there.
#pragma once

#include <QPoint>
#include <QPointer>
#include <QString>
#include <Qt>
#include <deque>
#include <functional>

class QWidget;
class QWindow;

namespace armilla::test {

class MonkeyHand {
public:
    // One event; run one by one, each in its own turn of the event loop.
    using Event = std::function<void()>;
    bool isEmpty() const { return events_.empty(); }
    // Sends the next event.
    void next();
    void clear() { events_.clear(); }
    // Releases a button that an interrupted act left pressed.
    void letGo();

    // Each appends the events of an act. Places are relative to the widget.
    void move(QWidget* widget, QPoint to);
    void click(QWidget* widget, QPoint at, Qt::MouseButton button = Qt::LeftButton,
               Qt::KeyboardModifiers keys = Qt::NoModifier);
    void doubleClick(QWidget* widget, QPoint at);
    void drag(QWidget* widget, QPoint from, QPoint to, int steps,
              Qt::KeyboardModifiers keys = Qt::NoModifier);
    void wheel(QWidget* widget, QPoint at, int notches,
               Qt::KeyboardModifiers keys = Qt::NoModifier);
    void key(Qt::Key key, Qt::KeyboardModifiers keys = Qt::NoModifier);
    void type(const QString& text);
    void drop(QWidget* widget, QPoint at, const QStringList& paths);
    void then(Event event) { events_.push_back(std::move(event)); }

private:
    void mouse(const QPointer<QWindow>& window, QPoint at, int type, Qt::MouseButton button,
               Qt::KeyboardModifiers keys);
    void press(const QString& text, int key, Qt::KeyboardModifiers keys);
    std::deque<Event> events_;
    QPointer<QWindow> pressedIn_;
    QPoint last_;
    Qt::MouseButtons held_ = Qt::NoButton;
    int time_ = 1000;  // milliseconds of the events
};

}  // namespace armilla::test
