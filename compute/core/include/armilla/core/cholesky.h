// SPDX-License-Identifier: GPL-3.0-or-later
// Cholesky factors of small symmetric matrices, row-major.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace armilla {

// Replaces the lower triangle of the n x n matrix A by L, where A = L L^T; the rest stays as it is.
// Returns false unless every pivot exceeds `leastPivot` times its element of the diagonal: A is
// then not positive definite, or numerically singular.
bool factorizeCholesky(std::span<double> a, size_t n, double leastPivot = 0.0);

// Replace b by the solution x of L x = b, or of L^T x = b. `factor` holds L.
void solveLower(std::span<const double> factor, size_t n, std::span<double> b);
void solveLowerTransposed(std::span<const double> factor, size_t n, std::span<double> b);

// The inverse of L L^T.
std::vector<double> inverseFromCholesky(std::span<const double> factor, size_t n);

}  // namespace armilla
