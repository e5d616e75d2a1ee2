// SPDX-License-Identifier: GPL-3.0-or-later
// Large arrays made without keeping a job from stopping.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/job_context.h"
#include "core/memory_limit.h"

namespace armilla {

// Throws OutOfMemory: so many elements of a size do not fit.
[[noreturn]] void refuseSize(int64_t count, size_t bytesEach);
// Asks for huge pages, of which a large array takes a few hundred times fewer: their first touch
// and strides through maps ring by ring are faster. A wish only.
void wishHugePages(void* data, size_t bytes);
// Brings the pages of a large array in by the threads of `job`, where the system can: its first
// touch by one thread takes as long as much of the work on it. Contents stay as they are. Throws
// Cancelled.
void touchPages(void* data, size_t bytes, const JobContext& job);

// `count` elements, filled in pieces, since the first touch of gigabytes takes longer than a job
// may go without a poll. Throws OutOfMemory with the size if there is no room (the system is asked
// first, since it promises more memory than it has), Cancelled.
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
    wishHugePages(result.data(), static_cast<size_t>(count) * sizeof(T));
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
