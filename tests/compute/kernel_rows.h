// SPDX-License-Identifier: GPL-3.0-or-later
// Test rows for comparisons with sums over all pixel pairs: a kernel of each kind, of some sizes,
// on maps of some nside.
#pragma once

#include <QtTest>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include "compute/convolution_cases.h"

namespace armilla::test {

enum class Kernels { All, Smooth };  // Smooth: without edges or corners

inline void addKernelColumns() {
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("nside");
    QTest::addColumn<double>("scale");
}
// `more` fills the other columns; `name` is appended to the rows' names.
inline void addKernelRows(
    Kernels kernels, std::initializer_list<int> nsides, std::initializer_list<double> pixels,
    const char* name = "", const std::function<void(QTestData&)>& more = [](QTestData&) {}) {
    for (const int nside : nsides) {
        double last = 0.0;
        for (const double size : pixels) {
            const double scale = std::min(0.6, size / nside);
            if (std::exchange(last, scale) == scale)
                continue;  // both have the largest kernel width
            const auto all = kernelCases(scale);
            for (size_t i = 0; i < all.size(); ++i) {
                if (kernels == Kernels::Smooth && !all[i].kernel.lastL()) continue;
                more(QTest::addRow("%s, nside %d, scale %g%s", all[i].name, nside, scale, name)
                     << static_cast<int>(i) << nside << scale);
            }
        }
    }
}
// Kernel of the present data row.
struct KernelRow {
    int nside;
    KernelCase kernel;
};
inline KernelRow kernelRow() {
    QFETCH(int, which);
    QFETCH(int, nside);
    QFETCH(double, scale);
    return {nside, kernelCases(scale)[static_cast<size_t>(which)]};
}

// Selected pixels of larger maps: around poles, borders of the caps and the equator, a dozen of
// each `every`; of the other pixels one in `step`. None: all pixels.
inline std::vector<size_t> somePixels(int64_t nside, size_t every = 100, size_t step = 43) {
    std::vector<size_t> some;
    const auto all = static_cast<size_t>(12 * nside * nside);
    for (size_t k = 0; nside > 5 && k < all; k += k % every < 12 ? 1 : step) some.push_back(k);
    return some;
}

}  // namespace armilla::test
