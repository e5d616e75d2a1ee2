// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution on rows by definition: sums over all pairs of samples in long double, with quadrature
// weights from independent formulas.
#pragma once

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "armilla/ops/kernel.h"
#include "armilla/ops/smooth_rows.h"

namespace armilla::test {

using Long = long double;
inline const Long kLongPi = std::acos(Long{-1});

struct RowSample {
    Long theta, phi, weight;
};
// All rows of the grid from the north.
inline std::vector<RowSample> rowSamples(const RingRows& rows) {
    std::vector<RowSample> samples;
    const auto n = static_cast<Long>(rows.hasPoles ? rows.rows - 1 : rows.rows);
    for (int64_t i = 0; i < rows.rows; ++i) {
        const Long theta = kLongPi * (static_cast<Long>(i) + (rows.hasPoles ? 0.0L : 0.5L)) / n;
        // Clenshaw-Curtis with N = rows - 1, or Fejer's first rule with N = rows.
        Long sum = 1;
        for (int64_t j = 1; 2 * j <= static_cast<int64_t>(n); ++j) {
            const Long halves = rows.hasPoles && 2 * j == static_cast<int64_t>(n) ? 1 : 2;
            sum -= halves * std::cos(2 * static_cast<Long>(j) * theta) /
                   static_cast<Long>(4 * j * j - 1);
        }
        const bool isPole = rows.hasPoles && (i == 0 || i == rows.rows - 1);
        const Long ring = (isPole ? 1 : 2) * sum / n * 2 * kLongPi;
        for (int64_t j = 0; j < rows.columns; ++j)
            samples.push_back({theta,
                               2 * kLongPi * static_cast<Long>(j) / static_cast<Long>(rows.columns),
                               ring / static_cast<Long>(rows.columns)});
    }
    return samples;
}

// Columns `method` and `poles`: every method of smoothing rows.
inline void addWaysToSmooth() {
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("poles");
    for (const auto method : {SmoothMethod::Direct, SmoothMethod::Ring, SmoothMethod::Harmonic})
        for (const bool poles : {false, true})
            QTest::addRow("method %d%s", static_cast<int>(method), poles ? ", poles" : "")
                << static_cast<int>(method) << poles;
}

// The largest difference of good samples; infinite if the bad samples differ.
inline double worstOf(const std::vector<double>& found, const std::vector<double>& truth) {
    double worst = found.size() == truth.size() ? 0.0 : INFINITY;
    for (size_t i = 0; worst < INFINITY && i < truth.size(); ++i) {
        if (std::isnan(found[i]) != std::isnan(truth[i])) return INFINITY;
        if (!std::isnan(truth[i])) worst = std::max(worst, std::abs(found[i] - truth[i]));
    }
    return worst;
}

// K of a target and each of the sources.
using PairKernel = std::function<std::vector<Long>(const RowSample& target,
                                                   const std::vector<RowSample>& sources)>;

inline Long distance(const RowSample& a, const RowSample& b) {
    const Long north = std::sin((a.theta - b.theta) / 2), east = std::sin((a.phi - b.phi) / 2);
    const Long square = north * north + std::sin(a.theta) * std::sin(b.theta) * east * east;
    return 2 * std::asin(std::min(Long{1}, std::sqrt(square)));
}

inline PairKernel radialTruth(const Kernel& kernel) {
    return [kernel](const RowSample& target, const std::vector<RowSample>& sources) {
        std::vector<double> angles;
        for (const RowSample& source : sources)  // the antipode, within rounding
            angles.push_back(
                static_cast<double>(std::min(distance(target, source), static_cast<Long>(kPi))));
        const std::vector<double> values = kernel.at(angles);
        return std::vector<Long>(values.begin(), values.end());
    };
}

// The largest |found - truth| relative to the largest sum of |K w f|, over every `stride`-th
// sample; infinite if bad samples differ.
inline double rowError(const std::vector<RowSample>& held, const PairKernel& kernel,
                       double integral, const std::vector<double>& values,
                       const std::vector<double>& found, bool normalize, size_t stride = 1) {
    Long scale = 0, worst = 0;
    // Bad samples stay bad; no others become bad unless a minimum share is requested.
    for (size_t p = 0; p < held.size(); ++p)
        if (std::isnan(values[p]) ? !std::isnan(found[p]) : !normalize && std::isnan(found[p]))
            return INFINITY;
    for (size_t p = 0; p < held.size(); p += stride) {
        if (std::isnan(values[p])) continue;
        Long sum = 0, share = 0, size = 0;
        const std::vector<Long> k = kernel(held[p], held);
        for (size_t q = 0; q < held.size(); ++q) {
            if (std::isnan(values[q])) continue;
            const Long part = held[q].weight * k[q];
            sum += part * static_cast<Long>(values[q]);
            size += std::abs(part * static_cast<Long>(values[q]));
            share += part;
        }
        if (normalize) {
            share /= static_cast<Long>(integral);
            // Too little of the kernel falls on good samples; exactly at the limit either result is
            // valid.
            if (share < 1.001L * static_cast<Long>(kLeastKernelShare)) {
                if (share < 0.999L * static_cast<Long>(kLeastKernelShare) && !std::isnan(found[p]))
                    return INFINITY;
                continue;
            }
            sum /= share;
            size /= share;
        }
        scale = std::max(scale, size);
        const Long wrong = std::abs(static_cast<Long>(found[p]) - sum);
        if (!(wrong <= worst)) worst = std::isnan(wrong) ? INFINITY : wrong;
    }
    // If all samples are bad, as expected, the error is zero.
    return static_cast<double>(scale > 0 ? worst / scale : worst);
}

inline std::vector<double> noiseRows(const RingRows& rows, unsigned seed, bool spoilt) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(static_cast<size_t>(rows.count * rows.columns));
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = normal(random) + 0.5;
        if (spoilt && (i % 17 == 3 || (i > values.size() / 3 && i < values.size() / 2)))
            values[i] = std::nan("");
    }
    return values;
}

struct RowCase {
    const char* name;
    RingRows rows;
};
// Odd and even, with and without poles, parts of the sky, columns that divide badly.
inline std::vector<RowCase> rowCases() {
    return {{"12 x 24", {12, 24, false, 0, 12}},
            {"9 x 7", {9, 7, false, 0, 9}},
            {"13 x 30 with poles", {13, 30, true, 0, 13}},
            {"10 x 17 with poles", {10, 17, true, 0, 10}},
            {"a belt", {18, 36, false, 7, 5}},
            {"a cap", {19, 31, true, 0, 6}},
            {"one row", {18, 40, false, 11, 1}},
            {"5 x 1", {5, 1, false, 0, 5}}};
}

}  // namespace armilla::test
