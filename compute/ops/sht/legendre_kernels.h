// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the SIMD kernels: plain pointers, since each instruction set is compiled apart.
#pragma once

#include <cstddef>

#include "sht/legendre.h"

namespace armilla {

struct ScalarKernelArguments {
    const ScalarStep* recurrence;
    int steps, m;
    double start;
    const RingLatitudes* rings;
    int first, count;
    ptrdiff_t stride;
};
void scalarSynthesis(const ScalarKernelArguments& arguments, double* planes);
// `sums`: 4 vectors for each step.
void scalarAccumulate(const ScalarKernelArguments& arguments, const double* planes, double* sums);

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
void spinAccumulate(const SpinKernelArguments& arguments, const double* planes, double* sums);

}  // namespace armilla
