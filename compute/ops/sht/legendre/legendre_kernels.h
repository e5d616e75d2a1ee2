// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the SIMD kernels: plain pointers, because each instruction set is compiled
// separately.
#pragma once

#include <cstddef>

#include "sht/legendre/legendre.h"

namespace armilla {

// `series` sums, 1 or 2, use one recurrence.
struct ScalarKernelArguments {
    const ScalarStep* recurrence;
    int steps, m;
    double start;
    const RingLatitudes* rings;
    int first, count;
    ptrdiff_t stride;
    int series;
    int sinPower;  // the planes hold the sums over sin^sinPower(theta)
    // Kept from call to call: sin^m of every ring, kPowerState doubles each, and the corresponding
    // m, one number for each vector; -1: none.
    double* powers;
    int* powerOf;
};
inline constexpr int kPowerState = 3;
// `terms`: all steps of the first series, then all steps of the second.
void scalarSynthesis(const ScalarKernelArguments& arguments, const ScalarTerms* terms,
                     double* planes);
// Doubles for each ring that the transposes keep between stretches of steps.
constexpr int scalarState(int series) {
    return 3 + 4 * series;
}
inline constexpr int kSpinState = 13;
// `sums`: 4 vectors for each step, all steps of the first series, then those of the second.
// `states` holds scalarState(series) doubles and `begins` one number for each ring, both aligned to
// kVectorAlignment.
void scalarAccumulate(const ScalarKernelArguments& arguments, const double* planes, double* sums,
                      double* states, int* begins);

// Stores the sums of each step over the lanes of its four vectors in `terms`, and clears the
// vectors.
void takeSums(double* sums, int steps, ScalarTerms* terms);

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
