// SPDX-License-Identifier: GPL-3.0-or-later
// Allocation of large arrays that stays cancellable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
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

// Reserves memory for `count` elements of an empty vector. Throws OutOfMemory with the size if
// memory is short, and Cancelled. Memory is checked before allocation, because the system grants
// more memory than exists.
template <class Vector>
void reserveTouched(Vector& result, int64_t count, const JobContext& job) {
    using T = typename Vector::value_type;
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
}

// A vector of `count` elements, filled in pieces, because the first touch of gigabytes exceeds the
// longest time between polls. Throws as reserveTouched().
template <class T>
std::vector<T> newVector(int64_t count, const JobContext& job, T fill = T{}) {
    std::vector<T> result;
    reserveTouched(result, count, job);
    constexpr int64_t kPiece = int64_t{1} << 20;
    for (int64_t size = 0; size < count;) {
        job.poll();
        size = std::min(count, size + kPiece);
        result.resize(static_cast<size_t>(size), fill);
    }
    return result;
}

// Elements without an initial value, for vectors that several threads write at once: the initial
// values of a large vector take one thread as long as all threads take for the work on it.
template <class T>
struct UnsetAllocator : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = UnsetAllocator<U>;
    };
    template <class U>
    void construct(U* at) noexcept {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
};
template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;
// Throws as reserveTouched().
template <class T>
UnsetVector<T> newUnsetVector(int64_t count, const JobContext& job) {
    UnsetVector<T> result;
    reserveTouched(result, count, job);
    result.resize(static_cast<size_t>(count));
    return result;
}

}  // namespace armilla
