// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a thread's vector registers.
#pragma once

namespace armilla {

// Marks the upper halves of this thread's vector registers as empty (vzeroupper). Some library
// below the device API leaves the upper halves in use permanently. Each exp and sin of libm then
// takes 160 ns instead of 10 ns (Xeon of a GPU host): Intel, Optimization Reference Manual, "Mixing
// AVX code with SSE code". Called at the start of jobs and of ranges of loops. Costs a few cycles.
void clearUpperHalves();

}  // namespace armilla
