// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas of Wigner's functions that the CPU and CUDA devices share.
#pragma once

#include <cmath>

#include "armilla/core/hd.h"

namespace armilla {

// The first function of the recurrence over l, l = max(|m|, |n|), by cos(theta / 2) and
// sin(theta / 2): normalized to an integral of its square of 1 over cos(theta).
ARMILLA_HD inline double firstWigner(int m, int n, double cosHalf, double sinHalf) {
    // d_mn = (-1)^(m-n) d_nm = (-1)^(m-n) d_{-m,-n}, and
    // d^m_mn = (-1)^(m-n) sqrt(binomial(2m, m - n)) cos^(m+n)(theta/2) sin^(m-n)(theta/2)
    bool isNegative = (m - n) % 2 != 0;
    const auto flip = [&] { isNegative = isNegative != ((m - n) % 2 != 0); };
    if (n * n > m * m) {
        flip();
        const int kept = m;
        m = n;
        n = kept;
    }
    if (m < 0) {
        flip();
        m = -m;
        n = -n;
    }
    double square = 0.5 * (2.0 * m + 1.0);
    for (int i = 1; i <= m - n; ++i) square *= static_cast<double>(m + n + i) / i;
    double value = std::sqrt(square);
    for (int i = 0; i < m + n; ++i) value *= cosHalf;
    for (int i = 0; i < m - n; ++i) value *= sinHalf;
    return isNegative ? -value : value;
}

// The integral of row l + 1 and column k by those of row l, columns k - 1 to k + 1, and of row
// l - 1. Coefficients: those of WignerRecurrence, by l of the rows and by k of the columns.
struct WignerRowStep {
    double scale = 0.0, back = 0.0, beta = 0.0;
};
struct WignerColumn {
    double alpha = 0.0, alphaNext = 0.0, beta = 0.0;
};
ARMILLA_HD inline double nextInColumn(const WignerRowStep& row, const WignerColumn& column,
                                      double left, double now, double right, double before) {
    return row.scale *
               (column.alphaNext * right + (column.beta - row.beta) * now + column.alpha * left) -
           row.back * before;
}

}  // namespace armilla
