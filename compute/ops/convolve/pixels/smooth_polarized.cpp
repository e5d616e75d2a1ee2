// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/smooth_polarized.h"

#include <atomic>
#include <cmath>

#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/ops/quadrature_weights.h"
#include "convolve/kernel/spin_kernel.h"
#include "convolve/pixels/device_fields.h"
#include "convolve/pixels/direct_cpu.h"
#include "convolve/pixels/ring_cpu.h"
#include "convolve/pixels/smooth_direct.h"
#include "convolve/pixels/spin_cuda.h"
#include "convolve/pixels/spin_rings.h"
#include "convolve/pixels/spin_sums.h"
#include "convolve/sky_values.h"

namespace armilla {

namespace {

// The sums over pixels, on the requested device.
class PixelSums {
public:
    PixelSums(const HealpixMap& map, const PolarizedKernel& kernel, Weights weights,
              const Device& device, JobContext& job)
        : map_(map), kernel_(kernel), weights_(weights), device_(device) {
        if (weights == Weights::Ring) ring_ = ringWeights(map.nside(), job);
    }
    std::vector<Field> scalar(int field, Masked masked, JobContext& job) {
        const Kernel& applied = kernel_.applied;
        if (device_.kind != DeviceKind::Cuda) {
            const auto one = std::span<const int>(&field, 1);
            return kernel_.lastL
                       ? smoothByRings({map_, one}, applied, *kernel_.lastL, weights_, masked, job)
                       : smoothDirect({map_, one}, applied, weights_, masked, job);
        }
        const bool normalize = masked == Masked::Normalize;
        DirectCuda& on = sums();
        addField(on, map_, field, nullptr, job);
        if (normalize && on.hasBad(0) && applied.compensated()) refuseZeroIntegral();
        const ProfileTable profile(applied, applied.support());
        return {smoothOnDevice(on, {&profile, applied.integral(), normalize, 0, lastL()}, map_,
                               field, job)};
    }
    void spin(const SpinSums::Maps& maps, JobContext& job) {
        const ProfileTable profile(ProfileSource{[&](std::span<const double> angles) {
                                                     return spinProfile(kernel_.bl, angles);
                                                 },
                                                 kernel_.gaussianWidth,
                                                 {},
                                                 kernel_.scale},
                                   kernel_.applied.support());
        cuda_.reset();  // frees the memory of T's maps for Q and U
        if (device_.kind == DeviceKind::Cuda)
            SpinCuda(device_.index, map_.nside(), profile, ring_).execute(maps, lastL(), job);
        else if (kernel_.lastL)
            SpinRings(map_.nside(), profile, *kernel_.lastL, ring_, job).execute(maps, job);
        else
            SpinSums(map_.nside(), profile, ring_).execute(maps, job);
    }
    // Smooths a mask by T's kernel.
    void mask(std::span<const double> good, std::span<double> share, JobContext& job) {
        const Kernel& applied = kernel_.applied;
        const ProfileTable profile(applied, applied.support());
        if (device_.kind == DeviceKind::Cuda) {
            DirectCuda& on = sums();
            on.add(good, nullptr, job);
            on.execute({&profile, applied.integral(), false, on.fieldCount() - 1, lastL()}, share,
                       job);
            return;
        }
        const DirectPlane<double> plane{good.data(), share.data(), false};
        const std::span<const DirectPlane<double>> planes(&plane, 1);
        if (kernel_.lastL)
            RingSums(map_.nside(), profile, *kernel_.lastL, ring_, applied.integral(), job)
                .execute(planes, job);
        else
            DirectSums(map_.nside(), profile, ring_, applied.integral()).execute(planes, job);
    }

private:
    int lastL() const { return kernel_.lastL.value_or(0); }
    DirectCuda& sums() {  // sums for T
        if (!cuda_) cuda_.emplace(device_.index, map_.nside(), ring_);
        return *cuda_;
    }

    const HealpixMap& map_;
    const PolarizedKernel& kernel_;
    Weights weights_;
    const Device& device_;
    std::vector<double> ring_;
    std::optional<DirectCuda> cuda_;
};

}  // namespace

std::vector<Field> smoothPolarized(const HealpixMap& map, std::span<const int> fields,
                                   const PolarizedKernel& kernel, Weights weights, bool normalize,
                                   const Device& device, JobContext& job) {
    const int64_t nside = map.nside(), pixels = armilla::pixelCount(nside);
    JobContext first = job.part(0.0, 0.3), planning = job.part(0.3, 0.32);
    JobContext working = job.part(0.32, 0.9), masking = job.part(0.9, 0.97);
    JobContext writing = job.part(0.97, 1.0);
    PixelSums sums(map, kernel, weights, device, first);
    std::vector<Field> result =
        sums.scalar(fields[0], normalize ? Masked::Normalize : Masked::Ignore, first);
    requireMemory("smoothing at nside " + std::to_string(nside), 6 * 8 * pixels);
    std::vector<double> q = ringValues(map, fields[1], planning);
    std::vector<double> u = ringValues(map, fields[2], planning);
    std::vector<double> good = newVector<double>(pixels, planning, 1.0);
    std::atomic<bool> anyBad{false};
    parallelFor(planning, pixels, kPixelGrain, [&](long long begin, long long end) {
        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
            if (std::isnan(q[p]) || std::isnan(u[p])) {
                q[p] = u[p] = good[p] = 0.0;
                anyBad = true;
            }
    });
    if (anyBad && normalize && kernel.applied.compensated()) refuseZeroIntegral();
    std::vector<double> toQ = newVector<double>(pixels, planning);
    std::vector<double> toU = newVector<double>(pixels, planning);
    sums.spin({q, u, toQ, toU}, working);
    if (anyBad && normalize) {
        std::vector<double> share = newVector<double>(pixels, masking, 1.0);
        const double integral = kernel.applied.integral();
        sums.mask(good, share, masking);
        parallelFor(masking, pixels, kPixelGrain, [&](long long begin, long long end) {
            for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
                const double part = share[p] / integral;
                const bool known = part >= kLeastKernelShare;
                toQ[p] = known ? toQ[p] / part : kNan;
                toU[p] = known ? toU[p] / part : kNan;
            }
        });
    }
    result.push_back(fieldFromRing(map, map.field(fields[1]), toQ, writing));
    result.push_back(fieldFromRing(map, map.field(fields[2]), toU, writing));
    return result;
}

}  // namespace armilla
