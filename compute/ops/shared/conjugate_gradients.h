// SPDX-License-Identifier: GPL-3.0-or-later
// Linear equations with a symmetric positive semi-definite operator.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/job_context.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/number_text.h"

namespace armilla {

// Name of the system, for messages and progress, and stopping criteria.
struct IterationLimits {
    std::string what;
    double goal = 0.0;  // |residual| <= goal |right-hand side|
    int maxSteps = 0;
    double accepted = 0.0;  // residual that is acceptable where rounding prevents the goal
    // above 0: the number of steps in which the residual must fall to a tenth
    int patience = 0;
    std::string advice = {};  // end of the message if the iteration does not converge
};
struct Solution {
    std::vector<double> x;
    int steps = 0;
    double residual = 0.0;  // |b - A x| / |b|, computed explicitly at the end, not by the recursion
};

// u . v: ranges are added in order, bit-identical for any number of threads.
inline double dotProduct(const std::vector<double>& u, const std::vector<double>& v,
                         JobContext& job) {
    const auto count = static_cast<int64_t>(u.size());
    std::vector<double> parts(static_cast<size_t>((count + kPixelGrain - 1) / kPixelGrain));
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        parts[static_cast<size_t>(begin / kPixelGrain)] =
            std::inner_product(u.begin() + begin, u.begin() + end, v.begin() + begin, 0.0);
    });
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}
// to = factor to + other factor from.
inline void combine(std::vector<double>& to, double factor, double otherFactor,
                    const std::vector<double>& from, JobContext& job) {
    parallelFor(job, static_cast<int64_t>(to.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                        to[i] = factor * to[i] + otherFactor * from[i];
                });
}

// to = 2^exponent from, without rounding.
inline void scale(std::vector<double>& to, const std::vector<double>& from, int exponent,
                  JobContext& job) {
    parallelFor(job, static_cast<int64_t>(to.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                        to[i] = std::scalbn(from[i], exponent);
                });
}
// The largest value; infinite if any value is not finite.
inline double largestOf(const std::vector<double>& values) {
    double largest = 0.0;
    for (const double value : values)
        largest = std::max(largest, std::isfinite(value) ? std::abs(value) : HUGE_VAL);
    return largest;
}

// x with A x = b by conjugate gradients (M. R. Hestenes & E. Stiefel, J. Res. NBS 49 (1952) 409)
// from x = 0; b must be in the range of A. `apply(in, out, job)` writes A in to `out`.
// - The residual of the recursion may reach the goal although b - A x does not. The iteration then
//   restarts from x while that reduces the residual.
// - b is scaled to values of about 1, because norms of very small or large vectors are 0 or
//   infinite.
// - If several processes hold parts of the vectors, `product(u, v, job)` is the global scalar
//   product, and `largest` the largest of their values.
// Throws Unsupported if the goal is not reached in the allowed steps, InvalidArgument if b is not
// finite, Cancelled between steps.
template <class Apply, class Product, class Largest>
Solution conjugateGradients(const Apply& apply, const std::vector<double>& b,
                            const IterationLimits& limits, JobContext& job, const Product& product,
                            const Largest& largest) {
    JobContext silent(job.stopToken(), {}, job.threads());
    const auto size = static_cast<int64_t>(b.size());
    const double most = largest(largestOf(b));
    if (!std::isfinite(most))
        throw InvalidArgument("expected " + limits.what +
                              " of values whose sums are finite, found larger ones");
    const int exponent = most > 0.0 ? std::ilogb(most) : 0;
    Solution found{newVector<double>(size, job)};
    std::vector<double>& x = found.x;
    std::vector<double> image = newVector<double>(size, job), residual = image;
    scale(residual, b, -exponent, silent);
    std::vector<double> direction = residual;
    const double first = product(residual, residual, silent);
    if (first == 0.0) return found;
    const double goal = limits.goal * limits.goal * first;
    double norm = first, trueNorm = first;
    double least = first, before = first;  // the residual does not decrease at every step
    for (bool helps = true; helps && trueNorm > goal && found.steps < limits.maxSteps;) {
        for (; norm > goal && found.steps < limits.maxSteps; ++found.steps) {
            if (limits.patience > 0 && found.steps > 0 && found.steps % limits.patience == 0) {
                if (least > 0.01 * before) break;
                before = least;
            }
            job.report(std::log(least / first) / (2.0 * std::log(limits.goal)), limits.what);
            apply(direction, image, silent);
            const double length = norm / product(direction, image, silent);
            combine(x, 1.0, length, direction, silent);
            combine(residual, 1.0, -length, image, silent);
            const double last = std::exchange(norm, product(residual, residual, silent));
            least = std::min(least, norm);
            combine(direction, norm / last, 1.0, residual, silent);
        }
        apply(x, image, silent);
        scale(residual, b, -exponent, silent);
        combine(residual, 1.0, -1.0, image, silent);
        direction = residual;
        const bool reached = norm <= goal;
        norm = product(residual, residual, silent);
        const double lastTrue = std::exchange(trueNorm, norm);
        helps = reached && norm < 0.25 * lastTrue;
    }
    found.residual = std::sqrt(trueNorm / first);
    if (!(found.residual <= std::max(limits.goal, limits.accepted)))
        throw Unsupported("expected " + limits.what + " to reach a residual of " +
                          numberText(limits.goal) + ", found " + numberText(found.residual) +
                          " after " + std::to_string(found.steps) + " steps" +
                          (least <= goal ? ": rounding leaves no less" : limits.advice));
    scale(x, x, exponent, silent);
    return found;
}
template <class Apply>
Solution conjugateGradients(const Apply& apply, const std::vector<double>& b,
                            const IterationLimits& limits, JobContext& job) {
    return conjugateGradients(apply, b, limits, job, dotProduct, [](double own) { return own; });
}

}  // namespace armilla
