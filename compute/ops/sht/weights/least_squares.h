// SPDX-License-Identifier: GPL-3.0-or-later
// Analysis as the solution of a least-squares problem.
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "sht/plan/sht_backend.h"

namespace armilla {

// The coefficients that minimize sum_p w_p (map(p) - sum_lm a_lm Y_lm(p))^2, w the weights of
// `backend`, which does no iterations: conjugate gradients on the normal equations, whose operator,
// synthesis followed by analysis, is near the identity up to lmax = 2 nside. `maps`: one of spin 0,
// or the two of a spin. Ends when the residual of the normal equations is `tolerance` times their
// right-hand side; throws Unsupported if kMaxLeastSquaresSteps do not suffice or a hundred gain no
// digit, Cancelled. Where there are more coefficients than pixels it is the solution of least norm.
std::vector<Alm> leastSquares(ShtBackend& backend, int spin, std::span<const ConstMapSamples> maps,
                              double tolerance, JobContext& job);

// The same of coefficients of which this process has some orders m. Sums go order by order, and
// orders are added component by component: the same bits whoever has them.
struct AlmColumn {
    int m = 0;
    std::span<std::complex<double>> values;
};
struct LeastSquaresParts {
    // The own coefficients, all orders of a component in turn. At the start they are the analysis
    // of the map, at the end the solution.
    std::function<std::vector<AlmColumn>()> columns;
    // The coefficients become the analysis of the map that they make.
    std::function<void(JobContext& job)> apply;
    // The sum of what each column gives, of all processes; and the largest of their values.
    std::function<double(std::span<const double> ofColumns)> sum;
    std::function<double(double own)> largest;
};
ShtConvergence solveLeastSquares(const LeastSquaresParts& parts, const ShtParameters& parameters,
                                 JobContext& job);

}  // namespace armilla
