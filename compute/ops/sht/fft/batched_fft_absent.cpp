// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces batched FFTs on CUDA devices in builds without CUDA.
#include "armilla/core/error.h"
#include "armilla/ops/batched_fft.h"

namespace armilla {

namespace {

[[noreturn]] void refuse() {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace

struct CudaBatchedFft::Plan {};
std::string CudaBatchedFft::cufftMissing() {
    return "CUDA: this build has no CUDA code";
}
FftLibrary CudaBatchedFft::fastest(int64_t /*length*/) {
    return FftLibrary::Own;
}
CudaBatchedFft::CudaBatchedFft(const EqualRows& /*rows*/, Values /*values*/, int /*device*/,
                               std::optional<FftLibrary> /*library*/) {
    refuse();
}
CudaBatchedFft::~CudaBatchedFft() = default;
CudaBatchedFft::CudaBatchedFft(CudaBatchedFft&&) noexcept = default;
CudaBatchedFft& CudaBatchedFft::operator=(CudaBatchedFft&&) noexcept = default;
const EqualRows& CudaBatchedFft::rows() const {
    refuse();
}
FftLibrary CudaBatchedFft::provider() const {
    refuse();
}
void CudaBatchedFft::forward(CudaArray& /*data*/) {
    refuse();
}
void CudaBatchedFft::backward(CudaArray& /*data*/) {
    refuse();
}
void CudaBatchedFft::forward(const CudaArray& /*samples*/, CudaArray& /*spectra*/) {
    refuse();
}
void CudaBatchedFft::backward(CudaArray& /*spectra*/, CudaArray& /*samples*/) {
    refuse();
}
void CudaBatchedFft::wait() {
    refuse();
}

}  // namespace armilla
