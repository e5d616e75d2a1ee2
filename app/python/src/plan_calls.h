// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of a plan on a device, which executes one call at a time.
#pragma once

#include <functional>
#include <semaphore>
#include <set>

#include "call.h"

namespace armilla::python {

class PlanCalls {
public:
    // Runs the work in the calling thread if it is short: if the plan is free, and an earlier call
    // of this kind has made the tables. Otherwise in a thread of its own. Needs the GIL.
    void run(int kind, const CallOptions& options, const std::function<void(JobContext&)>& work) {
        if (warm_.contains(kind) && free_.try_acquire()) {
            const Turn turn{free_};
            runReporting(options, work);
            return;
        }
        runJob(options, [&](JobContext& job) {
            free_.acquire();
            const Turn turn{free_};
            work(job);
        });
        warm_.insert(kind);
    }

private:
    struct Turn {
        std::binary_semaphore& free;
        ~Turn() { free.release(); }
    };
    std::binary_semaphore free_{1};
    std::set<int> warm_;
};

}  // namespace armilla::python
