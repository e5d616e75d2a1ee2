// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker_pool.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "armilla/core/seconds_since.h"
#include "armilla/session/failure.h"

namespace armilla {

namespace {

// Niceness of the compute lane, so that the window, the software renderer and previews come first
// on a busy machine. Threads of a job inherit the value. A failure to set it costs smoothness only.
constexpr int kComputeNiceness = 10;

}  // namespace

WorkerPool::WorkerPool(const std::vector<int>& workers, int threadsPerJob,
                       std::function<void()> onEnded)
    : threadsPerJob_(threadsPerJob), onEnded_(std::move(onEnded)), queues_(workers.size()) {
    for (size_t lane = 0; lane < workers.size(); ++lane)
        for (int i = 0; i < workers[lane]; ++i)
            threads_.emplace_back([this, lane](const std::stop_token& quit) { serve(lane, quit); });
}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(guard_);
        for (auto& queue : queues_) queue.clear();
        for (const auto& job : running_) job->stop.request_stop();
    }
    for (auto& thread : threads_) thread.request_stop();
}

void WorkerPool::add(size_t lane, const std::shared_ptr<PoolJob>& job) {
    {
        const std::lock_guard lock(guard_);
        queues_.at(lane).push_back(job);
    }
    wake_.notify_all();
}

bool WorkerPool::takeBack(const std::shared_ptr<PoolJob>& job) {
    const std::lock_guard lock(guard_);
    for (auto& queue : queues_) {
        const auto found = std::find(queue.begin(), queue.end(), job);
        if (found == queue.end()) continue;
        queue.erase(found);
        return true;
    }
    return false;
}

std::vector<std::shared_ptr<PoolJob>> WorkerPool::takeEnded() {
    const std::lock_guard lock(guard_);
    return std::exchange(ended_, {});
}

std::shared_ptr<PoolJob> WorkerPool::next(size_t lane, const std::stop_token& quit) {
    std::unique_lock lock(guard_);
    auto& queue = queues_[lane];
    auto found = queue.end();
    const bool ready = wake_.wait(lock, quit, [&] {
        found = std::find_if(queue.begin(), queue.end(), [&](const auto& job) {
            return job->slot.empty() || !busySlots_.contains(job->slot);
        });
        return found != queue.end();
    });
    if (!ready || quit.stop_requested()) return nullptr;
    auto job = *found;
    queue.erase(found);
    running_.push_back(job);
    if (!job->slot.empty()) busySlots_.insert(job->slot);
    return job;
}

void WorkerPool::serve(size_t lane, const std::stop_token& quit) {
    if (lane == 0) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kComputeNiceness);
    while (auto job = next(lane, quit)) {
        execute(*job);
        {
            const std::lock_guard lock(guard_);
            running_.erase(std::find(running_.begin(), running_.end(), job));
            if (!job->slot.empty()) busySlots_.erase(job->slot);
            ended_.push_back(std::move(job));
        }
        wake_.notify_all();
        onEnded_();
    }
}

void WorkerPool::execute(PoolJob& job) const {
    {
        const std::lock_guard lock(job.guard);
        job.started = true;
        job.start = std::chrono::steady_clock::now();
    }
    const auto progress = [&job](double fraction, std::string_view stage) {
        const std::lock_guard lock(job.guard);
        const double elapsed = secondsSince(job.start);
        job.fraction = std::max(job.fraction, fraction);
        if (job.stage != stage) job.stage = stage;
        job.timeLeft.update(elapsed, job.fraction);
    };
    std::optional<std::optional<QString>> failure;
    try {
        JobContext context(job.stop.get_token(), progress, threadsPerJob_);
        context.poll();
        job.work(context);
    } catch (...) {
        failure = failureLine(std::current_exception());
    }
    job.work = nullptr;  // frees the captured objects before the end is announced
    const std::lock_guard lock(job.guard);
    job.failure = std::move(failure);
}

}  // namespace armilla
