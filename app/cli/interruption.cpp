// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/interruption.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"

namespace armilla::cli {

namespace {

constexpr int kStatusInterrupted = 130;
constexpr std::chrono::milliseconds kPatience{800};

bool ignoredFromOutside(int signal) {
    struct sigaction action {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interruption::Interruption(bool speaks) : speaks_(speaks) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    if (!ignoredFromOutside(SIGHUP)) sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    signals_ = signalfd(-1, &set, SFD_CLOEXEC);
    end_ = eventfd(0, EFD_CLOEXEC);
    if (signals_ < 0 || end_ < 0)
        throw IoError(std::string("expected to watch for Ctrl-C, found: ") + std::strerror(errno));
    watcher_ = std::thread([this] { watch(); });
}

Interruption::~Interruption() {
    const uint64_t one = 1;
    if (write(end_, &one, sizeof one) == sizeof one) watcher_.join();
    close(signals_);
    close(end_);
}

void Interruption::watch() {
    using Clock = std::chrono::steady_clock;
    Clock::time_point deadline;
    for (;;) {
        int wait = -1;
        if (requested()) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
            wait = left.count() > 0 ? static_cast<int>(left.count()) : 0;
        }
        std::array<pollfd, 2> ready{pollfd{signals_, POLLIN, 0}, pollfd{end_, POLLIN, 0}};
        const int count = poll(ready.data(), ready.size(), wait);
        if (count < 0) continue;
        if (ready[1].revents != 0) return;
        if (ready[0].revents != 0) {
            signalfd_siginfo info{};
            if (read(signals_, &info, sizeof info) != sizeof info) continue;
        }
        if (requested()) {
            removeUnfinishedFiles();
            constexpr std::string_view kLine = "armilla: interrupted\n";
            [[maybe_unused]] const ssize_t ignored =
                speaks_ ? write(STDERR_FILENO, kLine.data(), kLine.size()) : 0;
            _exit(kStatusInterrupted);
        }
        deadline = Clock::now() + kPatience;
        stop_.request_stop();
    }
}

}  // namespace armilla::cli
