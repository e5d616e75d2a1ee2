// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces sums over rows on CUDA devices in builds without CUDA.
#include "armilla/core/error.h"
#include "convolve/rows/row_sums_cuda.h"

namespace armilla {

namespace {

[[noreturn]] void refuse() {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace

struct RowSumsCuda::State {};
RowSumsCuda::RowSumsCuda(int /*device*/, const RingGrid& /*grid*/, const RowKernel& /*kernel*/,
                         Strategy /*strategy*/) {
    refuse();
}
RowSumsCuda::~RowSumsCuda() = default;
RowSumsCuda::RowSumsCuda(RowSumsCuda&&) noexcept = default;
RowSumsCuda& RowSumsCuda::operator=(RowSumsCuda&&) noexcept = default;
template <typename Sample>
void RowSumsCuda::execute(std::span<const DirectPlane<Sample>> /*planes*/, int64_t /*first*/,
                          int64_t /*last*/, JobContext& /*job*/) {
    refuse();
}
template void RowSumsCuda::execute(std::span<const DirectPlane<float>>, int64_t, int64_t,
                                   JobContext&);
template void RowSumsCuda::execute(std::span<const DirectPlane<double>>, int64_t, int64_t,
                                   JobContext&);

}  // namespace armilla
