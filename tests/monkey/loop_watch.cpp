// SPDX-License-Identifier: GPL-3.0-or-later
#include "monkey/loop_watch.h"

#include <cxxabi.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <QAbstractEventDispatcher>
#include <QEvent>
#include <QMetaEnum>
#include <QThread>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace armilla::test {
namespace {

constexpr int kMostFrames = 48;
void* frames[kMostFrames];
std::atomic<int> frameCount{0};
pthread_t windowThread;

int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

extern "C" void keepStack(int) {
    frameCount = backtrace(frames, kMostFrames);
}

// "_ZN7armilla8Document3addEv" as "armilla::Document::add()"; the module for unknown functions.
QString functionName(const char* symbol) {
    const QString line = QString::fromLocal8Bit(symbol);
    const QString name = line.section('(', 1).section('+', 0, 0);
    int status = -1;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(name.toLatin1().constData(), nullptr, nullptr, &status), &std::free);
    if (status == 0) return QString::fromLocal8Bit(plain.get());
    return name.isEmpty() ? line.section('/', -1) : name;
}

QStringList keptStack() {
    const int count = frameCount.exchange(0);
    if (count == 0) return {};
    const std::unique_ptr<char*, decltype(&std::free)> symbols(backtrace_symbols(frames, count),
                                                               &std::free);
    QStringList lines;
    // The first two frames are the signal handler's.
    for (int i = 2; symbols && i < count; ++i) lines << functionName(symbols.get()[i]);
    return lines;
}

// Whether the innermost functions, up to the first one of this program, are of the OpenGL driver,
// its loading included, or wait for a reply of the display server.
bool isInDriver(const QStringList& stack) {
    for (const QString& function : stack) {
        if (function.startsWith(QLatin1String("armilla::"))) return false;
        for (const char* part :
             {"llvm::", "_dri.so", "libgallium", "libLLVM", "libGLX", "xcb_wait"})
            if (function.contains(QLatin1String(part))) return true;
    }
    return false;
}

// Nanoseconds of processor time of this thread.
int64_t processorTime() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    constexpr int64_t kNanoseconds = 1000000000;
    return time.tv_sec * kNanoseconds + time.tv_nsec;
}

// Nanoseconds that this thread has waited for a core; 0 where the system does not count them.
int64_t runQueueWait(int file) {
    char text[96] = {};
    if (file < 0 || pread(file, text, sizeof text - 1, 0) <= 0) return 0;
    char* rest = nullptr;
    std::strtoll(text, &rest, 10);
    return std::strtoll(rest, nullptr, 10);
}

}  // namespace

WatchedApplication::WatchedApplication(int& argc, char** argv, double limitMilliseconds)
    : GuardedApplication(argc, argv), limit_(static_cast<int64_t>(limitMilliseconds * 1e6)) {
    if (limit_ <= 0) return;
    waitFile_ = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    windowThread = pthread_self();
    void* first[1];
    backtrace(first, 1);  // loads its library outside of the signal handler
    struct sigaction action = {};
    action.sa_handler = keepStack;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR2, &action, nullptr);
    sampler_ = std::jthread([this](const std::stop_token& end) { sample(end); });
}

WatchedApplication::~WatchedApplication() {
    sampler_ = {};
    if (waitFile_ >= 0) close(waitFile_);
}

void WatchedApplication::watchDispatcher() {
    auto* dispatcher = QAbstractEventDispatcher::instance(thread());
    connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] { finish(); });
    connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] { finish(); });
}

// Looks at the running event a hundred times a second.
void WatchedApplication::sample(const std::stop_token& end) {
    std::mutex guard;
    std::unique_lock lock(guard);
    std::condition_variable_any ended;
    int64_t sampled = 0;
    while (!ended.wait_for(lock, end, std::chrono::milliseconds(10),
                           [&] { return end.stop_requested(); })) {
        const int64_t start = start_;
        if (start == 0 || start == sampled || now() - start < limit_) continue;
        sampled = start;
        pthread_kill(windowThread, SIGUSR2);
    }
}

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
    if (limit_ <= 0 || QThread::currentThread() != thread())
        return GuardedApplication::notify(receiver, event);
    ++depth_;
    if (measuredDepth_ == 0)
        begin(receiver ? receiver->metaObject()->className() : "nothing", event->type());
    const bool result = GuardedApplication::notify(receiver, event);
    if (measuredDepth_ == depth_) finish();
    --depth_;
    return result;
}

void WatchedApplication::begin(const char* receiver, int type) {
    measuredDepth_ = depth_;
    receiver_ = receiver;
    type_ = type;
    waited_ = runQueueWait(waitFile_);
    processor_ = processorTime();
    frameCount = 0;
    start_ = now();
}

void WatchedApplication::finish() {
    if (measuredDepth_ == 0) return;
    measuredDepth_ = 0;
    const int64_t start = start_.exchange(0);
    const int64_t took = now() - start;
    if (took > limit_) {
        const QStringList stack = keptStack();
        const int64_t own = took - (runQueueWait(waitFile_) - waited_);
        if (own > limit_) {
            const char* const type = QMetaEnum::fromType<QEvent::Type>().valueToKey(type_);
            hangs_.push_back({static_cast<double>(own) / 1e6,
                              static_cast<double>(processorTime() - processor_) / 1e6,
                              QStringLiteral("%1 of %2")
                                  .arg(type ? QString::fromLatin1(type) : QString::number(type_),
                                       QString::fromLatin1(receiver_)),
                              namer_ ? namer_() : QString(), stack, isInDriver(stack)});
        }
    }
}

std::vector<Hang> WatchedApplication::takeNew() {
    std::vector<Hang> result(hangs_.begin() + static_cast<std::ptrdiff_t>(taken_), hangs_.end());
    taken_ = hangs_.size();
    return result;
}

}  // namespace armilla::test
