// SPDX-License-Identifier: GPL-3.0-or-later
// The environment of an operation in its job: stop, progress, threads. No Qt.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

namespace armilla {

// Receives the fraction done in [0, 1], which never decreases in a job, and the name of the present
// stage. Called from the job's own thread only; must be cheap.
using ProgressFunction = std::function<void(double fraction, std::string_view stage)>;

// Passed by reference through every long operation. Only `stopRequested` is thread-safe: worker
// threads test the flag, and the job's thread reports and throws.
class JobContext {
public:
    // No stop, no progress, all hardware threads.
    JobContext();
    JobContext(std::stop_token stop, ProgressFunction progress, int threads);

    // True after the user has requested a stop. Safe from any thread.
    bool stopRequested() const { return stop_.stop_requested(); }
    // Throws Cancelled after the user has requested a stop. Operations call this at least every 20
    // ms.
    void poll() const;
    // Reports the done fraction of this context's part, then polls.
    void report(double fraction, std::string_view stage);
    // A context for a part of the work: its [0, 1] is [begin, end] of this context.
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

// Elements in one range of a simple loop over pixels or coefficients: about 1 ms of work on one CPU
// core.
inline constexpr int64_t kPixelGrain = int64_t{1} << 16;

// Calls `body(begin, end)` on consecutive ranges that cover [0, count), on job.threads() threads.
// Ranges have at most `grain` elements and are started in order. An exception in a body stops the
// other threads and is rethrown here; a stopped job throws Cancelled between ranges. Each call of
// `body` should take well under 20 ms. If `stage` is given, the job's thread reports progress.
void parallelFor(JobContext& job, long long count, long long grain,
                 const std::function<void(long long begin, long long end)>& body,
                 std::string_view stage = {});

}  // namespace armilla
