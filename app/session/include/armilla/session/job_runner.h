// SPDX-License-Identifier: GPL-3.0-or-later
// Runs long work outside the window's thread as named jobs with progress, remaining time and
// cancellation.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla {

// Cancelled: cancellation was requested, but the worker has not returned yet ("stopping").
enum class JobState { Queued, Running, Finished, Failed, Cancelled };
// Compute jobs share the cores, at a priority below the window and previews. I/O jobs wait on
// disks. Preview jobs are short and have the highest priority.
enum class JobLane { Compute, Io, Preview };

// State of a job for display.
struct JobInfo {
    int id = 0;
    QString name;  // "Smooth 60′ · sky_143GHz.fits"
    QString stage;
    double fraction = 0.0;
    double secondsLeft = -1.0;  // negative: unknown
    JobState state = JobState::Queued;
    QString error;         // one line, if the job failed
    bool hasSlot = false;  // a newer job of its slot replaces it, as for previews
};

// Used only in the window's thread; every signal and callback arrives there. No function except the
// destructor waits for a job.
class JobRunner : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;  // cancels all jobs and waits for their end; calls no callback

    // Runs `work` in the pool of the lane. Afterwards, in the window's thread, calls `done` with
    // the result or `failed` with one line. Neither is called after cancel(), nor if `context` no
    // longer exists (null: always called). The call follows the return of the worker and the
    // destruction of `work`. An exception from `done` counts as a failure of the job.
    //
    // A non-empty `slot` holds at most one waiting job. A newer job replaces a waiting one and
    // cancels a running one ("latest wins"). Two jobs of one slot never run at the same time.
    // Returns the id of the job.
    template <typename Result>
    int run(const QString& name, JobLane lane, const QString& slot, QObject* context,
            std::function<Result(JobContext&)> work, std::function<void(Result)> done,
            std::function<void(QString)> failed = {}) {
        auto result = std::make_shared<std::unique_ptr<Result>>();
        return submit(
            name, lane, slot, context,
            [result, work = std::move(work)](JobContext& job) {
                *result = std::make_unique<Result>(work(job));
            },
            [result, done = std::move(done)] {
                if (done) done(std::move(**result));
            },
            std::move(failed));
    }
    // Requests cancellation of a job; a waiting job never starts. Unknown ids are ignored.
    void cancel(int id);
    // Cancels every waiting and running job.
    void cancelAll();
    // Cancels the waiting and the running job of a slot.
    void cancelSlot(const QString& slot);
    // True if no job waits, runs or is still stopping.
    bool isIdle() const;
    // Jobs that wait, run or stop, and failed jobs until dismiss(); oldest first.
    std::vector<JobInfo> jobs() const;
    void dismiss(int id);  // a failed job
    int threads() const;   // threads of the parallel loops of each job
    // Applies to jobs that start later; 0: as many threads as the machine has.
    void setThreads(int threads);

signals:
    // The content of jobs() has changed; emitted at most 20 times a second.
    void jobsChanged();
    // One of these three signals is emitted for each job, after the worker and the callback have
    // returned.
    void jobFinished(int id);
    void jobFailed(int id, const QString& line);
    void jobCancelled(int id);
    // The last job has ended.
    void becameIdle();

private:
    int submit(const QString& name, JobLane lane, const QString& slot, QObject* context,
               std::function<void(JobContext&)> work, std::function<void()> done,
               std::function<void(QString)> failed);
    Q_INVOKABLE void collect();  // processes the jobs whose workers have returned
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
