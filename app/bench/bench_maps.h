// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks of many independent maps: smoothing of one map a detector, and random skies.
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

void benchMaps(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
