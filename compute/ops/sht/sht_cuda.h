// SPDX-License-Identifier: GPL-3.0-or-later
// What the backend for CUDA devices has in two parts: whole maps on the device, and windows of
// rings where they do not fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sht/sht_backend.h"

namespace armilla {

struct CudaWindowSize {
    int64_t samples = 0;
    int lmax = 0, mmax = 0;
};
// The windows of rings in which a transform of so many components, with so many maps and sets of
// coefficients for each, takes at most `bytes` on the device: 1 if the whole map fits, 0 if the
// coefficients alone do not.
int cudaWindowsFor(int64_t bytes, size_t components, int64_t sets, const CudaWindowSize& size);

std::unique_ptr<ShtBackend> makeCudaWindowsBackend(const ShtParameters& parameters,
                                                   const RingGrid& grid, int device, int64_t bytes);

}  // namespace armilla
