// SPDX-License-Identifier: GPL-3.0-or-later
// The application object of the window program: no exception of an event handler ends the program.
#pragma once

#include <QApplication>
#include <functional>
#include <mutex>
#include <set>

namespace armilla {

// Qt calls every handler of ours through notify(): virtual functions of widgets (paint, mouse, key,
// drag, close), event filters, timers, queued calls, and slots that a signal of a handler calls
// directly. Frames of Qt are not made for an exception that passes through them, so notify()
// catches it at the innermost handler: one line goes to the log and, as the signal `failed`, to the
// windows. The event counts as taken. Threads with an event loop of their own are guarded as well.
class GuardedApplication : public QApplication {
    Q_OBJECT
public:
    GuardedApplication(int& argc, char** argv);
    bool notify(QObject* receiver, QEvent* event) override;
    // exec(), and for an exception that comes from outside of any event: one line in the log,
    // `keepWork`, and exit status 1. The event loop cannot go on after that.
    int run(const std::function<void()>& keepWork);

signals:
    // The line for the user (failureLine). From the event loop, never from within the handler that
    // has failed. A handler that fails again in the same way, as a paint event may sixty times a
    // second, is reported once until the next click, key or drop of the user.
    void failed(const QString& line);

private:
    void report(const char* receiver, int eventType) noexcept;

    std::mutex guard_;
    std::set<QString> reported_;
};

}  // namespace armilla
