// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a sample by their rank. Functions that take a span of variables reorder them. Samples
// are not empty and hold no NaN, unless a function states otherwise. Whole maps:
// core/map_statistics.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "armilla/core/nan.h"

namespace armilla {

// Element number `rank` of the ascending order; the values before it are at most as large.
template <class Values>
auto valueOfRank(Values&& values, size_t rank) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}
// The median; of an even number of values the larger one of the two in the middle.
template <class Values>
auto upperMedian(Values&& values) {
    return valueOfRank(values, values.size() / 2);
}
// The median; of an even number of values the mean of the two in the middle.
inline double median(std::vector<double> values) {
    const double upper = upperMedian(values);
    if (values.size() % 2 == 1) return upper;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    return 0.5 * upper + 0.5 * *std::max_element(values.begin(), middle);
}
// The upper median of a few thousand of the finite values, evenly spaced; NaN without any.
inline double medianOfSome(std::span<const double> values) {
    constexpr size_t kSome = 8192;
    std::vector<double> some;
    for (size_t i = 0; i < values.size(); i += std::max<size_t>(1, values.size() / kSome))
        if (isGood(values[i])) some.push_back(values[i]);
    return some.empty() ? kNan : upperMedian(some);
}
// Percentile (0 to 100) of ascending values, linear between neighbors like numpy's default.
inline double percentileOfSorted(std::span<const float> sorted, double percent) {
    const double place = percent / 100.0 * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(static_cast<double>(sorted[below]), static_cast<double>(sorted[above]),
                     place - static_cast<double>(below));
}

}  // namespace armilla
