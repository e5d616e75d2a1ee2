// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/job_context.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "armilla/core/error.h"
#include "armilla/core/usable_threads.h"
#include "armilla/core/vector_state.h"
#include "thread_pool.h"

namespace armilla {

JobContext::JobContext() : threads_(usableThreads()) {}

JobContext::JobContext(std::stop_token stop, ProgressFunction progress, int threads)
    : stop_(std::move(stop)), progress_(std::move(progress)), threads_(std::max(1, threads)) {
    clearUpperHalves();
}

void JobContext::poll() const {
    if (stop_.stop_requested()) throw Cancelled();
}

void JobContext::report(double fraction, std::string_view stage) {
    if (progress_) progress_(begin_ + (end_ - begin_) * std::clamp(fraction, 0.0, 1.0), stage);
    poll();
}

JobContext JobContext::part(double begin, double end) const {
    JobContext child = *this;
    child.begin_ = begin_ + (end_ - begin_) * begin;
    child.end_ = begin_ + (end_ - begin_) * end;
    return child;
}

void parallelFor(JobContext& job, long long count, long long grain,
                 const std::function<void(long long, long long)>& body, std::string_view stage) {
    job.poll();
    if (count <= 0) return;
    grain = std::max(1LL, grain);
    const long long ranges = (count + grain - 1) / grain;
    std::atomic<long long> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    std::mutex failureLock;

    const auto work = [&](bool isJobThread) {
        try {
            while (!failed.load(std::memory_order_relaxed)) {
                if (job.stopRequested()) throw Cancelled();
                const long long range = next.fetch_add(1);
                if (range >= ranges) break;
                clearUpperHalves();
                body(range * grain, std::min(count, (range + 1) * grain));
                if (isJobThread && !stage.empty())
                    job.report(static_cast<double>(range + 1) / static_cast<double>(ranges), stage);
            }
        } catch (...) {
            const std::lock_guard lock(failureLock);
            if (!failure) failure = std::current_exception();
            failed = true;
        }
    };

    const long long helpers = std::min<long long>(job.threads(), ranges) - 1;
    if (helpers > 0) {
        const ThreadPool::Offer offer(ThreadPool::forThisThread(), helpers, [&] { work(false); });
        work(true);
    } else {
        work(true);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace armilla
