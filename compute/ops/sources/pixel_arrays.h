// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays with a value for each pixel: memory and copies.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_loop.h"

namespace armilla::sources {

// Allocates `values` for `count` elements; memory of the right size is kept, with its content.
template <class T>
void resizeTo(std::vector<T>& values, int64_t count, const JobContext& job) {
    if (static_cast<int64_t>(values.size()) != count) values = newVector<T>(count, job);
}

inline std::vector<double> copied(const std::vector<double>& values, JobContext& job) {
    std::vector<double> copy = newVector<double>(static_cast<int64_t>(values.size()), job);
    forPixels(copy.size(), job, [&](size_t p) { copy[p] = values[p]; });
    return copy;
}

}  // namespace armilla::sources
