// SPDX-License-Identifier: GPL-3.0-or-later
// Legendre series at many angles, and their transpose, with several angles per vector.
#pragma once

#include <span>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla {

// sum_l c_l P_l(cos theta) at each angle (0 .. pi, radians). Recursion and accuracy of
// LegendreSteps.
std::vector<double> legendreSeries(std::span<const double> c, std::span<const double> angles);

// sum_i weight_i P_l(cos theta_i), l = 0 .. lmax. Bit-identical for any number of threads.
std::vector<double> legendreMoments(std::span<const double> angles, std::span<const double> weights,
                                    int lmax, JobContext& job);

}  // namespace armilla
