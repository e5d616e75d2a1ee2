// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of sums over rows, compiled for each instruction set.
#pragma once

#include <cstddef>

namespace armilla {

// sums[c] += sum_i weights[i] source[c + i] for `columns` neighbors.
void addTaps(const double* weights, size_t count, const double* source, size_t columns,
             double* sums);
// sum_i weights[i] source[i]
double sumTaps(const double* weights, size_t count, const double* source);

}  // namespace armilla
