// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/end_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "armilla/core/error.h"

namespace armilla {

namespace {

constexpr int kSignals[] = {SIGTERM, SIGHUP, SIGINT};

// File descriptor for the signal handler, which may do nothing but write.
std::atomic<int> target{-1};
static_assert(std::atomic<int>::is_always_lock_free);

void note(int) {
    const int kept = errno;
    const char one = 1;
    [[maybe_unused]] const ssize_t written = write(target.load(), &one, 1);
    errno = kept;
}

void setHandler(int signal, void (*handler)(int)) {
    struct sigaction present {
    }, wanted{};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler == SIG_IGN) return;
    wanted.sa_handler = handler;
    wanted.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigemptyset(&wanted.sa_mask);
    sigaction(signal, &wanted, nullptr);
}

}  // namespace

EndSignals::EndSignals(QObject* parent) : QObject(parent) {
    if (pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) != 0)
        throw IoError(std::string("expected a pipe for signals, found: ") + std::strerror(errno));
    target = pipe_[1];
    auto* notifier = new QSocketNotifier(pipe_[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        notifier->setEnabled(false);
        for (const int signal : kSignals) setHandler(signal, SIG_DFL);
        emit endRequested();
    });
    for (const int signal : kSignals) setHandler(signal, note);
}

EndSignals::~EndSignals() {
    for (const int signal : kSignals) setHandler(signal, SIG_DFL);
    target = -1;
    close(pipe_[0]);
    close(pipe_[1]);
}

}  // namespace armilla

#include "armilla/session/moc_end_signals.cpp"
