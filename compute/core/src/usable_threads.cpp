// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/usable_threads.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace armilla {

int usableThreads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    // Fails if the kernel supports more processors than the set can hold.
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace armilla
