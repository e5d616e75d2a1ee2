// SPDX-License-Identifier: GPL-3.0-or-later
// RowSums and RowModeSums on a CUDA device: the same functions, within 1e-12 the same results. Two
// implementations: row_sums_cuda.cu, and row_sums_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "armilla/core/job_context.h"
#include "convolve/rows/row_sums.h"

namespace armilla {

class RowSumsCuda {
public:
    enum class Strategy { Samples, Modes };
    // Modes: for rings of one length (with cuFFT if it is found). Throws as RowSums and
    // RowModeSums, and OutOfMemory, DeviceError; Unsupported without CUDA.
    RowSumsCuda(int device, const RingGrid& grid, const RowKernel& kernel, Strategy strategy);
    ~RowSumsCuda();
    RowSumsCuda(RowSumsCuda&&) noexcept;
    RowSumsCuda& operator=(RowSumsCuda&&) noexcept;

    template <typename Sample>
    void execute(std::span<const DirectPlane<Sample>> planes, int64_t first, int64_t last,
                 JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
