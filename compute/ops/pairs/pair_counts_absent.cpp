// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces pair_counts_cuda.cu in builds without CUDA.
#include "armilla/core/error.h"
#include "pairs/pair_counts_cuda.h"

namespace armilla {

struct CudaPairCounter::State {};

CudaPairCounter::CudaPairCounter(int, std::span<const CudaPoints>, std::span<const CudaPairTask>,
                                 std::span<const CudaEdge>, JobContext&) {
    throw Unsupported(
        "expected a build with CUDA to count pairs on a CUDA device, found one without");
}
CudaPairCounter::~CudaPairCounter() = default;
int64_t CudaPairCounter::tiles() const {
    return 0;
}
void CudaPairCounter::count(int64_t, int64_t, std::span<int64_t>, std::span<double>,
                            std::vector<CudaDoubt>&, JobContext&) {}
void CudaPairCounter::angles(bool, bool, std::span<double>, std::span<int64_t>,
                             std::vector<CudaDoubt>&, JobContext&) {}

}  // namespace armilla
