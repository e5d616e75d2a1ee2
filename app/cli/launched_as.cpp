// SPDX-License-Identifier: GPL-3.0-or-later
// Environment variables of launchers.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/launch.h"

namespace armilla::cli {

namespace {

std::optional<int> numberIn(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    int value = 0;
    const std::string_view all(text);
    const auto [end, failure] = std::from_chars(all.data(), all.data() + all.size(), value);
    if (failure != std::errc() || end != all.data() + all.size() || value < 0) return std::nullopt;
    return value;
}

struct Names {
    const char *rank, *size, *onHost, *localRank;
};
constexpr Names kOpenMpi{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                         "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"};
// MPICH, Intel MPI, and srun --mpi=pmi2 of Slurm, which does not set the two names of the host.
constexpr Names kPmi{"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", "MPI_LOCALRANKID"};
// Slurm: srun --mpi=pmix, and srun without MPI. A batch script has no variables of a step.
constexpr const char* kTasks = "SLURM_STEP_NUM_TASKS";
constexpr Names kPmix{"PMIX_RANK", kTasks, "", ""};
constexpr Names kSlurm{"SLURM_PROCID", kTasks, "", ""};

// Number of tasks of the step on this machine: entry SLURM_NODEID of a list such as "4(x2),3"; 0 if
// unknown.
int slurmTasksHere() {
    const char* const text = std::getenv("SLURM_STEP_TASKS_PER_NODE");
    int node = numberIn("SLURM_NODEID").value_or(0);
    std::istringstream list(text != nullptr ? text : "");
    for (std::string entry; std::getline(list, entry, ',');) {
        int tasks = 0, nodes = 1;
        if (std::sscanf(entry.c_str(), "%d(x%d)", &tasks, &nodes) < 1) return 0;
        if (node < nodes) return tasks;
        node -= nodes;
    }
    return 0;
}

std::optional<LaunchedAs> launchedBy(const Names& names) {
    const std::optional<int> rank = numberIn(names.rank), size = numberIn(names.size);
    if (!rank || !size || *rank >= *size) return std::nullopt;
    const bool isStep = numberIn(kTasks) == size;
    const int onHost = numberIn(names.onHost).value_or(isStep ? slurmTasksHere() : 0);
    const int local = isStep ? numberIn("SLURM_LOCALID").value_or(0) : 0;
    return LaunchedAs{*rank, *size, std::max(1, onHost), numberIn(names.localRank).value_or(local)};
}

// Whether the command runs in a shell of srun --pty, which keeps the variables of its task.
bool inShellOfTask() {
    return std::getenv("SLURM_PTY_PORT") != nullptr && numberIn("SLURM_TASK_PID") != getpid();
}

}  // namespace

LaunchedAs launchedAs() {
    // Open MPI comes first, even for one rank: its daemon on another machine is a Slurm task and
    // passes on the variables of Slurm.
    if (const auto as = launchedBy(kOpenMpi)) return *as;
    if (const auto as = launchedBy(kPmi); as && as->size > 1) return *as;
    if (inShellOfTask()) return {};
    if (const auto as = launchedBy(kPmix)) return *as;
    auto as = launchedBy(kSlurm).value_or(LaunchedAs());
    as.withMpi = as.size == 1;
    return as;
}

}  // namespace armilla::cli
