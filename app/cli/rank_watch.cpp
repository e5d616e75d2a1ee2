// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/rank_watch.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace armilla::cli {

namespace {

// A rank counts as stopped after kSeen looks in a row, kPause apart: 0.75 to 1 s of the 3 s within
// which all ranks must have ended. The first rank needs fewer looks, because a launcher ends the
// ranks within 1 to 2 s, during which the first rank prints nothing.
constexpr std::chrono::milliseconds kPause{250};
constexpr int kSeen = 4, kSeenByFirst = 2, kQuiet = 12;

// Identifies a machine and its view of processes: equal texts mean an equal `/proc`.
std::string machine() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string boot;
    std::getline(file, boot);
    std::error_code ignored;
    return boot + ' ' + std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
}

// State of a process as a letter of /proc; zero if unknown.
char stateOf(const std::string& process) {
    std::ifstream file("/proc/" + process + "/stat");
    std::stringstream content;
    content << file.rdbuf();
    // The line is PID (NAME) STATE ...; the name may contain anything.
    const std::string text = content.str();
    const size_t name = text.rfind(')');
    return name != std::string::npos && text.size() > name + 2 ? text[name + 2] : '\0';
}

// Stopped by a signal. A debugger sets another state.
bool isStopped(const std::string& process) {
    return stateOf(process) == 'T';
}

bool isGone(const std::string& process) {
    if (kill(std::stoi(process), 0) != 0 && errno == ESRCH) return true;
    const char state = stateOf(process);
    return state == 'Z' || state == 'X';
}

// Whether this process was stopped between two calls from one thread, which sleeps for kPause
// between them. A stop shows as a longer sleep, minus the time spent waiting for a processor.
class OwnStops {
public:
    bool any() {
        const auto now = std::chrono::steady_clock::now();
        const auto passed = now - std::exchange(last_, now);
        const std::chrono::nanoseconds waited = waitedSoFar();
        return passed - (waited - std::exchange(waited_, waited)) > 2 * kPause;
    }

private:
    // Time spent waiting for a processor, as the system counts it; zero if it does not.
    static std::chrono::nanoseconds waitedSoFar() {
        std::ifstream file("/proc/thread-self/schedstat");
        int64_t worked = 0, waited = 0;
        file >> worked >> waited;
        return std::chrono::nanoseconds(waited);
    }
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::chrono::nanoseconds waited_{0};  // a thread that has just begun has waited for none
};

}  // namespace

RankWatch::RankWatch(Ranks& ranks, JobContext& job, Calls calls) : calls_(std::move(calls)) {
    const std::string own = machine() + ' ' + std::to_string(getpid());
    std::vector<std::string> all;
    for (const std::vector<char>& each : ranks.gatherAll(std::span<const char>(own), job))
        all.emplace_back(each.begin(), each.end());
    const auto place = [](const std::string& text) { return text.substr(0, text.rfind(' ')); };
    const bool isFirst = ranks.rank() == 0;
    std::vector<Seen> others;
    for (int step = 1; step < ranks.size() && (isFirst || others.empty()); ++step) {
        const int next = (ranks.rank() + step) % ranks.size();
        const std::string& text = all[static_cast<size_t>(next)];
        if (place(text) == place(own)) others.push_back({next, text.substr(text.rfind(' ') + 1)});
    }
    if (others.empty()) return;
    watcher_ = std::jthread([this, others = std::move(others),
                             isFirst](const std::stop_token& end) { watch(end, others, isFirst); });
}

void RankWatch::watch(const std::stop_token& end, std::vector<Seen> all, bool isFirst) const {
    std::mutex lock;
    std::condition_variable_any never;
    std::unique_lock hold(lock);
    OwnStops own;
    int quiet = 0, held = 0;
    const auto look = [&] {
        // Ranks stopped together with this one may continue later than it.
        const bool wasStopped = own.any();
        quiet = wasStopped ? kQuiet : std::max(0, quiet - 1);
        held = wasStopped ? kQuiet : std::max(0, held - 1);
        for (Seen& each : all) {
            if (isGone(each.process)) calls_.gone();
            each.times = !wasStopped && isStopped(each.process) ? each.times + 1 : 0;
            if (each.times >= kSeenByFirst) quiet = kQuiet;
        }
        if (isFirst) calls_.hush(quiet > 0);
        if (held == 0 && all.front().times >= kSeen) calls_.stopped(all.front().rank);
    };
    while (!end.stop_requested()) {
        never.wait_for(hold, end, kPause, [] { return false; });
        if (end.stop_requested()) return;
        try {
            look();
        } catch (const std::exception&) {
            // Skips a look if memory is short.
        }
    }
}

}  // namespace armilla::cli
