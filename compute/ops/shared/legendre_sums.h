// SPDX-License-Identifier: GPL-3.0-or-later
// Legendre series at many angles, and their transpose, several angles side by side.
#pragma once

#include <span>
#include <vector>

#include "core/job_context.h"

namespace armilla {

// sum_l c_l P_l(cos theta) at each angle (0 .. pi). LegendreSteps' recursion and accuracy.
std::vector<double> legendreSeries(std::span<const double> c, std::span<const double> angles);

// sum_i weight_i P_l(cos theta_i), l = 0 .. lmax. The same bits for any number of threads.
std::vector<double> legendreMoments(std::span<const double> angles, std::span<const double> weights,
                                    int lmax, JobContext& job);

}  // namespace armilla
