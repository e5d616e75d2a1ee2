// SPDX-License-Identifier: GPL-3.0-or-later
// Linear equations with a symmetric positive semi-definite operator.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/job_context.h"
#include "core/new_vector.h"

namespace armilla {

// What is solved, for messages and progress, and when it ends.
struct IterationLimits {
    std::string what;
    double goal = 0.0;  // |residual| <= goal |right-hand side|
    int maxSteps = 0;
};

// u . v: ranges are added in their order, the same bits for any number of threads.
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

// x with A x = b by conjugate gradients (M. R. Hestenes & E. Stiefel, J. Res. NBS 49 (1952) 409)
// from x = 0; b in the range of A. `apply(in, out, job)` writes A in to `out`. Throws Unsupported
// if the goal is not reached in the steps allowed, Cancelled between steps.
template <class Apply>
std::vector<double> conjugateGradients(const Apply& apply, const std::vector<double>& b,
                                       const IterationLimits& limits, JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    const auto size = static_cast<int64_t>(b.size());
    std::vector<double> x = newVector<double>(size, job), image = newVector<double>(size, job);
    std::vector<double> residual = b, direction = b;
    const double first = dotProduct(b, b, silent), goal = limits.goal * limits.goal * first;
    double norm = first, least = first;  // the residual does not shrink at every step
    for (int step = 0; norm > goal && step < limits.maxSteps; ++step) {
        job.report(std::log(least / first) / (2.0 * std::log(limits.goal)), limits.what);
        apply(direction, image, silent);
        const double length = norm / dotProduct(direction, image, silent);
        combine(x, 1.0, length, direction, silent);
        combine(residual, 1.0, -length, image, silent);
        const double before = std::exchange(norm, dotProduct(residual, residual, silent));
        least = std::min(least, norm);
        combine(direction, norm / before, 1.0, residual, silent);
    }
    if (!(norm <= goal))
        throw Unsupported("expected " + limits.what + " to converge in " +
                          std::to_string(limits.maxSteps) + " steps, found a residual of " +
                          std::to_string(std::sqrt(norm / first) / limits.goal) +
                          " times the goal");
    return x;
}

}  // namespace armilla
