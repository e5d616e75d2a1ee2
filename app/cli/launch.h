// SPDX-License-Identifier: GPL-3.0-or-later
// One process of several that a launcher (mpirun, srun) has started together.
#pragma once

#include <memory>
#include <string>

#include "armilla/ops/ranks.h"

namespace armilla::cli {

// Facts that a launcher puts into the environment.
struct LaunchedAs {
    int rank = 0, size = 1;
    int onHost = 1;     // processes on this machine, if known
    int localRank = 0;  // rank among these
    bool withMpi = true;
};
LaunchedAs launchedAs();

// Loaded MPI module. The program itself is not linked with MPI.
class Launch {
public:
    // Throws Unsupported if this build has no MPI module, or if the module finds another number of
    // ranks than the launcher states. Throws UsageError if the launcher started several processes
    // without MPI, each of which would do all the work.
    explicit Launch(const LaunchedAs& as);
    ~Launch();
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    Ranks& ranks();
    // Waits until all ranks have finished their output.
    void end();
    // Ends all ranks at once.
    [[noreturn]] void abort(int status);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla::cli
