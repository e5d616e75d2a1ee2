// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for the CUDA files in builds without CUDA.
#include "core/error.h"
#include "cuda/device_cuda.h"
#include "cuda/host_copies.h"
#include "cuda/ring_transform_cuda.h"
#include "cuda/squared_norm_cuda.h"

namespace armilla {

std::vector<Device> cudaDevices(CudaListing /*listing*/) {
    return {};
}

std::vector<std::string> cudaProblems() {
    return {"CUDA: this build has no CUDA code"};
}

namespace {

[[noreturn]] void refuse() {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace

struct CudaArray::Owner {};
CudaArray::CudaArray(int /*device*/, size_t /*count*/) {
    refuse();
}
CudaArray::~CudaArray() = default;
CudaArray::CudaArray(CudaArray&&) noexcept = default;
CudaArray& CudaArray::operator=(CudaArray&&) noexcept = default;
int64_t CudaArray::freeBytes(int /*device*/) {
    refuse();
}
void CudaArray::upload(std::span<const double> /*values*/) {
    refuse();
}
void CudaArray::upload(const Alm& /*alm*/) {
    refuse();
}
void CudaArray::download(std::span<double> /*values*/) const {
    refuse();
}
void CudaArray::download(Alm& /*alm*/) const {
    refuse();
}
void CudaArray::fill(double /*value*/) {
    refuse();
}
void CudaArray::subtractFrom(const CudaArray& /*other*/) {
    refuse();
}
void CudaArray::multiply(const CudaArray& /*other*/) {
    refuse();
}
void CudaArray::copyFrom(const CudaArray& /*other*/) {
    refuse();
}
double squaredNorm(const CudaArray& /*array*/, int /*device*/) {
    refuse();
}

struct HostCopies::Slots {};
HostCopies::HostCopies(int /*device*/) {
    refuse();
}
HostCopies::~HostCopies() = default;
HostCopies::HostCopies(HostCopies&&) noexcept = default;
HostCopies& HostCopies::operator=(HostCopies&&) noexcept = default;
void HostCopies::upload(const ConstMapSamples& /*from*/, CudaArray& /*to*/, JobContext& /*job*/,
                        size_t /*at*/) {
    refuse();
}
void HostCopies::upload(const Alm& /*from*/, CudaArray& /*to*/, JobContext& /*job*/) {
    refuse();
}
void HostCopies::download(const CudaArray& /*from*/, const MapSamples& /*to*/, JobContext& /*job*/,
                          size_t /*at*/) {
    refuse();
}
void HostCopies::download(const CudaArray& /*from*/, Alm& /*to*/, JobContext& /*job*/) {
    refuse();
}
void HostCopies::addTo(Alm& /*to*/, const CudaArray& /*from*/, JobContext& /*job*/) {
    refuse();
}

struct CudaRingTransform::Plan {};
CudaRingTransform::CudaRingTransform(RingGrid /*grid*/, int /*lmax*/, int /*mmax*/, int /*device*/,
                                     const CudaTransformShape& /*shape*/) {
    refuse();
}
CudaRingTransform::~CudaRingTransform() = default;
CudaRingTransform::CudaRingTransform(CudaRingTransform&&) noexcept = default;
CudaRingTransform& CudaRingTransform::operator=(CudaRingTransform&&) noexcept = default;
void CudaRingTransform::synthesis(const CudaArray& /*alm*/, CudaArray& /*map*/,
                                  JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::adjoint(CudaArray& /*map*/, std::span<const double> /*weights*/,
                                CudaArray& /*alm*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::synthesis(std::span<const CudaArray> /*alm*/, std::span<CudaArray> /*maps*/,
                                  JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::adjoint(std::span<CudaArray> /*maps*/, std::span<const double> /*weights*/,
                                std::span<CudaArray> /*alm*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::synthesisSpin(int /*spin*/, const CudaArray& /*e*/, const CudaArray& /*b*/,
                                      CudaArray& /*q*/, CudaArray& /*u*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::adjointSpin(int /*spin*/, CudaArray& /*q*/, CudaArray& /*u*/,
                                    std::span<const double> /*weights*/, CudaArray& /*e*/,
                                    CudaArray& /*b*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::gradient(const CudaArray& /*alm*/, CudaArray& /*dTheta*/,
                                 CudaArray& /*dPhi*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::synthesisSums(int /*spin*/, std::span<const CudaArray> /*alm*/,
                                      std::span<CudaArray> /*maps*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::gradientSums(const CudaArray& /*alm*/, GradientPart /*part*/,
                                     CudaArray& /*map*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::synthesisRings(int /*spin*/, std::span<CudaArray> /*maps*/,
                                       JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::adjointRings(int /*spin*/, std::span<CudaArray> /*maps*/,
                                     std::span<const double> /*weights*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::adjointSums(int /*spin*/, std::span<CudaArray> /*maps*/,
                                    std::span<CudaArray> /*alm*/, JobContext& /*job*/) {
    refuse();
}
std::vector<ModePlaces> CudaRingTransform::modePlaces(int /*spin*/) {
    refuse();
}
void CudaRingTransform::downloadTails(int /*component*/, std::span<double> /*tails*/) const {
    refuse();
}
void CudaRingTransform::uploadTails(int /*component*/, std::span<const double> /*tails*/) {
    refuse();
}
int64_t CudaRingTransform::deviceBytes() const {
    refuse();
}
const CudaTransformSteps& CudaRingTransform::steps() const {
    refuse();
}

}  // namespace armilla
