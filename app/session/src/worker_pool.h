// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of JobRunner: three lanes, queues with slots, and an outbox of finished jobs.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>
#include <vector>

#include <QString>

#include "armilla/core/job_context.h"
#include "time_left.h"

namespace armilla {

// One unit of work. The worker owns `work` once it has started; members below `guard` are shared
// under that lock.
struct PoolJob {
    std::string slot;
    std::function<void(JobContext&)> work;
    std::stop_source stop;

    std::mutex guard;
    bool started = false;
    double fraction = 0.0;
    std::string stage;
    TimeLeft timeLeft;
    std::chrono::steady_clock::time_point start;
    // After the end: none if the work succeeded; the inner optional is none if the work was
    // cancelled.
    std::optional<std::optional<QString>> failure;
};

// std::thread instead of QThreadPool for three reasons:
// - a waiting job can be withdrawn,
// - a slot holds its next job until the running one has returned,
// - thread checkers see every transfer (Debian's Qt is not instrumented).
//
// Workers call `onEnded` after a job was put into the outbox; `onEnded` must be fast and
// thread-safe.
class WorkerPool {
public:
    // `workers[lane]`: number of threads; lane 0 runs at lower priority.
    WorkerPool(const std::vector<int>& workers, int threadsPerJob, std::function<void()> onEnded);
    ~WorkerPool();  // cancels all jobs and waits
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    void add(size_t lane, const std::shared_ptr<PoolJob>& job);
    // Returns true if the job was still waiting; it then never starts.
    bool takeBack(const std::shared_ptr<PoolJob>& job);
    // The jobs whose workers have returned since the last call.
    std::vector<std::shared_ptr<PoolJob>> takeEnded();
    int threadsPerJob() const { return threadsPerJob_; }
    void setThreadsPerJob(int threads) { threadsPerJob_ = threads; }  // for jobs that start later

private:
    void serve(size_t lane, const std::stop_token& quit);
    std::shared_ptr<PoolJob> next(size_t lane, const std::stop_token& quit);
    void execute(PoolJob& job) const;

    std::atomic<int> threadsPerJob_;
    std::function<void()> onEnded_;
    std::mutex guard_;
    std::condition_variable_any wake_;
    std::vector<std::deque<std::shared_ptr<PoolJob>>> queues_;
    std::vector<std::shared_ptr<PoolJob>> running_, ended_;
    std::set<std::string> busySlots_;
    std::vector<std::jthread> threads_;  // last member: joined before the others are destroyed
};

}  // namespace armilla
