// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of convolution by rings, compiled for each instruction set.
#pragma once

#include <cstddef>

namespace armilla {

// Number of source rings processed at once.
inline constexpr size_t kRingsAtOnce = 4;
// Numbers of modes are rounded up to a multiple of this.
inline constexpr size_t kModeSlack = 16;

// modes[p][m] = sum_t weights[p][t] cosine[t][m], p < kRingsAtOnce, m < count (a multiple of
// kModeSlack); rows `stride` apart.
void cosineSums(const double* const* weights, size_t terms, const double* cosine, size_t stride,
                size_t count, double* const* modes);

// sum[m] += sum_p modes[p][m] source[p][m].
void addProducts(const double* const* modes, const double* const* source, size_t count,
                 double* sum);

}  // namespace armilla
