// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/job_runner.h"

#include <QPointer>
#include <QTimer>
#include <algorithm>
#include <exception>

#include "armilla/core/usable_threads.h"
#include "armilla/session/failure.h"
#include "worker_pool.h"

namespace armilla {

namespace {

// Interval of jobsChanged, milliseconds: at most 20 times a second.
constexpr int kNoticeInterval = 50;

// At least two compute jobs, so that a long job does not block others. Not more than four, because
// each uses all cores and its own memory. In the order of JobLane.
std::vector<int> workersOfLanes() {
    return {std::clamp(usableThreads() / 8, 2, 4), 2, 2};
}

}  // namespace

struct JobRunner::State {
    struct Entry {
        JobInfo info;  // name, state, error; progress is read from the pool job
        bool hasContext = false;
        QPointer<QObject> context;
        std::function<void()> done;
        std::function<void(QString)> failed;
        std::shared_ptr<PoolJob> job;
    };
    std::vector<Entry> entries;  // oldest first
    int lastId = 0;
    QTimer notice;
    std::unique_ptr<WorkerPool> pool;

    auto find(int id) {
        return std::find_if(entries.begin(), entries.end(),
                            [id](const Entry& entry) { return entry.info.id == id; });
    }
    auto find(const std::shared_ptr<PoolJob>& job) {
        return std::find_if(entries.begin(), entries.end(),
                            [&job](const Entry& entry) { return entry.job == job; });
    }
    void conclude(JobRunner& runner, const std::shared_ptr<PoolJob>& job);
    static bool isActive(const Entry& entry) { return entry.info.state != JobState::Failed; }
};

JobRunner::JobRunner(QObject* parent) : QObject(parent), state_(std::make_unique<State>()) {
    // Fires while the list has entries and once after, for progress and changes.
    state_->notice.setInterval(kNoticeInterval);
    connect(&state_->notice, &QTimer::timeout, this, [this] {
        if (isIdle()) state_->notice.stop();
        emit jobsChanged();
    });
    state_->pool = std::make_unique<WorkerPool>(workersOfLanes(), usableThreads(), [this] {
        QMetaObject::invokeMethod(this, "collect", Qt::QueuedConnection);
    });
}

JobRunner::~JobRunner() {
    state_->pool.reset();
}

int JobRunner::submit(const QString& name, JobLane lane, const QString& slot, QObject* context,
                      std::function<void(JobContext&)> work, std::function<void()> done,
                      std::function<void(QString)> failed) {
    cancelSlot(slot);
    State::Entry entry;
    entry.info.id = ++state_->lastId;
    entry.info.name = name;
    entry.info.hasSlot = !slot.isEmpty();
    entry.hasContext = context != nullptr;
    entry.context = context;
    entry.done = std::move(done);
    entry.failed = std::move(failed);
    entry.job = std::make_shared<PoolJob>();
    entry.job->slot = slot.toStdString();
    entry.job->work = std::move(work);
    const auto job = entry.job;
    const int id = entry.info.id;
    state_->entries.push_back(std::move(entry));
    state_->pool->add(static_cast<size_t>(lane), job);
    if (!state_->notice.isActive()) state_->notice.start();
    return id;
}

void JobRunner::cancel(int id) {
    const auto found = state_->find(id);
    if (found == state_->entries.end() || found->info.state != JobState::Queued) return;
    found->job->stop.request_stop();
    found->info.state = JobState::Cancelled;
    if (!state_->pool->takeBack(found->job)) return;  // a running job ends in collect()
    state_->entries.erase(found);
    emit jobCancelled(id);
    if (isIdle()) emit becameIdle();
}

void JobRunner::cancelAll() {
    for (const JobInfo& info : jobs()) cancel(info.id);
}

void JobRunner::cancelSlot(const QString& slot) {
    if (slot.isEmpty()) return;
    std::vector<int> ids;
    for (const auto& entry : state_->entries)
        if (entry.job->slot == slot.toStdString()) ids.push_back(entry.info.id);
    for (const int id : ids) {
        dismiss(id);  // the failure of an earlier request
        cancel(id);
    }
}

bool JobRunner::isIdle() const {
    return std::none_of(state_->entries.begin(), state_->entries.end(), State::isActive);
}

std::vector<JobInfo> JobRunner::jobs() const {
    std::vector<JobInfo> list;
    const auto now = std::chrono::steady_clock::now();
    for (const auto& entry : state_->entries) {
        JobInfo info = entry.info;
        const std::lock_guard lock(entry.job->guard);
        info.fraction = entry.job->fraction;
        info.stage = QString::fromStdString(entry.job->stage);
        if (info.state == JobState::Queued && entry.job->started) info.state = JobState::Running;
        if (info.state == JobState::Running)
            info.secondsLeft = entry.job->timeLeft.secondsLeft(
                std::chrono::duration<double>(now - entry.job->start).count());
        list.push_back(std::move(info));
    }
    return list;
}

// Calls the receivers of a finished job. A receiver may close the window and destroy the runner.
void JobRunner::State::conclude(JobRunner& runner, const std::shared_ptr<PoolJob>& job) {
    const QPointer<JobRunner> self = &runner;
    const auto found = find(job);
    Entry entry = std::move(*found);
    entries.erase(found);
    std::optional<std::optional<QString>> failure;
    {
        const std::lock_guard lock(job->guard);
        failure = job->failure;
    }
    const int id = entry.info.id;
    const bool isWanted = !entry.hasContext || entry.context;
    if (entry.info.state == JobState::Cancelled) failure.emplace(std::nullopt);
    if (!failure && isWanted) {
        try {
            entry.done();
        } catch (...) {
            failure = failureLine(std::current_exception());
        }
        if (!self) return;
    }
    if (!failure) {
        emit runner.jobFinished(id);
    } else if (!*failure) {
        emit runner.jobCancelled(id);
    } else {
        const QString line = **failure;
        if (isWanted && entry.failed) entry.failed(line);
        if (!self) return;
        entry.info.state = JobState::Failed;
        entry.info.error = line;
        entry.done = {};
        entry.failed = {};
        const auto younger = std::find_if(entries.begin(), entries.end(),
                                          [id](const Entry& other) { return other.info.id > id; });
        entries.insert(younger, std::move(entry));
        emit runner.jobFailed(id, line);
    }
}

void JobRunner::collect() {
    const QPointer<JobRunner> self = this;  // a callback may close the window
    const auto ended = state_->pool->takeEnded();
    if (ended.empty()) return;  // collected with an earlier notice
    // The first exception of a receiver is rethrown after all receivers have been called.
    std::exception_ptr thrown;
    for (const auto& job : ended) {
        try {
            state_->conclude(*this, job);
        } catch (...) {
            if (!thrown) thrown = std::current_exception();
        }
        if (!self) break;
    }
    if (self && isIdle()) emit becameIdle();
    if (thrown) std::rethrow_exception(thrown);
}

void JobRunner::dismiss(int id) {
    const auto found = state_->find(id);
    if (found == state_->entries.end() || found->info.state != JobState::Failed) return;
    state_->entries.erase(found);
    if (!state_->notice.isActive()) state_->notice.start();
}

int JobRunner::threads() const {
    return state_->pool->threadsPerJob();
}

void JobRunner::setThreads(int threads) {
    state_->pool->setThreadsPerJob(threads > 0 ? threads : usableThreads());
}

}  // namespace armilla

#include "armilla/session/moc_job_runner.cpp"
