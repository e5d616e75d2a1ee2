// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding cases compared with exact sums, on any device.
#pragma once

#include <QtTest>
#include <algorithm>
#include <vector>

#include "armilla/ops/grid.h"
#include "support/grid_cases.h"
#include "support/tolerance.h"

namespace armilla::test {

inline GridSums gridded(const Device& device, const SampleTable& table,
                        const std::vector<Vec3>& cells, const GridKernel& kernel,
                        const Mat3& turn = Mat3{}, int threads = 2, const GridTuning& tuning = {}) {
    JobContext job({}, {}, threads);
    GridSamples samples = table.samples();
    samples.targetFromSamples = turn;
    GridPlan plan(cells, kernel, device, tuning);
    plan.order(samples, job);
    const GridValues values = table.column();
    return plan.execute({&values, 1}, job);
}

inline double scaleOf(const GridKernel& kernel) {
    if (kernel.kind == GridKernelKind::Gaussian2d) return kernel.minorFwhm;
    return kernel.fwhm > 0.0 ? kernel.fwhm : kernel.beam > 0.0 ? kernel.beam : kernel.radius;
}

// A column `index` of the cases' numbers.
inline void addGridCases() {
    QTest::addColumn<int>("index");
    const auto cases = gridCases();
    for (size_t i = 0; i < cases.size(); ++i)
        QTest::newRow(cases[i].name.c_str()) << static_cast<int>(i);
}

inline void checkGridCase(int index, const Device& device, const GridTuning& tuning = {}) {
    const GridCase c = gridCases()[static_cast<size_t>(index)];
    const GridTruth truth = gridTruth(c.table, c.cells, c.kernel, 0, c.turn);
    const GridSums sums = gridded(device, c.table, c.cells, c.kernel, c.turn, 2, tuning);
    QCOMPARE(truth.doubtful, 0);
    QCOMPARE(sums.counts, truth.counts);
    QVERIFY(*std::max_element(truth.counts.begin(), truth.counts.end()) > 0);
    const double limit = gridLimit(scaleOf(c.kernel));
    // Weights near the zeros of sinc and Bessel kernels may nearly cancel.
    const bool signs = c.kernel.kind == GridKernelKind::TaperedSinc ||
                       c.kernel.kind == GridKernelKind::BesselGauss;
    if (!signs) ARMILLA_VERIFY_BELOW(gridError(griddedValues(sums), truth.values), limit);
    ARMILLA_VERIFY_BELOW(gridError(sums.weights, truth.weights), limit);
    std::vector<double> products;
    for (size_t i = 0; i < truth.values.size(); ++i)
        products.push_back(truth.weights[i] != 0.0 ? truth.values[i] * truth.weights[i] : 0.0);
    ARMILLA_VERIFY_BELOW(gridError(sums.values, products), limit);
}

}  // namespace armilla::test
