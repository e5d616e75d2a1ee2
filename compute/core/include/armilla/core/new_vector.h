// SPDX-License-Identifier: GPL-3.0-or-later
// Allocation of large arrays that stays cancellable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/memory_limit.h"

namespace armilla {

// Throws OutOfMemory: `count` elements of `bytesEach` bytes do not fit.
[[noreturn]] void refuseSize(int64_t count, size_t bytesEach);
// Requests huge pages for an array. A large array then needs some hundred times fewer pages, so
// that its first touch and ring-by-ring strides are faster. The system may ignore the request.
void adviseHugePages(void* data, size_t bytes);
// Faults in the pages of a large array on the threads of `job`, if the system supports this. A
// first touch by one thread takes as long as a large part of the computation. Contents do not
// change. Throws Cancelled.
void touchPages(void* data, size_t bytes, const JobContext& job);

// A vector of `count` elements, filled in pieces, because the first touch of gigabytes exceeds the
// longest time between polls. Throws OutOfMemory with the size if memory is short, and Cancelled.
// Memory is checked before allocation, because the system grants more memory than exists.
template <class T>
std::vector<T> newVector(int64_t count, const JobContext& job, T fill = T{}) {
    std::vector<T> result;
    if (count < std::numeric_limits<int64_t>::max() / static_cast<int64_t>(sizeof(T)))
        requireMemory("array of " + std::to_string(count) + " elements",
                      count * static_cast<int64_t>(sizeof(T)));
    try {
        result.reserve(static_cast<size_t>(count));
    } catch (const std::bad_alloc&) {
        refuseSize(count, sizeof(T));
    } catch (const std::length_error&) {
        refuseSize(count, sizeof(T));
    }
    adviseHugePages(result.data(), static_cast<size_t>(count) * sizeof(T));
    touchPages(result.data(), static_cast<size_t>(count) * sizeof(T), job);
    constexpr int64_t kPiece = int64_t{1} << 20;
    for (int64_t size = 0; size < count;) {
        job.poll();
        size = std::min(count, size + kPiece);
        result.resize(static_cast<size_t>(size), fill);
    }
    return result;
}

}  // namespace armilla
