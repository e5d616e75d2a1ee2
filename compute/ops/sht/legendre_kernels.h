// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the SIMD kernels: plain pointers, since each instruction set is compiled apart.
#pragma once

#include <cstddef>

#include "sht/legendre.h"

namespace armilla {

// `series` sums, 1 or 2, share a recurrence.
struct ScalarKernelArguments {
    const ScalarStep* recurrence;
    int steps, m;
    double start;
    const RingLatitudes* rings;
    int first, count;
    ptrdiff_t stride;
    int series = 1;
    int sinPower = 0;  // the planes hold the sums over sin^sinPower(theta)
};
// `terms`: all steps of one series after those of the other.
void scalarSynthesis(const ScalarKernelArguments& arguments, const ScalarTerms* terms,
                     double* planes);
// Doubles for each ring that the transposes keep between stretches of steps.
inline constexpr int kScalarState = 11, kSpinState = 13;
// `sums`: 4 vectors for each step, all of one series after those of the other; `states`:
// kScalarState doubles and `begins`: one number for each ring, aligned to kVectorAlignment.
void scalarAccumulate(const ScalarKernelArguments& arguments, const double* planes, double* sums,
                      double* states, int* begins);

struct SpinKernelArguments {
    const SpinStep* recurrence;
    int steps, m, firstDegree;
    double startPlus, startMinus;
    int sinPower, cosPower;
    const RingLatitudes* rings;
    int first, count;
    ptrdiff_t stride;
};
void spinSynthesis(const SpinKernelArguments& arguments, double* planes);
void spinAccumulate(const SpinKernelArguments& arguments, const double* planes, double* sums,
                    double* states, int* begins);

}  // namespace armilla
