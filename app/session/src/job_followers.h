// SPDX-License-Identifier: GPL-3.0-or-later
// Actions at the end of a job, besides its result.
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <set>

namespace armilla {

class JobRunner;

// Used in the window's thread. Forgets a job when it ends.
class JobFollowers : public QObject {
public:
    // The runner must outlive this object.
    explicit JobFollowers(JobRunner& runner);

    // `act` runs once if the job is cancelled. A later action of the same job replaces it.
    void onCancel(int job, std::function<void()> act);
    // Drops the action of a job.
    void forgetCancel(int job);
    // A message reports the failure of this job, so that the list of jobs drops it.
    void reportedElsewhere(int job);

private:
    void forget(int job);

    JobRunner& runner_;
    std::map<int, std::function<void()>> onCancel_;
    std::set<int> reportedElsewhere_;
};

}  // namespace armilla
