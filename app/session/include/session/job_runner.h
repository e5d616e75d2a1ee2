// SPDX-License-Identifier: GPL-3.0-or-later
// Runs long work off the window's thread: named jobs with progress, time left and Cancel.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "core/job_context.h"

namespace armilla {

enum class JobState { Queued, Running, Finished, Failed, Cancelled };
// Compute jobs share the cores; I/O jobs wait on disks; Preview jobs are short and go first.
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

// Lives in the window's thread; every signal and callback comes in that thread.
class JobRunner : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;  // stops all jobs and waits for their end

    // Runs `work` in the lane's pool. Then, in the window's thread and only if `context` still
    // lives, calls `done` with the result, or `failed` with one line; neither after Cancel. A
    // non-empty `slot` holds at most one waiting job: a newer one replaces a waiting one and
    // cancels a running one ("latest wins"). Returns the job's id.
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
    void cancel(int id);
    void cancelAll();
    bool isIdle() const;
    // Jobs that are queued or run, and the failed ones until dismissed, oldest first.
    std::vector<JobInfo> jobs() const;
    void dismiss(int id);
    int threads() const;

signals:
    // Something in jobs() changed; at most 20 times a second while progress runs.
    void jobsChanged();
    void jobFinished(int id);
    void jobFailed(int id, const QString& line);
    void becameIdle();

private:
    int submit(const QString& name, JobLane lane, const QString& slot, QObject* context,
               std::function<void(JobContext&)> work, std::function<void()> done,
               std::function<void(QString)> failed);
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
