// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla bench sht` as one of several processes.
#pragma once

#include "cli/bench_cases.h"
#include "cli/json.h"
#include "ops/ranks.h"

namespace armilla::cli {

// Spin 0: one map; spin 2: T, Q and U. One row each way, at `show`: a line for people, and its
// figures. Called by all ranks; those of rank 0 count. Times: of the slowest rank; steps, bytes and
// memory: the most and the mean of the ranks. Memory: the peak above that before the plan.
void benchShtOverRanks(const BenchSettings& settings, const Device& device, Ranks& ranks,
                       JobContext& job,
                       const std::function<void(const std::string& line, Json row)>& show);

}  // namespace armilla::cli
