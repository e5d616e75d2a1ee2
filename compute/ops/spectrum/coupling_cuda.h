// SPDX-License-Identifier: GPL-3.0-or-later
// Coupling matrices on a CUDA device. Two implementations: coupling_cuda.cu, and
// coupling_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <span>

#include "spectrum/coupling_terms.h"

namespace armilla {

// Fills the matrices of all sums by the method of couplingIntegral. A pair of rows is integrated
// for each 64 rows, by products of matrices: a 32nd of the operations of the product of all rows.
//
// `tableBytes`: the most bytes of the tables of Wigner's functions, which are made for some angles
// at a time; 0: half of the free memory, 2 GiB at most. The matrices take another
// 8 (lmax + 1)^2 bytes each, and stay on the device. Throws OutOfMemory, DeviceError, Unsupported
// (no CUDA in the build).
void couplingSumsOnDevice(std::span<const CouplingSum> sums, int lmax, int device, JobContext& job,
                          int64_t tableBytes = 0);

}  // namespace armilla
