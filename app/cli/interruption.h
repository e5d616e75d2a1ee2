// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C and its relatives.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace armilla::cli {

// While it lives, SIGINT, SIGTERM and (unless ignored from outside, as by nohup) SIGHUP ask the job
// to stop. A library call that polls nothing cannot be stopped so; therefore a second signal, or a
// second gone by since the first, removes unfinished output and ends the process with status 130.
//
// SIGINT counts even where the parent had it ignored, as shells do for commands in the background
// of a script: who sends it there means it.
//
// Make one before any other thread: threads inherit the signal mask that it sets.
class Interruption {
public:
    // `speaks`: whether it says so when it ends the process.
    explicit Interruption(bool speaks = true);
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    std::stop_token token() const { return stop_.get_token(); }
    // All has been said: ends the process without a word, if it must.
    void hush(bool quiet = true) { speaks_ = !quiet; }
    bool requested() const { return stop_.stop_requested(); }

private:
    void watch();

    std::atomic<bool> speaks_;
    std::stop_source stop_;
    int signals_ = -1;  // a signalfd
    int end_ = -1;      // an eventfd, readable when the watcher is to leave
    std::thread watcher_;
};

}  // namespace armilla::cli
