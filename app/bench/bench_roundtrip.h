// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

// `error` of each row is D_err of M. Szydlarski et al., Concurr. Comput. 26 (2014) 683, eq. 19.
void benchRoundTrip(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
