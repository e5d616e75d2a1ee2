// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrences of Wigner's functions d^l_mn over l at many angles, with a vector of angles a step.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/ops/coupling.h"
#include "spectrum/gauss_angles.h"

namespace armilla {

// The functions are normalized to an integral of their square of 1 over x = cos(theta). With
// x p_l = alpha_{l+1} p_{l+1} + beta_l p_l + alpha_l p_{l-1}, a step is
// p_{l+1} = (scale y + shift) p_l - back p_{l-1}, by the argument y of a form.
struct WignerRecurrence {
    WignerRecurrence(const WignerOrders& orders, int lmax);
    int first = 0, last = 0;  // l of the first function, max(|m|, |n|), and of the last one
    // At index l: alpha_l and beta_l for l <= last + 1; scale, shift and back of the step to l + 1.
    std::vector<double> alpha, beta, scale, back;
    std::vector<double> shift[3];
};

// A run of angles of one form, a multiple of kWignerGroup; those that fill it up have weight 0.
inline constexpr int kWignerGroup = 8;
struct WignerAngles {
    const WignerRecurrence* recurrence = nullptr;
    WignerForm form = WignerForm::Belt;
    int count = 0;
    const double* y = nullptr;                 // argument of the form
    double *now = nullptr, *before = nullptr;  // the first function, and 0; overwritten
};
// sums(angle) += coefficients[l] p_l(angle) over all l.
void addWignerSeries(const WignerAngles& angles, const double* coefficients, double* sums);
// moments[r * stride + l] = sum over angles of rows[r * count + angle] p_l(angle), for the first
// active[l] rows, a multiple of 4; all others are left as they are.
void wignerMoments(const WignerAngles& angles, const double* rows, const int* active,
                   double* moments, int64_t stride);

}  // namespace armilla
