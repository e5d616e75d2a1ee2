// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of floating-point arrays with reference values.
#pragma once

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <span>
#include <vector>

namespace armilla::test {

// |found - truth| in the L2 norm, relative to |truth| (absolute if the truth is zero).
template <typename T>
double relativeError(std::span<const T> found, std::span<const T> truth) {
    if (found.size() != truth.size()) return INFINITY;
    double wrong = 0.0, size = 0.0;
    for (size_t i = 0; i < truth.size(); ++i) {
        wrong += static_cast<double>(std::norm(found[i] - truth[i]));
        size += static_cast<double>(std::norm(truth[i]));
    }
    if (std::isnan(wrong)) return INFINITY;
    return size > 0.0 ? std::sqrt(wrong / size) : std::sqrt(wrong);
}
template <typename T>
double relativeError(const std::vector<T>& found, const std::vector<T>& truth) {
    return relativeError(std::span<const T>(found), std::span<const T>(truth));
}

// The relative error of good values; infinite if the bad values differ.
inline double relativeErrorOfGood(std::span<const double> found, std::span<const double> truth) {
    if (found.size() != truth.size()) return INFINITY;
    double wrong = 0.0, size = 0.0;
    for (size_t i = 0; i < truth.size(); ++i) {
        if (std::isnan(found[i]) != std::isnan(truth[i])) return INFINITY;
        if (std::isnan(truth[i])) continue;
        wrong += (found[i] - truth[i]) * (found[i] - truth[i]);
        size += truth[i] * truth[i];
    }
    return size > 0.0 ? std::sqrt(wrong / size) : std::sqrt(wrong);
}

// The largest |found - truth| of good values relative to the largest |truth|; infinite if the bad
// values differ, or none is good.
template <typename T>
double peakError(std::span<const T> found, std::span<const T> truth) {
    if (found.size() != truth.size()) return INFINITY;
    double worst = 0.0, largest = 0.0;
    for (size_t i = 0; i < truth.size(); ++i) {
        const auto size = static_cast<double>(std::abs(truth[i]));
        if (std::isnan(size) != std::isnan(static_cast<double>(std::abs(found[i]))))
            return INFINITY;
        if (std::isnan(size)) continue;
        worst = std::max(worst, static_cast<double>(std::abs(found[i] - truth[i])));
        largest = std::max(largest, size);
    }
    return largest > 0.0 ? worst / largest : INFINITY;
}
template <typename T>
double peakError(const std::vector<T>& found, const std::vector<T>& truth) {
    return peakError(std::span<const T>(found), std::span<const T>(truth));
}

// The largest |found - truth|.
inline double largestError(std::span<const double> found, std::span<const double> truth) {
    if (found.size() != truth.size()) return INFINITY;
    double worst = 0.0;
    for (size_t i = 0; i < truth.size(); ++i) {
        const double wrong = std::abs(found[i] - truth[i]);
        if (!(wrong <= worst)) worst = std::isnan(wrong) ? INFINITY : wrong;
    }
    return worst;
}

// Limit of a harmonic transform against its reference, in the L2 norm. It covers rounding of
// epsilon / 2 at random signs in each step of recurrences of lmax steps. It also covers the
// following sums of up to 2 lmax terms, if all orders m contribute.
inline double roundingLimit(int lmax) {
    return std::numeric_limits<double>::epsilon() * (lmax + 4.0);
}

}  // namespace armilla::test

// Prints the value and the limit when a comparison fails.
#define ARMILLA_VERIFY_BELOW(value, limit)                                                   \
    do {                                                                                     \
        const double armillaValue = (value);                                                 \
        QVERIFY2(armillaValue <= (limit), qPrintable(QString("%1: %2 > %3")                  \
                                                         .arg(QLatin1String(#value))         \
                                                         .arg(armillaValue)                  \
                                                         .arg(static_cast<double>(limit)))); \
    } while (false)
