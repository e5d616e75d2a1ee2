// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that persist from one parallel loop to the next.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace armilla {

// Callers work on their own loops, and idle helper threads join; a loop inside a loop ends with
// none. Helper threads have the priority of the caller that started them, so there is one pool for
// each priority. Threads start on first demand and wait until the process ends; nothing has to be
// freed.
class ThreadPool {
public:
    // The pool for callers with this thread's priority.
    static ThreadPool& forThisThread();

    // During its lifetime, up to `helpers` threads may call `work`, each once, in parallel with the
    // caller. The destructor waits for helpers that have begun. `work` must not throw.
    class Offer {
    public:
        Offer(ThreadPool& pool, long long helpers, std::function<void()> work);
        ~Offer();
        Offer(const Offer&) = delete;
        Offer& operator=(const Offer&) = delete;

    private:
        friend class ThreadPool;
        ThreadPool& pool_;
        std::function<void()> work_;
        long long open_ = 0, running_ = 0;  // guarded by guard_ of the pool
        std::condition_variable left_;
    };

private:
    ThreadPool();
    void makeThreads();
    void serve();

    std::mutex guard_;
    std::condition_variable wake_;
    std::deque<Offer*> offers_;  // offers that still accept helpers
    size_t threads_ = 0, idle_ = 0, most_;
};

}  // namespace armilla
