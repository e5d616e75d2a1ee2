// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that look after each other.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/job_context.h"
#include "ops/ranks.h"

namespace armilla::cli {

// A rank that is stopped (SIGSTOP) says nothing, and the others would wait for it for ever. Each
// looks at the next one of its machine, and the first at all of them. Ranks that are stopped all at
// once, as when a job is suspended, see nothing of each other, and each ends nothing for three
// seconds after it goes on; a rank that is alone on its machine is seen by nobody.
class RankWatch {
public:
    struct Calls {
        // The number of the next rank, once that has been seen stopped for most of a second, while
        // this one works; again with each look where this returns.
        std::function<void(int rank)> stopped;
        // With each look while one of those that it looks at is no more, although none is done:
        // launchers end the others, some (Slurm) after a second by SIGKILL, before they see it.
        std::function<void()> gone;
        // Of the first rank: whether it is to say nothing of a signal that ends it, since somebody
        // else says why: where a rank is stopped, or it has been itself.
        std::function<void(bool quiet)> hush;
    };
    // Called by all. Throws as Ranks. The calls come from a thread of its own.
    RankWatch(Ranks& ranks, JobContext& job, Calls calls);

private:
    struct Seen {
        int rank = 0;
        std::string process;
        int times = 0;  // in a row
    };
    void watch(const std::stop_token& end, std::vector<Seen> all, bool isFirst) const;

    Calls calls_;
    std::jthread watcher_;
};

}  // namespace armilla::cli
