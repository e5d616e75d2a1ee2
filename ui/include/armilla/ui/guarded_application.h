// SPDX-License-Identifier: GPL-3.0-or-later
// The application object of the window program: no exception of an event handler ends the program.
#pragma once

#include <QApplication>
#include <functional>
#include <mutex>
#include <set>

namespace armilla {

// Catches exceptions in event handlers. Qt calls every handler through notify(): virtual functions
// of widgets, event filters, timers, queued calls, and slots that a handler's signal calls
// directly. Qt's own frames are not exception-safe, so notify() catches the exception at the
// innermost handler.
//
// One line goes to the log and, by the signal `failed`, to the windows. The event counts as
// handled. Threads with their own event loop are guarded too.
class GuardedApplication : public QApplication {
    Q_OBJECT
public:
    GuardedApplication(int& argc, char** argv);
    bool notify(QObject* receiver, QEvent* event) override;
    // Runs exec(). An exception from outside of any event is logged in one line, then `keepWork` is
    // called and the exit status is 1, because the event loop cannot continue.
    int run(const std::function<void()>& keepWork);
    // Reports the current exception as notify() does, by the application object if it is a
    // GuardedApplication, else only in the log. `where` names the failed function.
    static void reportFailure(const char* where) noexcept;

signals:
    // The line for the user (failureLine), emitted from the event loop and never within the failed
    // handler. A handler that fails repeatedly in the same way, as a paint event may sixty times a
    // second, is reported once. The user's next click, key or drop resets this.
    void failed(const QString& line);

private:
    void report(const char* receiver, int eventType) noexcept;
    // Throws only std::bad_alloc.
    void tell(const QString& where);

    std::mutex guard_;
    std::set<QString> reported_;
};

// For functions that Qt calls amid its own painting and layout, such as data() of a model and
// paint() of a delegate. An exception must not pass through these frames of Qt. The exception is
// reported, and the result is a default value.
template <typename Work>
auto guardedCall(const char* where, const Work& work) noexcept -> decltype(work()) {
    try {
        return work();
    } catch (...) {
        GuardedApplication::reportFailure(where);
    }
    return decltype(work())();
}

}  // namespace armilla
