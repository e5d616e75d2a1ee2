// SPDX-License-Identifier: GPL-3.0-or-later
#include "thread_pool.h"

#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <map>
#include <thread>

namespace armilla {

namespace {

// Several jobs at once may each want as many threads as the machine has.
constexpr size_t kLoopsAtOnce = 4, kLeastLimit = 64;

}  // namespace

ThreadPool& ThreadPool::forThisThread() {
    // Never freed: threads wait in them when the process ends.
    static auto& pools = *new std::map<int, ThreadPool*>;
    static auto& guard = *new std::mutex;
    const int niceness = getpriority(PRIO_PROCESS, 0);
    const std::lock_guard lock(guard);
    ThreadPool*& pool = pools[niceness];
    if (pool == nullptr) pool = new ThreadPool;
    return *pool;
}

ThreadPool::ThreadPool()
    : most_(std::max<size_t>(kLeastLimit, kLoopsAtOnce * std::thread::hardware_concurrency())) {}

ThreadPool::Offer::Offer(ThreadPool& pool, long long helpers, std::function<void()> work)
    : pool_(pool), work_(std::move(work)), open_(helpers) {
    if (helpers <= 0) return;
    const std::lock_guard lock(pool_.guard_);
    pool_.offers_.push_back(this);
    pool_.makeThreads();
    for (long long i = 0; i < helpers && i < static_cast<long long>(pool_.idle_); ++i)
        pool_.wake_.notify_one();
}

ThreadPool::Offer::~Offer() {
    std::unique_lock lock(pool_.guard_);
    std::erase(pool_.offers_, this);
    left_.wait(lock, [this] { return running_ == 0; });
}

// As many as are wanted and not there; `guard_` is held.
void ThreadPool::makeThreads() {
    size_t wanted = 0;
    for (const Offer* offer : offers_) wanted += static_cast<size_t>(offer->open_);
    while (idle_ < wanted && threads_ < most_) {
        try {
            std::thread([this] { serve(); }).detach();
        } catch (const std::exception&) {
            // The system gives no more, threads or memory for one. Half of them do: the stacks of
            // all may have taken the memory that the work needs.
            most_ = std::max<size_t>(1, threads_ / 2);
            wake_.notify_all();
            return;
        }
        // Counts as idle from the start: it comes for one of the offers.
        ++threads_;
        ++idle_;
    }
}

void ThreadPool::serve() {
    std::unique_lock lock(guard_);
    while (true) {
        wake_.wait(lock, [this] { return !offers_.empty() || threads_ > most_; });
        if (threads_ > most_) break;
        Offer& offer = *offers_.front();
        if (--offer.open_ == 0) offers_.pop_front();
        ++offer.running_;
        --idle_;
        lock.unlock();
        offer.work_();
        lock.lock();
        ++idle_;
        if (--offer.running_ == 0) offer.left_.notify_one();
    }
    --threads_;
    --idle_;
}

}  // namespace armilla
