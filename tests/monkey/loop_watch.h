// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long single events occupy the event loop of the window's thread.
#pragma once

#include <QString>
#include <QStringList>
#include <atomic>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <thread>
#include <vector>

#include "armilla/ui/guarded_application.h"

namespace armilla::test {

// An event that took longer than the limit.
struct Hang {
    double milliseconds = 0.0;
    double processorMilliseconds = 0.0;  // used by the window's thread
    QString event;                       // type and receiver
    QString during;                      // the act of the monkey
    QStringList stack;                   // innermost function first
    // In the OpenGL driver or waiting for the display server. Without a GPU, Mesa compiles each
    // variant of a shader in the thread that first draws with it, for 0.1 to 0.4 s, and keeps the
    // result in its cache on disk.
    bool isInDriver = false;
};

// An application whose events in the window's thread are timed. The time that the thread waits for
// a core is subtracted (run-queue wait of Linux), so that other programs on the machine do not
// count. The time of a nested event loop, such as that of a menu, does not count for the outer
// event.
class WatchedApplication : public GuardedApplication {
public:
    // A limit of zero or less measures nothing.
    WatchedApplication(int& argc, char** argv, double limitMilliseconds);
    ~WatchedApplication() override;
    bool notify(QObject* receiver, QEvent* event) override;
    // Names what happens now, in a hang.
    void setActNamer(std::function<QString()> namer) { namer_ = std::move(namer); }
    // Finds the event loop's dispatcher; called once before exec().
    void watchDispatcher();
    const std::vector<Hang>& hangs() const { return hangs_; }
    // The hangs since the last call.
    std::vector<Hang> takeNew();

private:
    void begin(const char* receiver, int type);
    void finish();
    void sample(const std::stop_token& end);  // by a thread: asks the window's thread for its stack

    int64_t limit_;  // nanoseconds
    std::function<QString()> namer_;
    int depth_ = 0, measuredDepth_ = 0;
    const char* receiver_ = "";
    int type_ = 0;
    int64_t waited_ = 0, processor_ = 0;  // at the start
    std::atomic<int64_t> start_{0};
    int waitFile_ = -1;
    std::vector<Hang> hangs_;
    size_t taken_ = 0;
    std::jthread sampler_;  // last member: ends before the others
};

}  // namespace armilla::test
