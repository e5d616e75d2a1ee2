// SPDX-License-Identifier: GPL-3.0-or-later
// How many threads can run at one time.
#pragma once

namespace armilla {

// The processors that this process may run on, as `taskset` and containers set them; 1 at least.
// std::thread::hardware_concurrency counts those of the machine.
int usableThreads();

}  // namespace armilla
