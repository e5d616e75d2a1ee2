// SPDX-License-Identifier: GPL-3.0-or-later
// One process of several that a launcher (mpirun, srun) has started together.
#pragma once

#include <memory>
#include <string>

#include "ops/ranks.h"

namespace armilla::cli {

// What a launcher says in the environment.
struct LaunchedAs {
    int rank = 0, size = 1;
    int onHost = 1;     // processes on this machine, where it tells
    int localRank = 0;  // among them
    bool withMpi = true;
};
LaunchedAs launchedAs();

// The module of MPI, loaded: nothing of MPI is linked with the program.
class Launch {
public:
    // Throws Unsupported if this build has no such module, or it finds another number of ranks than
    // the launcher says; UsageError if that started many without MPI, each of which would do all.
    explicit Launch(const LaunchedAs& as);
    ~Launch();
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    Ranks& ranks();
    // Once all ranks have nothing more to say: waits for them.
    void end();
    // Ends all of them at once.
    [[noreturn]] void abort(int status);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla::cli
