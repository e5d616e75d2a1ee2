// SPDX-License-Identifier: GPL-3.0-or-later
// What an operation needs to know of the job it runs in: stop, progress, threads. No Qt.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

namespace armilla {

// Receives the share done in [0, 1], monotone over a job, and the name of the present stage.
// Called from the job's own thread only; cheap.
using ProgressFunction = std::function<void(double fraction, std::string_view stage)>;

// Passed by reference through every long operation. Not thread-safe except for `stopRequested`:
// worker threads of an operation test that one, the job's thread reports and throws.
class JobContext {
public:
    // No stop, no progress, all hardware threads.
    JobContext();
    JobContext(std::stop_token stop, ProgressFunction progress, int threads);

    // True once the user has asked to stop. Safe from any thread.
    bool stopRequested() const { return stop_.stop_requested(); }
    // Throws Cancelled once the user has asked to stop. Operations call it at least every 20 ms.
    void poll() const;
    // Reports that `fraction` of this context's own share is done, then polls.
    void report(double fraction, std::string_view stage);
    // A context for a part of the work: its [0, 1] is [begin, end] of this one.
    JobContext part(double begin, double end) const;
    // Number of threads that parallel loops may use, at least 1.
    int threads() const { return threads_; }
    std::stop_token stopToken() const { return stop_; }

private:
    std::stop_token stop_;
    ProgressFunction progress_;
    int threads_ = 1;
    double begin_ = 0.0;
    double end_ = 1.0;
};

// Elements in a range of a plain loop over pixels or coefficients: about a millisecond.
inline constexpr int64_t kPixelGrain = int64_t{1} << 16;

// Calls `body(begin, end)` on consecutive ranges that cover [0, count), from job.threads() threads,
// ranges of at most `grain`, handed out in order. A throw in a body stops the others and is thrown
// again here; so is Cancelled when the job is stopped between ranges. Each call of `body` should
// take well under 20 ms. If `stage` is given, progress is reported from the job's thread.
void parallelFor(JobContext& job, long long count, long long grain,
                 const std::function<void(long long begin, long long end)>& body,
                 std::string_view stage = {});

}  // namespace armilla
