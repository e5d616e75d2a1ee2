// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "cli/bench_cases.h"

namespace armilla::cli {

// Runs a body several times and notes times, steps and memory in a row.
using Measure = std::function<void(BenchRow& row, int repeat, BenchHost& host,
                                   const std::function<void(JobContext&)>& body)>;

// `error` of each row is D_err of M. Szydlarski et al., Concurr. Comput. 26 (2014) 683, eq. 19.
std::vector<BenchRow> benchRoundTrip(const BenchSettings& settings, BenchHost& host,
                                     const Measure& measure);

}  // namespace armilla::cli
