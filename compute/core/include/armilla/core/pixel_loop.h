// SPDX-License-Identifier: GPL-3.0-or-later
// Loops over pixels on all threads of a job.
#pragma once

#include <cstddef>

#include "armilla/core/job_context.h"

namespace armilla {

// Calls body(p) for each pixel p from 0 to `count` - 1, on all threads of the job.
template <class Body>
void forPixels(size_t count, JobContext& job, const Body& body) {
    parallelFor(job, static_cast<long long>(count), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                        body(p);
                });
}

}  // namespace armilla
