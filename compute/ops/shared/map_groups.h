// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of maps divided into groups.
#pragma once

#include <algorithm>
#include <cstddef>

#include "armilla/core/job_context.h"

namespace armilla {

// Calls body(first, count, job) for groups of at most `each` of `maps` in turn, with the group's
// part of the job's progress.
template <typename Body>
void forEachGroup(size_t maps, size_t each, JobContext& job, const Body& body) {
    const auto all = static_cast<double>(maps);
    for (size_t first = 0; first < maps; first += each) {
        const size_t count = std::min(each, maps - first);
        JobContext part =
            job.part(static_cast<double>(first) / all, static_cast<double>(first + count) / all);
        body(first, count, part);
    }
}

}  // namespace armilla
