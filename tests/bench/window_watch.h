// SPDX-License-Identifier: GPL-3.0-or-later
// Tools of bench_window: collection of rows, waiting in the program's own event loop, load of the
// window's thread, times between latency marks.
#pragma once

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "armilla/session/latency_marks.h"

#include <unistd.h>

namespace armilla::bench {

constexpr int kPatience = 30000;  // milliseconds
// Since this process was started, to a hundredth of a second: field 22 of /proc/self/stat.
inline double processSeconds() {
    std::ifstream file("/proc/self/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 2));
    std::string word;
    for (int i = 3; i <= 22; ++i) fields >> word;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
           std::stod(word) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

inline double cpuSeconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline QJsonObject row(const char* name, qint64 nside, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return {{"name", name},
            {"nside", nside},
            {"seconds", QJsonObject{{"median", seconds[seconds.size() / 2]},
                                    {"min", seconds.front()},
                                    {"max", seconds.back()},
                                    {"runs", static_cast<int>(seconds.size())}}}};
}

// The finished rows, and the current measurement.
class Report {
public:
    void add(const QJsonObject& row) {
        const std::lock_guard lock(guard_);
        rows_ << row;
    }
    void enter(const char* stage) {
        const std::lock_guard lock(guard_);
        stage_ = stage;
    }
    // Prints once.
    void print() {
        const std::lock_guard lock(guard_);
        if (std::exchange(printed_, true)) return;
        std::fputs(QJsonDocument(rows_).toJson().constData(), stdout);
        std::fflush(stdout);
    }
    std::string stage() {
        const std::lock_guard lock(guard_);
        return stage_;
    }

private:
    std::mutex guard_;
    QJsonArray rows_;
    std::string stage_ = "the start";
    bool printed_ = false;
};

// Ends the program after this many seconds, whatever the state of the window.
inline std::jthread endAfter(int seconds, Report& report) {
    return std::jthread([seconds, &report](const std::stop_token& stop) {
        std::mutex guard;
        std::condition_variable_any changed;
        std::unique_lock lock(guard);
        changed.wait_for(lock, stop, std::chrono::seconds(seconds), [] { return false; });
        if (stop.stop_requested()) return;
        std::fprintf(stderr, "bench_window: expected an end within %d s, found it in %s\n", seconds,
                     report.stage().c_str());
        report.print();
        std::_Exit(3);
    });
}

struct OutOfPatience : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Waits in an event loop like that of the program; QTest::qWaitFor sleeps 10 ms between iterations.
inline void waitFor(const std::function<bool()>& done, int patienceMilliseconds = kPatience) {
    QTimer tick;  // for states that change without an event
    tick.start(5);
    const QDeadlineTimer patience(patienceMilliseconds);
    while (!done()) {
        if (patience.hasExpired())
            throw OutOfPatience("expected it within " +
                                std::to_string(patienceMilliseconds / 1000) + " s");
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

inline void rest(int milliseconds) {
    const QDeadlineTimer end(milliseconds);
    waitFor([&] { return end.hasExpired(); });
}

// The longest time between two iterations of the event loop, by wall clock and by CPU time of that
// thread, which other programs do not lengthen.
class Pulse : public QObject {
public:
    Pulse() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, [this] {
            longest_ = std::max(longest_, 1e-9 * static_cast<double>(since_.nsecsElapsed()));
            since_.start();
            const double work = cpuSeconds(CLOCK_THREAD_CPUTIME_ID);
            longestWork_ = std::max(longestWork_, work - workBefore_);
            workBefore_ = work;
        });
        since_.start();
        timer_.start(1);
    }
    double longest() const { return longest_; }
    double longestWork() const { return longestWork_; }

private:
    QTimer timer_;
    QElapsedTimer since_;
    double longest_ = 0.0, longestWork_ = 0.0;
    double workBefore_ = cpuSeconds(CLOCK_THREAD_CPUTIME_ID);
};

// A part of a live picture's latency: from one mark to the next.
struct Leg {
    const char* name;
    StopTime LiveLatencyMarks::*to = nullptr;
    StopTime FrameLatencyMarks::*toOfFrame = nullptr;
};
constexpr Leg kLegs[] = {{"signal_to_request", &LiveLatencyMarks::asked},
                         {"request_to_begun", &LiveLatencyMarks::begun},
                         {"begun_to_prepared", &LiveLatencyMarks::prepared},
                         {"prepared_to_enqueued", &LiveLatencyMarks::enqueued},
                         {"enqueued_to_made", &LiveLatencyMarks::made},
                         {"made_to_taken", &LiveLatencyMarks::taken},
                         {"taken_to_painted", nullptr, &FrameLatencyMarks::painted},
                         {"painted_to_drawn", nullptr, &FrameLatencyMarks::drawn},
                         {"drawn_to_swapped", nullptr, &FrameLatencyMarks::swapped},
                         {"swapped_to_shown", nullptr, &FrameLatencyMarks::shown}};

// One requested picture.
struct Asked {
    double seconds = 0.0;
    double legs[std::size(kLegs)] = {};
    int swaps = 0;  // swaps of the window until it was shown
};

inline double seconds(StopTime from, StopTime to) {
    return std::chrono::duration<double>(to - from).count();
}

inline double ranked(std::vector<double> values, size_t of, size_t in) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, values.size() * of / in)];
}

// Median and 99th percentile of each part, and a readable line.
inline QJsonObject marksOf(const std::vector<Asked>& asked, double arcmin) {
    QJsonObject marks;
    std::fprintf(stderr, "%7.4g arcmin, ms median (99 of 100):", arcmin);
    for (size_t i = 0; i < std::size(kLegs); ++i) {
        std::vector<double> times;
        for (const Asked& one : asked) times.push_back(one.legs[i]);
        const double median = ranked(times, 1, 2), late = ranked(times, 99, 100);
        marks[QLatin1String(kLegs[i].name)] = QJsonObject{{"median", median}, {"p99", late}};
        std::fprintf(stderr, " %s %.2f (%.2f)", kLegs[i].name, 1e3 * median, 1e3 * late);
    }
    std::vector<double> swaps;
    for (const Asked& one : asked) swaps.push_back(one.swaps);
    std::fprintf(stderr, " swaps %.0f (%.0f)\n", ranked(swaps, 1, 2), ranked(swaps, 99, 100));
    marks["swaps"] = QJsonObject{{"median", ranked(swaps, 1, 2)}, {"p99", ranked(swaps, 99, 100)}};
    return marks;
}

}  // namespace armilla::bench
