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

// As often as this, seen stopped so many times in a row: 0.75 to 1 s, of the three within which all
// are to be gone. A launcher takes one or two, until the end of which the first rank is quiet; it
// has to know sooner.
constexpr std::chrono::milliseconds kPause{250};
constexpr int kSeen = 4, kSeenByFirst = 2, kQuiet = 12;

// Of processes with the same text `/proc` shows the same: a machine, and its view of processes.
std::string machine() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string boot;
    std::getline(file, boot);
    std::error_code ignored;
    return boot + ' ' + std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
}

// A letter as /proc has it; zero where it says nothing.
char stateOf(const std::string& process) {
    std::ifstream file("/proc/" + process + "/stat");
    std::stringstream content;
    content << file.rdbuf();
    // PID (NAME) STATE ...; the name may hold anything.
    const std::string text = content.str();
    const size_t name = text.rfind(')');
    return name != std::string::npos && text.size() > name + 2 ? text[name + 2] : '\0';
}

// By a signal; a debugger's way to stop is another.
bool isStopped(const std::string& process) {
    return stateOf(process) == 'T';
}

bool isGone(const std::string& process) {
    if (kill(std::stoi(process), 0) != 0 && errno == ESRCH) return true;
    const char state = stateOf(process);
    return state == 'Z' || state == 'X';
}

// Whether this process has been stopped between two calls from one thread, which sleeps for kPause
// between them: so much longer, less the time that it waited for a processor.
class OwnStops {
public:
    bool any() {
        const auto now = std::chrono::steady_clock::now();
        const auto passed = now - std::exchange(last_, now);
        const std::chrono::nanoseconds waited = waitedSoFar();
        return passed - (waited - std::exchange(waited_, waited)) > 2 * kPause;
    }

private:
    // As the system counts it; zero where it does not.
    static std::chrono::nanoseconds waitedSoFar() {
        std::ifstream file("/proc/thread-self/schedstat");
        int64_t worked = 0, waited = 0;
        file >> worked >> waited;
        return std::chrono::nanoseconds(waited);
    }
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::chrono::nanoseconds waited_{0};  // of a thread that has just begun
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
        // Ranks that were stopped with this one may go on a while after it.
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
            // Without memory for it a look is skipped.
        }
    }
}

}  // namespace armilla::cli
