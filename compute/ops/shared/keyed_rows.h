// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting of table rows by whole numbers, such as pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla {

struct KeyedRow {
    int64_t key = 0, row = 0;
};

// Sorts by key; equal keys keep their order. Keys lie in [0, keys). A radix sort from the lowest
// digit, which needs as much memory again. Throws OutOfMemory, Cancelled.
void sortByKey(std::vector<KeyedRow>& rows, int64_t keys, const JobContext& job);

}  // namespace armilla
