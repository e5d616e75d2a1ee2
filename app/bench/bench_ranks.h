// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla bench sht` as one of several processes.
#pragma once

#include "armilla/ops/ranks.h"
#include "bench/bench_cases.h"
#include "cli/json.h"

namespace armilla::cli {

// Spin 0: one map; spin 2: T, Q and U. `show` receives one row per direction: a line for people,
// and its figures. All ranks call this; figures of rank 0 count. Times are those of the slowest
// rank; steps, bytes and memory are maximum and mean over the ranks. Memory is the peak above that
// before the plan.
void benchShtOverRanks(const BenchSettings& settings, const Device& device, Ranks& ranks,
                       JobContext& job,
                       const std::function<void(const std::string& line, Json row)>& show);

}  // namespace armilla::cli
