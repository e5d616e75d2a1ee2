// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_followers.h"

#include <utility>

#include "armilla/session/job_runner.h"

namespace armilla {

JobFollowers::JobFollowers(JobRunner& runner) : runner_(runner) {
    connect(&runner, &JobRunner::jobCancelled, this, [this](int job) {
        const auto found = onCancel_.find(job);
        const auto act =
            found == onCancel_.end() ? std::function<void()>() : std::move(found->second);
        forget(job);
        if (act) act();
    });
    connect(&runner, &JobRunner::jobFinished, this, &JobFollowers::forget);
    connect(&runner, &JobRunner::jobFailed, this, [this](int job) {
        if (reportedElsewhere_.contains(job)) runner_.dismiss(job);
        forget(job);
    });
}

void JobFollowers::onCancel(int job, std::function<void()> act) {
    onCancel_[job] = std::move(act);
}

void JobFollowers::forgetCancel(int job) {
    onCancel_.erase(job);
}

void JobFollowers::reportedElsewhere(int job) {
    reportedElsewhere_.insert(job);
}

void JobFollowers::forget(int job) {
    onCancel_.erase(job);
    reportedElsewhere_.erase(job);
}

}  // namespace armilla
