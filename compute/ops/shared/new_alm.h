// SPDX-License-Identifier: GPL-3.0-or-later
// Allocation and traversal of coefficients that stay cancellable.
#pragma once

#include <algorithm>

#include "armilla/core/harmonics.h"
#include "armilla/core/new_vector.h"

namespace armilla {

inline int64_t almBytes(int64_t lmax, int64_t mmax) {
    return Alm::count(lmax, mmax) * static_cast<int64_t>(sizeof(std::complex<double>));
}

// Coefficients set to zero. Throws as newVector.
inline Alm newAlm(int lmax, int mmax, const JobContext& job) {
    return {lmax, mmax, newVector<std::complex<double>>(Alm::count(lmax, mmax), job)};
}

// Orders m per work item: at most about 1 ms on one CPU core per operation on each coefficient.
inline long long orderGrain(int lmax) {
    return std::max(1LL, (1LL << 16) / (static_cast<long long>(lmax) + 1));
}

}  // namespace armilla
