// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/cholesky.h"

#include <cmath>

namespace armilla {

bool factorizeCholesky(std::span<double> a, size_t n, double leastPivot) {
    for (size_t j = 0; j < n; ++j)
        for (size_t i = j; i < n; ++i) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > leastPivot * a[j * n + j])) return false;
            a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
        }
    return true;
}

void solveLower(std::span<const double> factor, size_t n, std::span<double> b) {
    for (size_t i = 0; i < b.size(); ++i) {
        double sum = b[i];
        for (size_t k = 0; k < i; ++k) sum -= factor[i * n + k] * b[k];
        b[i] = sum / factor[i * n + i];
    }
}

void solveLowerTransposed(std::span<const double> factor, size_t n, std::span<double> b) {
    for (size_t i = b.size(); i-- > 0;) {
        double sum = b[i];
        for (size_t k = i + 1; k < b.size(); ++k) sum -= factor[k * n + i] * b[k];
        b[i] = sum / factor[i * n + i];
    }
}

std::vector<double> inverseFromCholesky(std::span<const double> factor, size_t n) {
    std::vector<double> inverse(n * n), x(n);
    for (size_t column = 0; column < n; ++column) {
        x.assign(n, 0.0);
        x[column] = 1.0;
        solveLower(factor, n, x);
        solveLowerTransposed(factor, n, x);
        for (size_t i = 0; i < n; ++i) inverse[i * n + column] = x[i];
    }
    return inverse;
}

}  // namespace armilla
