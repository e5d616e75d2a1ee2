// SPDX-License-Identifier: GPL-3.0-or-later
// Runs long work off the window's thread: named jobs with progress, time left and Cancel.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "core/job_context.h"

namespace armilla {

// Cancelled: asked to stop, its worker has not left yet ("stopping").
enum class JobState { Queued, Running, Finished, Failed, Cancelled };
// Compute jobs share the cores, below the window and previews in priority; I/O jobs wait on disks;
// Preview jobs are short and go first.
enum class JobLane { Compute, Io, Preview };

struct JobInfo {
    int id = 0;
    QString name;  // "Smooth 60′ · sky_143GHz.fits"
    QString stage;
    double fraction = 0.0;
    double secondsLeft = -1.0;  // negative: not known yet
    JobState state = JobState::Queued;
    QString error;  // one line, if failed
};

// Lives in the window's thread; all its functions are called there, every signal and callback comes
// there. No function but the destructor waits for a job.
class JobRunner : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;  // stops all jobs and waits for their end; no callback any more

    // Runs `work` in the lane's pool. Then, in the window's thread and only if `context` still
    // lives (null: always), calls `done` with the result, or `failed` with one line; neither after
    // Cancel, and not before the worker has left and `work` is destroyed. An exception of `done`
    // counts as a failure of the job. A non-empty `slot` holds at most one waiting job: a newer one
    // replaces a waiting one and cancels a running one ("latest wins"), but does not start before
    // that one has left: two jobs of one slot never run at the same time. Returns the job's id.
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
    // Asks a job to stop; a waiting one never starts. Unknown ids are ignored.
    void cancel(int id);
    void cancelAll();
    void cancelSlot(const QString& slot);
    // Nothing waits, runs or is still stopping.
    bool isIdle() const;
    // Jobs that wait, run or stop, and the failed ones until dismissed, oldest first.
    std::vector<JobInfo> jobs() const;
    void dismiss(int id);  // a failed job
    int threads() const;   // of each job's parallel loops
    // For jobs that start from now on; 0: as many as the machine has.
    void setThreads(int threads);

signals:
    // Something in jobs() changed; at most 20 times a second.
    void jobsChanged();
    // One of these three for each job, once its worker has left and its callback has returned.
    void jobFinished(int id);
    void jobFailed(int id, const QString& line);
    void jobCancelled(int id);
    void becameIdle();

private:
    int submit(const QString& name, JobLane lane, const QString& slot, QObject* context,
               std::function<void(JobContext&)> work, std::function<void()> done,
               std::function<void(QString)> failed);
    Q_INVOKABLE void collect();  // takes in the jobs whose workers have left
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
