// SPDX-License-Identifier: GPL-3.0-or-later
// The number of threads that can run at one time.
#pragma once

namespace armilla {

// Number of processors available to this process, as set by `taskset` and containers; at least 1.
// std::thread::hardware_concurrency counts all processors of the machine.
int usableThreads();

}  // namespace armilla
