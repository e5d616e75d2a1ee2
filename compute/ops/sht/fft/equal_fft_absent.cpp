// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces batched FFTs on CUDA devices in builds without CUDA.
#include "core/error.h"
#include "ops/equal_fft.h"

namespace armilla {

namespace {

[[noreturn]] void refuse() {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace

struct CudaEqualFft::Plan {};
std::string CudaEqualFft::cufftMissing() {
    return "CUDA: this build has no CUDA code";
}
FftLibrary CudaEqualFft::fastest(int64_t /*length*/) {
    return FftLibrary::Own;
}
CudaEqualFft::CudaEqualFft(const EqualRows& /*rows*/, Values /*values*/, int /*device*/,
                           std::optional<FftLibrary> /*library*/) {
    refuse();
}
CudaEqualFft::~CudaEqualFft() = default;
CudaEqualFft::CudaEqualFft(CudaEqualFft&&) noexcept = default;
CudaEqualFft& CudaEqualFft::operator=(CudaEqualFft&&) noexcept = default;
const EqualRows& CudaEqualFft::rows() const {
    refuse();
}
FftLibrary CudaEqualFft::provider() const {
    refuse();
}
void CudaEqualFft::forward(CudaArray& /*data*/) {
    refuse();
}
void CudaEqualFft::backward(CudaArray& /*data*/) {
    refuse();
}
void CudaEqualFft::forward(const CudaArray& /*samples*/, CudaArray& /*spectra*/) {
    refuse();
}
void CudaEqualFft::backward(CudaArray& /*spectra*/, CudaArray& /*samples*/) {
    refuse();
}
void CudaEqualFft::wait() {
    refuse();
}

}  // namespace armilla
