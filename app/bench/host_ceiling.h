// SPDX-License-Identifier: GPL-3.0-or-later
// Measured peak rates of this processor, as limits for benchmarks.
#pragma once

#include <cstdint>

namespace armilla::cli {

struct HostCeiling {
    // fused multiply-adds in double precision, counted as 2, per second
    double flops = 0.0;
    double bytesPerSecond = 0.0;  // bytes read and written by a copy larger than all caches
};
// Measures for about `seconds` on `threads` threads, which also warms up the processor.
HostCeiling measureHostCeiling(int threads, double seconds);

// Resets the peak resident set size of this process.
void resetPeakMemory();
// Peak resident set size since then in bytes; 0 if unknown.
int64_t peakMemory();

}  // namespace armilla::cli
