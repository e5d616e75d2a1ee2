// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors whose elements the caller sets.
#pragma once

#include <type_traits>
#include <vector>

#include "armilla/core/new_vector.h"

namespace armilla {

// A vector of `count` elements without values: the caller sets each element before it reads one,
// and may do so from several threads. Initial values would take one thread longer than all threads
// take to read a map of this size from a file. Throws as reserveTouched().
//
// The standard library has no such function for a plain std::vector, which maps hold. Therefore a
// derived class moves the end of the storage of libstdc++. Vectors of other libraries get initial
// values.
template <class T>
std::vector<T> unsetVector(int64_t count, const JobContext& job) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> &&
                  !std::is_same_v<T, bool>);
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG) && !defined(_GLIBCXX_SANITIZE_VECTOR)
    struct Grown : std::vector<T> {
        void growTo(size_t size) { this->_M_impl._M_finish = this->_M_impl._M_start + size; }
    };
    Grown grown;
    reserveTouched(grown, count, job);
    grown.growTo(static_cast<size_t>(count));
    return std::move(static_cast<std::vector<T>&>(grown));
#else
    return newVector<T>(count, job);
#endif
}

}  // namespace armilla
