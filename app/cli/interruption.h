// SPDX-License-Identifier: GPL-3.0-or-later
// Handling of Ctrl-C and other signals to end.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace armilla::cli {

// During its lifetime SIGINT, SIGTERM and (unless ignored by the parent, as with nohup) SIGHUP
// request the job to stop. A library call that does not poll cannot be stopped this way. Therefore
// a second signal, or one second after the first, removes unfinished output and ends the process
// with status 130.
//
// SIGINT counts even if the parent ignored it, as shells do for background commands of a script:
// whoever sends it there intends to stop the command.
//
// Create it before any other thread, because threads inherit the signal mask that it sets.
class Interruption {
public:
    // `speaks`: print a line when it ends the process.
    explicit Interruption(bool speaks = true);
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    std::stop_token token() const { return stop_.get_token(); }
    // Suppresses the line, if it has to end the process after all output is done.
    void hush(bool quiet = true) { speaks_ = !quiet; }
    bool requested() const { return stop_.stop_requested(); }

private:
    void watch();

    std::atomic<bool> speaks_;
    std::stop_source stop_;
    int signals_ = -1;  // a signalfd
    int end_ = -1;      // an eventfd, readable when the watcher has to end
    std::thread watcher_;
};

}  // namespace armilla::cli
