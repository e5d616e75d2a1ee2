// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a job that run at the same time, one on each device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <string_view>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla {

// The progress of a job of equal parts, each of which reports its own from any thread.
class MeanProgress {
public:
    // The job must outlive this object.
    MeanProgress(JobContext& job, size_t parts) : job_(job), done_(parts) {}
    void report(size_t part, double fraction, std::string_view stage) {
        const std::lock_guard lock(guard_);
        done_[part] = fraction;
        job_.report(
            std::accumulate(done_.begin(), done_.end(), 0.0) / static_cast<double>(done_.size()),
            stage);
    }

private:
    JobContext& job_;
    std::mutex guard_;
    std::vector<double> done_;
};

// Calls work(part, job) for each part on a thread of its own. The job of a part has its share of
// the threads.
template <typename Work>
void sideBySide(JobContext& job, size_t parts, const Work& work) {
    MeanProgress progress(job, parts);
    const int threads = std::max(1, job.threads() / static_cast<int>(parts));
    JobContext together(job.stopToken(), {}, static_cast<int>(parts));
    parallelFor(together, static_cast<long long>(parts), 1, [&](long long begin, long long end) {
        for (auto part = static_cast<size_t>(begin); part < static_cast<size_t>(end); ++part) {
            JobContext own(
                job.stopToken(),
                [&, part](double fraction, std::string_view stage) {
                    progress.report(part, fraction, stage);
                },
                threads);
            work(part, own);
        }
    });
}

}  // namespace armilla
