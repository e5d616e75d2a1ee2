// SPDX-License-Identifier: GPL-3.0-or-later
// What this processor can do at most, measured: the limits that benchmarks are compared with.
#pragma once

#include <cstdint>

namespace armilla::cli {

struct HostCeiling {
    double flops = 0.0;           // fused multiply-adds in double precision, 2 each, per second
    double bytesPerSecond = 0.0;  // read and written by a copy larger than any cache
};
// Measures for about `seconds` on `threads` threads, which also wakes the processor up.
HostCeiling measureHostCeiling(int threads, double seconds);

// Starts the measurement of the largest resident size of this process anew.
void resetPeakMemory();
// The largest resident size since then, in bytes; 0 where the system does not tell.
int64_t peakMemory();

}  // namespace armilla::cli
