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

namespace armilla {

// What is solved, for messages and progress, and when it ends.
struct IterationLimits {
    std::string what;
    double goal = 0.0;  // |residual| <= goal |right-hand side|
    int maxSteps = 0;
};

// x with A x = b by conjugate gradients (M. R. Hestenes & E. Stiefel, J. Res. NBS 49 (1952) 409)
// from x = 0; b in the range of A. `apply(in, out, job)` writes A in to `out`. Throws Unsupported
// if the goal is not reached in the steps allowed, Cancelled between steps.
template <class Apply>
std::vector<double> conjugateGradients(const Apply& apply, const std::vector<double>& b,
                                       const IterationLimits& limits, JobContext& job) {
    const auto dot = [](const std::vector<double>& u, const std::vector<double>& v) {
        return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
    };
    std::vector<double> x(b.size(), 0.0), residual = b, direction = b, image(b.size());
    const double first = dot(b, b), goal = limits.goal * limits.goal * first;
    double norm = first, least = first;  // the residual does not shrink at every step
    JobContext silent(job.stopToken(), {}, job.threads());
    for (int step = 0; norm > goal && step < limits.maxSteps; ++step) {
        job.report(std::log(least / first) / (2.0 * std::log(limits.goal)), limits.what);
        apply(direction, image, silent);
        const double length = norm / dot(direction, image);
        for (size_t i = 0; i < x.size(); ++i) {
            x[i] += length * direction[i];
            residual[i] -= length * image[i];
        }
        const double before = std::exchange(norm, dot(residual, residual));
        least = std::min(least, norm);
        for (size_t i = 0; i < x.size(); ++i)
            direction[i] = residual[i] + norm / before * direction[i];
    }
    if (!(norm <= goal))
        throw Unsupported("expected " + limits.what + " to converge in " +
                          std::to_string(limits.maxSteps) + " steps, found a residual of " +
                          std::to_string(std::sqrt(norm / first) / limits.goal) +
                          " times the goal");
    return x;
}

}  // namespace armilla
