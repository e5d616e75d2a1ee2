// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a thread's vector registers.
#pragma once

namespace armilla {

// Tells the processor that the upper halves of this thread's vector registers hold nothing. Some
// library that a device's work goes through leaves them in use, for good, and then each exp and sin
// of libm takes 160 ns in place of 10 (Xeon of a GPU host): Intel, Optimization Reference Manual,
// "Mixing AVX code with SSE code". Jobs and ranges of loops begin with it. Costs some cycles.
void clearUpperHalves();

}  // namespace armilla
