// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/side_by_side.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace armilla {

void sideBySide(size_t count, JobContext& job, std::string_view stage,
                const std::function<void(size_t i, const std::stop_token& stop,
                                         const Advance& advance)>& body) {
    std::stop_source stop;
    const std::stop_callback passOn(job.stopToken(), [&] { stop.request_stop(); });
    std::mutex guard;
    std::condition_variable changed;
    size_t running = count;
    double done = 0.0;
    std::exception_ptr failure;
    const Advance advance = [&](double part) {
        const std::lock_guard lock(guard);
        done += part;
        changed.notify_one();
    };
    const auto work = [&](size_t i) {
        try {
            body(i, stop.get_token(), advance);
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!failure) failure = std::current_exception();
            stop.request_stop();
        }
        const std::lock_guard lock(guard);
        --running;
        changed.notify_one();
    };
    {
        std::vector<std::jthread> threads;
        threads.reserve(count);
        try {
            while (threads.size() < count) threads.emplace_back(work, threads.size());
        } catch (const std::system_error&) {
            // If the system provides no more threads, the remaining work runs in turn.
            for (size_t i = threads.size(); i < count; ++i) work(i);
        }
        for (double reported = 0.0; true;) {
            std::unique_lock lock(guard);
            changed.wait(lock, [&] { return running == 0 || done > reported; });
            if (running == 0) break;
            reported = done;
            lock.unlock();
            // Cancellation, which this throws, ends the threads as well.
            job.report(std::min(reported, 1.0), stage);
        }
    }
    if (failure) std::rethrow_exception(failure);
    job.report(1.0, stage);
}

}  // namespace armilla
