// SPDX-License-Identifier: GPL-3.0-or-later
#include "thread_pool.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <map>
#include <thread>

namespace armilla {

namespace {

// Several concurrent jobs may each request as many threads as the machine has.
constexpr size_t kLoopsAtOnce = 4, kLeastLimit = 64;

struct Pools {
    std::mutex guard;
    std::map<int, ThreadPool*> ofNiceness;
};

// Never freed, because threads still wait in the pools when the process ends.
Pools* pools = nullptr;

void makePools() {
    pools = new Pools;
}

}  // namespace

ThreadPool& ThreadPool::forThisThread() {
    // fork() copies the pools without their threads: a child that used them would wait forever for
    // waiters that it does not have. The child gets new pools and leaves the copies alone.
    [[maybe_unused]] static const bool made = [] {
        makePools();
        pthread_atfork(nullptr, nullptr, makePools);
        return true;
    }();
    const int niceness = getpriority(PRIO_PROCESS, 0);
    const std::lock_guard lock(pools->guard);
    ThreadPool*& pool = pools->ofNiceness[niceness];
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

// Starts the missing threads; the caller holds `guard_`.
void ThreadPool::makeThreads() {
    size_t wanted = 0;
    for (const Offer* offer : offers_) wanted += static_cast<size_t>(offer->open_);
    while (idle_ < wanted && threads_ < most_) {
        try {
            std::thread([this] { serve(); }).detach();
        } catch (const std::exception&) {
            // The system lacks threads, or memory for another stack. The pool continues with half
            // of its threads, because their stacks may have taken the memory that the computation
            // needs.
            most_ = std::max<size_t>(1, threads_ / 2);
            wake_.notify_all();
            return;
        }
        // Counts as idle from the start, because the new thread will serve one of the offers.
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
