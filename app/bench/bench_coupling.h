// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

// The coupling matrices of T, Q and U by the mask of one point, whose values are known. `error`:
// the largest difference, over the largest value of half the mask's correlation function.
void benchCoupling(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
