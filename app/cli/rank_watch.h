// SPDX-License-Identifier: GPL-3.0-or-later
// Mutual observation of ranks.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/ranks.h"

namespace armilla::cli {

// A stopped rank (SIGSTOP) sends nothing, and the others would wait for it without end. Each rank
// observes the next one on its machine, and the first rank observes all of them. If a job is
// suspended, all ranks stop at once and observe nothing. After it continues, no rank ends the job
// for three seconds. A rank that is alone on its machine is not observed.
class RankWatch {
public:
    struct Calls {
        // Called with the number of the next rank after it was seen stopped for most of a second
        // while this one works. Repeated at each look if it returns.
        std::function<void(int rank)> stopped;
        // Called at each look if an observed rank has ended although none is done. Launchers end
        // the others, some (Slurm) after a second by SIGKILL, before they notice it.
        std::function<void()> gone;
        // Called on the first rank: whether it suppresses the line about a signal that ends it,
        // because another rank prints the reason or this rank was stopped itself.
        std::function<void(bool quiet)> hush;
    };
    // All ranks call this. Throws as Ranks. A separate thread makes the calls.
    RankWatch(Ranks& ranks, JobContext& job, Calls calls);

private:
    struct Seen {
        int rank = 0;
        std::string process;
        int times = 0;  // consecutive looks
    };
    void watch(const std::stop_token& end, std::vector<Seen> all, bool isFirst) const;

    Calls calls_;
    std::jthread watcher_;
};

}  // namespace armilla::cli
