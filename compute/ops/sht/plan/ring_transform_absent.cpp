// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces the transforms' CUDA code in builds without CUDA.
#include "armilla/core/error.h"
#include "armilla/ops/device_sht.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/several/order_shares_cuda.h"
#include "sht/several/ranks/rank_stage.h"

namespace armilla {

namespace {

[[noreturn]] void refuse() {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace

struct CudaRingTransform::Plan {};
// NOLINTNEXTLINE(performance-unnecessary-value-param): as with CUDA
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
void CudaRingTransform::synthesis(int /*spin*/, std::span<double* const> /*alm*/,
                                  std::span<double* const> /*maps*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::adjoint(int /*spin*/, std::span<double* const> /*maps*/,
                                std::span<const double> /*weights*/,
                                std::span<double* const> /*alm*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::gradient(const CudaArray& /*alm*/, CudaArray& /*dTheta*/,
                                 CudaArray& /*dPhi*/, JobContext& /*job*/) {
    refuse();
}
void CudaRingTransform::prepareSynthesis(int /*spin*/, int /*maps*/) {
    refuse();
}
void CudaRingTransform::enqueueSynthesis(const CudaArray& /*alm*/, CudaArray& /*map*/) {
    refuse();
}
void CudaRingTransform::enqueueSynthesis(std::array<const CudaArray*, 2> /*alm*/,
                                         std::array<CudaArray*, 2> /*maps*/) {
    refuse();
}
void CudaRingTransform::enqueueSynthesisSpin(int /*spin*/, const CudaArray& /*e*/,
                                             const CudaArray& /*b*/, CudaArray& /*q*/,
                                             CudaArray& /*u*/) {
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
FftLibrary CudaRingTransform::fftLibrary() const {
    refuse();
}
const CudaTransformSteps& CudaRingTransform::steps() const {
    refuse();
}

struct CudaOrderShares::State {};
CudaOrderShares::CudaOrderShares(const RingGrid& /*grid*/, int /*lmax*/, int /*mmax*/,
                                 const CudaSharing& /*sharing*/) {
    refuse();
}
CudaOrderShares::~CudaOrderShares() = default;
CudaOrderShares::CudaOrderShares(CudaOrderShares&&) noexcept = default;
CudaOrderShares& CudaOrderShares::operator=(CudaOrderShares&&) noexcept = default;
size_t CudaOrderShares::count() const {
    refuse();
}
int CudaOrderShares::device(size_t /*share*/) const {
    refuse();
}
const RingWindow& CudaOrderShares::rings(size_t /*share*/) const {
    refuse();
}
const std::vector<SampleRun>& CudaOrderShares::orders(size_t /*share*/) const {
    refuse();
}
CudaOrderShares::Arrays CudaOrderShares::newMap() const {
    refuse();
}
CudaOrderShares::Arrays CudaOrderShares::newCoefficients() const {
    refuse();
}
void CudaOrderShares::synthesis(int /*spin*/, std::span<const Arrays> /*alm*/,
                                std::span<Arrays> /*maps*/, JobContext& /*job*/) {
    refuse();
}
void CudaOrderShares::gradient(const Arrays& /*alm*/, Arrays& /*dTheta*/, Arrays& /*dPhi*/,
                               JobContext& /*job*/) {
    refuse();
}
void CudaOrderShares::adjoint(int /*spin*/, std::span<Arrays> /*maps*/,
                              std::span<const double> /*weights*/, std::span<Arrays> /*alm*/,
                              JobContext& /*job*/) {
    refuse();
}
int64_t CudaOrderShares::deviceBytes(size_t /*share*/) const {
    refuse();
}
bool CudaOrderShares::copiesBetweenPeers() const {
    refuse();
}
const CudaSharedSteps& CudaOrderShares::steps() const {
    refuse();
}

std::unique_ptr<RankStage> makeCudaRankStage(const RingGrid& /*grid*/, int /*lmax*/, int /*mmax*/,
                                             const RowShares& /*shares*/, int /*rank*/,
                                             int /*device*/,
                                             std::shared_ptr<DeviceGroup> /*group*/) {
    refuse();
}

struct DeviceShtPlan::State {};
DeviceShtPlan::DeviceShtPlan(const ShtParameters& /*parameters*/, const Device& /*device*/) {
    refuse();
}
DeviceShtPlan::~DeviceShtPlan() = default;
DeviceShtPlan::DeviceShtPlan(DeviceShtPlan&&) noexcept = default;
DeviceShtPlan& DeviceShtPlan::operator=(DeviceShtPlan&&) noexcept = default;
const ShtParameters& DeviceShtPlan::parameters() const {
    refuse();
}
int DeviceShtPlan::device() const {
    refuse();
}
ShtSteps DeviceShtPlan::steps() const {
    refuse();
}
void DeviceShtPlan::synthesis(int /*spin*/, std::span<const DeviceValues> /*alm*/,
                              std::span<const DeviceValues> /*maps*/, void* /*stream*/,
                              JobContext& /*job*/) {
    refuse();
}
void DeviceShtPlan::analysis(int /*spin*/, std::span<const DeviceValues> /*maps*/,
                             std::span<const DeviceValues> /*alm*/, void* /*stream*/,
                             JobContext& /*job*/) {
    refuse();
}
void DeviceShtPlan::synthesisPolarized(std::span<const DeviceValues, 3> /*teb*/,
                                       std::span<const DeviceValues, 3> /*tqu*/, void* /*stream*/,
                                       JobContext& /*job*/) {
    refuse();
}
void DeviceShtPlan::analysisPolarized(std::span<const DeviceValues, 3> /*tqu*/,
                                      std::span<const DeviceValues, 3> /*teb*/, void* /*stream*/,
                                      JobContext& /*job*/) {
    refuse();
}

}  // namespace armilla
