// SPDX-License-Identifier: GPL-3.0-or-later
// Analysis as the solution of a least-squares problem.
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "sht/plan/sht_backend.h"

namespace armilla {

// The coefficients that minimize sum_p w_p (map(p) - sum_lm a_lm Y_lm(p))^2, with the weights w of
// `backend`, which does no iterations. Method: conjugate gradients on the normal equations. Their
// operator, synthesis followed by analysis, is near the identity up to lmax = 2 nside. `maps`: one
// map of spin 0, or the two maps of a spin. Ends when the residual of the normal equations is
// `tolerance` times their right-hand side. With more coefficients than pixels the result is the
// solution of least norm. Throws Unsupported if kMaxLeastSquaresSteps do not suffice or a hundred
// steps gain no digit; Cancelled.
std::vector<Alm> leastSquares(ShtBackend& backend, int spin, std::span<const ConstMapSamples> maps,
                              double tolerance, JobContext& job);

// The same for coefficients of which this process holds some orders m. Sums go order by order, and
// orders are added component by component. So the bits do not depend on the partition.
struct AlmColumn {
    int m = 0;
    std::span<std::complex<double>> values;
};
struct LeastSquaresParts {
    // Returns this process's coefficients, all orders of one component after another. At the start
    // they are the analysis of the map, at the end the solution.
    std::function<std::vector<AlmColumn>()> columns;
    // Replaces the coefficients by the analysis of their synthesis.
    std::function<void(JobContext& job)> apply;
    // The sum over the columns of all processes; and the largest value of all processes.
    std::function<double(std::span<const double> ofColumns)> sum;
    std::function<double(double own)> largest;
};
ShtConvergence solveLeastSquares(const LeastSquaresParts& parts, const ShtParameters& parameters,
                                 JobContext& job);

}  // namespace armilla
