// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that are kept from one parallel loop to the next.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace armilla {

// Callers work on their own loops, helpers join where there are free ones: a loop inside a loop
// ends with none. Threads run with the priority of the caller they were made for, so there is a
// pool for each. They are made when they are first wanted and stay until the process ends, waiting;
// nothing has to be freed then.
class ThreadPool {
public:
    // That of callers with this thread's priority.
    static ThreadPool& forThisThread();

    // While it lives, up to `helpers` threads may call `work`, each once, beside the caller. The
    // destructor waits for those that have begun. `work` must not throw.
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
        long long open_ = 0, running_ = 0;  // guarded by the pool
        std::condition_variable left_;
    };

private:
    ThreadPool();
    void makeThreads();
    void serve();

    std::mutex guard_;
    std::condition_variable wake_;
    std::deque<Offer*> offers_;  // that still want helpers
    size_t threads_ = 0, idle_ = 0, most_;
};

}  // namespace armilla
